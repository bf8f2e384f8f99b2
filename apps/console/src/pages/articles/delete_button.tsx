import { ActionIcon, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Reply } from "../../../../client/calls.ts";
import { Allowed } from "../../components/allowed.tsx";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useConfirmedAction } from "../../components/use_confirmed_action.ts";
import type { KeyHeader } from "../../../../client/attempts.ts";
import { useAction } from "../../../../shared/use_action.ts";

/** Deletes an article, a product or a category, after a confirm dialog. */
export function DeleteButton({
  title,
  meaning,
  send,
  onDone,
}: {
  title: string;
  meaning: string;
  send: (key: KeyHeader) => Promise<Reply<unknown>>;
  onDone?: () => void;
}) {
  const { t } = useTranslation(["articles", "common"]);
  const remove = useAction((_: void, key) => send(key));
  const confirmation = useConfirmedAction(remove, () => {
    onDone?.();
    return t("remove.done");
  });
  return (
    <>
      <Allowed area="content" inRow>
        <ActionIcon
          variant="subtle"
          color="red"
          aria-label={`${t("common:delete")}: ${title}`}
          onClick={confirmation.ask}
        >
          <Trash2 size={16} aria-hidden />
        </ActionIcon>
      </Allowed>
      <ConfirmDialog
        {...confirmation.dialog}
        title={t("remove.title", { title })}
        action={t("common:delete")}
        isDangerous
        onConfirm={() => confirmation.confirm()}
      >
        <Text>{meaning}</Text>
      </ConfirmDialog>
    </>
  );
}

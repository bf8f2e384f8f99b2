import { ActionIcon, Text } from "@mantine/core";
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../components/confirm_dialog.tsx";
import { useDeed } from "../../components/use_deed.ts";
import { type KeyHeader, useAction } from "../../store/use_action.ts";

/** Deletes an article or a category, after a dialog. */
export function DeleteButton({ title, meaning, send }: { title: string; meaning: string; send: (key: KeyHeader) => Promise<{ data?: unknown; error?: unknown }> }) {
  const { t } = useTranslation(["articles", "common"]);
  const remove = useAction((_: void, key) => send(key));
  const deed = useDeed(remove, () => t("remove.done"));
  return (
    <>
      <ActionIcon variant="subtle" color="red" aria-label={`${t("common:delete")}: ${title}`} onClick={deed.ask}>
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
      <ConfirmDialog {...deed.dialog} title={t("remove.title", { title })} deed={t("common:delete")} isDangerous onConfirm={() => deed.confirm()}>
        <Text>{meaning}</Text>
      </ConfirmDialog>
    </>
  );
}

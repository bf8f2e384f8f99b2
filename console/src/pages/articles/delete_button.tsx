import { ActionIcon, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { tell } from "../../parts/tell.ts";
import { type KeyHeader, useAction } from "../../store/use_action.ts";

/** Deletes an article or a category, after a dialog. */
export function DeleteButton({ title, meaning, send }: { title: string; meaning: string; send: (key: KeyHeader) => Promise<{ data?: unknown; error?: unknown }> }) {
  const { t } = useTranslation(["articles", "common"]);
  const [opened, dialog] = useDisclosure(false);
  const remove = useAction((_: void, key) => send(key));
  const confirm = () =>
    remove.mutate(undefined, {
      onSuccess: () => {
        tell(t("remove.done"));
        dialog.close();
      },
    });
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="red"
        aria-label={`${t("common:delete")}: ${title}`}
        onClick={() => {
          remove.reset();
          dialog.open();
        }}
      >
        <Trash2 size={16} aria-hidden />
      </ActionIcon>
      <ConfirmDialog opened={opened} title={t("remove.title", { title })} deed={t("common:delete")} isDangerous waiting={remove.isPending} error={remove.error} onConfirm={confirm} onClose={dialog.close}>
        <Text>{meaning}</Text>
      </ConfirmDialog>
    </>
  );
}

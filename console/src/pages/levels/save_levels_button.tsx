import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { tell } from "../../parts/tell.ts";
import type { Draft } from "../../parts/use_draft.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { type LevelsForm, levelsOf } from "./levels_draft.ts";

/** Puts the drafted levels in force, after a dialog. */
export function SaveLevelsButton({ draft, version }: { draft: Draft<LevelsForm>; version: number }) {
  const { t } = useTranslation("levels");
  const { admin } = useStore();
  const [opened, dialog] = useDisclosure(false);
  const save = useAction((levels: Admin["AgentLevelDraft"][], key) => admin.PUT("/adminapi/agent/level", { body: { levels, version }, ...key }));
  const isDirty = draft.form.isDirty();

  const confirm = () =>
    save.mutate(levelsOf(draft.form.values), {
      onSuccess: () => {
        draft.forget();
        dialog.close();
        tell(t("done"));
      },
      onError: draft.showRefusal,
    });

  return (
    <>
      {!isDirty && <Text size="sm" c="dimmed">{t("noChange")}</Text>}
      <Button
        disabled={!isDirty}
        onClick={() => {
          save.reset();
          dialog.open();
        }}
      >
        {t("save")}
      </Button>
      <ConfirmDialog opened={opened} title={t("confirm.title")} deed={t("confirm.deed")} waiting={save.isPending} error={save.error} onConfirm={confirm} onClose={dialog.close}>
        <Text>{t("confirm.meaning")}</Text>
      </ConfirmDialog>
    </>
  );
}

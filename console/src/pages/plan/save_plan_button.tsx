import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { tell } from "../../parts/tell.ts";
import type { Draft } from "../../parts/use_draft.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { type PlanDraft, type PlanForm, planOf } from "./plan_draft.ts";

/** The settings that were changed: the others stay as they are by then, whoever changed them. */
function planChanges(draft: Draft<PlanForm>): Partial<PlanDraft> {
  const changed = Object.keys(draft.changes());
  return Object.fromEntries(Object.entries(planOf(draft.form.values)).filter(([name]) => changed.includes(name)));
}

/** Puts the draft in force as a new version, after a dialog. */
export function SavePlanButton({ draft }: { draft: Draft<PlanForm> }) {
  const { t } = useTranslation("plan");
  const { admin } = useStore();
  const [opened, dialog] = useDisclosure(false);
  const save = useAction((body: Partial<PlanDraft>, key) => admin.PUT("/adminapi/hjf/brokerage/config", { body, ...key }));
  const isDirty = draft.form.isDirty();

  const confirm = () =>
    save.mutate(planChanges(draft), {
      onSuccess: ({ version }) => {
        draft.forget();
        dialog.close();
        tell(t("done", { version }));
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

import { Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ConfirmDialog } from "../../parts/confirm_dialog.tsx";
import { tell } from "../../parts/tell.ts";
import type { Draft } from "../../parts/use_draft.ts";
import { useStore } from "../../store/store.tsx";
import { useAction } from "../../store/use_action.ts";
import { type PlanDraft, type PlanForm, planOf } from "./plan_draft.ts";

/** Puts the draft in force as a new version, after a dialog. */
export function SavePlanButton({ draft, plan }: { draft: Draft<PlanForm>; plan: Admin["CommissionPlan"] }) {
  const { t } = useTranslation("plan");
  const { admin } = useStore();
  const [opened, dialog] = useDisclosure(false);
  const save = useAction((body: PlanDraft, key) => admin.PUT("/adminapi/hjf/brokerage/config", { body, ...key }));
  const isDirty = draft.form.isDirty();

  const confirm = () =>
    save.mutate(planOf(draft.form.values), {
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
        <Text>{t("confirm.meaning", { version: plan.version + 1 })}</Text>
      </ConfirmDialog>
    </>
  );
}

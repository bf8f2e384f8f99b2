import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { SaveDraftButton } from "../../components/save_draft_button.tsx";
import type { Draft } from "../../components/use_draft.ts";
import { useStore } from "../../store/store.ts";
import { useAction } from "../../../../shared/use_action.ts";
import { PlanChanges } from "./plan_changes.tsx";
import { draftOf, type PlanDraft, type PlanForm, planOf } from "./plan_draft.ts";

/** The changed settings. The others are not sent, so that concurrent changes are kept. */
function planChanges(draft: Draft<PlanForm>): Partial<PlanDraft> {
  const changed = Object.keys(draft.changes());
  return Object.fromEntries(Object.entries(planOf(draft.form.values)).filter(([name]) => changed.includes(name)));
}

/** Activates the draft as a new version, after a confirm dialog. */
export function SavePlanButton({ draft, plan }: { draft: Draft<PlanForm>; plan: Admin["CommissionPlan"] }) {
  const { t } = useTranslation("plans");
  const { admin } = useStore();
  const save = useAction((body: Partial<PlanDraft>, key) =>
    admin.PUT("/adminapi/hjf/brokerage/config", { body, ...key }),
  );
  const words = {
    noChange: t("noChange"),
    save: t("save"),
    title: t("confirm.title"),
    action: t("confirm.action"),
    meaning: t("confirm.meaning"),
  };
  return (
    <SaveDraftButton
      draft={draft}
      save={save}
      input={() => planChanges(draft)}
      words={words}
      done={({ version }) => t("done", { version })}
    >
      <PlanChanges before={planOf(draftOf(plan))} after={planOf(draft.form.values)} />
    </SaveDraftButton>
  );
}

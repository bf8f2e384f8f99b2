import { SimpleGrid, Stack } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { useDraft } from "../../components/use_draft.ts";
import { useAdmin } from "../../store/store.ts";
import { draftOf, emptyFieldsOf, type PlanForm, planOf, rejectedFields } from "./plan_draft.ts";
import { PlanFields } from "./plan_fields.tsx";
import { PlanVersions } from "./plan_versions.tsx";
import { SavePlanButton } from "./save_plan_button.tsx";
import { Simulation } from "./simulation.tsx";
import { useWorstOrder, WorstOrder } from "./worst_order.tsx";

function PlanEditor({ plan }: { plan: Admin["CommissionPlan"] }) {
  const draft = useDraft<PlanForm>("commission plan", draftOf(plan), emptyFieldsOf);
  const isComplete = Object.keys(emptyFieldsOf(draft.form.values)).length === 0;
  const changed = planOf(draft.form.values);
  const worst = useWorstOrder({ plan: changed }, isComplete);
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: "start" }}>
      <PlanFields
        draft={draft}
        rejected={rejectedFields(worst.error)}
        save={<SavePlanButton draft={draft} plan={plan} />}
      />
      <Stack>
        <WorstOrder result={worst} isComplete={isComplete} />
        <Simulation draft={{ plan: changed }} isComplete={isComplete} />
      </Stack>
    </SimpleGrid>
  );
}

export function Component() {
  const { t } = useTranslation("plans");
  const result = useAdmin("/adminapi/hjf/brokerage/config");
  return (
    <Page
      title={t("title")}
      about={t("about")}
      actions={result.data && <Tag size="lg">{t("inForce", { version: result.data.version })}</Tag>}
    >
      <QueryResult of={result} lines={10}>
        {(plan) => (
          <>
            <PlanEditor key={plan.version} plan={plan} />
            <PlanVersions versions={plan.versions} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}

import { Group, NumberInput, Radio, Stack } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { type FieldNumber, numberOf, toPercent, toRatio } from "../../components/field_number.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useAdmin } from "../../store/store.ts";
import { draftOf, planOf } from "../plans/plan_draft.ts";
import { Simulation } from "../plans/simulation.tsx";

const days = 90;

function Change({ plan }: { plan: Admin["CommissionPlan"] }) {
  const { t } = useTranslation(["network", "plans"]);
  const [depth, setDepth] = useState<FieldNumber>(plan.max_depth ?? "");
  const [cap, setCap] = useState<FieldNumber>(toPercent(plan.payout_cap));
  const [scope, setScope] = useState(plan.brokerage_scope);
  const inForce = planOf(draftOf(plan));
  const changed = {
    ...inForce,
    max_depth: depth === "" ? null : numberOf(depth),
    payout_cap: cap === "" ? inForce.payout_cap : toRatio(cap),
    brokerage_scope: scope,
  };
  // The store accepts no ratio above the cap, and would pay none.
  const draft = { ...changed, tier_ratios: inForce.tier_ratios.map((ratio) => Math.min(ratio, changed.payout_cap)) };
  return (
    <>
      <Section title={t("change.title")} about={t("change.about", { days })}>
        <Group align="flex-start" className="not-printed">
          <NumberInput
            label={t("plans:maxDepth")}
            placeholder={t("plans:noLimit")}
            value={depth}
            onChange={(value) => setDepth(value === "" ? "" : Number(value))}
            min={1}
            allowDecimal={false}
            w={160}
          />
          <NumberInput
            label={t("plans:payoutCap")}
            value={cap}
            onChange={(value) => setCap(value === "" ? "" : Number(value))}
            suffix=" %"
            decimalScale={3}
            min={0}
            max={100}
            hideControls
            w={160}
          />
          <Radio.Group label={t("plans:scope")} value={scope} onChange={(value) => setScope(value)}>
            <Stack gap="xs" mt="xs">
              {(["direct", "umbrella"] as const).map((value) => (
                <Radio key={value} value={value} label={t(`plans:scopes.${value}`)} />
              ))}
            </Stack>
          </Radio.Group>
        </Group>
      </Section>
      <Simulation draft={{ plan: draft }} isComplete={cap !== ""} days={days} />
    </>
  );
}

/** What another depth, cap or scope would have changed. */
export function NetworkChange() {
  const result = useAdmin("/adminapi/hjf/brokerage/config");
  return <QueryResult of={result}>{(plan) => <Change key={plan.version} plan={plan} />}</QueryResult>;
}

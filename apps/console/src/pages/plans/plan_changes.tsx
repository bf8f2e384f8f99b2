import { Alert, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { QueryResult } from "../../components/query_result.tsx";
import { type Change, ChangeTable } from "../../components/change_table.tsx";
import {
  formatCount,
  formatMoney,
  formatPoints,
  formatShare,
  Money,
  Points,
  Share,
} from "../../components/figures.tsx";
import { useStore } from "../../store/store.ts";
import type { PlanDraft } from "./plan_draft.ts";
import { ReachNote } from "./reach_note.tsx";

type Worst = Admin["CommissionPlanPreview"];

/** If an order can pay more than this fraction of its base, the page points it out. */
const muchOfTheBase = 0.5;

/** The settings that differ, formatted. */
function useChanges(before: PlanDraft, after: PlanDraft): Change[] {
  const { t } = useTranslation("plans");
  const depth = (value: number | null) => (value === null ? t("noLimit") : formatCount(value));
  const settings: [keyof PlanDraft, string, (plan: PlanDraft) => ReactNode][] = [
    ["people_per_cycle", t("people"), (plan) => formatCount(plan.people_per_cycle)],
    ["tier_ratios", t("ratios"), (plan) => plan.tier_ratios.map(formatShare).join(" · ")],
    ["brokerage_scope", t("scope"), (plan) => t(`scopes.${plan.brokerage_scope}`)],
    ["brokerage_timing", t("timing"), (plan) => t(`timings.${plan.brokerage_timing}`)],
    ["points_per_brokerage", t("pointsPerBrokerage"), (plan) => formatPoints(plan.points_per_brokerage)],
    ["max_depth", t("maxDepth"), (plan) => depth(plan.max_depth)],
    ["payout_cap", t("payoutCap"), (plan) => formatShare(plan.payout_cap)],
    ["minimum_base", t("minimumBase"), (plan) => formatMoney(plan.minimum_base)],
    ["holding_days", t("holdingDays"), (plan) => formatCount(plan.holding_days)],
  ];
  return settings
    .filter(([setting]) => JSON.stringify(before[setting]) !== JSON.stringify(after[setting]))
    .map(([, name, show]) => ({ name, before: show(before), after: show(after) }));
}

function WorstCase({ before, after }: { before: Worst; after: Worst }) {
  const { t } = useTranslation("plans");
  const rows: Change[] = [
    { name: t("worst.money"), before: <Money value={before.commission} />, after: <Money value={after.commission} /> },
    {
      name: t("worst.share"),
      before: <Share value={before.payout_share} />,
      after: <Share value={after.payout_share} />,
    },
    { name: t("worst.points"), before: <Points value={before.points} />, after: <Points value={after.points} /> },
    {
      name: t("worst.cycleShare"),
      before: <Share value={before.cycle_share} />,
      after: <Share value={after.cycle_share} />,
    },
  ];
  return (
    <Stack gap="xs">
      <ChangeTable label={t("worst.title")} changes={rows} />
      {after.payout_share !== null && after.payout_share > muchOfTheBase && (
        <Alert
          color="orange"
          icon={<TriangleAlert size={18} aria-hidden />}
          title={t("confirm.muchTitle", { share: formatShare(after.payout_share) })}
        >
          {t("confirm.much")}
        </Alert>
      )}
    </Stack>
  );
}

/** The changes of a draft, and what the most expensive order would cost under it. */
export function PlanChanges({ before, after }: { before: PlanDraft; after: PlanDraft }) {
  const { t } = useTranslation("plans");
  const { admin } = useStore();
  const changes = useChanges(before, after);
  const result = useQuery({
    queryKey: ["plan change", before, after],
    queryFn: async () => {
      const worstOf = (plan: PlanDraft) =>
        unwrap(admin.POST("/adminapi/hjf/brokerage/config/preview", { body: { plan } }));
      return { before: await worstOf(before), after: await worstOf(after) };
    },
  });
  return (
    <Stack gap="sm">
      <ChangeTable label={t("settings")} changes={changes} />
      <Text fw={600}>{t("worst.title")}</Text>
      <QueryResult of={result}>
        {(worst) => (
          <>
            {worst.after.payout_share === null ? <Text size="sm">{t("worst.noGoods")}</Text> : <WorstCase {...worst} />}
            <ReachNote reach={worst.after.reach} />
          </>
        )}
      </QueryResult>
    </Stack>
  );
}

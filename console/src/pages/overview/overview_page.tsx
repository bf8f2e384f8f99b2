import { Box, Paper, SegmentedControl, Stack, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Answer } from "../../parts/answer.tsx";
import { Count, Money, Points, Share } from "../../parts/figures.tsx";
import { useListState } from "../../parts/list_state.ts";
import { Page } from "../../parts/page.tsx";
import { useAdmin } from "../../store/store.tsx";
import { DailyCharts } from "./daily_charts.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { Health } from "./health.tsx";

const periods = ["7", "30", "90"];

function Totals({ totals }: { totals: Admin["Overview"]["totals"] }) {
  const { t } = useTranslation("overview");
  const tiles: [string, React.ReactNode][] = [
    [t("orders"), <Count key="orders" value={totals.orders} />],
    [t("queueOrders"), <Count key="queue" value={totals.queue_orders} />],
    [t("queueRevenue"), <Money key="revenue" value={totals.queue_revenue} />],
    [t("commission"), <Money key="commission" value={totals.commission} />],
    [t("payoutShare"), <Share key="share" value={totals.payout_share} />],
    [t("pointsFrozen"), <Points key="frozen" value={totals.points_frozen} />],
    [t("pointsReleased"), <Points key="released" value={totals.points_released} />],
  ];
  return (
    <Box component="dl" m={0} style={{ display: "grid", gridTemplateColumns: "repeat(auto-fit, minmax(9.5rem, 1fr))", gap: "0.75rem" }}>
      {tiles.map(([name, value]) => (
        <Paper key={name} withBorder p="sm">
          <Text component="dt" size="xs" c="dimmed">{name}</Text>
          <Text component="dd" m={0} fw={650} fz="lg">{value}</Text>
        </Paper>
      ))}
    </Box>
  );
}

export function Component() {
  const { t } = useTranslation("overview");
  const state = useListState();
  const days = periods.includes(state.get("days")) ? state.get("days") : "30";
  const answer = useAdmin().useQuery("get", "/adminapi/overview", { params: { query: { days: Number(days) } } }, { placeholderData: keepPreviousData, refetchInterval: 60_000 });
  return (
    <Page
      title={t("title")}
      actions={
        <SegmentedControl
          aria-label={t("days")}
          value={days}
          onChange={(value) => state.set({ days: value === "30" ? "" : value })}
          data={periods.map((value) => ({ value, label: t("lastDays", { days: value }) }))}
        />
      }
    >
      <Answer of={answer} lines={10}>
        {(overview) => (
          <Stack>
            {overview.totals.orders === 0 && <FirstSteps />}
            <Totals totals={overview.totals} />
            <Health overview={overview} />
            <DailyCharts days={overview.days} />
          </Stack>
        )}
      </Answer>
    </Page>
  );
}

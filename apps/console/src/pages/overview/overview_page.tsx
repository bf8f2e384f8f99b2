import { SegmentedControl, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryResult } from "../../components/query_result.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useStoreZone } from "../../components/store_zone.ts";
import { dayBefore } from "../../components/store_day.ts";
import { useAdmin } from "../../store/store.ts";
import { useWaiting } from "../../store/waiting.ts";
import { ReportTotals } from "../reports/report_totals.tsx";
import { DailyCharts } from "./daily_charts.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { Health } from "./health.tsx";
import { ClockAlert } from "./clock_alert.tsx";
import { SchedulerAlert } from "./scheduler_alert.tsx";
import { WaitingList } from "./waiting_list.tsx";

const periods = ["7", "30", "90"];
const tiles = [
  "orders",
  "queue_orders",
  "queue_revenue",
  "commission",
  "payout_share",
  "points_frozen",
  "points_released",
] as const;

/** The first page of those who may read it. */
export function OverviewPage() {
  const { t } = useTranslation("overview");
  const state = useListState();
  const days = periods.includes(state.get("days")) ? state.get("days") : "30";
  const often = { refetchInterval: 60_000 };
  const result = useAdmin("/adminapi/overview", { params: { query: { days: 1 } } }, often);
  const zone = useStoreZone();
  const from = zone && dayBefore(Number(days) - 1, zone);
  const report = useAdmin(
    "/adminapi/report",
    { params: { query: { unit: "day", compare: "before", ...(from && { from }) } } },
    { placeholderData: keepPreviousData, enabled: zone !== undefined, ...often },
  );
  const isReady = [useWaiting(), useAdmin("/adminapi/first_steps")].every(({ isPending }) => !isPending);
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
      <QueryResult of={result} lines={10} isReady={isReady}>
        {(overview) => (
          <Stack>
            <WaitingList />
            <FirstSteps />
            <SchedulerAlert state={overview.scheduler} />
            <ClockAlert state={overview.clock} />
            <Health overview={overview} />
            <QueryResult of={report} lines={10}>
              {(figures) => (
                <Stack aria-busy={report.isPlaceholderData}>
                  <ReportTotals report={figures} compare="before" show={tiles} />
                  <DailyCharts report={figures} />
                </Stack>
              )}
            </QueryResult>
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

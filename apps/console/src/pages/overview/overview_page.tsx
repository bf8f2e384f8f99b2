import { SegmentedControl, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { QueryResult } from "../../components/query_result.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useAdmin } from "../../store/store.ts";
import { DailyCharts } from "./daily_charts.tsx";
import { FirstSteps } from "./first_steps.tsx";
import { Health } from "./health.tsx";
import { ClockAlert } from "./clock_alert.tsx";
import { SchedulerAlert } from "./scheduler_alert.tsx";
import { Totals } from "./totals.tsx";
import { WaitingList } from "./waiting_list.tsx";

const periods = ["7", "30", "90"];

/** The first page of those who may read it. */
export function OverviewPage() {
  const { t } = useTranslation("overview");
  const state = useListState();
  const days = periods.includes(state.get("days")) ? state.get("days") : "30";
  const result = useAdmin(
    "/adminapi/overview",
    { params: { query: { days: Number(days) } } },
    { placeholderData: keepPreviousData, refetchInterval: 60_000 },
  );
  // The same number of days before them, for comparison.
  const twice = useAdmin(
    "/adminapi/overview",
    { params: { query: { days: 2 * Number(days) } } },
    { refetchInterval: 60_000 },
  );
  const before = twice.data?.days.slice(0, Number(days));
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
      <FirstSteps />
      <WaitingList />
      <QueryResult of={result} lines={10}>
        {(overview) => (
          <Stack>
            <SchedulerAlert state={overview.scheduler} />
            <ClockAlert state={overview.clock} />
            <Totals totals={overview.totals} before={before} days={overview.days.length} />
            <Health overview={overview} />
            <DailyCharts days={overview.days} before={before} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

import { Group, SegmentedControl, Select, Stack } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { FilterBar } from "../../components/filter_bar.tsx";
import { type ListState, useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { PrintButton } from "../../components/print_button.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { isDay } from "../../components/store_day.ts";
import { useAdmin } from "../../store/store.ts";
import { ReportCharts } from "./report_charts.tsx";
import { ReportSources } from "./report_sources.tsx";
import { ReportTable } from "./report_table.tsx";
import { ReportTotals } from "./report_totals.tsx";

const units = ["hour", "day", "week", "month"] as const;
const compares = ["before", "year", "none"] as const;
const tiles = [
  "revenue",
  "queue_revenue",
  "paid",
  "refunded",
  "orders",
  "commission",
  "payout_share",
  "points_frozen",
  "members",
] as const;

/** The value of a parameter of the URL, or the first one if it is none of these. */
function oneOf<Value extends string>(values: readonly Value[], text: string, preset: Value): Value {
  return values.find((value) => value === text) ?? preset;
}

function Choices({ state, unit, compare }: { state: ListState; unit: string; compare: string }) {
  const { t } = useTranslation("reports");
  return (
    <Group align="flex-end" gap="sm">
      <SegmentedControl
        aria-label={t("unit")}
        value={unit}
        // Days that suit one unit may be too many for another.
        onChange={(value) => state.set({ unit: value === "day" ? "" : value, from: "", to: "" })}
        data={units.map((value) => ({ value, label: t(`units.${value}`) }))}
      />
      <FilterBar of={{ state, names: ["from", "to"] }} isForm>
        <DayRangeFilter label={t("period")} placeholder={t("usual")} />
        <Select
          label={t("compare")}
          data={compares.map((value) => ({ value, label: t(`compares.${value}`) }))}
          value={compare}
          onChange={(value) => state.set({ compare: value === "before" ? "" : (value ?? "") })}
          allowDeselect={false}
          w={160}
        />
      </FilterBar>
    </Group>
  );
}

/** Revenue, commission, points and members of a period, compared, and where they come from. */
export function Component() {
  const { t } = useTranslation("reports");
  const state = useListState();
  const unit = oneOf(units, state.get("unit"), "day");
  const compare = oneOf(compares, state.get("compare"), "before");
  const dayOf = (name: string) => (isDay(state.get(name)) ? { [name]: state.get(name) } : {});
  const result = useAdmin(
    "/adminapi/report",
    { params: { query: { unit, ...dayOf("from"), ...dayOf("to"), ...(compare !== "none" && { compare }) } } },
    { placeholderData: keepPreviousData, refetchInterval: 60_000 },
  );
  return (
    <Page title={t("title")} about={t("about")} actions={<PrintButton />}>
      <Choices state={state} unit={unit} compare={compare} />
      <QueryResult of={result} lines={10}>
        {(report) => (
          <Stack aria-busy={result.isPlaceholderData}>
            <ReportTotals report={report} compare={compare} show={tiles} />
            <ReportCharts report={report} compare={compare} />
            <ReportTable report={report} />
            <ReportSources report={report} state={state} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}

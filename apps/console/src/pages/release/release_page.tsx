import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { Count, formatPoints, Points } from "../../components/figures.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { FilterBar, MemberFilter } from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { Day } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";

const column = columnsOf<Admin["Release"]>();

export function Component() {
  const { t } = useTranslation(["release", "words"]);
  const list = useList("/adminapi/hjf/points/release_log", {
    filters: { uid: "id", date_from: "text", date_to: "text" },
  });
  const columns = [
    column.day("release_date", t("day")),
    column.member("uid", t("words:member"), { opens: true }),
    column.points("frozen_before", t("before")),
    column.points("release_points", t("released")),
    column.points("frozen_after", t("after")),
    column.time("add_time", t("bookedAt")),
  ];
  const statistics = list.result.data?.statistics;
  const lastRun = statistics?.last_run;

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list} views="release">
        <MemberFilter name="uid" label={t("words:member")} />
        <DayRangeFilter label={t("days")} names={{ from: "date_from", to: "date_to" }} />
      </FilterBar>
      {statistics && (
        <Text size="sm">
          {t("total")} <Points value={statistics.total_released} /> · {t("members")} <Count value={statistics.users} />{" "}
          · {t("lastRun")}{" "}
          {lastRun ? (
            <>
              <Day value={lastRun.release_date} />:{" "}
              {t("lastRunFacts", { points: formatPoints(lastRun.points), count: lastRun.users })}
            </>
          ) : (
            t("noRun")
          )}
        </Text>
      )}
      <DataTable
        name="release log"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}

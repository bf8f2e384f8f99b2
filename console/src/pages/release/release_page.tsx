import { Group, Paper, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ArchivedNote } from "../../components/archived_note.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { DescriptionList } from "../../components/description_list.tsx";
import { Count, formatCount, formatPoints, Points } from "../../components/figures.tsx";
import { DayFilter, FilterBar, memberOf, MemberFilter } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { MemberLink, memberCsv } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { Day, Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";

type Release = Admin["Release"];

const filters = ["uid", "date_from", "date_to"] as const;

function useColumns(): Column<Release>[] {
  const { t } = useTranslation(["release", "words"]);
  return useMemo(
    () => [
      { id: "day", title: t("day"), cell: ({ release_date }) => <Day value={release_date} />, csv: ({ release_date }) => release_date },
      {
        id: "member",
        title: t("words:member"),
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      {
        id: "before",
        title: t("before"),
        align: "right",
        cell: ({ frozen_before }) => <Points value={frozen_before} />,
        csv: ({ frozen_before }) => frozen_before,
      },
      {
        id: "released",
        title: t("released"),
        align: "right",
        cell: ({ release_points }) => <Points value={release_points} />,
        csv: ({ release_points }) => release_points,
      },
      {
        id: "after",
        title: t("after"),
        align: "right",
        cell: ({ frozen_after }) => <Points value={frozen_after} />,
        csv: ({ frozen_after }) => frozen_after,
      },
      { id: "booked", title: t("bookedAt"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
    ],
    [t],
  );
}

export function Component() {
  const { t } = useTranslation(["release", "words"]);
  const state = useListState();
  const uid = memberOf(state, "uid");
  const query = {
    ...(uid && { uid }),
    ...(state.get("date_from") && { date_from: state.get("date_from") }),
    ...(state.get("date_to") && { date_to: state.get("date_to") }),
  };
  const source = {
    path: "/adminapi/hjf/points/release_log",
    params: { query: { ...query, page: state.page, limit: defaultPageSize } },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const statistics = result.data?.statistics;
  const lastRun = statistics?.last_run;

  return (
    <Page title={t("title")} about={t("about")}>
      <Group align="flex-end" justify="space-between">
        <FilterBar state={state} names={filters}>
          <MemberFilter state={state} name="uid" label={t("words:member")} />
          <DayFilter state={state} name="date_from" label={t("from")} />
          <DayFilter state={state} name="date_to" label={t("to")} />
        </FilterBar>
      </Group>
      {statistics && (
        <Paper withBorder p="md">
          <DescriptionList
            items={[
              [t("total"), <Points key="total" value={statistics.total_released} />],
              [t("members"), <Count key="members" value={statistics.users} />],
              [
                t("lastRun"),
                lastRun ? (
                  <Day key="run" value={lastRun.release_date} />
                ) : (
                  <Text key="run" span size="sm">
                    {t("noRun")}
                  </Text>
                ),
              ],
              ...(lastRun
                ? [
                    [t("released"), t("lastRunFacts", { points: formatPoints(lastRun.points), users: formatCount(lastRun.users) })] as [
                      string,
                      string,
                    ],
                  ]
                : []),
            ]}
          />
        </Paper>
      )}
      <ArchivedNote until={result.data?.archived_until} />
      <DataTable
        name="release log"
        label={t("title")}
        columns={useColumns()}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
    </Page>
  );
}

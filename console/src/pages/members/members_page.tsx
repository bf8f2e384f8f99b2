import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin, AdminPaths } from "../../../../client/index.ts";
import { ChoiceFilter, FilterBar, memberOf, MemberFilter, TextFilter } from "../../components/filter_bar.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { Money, Points } from "../../components/figures.tsx";
import { useListState } from "../../components/list_state.ts";
import { MemberLink, memberCsv } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { MemberLevelBadge, useLevelName, useMemberLevelCsv } from "./level_badge.tsx";
import { NoAssessSwitch } from "./no_assess_switch.tsx";

type Member = Admin["Member"];
type Sort = NonNullable<NonNullable<AdminPaths["/adminapi/user"]["get"]["parameters"]["query"]>["sort"]>;

const filters = ["search", "agent_level", "no_assess", "spread_uid"] as const;

function useColumns(): Column<Member>[] {
  const { t } = useTranslation("words");
  const levelCsv = useMemberLevelCsv();
  return useMemo(
    () => [
      {
        id: "member",
        title: t("member"),
        sort: "uid",
        cell: ({ uid, nickname }) => <MemberLink uid={uid} nickname={nickname} />,
        csv: ({ uid, nickname }) => memberCsv(uid, nickname),
      },
      { id: "level", title: t("level"), cell: (member) => <MemberLevelBadge member={member} />, csv: levelCsv },
      {
        id: "referrer",
        title: t("referrer"),
        cell: ({ spread_uid, referrer_nickname }) => <MemberLink uid={spread_uid} nickname={referrer_nickname} />,
        csv: ({ spread_uid, referrer_nickname }) => memberCsv(spread_uid, referrer_nickname),
      },
      {
        id: "frozen_points",
        title: t("frozenPoints"),
        align: "right",
        sort: "frozen_points",
        cell: ({ frozen_points }) => <Points value={frozen_points} />,
        csv: ({ frozen_points }) => frozen_points,
      },
      {
        id: "available_points",
        title: t("availablePoints"),
        align: "right",
        sort: "available_points",
        cell: ({ available_points }) => <Points value={available_points} />,
        csv: ({ available_points }) => available_points,
      },
      { id: "no_assess", title: t("noAssess"), cell: (member) => <NoAssessSwitch member={member} />, csv: ({ no_assess }) => no_assess },
      {
        id: "brokerage_price",
        title: t("brokerage"),
        align: "right",
        sort: "brokerage_price",
        cell: ({ brokerage_price }) => <Money value={brokerage_price} />,
        csv: ({ brokerage_price }) => brokerage_price,
      },
      { id: "phone", title: t("phone"), cell: ({ phone }) => phone ?? "–", csv: ({ phone }) => phone },
      {
        id: "add_time",
        title: t("joined"),
        sort: "add_time",
        cell: ({ add_time }) => <Time value={add_time} />,
        csv: ({ add_time }) => add_time,
      },
    ],
    [t, levelCsv],
  );
}

export function Component() {
  const { t } = useTranslation(["members", "words"]);
  const state = useListState();
  const spread_uid = memberOf(state, "spread_uid");
  const levels = useLevelName().all;
  const source = {
    path: "/adminapi/user",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("search") && { search: state.get("search") }),
        ...(state.get("agent_level") && { agent_level: Number(state.get("agent_level")) }),
        ...(state.get("no_assess") && { no_assess: state.get("no_assess") === "true" }),
        ...(spread_uid && { spread_uid }),
        ...(state.get("sort") && { sort: state.get("sort") as Sort }),
      },
    },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });

  return (
    <Page title={t("title")}>
      <FilterBar state={state} names={filters}>
        <TextFilter state={state} name="search" label={t("search")} placeholder={t("searchHint")} />
        <ChoiceFilter
          state={state}
          name="agent_level"
          label={t("words:level")}
          choices={levels.map(({ grade, name }) => ({ value: String(grade), label: name }))}
        />
        <ChoiceFilter
          state={state}
          name="no_assess"
          label={t("assessment")}
          choices={[
            { value: "false", label: t("assessed") },
            { value: "true", label: t("words:noAssess") },
          ]}
        />
        <MemberFilter state={state} name="spread_uid" label={t("words:referrer")} />
      </FilterBar>
      <DataTable
        name="members"
        label={t("title")}
        columns={useColumns()}
        rowId={({ uid }) => uid}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
    </Page>
  );
}

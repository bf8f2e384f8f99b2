import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { isContact } from "../../app/search_contact.ts";
import { columnsOf } from "../../components/columns.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, TextFilter } from "../../components/filter_bar.tsx";
import type { Column } from "../../components/column.ts";
import { DataTable } from "../../components/data_table.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";
import { MarkedMember } from "./marked_member.tsx";
import { MemberLevelBadge, useLevelName, useMemberLevelCsv } from "./level_badge.tsx";
import { NoAssessSwitch } from "./no_assess_switch.tsx";

type Member = Admin["Member"];

const column = columnsOf<Member>();
const filters = {
  search: "text",
  agent_level: "number",
  no_assess: "boolean",
  has_left: "boolean",
  spread_uid: "id",
} as const;

function useColumns(): Column<Member>[] {
  const { t } = useTranslation("words");
  const levelCsv = useMemberLevelCsv();
  return [
    column.member("uid", t("member"), { sort: true, cell: (member) => <MarkedMember member={member} /> }),
    column.custom({
      id: "level",
      title: t("level"),
      cell: (member) => <MemberLevelBadge member={member} />,
      csv: levelCsv,
    }),
    column.member("spread_uid", t("referrer"), { name: "referrer_nickname" }),
    column.points("frozen_points", t("frozenPoints"), { sort: true }),
    column.points("available_points", t("availablePoints"), { sort: true }),
    column.money("brokerage_price", t("brokerage"), { sort: true }),
    column.custom({
      id: "no_assess",
      title: t("noAssess"),
      width: 96,
      cell: (member) => <NoAssessSwitch member={member} />,
      csv: ({ no_assess }) => no_assess,
    }),
    column.time("add_time", t("joined"), { sort: true }),
    column.text("phone", t("phone"), { empty: "–", width: 136 }),
    column.time("left_at", t("leftAt"), { isFileOnly: true }),
  ];
}

export function Component() {
  const { t } = useTranslation(["members", "words"]);
  const levels = useLevelName().all;
  const list = useList("/adminapi/user", { filters, isSorted: true });

  return (
    <Page title={t("title")}>
      <FilterBar of={list} views="members">
        <TextFilter
          name="search"
          label={t("search")}
          placeholder={t("searchHint")}
          check={(text) => (isContact(text) ? t("searchContact") : undefined)}
        />
        <ChoiceFilter
          name="agent_level"
          label={t("words:level")}
          choices={levels.map(({ grade, name }) => ({ value: String(grade), label: name }))}
        />
        <MemberFilter name="spread_uid" label={t("words:referrer")} />
        <ChoiceFilter
          name="no_assess"
          label={t("assessment")}
          choices={[
            { value: "false", label: t("assessed") },
            { value: "true", label: t("words:noAssess") },
          ]}
        />
        <ChoiceFilter
          name="has_left"
          label={t("left.filter")}
          choices={[
            { value: "false", label: t("left.no") },
            { value: "true", label: t("words:hasLeft") },
          ]}
        />
      </FilterBar>
      <DataTable
        name="members"
        label={t("title")}
        columns={useColumns()}
        rowId={({ uid }) => uid}
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}

import { Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { amountText } from "../../../../../functions/_shared/words/amount_text.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, MemberFilter, PeriodFilter, TextFilter } from "../../components/filter_bar.tsx";
import { useOpened } from "../../components/opened.tsx";
import { Page } from "../../components/page.tsx";
import { useFormatTime } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { billSources, billTypes } from "../../store/enumerations.ts";
import { useBillColumns } from "../members/bill_columns.tsx";
import { useLevelName } from "../members/level_badge.tsx";
import { BillRowDrawer } from "./bill_row_drawer.tsx";
import { BillRowLink } from "./bill_row_link.tsx";

type Row = Admin["AdminBillRow"];

const column = columnsOf<Row>();
const balances = ["brokerage", "frozen_points", "available_points"] as const;
/** Rows beyond are not counted. */
const mostCounted = 100_000;
const amountOfPoints = /^\d{1,14}(\.\d{1,4})?$/;

const filters = {
  from: "day",
  to: "day",
  balance: "text",
  min_amount: "text",
  max_amount: "text",
  type: "text",
  source: "text",
  uid: "id",
  agent_level: "number",
  earned_from: "text",
  earned_to: "text",
} as const;

/** The bill of all members. */
export function Component() {
  const { t } = useTranslation(["bill", "words", "common", "members"]);
  const format = useFormatTime();
  const opened = useOpened("row");
  const list = useList("/adminapi/bill", { filters });
  const levels = useLevelName().all;
  const { searched_from } = list.result.data ?? {};
  const isMoney = !["frozen_points", "available_points"].includes(list.state.get("balance"));
  const wrongAmount = (text: string) =>
    text === "" || (isMoney ? amountText : amountOfPoints).test(text)
      ? undefined
      : t(isMoney ? "common:invalid.amount" : "invalidPoints");
  const [time, ...others] = useBillColumns();
  const columns = [
    column.number("id", t("number"), { width: 76, cell: ({ id }) => <BillRowLink id={id} /> }),
    time!,
    // With the three balances beside each other at 1280 pixels: what a figure leads to adds up in sight.
    column.member("uid", t("words:member"), { width: 132 }),
    ...others,
  ];

  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list} views="bill">
        <DayRangeFilter label={t("days")} />
        <ChoiceFilter
          name="type"
          label={t("members:bill.type")}
          choices={billTypes.map((value) => ({ value, label: t(`words:billType.${value}`) }))}
        />
        <MemberFilter name="uid" label={t("words:member")} />
        <TextFilter
          name="min_amount"
          label={t("minAmount")}
          placeholder={t("amountHint")}
          width={140}
          check={wrongAmount}
        />
        <TextFilter
          name="max_amount"
          label={t("maxAmount")}
          placeholder={t("amountHint")}
          width={140}
          check={wrongAmount}
        />
        <ChoiceFilter
          name="balance"
          label={t("balance")}
          placeholder={t("balances.brokerage")}
          width={170}
          choices={balances.map((value) => ({ value, label: t(`balances.${value}`) }))}
        />
        <ChoiceFilter
          name="source"
          label={t("source")}
          choices={billSources.map((value) => ({ value, label: t(`words:source.${value}`) }))}
        />
        <ChoiceFilter
          name="agent_level"
          label={t("memberLevel")}
          choices={levels.map(({ grade, name }) => ({ value: String(grade), label: name }))}
        />
        <PeriodFilter name="earned" label={t("earned")} />
      </FilterBar>
      {searched_from && (
        <Text size="sm" c="dimmed" role="status">
          {t("searchedFrom", { time: format(searched_from) })}
        </Text>
      )}
      <DataTable
        name="whole bill"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
        mostCounted={mostCounted}
      />
      {opened.id && <BillRowDrawer key={opened.id} id={Number(opened.id)} onClose={opened.close} />}
    </Page>
  );
}

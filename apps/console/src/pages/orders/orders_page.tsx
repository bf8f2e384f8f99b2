import { useTranslation } from "react-i18next";
import { DataTable } from "../../components/data_table.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import {
  ChoiceFilter,
  FilterBar,
  MemberFilter,
  PeriodFilter,
  TextFilter,
  WaitingFilter,
} from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";
import { ProductFilter } from "../products/product_filter.tsx";
import { orderStates } from "./order_badges.tsx";
import { useOrderColumns } from "./order_columns.tsx";

const filters = {
  search: "text",
  uid: "id",
  product_id: "id",
  is_queue_goods: "boolean",
  state: "text",
  refund_status: "number",
  waiting: "text",
  from: "day",
  to: "day",
  paid_from: "text",
  paid_to: "text",
  refunded_from: "text",
  refunded_to: "text",
} as const;

export function Component() {
  const { t } = useTranslation(["orders", "words", "common"]);
  const list = useList("/adminapi/order", { filters, isSorted: true });

  return (
    <Page title={t("title")}>
      <FilterBar of={list} views="orders">
        <TextFilter name="search" label={t("search")} placeholder={t("searchHint")} />
        <ChoiceFilter
          name="state"
          label={t("state")}
          choices={orderStates.map((value) => ({ value, label: t(`words:orderState.${value}`) }))}
        />
        <DayRangeFilter label={t("days")} />
        <WaitingFilter kinds={["refund", "payment"]} />
        <ChoiceFilter
          name="refund_status"
          label={t("refund")}
          choices={(["0", "1", "2", "3"] as const).map((value) => ({ value, label: t(`words:refundStatus.${value}`) }))}
        />
        <MemberFilter name="uid" label={t("about.buyer")} />
        <ProductFilter />
        <ChoiceFilter
          name="is_queue_goods"
          label={t("lines.queueGoods")}
          choices={[
            { value: "true", label: t("common:yes") },
            { value: "false", label: t("common:no") },
          ]}
        />
        <PeriodFilter name="paid" label={t("paidBetween")} />
        <PeriodFilter name="refunded" label={t("refundedBetween")} />
      </FilterBar>
      <DataTable
        name="orders"
        label={t("title")}
        columns={useOrderColumns(true, list.state.hasAny(["refunded_from", "refunded_to"]))}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}

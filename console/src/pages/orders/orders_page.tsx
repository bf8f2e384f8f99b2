import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { type Column, DataTable, defaultPageSize } from "../../parts/data_table.tsx";
import { Count, Money } from "../../parts/figures.tsx";
import { ChoiceFilter, DayFilter, FilterBar, memberOf, MemberFilter, TextFilter } from "../../parts/filter_bar.tsx";
import { useListState } from "../../parts/list_state.ts";
import { MemberLink, OrderLink } from "../../parts/member_link.tsx";
import { Page } from "../../parts/page.tsx";
import { useStoreDays } from "../../parts/store_day.ts";
import { Time } from "../../parts/time.tsx";
import { useAdmin } from "../../store/store.tsx";
import { OrderStateBadge, orderStates, RefundBadge } from "./order_badges.tsx";

type Order = Admin["Order"];

const filters = ["search", "uid", "state", "refund_status", "from", "to"] as const;

function useColumns(): Column<Order>[] {
  const { t, i18n } = useTranslation(["orders", "words"]);
  return useMemo(() => [
    { id: "id", title: t("words:order"), cell: ({ id }) => <OrderLink id={id} /> },
    { id: "no", title: t("words:orderNo"), cell: ({ order_no }) => <span className="figures">{order_no}</span> },
    { id: "buyer", title: t("about.buyer"), cell: ({ uid }) => <MemberLink uid={uid} /> },
    { id: "state", title: t("state"), cell: ({ state }) => <OrderStateBadge state={state} /> },
    { id: "refund", title: t("refund"), cell: ({ refund_status }) => <RefundBadge status={refund_status} /> },
    { id: "paid", title: t("paidPrice"), align: "right", cell: ({ pay_price }) => <Money value={pay_price} /> },
    { id: "base", title: t("queueBase"), align: "right", cell: ({ queue_base }) => <Money value={queue_base} /> },
    { id: "units", title: t("units"), align: "right", cell: ({ queue_units }) => <Count value={queue_units} /> },
    { id: "referrer", title: t("words:referrer"), cell: ({ referrer_uid }) => <MemberLink uid={referrer_uid} /> },
    { id: "ordered", title: t("ordered"), cell: ({ add_time }) => <Time value={add_time} /> },
  ], [t, i18n.language]);
}

export function Component() {
  const { t } = useTranslation(["orders", "words"]);
  const state = useListState();
  const uid = memberOf(state, "uid");
  const days = useStoreDays(state.get("from"), state.get("to"));
  const answer = useAdmin().useQuery("get", "/adminapi/order", {
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("search") && { search: state.get("search") }),
        ...(uid && { uid }),
        ...(state.get("state") && { state: state.get("state") as Order["state"] }),
        ...(state.get("refund_status") && { refund_status: Number(state.get("refund_status")) }),
        ...days,
      },
    },
  }, { placeholderData: keepPreviousData, enabled: days !== undefined });

  return (
    <Page title={t("title")}>
      <FilterBar state={state} names={filters}>
        <TextFilter state={state} name="search" label={t("search")} placeholder={t("searchHint")} width={320} />
        <MemberFilter state={state} name="uid" label={t("about.buyer")} />
        <ChoiceFilter state={state} name="state" label={t("state")} choices={orderStates.map((value) => ({ value, label: t(`words:orderState.${value}`) }))} />
        <ChoiceFilter state={state} name="refund_status" label={t("refund")} choices={(["0", "1", "2", "3"] as const).map((value) => ({ value, label: t(`words:refundStatus.${value}`) }))} />
        <DayFilter state={state} name="from" label={t("from")} />
        <DayFilter state={state} name="to" label={t("to")} />
      </FilterBar>
      <DataTable name="orders" label={t("title")} columns={useColumns()} rowId={({ id }) => id} answer={answer} state={state} empty={t("empty")} />
    </Page>
  );
}

import { keepPreviousData } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { ChoiceFilter, DayFilter, FilterBar, memberOf, MemberFilter, TextFilter } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { Page } from "../../components/page.tsx";
import { useStoreDays } from "../../components/store_day.ts";
import { useAdmin } from "../../store/store.tsx";
import { orderStates } from "./order_badges.tsx";
import { useOrderColumns } from "./order_columns.tsx";

type Order = Admin["AdminOrder"];

const filters = ["search", "uid", "state", "refund_status", "waits", "from", "to"] as const;

export function Component() {
  const { t } = useTranslation(["orders", "words", "common"]);
  const state = useListState();
  const uid = memberOf(state, "uid");
  const days = useStoreDays(state.get("from"), state.get("to"));
  const source = {
    path: "/adminapi/order",
    params: {
      query: {
        page: state.page,
        limit: defaultPageSize,
        ...(state.get("search") && { search: state.get("search") }),
        ...(uid && { uid }),
        ...(state.get("state") && { state: state.get("state") as Order["state"] }),
        ...(state.get("refund_status") && { refund_status: Number(state.get("refund_status")) }),
        ...(state.get("waits") === "true" && { waits: true }),
        ...days,
      },
    },
  } as const;
  const result = useAdmin().useQuery(
    "get",
    source.path,
    { params: source.params },
    { placeholderData: keepPreviousData, enabled: days !== undefined },
  );

  return (
    <Page title={t("title")}>
      <FilterBar state={state} names={filters}>
        <TextFilter state={state} name="search" label={t("search")} placeholder={t("searchHint")} width={320} />
        <MemberFilter state={state} name="uid" label={t("about.buyer")} />
        <ChoiceFilter
          state={state}
          name="state"
          label={t("state")}
          choices={orderStates.map((value) => ({ value, label: t(`words:orderState.${value}`) }))}
        />
        <ChoiceFilter
          state={state}
          name="refund_status"
          label={t("refund")}
          choices={(["0", "1", "2", "3"] as const).map((value) => ({ value, label: t(`words:refundStatus.${value}`) }))}
        />
        <ChoiceFilter state={state} name="waits" label={t("waits")} width={300} choices={[{ value: "true", label: t("common:yes") }]} />
        <DayFilter state={state} name="from" label={t("from")} />
        <DayFilter state={state} name="to" label={t("to")} />
      </FilterBar>
      <DataTable
        name="orders"
        label={t("title")}
        columns={useOrderColumns(true)}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t("empty")}
      />
    </Page>
  );
}

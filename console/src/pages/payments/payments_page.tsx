import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { Clipped } from "../../components/clipped.tsx";
import { type Column, DataTable, defaultPageSize } from "../../components/data_table.tsx";
import { Money } from "../../components/figures.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { useListState } from "../../components/list_state.ts";
import { OrderLink } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { Tag } from "../../components/tag.tsx";
import { Time } from "../../components/time.tsx";
import { useAdmin } from "../../store/store.tsx";

type Notification = Admin["PaymentNotification"];

const outcomeColors: Record<Notification["outcome"], string> = {
  paid: "green",
  repeated: "gray",
  refund: "blue",
  transfer: "blue",
  ignored: "gray",
  refused: "red",
  attention: "orange",
  unverified: "red",
};
const outcomes = Object.keys(outcomeColors) as Notification["outcome"][];

export function Component() {
  const { t } = useTranslation(["payments", "words"]);
  const state = useListState();
  const outcome = state.get("outcome") as Notification["outcome"] | "";
  const source = {
    path: "/adminapi/payment/notification",
    params: { query: { page: state.page, limit: defaultPageSize, ...(outcome && { outcome }) } },
  } as const;
  const result = useAdmin().useQuery("get", source.path, { params: source.params }, { placeholderData: keepPreviousData });
  const columns = useMemo<Column<Notification>[]>(
    () => [
      { id: "received", title: t("received"), cell: ({ add_time }) => <Time value={add_time} />, csv: ({ add_time }) => add_time },
      {
        id: "outcome",
        title: t("outcome"),
        cell: (row) => <Tag color={outcomeColors[row.outcome]}>{t(`outcomes.${row.outcome}`)}</Tag>,
        csv: (row) => t(`outcomes.${row.outcome}`),
      },
      { id: "provider", title: t("provider"), cell: ({ provider }) => provider, csv: ({ provider }) => provider },
      {
        id: "order",
        title: t("words:order"),
        cell: ({ order_id, order_no }) => (order_id ? <OrderLink id={order_id} /> : (order_no ?? "–")),
        csv: ({ order_id, order_no }) => order_id ?? order_no,
      },
      { id: "amount", title: t("amount"), align: "right", cell: ({ amount }) => <Money value={amount} />, csv: ({ amount }) => amount },
      { id: "currency", title: t("currency"), cell: ({ currency }) => currency ?? "–", csv: ({ currency }) => currency },
      { id: "reference", title: t("reference"), cell: ({ pay_ref }) => <Clipped text={pay_ref ?? "–"} />, csv: ({ pay_ref }) => pay_ref },
      { id: "reason", title: t("words:reason"), cell: ({ reason }) => reason ?? "", csv: ({ reason }) => reason },
    ],
    [t],
  );
  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar state={state} names={["outcome"]}>
        <ChoiceFilter
          state={state}
          name="outcome"
          label={t("outcome")}
          width={220}
          choices={outcomes.map((value) => ({ value, label: t(`outcomes.${value}`) }))}
        />
      </FilterBar>
      <DataTable
        name="payments"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        result={result}
        state={state}
        source={source}
        empty={t(outcome ? "emptyFiltered" : "empty")}
      />
    </Page>
  );
}

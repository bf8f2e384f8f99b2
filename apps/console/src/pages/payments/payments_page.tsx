import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { ChoiceFilter, FilterBar } from "../../components/filter_bar.tsx";
import { OrderLink } from "../../components/links.tsx";
import { Page } from "../../components/page.tsx";
import { useList } from "../../components/use_list.ts";

type Notification = Admin["PaymentNotification"];

const column = columnsOf<Notification>();

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
  const list = useList("/adminapi/payment/notification", { filters: { outcome: "text" } });
  const columns = [
    column.time("add_time", t("received")),
    column.tag("outcome", t("outcome"), ({ outcome }) => [t(`outcomes.${outcome}`), outcomeColors[outcome]]),
    column.text("provider", t("provider")),
    column.custom({
      id: "order",
      title: t("words:order"),
      opens: true,
      cell: ({ order_id, order_no }) => (order_id ? <OrderLink id={order_id} /> : (order_no ?? "–")),
      csv: ({ order_id, order_no }) => order_id ?? order_no,
    }),
    column.money("amount", t("amount")),
    column.text("currency", t("currency"), { empty: "–" }),
    column.text("pay_ref", t("reference"), { clipped: true, empty: "–" }),
    column.text("reason", t("words:reason")),
  ];
  return (
    <Page title={t("title")} about={t("about")}>
      <FilterBar of={list} views="payments">
        <ChoiceFilter
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
        list={list}
        empty={t("empty")}
      />
    </Page>
  );
}

import { Button, Group } from "@mantine/core";
import { Printer, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { LongNumber } from "../../components/long_number.tsx";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DownloadButton } from "../../components/download_button.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { Page } from "../../components/page.tsx";
import { SelectionBar, useSelectColumn, useSelection } from "../../components/selection.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { Ago } from "../../components/time.tsx";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { RefundBadge } from "../orders/order_badges.tsx";
import { ProductFilter } from "../products/product_filter.tsx";
import { ImportDialog } from "./import_dialog.tsx";
import { type Printed, PrintSheets, unitsLeft } from "./print_sheets.tsx";
import { type NotShipped, ShipSelected, useLeftOut } from "./ship_selected.tsx";

type Order = Admin["AdminOrder"];

const column = columnsOf<Order>();
const filters = { search: "text", product_id: "id", refund_status: "number", from: "day", to: "day" } as const;
const filePaths = { xlsx: "/adminapi/shipping/xlsx", csv: "/adminapi/shipping/csv" } as const;

const addressOf = ({ address }: Order) => (address ? [...address.region, address.street].join(" ") : undefined);
const goodsOf = ({ title, units }: ReturnType<typeof unitsLeft>[number]) => `${title} × ${units}`;

/** Prints and exports the selected orders. */
function Selected({ orders }: { orders: Order[] }) {
  const { t } = useTranslation("shipping");
  const { admin } = useStore();
  const [printed, setPrinted] = useState<{ kind: Printed; time: number }>();
  const ids = orders.map(({ id }) => id).join(",");
  return (
    <>
      {(["picks", "labels"] as const).map((kind) => (
        <Button
          key={kind}
          variant="default"
          leftSection={<Printer size={16} aria-hidden />}
          onClick={() => setPrinted({ kind, time: Date.now() })}
        >
          {t(`print.${kind}`)}
        </Button>
      ))}
      {(["xlsx", "csv"] as const).map((format) => (
        <DownloadButton
          key={format}
          label={t(`export.${format}`)}
          name={`shipping.${format}`}
          request={(signal) => admin.GET(filePaths[format], { params: { query: { ids } }, signal, parseAs: "stream" })}
        />
      ))}
      {printed && (
        <PrintSheets key={printed.time} kind={printed.kind} orders={orders} onEnd={() => setPrinted(undefined)} />
      )}
    </>
  );
}

export function Component() {
  const { t } = useTranslation(["shipping", "words"]);
  const list = useList("/adminapi/shipping", { filters });
  const { list: rows = [], count = 0 } = list.result.data ?? {};
  const selection = useSelection<Order>();
  const select = useSelectColumn(selection, rows, ({ id }) => t("selectOne", { id }));
  const [isImporting, setImporting] = useState(false);
  const [notShipped, setNotShipped] = useState<NotShipped>(new Map());
  const leftOut = useLeftOut(selection.rows, notShipped);

  const columns = [
    select,
    column.order("id", t("words:order")),
    column.text("order_no", t("words:orderNo"), {
      width: 112,
      cell: ({ order_no }) => <LongNumber number={order_no} />,
    }),
    column.custom({
      id: "recipient",
      title: t("recipient"),
      width: 216,
      cell: ({ address, refund_status }) => (
        <Group gap={4}>
          {address ? `${address.name} ${address.phone}` : t("noAddress")}
          <RefundBadge status={refund_status} />
        </Group>
      ),
      csv: ({ address }) => address && `${address.name} ${address.phone}`,
    }),
    column.custom({
      id: "goods",
      title: t("goods"),
      width: 224,
      cell: (order) => {
        const lines = unitsLeft(order);
        return <Pictured address={lines[0]?.image}>{lines.map(goodsOf).join(", ")}</Pictured>;
      },
      csv: (order) => unitsLeft(order).map(goodsOf).join("; "),
    }),
    column.time("paid_at", t("paidAt"), { cell: ({ paid_at }) => <Ago value={paid_at} /> }),
    column.words("address", t("address"), (order) => addressOf(order) ?? "–", { width: 256 }),
    column.text("remark", t("remark"), { clipped: true }),
  ];

  return (
    <Page
      title={t("title")}
      about={
        <>
          {t("about")} <TextLink to="/carriers">{t("carriers.title")}</TextLink>
        </>
      }
      actions={
        <Allowed area="orders">
          <Button leftSection={<Upload size={16} aria-hidden />} onClick={() => setImporting(true)}>
            {t("import.open")}
          </Button>
        </Allowed>
      }
    >
      <FilterBar of={list} views="shipping">
        <TextFilter name="search" label={t("search")} placeholder={t("searchHint")} />
        <ProductFilter />
        <ChoiceFilter
          name="refund_status"
          label={t("refund")}
          choices={(["0", "1", "3"] as const).map((value) => ({ value, label: t(`words:refundStatus.${value}`) }))}
        />
        <DayRangeFilter label={t("days")} />
      </FilterBar>
      <DataTable
        name="shipping"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t("empty")}
      />
      <SelectionBar
        label={t("selection")}
        selection={selection}
        list={list}
        count={count}
        selected={t("selected", { count: selection.rows.length })}
        leftOut={leftOut}
      >
        <Selected orders={selection.rows.toSorted((one, other) => (one.paid_at! < other.paid_at! ? -1 : 1))} />
        <ShipSelected
          orders={selection.rows.filter(({ id }) => !notShipped.has(id))}
          onDone={(rejected) => {
            // What was not shipped stays selected, with the reason.
            const left = new Map([...notShipped, ...rejected]);
            selection.set(
              selection.rows.filter(({ id }) => !left.has(id)),
              false,
            );
            setNotShipped(left);
          }}
        />
      </SelectionBar>
      {isImporting && (
        <ImportDialog
          onClose={() => {
            setImporting(false);
            // What was shipped is no longer in the list.
            selection.clear();
          }}
        />
      )}
    </Page>
  );
}

import { Button, Stack, Text } from "@mantine/core";
import { Printer, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type Admin, unwrap } from "../../../../client/index.ts";
import { TextLink } from "../../components/links.tsx";
import { Allowed } from "../../components/allowed.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { DownloadButton } from "../../components/download_button.tsx";
import { DayRangeFilter } from "../../components/day_range_filter.tsx";
import { ChoiceFilter, FilterBar, TextFilter } from "../../components/filter_bar.tsx";
import { notifyFailure } from "../../components/notify.ts";
import { Page } from "../../components/page.tsx";
import { ChoosePage, SelectionBar, useSelectColumn, useSelection } from "../../components/selection.tsx";
import { Pictured } from "../../components/thumbnail.tsx";
import { useList } from "../../components/use_list.ts";
import { useStore } from "../../store/store.ts";
import { RefundBadge } from "../orders/order_badges.tsx";
import { ProductFilter } from "../products/product_filter.tsx";
import { ImportDialog } from "./import_dialog.tsx";
import { type Printed, PrintSheets, unitsLeft } from "./print_sheets.tsx";
import { ShipSelected } from "./ship_selected.tsx";
import { mostLines } from "./shipment_file.ts";

type Order = Admin["AdminOrder"];

const column = columnsOf<Order>();
const filters = { search: "text", product_id: "id", refund_status: "number", from: "day", to: "day" } as const;
const rowsPerRequest = 100;
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
          disabled={orders.length === 0}
          onClick={() => setPrinted({ kind, time: Date.now() })}
        >
          {t(`print.${kind}`)}
        </Button>
      ))}
      {orders.length > 0 &&
        (["xlsx", "csv"] as const).map((format) => (
          <DownloadButton
            key={format}
            label={t(`export.${format}`)}
            name={`shipping.${format}`}
            request={(signal) =>
              admin.GET(filePaths[format], { params: { query: { ids } }, signal, parseAs: "stream" })
            }
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
  const { admin } = useStore();
  const list = useList("/adminapi/shipping", { filters });
  const { list: rows = [], count = 0 } = list.result.data ?? {};
  const selection = useSelection<Order>();
  const select = useSelectColumn(selection, ({ id }) => t("selectOne", { id }));
  const [isReading, setReading] = useState(false);
  const [isImporting, setImporting] = useState(false);
  const most = Math.min(count, mostLines);

  /** Selects all orders that match the filters, up to as many as can be exported at once. */
  async function chooseAll() {
    setReading(true);
    try {
      const all = new Map<number, Order>();
      for (let page = 1; page <= Math.ceil(most / rowsPerRequest); page++) {
        const query = { ...list.source.params.query, page, limit: rowsPerRequest };
        for (const order of (await unwrap(admin.GET("/adminapi/shipping", { params: { query } }))).list)
          all.set(order.id, order);
      }
      selection.set([...all.values()]);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setReading(false);
    }
  }

  const columns = [
    column.order("id", t("words:order")),
    select,
    column.text("order_no", t("words:orderNo"), {
      cell: ({ order_no }) => <span className="figures">{order_no}</span>,
    }),
    column.custom({
      id: "recipient",
      title: t("recipient"),
      cell: (order) => (
        <>
          {order.address ? `${order.address.name} ${order.address.phone}` : <Text size="sm">{t("noAddress")}</Text>}
          <RefundBadge status={order.refund_status} />
        </>
      ),
      csv: ({ address }) => address && `${address.name} ${address.phone}`,
    }),
    column.words("address", t("address"), (order) => addressOf(order) ?? "–"),
    column.custom({
      id: "goods",
      title: t("goods"),
      cell: (order) => (
        <Stack gap={4}>
          {unitsLeft(order).map((line) => (
            <Pictured key={line.id} address={line.image}>
              {goodsOf(line)}
            </Pictured>
          ))}
        </Stack>
      ),
      csv: (order) => unitsLeft(order).map(goodsOf).join("; "),
    }),
    column.text("remark", t("remark"), { clipped: true }),
    column.time("paid_at", t("paidAt")),
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
      {count > 0 && (
        <SelectionBar
          label={t("selection")}
          selection={selection}
          selected={t("selected", { count: selection.rows.length })}
          choose={
            <>
              {rows.length < count && <ChoosePage selection={selection} rows={rows} />}
              <Button variant="light" onClick={() => void chooseAll()} loading={isReading}>
                {t(count > mostLines ? "selectFirst" : "selectAll", { count: most })}
              </Button>
            </>
          }
        >
          <Selected orders={selection.rows.toSorted((one, other) => (one.paid_at! < other.paid_at! ? -1 : 1))} />
          <ShipSelected orders={selection.rows} onDone={selection.clear} />
        </SelectionBar>
      )}
      <DataTable
        name="shipping"
        label={t("title")}
        columns={columns}
        rowId={({ id }) => id}
        list={list}
        empty={t(list.state.hasAny(list.names) ? "emptyFiltered" : "empty")}
      />
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

import { SegmentedControl, Stack, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { columnsOf } from "../../components/columns.tsx";
import { DataTable } from "../../components/data_table.tsx";
import { Count, formatCount, formatCurrency } from "../../components/figures.tsx";
import type { ListState } from "../../components/list_state.ts";
import { Section } from "../../components/section.tsx";
import { Tag } from "../../components/tag.tsx";
import { useList } from "../../components/use_list.ts";
import { useAdmin } from "../../store/store.ts";
import { EarnedLink, FigureLink } from "./figure_link.tsx";
import { earnedIn, ordersOf, type Report } from "./report.ts";

interface Between {
  from: string;
  to: string;
}

const kinds = ["product", "level", "member"] as const;
const millisecondsOfADay = 86_400_000;

const productColumn = columnsOf<Admin["ReportProduct"]>();
const levelColumn = columnsOf<Admin["ReportLevel"]>();
const memberColumn = columnsOf<Admin["ReportMember"]>();

function Products({ between }: { between: Between }) {
  const { t } = useTranslation(["reports", "words", "products"]);
  const list = useList("/adminapi/report/product", { params: { query: between }, isSorted: true });
  const columns = [
    productColumn.text("title", t("sources.product_title")),
    productColumn.custom({
      id: "queue",
      title: t("products:queueGoods"),
      cell: ({ is_queue_goods }) => is_queue_goods && <Tag>{t("products:queueGoods")}</Tag>,
      csv: ({ is_queue_goods }) => is_queue_goods,
    }),
    productColumn.count("orders", t("orders"), {
      sort: true,
      cell: (product) =>
        product.orders === 0 ? (
          <Count value={product.orders} />
        ) : (
          <FigureLink
            to={ordersOf("paid", { begins_at: between.from, ends_at: between.to }, product)}
            text={formatCount(product.orders)}
            meaning={t("ordersOf", { period: product.title })}
          />
        ),
    }),
    productColumn.count("units", t("sources.units"), { sort: true }),
    productColumn.count("units_refunded", t("sources.unitsRefunded")),
    productColumn.money("paid", t("paid")),
    productColumn.money("refunded", t("refunded")),
    productColumn.money("revenue", t("words:revenue"), { sort: true }),
  ];
  return (
    <>
      <DataTable
        name="report products"
        label={t("sources.product")}
        columns={columns}
        rowId={({ product_id, is_queue_goods }) => `${product_id} ${is_queue_goods}`}
        list={list}
        empty={t("sources.empty")}
      />
      {list.result.data && (
        <Text size="sm" c="dimmed">
          {t("sources.freight", {
            amount: formatCurrency(list.result.data.freight),
            refunded: formatCurrency(list.result.data.freight_refunded),
          })}
        </Text>
      )}
    </>
  );
}

function Levels({ between }: { between: Between }) {
  const { t } = useTranslation(["reports", "words"]);
  const result = useAdmin("/adminapi/report/level", { params: { query: between } });
  const earned = (row: Admin["ReportLevel"], show: "commission" | "points_frozen") => (
    <EarnedLink
      figures={row}
      show={show}
      to={earnedIn({ begins_at: between.from, ends_at: between.to }, { agent_level: row.agent_level })}
      meaning={t("billOfLevel", { level: row.agent_level_name })}
    />
  );
  const columns = [
    levelColumn.text("agent_level_name", t("words:level")),
    levelColumn.count("members", t("members")),
    levelColumn.count("orders", t("orders")),
    levelColumn.money("paid", t("paid")),
    levelColumn.money("refunded", t("refunded")),
    levelColumn.money("revenue", t("words:revenue")),
    levelColumn.money("commission", t("words:commission"), { cell: (row) => earned(row, "commission") }),
    levelColumn.points("points_frozen", t("pointsFrozen"), { cell: (row) => earned(row, "points_frozen") }),
  ];
  return (
    <DataTable
      name="report levels"
      label={t("sources.level")}
      columns={columns}
      rowId={({ agent_level }) => agent_level}
      list={{ result }}
      empty={t("sources.empty")}
    />
  );
}

function Members({ between }: { between: Between }) {
  const { t } = useTranslation(["reports", "words"]);
  const list = useList("/adminapi/report/member", { params: { query: between }, isSorted: true });
  const earned = (row: Admin["ReportMember"], show: "commission" | "points_frozen") => (
    <EarnedLink
      figures={row}
      show={show}
      to={earnedIn({ begins_at: between.from, ends_at: between.to }, { uid: row.uid })}
      meaning={t("billOfMember", { member: row.nickname })}
    />
  );
  const columns = [
    memberColumn.member("uid", t("words:member")),
    memberColumn.text("agent_level_name", t("words:level")),
    memberColumn.count("orders", t("orders"), { sort: true }),
    memberColumn.money("paid", t("paid")),
    memberColumn.money("refunded", t("refunded")),
    memberColumn.money("revenue", t("words:revenue"), { sort: true }),
    memberColumn.money("commission", t("words:commission"), { sort: true, cell: (row) => earned(row, "commission") }),
    memberColumn.points("points_frozen", t("pointsFrozen"), {
      sort: true,
      cell: (row) => earned(row, "points_frozen"),
    }),
  ];
  return (
    <DataTable
      name="report members"
      label={t("sources.member")}
      columns={columns}
      rowId={({ uid }) => uid}
      list={list}
      empty={t("sources.empty")}
    />
  );
}

const lists = { product: Products, level: Levels, member: Members };

/** The figures of a report by product, level or member. */
export function ReportSources({ report: { periods, source_days }, state }: { report: Report; state: ListState }) {
  const { t } = useTranslation("reports");
  const kind = kinds.find((value) => value === state.get("by")) ?? "product";
  const between = { from: periods[0]!.begins_at, to: periods.at(-1)!.ends_at };
  const days = Math.round((Date.parse(between.to) - Date.parse(between.from)) / millisecondsOfADay);
  const List = lists[kind];
  return (
    <Section
      title={t("sources.title")}
      about={t(`sources.about.${kind}`)}
      actions={
        <SegmentedControl
          aria-label={t("sources.by")}
          value={kind}
          onChange={(value) => state.set({ by: value === "product" ? "" : value, sort: "" })}
          data={kinds.map((value) => ({ value, label: t(`sources.${value}`) }))}
        />
      }
    >
      {days > source_days ? (
        <Text size="sm" role="status">
          {t("sources.tooLong", { days: source_days })}
        </Text>
      ) : (
        <Stack gap="xs">
          <List key={kind} between={between} />
        </Stack>
      )}
    </Section>
  );
}

import { Anchor } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { columnsOf } from "../../components/columns.tsx";
import { formatCount, formatMoney } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";
import { Section } from "../../components/section.tsx";
import { EarnedLink, FigureLink } from "./figure_link.tsx";
import { earnedIn, ordersOf, type Period, type Report, usePeriodNames } from "./report.ts";

const column = columnsOf<Period & { name: string }>();

const routes = {
  ordersOf: (period: Period) => ordersOf("paid", period),
  refundsOf: (period: Period) => ordersOf("refunded", period),
};

/** The unit that a period is divided into. */
const finer = { month: "day", week: "day", day: "hour" } as const;

const millisecondsOfADay = 86_400_000;

/** The report of what makes up a period: the days of a week or month, the hours of a day. */
function reportOf(unit: "month" | "week" | "day", day: string): string {
  const first = new Date(day);
  const last =
    unit === "month"
      ? new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 0))
      : new Date(first.getTime() + (unit === "week" ? 6 : 0) * millisecondsOfADay);
  return `/reports?${new URLSearchParams({ unit: finer[unit], from: day, to: last.toISOString().slice(0, 10) }).toString()}`;
}

/** All figures of a report, newest first. Its numbers lead to the orders and bill rows behind them. */
export function ReportTable({ report }: { report: Report }) {
  const { t } = useTranslation(["reports", "words"]);
  const names = usePeriodNames(report);
  const { unit } = report;
  const link = (what: "ordersOf" | "refundsOf", period: Period & { name: string }, text: string, isEmpty: boolean) =>
    isEmpty ? (
      <span className="figures">{text}</span>
    ) : (
      <FigureLink to={routes[what](period)} text={text} meaning={t(what, { period: period.name })} />
    );
  const earned = (period: Period & { name: string }, show: "commission" | "points_frozen") => (
    <EarnedLink figures={period} show={show} to={earnedIn(period)} meaning={t("billOf", { period: period.name })} />
  );
  const columns = [
    column.text("name", t("period"), {
      cell: ({ name, day }) =>
        unit === "hour" ? (
          <span className="figures">{name}</span>
        ) : (
          <Anchor component={Link} to={reportOf(unit, day)} size="sm" className="figures">
            {name}
          </Anchor>
        ),
    }),
    column.count("orders", t("orders"), {
      cell: (row) => link("ordersOf", row, formatCount(row.orders), row.orders === 0),
    }),
    column.text("paid", t("paid"), { cell: (row) => link("ordersOf", row, formatMoney(row.paid), row.orders === 0) }),
    column.text("refunded", t("refunded"), {
      cell: (row) => link("refundsOf", row, formatMoney(row.refunded), Number(row.refunded) === 0),
    }),
    column.money("revenue", t("words:revenue")),
    column.money("queue_revenue", t("queueRevenue")),
    column.money("commission", t("words:commission"), { cell: (row) => earned(row, "commission") }),
    column.points("points_frozen", t("pointsFrozen"), { cell: (row) => earned(row, "points_frozen") }),
    ...(unit === "hour" ? [] : [column.points("points_released", t("pointsReleased"))]),
    column.count("members", t("members")),
  ].map((shown) => (shown.id === "paid" || shown.id === "refunded" ? { ...shown, align: "right" as const } : shown));
  return (
    <Section title={t("table")} about={t("tableAbout")}>
      <PlainTable
        label={t("table")}
        columns={columns}
        rows={report.periods.map((period, index) => ({ ...period, name: names[index]!.name })).toReversed()}
        rowId={({ begins_at }) => begins_at}
        exportAs={`report ${unit} ${report.from} ${report.to}`}
        maxHeight={480}
      />
    </Section>
  );
}

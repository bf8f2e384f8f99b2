import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Tiles } from "../../components/tiles.tsx";
import { Count, Currency, formatPoints, formatShare, Points } from "../../components/figures.tsx";
import type { Compare, Report } from "./report.ts";

type Figures = Report["totals"];

/** As a share: 500 %. Beyond this, a percentage says less than a multiple. */
const mostPercent = 5;

/** The totals of a report, and how they have changed. Only what is over is compared. */
export function ReportTotals({ report: { totals, over, compared }, compare }: { report: Report; compare: Compare }) {
  const { t } = useTranslation(["reports", "words"]);
  const tiles: [name: string, key: keyof Figures, write: (value: never) => ReactNode][] = [
    [t("words:revenue"), "revenue", (value: string) => <Currency value={value} />],
    [t("queueRevenue"), "queue_revenue", (value: string) => <Currency value={value} />],
    [t("paid"), "paid", (value: string) => <Currency value={value} />],
    [t("refunded"), "refunded", (value: string) => <Currency value={value} />],
    [t("orders"), "orders", (value: number) => <Count value={value} />],
    [t("words:commission"), "commission", (value: string | null) => <Currency value={value} />],
    [t("pointsFrozen"), "points_frozen", (value: number | null) => <Points value={value} />],
    [t("members"), "members", (value: number) => <Count value={value} />],
  ];
  const changeOf = (key: keyof Figures) => {
    if (!compared || over[key] === null || compared.over[key] === null) return undefined;
    const [now, then] = [Number(over[key]), Number(compared.over[key])];
    if (then <= 0) return undefined;
    const change = Math.round((now / then - 1) * 1000) / 1000;
    const words = { compared: t(`before.${compare}`) };
    return change >= mostPercent
      ? t("multiple", { ...words, times: formatPoints(Math.round((now / then) * 10) / 10) })
      : t("change", { ...words, change: `${change > 0 ? "+" : ""}${formatShare(change)}` });
  };
  return (
    <div>
      <Tiles
        tiles={tiles.map(([name, key, write]) => ({
          name,
          figure: write(totals[key] as never),
          note: changeOf(key),
        }))}
      />
      {compared && (
        <Text size="xs" c="dimmed" mt={4}>
          {t("onlyOver")}
        </Text>
      )}
    </div>
  );
}

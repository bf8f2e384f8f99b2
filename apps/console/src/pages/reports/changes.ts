import { useTranslation } from "react-i18next";
import { formatShare } from "../../components/figures.tsx";
import type { Compare, Report } from "./report.ts";
import { type Figure, writeFigure } from "./report_figures.ts";

/** As a share: 500 %. A figure that has grown more was compared with next to nothing. */
const mostGrowth = 5;

/**
 * Says how a figure has changed. Only what is over is compared, so that an unfinished day is no fall.
 * @returns a function of the figure, which returns undefined where nothing is compared
 */
export function useChanges({ over, compared }: Report, compare: Compare) {
  const { t } = useTranslation("reports");
  return (figure: Figure): string | undefined => {
    if (!compared || over[figure] === null || compared.over[figure] === null) return undefined;
    const [now, then] = [Number(over[figure]), Number(compared.over[figure])];
    const words = { compared: t(`before.${compare}`) };
    if (then <= 0) return now === then ? undefined : t("nothingBefore", words);
    const change = Math.round((now / then - 1) * 1000) / 1000;
    return change >= mostGrowth
      ? t("littleBefore", { ...words, value: writeFigure(figure)(compared.over[figure]) })
      : t("change", { ...words, change: `${change > 0 ? "+" : ""}${formatShare(change)}` });
  };
}

import { Anchor, Text } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { Tiles } from "../../components/tiles.tsx";
import { useChanges } from "./changes.ts";
import type { Compare, Report } from "./report.ts";
import { type Figure, listOfFigure, useFigures, writeFigure } from "./report_figures.ts";

/** The totals of a report, each with its change and a link to its rows. */
export function ReportTotals({ report, compare, show }: { report: Report; compare: Compare; show: readonly Figure[] }) {
  const { t } = useTranslation("reports");
  const names = useFigures();
  const changeOf = useChanges(report, compare);
  const { totals, periods, compared, from, to } = report;
  const span = { from, to, begins_at: periods[0]!.begins_at, ends_at: periods.at(-1)!.ends_at };
  const tiles = show.map((figure) => ({
    name: names[figure],
    figure:
      totals[figure] === null ? (
        "–"
      ) : (
        <Anchor component={Link} to={listOfFigure(figure, span)} inherit c="inherit" className="figures">
          {writeFigure(figure)(totals[figure])}
        </Anchor>
      ),
    // A share is compared by the figures that it divides.
    note: figure === "payout_share" ? undefined : changeOf(figure),
  }));
  return (
    <div>
      <Tiles tiles={tiles} />
      {compare !== "none" && (
        <Text size="xs" c="dimmed" mt={4} role="status">
          {t(compared ? "onlyOver" : "noComparison")}
        </Text>
      )}
    </div>
  );
}

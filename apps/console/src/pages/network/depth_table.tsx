import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { ChartSection } from "../../components/chart_section.tsx";
import { columnsOf } from "../../components/columns.tsx";
import { formatCount } from "../../components/figures.tsx";
import { PlainTable } from "../../components/plain_table.tsx";

type Depth = Admin["NetworkPaid"]["depths"][number] & { people?: number };

/** The depth that stands for all deeper ones (`app.shown_depth`). */
const lastDepth = 100;

const column = columnsOf<Depth>();

/** What a depth is called. */
export function useDepthName() {
  const { t } = useTranslation("network");
  return (depth: number | null) =>
    depth === null ? t("elsewhere") : depth === lastDepth ? t("andDeeper", { depth }) : t("depthOf", { depth });
}

/** Members and earnings by depth. */
export function DepthTable({ label, depths }: { label: string; depths: Depth[] }) {
  const { t } = useTranslation("network");
  const nameOf = useDepthName();
  const hasPeople = depths.some(({ people }) => people !== undefined);
  const columns = [
    column.words("depth", t("depth"), ({ depth }) => nameOf(depth)),
    ...(hasPeople ? [column.count("people", t("people"))] : []),
    column.money("commission", t("commission")),
    column.points("commission_points", t("commissionPoints")),
    column.points("direct_points", t("directPoints")),
    column.points("umbrella_points", t("umbrellaPoints")),
  ];
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={depths}
      rowId={({ depth }) => depth ?? 0}
      exportAs={label}
      maxHeight={480}
    />
  );
}

/** Members, or points, as bars, and commission as a line. */
export function DepthChart({ title, depths }: { title: string; depths: Depth[] }) {
  const { t } = useTranslation("network");
  const nameOf = useDepthName();
  const known = depths.filter(({ depth }) => depth !== null);
  const hasPeople = depths.some(({ people }) => people !== undefined);
  return (
    <ChartSection
      title={title}
      pointTitle={t("depth")}
      points={known.map(({ depth }) => ({ name: nameOf(depth), short: String(depth) }))}
      write={formatCount}
      series={[
        hasPeople
          ? { name: t("people"), values: known.map(({ people }) => people ?? 0) }
          : {
              name: `${t("directPoints")}, ${t("umbrellaPoints")}`,
              values: known.map(({ direct_points, umbrella_points }) => direct_points + umbrella_points),
            },
        { name: t("commission"), values: known.map(({ commission }) => Number(commission)), ownAxis: true },
      ]}
    />
  );
}

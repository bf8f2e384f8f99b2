import type { ChartProps } from "./chart.tsx";
import { columnsOf } from "./columns.tsx";
import { PlainTable } from "./plain_table.tsx";

const column = columnsOf<{ index: number }>();

/** The figures of a chart as a table. */
export default function ChartTable({
  label,
  pointTitle,
  points,
  series: [bars, line],
  write,
}: Pick<ChartProps, "label" | "points" | "series" | "write"> & { pointTitle: string }) {
  const columns = [
    column.words("point", pointTitle, ({ index }) => points[index]!.name),
    ...[bars, ...(line ? [line] : []), ...(bars.before ? [bars.before] : [])].map(({ name, values }) =>
      column.custom({
        id: name,
        title: name,
        align: "right",
        cell: ({ index }) => {
          const value = values[index];
          return <span className="figures">{value === null || value === undefined ? "–" : write(value)}</span>;
        },
        csv: ({ index }) => values[index] ?? null,
      }),
    ),
  ];
  return (
    <PlainTable
      label={label}
      columns={columns}
      rows={points.map((_, index) => ({ index }))}
      rowId={({ index }) => index}
      exportAs={label}
      maxHeight={260}
    />
  );
}

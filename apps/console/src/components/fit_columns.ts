import type { Column } from "./column.ts";

const standardWidth = 152;
/** The columns of a card, as which a row stands in a narrow window, besides those with nothing but a control. */
const mostInCard = 5;
/** The width of the column with the button that opens the rest of a row. */
export const detailsWidth = 40;

interface FittedColumns<Row> {
  shown: Column<Row>[];
  /** What a row shows when it is opened. */
  details: Column<Row>[];
}

/** The width of a column: the one that the administrator has set, or that of its kind. */
export const widthOf = <Row>({ id, width = standardWidth }: Column<Row>, widths: Record<string, number> = {}): number =>
  widths[id] ?? width;

/** The columns of a card, and those that it shows when it is opened. */
export function columnsOfCard<Row>(columns: Column<Row>[]): FittedColumns<Row> {
  const facts = columns.filter(({ isControl, isDetail }) => !isControl && !isDetail).slice(0, mostInCard);
  const isShown = (column: Column<Row>) => column.isControl || facts.includes(column);
  return { shown: columns.filter(isShown), details: columns.filter((column) => !isShown(column)) };
}

/**
 * The columns that have room beside each other, and those that have none, which a row shows when it is opened.
 * @param room in pixels; all columns if it is undefined
 */
export function fitColumns<Row>(
  columns: Column<Row>[],
  room: number | undefined,
  widths?: Record<string, number>,
): FittedColumns<Row> {
  if (room === undefined) return { shown: columns, details: [] };
  const lines = columns.filter(({ isDetail }) => !isDetail);
  const others = columns.filter(({ isDetail }) => isDetail);
  const sum = (some: Column<Row>[]) => some.reduce((all, column) => all + widthOf(column, widths), 0);
  if (others.length === 0 && sum(lines) <= room) return { shown: lines, details: [] };
  let count = lines.length;
  while (count > 1 && sum(lines.slice(0, count)) + detailsWidth > room) count--;
  return { shown: lines.slice(0, count), details: [...lines.slice(count), ...others] };
}

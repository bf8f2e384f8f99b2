/** A row of a list. Its id tells it from others. */
export interface Row {
  id: number | string;
}

/** A part of a list, and what asks for the next one; null at the end. */
export interface Part {
  rows: Row[];
  next: string | null;
}

/** The months that can be chosen, the latest first. */
export const monthsOf = ({ month, months }: { month: string; months: string[] }) =>
  [...new Set([month, ...months])].sort().reverse();

/** A part of a list whose pages have numbers. */
export function numbered<Item>(
  reply: { list: Item[]; count: number },
  page: number,
  limit: number,
  rowOf: (item: Item) => Row,
): Part {
  return {
    rows: reply.list.map(rowOf),
    next: page * limit < reply.count && reply.list.length > 0 ? String(page + 1) : null,
  };
}

/** A part of a list whose pages name the next one. */
export function named<Item>(reply: { list: Item[]; next_cursor: string | null }, rowOf: (item: Item) => Row): Part {
  return { rows: reply.list.map(rowOf), next: reply.next_cursor };
}

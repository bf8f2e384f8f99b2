import type { Store } from "../../../client/index.ts";
import { unwrap } from "../../../client/index.ts";
import type { ListSource } from "./use_list.ts";

const rowsPerRequest = 100;

interface Page<Row> {
  list: Row[];
  count: number;
  next_cursor?: string | null;
}

/**
 * Reads all rows of a list, page by page.
 * @param onProgress is told how many are read
 * @param most enough rows, after which no further page is read
 */
export async function readAll<Row>(
  admin: Store["admin"],
  { path, params }: ListSource,
  rowId: (row: Row) => string | number,
  signal: AbortSignal,
  onProgress: (done: number) => void,
  most = Infinity,
): Promise<Row[]> {
  // By key, because a row that moves to the next page while the list grows is read twice.
  const all = new Map<string | number, Row>();
  let next: { cursor: string } | { page: number } | undefined = { page: 1 };
  for (let page = 1; next && all.size < most; page++) {
    const query = { ...params.query, page: undefined, ...next, limit: rowsPerRequest };
    const result = (await unwrap(
      admin.GET(path as "/adminapi/order", { params: { ...params, query } as never, signal }),
    )) as unknown as Page<Row>;
    for (const row of result.list) all.set(rowId(row), row);
    onProgress(all.size);
    if (result.next_cursor !== undefined) next = result.next_cursor ? { cursor: result.next_cursor } : undefined;
    else next = page * rowsPerRequest < result.count ? { page: page + 1 } : undefined;
  }
  return [...all.values()];
}

import type { Admin, AdminRoutes } from "../../../../client/index.ts";

export type ShipmentLine = AdminRoutes["POST"]["/adminapi/shipping"]["request"]["body"]["lines"][number];
export type CheckedLine = Admin["CheckedShipment"]["lines"][number];

/** The most lines that the store takes at once. */
export const mostLines = 500;

/**
 * The titles of the columns in the files of this console and of carriers, without blanks and in lower case. If a file
 * has several of them, the earlier one of the list is meant.
 */
const titles = {
  order_no: [
    "订单号",
    "ordernumber",
    "订单编号",
    "商家订单号",
    "商户订单号",
    "客户订单号",
    "原始订单号",
    "orderno",
    "order",
  ],
  carrier: ["快递公司", "carrier", "物流公司", "承运商", "快递名称", "快递"],
  tracking_no: ["运单号", "trackingnumber", "运单编号", "快递单号", "物流单号", "物流编号", "trackingno", "waybill"],
} as const;

export type Column = keyof typeof titles;
export const columnNames = Object.keys(titles) as Column[];

/** Which column of a file is which, by its place. */
export type Places = Partial<Record<Column, number>>;

/** A file as a table, and what its titles say about its columns. */
export interface ShipmentTable {
  rows: string[][];
  /** The place of the row with the titles. */
  head: number;
  /** The columns that can be chosen by hand. */
  columns: { place: number; title: string }[];
  /**
   * The columns that the titles name. One is missing if no title names it, or two columns have the same title and
   * something in them.
   */
  places: Places;
  /**
   * All columns that may have the numbers of the orders. Files of carriers have numbers of their own under the same
   * titles.
   */
  orderPlaces: number[];
}

/** Why a file cannot be read, and in which line. The reasons are keys of the texts. */
export class UnreadableFile extends Error {
  constructor(
    readonly reason: "format" | "letters" | "quotes" | "cells" | "empty" | "long",
    readonly line?: number,
  ) {
    super(reason);
  }
}

/**
 * A cell without control characters and invisible ones, as long as the store takes it. What it means, the store
 * decides.
 */
const textOf = (cell: string | undefined) =>
  (cell ?? "")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, 200);

const lineAt = (text: string, index: number) => text.slice(0, index).split(/\r\n|\r|\n/).length;

/**
 * UTF-8, UTF-16, of which every text with digits contains zeros, or GB 18030, in which programs in China write files.
 */
function decode(bytes: Uint8Array): string {
  const zeros = [0, 0];
  for (const [at, byte] of bytes.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const encodings =
    zeros[0]! + zeros[1]! > 0
      ? [zeros[1]! > zeros[0]! ? "utf-16le" : "utf-16be"]
      : isMarked
        ? ["utf-8"]
        : ["utf-8", "gb18030"];
  for (const encoding of encodings) {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes);
    } catch {
      // Not in this encoding.
    }
  }
  const text = new TextDecoder(encodings.at(-1)).decode(bytes);
  throw new UnreadableFile("letters", lineAt(text, text.indexOf("\uFFFD")));
}

async function rowsOf(file: File): Promise<{ rows: string[][]; isCsv: boolean }> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const signature = new TextDecoder("latin1").decode(bytes.slice(0, 4));
  // A zip archive, which a workbook is.
  if (signature === "PK\x03\x04") {
    const { readWorkbook } = await import("./workbook.ts");
    return { rows: readWorkbook(bytes), isCsv: false };
  }
  // The files of Excel before 2007, and encrypted ones.
  if (signature === "\xD0\xCF\x11\xE0") throw new UnreadableFile("format");
  const text = decode(bytes);
  const { parse } = (await import("papaparse")).default;
  // Empty lines, such as the one behind the last line break, would count against every separator.
  const { meta } = parse<string[]>(text, { preview: 20, skipEmptyLines: "greedy" });
  const { data, errors } = parse<string[]>(text, { delimiter: meta.delimiter });
  const broken = errors.find(({ type }) => type === "Quotes");
  if (broken) throw new UnreadableFile("quotes", lineAt(text, broken.index ?? 0));
  return { rows: data, isCsv: true };
}

const headsOf = (row: string[]) =>
  row.map((cell) =>
    textOf(cell)
      .replaceAll(/[\s*＊]|[（(].*$/g, "")
      .toLowerCase(),
  );

/** The columns of a row that have a known title, by the sequence of {@link titles}. */
function namedIn(row: string[], column: Column): { place: number; name: string }[] {
  const heads = headsOf(row);
  return titles[column].flatMap((name) => heads.flatMap((head, place) => (head === name ? [{ place, name }] : [])));
}

/** Reads a CSV file or workbook with a row of titles and a parcel in each row below. @throws UnreadableFile */
export async function readShipmentFile(file: File): Promise<ShipmentTable> {
  const { rows, isCsv } = await rowsOf(file).catch((problem: unknown) => {
    throw problem instanceof UnreadableFile ? problem : new UnreadableFile("format");
  });
  // There may be notes above the titles.
  const titled = rows
    .slice(0, 20)
    .findIndex((row) => namedIn(row, "order_no").length > 0 && namedIn(row, "tracking_no").length > 0);
  const head = titled < 0 ? rows.findIndex((row) => row.filter((cell) => textOf(cell) !== "").length > 1) : titled;
  if (head < 0) throw new UnreadableFile("empty");
  const below = rows.slice(head + 1);
  // A cell too many moves all cells behind it: a comma in an address, for example, that no quotes enclose.
  const longer = isCsv
    ? below.findIndex((row) => row.slice(rows[head]!.length).some((cell) => textOf(cell) !== ""))
    : -1;
  if (longer >= 0) throw new UnreadableFile("cells", head + 2 + longer);
  const isFilled = (place: number) => below.some((row) => textOf(row[place]) !== "");
  const columns = rows[head]!.map((title, place) => ({ place, title: textOf(title) })).filter(
    ({ place, title }) => title !== "" || isFilled(place),
  );
  const places: Places = {};
  const orderPlaces: number[] = [];
  for (const column of columnNames) {
    const named = namedIn(rows[head]!, column);
    // An empty column is none, unless no other has such a title.
    const filled = named.filter(({ place }) => isFilled(place));
    const [first, second] = filled.length > 0 ? filled : named.slice(0, 1);
    if (first && first.name !== second?.name) places[column] = first.place;
    if (column === "order_no") orderPlaces.push(...filled.map(({ place }) => place));
  }
  return { rows, head, columns, places, orderPlaces };
}

/** The lines of a table with the given columns, without those that have neither number. */
export function linesOf({ rows, head }: ShipmentTable, places: Places): ShipmentLine[] {
  if (places.order_no === undefined || places.tracking_no === undefined) return [];
  const cell = (row: string[], place: number | undefined) => (place === undefined ? "" : textOf(row[place]));
  return rows
    .map((row, at) => ({
      line: at + 1,
      order_no: cell(row, places.order_no),
      carrier: cell(row, places.carrier),
      tracking_no: cell(row, places.tracking_no),
    }))
    .slice(head + 1)
    .filter(({ order_no, tracking_no }) => order_no !== "" || tracking_no !== "");
}

/**
 * Divides lines into batches of about a size. The lines of an order stay together, because an order that is shipped
 * takes no further parcel from a file.
 */
export function batchesOf(
  lines: ShipmentLine[],
  orderOf: (line: ShipmentLine) => unknown,
  size: number,
): ShipmentLine[][] {
  const orders = new Map<unknown, ShipmentLine[]>();
  for (const line of lines) orders.set(orderOf(line), [...(orders.get(orderOf(line)) ?? []), line]);
  const batches: ShipmentLine[][] = [];
  for (const parcels of orders.values()) {
    const last = batches.at(-1);
    if (last && last.length + parcels.length <= size) last.push(...parcels);
    else batches.push([...parcels]);
  }
  return batches;
}

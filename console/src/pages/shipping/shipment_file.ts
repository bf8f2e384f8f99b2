import type { Admin, AdminRoutes } from "../../../../client/index.ts";

export type ShipmentLine = AdminRoutes["POST"]["/adminapi/shipping"]["request"]["body"]["lines"][number];
export type CheckedLine = Admin["CheckedShipment"]["lines"][number];

/** The most lines that the store takes at once. */
export const mostLines = 500;

/** The titles of the columns in the files of carriers and of this console, without blanks and in lower case. */
const titles = {
  order_no: ["订单号", "订单编号", "商家订单号", "商户订单号", "客户订单号", "原始订单号", "ordernumber", "orderno", "order"],
  carrier: ["快递公司", "物流公司", "快递", "承运商", "快递名称", "carrier"],
  tracking_no: ["运单号", "运单编号", "快递单号", "物流单号", "物流编号", "trackingnumber", "trackingno", "waybill"],
} as const;

type Column = keyof typeof titles;

/** Why a file cannot be read. The reasons are keys of the texts. */
export class UnreadableFile extends Error {
  constructor(readonly reason: "format" | "titles" | "empty" | "long") {
    super(reason);
  }
}

/** A cell as text: `="123"`, with which programs keep Excel from rounding a number, is 123, and invisible characters are dropped. */
function textOf(cell: string | undefined): string {
  return (cell ?? "")
    .replace(/^="(.*)"$/, "$1")
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, "")
    .trim()
    .slice(0, 200);
}

async function rowsOf(file: File): Promise<string[][]> {
  const bytes = await file.arrayBuffer();
  // The signature of a zip archive, which a workbook is.
  if (new TextDecoder("latin1").decode(bytes.slice(0, 4)) === "PK\x03\x04") {
    const { readWorkbook } = await import("./workbook.ts");
    return readWorkbook(new Uint8Array(bytes));
  }
  const { parse } = (await import("papaparse")).default;
  return parse<string[]>(decode(bytes)).data;
}

/** Programs in China write CSV files in GB 18030, too. */
function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("gb18030").decode(bytes);
  }
}

function placesOf(row: string[]): Partial<Record<Column, number>> {
  const heads = row.map((cell) =>
    textOf(cell)
      .replaceAll(/[\s*＊]|[（(].*$/g, "")
      .toLowerCase(),
  );
  return Object.fromEntries(
    Object.entries(titles).flatMap(([column, known]) => {
      const place = heads.findIndex((head) => (known as readonly string[]).includes(head));
      return place < 0 ? [] : [[column, place]];
    }),
  );
}

/** Reads a CSV file or workbook with a row of titles and a parcel in each row below. @throws UnreadableFile */
export async function readShipmentFile(file: File): Promise<ShipmentLine[]> {
  const rows = await rowsOf(file).catch(() => {
    throw new UnreadableFile("format");
  });
  // There may be notes above the titles.
  const head = rows.slice(0, 20).findIndex((row) => {
    const { order_no, tracking_no } = placesOf(row);
    return order_no !== undefined && tracking_no !== undefined;
  });
  if (head < 0) throw new UnreadableFile("titles");
  const places = placesOf(rows[head]!);
  const cell = (row: string[], column: Column) => (places[column] === undefined ? "" : textOf(row[places[column]]));
  const lines = rows
    .map((row, at) => ({
      line: at + 1,
      order_no: cell(row, "order_no"),
      carrier: cell(row, "carrier"),
      tracking_no: cell(row, "tracking_no"),
    }))
    .slice(head + 1)
    .filter(({ order_no, tracking_no }) => order_no !== "" || tracking_no !== "");
  if (lines.length === 0) throw new UnreadableFile("empty");
  if (lines.length > mostLines) throw new UnreadableFile("long");
  return lines;
}

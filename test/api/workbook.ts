import { inflateRawSync } from "node:zlib";
import { stack } from "../support/index.ts";
import type { Account } from "./client.ts";

/** A cell: its text as it is stored, its kind, and the name of its number format. */
export interface Cell {
  text: string;
  kind: "text" | "number";
  format: string;
}

/**
 * The files of a zip archive, found by its directory. By hand, so that another implementation reads what fflate has
 * written.
 */
function unzip(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf("PK\u0005\u0006", undefined, "latin1");
  const files = new Map<string, string>();
  for (let entry = archive.readUInt32LE(end + 16), left = archive.readUInt16LE(end + 10); left > 0; left--) {
    const [method, size, fullSize, nameLength, extraLength, commentLength] = [
      archive.readUInt16LE(entry + 10),
      archive.readUInt32LE(entry + 20),
      archive.readUInt32LE(entry + 24),
      archive.readUInt16LE(entry + 28),
      archive.readUInt16LE(entry + 30),
      archive.readUInt16LE(entry + 32),
    ];
    const name = archive.toString("utf8", entry + 46, entry + 46 + nameLength);
    const file = archive.readUInt32LE(entry + 42);
    const begin = file + 30 + archive.readUInt16LE(file + 26) + archive.readUInt16LE(file + 28);
    const content = archive.subarray(begin, begin + size);
    const text = method === 8 ? inflateRawSync(content) : content;
    if (text.length !== fullSize) throw new Error(`${name} has ${text.length} bytes, not ${fullSize}.`);
    files.set(name, text.toString("utf8"));
    entry += 46 + nameLength + extraLength + commentLength;
  }
  return files;
}

const plain = (xml: string) =>
  xml
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));

/** The formats that ECMA-376 numbers. */
const formats: Record<string, string> = { 0: "General", 2: "0.00", 49: "@" };

/** Reads the rows of a workbook of one sheet as a spreadsheet does. */
export function rowsOf(workbook: Buffer): Cell[][] {
  const files = unzip(workbook);
  for (const name of files.keys())
    if (name.endsWith(".xml") && !name.startsWith("[") && !files.get("[Content_Types].xml")!.includes(`"/${name}"`))
      throw new Error(`${name} has no type.`);
  const styles = [
    .../<cellXfs.*<\/cellXfs>/s.exec(files.get("xl/styles.xml")!)![0].matchAll(/<xf numFmtId="(\d+)"/g),
  ].map(([, id]) => formats[id!]!);
  return [...files.get("xl/worksheets/sheet1.xml")!.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row]) =>
    [...row!.matchAll(/<c s="(\d+)"(?:\/>|( t="inlineStr")?>(.*?)<\/c>)/gs)].map(
      ([, style, inline, content = ""]): Cell => ({
        text: plain(content.replace(/<[^>]*>/g, "")),
        kind: inline || content === "" ? "text" : "number",
        format: styles[Number(style)]!,
      }),
    ),
  );
}

/** Downloads a workbook of one sheet and reads its rows. */
export async function readWorkbook(
  path: string,
  { token }: Account,
  language: string,
  base = stack().functions_url,
): Promise<{ headers: Headers; rows: Cell[][] }> {
  const response = await fetch(base + path, {
    headers: { authorization: `Bearer ${token}`, "accept-language": language },
  });
  return { headers: response.headers, rows: rowsOf(Buffer.from(await response.arrayBuffer())) };
}

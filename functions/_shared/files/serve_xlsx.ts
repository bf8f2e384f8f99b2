import type { Context } from "hono";
import { strToU8, Zip, ZipDeflate } from "fflate";
import { preferredLanguage } from "../language.ts";
import { type CsvColumn, type CsvFile, type Line, wordOf } from "./serve_csv.ts";
import { type Chunk, chunksFrom, type ReadLines, serveFile } from "./serve_file.ts";

/** The media type of a workbook. */
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** Cell formats by their position in `xl/styles.xml`: 49 is text, 2 is a number with two decimals. */
const TEXT = 0;
const AMOUNT = 1;

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const OOXML = "http://schemas.openxmlformats.org";
const SHEET = `${XML}<worksheet xmlns="${OOXML}/spreadsheetml/2006/main"><cols><col min="1" max="16384" width="26" customWidth="1"/></cols><sheetData>`;
const SHEET_END = "</sheetData></worksheet>";

/** What a workbook of one sheet has besides its rows (ECMA-376). */
const PARTS: Record<string, string> = {
  "[Content_Types].xml":
    `<Types xmlns="${OOXML}/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    '<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>' +
    '<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>' +
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
  "_rels/.rels": `<Relationships xmlns="${OOXML}/package/2006/relationships"><Relationship Id="rId1" Type="${OOXML}/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  "xl/workbook.xml": `<workbook xmlns="${OOXML}/spreadsheetml/2006/main" xmlns:r="${OOXML}/officeDocument/2006/relationships"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  "xl/_rels/workbook.xml.rels":
    `<Relationships xmlns="${OOXML}/package/2006/relationships"><Relationship Id="rId1" Type="${OOXML}/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/>` +
    `<Relationship Id="rId2" Type="${OOXML}/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`,
  "xl/styles.xml":
    `<styleSheet xmlns="${OOXML}/spreadsheetml/2006/main"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders>' +
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
    '<cellXfs count="2"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};

/** Responds with a workbook of the lines of a CSV file, written while it is read (`docs/decisions/0074`). */
export async function serveXlsx(c: Context, file: CsvFile, read: ReadLines): Promise<Response> {
  const language = preferredLanguage(c);
  const first = JSON.parse(await read(null)) as Chunk<Line>;
  const rows = async function* (): AsyncGenerator<string, void> {
    yield rowOf(file.columns.map(({ title }) => textCell(title[language])));
    for await (const lines of chunksFrom(first, read))
      yield lines
        .map((line) => rowOf(file.columns.map((column) => cellOf(column, wordOf(line[column.key], column.words, language)))))
        .join("");
  };
  return serveFile(c, `${file.name}.xlsx`, workbook(rows()), {
    "content-type": XLSX,
    "content-language": language,
    vary: "Accept-Language",
  });
}

async function* workbook(rows: AsyncGenerator<string, void>): AsyncGenerator<Uint8Array, void> {
  const written: Uint8Array[] = [];
  const zip = new Zip((error, bytes) => {
    if (error) throw error;
    written.push(bytes);
  });
  const begin = (name: string) => {
    // In this thread: edge functions have no workers. A fixed time, so that the same rows are the same file.
    const part = Object.assign(new ZipDeflate(name), { mtime: new Date(2000, 0, 1) });
    zip.add(part);
    return part;
  };
  for (const [name, text] of Object.entries(PARTS)) begin(name).push(strToU8(XML + text), true);
  const sheet = begin("xl/worksheets/sheet1.xml");
  sheet.push(strToU8(SHEET));
  for await (const text of rows) {
    sheet.push(strToU8(text));
    yield* written.splice(0);
  }
  sheet.push(strToU8(SHEET_END), true);
  zip.end();
  yield* written.splice(0);
}

const rowOf = (cells: string[]) => `<row>${cells.join("")}</row>`;

function cellOf({ isAmount }: CsvColumn, text: string): string {
  return isAmount && text !== "" ? `<c s="${AMOUNT}"><v>${escaped(text)}</v></c>` : textCell(text);
}

/** A cell that no program takes for a number, a date or a formula. */
function textCell(text: string): string {
  return text === "" ? `<c s="${TEXT}"/>` : `<c s="${TEXT}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Characters that XML cannot contain. */
const IMPOSSIBLE = "\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F\\uFFFE\\uFFFF";

/** A workbook reads `_x0041_` as a character. */
function escaped(text: string): string {
  return text
    .replace(new RegExp(`[${IMPOSSIBLE}]`, "g"), "\uFFFD")
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, "_x005F_")
    .replace(/[&<>]/g, (sign) => ENTITIES[sign]!);
}

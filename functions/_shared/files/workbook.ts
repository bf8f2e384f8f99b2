import { strToU8, Zip, ZipDeflate } from "fflate";

/** The media type of a workbook. */
export const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/**
 * A cell: text that no program takes for a number, a date or a formula; a number; or an amount, which has two decimals.
 */
export type Cell = string | number | { amount: string };

/** Cell formats by their position in `xl/styles.xml`: 49 is text, 2 is a number with two decimals, 0 is any number. */
const TEXT = 0;
const AMOUNT = 1;
const NUMBER = 2;

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
    '<cellXfs count="3"><xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>' +
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
};

/** Writes a workbook of one sheet (`docs/decisions/0074`). @param chunks some rows each */
export async function* workbook(chunks: AsyncIterable<Cell[][]>): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
  const written: Uint8Array<ArrayBuffer>[] = [];
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
  for await (const rows of chunks) {
    sheet.push(strToU8(rows.map((cells) => `<row>${cells.map(cellOf).join("")}</row>`).join("")));
    yield* written.splice(0);
  }
  sheet.push(strToU8(SHEET_END), true);
  zip.end();
  yield* written.splice(0);
}

function cellOf(cell: Cell): string {
  if (cell === "") return `<c s="${TEXT}"/>`;
  if (typeof cell === "number") return `<c s="${NUMBER}"><v>${cell}</v></c>`;
  if (typeof cell === "object") return `<c s="${AMOUNT}"><v>${escaped(cell.amount)}</v></c>`;
  return `<c s="${TEXT}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
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

import { strFromU8, unzipSync } from "fflate";

/** Far more than a sheet of parcels has, unpacked. */
const mostBytes = 50_000_000;
/** Excel has no more. Other numbers would fill the memory with empty rows and cells. */
const most = { rows: 1_048_576, cells: 16_384 };

const elements = (parent: Element | Document, name: string) => [...parent.getElementsByTagNameNS("*", name)];

/** The text of a string, without the pronunciation that Asian versions of Excel add. */
const textIn = (parent: Element) =>
  elements(parent, "t")
    .filter((text) => text.parentElement?.localName !== "rPh")
    .map((text) => text.textContent)
    .join("");

/**
 * A large number is stored in the form 7.3E+14. Excel keeps 15 digits of a number, so one with more is rounded, and the
 * store refuses its form.
 */
const wholeNumber = (text: string) =>
  /^\d(?:\.\d+)?E\+\d+$/i.test(text) && Number(text) < 1e15 ? BigInt(Number(text)).toString() : text;

/** @throws Error if a sheet has no such place */
function checkedPlace(place: number, limit: number): number {
  if (!(place >= 0 && place < limit)) throw new Error("a row or a cell is outside of the sheet");
  return place;
}

/** The place of a cell by its letters: A is 0, AB is 27. */
const placeOf = (address: string) =>
  [...address.replace(/\d+$/, "")].reduce((place, letter) => place * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/**
 * Reads the texts of the first sheet of a workbook (.xlsx, ECMA-376), each row at its number less one.
 * @throws Error if it is none
 */
export function readWorkbook(bytes: Uint8Array): string[][] {
  let left = mostBytes;
  const files = unzipSync(bytes, {
    filter: ({ name, originalSize }) => /\.(xml|rels)$/.test(name) && (left -= originalSize) >= 0,
  });
  const parse = (name: string) => {
    const document = new DOMParser().parseFromString(strFromU8(files[name]!), "application/xml");
    if (document.querySelector("parsererror")) throw new Error(`${name} is no XML`);
    return document;
  };
  const [sheet] = elements(parse("xl/workbook.xml"), "sheet");
  const id = [...sheet!.attributes].find(({ name }) => name.endsWith(":id"))!.value;
  const relation = elements(parse("xl/_rels/workbook.xml.rels"), "Relationship").find(
    (each) => each.getAttribute("Id") === id,
  )!;
  const target = relation.getAttribute("Target")!;
  const strings = files["xl/sharedStrings.xml"] ? elements(parse("xl/sharedStrings.xml"), "si").map(textIn) : [];
  const textOf = (cell: Element) => {
    const value = elements(cell, "v")[0]?.textContent ?? "";
    const type = cell.getAttribute("t") ?? "n";
    return { s: strings[Number(value)], inlineStr: textIn(cell), n: wholeNumber(value) }[type] ?? value;
  };
  // Programs may leave out the numbers of rows and cells that follow each other.
  const rows: string[][] = [];
  for (const row of elements(parse(target.startsWith("/") ? target.slice(1) : `xl/${target}`), "row")) {
    const texts: string[] = [];
    for (const cell of elements(row, "c")) {
      const address = cell.getAttribute("r");
      texts[checkedPlace(address ? placeOf(address) : texts.length, most.cells)] = textOf(cell);
    }
    rows[checkedPlace(row.hasAttribute("r") ? Number(row.getAttribute("r")) - 1 : rows.length, most.rows)] = texts;
  }
  return Array.from(rows, (row) => row ?? []);
}

/** A row of an example: an event and all its results. */
export interface Row {
  line: number;
  /** The day of the event. The example begins on day 1. */
  day: number;
  event: string;
  results: string[];
}

export interface Example {
  title: string;
  rows: Row[];
}

interface Table {
  title: string;
  header: string;
  rows: { line: number; cells: string[] }[];
}

/** All tables of a Markdown document with the headings above them. */
function tablesOf(markdown: string): Table[] {
  const tables: Table[] = [];
  let title = "";
  let table: Table | undefined;
  for (const [index, text] of markdown.split("\n").entries()) {
    if (/^#+ /.test(text)) title = text.replace(/^#+ /, "");
    if (!text.startsWith("|")) {
      table = undefined;
      continue;
    }
    const cells = text
      .replace(/^\||\|$/g, "")
      .split("|")
      .map((cell) => cell.trim());
    if (!table) {
      table = { title, header: cells.join(" | "), rows: [] };
      tables.push(table);
    } else if (!cells.every((cell) => /^-+$/.test(cell))) {
      table.rows.push({ line: index + 1, cells });
    }
  }
  return tables;
}

/** The table with these columns, without its header. */
export function readTable(markdown: string, header: string): string[][] {
  const found = tablesOf(markdown).filter((table) => table.header === header);
  if (found.length !== 1) throw new Error(`There are ${found.length} tables "${header}" instead of one.`);
  if (found[0]!.rows.length === 0) throw new Error(`The table "${header}" is empty.`);
  return found[0]!.rows.map(({ cells }) => cells.map((cell) => cell.replace(/^`(.*)`$/, "$1")));
}

/**
 * The examples of the document: every table `day | event | result`.
 * @throws Error if a table is empty or a row is incomplete
 */
export function readExamples(markdown: string): Example[] {
  return tablesOf(markdown)
    .filter(({ header }) => header === "day | event | result")
    .map(({ title, rows }) => {
      if (rows.length === 0) throw new Error(`The example "${title}" is empty.`);
      return { title, rows: joinRows(rows) };
    });
}

function joinRows(rows: Table["rows"]): Row[] {
  const joined: Row[] = [];
  for (const { line, cells } of rows) {
    const [day, event, result, ...more] = cells;
    const last = joined.at(-1);
    if (!result || more.length > 0) throw new Error(`Line ${line} has no result, or too many cells.`);
    if (day === "" && event === "" && last) {
      last.results.push(result);
    } else {
      if (!day || !/^[1-9]\d?$/.test(day) || Number(day) < (last?.day ?? 1))
        throw new Error(`Line ${line} has no day, or an earlier one than the line above.`);
      if (!event) throw new Error(`Line ${line} has no event.`);
      joined.push({ line, day: Number(day), event, results: [result] });
    }
  }
  return joined;
}

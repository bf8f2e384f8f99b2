import type { SqlFile } from "../../scripts/structure/sql_source.ts";

// Postgres returns rows in any order unless a statement says which, and the order changes with the plan, that is, with
// sizes and statistics. What becomes an array, a number, a sequence of steps or a part of the rows must therefore say
// its order.

/**
 * States beside the code why the order of rows does not matter there, or what gives it: on the line itself or within
 * six lines above it, of the same statement, for one line or list. Above a function, it holds for the whole function.
 */
const REASON = /-- Row order: \S/;

/**
 * Replaces comments and texts by blanks, so that only code is left, at the same places. The quotes around a body become
 * semicolons.
 */
function codeOf(text: string): string {
  return text
    .replace(/--[^\n]*|'(?:[^']|'')*'/g, (part) => part.replace(/[^\n]/g, " "))
    .replace(/\$\w*\$/g, (quote) => ";".padEnd(quote.length));
}

/** The position of the bracket that closes the one at `open`. */
function closeOf(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at += 1) {
    if (code[at] === "(") depth += 1;
    else if (code[at] === ")") depth -= 1;
    if (depth === 0) return at;
  }
  return code.length;
}

/** A part of code without what stands in brackets. */
function outermost(code: string): string {
  let depth = 0;
  return [...code]
    .map((letter) => {
      if (letter === ")") depth -= 1;
      const shown = depth === 0 ? letter : " ";
      if (letter === "(") depth += 1;
      return shown;
    })
    .join("");
}

/**
 * The select of which the place `at` is a part: from the bracket or the semicolon before it to the one after it,
 * without inner brackets.
 */
function selectAround(code: string, at: number): string {
  let begin = at;
  for (let depth = 0; begin > 0; begin -= 1) {
    const letter = code[begin - 1]!;
    if (letter === ")") depth += 1;
    else if (letter === "(" && depth > 0) depth -= 1;
    else if ((letter === "(" || letter === ";") && depth === 0) break;
  }
  let end = at;
  for (let depth = 0; end < code.length; end += 1) {
    const letter = code[end]!;
    if (letter === "(") depth += 1;
    else if (letter === ")" && depth > 0) depth -= 1;
    else if ((letter === ")" || letter === ";") && depth === 0) break;
  }
  return outermost(code.slice(begin, end));
}

const isOrdered = (code: string) => /\border by\b/.test(code);
/** Whether a select reads rows. The settings are one. */
const readsRows = (select: string) => /(?<!\bdistinct )\bfrom (?!app\.settings\b)/.test(select);

/** A part of code without the queries that stand in brackets. */
function withoutQueries(code: string): string {
  const open = code.search(/\(\s*(?:select|with)\b/);
  return open < 0 ? code : code.slice(0, open) + withoutQueries(code.slice(closeOf(code, open) + 1));
}

/** What the files say of tables and functions. */
interface Schema {
  /** The tables that number their rows themselves. */
  numbered: Set<string>;
  /** The columns of each key of a table. A table with an empty key has one row. */
  keys: Map<string, string[][]>;
  /** The functions that return several rows, and do not say `rows 1`. */
  sets: Set<string>;
}

interface Rule {
  /** What is found, as an error says it. */
  what: string;
  pattern: RegExp;
  /** @returns whether the order of the rows matters and is not said. `text` is `code` with its comments and texts */
  isBroken: (code: string, match: RegExpExecArray, schema: Schema, text: string) => boolean;
}

/**
 * Whether a select returns at most one row: it sums up all of them, or a key of everything that it reads is given.
 * @param list what it selects
 */
function returnsOneRow(select: string, list: string, { keys, sets }: Schema): boolean {
  const [, ...rest] = select.split(/\bfrom\b/);
  const sumsUp = /\b(?:count|sum|min|max|bool_and|bool_or|array_agg|string_agg|jsonb_agg|jsonb_object_agg)\(/.test(
    withoutQueries(list),
  );
  if (sumsUp && !/\bgroup by\b|\bover\b/.test(select)) return true;
  const sources = [
    ...`from${rest.join("from")}`.matchAll(
      /\b(?:from|join)\s+(?:lateral\s+)?([\w.]*)\s*(\(?)\s*\)?\s*(?:as\s+)?(\w*)/g,
    ),
  ];
  return sources.every(([, name = "", bracket, alias]) => {
    // A query in brackets is judged where it stands.
    if (name === "") return true;
    if (bracket) return !sets.has(name) && name !== "unnest" && name !== "generate_series";
    const isGiven = (column: string) => new RegExp(`\\b${alias}\\.${column} = |= ${alias}\\.${column}\\b`).test(select);
    return (keys.get(name) ?? []).some((columns) => columns.every(isGiven));
  });
}

const bracketOf = (code: string, match: RegExpExecArray) =>
  code.slice(code.indexOf("(", match.index) + 1, closeOf(code, code.indexOf("(", match.index)));

/** A loop from its `for` to its `loop`. @param shown the code, or the text at the same places */
const headOfLoop = (code: string, shown: string, match: RegExpExecArray) =>
  shown.slice(match.index, match.index + code.slice(match.index).search(/\bloop\b/));

const RULES: Rule[] = [
  {
    what: "array() of a query without order by",
    pattern: /\barray\s*\(\s*(?:select|with)\b/g,
    // A set: what is compared with any, all or an operator of sets, or only counted.
    isBroken: (code, match) =>
      !/(?:\b(?:any|all|cardinality)\s*\(|<@|@>|&&)\s*$/.test(code.slice(0, match.index)) &&
      !isOrdered(outermost(bracketOf(code, match))),
  },
  {
    what: "aggregate without order by",
    pattern: /\b(?:array_agg|string_agg|jsonb_agg|json_agg)\s*\(/g,
    // distinct sorts.
    isBroken: (code, match) =>
      !/^\s*distinct\b/.test(bracketOf(code, match)) && !isOrdered(outermost(bracketOf(code, match))),
  },
  {
    what: "limit without order by",
    pattern: /(?<!connection )\blimit\b/g,
    // Rows without columns are only counted.
    isBroken: (code, match) =>
      !isOrdered(selectAround(code, match.index)) && !/^\s*select\s+from\b/.test(selectAround(code, match.index)),
  },
  {
    what: "loop over a query without order by",
    pattern: /\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+(?:select|with)\b/g,
    isBroken: (code, match) => !isOrdered(outermost(headOfLoop(code, code, match))),
  },
  {
    what: "loop over a dynamic query without order by",
    pattern: /\bfor\s+\w+(?:\s*,\s*\w+)*\s+in\s+execute\b/g,
    isBroken: (code, match, _schema, text) => !isOrdered(headOfLoop(code, text, match)),
  },
  {
    what: "select into of several rows without order by",
    pattern: /(?<!\binsert )(?<!\bmerge )\binto\b(?! strict\b)/g,
    isBroken: (code, match, schema) => {
      const begin = code.lastIndexOf(";", match.index) + 1;
      const words = [...outermost(code.slice(begin, match.index)).matchAll(/\b(?:select|returning|execute|fetch)\b/g)];
      const last = words.at(-1);
      if (last?.[0] !== "select") return false;
      const list = code.slice(begin + last.index, match.index);
      const select =
        outermost(list) +
        selectAround(code, match.index + match[0].length)
          .split(/\binto\b/)
          .slice(-1)[0]!;
      return readsRows(select) && !isOrdered(select) && !returnsOneRow(select, list, schema);
    },
  },
  {
    what: "number of a row without order by",
    pattern:
      /\b(?:row_number|rank|dense_rank|ntile|lag|lead|first_value|last_value|nth_value)\s*\([^()]*\)\s*over\s*\(/g,
    isBroken: (code, match) =>
      !isOrdered(code.slice(match.index + match[0].length, closeOf(code, match.index + match[0].length - 1))),
  },
  {
    what: "distinct on without order by",
    pattern: /\bdistinct on\b/g,
    isBroken: (code, match) => !isOrdered(selectAround(code, match.index)),
  },
  {
    what: "nextval in a query without order by",
    pattern: /\bnextval\s*\(/g,
    isBroken: (code, match) => {
      const select = selectAround(code, match.index);
      return /\bselect\b/.test(select) && readsRows(select) && !isOrdered(select);
    },
  },
  {
    what: "insert of numbered rows from a query without order by",
    pattern: /\binsert into ((?:app|router)\.\w+)(?: as \w+)?\s*\([^()]*\)\s*select\b/g,
    isBroken: (code, match, { numbered }) => {
      const select = selectAround(code, match.index + match[0].length);
      return numbered.has(match[1]!) && readsRows(select) && !isOrdered(select);
    },
  },
];

/** Reads what the files say of tables and functions. */
function schemaOf(files: SqlFile[]): Schema {
  const texts = files.map(({ text }) => text.replace(/--[^\n]*/g, ""));
  const columnsIn = (list: string) => list.split(",").map((column) => column.trim());
  const tables = texts.flatMap((text) => [
    ...text.matchAll(/^create (?:unlogged )?table (\w+\.\w+) \(([\s\S]*?)\)[^()]*;$/gm),
  ]);
  const keys = new Map([["auth.users", [["id"]]]]);
  const addKey = (table: string, columns: string[]) => keys.set(table, [...(keys.get(table) ?? []), columns]);
  for (const [, table, columns] of tables) {
    for (const [, column, type] of columns!.matchAll(/^\s*(\w+) (\w+)[^,\n]* (?:primary key|unique)\b/gm))
      if (column !== "constraint") addKey(table!, type === "boolean" ? [] : [column!]);
    for (const [, list] of columns!.matchAll(/\b(?:primary key|unique) \(([^()]+)\)/g))
      addKey(table!, columnsIn(list!));
  }
  for (const [, table, list] of texts.flatMap((text) => [
    ...text.matchAll(/\bcreate unique index \w+ on (\w+\.\w+) \(([^()]+)\)/g),
  ]))
    addKey(table!, columnsIn(list!));
  const numbered = tables
    .filter(([, , columns]) => /\bas identity\b|\bdefault nextval\b/.test(columns!))
    .map(([, table]) => table!);
  const sets = texts
    .flatMap((text) => [...text.matchAll(/^create (?:or replace )?function (\w+\.\w+)\(((?:(?!^as )[\s\S])*)/gm)])
    .filter(([, , header]) => /^returns (?:table|setof)\b/m.test(header!) && !/^rows 1$/m.test(header!));
  return { numbered: new Set(numbered), keys, sets: new Set(sets.map(([, name]) => name!)) };
}

/** The line with the reason that stands before a line in its statement. */
function reasonBefore(lines: string[], reasons: Set<number>, line: number): number | undefined {
  for (let before = line; before >= Math.max(line - 6, 0); before -= 1) {
    if (reasons.has(before)) return before;
    if (before < line && /(?:^|;)$/.test(lines[before]!)) return undefined;
  }
  return undefined;
}

/** The line with the reason that stands above the function of a line. */
function reasonAbove(lines: string[], reasons: Set<number>, line: number): number | undefined {
  let above = line;
  while (above >= 0 && !/^create\b/.test(lines[above]!)) above -= 1;
  for (above -= 1; lines[above]?.startsWith("--"); above -= 1) if (reasons.has(above)) return above;
  return undefined;
}

export interface UnorderedRows {
  /** Path, line and what is wrong there. */
  faults: string[];
  /** Reasons at places where nothing needs one. */
  unused: string[];
}

/** Finds the places that rely on an order of rows that no statement says, and states no reason for it. */
export function unorderedRows(files: SqlFile[]): UnorderedRows {
  const schema = schemaOf(files);
  const faults: string[] = [];
  const unused: string[] = [];
  for (const { path, text } of files) {
    const code = codeOf(text);
    const lines = text.split("\n");
    const reasons = new Set(lines.flatMap((line, index) => (REASON.test(line) ? [index] : [])));
    /** The lines that the reasons are for. */
    const used = new Map<number, number>();
    for (const { what, pattern, isBroken } of RULES) {
      for (const match of code.matchAll(pattern)) {
        if (!isBroken(code, match, schema, text)) continue;
        const line = code.slice(0, match.index).split("\n").length - 1;
        const near = reasonBefore(lines, reasons, line);
        const other = near === undefined ? undefined : (used.get(near) ?? line);
        const isOneList =
          other !== undefined &&
          lines.slice(Math.min(other, line), Math.max(other, line)).every((one) => /[(,]$/.test(one));
        const reason = isOneList ? near : reasonAbove(lines, reasons, line);
        if (reason === undefined) faults.push(`${path}:${line + 1}: ${what}`);
        else used.set(reason, line);
      }
    }
    unused.push(...[...reasons].filter((index) => !used.has(index)).map((index) => `${path}:${index + 1}`));
  }
  return { faults, unused };
}

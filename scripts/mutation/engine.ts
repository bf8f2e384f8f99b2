import { files } from "../structure/sql_source.ts";
import { tokensOf } from "../structure/sql_tokens.ts";

/** The modules of sql/ that decide about money, points, levels, orders and their locks. */
export const engineModules = [
  "01_ground",
  "02_settings",
  "03_jobs",
  "04_events",
  "05_members",
  "06_plans",
  "08_ledger",
  "09_orders",
  "10_engine",
  "11_refunds",
  "12_payouts",
  "13_release",
  "18_months",
];

/** What only shows what others have decided: JSON, lines of lists, searches. */
const showsOnly = /(_json|_record|_line|_page|_cursor|_position)$|^(find_orders|masked_account)$/;

/** A function or procedure of schema app. */
export interface SqlFunction {
  /** Its file below sql/, without the ending, and its name: `10_engine/load/load_state`. */
  path: string;
  module: string;
  /** Its name in schema app. */
  name: string;
  /** The statement that creates it, and where it starts in the file. */
  text: string;
  start: number;
  /** The line of the file at which the statement starts. */
  line: number;
  body: { text: string; start: number };
  isProcedure: boolean;
  isPlpgsql: boolean;
  /** Whether Postgres may put it into its callers, so that its calls are not counted. */
  mayBeInlined: boolean;
}

/**
 * Reads the functions of schema app that a file of sql/ creates.
 * @param path of the file below sql/, without the ending
 */
export function readFunctions(path: string, file: string): SqlFunction[] {
  const tokens = tokensOf(file);
  const creates = (index: number) =>
    tokens[index]!.text === "create" &&
    /^(function|procedure)$/.test(tokens[index + 3]?.text ?? "") &&
    tokens[index + 4]?.text === "app";
  return tokens
    .flatMap((_token, index) => (creates(index) ? index : []))
    .map((at) => {
      const bodyAt = tokens.findIndex(({ kind }, index) => index > at && kind === "body");
      const body = tokens[bodyAt]!;
      const header = tokens.slice(at, bodyAt).filter(({ depth }) => depth === 0);
      const follows = (word: string, next?: string) =>
        header.some(({ text }, index) => text === word && (next === undefined || header[index + 1]?.text === next));
      const quote = body.text.indexOf("$", 1) + 1;
      const { start } = tokens[at]!;
      const name = tokens[at + 6]!.text;
      return {
        path: `${path}/${name}`,
        module: path.split("/")[0]!,
        name,
        text: `${file.slice(start, body.end)};`,
        start,
        line: file.slice(0, start).split("\n").length,
        body: { text: body.text.slice(quote, -quote), start: body.start + quote - start },
        isProcedure: tokens[at + 3]!.text === "procedure",
        isPlpgsql: follows("language", "plpgsql"),
        mayBeInlined: follows("language", "sql") && !follows("set") && !follows("security"),
      };
    });
}

/** All functions and procedures of schema app, in the order of their files. */
export function allFunctions(): SqlFunction[] {
  return files.flatMap(({ path, text }) => readFunctions(path.replace(/\.sql$/, ""), text));
}

/** Whether mutants are made of a function. */
export function isOfTheEngine({ module, name }: SqlFunction): boolean {
  return engineModules.includes(module) && !showsOnly.test(name);
}

/** The names of the functions that a text calls, whether it is code or a test. */
export function calledBy(text: string): string[] {
  return [...new Set([...text.matchAll(/\bapp\.([a-z_0-9]+)/g)].map(([, name]) => name!))];
}

/** The functions that call each function directly. */
export function callersOf(functions: SqlFunction[]): Map<string, string[]> {
  const callers = new Map<string, string[]>();
  for (const { name, text } of functions) {
    for (const called of calledBy(text))
      if (called !== name) callers.set(called, [...(callers.get(called) ?? []), name]);
  }
  return callers;
}

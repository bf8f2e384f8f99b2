import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../stack/paths.ts";
import { tokensOf } from "./tokens.ts";

/** The folders of sql/4_app that decide about money, points, levels, orders and their locks. */
export const engineFolders = [
  "rules", "settlement", "refunds", "release", "checkout", "orders", "payments", "outbox", "withdrawals", "transfers", "adjustments", "finance", "levels", "plans", "members",
];

/** What only shows what others have decided: JSON, lines of lists, searches. */
const showsOnly = /(_json|_record|_line|_page|_cursor|_position)\.sql$|\/(find_orders|masked_account)\.sql$/;

const source = join(projectRoot, "sql/4_app");

/** A function or procedure of sql/. */
export interface SqlFunction {
  /** Its path below sql/4_app, without the ending. */
  path: string;
  folder: string;
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

/** Reads the function that a file of sql/ creates. */
export function readFunction(path: string, file: string): SqlFunction | undefined {
  const tokens = tokensOf(file);
  const at = tokens.findIndex(({ text }, index) => text === "create" && /^(function|procedure)$/.test(tokens[index + 3]?.text ?? ""));
  const body = tokens.slice(at).find(({ kind }) => kind === "body");
  if (at === -1 || !body) return undefined;
  const header = tokens.slice(at, tokens.indexOf(body)).filter(({ depth }) => depth === 0);
  const follows = (word: string, next?: string) => header.some(({ text }, index) => text === word && (next === undefined || header[index + 1]?.text === next));
  const quote = body.text.indexOf("$", 1) + 1;
  return {
    path, folder: path.split("/")[0]!, name: tokens[at + 6]!.text,
    text: `${file.slice(tokens[at]!.start, body.end)};`, start: tokens[at]!.start,
    line: file.slice(0, tokens[at]!.start).split("\n").length,
    body: { text: body.text.slice(quote, -quote), start: body.start + quote - tokens[at]!.start },
    isProcedure: tokens[at + 3]!.text === "procedure",
    isPlpgsql: follows("language", "plpgsql"),
    mayBeInlined: follows("language", "sql") && !follows("set") && !follows("security"),
  };
}

/** All functions and procedures of sql/4_app, by path. */
export function allFunctions(): SqlFunction[] {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sql")).sort();
  return files.flatMap((name) => readFunction(name.replace(/\.sql$/, ""), readFileSync(join(source, name), "utf8")) ?? []);
}

/** Whether mutants are made of a function. */
export function isOfTheEngine({ path, folder }: SqlFunction): boolean {
  return engineFolders.includes(folder) && !showsOnly.test(`${path}.sql`);
}

/** The names of the functions that a text calls, whether it is code or a test. */
export function calledBy(text: string): string[] {
  return [...new Set([...text.matchAll(/\bapp\.([a-z_0-9]+)/g)].map(([, name]) => name!))];
}

/** The functions that call each function directly. */
export function callersOf(functions: SqlFunction[]): Map<string, string[]> {
  const callers = new Map<string, string[]>();
  for (const { name, text } of functions) {
    for (const called of calledBy(text)) if (called !== name) callers.set(called, [...callers.get(called) ?? [], name]);
  }
  return callers;
}


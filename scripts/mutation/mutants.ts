import { createHash } from "node:crypto";
import type { Change, Operator } from "./change.ts";
import type { SqlFunction } from "./engine.ts";
import { changesOfPhrases } from "./phrases.ts";
import { changesOfStatements } from "./statements.ts";
import { tokensOf } from "../structure/sql_tokens.ts";
import { changesOfWords } from "./words.ts";

/** A function with one change. */
export interface Mutant {
  /** Identifies the changed text, so that the result stays valid until somebody edits the function. */
  key: string;
  of: SqlFunction;
  operator: Operator;
  line: number;
  column: number;
  /** The changed line before and after, or what was removed. */
  was: string;
  is: string;
  /** The statement that puts it in the place of the function. */
  text: string;
}

/** The lines of a text that a range touches, as one line. */
function linesAround(text: string, start: number, end: number): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const to = text.indexOf("\n", end);
  return text
    .slice(from, to === -1 ? text.length : to)
    .replaceAll(/\s+/g, " ")
    .trim();
}

function mutantOf(of: SqlFunction, { operator, start, end, by }: Change): Mutant {
  const from = of.body.start + start;
  const text = of.text.slice(0, from) + by + of.text.slice(of.body.start + end);
  const above = of.text.slice(0, from).split("\n");
  return {
    key: createHash("sha256").update(`${of.path} ${text}`).digest("hex").slice(0, 16),
    of,
    operator,
    text,
    line: of.line + above.length - 1,
    column: above.at(-1)!.length + 1,
    was: linesAround(of.text, from, of.body.start + end),
    is: linesAround(text, from, from + by.length),
  };
}

/** All mutants of a function, by their place. Two changes that give the same text are one mutant. */
export function mutantsOf(of: SqlFunction): Mutant[] {
  const tokens = tokensOf(of.body.text);
  const changes = [
    ...changesOfWords(tokens),
    ...changesOfPhrases(tokens, of.body.text),
    ...(of.isPlpgsql ? changesOfStatements(tokens) : []),
  ];
  const sorted = changes.sort((a, b) => a.start - b.start || a.end - b.end || a.by.localeCompare(b.by));
  return [...new Map(sorted.map((change) => mutantOf(of, change)).map((mutant) => [mutant.key, mutant])).values()];
}

const context = 40;

/** Where two texts differ, with a little of what surrounds it. */
export function difference({ was, is }: Pick<Mutant, "was" | "is">): [string, string] {
  let from = 0;
  while (from < Math.min(was.length, is.length) && was[from] === is[from]) from += 1;
  let same = 0;
  while (same < Math.min(was.length, is.length) - from && was.at(-1 - same) === is.at(-1 - same)) same += 1;
  const cut = (text: string) => {
    const [start, end] = [Math.max(0, from - context), Math.min(text.length, text.length - same + context)];
    const [before, inside, after] = [
      text.slice(start, from),
      text.slice(from, text.length - same),
      text.slice(text.length - same, end),
    ];
    const shown = inside.length > 3 * context ? `${inside.slice(0, context)} … ${inside.slice(-context)}` : inside;
    return `${start > 0 ? "…" : ""}${before}${shown}${after}${end < text.length ? "…" : ""}`;
  };
  return [cut(was), cut(is)];
}

/** The place of a mutant and its change, as it is listed: `09_orders/rules_of_orders/amount_left:12:31 arithmetic`. */
export function describeMutant({ of, line, column, operator }: Mutant): string {
  return `${of.path}:${line}:${column} ${operator}`;
}

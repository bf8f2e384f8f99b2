import type { Change } from "./change.ts";
import type { Token } from "../structure/sql_tokens.ts";

/** Each of these comparisons becomes another one that differs at the bound, or its opposite. */
const comparisons: Record<string, string> = { "<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "<>", "<>": "=" };
const arithmetic: Record<string, string> = { "+": "-", "-": "+", "*": "/", "/": "*" };
const functions: Record<string, string> = {
  least: "greatest",
  greatest: "least",
  min: "max",
  max: "min",
  floor: "ceil",
  ceil: "floor",
  trunc: "round",
  any: "all",
  all: "any",
  bool_or: "bool_and",
  bool_and: "bool_or",
};
const locks: Record<string, string> = {
  pg_advisory_xact_lock: "pg_advisory_xact_lock_shared",
  pg_advisory_xact_lock_shared: "pg_advisory_xact_lock",
};

/** The next whole number, and the one before; of a fraction, the next last digit: 0.0004 becomes 0.0005. */
function neighbours(text: string): string[] {
  const fraction = text.split(".")[1];
  if (fraction !== undefined)
    return /^[.\d]*$/.test(text) ? [(Number(text) + 10 ** -fraction.length).toFixed(fraction.length)] : [];
  const number = Number(text);
  return Number.isSafeInteger(number) ? [String(number + 1), ...(number > 0 ? [String(number - 1)] : [])] : [];
}

/** The `and` of `between … and …`. */
function isOfBetween(tokens: Token[], index: number): boolean {
  const { depth } = tokens[index]!;
  for (let at = index - 1; at >= 0 && tokens[at]!.depth >= depth; at -= 1) {
    const { text, depth: its } = tokens[at]!;
    if (its > depth) continue;
    if (text === "between") return true;
    if (["and", "or", "where", "when", "if", "select", "on", ";"].includes(text)) return false;
  }
  return false;
}

/** The changes of one word, operator or constant. */
export function changesOfWords(tokens: Token[]): Change[] {
  return tokens.flatMap((token, index): Change[] => {
    const { kind, text, start, end } = token;
    const [before, next, later] = [-1, 1, 2].map((distance) => tokens[index + distance]?.text);
    const change = (operator: Change["operator"], by: string, until = end): Change => ({
      operator,
      start,
      end: until,
      by,
    });
    if (kind === "operator") {
      if (comparisons[text]) return [change("comparison", comparisons[text])];
      return arithmetic[text] ? [change("arithmetic", arithmetic[text])] : [];
    }
    if (kind === "number") return neighbours(text).map((by) => change("number", by));
    if (kind === "text" && before === "interval") {
      return /^'\d+ /.test(text)
        ? [
            change(
              "number",
              text.replace(/\d+/, (count) => String(Number(count) * 2)),
            ),
          ]
        : [];
    }
    if (kind !== "word") return [];
    if (functions[text] && next === "(" && before !== "union") return [change("function", functions[text])];
    if (locks[text]) return [change("lock", locks[text])];
    switch (text) {
      case "and":
        return isOfBetween(tokens, index) ? [] : [change("logic", "or")];
      case "or":
        return [change("logic", "and")];
      case "true":
        return [change("boolean", "false")];
      case "false":
        return [change("boolean", "true")];
      case "not":
        return next === "materialized" || before === "is" ? [] : [change("negation", "")];
      case "is":
        if (next === "not") return [change("null check", "is", tokens[index + 1]!.end)];
        return ["null", "distinct", "true", "false"].includes(next ?? "") ? [change("null check", "is not")] : [];
      case "left":
        return next === "join" ? [change("join", "")] : [];
      case "conflict":
        return before === "on" ? changeOfConflict(tokens, index) : [];
      case "skip":
        return next === "locked" ? [change("lock", "", tokens[index + 1]!.end)] : [];
      case "for":
        return next === "update" || next === "share" || later === "key"
          ? [change("lock", "", endOfLock(tokens, index))]
          : [];
      default:
        return [];
    }
  });
}

/** `on conflict … do nothing` is removed. */
function changeOfConflict(tokens: Token[], index: number): Change[] {
  const last = tokens.findIndex(({ text }, at) => at > index && text === "do");
  if (tokens[last + 1]?.text !== "nothing") return [];
  return [{ operator: "conflict", start: tokens[index - 1]!.start, end: tokens[last + 1]!.end, by: "" }];
}

/** Where a locking clause ends: after the names of the locked tables, and `skip locked` or `nowait`. */
function endOfLock(tokens: Token[], index: number): number {
  let at = tokens.findIndex(({ text }, each) => each > index && (text === "update" || text === "share"));
  if (tokens[at + 1]?.text === "of") {
    at += 2;
    while (tokens[at + 1]?.text === ",") at += 2;
  }
  if (tokens[at + 1]?.text === "skip") at += 2;
  else if (tokens[at + 1]?.text === "nowait") at += 1;
  return tokens[at]!.end;
}

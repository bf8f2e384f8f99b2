import type { Change } from "./change.ts";
import type { Token } from "../structure/sql_tokens.ts";

/** The index of the bracket that closes the one at an index. */
function closing(tokens: Token[], open: number): number {
  return tokens.findIndex(
    ({ text, depth }, at) => at > open && (text === ")" || text === "]") && depth === tokens[open]!.depth,
  );
}

/** `coalesce(a, b)` becomes `(a)`. */
function changesOfCoalesce(tokens: Token[], body: string): Change[] {
  return tokens.flatMap(({ text, start }, index): Change[] => {
    const open = tokens[index + 1];
    if (text !== "coalesce" || open?.text !== "(") return [];
    const comma = tokens.find((token, at) => at > index && token.text === "," && token.depth === open.depth + 1)!;
    return [
      {
        operator: "coalesce",
        start,
        end: tokens[closing(tokens, index + 1)]!.end,
        by: `(${body.slice(open.end, comma.start)})`,
      },
    ];
  });
}

/** Each constant of `in (a, b)` is left out once. */
function changesOfLists(tokens: Token[]): Change[] {
  return tokens.flatMap(({ text }, index): Change[] => {
    if (text !== "in" || tokens[index + 1]?.text !== "(") return [];
    const inside = tokens.slice(index + 2, closing(tokens, index + 1));
    const items = inside.filter((_, at) => at % 2 === 0);
    const isList =
      items.length > 1 &&
      items.every(({ kind }) => kind === "text" || kind === "number") &&
      inside.every((token, at) => at % 2 === 0 || token.text === ",");
    if (!isList) return [];
    return items.map((item, at) => ({
      operator: "list",
      start: at === 0 ? item.start : items[at - 1]!.end,
      end: at === 0 ? items[1]!.start : item.end,
      by: "",
    }));
  });
}

const endsOfKey = [",", ";", "limit", "for", "rows", "offset", "loop", "into", "returning", "union", "except"];

/** The opposite direction for each key of `order by`. */
function changesOfSequence(tokens: Token[]): Change[] {
  return tokens.flatMap(({ text, depth }, index): Change[] => {
    if (text !== "order" || tokens[index + 1]?.text !== "by") return [];
    const changes: Change[] = [];
    let isKey = true;
    for (let at = index + 2; isKey; at += 1) {
      const token = tokens[at];
      if (token && (token.depth > depth || (token.depth === depth && !endsOfKey.includes(token.text)))) continue;
      const last = tokens[at - 1]!;
      const isDescending = last.text === "desc";
      changes.push({
        operator: "sequence",
        start: isDescending ? last.start : last.end,
        end: last.end,
        by: isDescending ? "asc" : " desc",
      });
      isKey = token?.text === "," && token.depth === depth;
    }
    return changes;
  });
}

/** The conditions of `case when` and `filter (where …)`: the first is never met, the second always. */
function changesOfConditions(tokens: Token[]): Change[] {
  const changes: Change[] = [];
  /** For each open `case`: whether it compares with a value, and the start of the condition of its open `when`. */
  const cases: { hasValue: boolean; start: number | undefined }[] = [];
  tokens.forEach(({ text }, index) => {
    const inner = cases.at(-1);
    const next = tokens[index + 1];
    if (text === "case" && tokens[index - 1]?.text !== "end") {
      cases.push({ hasValue: next?.text !== "when", start: undefined });
    } else if (text === "end" && inner && next?.text !== "if" && next?.text !== "loop") {
      cases.pop();
    } else if (text === "when" && inner && !inner.hasValue) {
      inner.start = next!.start;
    } else if (text === "then" && inner?.start !== undefined) {
      changes.push({ operator: "condition", start: inner.start, end: tokens[index - 1]!.end, by: "false" });
      inner.start = undefined;
    } else if (text === "filter" && next?.text === "(") {
      changes.push({
        operator: "condition",
        start: tokens[index + 3]!.start,
        end: tokens[closing(tokens, index + 1) - 1]!.end,
        by: "true",
      });
    }
  });
  return changes;
}

/** The changes of parts of an expression or query. */
export function changesOfPhrases(tokens: Token[], body: string): Change[] {
  return [
    ...changesOfCoalesce(tokens, body),
    ...changesOfLists(tokens),
    ...changesOfSequence(tokens),
    ...changesOfConditions(tokens),
  ];
}

import type { Change } from "./change.ts";
import type { Token } from "../structure/sql_tokens.ts";

/** A statement of PL/pgSQL follows one of these. */
const before = ["begin", ";", "then", "else", "loop"];
const removable = ["perform", "insert", "update", "delete", "with", "select", "execute", "commit", "continue", "call"];
/** Functions that only raise. Their statement is covered by the condition before it. */
const raises = /^(fail|reject_\w+)$/;

/** The index of the first token after `from` with one of these texts, outside of brackets and `case`. */
function find(tokens: Token[], from: number, texts: string[]): number {
  let cases = 0;
  for (let at = from; at < tokens.length; at += 1) {
    const { text, depth } = tokens[at]!;
    if (depth > tokens[from]!.depth) continue;
    if (cases === 0 && texts.includes(text)) return at;
    if (text === "case") cases += 1;
    if (text === "end") cases -= 1;
  }
  return -1;
}

/** Whether the statement at an index only raises an error. */
function isRaise(tokens: Token[], at: number): boolean {
  if (tokens[at]?.text === "raise") return true;
  return tokens[at]?.text === "perform" && tokens[at + 1]?.text === "app" && raises.test(tokens[at + 3]?.text ?? "");
}

/** Whether the statement at an index only locks: `perform app.lock_order(…)`, `perform from … for update`. */
function isLock(tokens: Token[], at: number): boolean {
  return (
    tokens[at]!.text === "perform" &&
    tokens
      .slice(at + 1, at + 4)
      .some(({ text }, index) => /^(lock_|pg_advisory_)/.test(text) || (index === 0 && text === "from"))
  );
}

/** Whether an assignment starts at an index: `name.field[1] := …`. */
function isAssignment(tokens: Token[], at: number): boolean {
  const { kind, depth } = tokens[at]!;
  const length = tokens.slice(at).findIndex(({ text }) => text === ":=" || text === ";");
  if (kind !== "word" || tokens[at + length]?.text !== ":=") return false;
  const target = tokens.slice(at + 1, at + length).filter((token) => token.depth === depth);
  return target.every(({ text }, index) => ["[", "]", "."].includes(text) || target[index - 1]?.text === ".");
}

function changesOfIf(tokens: Token[], index: number): Change[] {
  const then = find(tokens, index + 1, ["then"]);
  const change = (by: string): Change => ({
    operator: "condition",
    start: tokens[index + 1]!.start,
    end: tokens[then - 1]!.end,
    by,
  });
  return isRaise(tokens, then + 1) ? [change("false")] : [change("false"), change("true")];
}

/** The changes of whole statements, and of their conditions. */
export function changesOfStatements(tokens: Token[]): Change[] {
  const first = tokens.findIndex(({ text }) => text === "begin");
  return tokens.flatMap(({ text, start }, index): Change[] => {
    if (index <= first || !before.includes(tokens[index - 1]!.text)) return [];
    if (text === "if" || text === "elsif") return changesOfIf(tokens, index);
    if (text === "while") {
      return [
        {
          operator: "condition",
          start: tokens[index + 1]!.start,
          end: tokens[find(tokens, index + 1, ["loop"]) - 1]!.end,
          by: "false",
        },
      ];
    }
    const end = find(tokens, index, [";"]);
    if (text === "exit" && tokens[index + 1]?.text === "when") {
      return [{ operator: "condition", start: tokens[index + 2]!.start, end: tokens[end - 1]!.end, by: "true" }];
    }
    if (isRaise(tokens, index) || !(removable.includes(text) || isAssignment(tokens, index))) return [];
    return [{ operator: isLock(tokens, index) ? "lock" : "statement", start, end: tokens[end - 1]!.end, by: "null" }];
  });
}

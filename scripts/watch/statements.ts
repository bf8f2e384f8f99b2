import { tokensOf } from "../structure/sql_tokens.ts";

/** A statement of a file of sql/. */
export interface Statement {
  text: string;
  /** The line at which it begins. */
  line: number;
  /** Its first words, by which a person finds it. */
  title: string;
  /** The function or procedure that it creates, with its schema. */
  routine?: string;
  /** How it is run on a store that has its objects already; undefined if it would change or lose rows. */
  again?: string;
}

/** What can be created anew without rows, and the statement that does it. */
const replaceable: [form: RegExp, again: string][] = [
  [/^create or replace /, "create or replace "],
  [/^create (?=view |trigger )/, "create or replace "],
  [/^create policy (\S+) on (\S+)/, "drop policy if exists $1 on $2;\n$&"],
  [/^(?:comment|grant|revoke) /, "$&"],
];

/** Reads the statements of a file of sql/. @throws Error at a text that is not SQL */
export function statementsOf(sql: string): Statement[] {
  const statements: Statement[] = [];
  let start: number | undefined;
  for (const token of tokensOf(sql)) {
    start ??= token.start;
    if (token.text !== ";" || token.depth > 0) continue;
    const text = sql.slice(start, token.start);
    const form = replaceable.find(([pattern]) => pattern.test(text));
    statements.push({
      text,
      line: sql.slice(0, start).split("\n").length,
      title: text.split(/[(\n]| is '/)[0]!.trim(),
      routine: /^create or replace (?:function|procedure) ([\w.]+)/.exec(text)?.[1],
      again: form && text.replace(...form),
    });
    start = undefined;
  }
  return statements;
}

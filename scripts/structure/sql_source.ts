import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { sourceFiles } from "../postgres/source_database.ts";

/** The folder sql/. */
const root = join(import.meta.dirname, "../../sql");

export interface SqlFile {
  /** Below sql/, such as `10_engine/settle.sql`. */
  path: string;
  text: string;
}

/** All files of sql/, in the order in which they are loaded. */
export const files: SqlFile[] = sourceFiles().map((path) => ({
  path: relative(root, path),
  text: readFileSync(path, "utf8"),
}));

export interface Routine {
  kind: string;
  name: string;
  /** The line of the file at which the statement starts. */
  line: number;
  /** The comment lines right above the statement. */
  above: string;
  /** From `create` to the body. */
  header: string;
  /** The whole `create` statement. */
  statement: string;
}

/** The functions and procedures that a file creates. */
export function routines(text: string): Routine[] {
  const pattern =
    /^((?:--.*\n)*)(create or replace (function|procedure) ((?:app|api)\.\w+)\([\s\S]*?^as (\$\w*\$)[\s\S]*?^\5;$)/gm;
  return [...text.matchAll(pattern)].map(({ index, 1: above, 2: statement, 3: kind, 4: name }) => ({
    kind: kind!,
    name: name!,
    line: text.slice(0, index + above!.length).split("\n").length,
    above: above!,
    header: statement!.slice(0, statement!.search(/^as \$/m)),
    statement: statement!,
  }));
}

/** The functions and procedures that a routine calls, once for each call. Names in texts and comments are none. */
export function callsOf({ statement }: Pick<Routine, "statement">): string[] {
  const code = statement
    .slice(statement.indexOf("("))
    .replace(/'(?:[^']|'')*'|--.*/g, (part) => (part.startsWith("--") ? "" : "''"));
  return [...code.matchAll(/\b((?:app|api)\.\w+)\(/g)].map(([, called]) => called!);
}

/** The functions, relations and types that a file creates. */
export function objects(text: string): { kind: string; schema: string; name: string }[] {
  const pattern =
    /^create (?:or replace |unlogged )?(function|procedure|table|view|materialized view|type|domain|sequence) (app|api)\.(\w+)/gm;
  return [...text.matchAll(pattern)].map(([, kind, schema, name]) => ({ kind: kind!, schema: schema!, name: name! }));
}

/** A function or procedure by its name with the schema. */
export function routine(name: string): Routine {
  const found = files.flatMap(({ text }) => routines(text)).find((candidate) => candidate.name === name);
  if (!found) throw new Error(`sql/ creates no function ${name}`);
  return found;
}

/** The `create table` statement of a table of schema app. */
export function table(name: string): string {
  const statement = files
    .map(
      ({ text }) =>
        new RegExp(`^create (?:unlogged )?table app\\.${name} \\([\\s\\S]*?^\\)[^;]*;`, "m").exec(text)?.[0],
    )
    .find((text) => text !== undefined);
  if (!statement) throw new Error(`sql/ creates no table app.${name}`);
  return statement;
}

/** The text of a comment on a function, without the quotes that join its lines. */
export function commentOn({ kind, name }: Routine): string {
  const comment =
    files
      .map(
        ({ text }) =>
          new RegExp(`^comment on ${kind} ${name.replace(".", "\\.")}\\b[\\s\\S]*?';$`, "m").exec(text)?.[0],
      )
      .find((text) => text !== undefined) ?? "";
  return comment.replaceAll(/'\n\s*'/g, "");
}

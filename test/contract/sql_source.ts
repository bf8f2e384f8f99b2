import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder sql/. */
const root = join(import.meta.dirname, "../../sql");

export interface SqlFile {
  path: string;
  text: string;
}

/** All files of sql/, in the order in which they are loaded. */
export const files: SqlFile[] = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".sql"))
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

export interface Routine {
  kind: string;
  name: string;
  /** From `create` to the body. */
  header: string;
  /** The whole `create` statement. */
  statement: string;
}

/** The functions and procedures that a file creates. */
export function routines(text: string): Routine[] {
  const pattern = /^create or replace (function|procedure) ((?:app|api)\.\w+)\([\s\S]*?^as (\$\w*\$)[\s\S]*?^\3;$/gm;
  return [...text.matchAll(pattern)].map((match) => ({
    kind: match[1]!,
    name: match[2]!,
    header: match[0].slice(0, match[0].search(/^as \$/m)),
    statement: match[0],
  }));
}

import { isApi } from "../postgres/source_database.ts";
import { files, objects, routines } from "./sql_source.ts";

export interface Module {
  /** The folder in sql/, such as `10_engine`. */
  name: string;
  files: number;
  lines: number;
  functions: number;
  /**
   * The numbers of the modules whose functions and relations its functions name. What is in its folder api may use
   * every module.
   */
  uses: string[];
}

/** The code of a function, without its comments, and without its string literals unless it executes dynamic SQL. */
function codeOf(statement: string): string {
  const code = statement.replaceAll(/--.*$/gm, "");
  return /\bexecute\b/.test(code) ? code : code.replaceAll(/'(?:[^']|'')*'/g, "''");
}

const moduleOf = (path: string) => path.slice(0, path.indexOf("/"));

/**
 * The modules of sql/ in load order. That none uses a later one is held by test/contract/modules.test.ts, from the
 * catalogue.
 */
export function modules(): Module[] {
  const homes = new Map<string, string>(
    files.flatMap(({ path, text }) =>
      objects(text).map(({ schema, name }) => [`${schema}.${name}`, moduleOf(path)] as const),
    ),
  );
  return [...new Set(files.map(({ path }) => moduleOf(path)))].map((name) => {
    const own = files.filter(({ path }) => moduleOf(path) === name);
    const functions = own.flatMap(({ text }) => routines(text));
    const named = own
      .filter(({ path }) => !isApi(path))
      .flatMap(({ text }) => routines(text))
      .flatMap(({ statement }) =>
        [...codeOf(statement).matchAll(/\b(?:app|api)\.\w+/g)].map(([used]) => homes.get(used)),
      );
    return {
      name,
      files: own.length,
      lines: own.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
      functions: functions.length,
      uses: [...new Set(named)]
        .filter((used) => used !== undefined && used !== name)
        .map((used) => used!.slice(0, 2))
        .sort(),
    };
  });
}

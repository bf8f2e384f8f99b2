import { files, routines } from "./sql_source.ts";

/** A file of sql/ and what stands in it of a path. */
export interface Stop {
  /** Below sql/. */
  file: string;
  functions: string[];
  /** The lines of these functions, with the comments above them. */
  lines: number;
}

/** Where a paid order comes in, and the job that settles it. From these, everything that its bill rows depend on is called. */
const FROM_PAYMENT_TO_BILL = ["api.record_payment_notification", "app.drain_settlement_jobs"];

/** What a reader opens to follow a paid order to its bill rows: every function that is called on the way, by file in load order. */
export function readingPath(from: string[] = FROM_PAYMENT_TO_BILL): Stop[] {
  const known = new Map(files.flatMap(({ path, text }) => routines(text).map(({ name, above, statement }) => [name, { path, above, statement }] as const)));
  const reached = new Set<string>();
  const follow = (name: string) => {
    const statement = known.get(name)?.statement;
    if (statement === undefined || reached.has(name)) return;
    reached.add(name);
    for (const [, called] of statement.replaceAll(/--.*$/gm, "").matchAll(/\b((?:app|api)\.\w+)\s*\(/g)) follow(called!);
  };
  from.forEach(follow);
  return files.map(({ path, text }): Stop => {
    const found = routines(text).filter(({ name }) => reached.has(name));
    return { file: path, functions: found.map(({ name }) => name), lines: found.reduce((sum, { above, statement }) => sum + `${above}${statement}`.split("\n").length, 0) };
  }).filter(({ functions }) => functions.length > 0);
}

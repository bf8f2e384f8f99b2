import { callsOf, files, routines } from "./sql_source.ts";

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
  const known = new Map(files.flatMap(({ text }) => routines(text).map((routine) => [routine.name, routine] as const)));
  const reached = new Set<string>();
  const follow = (name: string) => {
    const routine = known.get(name);
    if (routine === undefined || reached.has(name)) return;
    reached.add(name);
    callsOf(routine).forEach(follow);
  };
  from.forEach(follow);
  return files
    .map(({ path, text }): Stop => {
      const found = routines(text).filter(({ name }) => reached.has(name));
      return {
        file: path,
        functions: found.map(({ name }) => name),
        lines: found.reduce((sum, { above, statement }) => sum + `${above}${statement}`.split("\n").length, 0),
      };
    })
    .filter(({ functions }) => functions.length > 0);
}

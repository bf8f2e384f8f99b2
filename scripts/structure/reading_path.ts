import { callsOf, files, routines } from "./sql_source.ts";

/** A function on a path, and what it calls. */
export interface Call {
  name: string;
  /** Below sql/. */
  file: string;
  line: number;
  /** Whether it stands further above, where it is called first and has its calls. */
  isAbove: boolean;
  /** In the sequence of its text. A function of the ground stands only where it is called first. */
  calls: Call[];
}

/** A file of sql/ and what stands in it of a path. */
export interface Stop {
  /** Below sql/. */
  file: string;
  functions: string[];
  /** The lines of these functions, with the comments above them. */
  lines: number;
}

/**
 * Where a paid order comes in, and what settles it after the response. From these, everything that its bill rows depend
 * on is called.
 */
const FROM_PAYMENT_TO_BILL = ["api.record_payment_notification", "api.lead_settlement"];

/** How a paid order comes to its bill rows: which function calls which, in the sequence of their texts. */
export function callTree(from: string[] = FROM_PAYMENT_TO_BILL): Call[] {
  const known = new Map(
    files.flatMap(({ path, text }) =>
      routines(text).map((routine) => {
        const { name, line } = routine;
        return [name, { name, file: path, line, calls: [...new Set(callsOf(routine))] }] as const;
      }),
    ),
  );
  const reached = new Set<string>();
  const follow = (name: string): Call[] => {
    const routine = known.get(name);
    if (routine === undefined) return [];
    const isAbove = reached.has(name);
    if (isAbove && routine.file.startsWith("01_")) return [];
    reached.add(name);
    return [{ ...routine, isAbove, calls: isAbove ? [] : routine.calls.flatMap(follow) }];
  };
  return from.flatMap(follow);
}

/**
 * What a reader opens to follow a paid order to its bill rows: every function that is called on the way, by file in
 * load order.
 */
export function readingPath(from: string[] = FROM_PAYMENT_TO_BILL): Stop[] {
  const names = (calls: Call[]): string[] => calls.flatMap((call) => [call.name, ...names(call.calls)]);
  const reached = new Set(names(callTree(from)));
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

/** The variable that scripts/commands/test.ts sets to 1 for the long form. Only this file reads it. */
export const fullVariable = "STORE_TEST_FULL";

const full = process.env[fullVariable] === "1";

/** The reason for which tests of the long form are skipped; undefined in the long form. */
export const longFormOnly = full ? undefined : "only npm run test:full runs it";

/** The sizes of tests that have two forms: the short form for `npm test`, the long form for `npm run test:full`. */
export const testSize = {
  /** Number of random histories compared with the model (test/property). HISTORIES=<number> sets another one. */
  histories: Number(process.env.HISTORIES ?? (full ? 2_000 : 30)),
  /**
   * Number of random histories of the model alone, in which each closed branch is compared with a store of its own
   * (test/property), or which the kit decides too (test/kit).
   */
  branchHistories: full ? 2_000 : 80,
  /** Number of drafts that are simulated and put in force on random histories (test/property). */
  drafts: full ? 400 : 20,
  /** Number of random histories that are asked for ten past instants each (test/property/as_of.test.ts). */
  pastHistories: Number(process.env.HISTORIES ?? (full ? 200 : 10)),
  /** Number of random histories whose journals are checked, and of errors that are planted into one (test/journal). */
  journals: full ? 50 : 3,
  plantedErrors: full ? 100 : 12,
  /** Number of random histories of the store in which errors are planted, and of rows of each figure (test/planted). */
  plantedHistories: full ? 12 : 6,
  plantedRows: full ? 20 : 1,
  /** Number of edits of a sealed month, a list of seals and a proof that are to be named (test/seals). */
  sealEdits: full ? 1_000 : 50,
  /** How many events are sent to a receiver that fails by chance (test/api/webhooks.test.ts). */
  webhookEvents: full ? 10_000 : 300,
  /** Number of random bodies sent to each route (test/api/arbitrary_bodies.test.ts). */
  bodiesPerRoute: full ? 600 : 10,
  /** Members of the old system that is imported, with three orders each (test/commands/import.ci.test.ts). */
  importedMembers: full ? 100_000 : 1_000,
  /**
   * The share of all bad calls that are tried on each function of the database, at least one for each parameter
   * (test/contract/bad_arguments.test.ts, entry_points.test.ts).
   */
  badCalls: full ? 1 : 1 / 160,
  /**
   * How many thirds of the values that must not be logged are sent as each argument of a function. Neighbours get
   * others (test/contract/database_log.test.ts).
   */
  thirdsOfCanaries: full ? 3 : 1,
  /**
   * In how many of the four combinations of language, colour scheme and width each page of a site is opened. Neighbours
   * are opened in others (test/browser).
   */
  pageSettings: full ? 4 : 1,
  /** How long faults are injected (test/faults/faults.test.ts). */
  faultMinutes: full ? 10 : 0.5,
  /** How often the primary is killed (test/stack/failover.alone.test.ts). */
  failovers: full ? 4 : 1,
  /** How long a transaction holds a row that many need (test/faults/held_rows.waits.test.ts). */
  lockMs: full ? 60_000 : 12_000,
  /**
   * How often 500 bodies arrive slowly, and how long the edge function is idle afterwards
   * (test/faults/slow_bodies.test.ts).
   */
  slowBodyRounds: full ? 11 : 1,
  slowBodyIdleMs: full ? 300_000 : 2_000,
};

/**
 * Whether an element of a list is tried in this way, if each element is tried in only some of several ways. Its
 * neighbours are tried in others, so that every way occurs.
 */
export const isTriedIn = (way: number, place: number, ways: number, triedWays: number): boolean =>
  (place + way) % ways < triedWays;

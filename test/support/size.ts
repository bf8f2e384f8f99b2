/** The variable that `npm run test:full` sets to 1. Only this file reads it. */
export const fullVariable = "STORE_TEST_FULL";

const full = process.env[fullVariable] === "1";

/** The sizes of tests that have two forms: the short form for `npm test`, the long form for `npm run test:full`. */
export const testSize = {
  /** Number of random histories compared with the model (test/property). */
  histories: full ? 20_000 : 150,
  /** Number of drafts that are simulated and put in force on random histories (test/property). */
  drafts: full ? 4_000 : 80,
  /** Number of random bodies sent to each route (test/api/arbitrary_bodies.test.ts). */
  bodiesPerRoute: full ? 600 : 60,
  /** Members of the old system that is imported, with three orders each (test/commands/import.test.ts). */
  importedMembers: full ? 100_000 : 2_000,
  /** The share of all bad calls that are tried on each function of the database (test/contract/bad_arguments.test.ts). */
  badCalls: full ? 1 : 1 / 10,
  /** Combinations of language, colour scheme and width in which every page of a site is opened (test/browser/console_pages.test.ts, h5_pages.test.ts). */
  pageSettings: full ? 4 : 2,
};

/** Set to 1 by `npm run test:full`; nothing else reads it. */
export const fullVariable = "STORE_TEST_FULL";

const full = process.env[fullVariable] === "1";

/** How much the tests do that can do more: the short form of `npm test`, or the long one of `npm run test:full`. */
export const testSize = {
  /** Random histories that are held to the model (test/property). */
  histories: full ? 20_000 : 150,
  /** Drafts of plans and levels that are simulated and put in force on random histories (test/property). */
  drafts: full ? 4_000 : 80,
  /** Random bodies that each route is sent (test/api/arbitrary_bodies.test.ts). */
  bodiesPerRoute: full ? 600 : 60,
  /** The share of the bad calls that each function of the database is sent (test/contract/bad_arguments.test.ts). */
  badCalls: full ? 1 : 1 / 10,
  /** Combinations of language, colour scheme and width in which every page of the console is opened (test/browser/console_pages.test.ts). */
  pageSettings: full ? 4 : 2,
};

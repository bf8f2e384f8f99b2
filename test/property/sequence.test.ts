import fc from "fast-check";
import { test } from "vitest";
import { cloneDatabase, connect, rolledBack, seed, testSize } from "../support/index.ts";
import { PLANNER_SETTINGS } from "../../scripts/testing/planner.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { sequenceHistory } from "../../scripts/histories/history.ts";
import { runHistory } from "../../scripts/histories/run_history.ts";

// The plans that Postgres chooses depend on statistics and on the size of the tables, so a small store has only some of
// them. Here each kind of join is avoided in turn, and two of the three.
const SEED = seed();
const PAIRS = PLANNER_SETTINGS.map((kept) => PLANNER_SETTINGS.filter((name) => name !== kept));

// Guarantee money/settlement-sequence
test.each(
  [[], ...PLANNER_SETTINGS.map((name) => [name]), ...PAIRS].map((off) => ({
    off,
    title: off.length === 0 ? "all plans" : `no plan of ${off.join(" and ")}`,
  })),
)(
  "places, levels and amounts follow the sequence of payments, with $title",
  async ({ off }) => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    try {
      await prepareDatabase(sql);
      await fc.assert(
        fc.asyncProperty(sequenceHistory, (steps) =>
          rolledBack(sql, (transaction) => runHistory(transaction, [{ do: "planner", off }, ...steps], false)),
        ),
        { seed: SEED, numRuns: Math.ceil(testSize.histories / 15), endOnFailure: true },
      );
    } finally {
      await sql.end();
      await database.drop();
    }
  },
  60 * 60_000,
);

import fc from "fast-check";
import { test } from "vitest";
import { cloneDatabase, connect, seed, testSize } from "../support/index.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { draftHistory, tryDraft } from "./draft_history.ts";

const REPLAY_PATH = process.env.REPLAY_PATH;
const SEED = seed();
const TIMEOUT = 5 * 60 * 60_000;

class RolledBack extends Error {}

test(
  `the simulation of a draft pays the same as the draft in force (seed ${SEED})`,
  async () => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    const tryOne = fc.asyncProperty(draftHistory, async (history) => {
      const rolledBack = sql.begin(async (transaction) => {
        await tryDraft(transaction, history);
        throw new RolledBack();
      });
      await rolledBack.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error;
      });
    });
    try {
      await prepareDatabase(sql);
      const replay = REPLAY_PATH ? { path: REPLAY_PATH, endOnFailure: true } : {};
      const result = await fc.check(tryOne, { seed: SEED, numRuns: testSize.drafts, ...replay });
      if (!result.failed) return;
      throw new Error(`${(result.errorInstance as Error | null)?.message ?? "Too many drafts were rejected."}

The shortest history found: ${JSON.stringify(result.counterexample)}
Replay it with: SEED=${SEED} REPLAY_PATH=${result.counterexamplePath} npm test -- property/drafts`);
    } finally {
      await sql.end();
      await database.drop();
    }
  },
  TIMEOUT,
);

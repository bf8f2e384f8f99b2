import fc from "fast-check";
import { test } from "vitest";
import { cloneDatabase, connect, seed, testSize } from "../support/index.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { history, type Step } from "../../scripts/histories/history.ts";
import { runHistory } from "../../scripts/histories/run_history.ts";

// A failure prints the SEED and REPLAY_PATH to repeat it.
const HISTORIES = testSize.histories;
const REPLAY_PATH = process.env.REPLAY_PATH;
const WORKERS = REPLAY_PATH ? 1 : 2;
const FIRST_SEED = seed();
const SEEDS = Array.from({ length: WORKERS }, (_, worker) => FIRST_SEED + worker);
const COMMITTED_SEED = REPLAY_PATH ? FIRST_SEED : FIRST_SEED + WORKERS;
const TIMEOUT = 5 * 60 * 60_000;

class RolledBack extends Error {}

/**
 * What is rolled back leaves dead rows, which one vacuum after the other would visit. Each holds locks for which
 * compacting waits only briefly.
 */
const WITHOUT_VACUUM = `do $$
declare
  v_table regclass;
begin
  for v_table in select c.oid from pg_class as c where c.relnamespace = 'app'::regnamespace and c.relkind = 'r' loop
    execute format('alter table %s set (autovacuum_enabled = off)', v_table);
  end loop;
end
$$`;

/** Runs random histories one after the other. A failure prints how to repeat the shortest failing history. */
async function checkHistories(
  title: string,
  seed: number,
  count: number,
  run: (steps: Step[]) => Promise<void>,
): Promise<void> {
  const replay = REPLAY_PATH ? { path: REPLAY_PATH, endOnFailure: true } : {};
  const result = await fc.check(fc.asyncProperty(history, run), { seed, numRuns: count, ...replay });
  if (!result.failed) return;
  throw new Error(`${(result.errorInstance as Error | null)?.message}

The shortest history found: ${JSON.stringify(result.counterexample)}
Replay it with: SEED=${seed} REPLAY_PATH=${result.counterexamplePath} npm test -- property/histories -t "${title}"`);
}

// Guarantee rules/6-umbrella
// Guarantee money/release-sessions
// Guarantee money/rules-in-every-order: The rules hold in every order of events
// By: an independent model in TypeScript, scripts/model
// Guarantee operation/events-complete: What happens to a member or the store is told once: no cause without its event,
// no event without its cause
// By: the transaction of the cause, app.write_events
test.concurrent.each(SEEDS)(
  "the store matches the model after a random history that is rolled back (seed %i)",
  async (seed) => {
    const database = await cloneDatabase();
    const sql = connect(database.url);
    try {
      await prepareDatabase(sql);
      await sql.unsafe(WITHOUT_VACUUM);
      await checkHistories("rolled back", seed, Math.ceil(HISTORIES / WORKERS), async (steps) => {
        const rolledBack = sql.begin(async (transaction) => {
          await runHistory(transaction, steps, false);
          throw new RolledBack();
        });
        await rolledBack.catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
      });
    } finally {
      await sql.end();
      await database.drop();
    }
  },
  TIMEOUT,
);

// The release procedure commits, so these histories cannot be rolled back. Each needs a database of its own, which
// takes longer.
test.concurrent(
  `the store matches the model after a committed random history with the real release procedure (seed ${COMMITTED_SEED})`,
  () =>
    checkHistories("committed", COMMITTED_SEED, Math.ceil(HISTORIES / 50), async (steps) => {
      const database = await cloneDatabase();
      const [sql, nights] = [connect(database.url), connect(database.url, { max: 3 })];
      try {
        await prepareDatabase(sql);
        await runHistory(sql, steps, true, nights);
      } finally {
        await Promise.all([sql.end(), nights.end()]);
        await database.drop();
      }
    }),
  TIMEOUT,
);

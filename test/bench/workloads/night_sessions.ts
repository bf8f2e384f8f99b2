import { compareDurations } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import { night } from "../data/night.ts";
import { createHistory } from "../data/store_below_root.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { FROZEN_POINTS, releaseDay } from "./release.ts";

const SESSIONS = 2;
/** Days of an open month, all of which a night reads. */
const DAYS = 20;

/** A night of two sessions beside the same work in one. @param ours its store @param run one session of it */
async function compare(
  bench: Bench,
  name: string,
  ours: string,
  run: (url: string, round: number) => Promise<unknown>,
  rounds: number,
): Promise<Comparison> {
  const baseline = await bench.server.createDatabase(ours);
  await withSql(ours, (sql) => sql`update app.settings set night_sessions = ${SESSIONS}`);
  // The sessions of a night begin one reconciliation in a minute.
  const prepare = () => withSql(ours, (sql) => sql`update app.reconcile_runs set started_at = started_at - interval '1 hour'`);
  const measured = await compareDurations(
    bench,
    // Two sessions on two processors are at least 1.7 times as fast.
    { name, better: "lower", aim: 1 / 1.7 },
    { prepare, run: (round) => Promise.all(Array.from({ length: SESSIONS }, () => run(ours, round))) },
    { run: (round) => run(baseline, round) },
    rounds,
  );
  await bench.server.dropDatabases([ours, baseline]);
  return measured;
}

export const nightSessions: Workload = {
  name: "night_sessions",
  title: "Daily release and reconciliation in two sessions, each a range of the store, compared with one session",
  async run(bench) {
    const members = bench.size.released.at(-1)!;
    const rounds = members > 200_000 ? 3 : bench.size.rounds;
    const released = await createData(bench.server, { members, referrer: "null::bigint", prepare: FROZEN_POINTS });
    const release = await compare(bench, `release of ${members} members`, released, releaseDay, rounds);
    const checked = await createHistory(bench.server, bench.size.tree, DAYS, DAYS);
    const reconcile = await compare(
      bench,
      `reconciliation of ${bench.size.tree * DAYS} bill rows`,
      checked,
      (url) => withSql(url, night),
      rounds,
    );
    return [release, reconcile];
  },
};

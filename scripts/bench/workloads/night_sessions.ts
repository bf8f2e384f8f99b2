import type postgres from "postgres";
import { compareDurations } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import { night } from "../data/night.ts";
import { createHistory } from "../data/store_below_root.ts";
import { processorTime } from "../session_cost.ts";
import { median } from "../statistics.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { callRelease, FROZEN_POINTS } from "./release.ts";

const SESSIONS = 2;
/** Days of an open month, all of which a night reads. */
const DAYS = 20;

/** The work of one session of a night. */
type Session = (sql: postgres.Sql, round: number) => PromiseLike<unknown>;

/**
 * A night of two sessions beside the same work in one. The note has what does not depend on how busy the processors are
 * otherwise: the processor time of the session that took more, as a share of that of one session.
 * @param ours the store of the two sessions
 */
async function compare(
  bench: Bench,
  name: string,
  ours: string,
  session: Session,
  rounds: number,
): Promise<Comparison> {
  const { server } = bench;
  const baseline = await server.createDatabase(ours);
  await withSql(ours, (sql) => sql`update app.settings set night_sessions = ${SESSIONS}`);
  const most: number[] = [];
  const alone: number[] = [];
  const cost = (url: string, round: number) =>
    withSql(url, async (sql) => {
      const [{ pid }] = (await sql`select pg_backend_pid() as pid`) as unknown as [{ pid: number }];
      const before = processorTime(pid);
      await session(sql, round);
      return processorTime(pid) - before;
    });
  const measured = await compareDurations(
    bench,
    // Two sessions on two processors are at least 1.7 times as fast.
    { name, better: "lower", aim: 1 / 1.7 },
    {
      // The sessions of a night begin one reconciliation in a minute.
      prepare: () =>
        withSql(ours, (sql) => sql`update app.reconcile_runs set started_at = started_at - interval '1 hour'`),
      run: async (round) =>
        most.push(Math.max(...(await Promise.all(Array.from({ length: SESSIONS }, () => cost(ours, round)))))),
    },
    { run: async (round) => alone.push(await cost(baseline, round)) },
    rounds,
  );
  await server.dropDatabases([ours, baseline]);
  const share = median(most.slice(1).map((cpu, round) => cpu / alone[round + 1]!));
  return { ...measured, note: `the busier session ${share.toFixed(2)} of the processor time of one` };
}

export const nightSessions: Workload = {
  name: "night_sessions",
  title: "Daily release and reconciliation in two sessions, each a range of the store, compared with one session",
  async run(bench) {
    const members = bench.size.released.at(-1)!;
    const rounds = members > 200_000 ? 3 : bench.size.rounds;
    const released = await createData(bench.server, { members, referrer: "null::bigint", prepare: FROZEN_POINTS });
    const release = await compare(bench, `release of ${members} members`, released, callRelease, rounds);
    const checked = await createHistory(bench.server, bench.size.tree, DAYS, DAYS);
    const reconcile = await compare(
      bench,
      `reconciliation of ${bench.size.tree * DAYS} bill rows`,
      checked,
      night,
      rounds,
    );
    return [release, reconcile];
  },
};

import { compareDurations } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import type { Workload } from "../workload.ts";
import { FROZEN_POINTS, releaseDay } from "./release.ts";

const SESSIONS = 2;

export const nightSessions: Workload = {
  name: "night_sessions",
  title: "Daily release in two sessions, each a range of the members, compared with one session",
  async run(bench) {
    const members = bench.size.released.at(-1)!;
    const ours = await createData(bench.server, { members, referrer: "null::bigint", prepare: FROZEN_POINTS });
    const baseline = await bench.server.createDatabase(ours);
    await withSql(ours, (sql) => sql`update app.settings set night_sessions = ${SESSIONS}`);
    const measured = await compareDurations(
      bench,
      // Two sessions on two processors are at least 1.7 times as fast.
      { name: `${members} members`, better: "lower", aim: 1 / 1.7 },
      { run: (round) => Promise.all(Array.from({ length: SESSIONS }, () => releaseDay(ours, round))) },
      { run: (round) => releaseDay(baseline, round) },
      members > 200_000 ? 3 : bench.size.rounds,
    );
    await bench.server.dropDatabases([ours, baseline]);
    return [measured];
  },
};

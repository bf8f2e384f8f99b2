import type postgres from "postgres";
import { compareDurations, milliseconds } from "../compare.ts";
import { createData, loadFile, withSql } from "../data/load_data.ts";
import type { Comparison, Workload } from "../workload.ts";

const day = (number: number) => new Date(Date.UTC(2020, 0, 1 + number)).toISOString().slice(0, 10);
const MISSED = 7;

/** Gives every member frozen points without bill rows, which the release does not read here. */
export const FROZEN_POINTS =
  "update app.user_balances set frozen_points = 15000 + uid % 100, total_points_earned = 15000 + uid % 100";

/** Releases one business day after the other, like the daily job, at noon of each day. */
export function releaseDay(url: string, number: number): Promise<unknown> {
  return withSql(url, (sql) => callRelease(sql, number));
}

export const callRelease = (sql: postgres.Sql, number: number) =>
  sql`call app.release_frozen_points(null, ${noon(sql, number)})`;

const noon = (sql: postgres.Sql, number: number) =>
  sql`(${day(number)}::date + time '12:00') at time zone 'Asia/Shanghai'`;

/** What a release costs beside the bare statements. Where there are few members, its fixed part counts more. */
const expected = (members: number) => (members <= 10_000 ? { aim: 1.6, floor: 1.9 } : { aim: 1.3, floor: 1.4 });

export const release: Workload = {
  name: "release",
  title: "Daily release, compared with the same rows in the same chunks and commits",
  async run(bench) {
    const comparisons: Comparison[] = [];
    for (const members of bench.size.released) {
      const ours = await createData(bench.server, { members, referrer: "null::bigint", prepare: FROZEN_POINTS });
      await loadFile(ours, "release.sql");
      const baseline = await bench.server.createDatabase(ours);
      const run = (number: number) => releaseDay(ours, number);
      const rounds = members > 200_000 ? 3 : bench.size.rounds;
      const measured = await compareDurations(
        bench,
        { name: `${members} members`, better: "lower", ...expected(members) },
        { run },
        { run: (round) => withSql(baseline, (sql) => sql`call bench.write_release(${day(round)}::date)`) },
        rounds,
      );
      const [hot] = await withSql(
        ours,
        (sql) => sql<{ share: string; each: string }[]>`
        select round(100.0 * n_tup_hot_upd / n_tup_upd, 1) as share from pg_stat_user_tables where relname = 'user_balances'`,
      );
      const previous = comparisons.find((one) => one.unit === "ms" && one.name.endsWith("members"));
      comparisons.push({
        ...measured,
        note: `${hot?.share} % of updates HOT${previous ? `; ${(measured.ours / previous.ours).toFixed(1)} times ${previous.name}` : ""}`,
      });

      const again = await withSql(ours, async (sql) => {
        await sql`select 1`;
        return milliseconds({ run: () => callRelease(sql, rounds) }, 0);
      });
      comparisons.push({
        name: `${members} members, the same day again`,
        ours: again,
        baseline: measured.ours,
        unit: "ms",
        ratio: again / measured.ours,
        better: "lower",
        aim: 0.01,
      });
      if (members === bench.size.released[0]) {
        const missed = await milliseconds({ run: () => withSql(ours, (sql) => callRelease(sql, rounds + MISSED)) }, 0);
        comparisons.push({
          name: `${members} members, ${MISSED} missed days beside one`,
          ours: missed,
          baseline: measured.ours,
          unit: "ms",
          ratio: missed / measured.ours,
          better: "lower",
          aim: 7.2,
        });
      }
      await bench.server.dropDatabases([ours, baseline]);
    }
    return comparisons;
  },
};

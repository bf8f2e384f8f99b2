import { compareDurations } from "../compare.ts";
import { drain } from "../data/drain.ts";
import { createData, withSql } from "../data/load_data.ts";
import { compareTargets } from "../http/compare_targets.ts";
import type { BARE_READS } from "../http/bare_reads.ts";
import { createCallers, residentMegabytes, serve, type Served, withServed } from "../http/functions.ts";
import type { Target } from "../http/http_load.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const CALLERS = 64;
const DAYS = 11;
const ORDERS = 2_000;
const OF_MEMBERS = { aim: 0.6, floor: 0.53 };
const OF_LOG = { aim: 0.6, floor: 0.5 };
const MAX_GROWTH = 1.2;
/** With 20 rows per page. */
const DEEP = (10_000 - 1) * 20;

/** The store for reads: its release log has more than 10,000 pages, and it has a few articles. */
export async function createReadStore(bench: Bench): Promise<string> {
  const members = Math.max(bench.size.tree, Math.ceil((DEEP + 20) / DAYS));
  const url = await createData(bench.server, {
    members,
    referrer: RANDOM_TREE,
    paid: true,
    buyers: `bench.zipf_buyers(${ORDERS})`,
  });
  await withSql(url, async (sql) => {
    await sql`update app.user_balances set frozen_points = frozen_points + 10000 + uid, total_points_earned = total_points_earned + 10000 + uid`;
    await drain(url);
    // Each on its own day: the release of a day that was missed gives nothing for points that came later.
    for (let day = 1; day <= DAYS; day += 1)
      await sql`call app.release_frozen_points(app.business_day(now() + ${day} * interval '1 day'), now() + ${day} * interval '1 day', 1000)`;
    await sql`with category as (insert into app.article_categories (title, is_sign_in_ad) values ('Sign-in', true) returning id)
      insert into app.articles (cid, title, content) select category.id, 'Article ' || i, repeat('Text of an article. ', 20) from category, generate_series(1, 10) as i`;
    await sql.unsafe("vacuum full analyze app.user_balances");
    await sql.unsafe("vacuum analyze");
  });
  return url;
}

/** Starts a function and waits until it responds. */
async function startOnce(name: Served, url: string): Promise<void> {
  const served = await serve(name, url);
  await served.stop();
}

export const httpReads: Workload = {
  name: "http_reads",
  title: "Reads over HTTP, compared with Hono with a token and one statement that reads the same data",
  async run(bench) {
    const url = await createReadStore(bench);
    const {
      admins: [admin = ""],
      members,
    } = await createCallers(url, CALLERS);
    const [page] = await withSql(
      url,
      (sql) => sql<{ cursor: string }[]>`
      select app.make_cursor(add_time, id) as cursor from app.points_release_log order by add_time desc, id desc offset ${DEEP - 1} limit 1`,
    );
    const coldStarts = await compareDurations(
      bench,
      { name: "cold start of api beside that of the ladder", better: "lower" },
      { run: () => startOnce("api", url) },
      { run: () => startOnce("ladder", url) },
    );
    const comparisons = await withServed(
      ["api", "adminapi", "ladder"],
      url,
      async ({ api, adminapi, ladder }): Promise<Comparison[]> => {
        const asMembers = (path: string) => members.map(({ token }) => ({ path, token }));
        const memory = { halfway: 0, end: 0 };
        const log = { base: adminapi.base, requests: [{ path: "/adminapi/hjf/points/release_log", token: admin }] };
        const bare = (read: keyof typeof BARE_READS) => ({
          name: `${read} by hand`,
          base: ladder.base,
          requests: asMembers(`/ladder/${read}`),
        });
        const ladders = await compareTargets(
          bench,
          { name: "bare select by key", base: ladder.base, requests: asMembers("/ladder/select") },
          [
            { name: "rung: Hono hello", base: ladder.base, requests: [{ path: "/ladder/hello" }] },
            { name: "rung: + token", base: ladder.base, requests: asMembers("/ladder/token") },
            { name: "rung: + bare select by key + role", base: ladder.base, requests: asMembers("/ladder/role") },
            { name: "required_article", base: api.base, requests: [{ path: "/api/sign/required_article" }] },
          ],
        );
        const reads: Comparison[] = [];
        const pairs: [keyof typeof BARE_READS, Target & Pick<Comparison, "aim" | "floor">][] = [
          ["overview", { base: api.base, requests: asMembers("/api/hjf/assets/overview"), ...OF_MEMBERS }],
          ["progress", { base: api.base, requests: asMembers("/api/hjf/brokerage/progress"), ...OF_MEMBERS }],
          ["release_log", { ...log, ...OF_LOG }],
          ["me", { base: api.base, requests: asMembers("/api/user") }],
        ];
        for (const [read, target] of pairs) {
          reads.push(
            ...(await compareTargets(bench, bare(read), [{ name: read, ...target }], (round) => {
              memory[round <= bench.size.rounds / 2 ? "halfway" : "end"] = residentMegabytes(api.pid);
            })),
          );
        }
        const [deep] = await compareTargets(bench, { name: "page 1", ...log }, [
          {
            name: "release_log, page 10,000 beside page 1",
            aim: 1 / 1.2,
            base: adminapi.base,
            requests: [{ path: `/adminapi/hjf/points/release_log?cursor=${page?.cursor}`, token: admin }],
          },
        ]);
        return [
          ...reads,
          ...ladders,
          deep as Comparison,
          coldStarts,
          {
            name: "memory of api, end beside half-way",
            better: "lower",
            unit: "MB",
            ours: memory.end,
            baseline: memory.halfway,
            ratio: memory.end / memory.halfway,
            aim: MAX_GROWTH,
          },
        ];
      },
    );
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};

import { isDeepStrictEqual } from "node:util";
import { compareLoads, milliseconds } from "../compare.ts";
import { createData, withSql } from "../data/load_data.ts";
import { createCallers } from "../http/functions.ts";
import type { Bench, Comparison, Workload } from "../workload.ts";
import { RANDOM_TREE } from "./settle.ts";

const CLIENTS = 4;
/** The longest that a search may take, in milliseconds. */
const LONGEST = 100;

/**
 * What is searched for, and the same lookup by hand: the rows of the one kind that has any, as the owner of the tables.
 * $1 is the text.
 */
const SEARCHES = [
  {
    name: "a member by number",
    text: (members: number) => String(members),
    kind: "members",
    bare: `select u.uid from app.users as u where u.uid = $1::bigint`,
  },
  {
    name: "members by the beginning of the name",
    text: () => "member 1",
    kind: "members",
    bare: `select u.uid from app.users as u where lower(u.nickname) like 'member 1%' order by lower(u.nickname) using ~<~ limit 5`,
  },
  {
    name: "orders by the end of the number",
    text: (members: number) => `-${members}`,
    kind: "orders",
    bare: `select o.id from app.orders as o where reverse(o.order_no) like reverse($1) || '%' order by reverse(o.order_no) using ~<~ limit 5`,
  },
  {
    name: "nobody",
    text: () => "nobody has this name",
    kind: "members",
    bare: `select u.uid from app.users as u where lower(u.nickname) like 'nobody has this name%' order by lower(u.nickname) using ~<~ limit 5`,
  },
] as const;

const idsOf = (rows: Record<string, unknown>[]) => rows.map((row) => String(row.uid ?? row.id)).sort();

export const search: Workload = {
  name: "search",
  title: "Search of an administrator for everything, compared with the one lookup that finds it, written by hand",
  async run(bench: Bench) {
    const members = bench.size.members.at(-1) ?? 0;
    const url = await createData(bench.server, { members, referrer: RANDOM_TREE });
    await createCallers(url, 1);
    const load = { url, clients: CLIENTS, transactions: Math.ceil(bench.size.requests / CLIENTS / 4) };
    const comparisons: Comparison[] = [];
    const admin = await withSql(url, async (sql) => {
      // Bill rows, as many as members, and as many products as a large shop has.
      await sql`
        insert into app.user_bill (uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after, add_time)
        select u.uid, 'frozen_points_release', 'release', -1, 1, 1, 1, 0, 0, 1, now() from app.users as u order by u.uid`;
      await sql`insert into app.products (title, price) select 'Product ' || i, 1 from generate_series(1, 2000) as i`;
      await sql.unsafe("vacuum analyze");
      const [row] = await sql<{ id: string }[]>`select id from auth.users where role = 'store_admin'`;
      return row!.id;
    });
    const claims = JSON.stringify({ sub: admin, role: "store_admin" });
    for (const { name, text, kind, bare } of SEARCHES) {
      const sought = text(members);
      const ours = `select entry.search('${claims}', 'store_admin', 'bench', '${JSON.stringify({ p_text: sought })}')::text;`;
      const byHand = `${bare.replaceAll("$1", `'${sought}'`)};`;
      const slowest = await withSql(url, async (sql) => {
        const [row] = await sql.unsafe<{ found: Record<string, Record<string, unknown>[]> }[]>(
          ours.replace("::text;", "::jsonb as found;"),
        );
        const expected = await sql.unsafe(byHand);
        if (!isDeepStrictEqual(idsOf(row!.found[kind]!), idsOf(expected)))
          throw new Error(
            `The search for ${name} does not find what the statement by hand finds:\n${JSON.stringify(row!.found)}`,
          );
        const times: number[] = [];
        for (let turn = 0; turn < 5; turn += 1) times.push(await milliseconds({ run: () => sql.unsafe(ours) }, 0));
        return Math.max(...times);
      });
      comparisons.push(
        await compareLoads(
          bench,
          { name: `${name}, ${members} members`, better: "higher" },
          { ...load, script: ours },
          { ...load, script: byHand },
        ),
        {
          name: `${name}: the slowest of five`,
          ours: slowest,
          baseline: LONGEST,
          ratio: slowest / LONGEST,
          unit: "ms",
          better: "lower",
          aim: 1,
        },
      );
    }
    await bench.server.dropDatabases([url]);
    return comparisons;
  },
};

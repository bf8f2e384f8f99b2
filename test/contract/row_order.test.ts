import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { unorderedRows } from "./row_order.ts";
import { files } from "../../scripts/structure/sql_source.ts";

const shards = readdirSync(join(projectRoot, "scripts/scale/shards"))
  .filter((name) => name.endsWith(".sql"))
  .map((name) => `scripts/scale/shards/${name}`);
const checked = [...files, ...shards.map((path) => ({ path, text: readFileSync(join(projectRoot, path), "utf8") }))];

const TABLE = "create table app.numbers (\n  id bigint generated always as identity primary key,\n  n integer\n);\n";
const found = (code: string) => unorderedRows([{ path: "planted.sql", text: `${TABLE}as $$\n${code};\n$$;` }]);

describe("sql/ and the scripts of shards", () => {
  it("rely on no order of rows that no statement says", () => {
    expect(checked.map(({ path }) => path)).toContain("scripts/scale/shards/home.sql");
    expect(unorderedRows(checked).faults).toEqual([]);
  });

  it("state no reason where an order is said or not needed", () => {
    expect(unorderedRows(checked).unused).toEqual([]);
  });
});

describe("the check", () => {
  it.each([
    [
      "array() of a query",
      "v_orders := array(select o from unnest(p_orders) as o where not exists (select from app.settlements as s where s.order_id = o.id order by 1))",
    ],
    ["aggregate", "select array_agg(o.id) from app.orders as o"],
    [
      "aggregate",
      "select string_agg(o.id::text, ', ') from (select p.id from app.orders as p order by p.id) as o join app.users as u using (uid)",
    ],
    ["limit", "select o.id from app.orders as o limit 1"],
    ["limit", "select o.id from (select p.id from app.orders as p order by p.id) as o limit 1"],
    ["loop", "for v_order in select o.* from app.orders as o loop perform app.settle(v_order); end loop"],
    [
      "loop",
      "for v_id, v_uid in select o.id, o.uid from app.orders as o loop perform app.settle(v_id, v_uid); end loop",
    ],
    [
      "dynamic query",
      "for v_order in execute format('select o.id from %s as o', p_table) loop perform app.settle(v_order); end loop",
    ],
    ["select into", "select n.n into v_n from app.numbers as n where n.n > 0"],
    [
      "select into",
      "if found then select n.id, (select count(*) from app.users as u) into v_id, v_users from app.numbers as n",
    ],
    ["select into", "select n.id into v_id from app.numbers as n join app.numbers as m on m.n = n.n where n.id = p_id"],
    ["number of a row", "select row_number() over (partition by o.uid) from app.orders as o"],
    ["distinct on", "select distinct on (o.uid) o.id from app.orders as o"],
    [
      "nextval",
      "insert into app.levels (grade, position) select l.grade, nextval('app.positions') from unnest(p_levels) as l",
    ],
    ["insert of numbered rows", "insert into app.numbers (n) select o.n from app.orders as o"],
  ])("finds this %s without an order: %s", (what, code) => {
    expect(found(code).faults).toEqual([expect.stringContaining(what)]);
  });

  it.each([
    ["a sorted array", "v_orders := array(select o from unnest(p_orders) as o order by o.paid_at, o.id)"],
    [
      "a set",
      "select from app.orders as o where o.id = any (array(select p.id from app.orders as p)) and array[1] <@ array(select p.id from app.orders as p)",
    ],
    [
      "a sorted aggregate",
      "select array_agg(o.id order by o.id) filter (where o.uid > 0), jsonb_agg(distinct o.uid) from app.orders as o",
    ],
    ["a limit of rows that are counted", "select count(*) from (select from app.orders as o limit 20) as n"],
    ["a sum over a window", "select count(*) over (partition by o.uid) from app.orders as o"],
    ["a row of values", "insert into app.numbers (n) values (nextval('app.positions'))"],
    ["one row without a table", "insert into app.numbers (n) select 1 where v_is_needed"],
    [
      "a sorted dynamic loop",
      "for v_id, v_n in execute format('select o.id, o.n from %s as o order by o.id', p_table) loop end loop",
    ],
    ["a row by its key", "select n.* into v_number from app.numbers as n where n.id = p_id and n.n > 0 for update"],
    [
      "a sum of all rows",
      "select coalesce(sum(n.n), 0), greatest(max(n.n), 1) into v_sum, v_most from app.numbers as n",
    ],
    ["a row that is written", "update app.numbers as n set n = 1 where n.n = 0 returning n.* into v_number"],
    ["words in texts and comments", "-- array(select\nselect 'limit'"],
  ])("accepts %s", (_what, code) => {
    expect(found(code).faults).toEqual([]);
  });

  it("accepts a stated reason, and reports one that nothing needs", () => {
    const code = "-- Row order: a set.\nselect array_agg(o.id) from app.orders as o";
    expect(found(code)).toEqual({ faults: [], unused: [] });
    expect(found(`${code} order by 1;\n-- Row order: a set.\nselect 1`).unused).toHaveLength(1);
  });
});

import { describe, expect, it } from "vitest";
import { unorderedRows } from "./row_order.ts";
import { files } from "../../scripts/structure/sql_source.ts";

const TABLE = "create table app.numbers (\n  id bigint generated always as identity,\n  n integer\n);\n";
const found = (code: string) => unorderedRows([{ path: "planted.sql", text: `${TABLE}as $$\n${code};\n$$;` }]);

describe("sql/", () => {
  it("relies on no order of rows that no statement says", () => {
    expect(unorderedRows(files).faults).toEqual([]);
  });

  it("states no reason where an order is said or not needed", () => {
    expect(unorderedRows(files).unused).toEqual([]);
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
    ["number of a row", "select row_number() over (partition by o.uid) from app.orders as o"],
    ["distinct on", "select distinct on (o.uid) o.id from app.orders as o"],
    ["nextval", "insert into app.levels (grade, position) select l.grade, nextval('app.positions') from unnest(p_levels) as l"],
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
    ["a sorted aggregate", "select array_agg(o.id order by o.id) filter (where o.uid > 0), jsonb_agg(distinct o.uid) from app.orders as o"],
    ["a limit of rows that are counted", "select count(*) from (select from app.orders as o limit 20) as n"],
    ["a sum over a window", "select count(*) over (partition by o.uid) from app.orders as o"],
    ["a row of values", "insert into app.numbers (n) values (nextval('app.positions'))"],
    ["one row without a table", "insert into app.numbers (n) select 1 where v_is_needed"],
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

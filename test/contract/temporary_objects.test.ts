import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "../support/index.ts";
import { type DatabaseFunction, statementOf, loadFixture } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// A role that may create temporary objects can shadow a type that a security definer function uses. A check constraint
// of the shadowing type then runs as the owner. Client roles lack the privilege. The test grants it and calls every
// security definer function that they can execute, with shadowing types and tables in place.

/** Creates, as store_api, a temporary type or table that shadows each one that a function could use. */
const TRAPS = `
  create sequence pg_temp.runs_as_owner;
  grant usage on sequence pg_temp.runs_as_owner to public;
  create function pg_temp.evil() returns pg_catalog.bool language plpgsql as $$
  begin
    if current_user = 'postgres' then
      perform pg_catalog.nextval('pg_temp.runs_as_owner'::pg_catalog.regclass);
    end if;
    return true;
  end $$;
  grant execute on function pg_temp.evil() to public;
  do $$
  declare
    v_statement pg_catalog.text;
  begin
    for v_statement in
      select pg_catalog.format('create domain pg_temp.%I as %I.%I check (pg_temp.evil())', t.typname, n.nspname, t.typname)
      from pg_catalog.pg_type as t join pg_catalog.pg_namespace as n on n.oid = t.typnamespace
      where n.nspname in ('pg_catalog', 'app') and t.typtype in ('b', 'c') and t.typname !~ '^_' and (t.typrelid = 0 or n.nspname = 'app')
        and pg_catalog.has_type_privilege(t.oid, 'usage')
        -- A table's type shares its name with the table; those are taken below.
        and not exists (select from pg_catalog.pg_class as c where c.reltype = t.oid and c.relkind <> 'c')
    loop
      execute v_statement;
    end loop;
    for v_statement in
      select pg_catalog.format('create temporary view %I as select 1 as id where pg_temp.evil()', c.relname)
      from pg_catalog.pg_class as c
      where c.relkind in ('r', 'p', 'v') and c.relnamespace in ('pg_catalog'::pg_catalog.regnamespace, 'app'::pg_catalog.regnamespace) and not c.relispartition
    loop
      execute v_statement;
    end loop;
  end $$;`;

/** Calls of the security definer functions in schema app that client roles may execute. */
const INTERNALS: Record<string, string> = {
  "app.current_uid": "select app.current_uid()",
  "app.call_tool": "select app.call_tool('get_settings', 'get_settings', '{}')",
  "app.key_name_json": "select app.key_name_json(1)",
  "app.webhook_name": "select app.webhook_name(1)",
  "app.current_era": "select app.current_era()",
  "app.you_would_earn": "select app.you_would_earn(array(select p from app.products as p))",
  "app.picture_of_product": "select app.picture_of_product(1)",
  "app.pictures_of_refund": "select app.pictures_of_refund(1)",
  "app.find_products": "select app.find_products('flag')",
  "app.late_jobs": "select * from app.late_jobs('2026-11-20T04:00:00Z', 'reconcile_bill')",
  "app.scheduler_state": "select app.scheduler_state('2026-11-20T04:00:00Z')",
  "app.idle_administrators": "select app.idle_administrators()",
  "app.month_bounds": "select app.month_bounds('2026-11-01')",
  "app.order_expires_at": "select app.order_expires_at(o) from app.orders as o",
  "app.require_admin": "select app.require_admin()",
  "app.find_response": "select app.find_response('key', 'x', now())",
  "app.store_response": "select app.store_response('key', 'x', '{}', '2026-11-20T04:00:00Z')",
};

/** What the login role calls before it becomes a caller. */
const BEFORE_CALLS: Record<string, string> = { "app.schema_version": "select app.schema_version()" };

let clone: ClonedDatabase;
let sql: postgres.Sql;
/** A connection of its own, for which nothing is shadowed. */
let untouched: postgres.Sql;
let functions: DatabaseFunction[];
let ids: Ids;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  ({ functions, ids } = await loadFixture(sql));
  // A cloned database has no pg_cron.
  await sql.unsafe(readFileSync(join(projectRoot, "scripts/postgres/platform/04_cron_stand_in.sql"), "utf8"));
  await sql`do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`;
  await sql`grant store_api to postgres`;
  untouched = connect(clone.url);
  // The former search path of every function: without pg_temp in it, types are looked up in pg_temp first.
  await sql.unsafe(`
    create function app.careless() returns text language plpgsql security definer set search_path = '' as $$
    declare v_text text := 'x'; begin return v_text; end $$;
    grant execute on function app.careless() to store_api;
    set role store_api;
    ${TRAPS}`);
});

afterAll(async () => {
  await Promise.all([sql.end(), untouched.end()]);
  await clone.drop();
});

/**
 * Runs a statement and rolls it back.
 * @returns its result without what differs between two runs: snapshots, numbers of records, times and random keys
 */
async function resultOf(
  connection: postgres.Sql,
  statement: string,
  parameters: string[],
  claims?: object,
): Promise<string> {
  const rows = await rolledBack(connection, async (transaction) => {
    if (connection === untouched) await transaction`set local role store_api`;
    if (claims)
      await transaction`select set_config('request.jwt.claims', ${JSON.stringify(claims)}, true), set_config('role', 'store_admin', true)`;
    return transaction.unsafe(statement, parameters);
  });
  return JSON.stringify(rows)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "key")
    .replaceAll(/\d+:\d+:[\d,]*/g, "snapshot")
    .replaceAll(/\d+/g, "0");
}

/**
 * Runs a statement with the shadowing objects in place, and compares its result.
 * @returns how often the caller's code ran as the owner
 */
async function runsAsOwner(statement: string, parameters: string[], claims?: object): Promise<number> {
  const count = async () =>
    Number((await sql`select last_value - (not is_called)::int as runs from pg_temp.runs_as_owner`)[0]!.runs);
  const before = await count();
  const result = await resultOf(sql, statement, parameters, claims);
  const after = await count();
  expect(result).toBe(await resultOf(untouched, statement, parameters, claims));
  return after - before;
}

describe("temporary objects of a client role", () => {
  it("exploit a function whose search path leaves pg_temp first, so the test can detect one", async () => {
    expect(await runsAsOwner("select app.careless()", [])).toBeGreaterThan(0);
  });

  it("are tried on every security definer function that a client role can execute", async () => {
    const reachable = await sql<{ name: string }[]>`
      select pg_catalog.format('%s.%s', n.nspname, p.proname) as name
      from pg_catalog.pg_proc as p join pg_catalog.pg_namespace as n on n.oid = p.pronamespace
      where p.prosecdef and n.nspname in ('app', 'api') and p.proname <> 'careless' and exists (
        select from pg_catalog.unnest('{anon, authenticated, store_admin, service_role, store_api}'::pg_catalog.name[]) as r (name)
        where pg_catalog.has_function_privilege(r.name, p.oid, 'execute')
      )`;
    const tried = new Set([...Object.keys(validCalls({})), ...Object.keys(INTERNALS), ...Object.keys(BEFORE_CALLS)]);
    expect(reachable.length).toBeGreaterThan(40);
    expect(reachable.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
  });

  it.each(Object.keys(validCalls({})).filter((name) => name.startsWith("api.")))(
    "execute nothing as the owner in %s, which returns its normal result",
    async (name) => {
      const target = functions.find((each) => each.name === name)!;
      const valid = validCalls(ids)[name]!;
      expect(await runsAsOwner(...statementOf(target, valid, valid.args, ids))).toBe(0);
    },
  );

  it.each(Object.entries(INTERNALS))(
    "execute nothing as the owner in %s, which returns its normal result",
    async (_, statement) => {
      expect(await runsAsOwner(statement, [], { role: "store_admin", sub: ids.admin_account })).toBe(0);
    },
  );

  it.each(Object.entries(BEFORE_CALLS))(
    "execute nothing as the owner in %s, which the login role calls",
    async (_, statement) => {
      expect(await runsAsOwner(statement, [])).toBe(0);
    },
  );
});

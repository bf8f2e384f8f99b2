import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacking } from "../../scripts/testing/context.ts";
import { type ClonedDatabase, cloneDatabase, connect, skipFor } from "../support/index.ts";
import { isApi } from "../../scripts/postgres/source_database.ts";
import { files, objects, routines } from "../../scripts/structure/sql_source.ts";

// A module of sql/ uses only modules with the same or a lower number, and no folder api/. A folder api/ uses every
// module, and other folders api/ only for reads (docs/decisions/0070). What uses what is read from the catalogue of a
// scratch database: Postgres records the dependencies of tables, keys, triggers, policies and, once their bodies are
// standard SQL, of SQL functions; plpgsql_check finds those of PL/pgSQL. What only exists at run time is listed below.

/** Where a thing stands: the number of its module, and whether it is in the folder api of the module. */
interface Place {
  module: number;
  isApi: boolean;
}

/** A thing that stands in a file of sql/, such as `function app.settle_orders`, and its place. */
const modules = new Map(
  files.flatMap(({ path, text }) => [
    ...objects(text).map(({ kind, schema, name }): [string, Place] => [
      `${kind === "function" || kind === "procedure" ? "function" : "relation"} ${schema}.${name}`,
      placeOf(path),
    ]),
    ...[...text.matchAll(/^create (?:constraint )?trigger (\w+)[^;]*? on (\w+\.\w+)/gm)].map(
      ([, name, table]): [string, Place] => [`trigger ${name} on ${table}`, placeOf(path)],
    ),
    ...[...text.matchAll(/^create policy (\w+) on (\w+\.\w+)/gm)].map(([, name, table]): [string, Place] => [
      `policy ${name} on ${table}`,
      placeOf(path),
    ]),
    ...[...text.matchAll(/^alter table (\w+\.\w+) add constraint (\w+) foreign key/gm)].map(
      ([, table, name]): [string, Place] => [`key ${name} on ${table}`, placeOf(path)],
    ),
  ]),
);

function placeOf(path: string): Place {
  return { module: Number(path.slice(0, 2)), isApi: isApi(path) };
}

/** Functions that compute the name of what they call or read, and what that can be. */
const COMPUTED: Record<string, string> = {
  "app.call_api": "a function of schema api, which a caller names (every module has some)",
  "app.reconcile": "a check that app.reconcile_checks lists, all in the same module",
};

interface Use {
  user: string;
  used: string;
}

/** The names of schema app and api in the string literals of functions: dynamic SQL. */
const dynamicUses: Use[] = files
  .flatMap(({ text }) => routines(text))
  .filter(({ statement }) => /\bexecute\b/.test(statement))
  .flatMap(({ name, statement }) =>
    [...statement.matchAll(/'(?:[^']|'')*'|\$(\w+)\$[\s\S]*?\$\1\$/g)]
      .flatMap(([literal]) => [...literal.matchAll(/\b(app|api)\.(\w+)/g)])
      .flatMap(([used]) => ["function", "relation"].map((kind) => `${kind} ${used}`))
      .filter((used) => modules.has(used))
      .map((used) => ({ user: `function ${name}`, used })),
  );

function isAllowed(user: Place, used: Place, name: string): boolean {
  if (!user.isApi) return !used.isApi && used.module <= user.module;
  return !used.isApi || used.module === user.module || name.startsWith("function api.get_");
}

const named = ({ module, isApi }: Place) => (isApi ? `api of module ${module}` : `module ${module}`);
const upward = (uses: Use[]) =>
  uses
    .map(({ user, used }) => ({ user, used, from: modules.get(user), to: modules.get(used) }))
    .filter(({ from, to, used }) => from && to && !isAllowed(from, to, used))
    .map(({ user, used, from, to }) => `${user} (${named(from!)}) uses ${used} (${named(to!)})`);

describe("a module uses no module with a higher number", () => {
  let clone: ClonedDatabase;
  let sql: ReturnType<typeof connect>;

  /**
   * Creates every function whose body is a text of SQL again with a body of standard SQL, whose dependencies Postgres
   * records.
   */
  async function parseBodies(): Promise<string[]> {
    const functions = await sql<{ name: string; definition: string; body: string }[]>`
      select p.pronamespace::regnamespace || '.' || p.proname as name, pg_get_functiondef(p.oid) as definition, p.prosrc as body
      from pg_proc as p join pg_language as l on l.oid = p.prolang
      where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and l.lanname = 'sql' and p.prosqlbody is null`;
    const failed: string[] = [];
    for (const { name, definition, body } of functions) {
      const header = definition.slice(0, definition.lastIndexOf("AS $"));
      await sql
        .unsafe(`${header} begin atomic ${body.replace(/;\s*$/, "")}; end`)
        .catch((error: Error) => failed.push(`${name}: ${error.message}`));
    }
    return failed;
  }

  /** What the catalogue records: for each object of the store, the objects that it needs. */
  async function recordedUses(): Promise<Use[]> {
    return await sql<Use[]>`
      with named as (
        select 'pg_proc'::regclass as classid, p.oid, 'function ' || p.pronamespace::regnamespace || '.' || p.proname as name from pg_proc as p
        union all select 'pg_class'::regclass, c.oid, 'relation ' || c.relnamespace::regnamespace || '.' || c.relname from pg_class as c
        union all select 'pg_type'::regclass, t.oid, 'relation ' || t.typnamespace::regnamespace || '.' || ltrim(t.typname, '_') from pg_type as t
        union all select 'pg_attrdef'::regclass, d.oid, 'relation ' || d.adrelid::regclass from pg_attrdef as d
        union all select 'pg_rewrite'::regclass, r.oid, 'relation ' || r.ev_class::regclass from pg_rewrite as r
        union all select 'pg_trigger'::regclass, t.oid, 'trigger ' || t.tgname || ' on ' || t.tgrelid::regclass from pg_trigger as t where not t.tgisinternal
        union all select 'pg_policy'::regclass, p.oid, 'policy ' || p.polname || ' on ' || p.polrelid::regclass from pg_policy as p
        union all
        select 'pg_constraint'::regclass, c.oid, case when c.contype = 'f' then 'key ' || c.conname || ' on ' || c.conrelid::regclass else 'relation ' || c.conrelid::regclass end
        from pg_constraint as c where c.conrelid <> 0 and c.conparentid = 0
      )
      select distinct u.name as user, o.name as used
      from pg_depend as d
      join named as u on (u.classid, u.oid) = (d.classid, d.objid)
      join named as o on (o.classid, o.oid) = (d.refclassid, d.refobjid)
      where u.name <> o.name`;
  }

  /** What plpgsql_check finds in PL/pgSQL. A trigger function is checked with each table that has it. */
  async function plpgsqlUses(): Promise<Use[]> {
    return await sql<Use[]>`
      select distinct 'function ' || p.pronamespace::regnamespace || '.' || p.proname as user,
        case when d.type in ('FUNCTION', 'PROCEDURE') then 'function ' else 'relation ' end || d.schema || '.' || d.name as used
      from pg_proc as p
      join pg_language as l on l.oid = p.prolang and l.lanname = 'plpgsql'
      left join pg_trigger as t on t.tgfoid = p.oid and not t.tgisinternal
      cross join lateral extensions.plpgsql_show_dependency_tb(p.oid, coalesce(t.tgrelid, 0)) as d
      where p.pronamespace in ('app'::regnamespace, 'api'::regnamespace) and (p.prorettype <> 'trigger'::regtype or t.oid is not null)`;
  }

  /** A foreign key inside its table has no line of its own in sql/: it stands where the table stands. */
  const withKeys = (uses: Use[]) =>
    uses.map(({ user, used }) => ({
      user: modules.has(user) ? user : user.replace(/^key \w+ on /, "relation "),
      used,
    }));

  const usesNow = async () => [...withKeys(await recordedUses()), ...(await plpgsqlUses())];

  beforeAll(async () => {
    clone = await cloneDatabase();
    sql = connect(clone.url);
  });
  afterAll(async () => {
    await sql?.end();
    await clone?.drop();
  });

  skipFor(it, lacking("plpgsql_check"))(
    "in functions, tables, types, keys, triggers and policies, nor in dynamic SQL",
    async () => {
      expect(await parseBodies()).toEqual([]);
      const uses = await usesNow();
      expect(uses.length).toBeGreaterThan(2000);
      expect(upward([...uses, ...dynamicUses])).toEqual([]);

      // The test sees an upward use of each kind.
      await sql.unsafe(`
      create or replace function app.utc(p_at timestamptz) returns text language sql stable set search_path = pg_catalog, pg_temp
        begin atomic select uid::text from app.team_totals; end;
      create or replace function app.require_time(p_now timestamptz) returns void language plpgsql as 'begin perform app.metrics(p_now); end';
      alter table app.users add column planted app.bill_entry;
      alter table app.products add column planted_order bigint references app.orders (id);`);
      const planted = upward(await usesNow());
      for (const sentence of [
        "function app.utc (module 1) uses relation app.team_totals (module 14)",
        "relation app.users (module 5) uses relation app.bill_entry (module 8)",
      ])
        expect(planted).toContain(sentence);
      expect(
        planted.some((sentence) => /^function app\.require_time .* uses function app\.metrics /.test(sentence)),
      ).toBe(true);
      expect(planted.some((sentence) => /^relation app\.products .* uses relation app\.orders /.test(sentence))).toBe(
        true,
      );
    },
  );

  it("where a name is computed, as the list says", () => {
    // %I or %s after a schema of ours.
    const computes = files
      .flatMap(({ text }) => routines(text))
      .filter(({ statement }) =>
        /\b(?:from|join|call|select|perform)\s+(?:\* from )?(?:app|api)\.%[Is]\(/.test(statement),
      )
      .map(({ name }) => name);
    expect(computes.sort()).toEqual(Object.keys(COMPUTED).sort());
  });
});

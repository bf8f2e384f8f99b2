import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../functions/adminapi/app.ts";
import { apiRoutes } from "../../functions/api/app.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { files, routines } from "../../scripts/structure/sql_source.ts";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack, seed, testSize } from "../support/index.ts";
import { badCalls, type DatabaseFunction, readOf, sampleOf, statementOf, loadFixture } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// A read has two ways into the database: its entry point, and app.as_caller, for a standby. Both must answer and fail
// in the same way.

const sample = { share: testSize.badCalls, seed: seed() };
const GENERATOR = readFileSync(join(projectRoot, "sql/from_the_catalogue/entry_points.sql"), "utf8");
/** What differs between two calls: when a preview or a list was made, and the transactions that an inbox has seen. */
const PASSING = /"\d{4}-\d\d-\d\d[T ][\d:.]+(Z|[+-]\d\d:\d\d)"|(?<="seen":)"[^"]*"/g;
/** The functions of sql/ that only read and that a client may execute. */
const READS = files
  .flatMap(({ text }) => routines(text))
  .filter(
    ({ name, header }) => name.startsWith("api.") && /^stable$/m.test(header) && validCalls({})[name]!.by !== "service",
  )
  .map(({ name }) => name);

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: DatabaseFunction[];
let ids: Ids;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  ({ functions, ids } = await loadFixture(sql));
  await sql`grant store_api to postgres`;
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

/**
 * The names of the functions of schema api that only read and that a client may execute, according to the catalogue.
 */
const readsOfCatalogue = async () =>
  (
    await sql<{ name: string }[]>`
      select p.proname as name from pg_proc as p
      where p.pronamespace = 'api'::regnamespace and (p.provolatile <> 'v' or p.proname = 'get_required_article')
        and exists (select from unnest('{anon, authenticated, store_admin}'::text[]) as r where has_function_privilege(r, p.oid, 'execute'))`
  ).map(({ name }) => name);

/** All of an entry point: its definition with the type of its result, its privileges. */
const entryPoints = (connection: postgres.Sql | postgres.TransactionSql) =>
  connection<{ name: string; definition: string; privileges: string }[]>`
    select proname as name, pg_get_functiondef(oid) as definition, proacl::text as privileges
    from pg_proc where pronamespace = 'entry'::regnamespace order by proname`;

/** The answer of a call that is rolled back, or its error as a client may see it. */
async function outcome(
  transaction: postgres.TransactionSql,
  [statement, parameters]: [string, string[]],
): Promise<unknown> {
  try {
    let answer = "";
    await rolledBack(transaction, async (savepoint) => {
      const [row] = await savepoint.unsafe(statement, parameters);
      answer = JSON.stringify(sorted(row!.result)).replace(PASSING, "");
    });
    return answer;
  } catch (error) {
    const { code, message, detail, column_name: column, hint } = error as postgres.PostgresError;
    return { code, message, detail, column, hint };
  }
}

/** A JSON value without an order of fields. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}

describe("entry points", () => {
  it("exist for every function that reads for clients, and for nothing else", async () => {
    const entries = await entryPoints(sql);
    expect(entries.map(({ name }) => name).sort()).toEqual((await readsOfCatalogue()).sort());
    expect(new Set(entries.map(({ privileges }) => privileges))).toEqual(
      new Set(["{postgres=X/postgres,store_api=X/postgres}"]),
    );
  });

  it("are what the catalogue says now", () =>
    rolledBack(sql, async (transaction) => {
      const before = await entryPoints(transaction);
      for (const { name } of before) await transaction.unsafe(`drop function entry.${name}`);
      await transaction.unsafe(GENERATOR);
      expect(await entryPoints(transaction)).toEqual(before);
    }));

  it("serve every route that only reads", async () => {
    const reads = await readsOfCatalogue();
    const calledByEntryPoint = [...apiRoutes, ...adminRoutes]
      .filter(({ method, handler }) => method === "get" && !handler)
      .map(({ calls }) => calls);
    expect(calledByEntryPoint.length).toBeGreaterThan(50);
    expect(calledByEntryPoint.filter((name) => !reads.includes(name))).toEqual([]);
  });

  it("take nobody else's privileges, also with a plan of another caller", async () => {
    const valid = validCalls(ids)["api.get_settings"]!;
    const callAs = (role: string) =>
      rolledBack(sql, async (transaction) => {
        await transaction`set local role store_api`;
        await transaction.unsafe(...readOf("api.get_settings", valid, {}, ids, { role, sub: ids.admin_account! }));
      }).then(
        () => "answered",
        ({ code, message }: postgres.PostgresError) => `${code} ${message}`,
      );
    for (let round = 1; round <= 10; round += 1) {
      expect(await callAs("store_admin")).toBe("answered");
      for (const role of ["anon", "authenticated"])
        expect(await callAs(role)).toBe("42501 permission denied for function get_settings");
      for (const role of ["service_role", "postgres"]) expect(await callAs(role)).toBe("PT403 forbidden");
    }
  });

  it.each(READS)(`answer and fail like app.as_caller: %s (SEED=${sample.seed})`, async (name) => {
    const target = functions.find((each) => each.name === name)!;
    const valid = validCalls(ids)[name]!;
    const calls = [
      { description: "the valid call", args: valid.args },
      ...sampleOf(badCalls(target, valid, ids), sample),
    ];
    await rolledBack(sql, async (transaction) => {
      for (const { description, args } of calls) {
        const expected = await outcome(transaction, statementOf(target, valid, args, ids));
        expect(await outcome(transaction, readOf(name, valid, args, ids)), description).toEqual(expected);
      }
    });
  });
});

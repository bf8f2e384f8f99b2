import { createReadStream, statSync } from "node:fs";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../../scripts/testing/context.ts";
import {
  cloneDatabase,
  type ClonedDatabase,
  connect,
  isTriedIn,
  rolledBack,
  skipFor,
  testSize,
} from "../support/index.ts";
import { type DatabaseFunction, readOf, statementOf, loadFixture } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// Postgres logs the statement of every error. It must not contain values that people sent. The test replaces each
// argument of each function by recognizable values, sent like the edge functions send them.

/** A text that no column takes, whose constraint Postgres would report with the whole row. */
const LONG = "canary-of-a-rejected-call ".repeat(500);
/** A text, a phone number that exceeds the range of integer, and both inside JSON. Field names are not values. */
const CANARIES = [
  "canary-of-a-rejected-call",
  LONG,
  { name: LONG, phone: LONG, region: [LONG], street: LONG },
  8613900001234567,
  ["canary-of-a-rejected-call"],
  { note: "canary-of-a-rejected-call", phone: 8613900001234567 },
  [{ line_id: "canary-of-a-rejected-call" }],
];
const FOUND = /canary-of-a-rejected-call|8613900001234567/;
const { postgresLog } = testContext();

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: DatabaseFunction[];
/** The functions that have an entry point. */
let reads: Set<string>;
let ids: Ids;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  ({ functions, ids } = await loadFixture(sql));
  reads = new Set(
    (await sql`select 'api.' || proname as name from pg_proc where pronamespace = 'entry'::regnamespace`).map(
      ({ name }) => name,
    ),
  );
  await sql`grant store_api to postgres`;
});

afterAll(async () => {
  await sql.end();
  await clone.drop();
});

/** The length of the log in bytes. There is no log for a server of DATABASE_URL. */
const logEnd = () => statSync(postgresLog!).size;

/** What was logged after a position. The log has the lines of all tests of a run, so only its end is read. */
async function logAfter(position: number): Promise<string> {
  const lines: Buffer[] = [];
  for await (const part of createReadStream(postgresLog!, { start: position })) lines.push(part as Buffer);
  return Buffer.concat(lines).toString();
}

/** Sends a call and rolls it back. @returns whether it was rejected */
function isRejected(statement: string, parameters: string[]): Promise<boolean> {
  return rolledBack(sql, (transaction) => transaction.unsafe(statement, parameters)).then(
    () => false,
    () => true,
  );
}

skipFor(describe, postgresLog === undefined ? "the server of DATABASE_URL has its log elsewhere" : undefined)(
  "the log of the database",
  () => {
    it("contains literals of a failed statement, so the test can detect leaks", async () => {
      const begin = logEnd();
      expect(await isRejected("select 'canary-in-a-literal'::bigint", [])).toBe(true);
      expect(await logAfter(begin)).toContain("canary-in-a-literal");
    });

    it("contains no row that any table rejects, whatever a function lacks", async () => {
      const tables = await sql<{ name: string; columns: string[] }[]>`
      select c.oid::regclass::text as name, array_agg(a.attname order by a.attnum) as columns
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and a.atttypid = 'text'::regtype and a.attgenerated = '' and not a.attisdropped
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition group by c.oid`;
      expect(tables.length).toBeGreaterThan(40);
      await sql.unsafe(`
      create function api.write_row(p_table text, p_columns text, p_value text) returns jsonb language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
      begin
        execute format('insert into %s (%s) select %s', p_table, p_columns, (select string_agg('$1', ', ') from unnest(string_to_array(p_columns, ','))))  using p_value;
        return 'null';
      end $$;
      grant execute on function api.write_row(text, text, text) to anon, authenticated, store_admin, service_role`);
      const begin = logEnd();
      const codes: string[] = [];
      for (const { name, columns } of tables) {
        for (const statement of [
          "select app.as_caller('{}', 'write_row', $1::text::jsonb)",
          "select app.as_service('write_row', $1::text::jsonb)",
        ]) {
          const args = JSON.stringify({
            p_table: name,
            p_columns: columns.join(),
            p_value: "canary-of-a-rejected-call",
          });
          await rolledBack(sql, (transaction) => transaction.unsafe(statement, [args])).catch(
            (error: { code: string; detail?: string }) => {
              codes.push(error.code);
              expect(error.detail ?? "").toBe("");
            },
          );
        }
      }
      await sql`drop function api.write_row`;
      expect(codes.filter((code) => !code.startsWith("23"))).toEqual([]);
      expect((await logAfter(begin)).split("\n").filter((line) => FOUND.test(line))).toEqual([]);
    });

    // Guarantee privacy/logs
    it.each(Object.keys(validCalls({})).filter((name) => name.startsWith("api.")))(
      "contains no argument of a rejected call of %s",
      async (name) => {
        const target = functions.find((each) => each.name === name)!;
        const valid = validCalls(ids)[name]!;
        const begin = logEnd();
        let rejected = 0;
        for (const [place, parameter] of [...Object.keys(target.parameters), "p_unknown"].entries()) {
          for (const canary of CANARIES.filter((_, index) => isTriedIn(index, place, 3, testSize.thirdsOfCanaries))) {
            const args = { ...valid.args, [parameter]: canary };
            if (await isRejected(...statementOf(target, valid, args, ids))) rejected += 1;
            if (reads.has(name)) await isRejected(...readOf(name, valid, args, ids));
          }
        }
        expect(rejected).toBeGreaterThan(0);
        expect((await logAfter(begin)).split("\n").filter((line) => FOUND.test(line))).toEqual([]);
      },
    );
  },
);

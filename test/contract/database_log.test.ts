import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../support/context.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { databaseFunctions, type DatabaseFunction, statementOf } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// Postgres logs the statement of every error. It must not contain values that people sent. The test replaces each argument of each function
// by recognizable values, sent like the edge functions send them.

const FIXTURE = readFileSync(join(import.meta.dirname, "bad_arguments/fixture.sql"), "utf8");
/** A text, a phone number that exceeds the range of integer, and both inside JSON. Field names are not values. */
const CANARIES = ["canary-of-a-refused-call", 8613900001234567, ["canary-of-a-refused-call"], { note: "canary-of-a-refused-call", phone: 8613900001234567 }, [{ line_id: "canary-of-a-refused-call" }]];
const FOUND = /canary-of-a-refused-call|8613900001234567/;
const { postgresLog } = testContext();

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: DatabaseFunction[];
let ids: Ids;

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  await sql.unsafe(FIXTURE);
  functions = await databaseFunctions(sql);
  ids = Object.fromEntries((await sql`select name, id from test_kit.ids`).map(({ name, id }) => [name, id]));
  await sql`grant store_api to postgres`;
});

afterAll(async () => {
  await sql.end();
  await clone.drop();
});

const UNDO = new Error("undo");
/** Reads the log, which is not available for a server of DATABASE_URL. */
const log = () => readFileSync(postgresLog!, "utf8");

/** Sends a call and rolls it back. @returns whether it was rejected */
async function isRefused(statement: string, parameters: string[]): Promise<boolean> {
  return sql.begin(async (transaction) => {
    await transaction.unsafe(statement, parameters);
    throw UNDO;
  }).then(() => false, (error) => error !== UNDO);
}

describe.skipIf(postgresLog === undefined)("the log of the database", () => {
  it("contains literals of a failed statement, so the test can detect leaks", async () => {
    expect(await isRefused("select 'canary-in-a-literal'::bigint", [])).toBe(true);
    expect(log()).toContain("canary-in-a-literal");
  });

  it.each(Object.keys(validCalls({})).filter((name) => name.startsWith("api.")))("contains no argument of a refused call of %s", async (name) => {
    const target = functions.find((each) => each.name === name)!;
    const valid = validCalls(ids)[name]!;
    const begin = log().length;
    let refused = 0;
    for (const parameter of [...Object.keys(target.parameters), "p_unknown"]) {
      for (const canary of CANARIES) {
        if (await isRefused(...statementOf(target, valid, { ...valid.args, [parameter]: canary }, ids))) refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
    expect(log().slice(begin).split("\n").filter((line) => FOUND.test(line))).toEqual([]);
  });
});

import { createReadStream, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testContext } from "../support/context.ts";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack } from "../support/index.ts";
import { databaseFunctions, type DatabaseFunction, statementOf } from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

// Postgres logs the statement of every error. It must not contain values that people sent. The test replaces each argument of each function
// by recognizable values, sent like the edge functions send them.

const FIXTURE = readFileSync(join(import.meta.dirname, "bad_arguments/fixture.sql"), "utf8");
/** A text that no column takes, whose constraint Postgres would report with the whole row. */
const LONG = "canary-of-a-rejected-call ".repeat(500);
/** A text, a phone number that exceeds the range of integer, and both inside JSON. Field names are not values. */
const CANARIES = ["canary-of-a-rejected-call", LONG, { name: LONG, phone: LONG, region: [LONG], street: LONG }, 8613900001234567, ["canary-of-a-rejected-call"], { note: "canary-of-a-rejected-call", phone: 8613900001234567 }, [{ line_id: "canary-of-a-rejected-call" }]];
const FOUND = /canary-of-a-rejected-call|8613900001234567/;
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
  return rolledBack(sql, (transaction) => transaction.unsafe(statement, parameters)).then(() => false, () => true);
}

describe.skipIf(postgresLog === undefined)("the log of the database", () => {
  it("contains literals of a failed statement, so the test can detect leaks", async () => {
    const begin = logEnd();
    expect(await isRejected("select 'canary-in-a-literal'::bigint", [])).toBe(true);
    expect(await logAfter(begin)).toContain("canary-in-a-literal");
  });

  it.each(Object.keys(validCalls({})).filter((name) => name.startsWith("api.")))("contains no argument of a rejected call of %s", async (name) => {
    const target = functions.find((each) => each.name === name)!;
    const valid = validCalls(ids)[name]!;
    const begin = logEnd();
    let rejected = 0;
    for (const parameter of [...Object.keys(target.parameters), "p_unknown"]) {
      for (const canary of CANARIES) {
        if (await isRejected(...statementOf(target, valid, { ...valid.args, [parameter]: canary }, ids))) rejected += 1;
      }
    }
    expect(rejected).toBeGreaterThan(0);
    expect((await logAfter(begin)).split("\n").filter((line) => FOUND.test(line))).toEqual([]);
  });
});

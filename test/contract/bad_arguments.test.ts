import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, rolledBack, seed, testSize } from "../support/index.ts";
import {
  badCalls,
  boundaryValues,
  complaint,
  type DatabaseFunction,
  sampleOf,
  statementOf,
  loadFixture,
} from "./bad_arguments/calls.ts";
import { type Ids, validCalls } from "./bad_arguments/valid_calls.ts";

/** What to do if a function is missing. */
const inValidCalls = "Every function of schema api has a call in test/contract/bad_arguments/valid_calls.ts.";

const sample = { share: testSize.badCalls, seed: seed() };

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: DatabaseFunction[];
let ids: Ids;
let boundaries: unknown[];
/** The digest of what is committed. Only procedures commit. */
let committed: string;

beforeAll(async () => {
  clone = await cloneDatabase();
  // A slow call shows that a limit is missing.
  sql = connect(clone.url, { connection: { statement_timeout: 10_000 } });
  ({ functions, ids } = await loadFixture(sql));
  boundaries = await boundaryValues(sql);
  committed = await digest(sql);
});

afterAll(async () => {
  await sql.end();
  await clone.drop();
});

const digest = async (connection: postgres.Sql | postgres.TransactionSql) =>
  (await connection`select test_kit.digest()`)[0]!.digest as string;

/** The findings of reconcile() after a call, as an error text. */
async function complaintAboutState(connection: postgres.TransactionSql): Promise<string | null> {
  await connection`reset role`;
  if ((await digest(connection)) === committed) return null;
  // The calls have their own times, so the jobs that they create may already be overdue. The fixture has a refund that
  // failed, a payment that waits without the action of who marked it, and rows without their events.
  const findings =
    await connection`select * from app.reconcile() where check_name not in ('job_is_not_late', 'job_is_not_from_the_future', 'no_row_is_from_the_future', 'release_day_has_come', 'provider_refund_is_paid', 'decided_alone_has_every_decision', 'events_tell_what_is_booked')`;
  return findings.length === 0 ? null : `accepted, and reconcile() finds ${JSON.stringify(findings[0])}`;
}

/** Functions that commit cannot be rolled back. They must reject all bad arguments and change nothing. */
async function complaintsOfProcedure(target: DatabaseFunction): Promise<string[]> {
  const valid = validCalls(ids)[target.name]!;
  const complaints: string[] = [];
  for (const { description, args } of sampleOf(badCalls(target, valid, ids, boundaries), sample)) {
    const before = await digest(sql);
    try {
      await sql.unsafe(...statementOf(target, valid, args, ids));
      // For every parameter except p_chunk, null means the default.
      if (!/^p_(business_day|now) = null$/.test(description)) complaints.push(`${description}: accepted`);
    } catch (error) {
      const text = complaint(error) ?? ((await digest(sql)) === before ? null : "rejected, but something was changed");
      if (text) complaints.push(`${description}: ${text}`);
    }
  }
  committed = await digest(sql);
  return complaints;
}

async function complaintsOfFunction(target: DatabaseFunction): Promise<string[]> {
  const valid = validCalls(ids)[target.name]!;
  const complaints: string[] = [];
  await rolledBack(sql, async (transaction) => {
    // For as_caller and as_service, which may set the roles that this role may set. Rolled back with the rest.
    await transaction`grant store_api to postgres`;
    await rolledBack(transaction, async (savepoint) => {
      await savepoint.unsafe(...statementOf(target, valid, valid.args, ids));
    }).catch((error) => {
      if (!valid.needsScheduler || (error as Error).message !== "schedule_unavailable") throw error;
    });
    for (const { description, args } of sampleOf(badCalls(target, valid, ids, boundaries), sample)) {
      try {
        await rolledBack(transaction, async (savepoint) => {
          await savepoint.unsafe(...statementOf(target, valid, args, ids));
          const text = await complaintAboutState(savepoint);
          if (text) complaints.push(`${description}: ${text}`);
        });
      } catch (error) {
        const text = complaint(error);
        if (text) complaints.push(`${description}: ${text}`);
      }
    }
    if ((await digest(transaction)) !== committed) complaints.push("something was changed by calls that were rejected");
  });
  return complaints;
}

describe(`bad arguments (SEED=${sample.seed})`, () => {
  it("are tried on every function of schema api", () => {
    const inTable = Object.keys(validCalls({})).filter((name) => name.startsWith("api."));
    expect(
      functions
        .map(({ name }) => name)
        .filter((name) => name.startsWith("api."))
        .sort(),
      inValidCalls,
    ).toEqual(inTable.sort());
  });

  it("are a sample for each parameter, and the samples together are all bad arguments", () => {
    const target = functions.find(({ name }) => name === "api.set_product")!;
    const all = [...badCalls(target, validCalls(ids)[target.name]!, ids)].map(({ description }) => description);
    const samples = Array.from({ length: 10 }, (_, seed) =>
      sampleOf(badCalls(target, validCalls(ids)[target.name]!, ids), { share: 0.1, seed }),
    );
    for (const calls of samples)
      expect(new Set(calls.map(({ parameter }) => parameter))).toEqual(
        new Set([...Object.keys(target.parameters), undefined]),
      );
    expect(new Set(samples.flat().map(({ description }) => description))).toEqual(new Set(all));
  });

  // All bad calls of a function with many parameters take minutes.
  it.each(Object.keys(validCalls({})))(
    "make %s return a result or an error of the registry",
    { timeout: 30 * 60_000 },
    async (name) => {
      const [target, ...others] = functions.filter((each) => each.name === name);
      expect(others, "a name that has two functions cannot be called by name").toEqual([]);
      const complaints =
        target!.kind === "p" ? await complaintsOfProcedure(target!) : await complaintsOfFunction(target!);
      expect(complaints).toEqual([]);
    },
  );
});

import fc from "fast-check";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase, connect, longFormOnly, rolledBack, seed, skipFor, testSize } from "../support/index.ts";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { history } from "../../scripts/histories/history.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { bookkeepers } from "./bookkeepers.ts";
import { datedRows, disarm, planted } from "./planted.ts";
import { differencesOf } from "./read_journal.ts";
import { backdate, journalOf, objectors, runHistory } from "./store.ts";

describe("the journal of a store after random histories", () => {
  let database: Awaited<ReturnType<typeof cloneDatabase>>;
  let sql: postgres.Sql;
  beforeAll(async () => {
    database = await cloneDatabase();
    sql = connect(database.url);
    await prepareDatabase(sql);
    await backdate(sql);
  });
  afterAll(async () => {
    await sql.end();
    await database.drop();
  });

  // Guarantee money/journal-balances: The journal of a month adds up to balances that do not come from the bill, and a
  // wrong row shows
  // By: balances of members, withdrawals, orders, adjustments and the evaluator of the rules, app.journal_totals
  it("adds up to the balances of the store, and to what the rules make of its orders", async () => {
    for (const steps of fc.sample(history, { seed: seed(), numRuns: testSize.journals })) {
      await rolledBack(sql, async (transaction) => {
        const months = await runHistory(transaction, steps);
        for (const month of months) expect(differencesOf(await journalOf(transaction, month)), month).toEqual([]);
      });
    }
  });

  // Guarantee money/journal-balances
  it("shows each planted error", async () => {
    await withPlanted(testSize.plantedErrors, async (transaction, months) => {
      const found = [];
      for (const month of months) found.push(...differencesOf(await journalOf(transaction, month)));
      return found.length > 0;
    });
  });

  skipFor(describe, lacking("judges"))("in the programs", () => {
    // Guarantee money/journal-programs: hledger, Ledger and Beancount accept the journal of random stores and refuse
    // planted errors
    // By: nothing is tolerated, scripts/commands/export_journal.ts
    skipFor(it, longFormOnly)("is accepted by hledger, Ledger and Beancount", { timeout: 1_800_000 }, async () => {
      for (const steps of fc.sample(history, { seed: seed() + 1, numRuns: testSize.journals })) {
        await rolledBack(sql, async (transaction) =>
          expect(await objectors(transaction, await runHistory(transaction, steps))).toEqual(new Map()),
        );
      }
    });

    // Guarantee money/journal-programs
    skipFor(it, longFormOnly)(
      "is refused with a planted error, nearly always by all three",
      { timeout: 1_800_000 },
      async () => {
        let byAll = 0;
        await withPlanted(testSize.plantedErrors, async (transaction, months) => {
          const objections = await objectors(transaction, months);
          if (objections.size === bookkeepers.length) byAll += 1;
          return objections.size > 0;
        });
        expect(byAll).toBeGreaterThanOrEqual(testSize.plantedErrors * 0.95);
      },
    );
  });

  /** Plants errors of all kinds, one at a time, into a store with a bill, and expects each to be found. */
  async function withPlanted(
    count: number,
    isFound: (transaction: postgres.TransactionSql, months: string[]) => Promise<boolean>,
  ) {
    const missed: string[] = [];
    await rolledBack(sql, async (transaction) => {
      let months: string[] = [];
      const histories = fc.sample(history, { seed: seed() + 2, numRuns: 50 });
      // Most histories book something, and not all of them something of each kind.
      for (let done = 0; done < 3 || (await datedRows(transaction)).length === 0; done += 1)
        months = await runHistory(transaction, histories[done]!);
      await disarm(transaction);
      for (let index = 0; index < count; index += 1) {
        await rolledBack(transaction, async (savepoint) => {
          const error = await planted(savepoint, index);
          if (!(await isFound(savepoint, months))) missed.push(error);
        });
      }
    });
    expect(missed).toEqual([]);
  }
});

import { readFileSync } from "node:fs";
import fc from "fast-check";
import type postgres from "postgres";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prepareDatabase } from "../../scripts/histories/database_store.ts";
import { history } from "../../scripts/histories/history.ts";
import { runHistory } from "../../scripts/histories/run_history.ts";
import { acceptLateRows } from "../seals/edits.ts";
import { cloneDatabase, connect, rolledBack, seed, testSize } from "../support/index.ts";

const PLANT = readFileSync(new URL("plant.sql", import.meta.url), "utf8");
const REST = readFileSync(new URL("rest_of_a_store.sql", import.meta.url), "utf8");
const SEED = seed();
/** The histories are the same each time, so that each table has rows; what is changed in them differs. */
const HISTORIES_SEED = 1;

interface Figure {
  table: string;
  column: string;
  /** The checks that compute it, or the constraint that does. */
  checks: string[];
}
interface Planted {
  planted: string | null;
  findings: string[];
}

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: postgres.Sql;
let figures: Figure[];
beforeAll(async () => {
  database = await cloneDatabase();
  sql = connect(database.url);
  await prepareDatabase(sql);
  await runHistory(sql, fc.sample(history, { seed: HISTORIES_SEED, numRuns: testSize.plantedHistories }).flat(), false);
  const [later] = await sql<{ at: string }[]>`
    select (max(b.add_time) + interval '3 months')::text as at from app.user_bill as b`;
  await sql`select test_kit.compact(${later!.at})`;
  await sql.unsafe(REST);
  await sql.unsafe(PLANT);
  figures = await sql<Figure[]>`
    select f.table_name as table, c.name as column, string_to_array(f.source, ' ') as checks
    from app.stored_figures() as f cross join unnest(f.columns) as c (name) where f.kind = 'derived' order by 1, 2`;
}, 15 * 60_000);
afterAll(async () => {
  await sql.end();
  await database.drop();
});

/** Plants an error into a row, takes it back, and returns what was found. @param pick from 0 to 1, chooses the row */
async function plant(transaction: postgres.TransactionSql, figure: Figure, pick: number): Promise<Planted> {
  const { table, column, checks } = figure;
  const rows = await transaction<Planted[]>`
    select p.planted, p.findings from planted.plant(${table}, ${column}, ${checks}, ${pick}) as p`.catch(
    (error: unknown) => {
      throw new Error(`${table}.${column}: ${(error as Error).message}`, { cause: error });
    },
  );
  return rows[0]!;
}

const withOpenMonths = <Result>(work: (transaction: postgres.TransactionSql) => Promise<Result>) =>
  rolledBack(sql, async (transaction) => {
    await transaction`set local session_replication_role = replica`;
    await acceptLateRows(transaction);
    return work(transaction);
  });

it("finds nothing before an error is planted", async () => {
  const found = await sql`
    select r.* from app.reconcile() as r where r.check_name not in ('job_is_not_dead', 'job_is_not_late')
    union all select r.* from app.reconcile_events('-infinity') as r`;
  expect([...found]).toEqual([]);
});

// Guarantee money/planted-errors: The change of a derived figure is named by the check that computes it again
// By: app.stored_figures, which names these checks for every figure
it("names the change of each derived figure by its check", { timeout: 60 * 60_000 }, async () => {
  const missed: string[] = [];
  await withOpenMonths(async (transaction) => {
    for (const [index, figure] of figures.entries()) {
      for (let round = 0; round < testSize.plantedRows; round += 1) {
        const pick = ((SEED + index + 1) * 0.618_034 + round / testSize.plantedRows) % 1;
        const { planted, findings } = await plant(transaction, figure, pick);
        if (planted === null) missed.push(`${figure.table}.${figure.column} has no value in this store`);
        else if (findings.length === 0) missed.push(planted);
      }
    }
  });
  expect(missed).toEqual([]);
});

it("misses a change when its check is left out", async () => {
  const fee = figures.find(({ table, column }) => table === "withdrawals" && column === "fee")!;
  await withOpenMonths(async (transaction) => {
    expect((await plant(transaction, fee, 0.5)).findings).not.toEqual([]);
    expect((await plant(transaction, { ...fee, checks: ["reconcile_tax"] }, 0.5)).findings).toEqual([]);
  });
});

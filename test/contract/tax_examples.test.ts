import { readFileSync } from "node:fs";
import { join } from "node:path";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { readTable } from "./worked_examples/read_document.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/money.md"), "utf8");
const payouts = readTable(document, "becomes paying | method | amount | together | taxable | tax | what happens");

/** A time of the store. */
const at = (time: string) => new Date(`${time.replace(" ", "T")}+08:00`);
/** The result of a computation that is written out. */
const resultOf = (text: string) => text.split(" = ").at(-1)!;
/** What a pattern names in a text. */
const named = (pattern: RegExp, text: string) => pattern.exec(text)?.[1];

describe("the payouts over two years of docs/money.md", () => {
  let clone: ClonedDatabase;
  let sql: postgres.Sql;
  let uid: string;
  beforeAll(async () => {
    clone = await cloneDatabase();
    sql = connect(clone.url);
    await sql`update app.settings set withdrawal_minimum = 0.01, withdrawal_maximum = null`;
    const [account] =
      await sql`insert into auth.users (email_confirmed_at, id) values (now(), gen_random_uuid()) returning id`;
    [{ uid }] = (await sql`select uid from app.users where auth_id = ${account!.id}`) as unknown as [{ uid: string }];
    await sql`select from app.create_adjustment(${uid}, 1000000, 0, 0, 'Test', null, '2026-01-01T00:00:00Z')`;
  });
  afterAll(async () => {
    await sql.end();
    await clone.drop();
  });

  it("are at least 12, of each method, over two years", () => {
    expect(payouts.length).toBeGreaterThanOrEqual(12);
    expect(new Set(payouts.map(([, method]) => method))).toEqual(new Set(["cumulative", "per_month", "per_payment"]));
    expect(new Set(payouts.map(([time]) => time!.slice(0, 4)))).toEqual(new Set(["2026", "2027"]));
  });

  it("are computed without a slip: each result is that of its line", () => {
    const evaluate = (text: string) =>
      text
        .split(" - ")
        .map((part) => part.split(" x ").map(Number))
        .map((factors) => factors.reduce((product, factor) => product * factor, 1))
        .reduce((left, part) => left - part);
    for (const [time, method, , together, taxable, tax] of payouts) {
      const income = method === "cumulative" ? Number(together) * 0.8 : Number(together);
      expect(Number(named(/^([\d.]+)/, taxable!)), `together of ${time}`).toBeCloseTo(income, 6);
      expect(Math.max(0, evaluate(taxable!.split(" = ")[0]!)), `taxable of ${time}`).toBeCloseTo(
        Number(resultOf(taxable!)),
        6,
      );
      expect(Math.floor(evaluate(tax!.split(" = ")[0]!) * 100 + 1e-6) / 100, `tax of ${time}`).toBe(
        Number(resultOf(tax!)),
      );
    }
  });

  // Guarantee money/tax-sums: The tax of a payout counts what was paid before it and did not fail, over the ends of
  // months and years, also if two are paid at once
  // By: the lock of the balances before the sums are read, in app.move_withdrawal and app.create_withdrawal_batch
  it("have the stated tax in a store, and the books agree after each", async () => {
    for (const [time, method, amount, , taxable, tax, happens] of payouts) {
      const now = at(time!);
      await sql`select app.set_settings(${sql.json({ tax_method: method! })}, now())`;
      const allowed = /([\d.]+) exempt, ([\d.]+) other deductions and ([\d.]+) relief/.exec(happens!);
      if (allowed)
        await sql`select from app.allow_tax(${uid}, ${time!.slice(0, 7)}, ${allowed[1]!}, ${allowed[2]!}, ${allowed[3]!}, 'Test', null, ${now})`;
      const [account] =
        await sql`select id from app.add_payout_account(${uid}, 'bank', 'Payee', '6222021234567894', 'Bank', ${now})`;
      const [withdrawal] = await sql`
        select a.id from app.request_withdrawal(${uid}, ${amount!}, 'bank', ${account!.id}, ${now}) as w
        cross join lateral app.approve_withdrawal(w, ${now}) as a`;
      const [batch] = await sql`select id, amount from app.create_withdrawal_batch('bank', null, null, null, ${now})`;
      const [fixed] = await sql`
        select w.tax, w.amount - w.tax as net, t.taxable from app.withdrawals as w join app.tax_withholdings as t on t.withdrawal_id = w.id where w.id = ${withdrawal!.id}`;
      expect({ tax: fixed!.tax, taxable: Number(fixed!.taxable) }, `docs/money.md, the payout of ${time}`).toEqual({
        tax: resultOf(tax!),
        taxable: Number(resultOf(taxable!)),
      });
      expect(batch!.amount, "the bank pays what is left").toBe(fixed!.net);
      const failure = named(/^fails on (\S+)/, happens!);
      const end = failure ? at(`${failure} 10:00:00`) : now;
      await sql`select from app.move_withdrawal(app.lock_withdrawal(${withdrawal!.id}), ${failure ? "failed" : "paid"}, ${end}, ${failure ? "Refused" : null})`;
      expect(await sql`select * from app.reconcile_tax()`).toEqual([]);
    }
  });

  it("have the stated sums by month, quarter and year", async () => {
    for (const [period, income, tax] of readTable(document, "period | income | tax")) {
      const [year, part] = period!.split("-");
      const first = part?.startsWith("Q") ? Number(part[1]) * 3 - 2 : Number(part ?? 1);
      const months = part === undefined ? 12 : part.startsWith("Q") ? 3 : 1;
      const [row] = await sql`
        select s.sums ->> 'income' as income, s.sums ->> 'tax' as tax
        from make_date(${Number(year)}, ${first}, 1) as f (day)
        cross join lateral app.tax_sums(${uid}, f.day, (f.day + make_interval(months => ${months}))::date) as s (sums)`;
      expect(row, period).toEqual({ income, tax });
    }
  });
});

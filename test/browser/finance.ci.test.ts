import { readFileSync } from "node:fs";
import Papa from "papaparse";
import type { Download, Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { administrator, demoConsole } from "./demo_console.ts";
import { newSealer, sealMonth } from "../seals/store.ts";
import { type HoldingRelay, holdLastByte } from "./holding_relay.ts";

// The work of finance: what the store owes, files for the accounts, the closing of months, and the statement of a
// member.
const demo = demoConsole();

/** The last month that is over and not closed: the demo company has closed the one after it. */
let month: string;

beforeAll(async () => {
  const [row] = await demo.sql`
    select to_char(d.last, 'YYYY-MM') as month, d.last::text as last
    from (select date_trunc('month', app.business_day(now())::timestamp)::date - interval '1 month 1 day' as last) as d`;
  await demo.sql`call app.ensure_month_partitions(${row!.last}::date, ${row!.last}::date)`;
  await demo.sql`
    insert into app.user_bill (uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after, add_time)
    select 10007, 'frozen_points_release', 'release', -2, 2, 5000, 0.0004, 0, 0, 0, app.day_begins(${row!.last}::date)`;
  month = row!.month;
});

/** Clicks a button and returns the lines of the file that is then saved. */
async function saved(page: Page, button: string): Promise<{ name: string; lines: Record<string, string>[] }> {
  const [file] = await Promise.all<[Promise<Download>, Promise<void>]>([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button, exact: true }).click(),
  ]);
  const text = readFileSync(await file.path(), "utf8");
  expect(text.startsWith("\uFEFF")).toBe(true);
  return {
    name: file.suggestedFilename(),
    lines: Papa.parse<Record<string, string>>(text.slice(1).trimEnd(), { header: true }).data,
  };
}

/** What the page shows when everything but the last byte has arrived. */
async function progressOf(relay: HoldingRelay): Promise<string> {
  const kilobytes = (await relay.held()) / 1000;
  expect(kilobytes).toBeGreaterThan(1);
  expect(kilobytes).toBeLessThan(999);
  return `${new Intl.NumberFormat("en-GB", { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 }).format(kilobytes)} so far`;
}

/** Two days of the demo month, and how many bill rows they have. */
async function twoDays(): Promise<{ from: string; to: string; rows: number }> {
  const [period] = await demo.sql<{ from: string; to: string; rows: number }[]>`
    select to_char(d.day - 1, 'YYYY-MM-DD') as from, to_char(d.day, 'YYYY-MM-DD') as to,
      (select count(*)::int from app.user_bill as b where b.add_time >= app.day_begins(d.day - 1) and b.add_time < app.day_begins(d.day + 1)) as rows
    from (select app.business_day(max(b.add_time)) - 2 as day from app.user_bill as b) as d`;
  expect(period!.rows).toBeGreaterThan(0);
  return period!;
}

const money = (amount: string) =>
  new Intl.NumberFormat("en-GB", { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" }).format(
    Number(amount),
  );

describe("the page Finance", () => {
  it("shows what the store owes, what matures when, and the points with the forecast of their release", async () => {
    const [row] = await demo.sql`select app.liabilities_json(null, now()) as owed`;
    const { owed, withdrawable, maturing, maturing_after_receipt, matures, points } = row!.owed;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/finance");
    const liabilities = page.getByRole("region", { name: "Liabilities" });
    for (const amount of [owed, withdrawable, maturing])
      await liabilities.getByText(money(amount), { exact: true }).first().waitFor();
    const when = page.getByRole("region", { name: "When it matures" });
    await when.getByRole("button", { name: /^Show as table/ }).click();
    const [firstDay, lastDay] = [matures[0], matures.at(-1)].map(({ date }) => Date.parse(date));
    await expect.poll(() => when.getByRole("row").count()).toBe((lastDay! - firstDay!) / 86_400_000 + 2);
    await when.getByText(money(maturing_after_receipt), { exact: true }).waitFor();
    const outstanding = page.getByRole("region", { name: "Points outstanding" });
    await outstanding
      .getByText(new Intl.NumberFormat("en-GB", { maximumFractionDigits: 4 }).format(points.frozen), { exact: true })
      .waitFor();
    await outstanding.getByText("Released within 10 years").waitFor();
    // The calendar opens wherever the field is clicked, not by its icon alone.
    await page.evaluate(() =>
      Object.assign(HTMLInputElement.prototype, { showPicker: () => document.body.classList.add("calendar-opened") }),
    );
    await page.getByLabel("As of the end of the day").click({ position: { x: 30, y: 15 } });
    expect(await page.locator("body.calendar-opened").count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("downloads the bill and the withdrawals of a period", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const { from, to, rows } = await twoDays();
    await open(`/finance?from=${from}&to=${to}`);
    const { name, lines } = await saved(page, "Download the bill (CSV)");
    expect(name).toBe(`bill_${from}_${to}.csv`);
    expect(lines).toHaveLength(rows);
    expect(lines[0]).toMatchObject({ Member: expect.stringMatching(/^\d+$/), Type: expect.stringMatching(/^[A-Z]/) });
    const withdrawals = await saved(page, "Download the withdrawals (CSV)");
    expect(withdrawals.name).toBe(`withdrawals_${from}_${to}.csv`);
    for (const [button, file] of [
      ["Download liabilities by member (Excel)", "liabilities.xlsx"],
      ["Download the bill (Excel)", `bill_${from}_${to}.xlsx`],
      ["Download the withdrawals (Excel)", `withdrawals_${from}_${to}.xlsx`],
    ] as const) {
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: button }).click();
      const workbook = await download;
      expect([workbook.suggestedFilename(), readFileSync(await workbook.path(), "latin1").slice(0, 2)]).toEqual([
        file,
        "PK",
      ]);
    }
    expect(complaints).toEqual([]);
  });

  it("downloads what is owed to each member, which adds up to the total", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/finance");
    const { name, lines } = await saved(page, "Download liabilities by member (CSV)");
    expect(name).toBe("liabilities.csv");
    const [total] = await demo.sql`select l ->> 'owed' as owed from app.liabilities_json(null, now()) as l`;
    const sum = (column: string) => lines.reduce((cents, line) => cents + Math.round(Number(line[column]) * 100), 0);
    expect(lines.length).toBeGreaterThan(10);
    expect(sum("Owed")).toBe(Math.round(Number(total!.owed) * 100));
    expect(complaints).toEqual([]);
  });

  it("shows how much of a file has arrived, and saves nothing of a download that is stopped", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const files: string[] = [];
    page.on("download", (file) => files.push(file.suggestedFilename()));
    const { from, to } = await twoDays();
    await open(`/finance?from=${from}&to=${to}`);
    const relay = await holdLastByte(page, "**/adminapi/export/bill*");
    try {
      await page.getByRole("button", { name: "Download the bill (CSV)" }).click();
      await page.getByText(await progressOf(relay), { exact: true }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByRole("button", { name: "Stop: Download the bill (CSV)" }).click();
      await relay.closed();
      await page.getByRole("button", { name: "Download the bill (CSV)" }).waitFor();
      expect(await page.getByRole("alert").count()).toBe(0);
    } finally {
      await relay.stop();
    }
    // A later download succeeds, and is the first file that is saved.
    await saved(page, "Download the withdrawals (CSV)");
    expect(files).toEqual([`withdrawals_${from}_${to}.csv`]);
    expect(complaints).toEqual([]);
  });

  it("saves nothing of a file that breaks off, even if one byte is missing, and says so", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const files: string[] = [];
    page.on("download", (file) => files.push(file.suggestedFilename()));
    const { from, to } = await twoDays();
    await open(`/finance?from=${from}&to=${to}`);
    const relay = await holdLastByte(page, "**/adminapi/export/bill*");
    try {
      await page.getByRole("button", { name: "Download the bill (CSV)" }).click();
      await page.getByText(await progressOf(relay), { exact: true }).waitFor();
      await relay.breakOff();
      await page.getByText("The file is incomplete and was not saved.").waitFor();
      expect(await page.getByRole("alert").count()).toBe(1);
      expect(await barriers(page)).toEqual([]);
    } finally {
      await relay.stop();
    }
    // The browser reports the request, and the same in its console.
    expect(complaints).toEqual([
      expect.stringMatching(/^request: .*ERR_INCOMPLETE_CHUNKED_ENCODING$/),
      expect.stringMatching(/^console: .*ERR_INCOMPLETE_CHUNKED_ENCODING$/),
    ]);
    await saved(page, "Download the bill (CSV)");
    expect(await page.getByText("The file is incomplete and was not saved.").count()).toBe(0);
    expect(files).toEqual([`bill_${from}_${to}.csv`]);
  });

  it("closes a month after its consequences were confirmed, and shows its sums and its seal", async () => {
    await demo.sql`insert into app.reconcile_runs (started_at, finished_at) values (now(), now())`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/finance");
    await page.getByRole("button", { name: `Close ${month}` }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("A closed month cannot be opened again.").waitFor();
    expect(await dialog.getByRole("button", { name: "Close the month" }).isEnabled()).toBe(false);
    await settle(page);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByLabel("I have checked this.").check();
    await dialog.getByRole("button", { name: "Close the month" }).click();
    await page.getByText(`${month} is closed.`).waitFor();
    await page.getByText("Every month that is over is closed.").waitFor();
    const [closed] = await demo.sql`select sums from app.closed_months order by month limit 1`;
    const rows: number = closed!.sums.reduce((sum: number, row: { rows: number }) => sum + row.rows, 0);
    await page
      .getByRole("row", { name: new RegExp(`^${month}`) })
      .getByText(new Intl.NumberFormat("en-GB").format(rows), { exact: true })
      .waitFor();
    await page.getByRole("button", { name: `Show the sums and the seal of ${month}` }).click();
    await expect
      .poll(() =>
        page
          .getByRole("region", { name: `Sums of ${month}` })
          .getByRole("row")
          .count(),
      )
      .toBe(closed!.sums.length + 1);
    const seal = page.getByRole("region", { name: `Seal of ${month}` });
    await seal.getByText("The month is not sealed.").waitFor();
    const sealer = await newSealer();
    await sealMonth(demo.sql, month, sealer);
    await page.reload();
    await seal.getByText(sealer.key.publicKey).waitFor();
    await page
      .getByRole("row", { name: new RegExp(`^${month}`) })
      .getByText("Sealed", { exact: true })
      .waitFor();
    expect(await barriers(page)).toEqual([]);
    await open(`/activity?target_type=month&target_id=${month}`);
    await page.getByRole("row", { name: /closed the month/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("is not for administrators without the area money, who are told so", async () => {
    await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
    await demo.sql`select app.add_administrator(${administrator}, '{service}')`;
    try {
      const { page, open, complaints } = await demo.visitAsAdministrator({ locale: "zh-CN" });
      await open("/finance");
      await page.getByText("您的角色无权查看此页面").waitFor();
      expect(await page.getByRole("region", { name: "应付余额" }).count()).toBe(0);
      expect(complaints).toEqual([]);
    } finally {
      await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
    }
  });
});

describe("the statement of a member", () => {
  it("shows the balances, sums and rows of a month, and downloads them", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/users/10007");
    await page.getByRole("tab", { name: "Statement" }).click();
    await page.getByRole("region", { name: "At the end" }).waitFor();
    const [now] = await demo.sql`select app.statement_json(10007, null) as statement`;
    const rowsOf = (statement: { sums: { rows: number }[] }) => statement.sums.reduce((sum, { rows }) => sum + rows, 0);
    await page
      .getByRole("region", { name: "At the end" })
      .getByText(
        new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2 }).format(now!.statement.closing.brokerage_price),
        {
          exact: true,
        },
      )
      .waitFor();
    await page.getByText(`${rowsOf(now!.statement)} in total`).waitFor();

    await page
      .getByRole("combobox", { name: "Month" })
      .or(page.getByLabel("Month", { exact: true }))
      .first()
      .click();
    await page.getByRole("option", { name: month }).click();
    await page.waitForURL(new RegExp(`month=${month}`));
    await settle(page);
    const [earlier] = await demo.sql`select app.statement_json(10007, ${month}) as statement`;
    await page.getByText(`${rowsOf(earlier!.statement)} in total`).waitFor();
    expect(await page.getByRole("region", { name: "In this month" }).getByRole("row").count()).toBe(
      earlier!.statement.sums.length + 1,
    );
    const { name, lines } = await saved(page, "Download the statement as CSV");
    expect(name).toBe(`statement_10007_${month}.csv`);
    expect(lines).toHaveLength(rowsOf(earlier!.statement));
    expect(complaints).toEqual([]);
  });
});

describe("the tax of a member", () => {
  /** A member with a withdrawal. */
  let uid: number;
  beforeAll(async () => {
    uid = Number((await demo.sql`select uid from app.withdrawals order by id limit 1`)[0]!.uid);
  });

  it("is on their page once tax is on, with a form that records deductions, once each", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const tab = page.getByRole("tab", { name: "Tax", exact: true });
    await open(`/users/${uid}?tab=tax`);
    await page.getByRole("tab", { name: "Bill" }).waitFor();
    expect(await tab.count()).toBe(0);
    await demo.sql`select app.set_settings('{"tax_method": "cumulative"}', now())`;
    await open(`/users/${uid}`);
    await tab.click();
    await page.getByText("No tax was computed for this member in").waitFor();
    await page.getByText("Nothing has been recorded for").waitFor();

    await page.getByRole("button", { name: "Record a deduction" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Enter at least one amount.").waitFor();
    expect(await form.getByText("This field is required.").count()).toBe(2);
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("combobox", { name: "Month" }).click();
    await page.getByRole("option").first().click();
    await form.getByLabel("Reason").fill("Certificate 7");
    // The store finds this, and names the field.
    await form.getByLabel("Relief of tax").fill("-0.01");
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("The sums of a month cannot be negative.").waitFor();
    expect(await form.getByLabel("Relief of tax").getAttribute("aria-invalid")).toBe("true");
    await form.getByLabel("Relief of tax").fill("0.10");
    await form.getByLabel("Exempt income").fill("1234.50");
    expect(complaints.splice(0).filter((complaint) => !complaint.includes("422"))).toEqual([]);
    // The response is lost, not the request.
    await page.route(
      `**/adminapi/user/${uid}/tax`,
      async (route) => {
        await route.fetch();
        await route.abort();
      },
      { times: 1 },
    );
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("The store is not responding").waitFor();
    complaints.length = 0;
    await form.getByRole("button", { name: "Save" }).click();
    await page.getByText("Recorded. The next payout is computed with it.").waitFor();

    const row = page.getByRole("row", { name: /Certificate 7/ });
    await row.getByText("+1,234.50").waitFor();
    await row.getByText("+0.10").waitFor();
    expect(await row.count()).toBe(1);
    const rows =
      await demo.sql`select exempt_income, other_deductions, relief, reason, extract(month from month)::int as month from app.tax_allowances where uid = ${uid}`;
    expect(rows).toEqual([
      { exempt_income: "1234.50", other_deductions: "0.00", relief: "0.10", reason: "Certificate 7", month: 1 },
    ]);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("stays on their page and in their statement when tax is off again", async () => {
    await demo.sql`select app.set_settings('{"tax_method": "per_payment"}', now())`;
    const [withheld] = await demo.sql`
      select w.amount, app.withhold_tax(w, now()) as tax, extract(year from app.month_of(now())) as year
      from app.withdrawals as w where w.uid = ${uid} order by w.id limit 1`;
    await demo.sql`select app.set_settings('{"tax_method": "none"}', now())`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const shown = (amount: string) =>
      new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2 }).format(Number(amount));
    expect(Number(withheld!.tax)).toBeGreaterThan(0);
    for (const [tab, name] of [
      ["tax", `Withheld in ${withheld!.year}`],
      ["statement", "Tax of the payouts of this month"],
    ] as const) {
      await open(`/users/${uid}?tab=${tab}`);
      const sums = page.getByRole("region", { name });
      await sums.getByText(shown(withheld!.amount), { exact: true }).first().waitFor();
      await sums.getByText(shown(withheld!.tax), { exact: true }).first().waitFor();
      expect(await barriers(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  it("is not for administrators without the area money", async () => {
    await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
    await demo.sql`select app.add_administrator(${administrator}, '{service}')`;
    try {
      const { page, open, complaints } = await demo.visitAsAdministrator({ locale: "zh-CN" });
      await open(`/users/${uid}?tab=tax`);
      await page.getByRole("tab", { name: "账单", exact: true }).waitFor();
      expect(await page.getByRole("tab", { name: "个税" }).count()).toBe(0);
      expect(complaints).toEqual([]);
    } finally {
      await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
    }
  });
});

import type { Locator } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { demoConsole, turnPage } from "./demo_console.ts";
import { busyDay } from "./demo_orders.ts";

// The pictures of the business: from a chart to its orders, and on paper.
const demo = demoConsole();

/** Points have at most four decimals. */
const exact = (text: string) => Math.round(Number(text.replaceAll("\u2212", "-").replaceAll(/[^\d.-]/g, "")) * 10_000);

describe("the page Reports", () => {
  it("leads from commission and points, of a day, a member and a level, to the bill rows behind them, which add up to the cent", async () => {
    const [row] = await demo.sql`
      select (b.add_time at time zone 'Asia/Shanghai')::date::text as day from app.user_bill as b
      where b.type = 'brokerage_reversal' group by 1 order by count(*) desc, 1 limit 1`;
    const { page, follow, complaints } = await demo.visitAsAdministrator();
    /** The sums of the list of bill rows that a figure leads to. */
    const sumsBehind = async (link: Locator) => {
      await link.click();
      await page.getByRole("heading", { name: "Bill", level: 1 }).waitFor();
      await settle(page);
      const count = Number((await page.getByText(/^[\d,]+ in total$/).innerText()).replaceAll(/\D/g, ""));
      const sums = { commission: 0, points: 0 };
      for (let number = 1; number <= Math.ceil(count / 20); number++) {
        if (number > 1) await turnPage(page);
        // Both changes of points are read, since a reversal may take released points, too.
        const sumOf = async (title: string) =>
          (await page.locator(`td[data-label="${title}"]`).allInnerTexts()).reduce((sum, text) => sum + exact(text), 0);
        sums.commission += await sumOf("Commission");
        sums.points += (await sumOf("Frozen")) + (await sumOf("Available"));
      }
      return sums;
    };
    for (const [route, last] of [
      [`/reports?from=${row!.day}&to=${row!.day}`, /Bill rows: /],
      [`/reports?from=${row!.day}&to=${row!.day}&by=member&sort=-commission`, /Bill rows of /],
      [`/reports?from=${row!.day}&to=${row!.day}&by=level`, /Bill rows of the level /],
    ] as const) {
      await follow(route);
      const links = page.getByRole("link", { name: last });
      const [commission, points] = (await links.allInnerTexts()).slice(0, 2).map(exact);
      expect([commission, points]).not.toEqual([0, 0]);
      expect(await sumsBehind(links.first())).toEqual({ commission, points });
    }
    await page.getByRole("button", { name: /^Earned with orders: / }).click();
    expect(page.url()).not.toContain("earned_from");
    expect(complaints).toEqual([]);
  });

  it("opens the orders of a bar with the keyboard, and says what each point is", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/reports");
    const chart = page.getByRole("slider", { name: "Revenue" });
    await chart.focus();
    await page.keyboard.press("ArrowLeft");
    expect(await chart.getAttribute("aria-valuenow")).toBe("28");
    expect(await chart.getAttribute("aria-valuetext")).toMatch(
      /^\d{1,2} \w+ \d{4}, Revenue: -?¥[\d,.]+, Queue goods revenue: -?¥[\d,.]+, Period before: /,
    );
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    const [from, to] = ["paid_from", "paid_to"].map((name) =>
      Date.parse(new URLSearchParams(page.url().split("?")[1]).get(name)!),
    );
    expect(to! - from!).toBe(86_400_000);
    await page.goBack();
    await page.getByRole("heading", { name: "Reports", level: 1 }).waitFor();
    await page.getByRole("slider", { name: "Commission" }).press("Enter");
    await page.getByRole("heading", { name: "Bill", level: 1 }).waitFor();
    await page.goBack();
    const orders = page.getByRole("link", { name: /^[\d,]+\. Orders paid: \D/ }).first();
    const [count] = (await orders.innerText()).split(".");
    await orders.click();
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    await page.getByText(`${count} in total`).waitFor();
    expect(page.url()).toContain("product_id=");
  });

  it("keeps unit, days, comparison and dimension in its address, in both languages", async () => {
    const { day } = await busyDay(demo.sql);
    const { page, open, complaints } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open("/reports");
    await page.getByText("按月", { exact: true }).click();
    await settle(page);
    await page.getByText("推广排行", { exact: true }).click();
    await settle(page);
    expect(page.url()).toContain("unit=month");
    expect(page.url()).toContain("by=member");
    await page.getByText("请选择不超过 93 天的时段").waitFor();
    await open(`/reports?from=${day}&to=${day}&compare=none&by=member`);
    await page.getByRole("columnheader", { name: "佣金" }).last().waitFor();
    expect(await page.getByRole("combobox", { name: "对比" }).inputValue()).toBe("不对比");
    await page
      .getByRole("link", { name: new RegExp(`^${Number(day.slice(0, 4))}年`) })
      .first()
      .click();
    await settle(page);
    expect(page.url()).toContain("unit=hour");
    await page.getByRole("button", { name: "以表格显示: 营业额" }).click();
    await expect.poll(() => page.getByRole("region", { name: "营业额" }).getByRole("row").count()).toBe(25);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it("says that there is nothing to compare with before the first member", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/reports?unit=day&compare=year");
    await page.getByText("The store had neither orders nor members in the period to compare with.").waitFor();
  });
});

describe("a page on paper", () => {
  /**
   * The PDF that the browser prints. Its text is compressed, so the visible text is read from the page in the print
   * medium.
   */
  async function printed(page: Awaited<ReturnType<typeof demo.visitAsAdministrator>>["page"]) {
    await page.emulateMedia({ media: "print" });
    // The width of A4 with the margins of the style sheet, at 96 dots per inch.
    await page.setViewportSize({ width: 703, height: 1000 });
    const pdf = await page.pdf({ preferCSSPageSize: true, format: "A4" });
    const pages = pdf.toString("latin1").match(/\/Type\s*\/Page\b/g)!.length;
    const text = await page.evaluate(() => document.body.innerText);
    // The page follows the size of its window after the window has it.
    await expect.poll(() => overflow(page)).toBeLessThanOrEqual(0);
    const heads = await page
      .locator("table thead")
      .evaluateAll((all) => all.map((head) => getComputedStyle(head).display));
    return { pages, text, heads };
  }

  it("of a report has its figures, and neither menu nor filters", async () => {
    const { page, open } = await demo.visitAsAdministrator({ colorScheme: "dark" });
    await open("/reports");
    const { pages, text, heads } = await printed(page);
    expect(pages).toBeGreaterThan(1);
    for (const shown of ["Reports", "All figures", "Queue goods revenue", "Units sold"]) expect(text).toContain(shown);
    for (const hidden of ["Configuration check", "Up to today", "Print", "Show as table", "Export as CSV", "Sort by"])
      expect(text).not.toContain(hidden);
    expect(new Set(heads)).toEqual(new Set(["table-header-group"]));
    expect(await page.evaluate(() => getComputedStyle(document.body).color)).toBe("rgb(0, 0, 0)");
  });

  it("of a statement has all rows, not only those of one page of the list", async () => {
    const [row] = await demo.sql`
      select to_char(b.add_time at time zone 'Asia/Shanghai', 'YYYY-MM') as month, count(*)::int as rows
      from app.user_bill as b where b.uid = 10007 group by 1 having count(*) > 20 order by 2 desc limit 1`;
    const { page, open } = await demo.visitAsAdministrator();
    await page.addInitScript(() => Object.assign(window, { print: () => undefined }));
    await open(`/users/10007?tab=statement&month=${row!.month}`);
    await page.getByRole("button", { name: /^Print all: / }).click();
    const rows = page.locator("table").last().getByRole("row");
    await expect.poll(() => rows.count()).toBe(row!.rows + 1);
    const { text } = await printed(page);
    for (const shown of ["Chen Jing, member 10007", "10007"]) expect(text).toContain(shown);
    for (const hidden of ["Configuration check", "Download", "Page 1"]) expect(text).not.toContain(hidden);
    await page.evaluate(() => dispatchEvent(new Event("afterprint")));
    await expect.poll(() => rows.count()).toBe(21);
  });

  it("of a batch has its number and its withdrawals, and nothing that is only clicked", async () => {
    const [batch] = await demo.sql`
      select b.id::text, b.batch_no, array_agg(w.withdrawal_no order by w.id) as numbers
      from app.withdrawal_batches as b join app.withdrawals as w on w.batch_id = b.id group by b.id order by count(*) desc, b.id limit 1`;
    expect(batch!.numbers.length).toBeGreaterThan(1);
    const { page, open } = await demo.visitAsAdministrator({ colorScheme: "dark" });
    await open(`/withdrawals?batch_id=${batch!.id}`);
    const { text, heads } = await printed(page);
    for (const shown of ["Withdrawals", `Batch ${batch!.batch_no}`, "Amount", "To pay", ...batch!.numbers])
      expect(text).toContain(shown);
    for (const hidden of [
      "Configuration check",
      "Select",
      "Approve",
      "New batch",
      "Mark as paid",
      "Export as CSV",
      "Waiting for review",
    ])
      expect(text).not.toContain(hidden);
    expect(new Set(heads)).toEqual(new Set(["table-header-group"]));
    const rows = await page.locator("table:visible").first().getByRole("row").count();
    expect(rows).toBe(batch!.numbers.length + 1);
  });
});

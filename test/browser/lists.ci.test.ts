import Papa from "papaparse";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { rowsOf } from "../api/workbook.ts";
import { barriers, overflow } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";
import { commissionedOrder } from "./demo_orders.ts";

const demo = demoConsole();

describe("times", () => {
  it("are in the time zone of the store and the locale of the browser", async () => {
    const [order] = await demo.sql`
      select id, to_char(add_time at time zone 'Asia/Shanghai', 'FMMon FMDD, YYYY, FMHH12:MI AM') as american, to_char(add_time at time zone 'Asia/Shanghai', 'YYYY年FMMM月FMDD日 HH24:MI') as chinese
      from app.orders order by id desc limit 1`;
    for (const [locale, shown] of [
      ["en-US", order!.american],
      ["zh-CN", order!.chinese],
    ]) {
      const visit = await demo.visitAsAdministrator({ locale, timezoneId: "America/New_York" });
      await visit.open(`/orders/${order!.id}`);
      await expect
        .poll(async () => (await visit.page.locator("time").first().innerText()).replaceAll("\u202f", " "), {
          message: locale,
        })
        .toBe(shown);
      if (locale !== "zh-CN") await visit.close();
    }
  });
});

describe("lists", () => {
  it("show an error for an invalid uid in a filter or in the URL, and stay open", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    for (const [route, label] of [
      ["/orders", "Buyer"],
      ["/users", "Referrer"],
      ["/release-log", "Member"],
    ] as const) {
      await open(route);
      if (route === "/orders") await page.getByRole("button", { name: "More filters" }).click();
      await page.getByRole("searchbox", { name: label }).fill("Chen");
      await page.getByText("A member number contains only digits.").waitFor();
      await open(`${route}?${route === "/users" ? "spread_uid" : "uid"}=abc`);
      await page.getByText("A member number contains only digits.").waitFor();
      expect(await page.getByRole("row").count()).toBe(21);
    }
    expect(complaints).toEqual([]);
  });

  it("do not send a phone number or an email address, and point to the search that records it", async () => {
    for (const [locale, field, pointer] of [
      [
        "en-GB",
        "Search",
        "Use the search at the top of the page for phone numbers and email addresses. It is recorded.",
      ],
      ["zh-CN", "搜索", "按手机号或邮箱查找，请使用页面顶部的搜索，查找会记入操作记录。"],
    ] as const) {
      const visit = await demo.visitAsAdministrator({ locale });
      const { page, open, complaints } = visit;
      const asked: string[] = [];
      page.on("request", (request) => asked.push(decodeURIComponent(request.url())));
      await open("/users");
      const search = page.getByRole("searchbox", { name: field, exact: true });
      for (const text of ["13800001234", "chen@example.com"]) {
        await search.fill(text);
        await page.getByText(pointer).waitFor();
      }
      await search.fill("10007");
      await page.waitForURL(/search=10007/);
      expect(asked.filter((url) => /13800001234|@example/.test(url))).toEqual([]);
      expect(complaints).toEqual([]);
      if (locale !== "zh-CN") await visit.close();
    }
  });

  it("are filtered by a business day that is typed digit by digit", async () => {
    const { page, open } = await demo.visitAsAdministrator({ timezoneId: "America/New_York" });
    await open("/orders");
    const picker = page.getByRole("button", { name: "Placed: All days" });
    await picker.focus();
    await page.keyboard.press("Enter");
    // Day and month are the same, so that their order does not matter.
    for (const label of ["First day", "Last day"]) {
      await page.getByLabel(label, { exact: true }).focus();
      await page.keyboard.type("11112026", { delay: 30 });
    }
    await page.waitForURL(/from=2026-11-11.*to=2026-11-11/);
    await settle(page);
    const [row] =
      await demo.sql`select count(*) as orders from app.orders where (add_time at time zone 'Asia/Shanghai')::date = '2026-11-11'`;
    await page.getByText(`${row!.orders} in total`).waitFor();
    await page.getByLabel("Last day", { exact: true }).fill("2026-11-10");
    await page.getByText("The last day is before the first.").waitFor();
    expect(page.url()).toMatch(/from=2026-11-11.*to=2026-11-11/);
    await page.keyboard.press("Escape");
    const chosen = page.getByRole("button", { name: "Placed: 11 Nov 2026" });
    await expect.poll(() => chosen.evaluate((button) => button === document.activeElement)).toBe(true);

    await page.getByRole("columnheader", { name: "Paid at" }).getByRole("button").click();
    await page.getByText("While the list is sorted by payment, it has no unpaid and cancelled orders.").waitFor();
    await page.getByRole("columnheader", { name: "Paid at" }).getByRole("button").click();
    await page.waitForURL(/sort=paid_at/);
    const [first] =
      await demo.sql`select count(*) as orders, (array_agg(id::text order by paid_at, id))[1] as id from app.orders where (add_time at time zone 'Asia/Shanghai')::date = '2026-11-11' and paid_at is not null`;
    await page.getByText(`${first!.orders} in total`).waitFor();
    await expect.poll(() => page.getByRole("row").nth(1).getByRole("link").first().innerText()).toBe(first!.id);
  });

  it("offer frequent periods, in the language of the site and by the days of the store", async () => {
    for (const [locale, picker, clear, names] of [
      [
        "en-GB",
        "Placed: ",
        "Clear",
        [
          "Today",
          "Yesterday",
          "Last 7 days",
          "Last 30 days",
          "This month",
          "Last month",
          "This year",
          "Since last month",
        ],
      ],
      [
        "zh-CN",
        "下单日期: ",
        "清除",
        ["今天", "昨天", "最近 7 天", "最近 30 天", "本月", "上月", "今年", "上月 1 日起"],
      ],
    ] as const) {
      const { page, open, close } = await demo.visitAsAdministrator({
        locale,
        timezoneId: "America/New_York",
        colorScheme: locale === "zh-CN" ? "dark" : "light",
      });
      await open("/orders");
      for (const [place, name] of names.entries()) {
        await page.getByRole("button", { name: picker }).click();
        await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
        await page.getByRole("dialog").waitFor({ state: "detached" });
        const [period] = await demo.sql`
          with today as (select (now() at time zone 'Asia/Shanghai')::date as day), first as (select date_trunc('month', day)::date as day from today)
          select (array[today.day, today.day - 1, today.day - 6, today.day - 29, first.day, (first.day - interval '1 month')::date,
                        date_trunc('year', today.day)::date, (first.day - interval '1 month')::date])[${place + 1}]::text as from,
                 (array[today.day, today.day - 1, today.day, today.day, today.day, first.day - 1, today.day, null])[${place + 1}]::text as to
          from today, first`;
        const shown = new URLSearchParams(page.url().split("?")[1]);
        expect({ from: shown.get("from"), to: shown.get("to") }, name).toEqual({ ...period });
      }
      await settle(page);
      // No row is dimmed while it is loaded again, or below the mouse.
      await expect.poll(() => page.locator("[data-stale]").count()).toBe(0);
      await page.mouse.move(0, 0);
      await page.setViewportSize({ width: 390, height: 800 });
      await page.getByRole("button", { name: locale === "zh-CN" ? "更多筛选" : "More filters" }).click();
      await page.getByRole("button", { name: picker }).click();
      await page.getByRole("dialog").getByRole("button", { name: clear, exact: true }).waitFor();
      expect(await barriers(page)).toEqual([]);
      expect(await overflow(page)).toBe(0);
      await page.getByRole("dialog").getByRole("button", { name: clear, exact: true }).click();
      await expect.poll(() => page.url()).not.toContain("from=");
      await close();
    }
  });

  it("show their last page for a page beyond the end, and ignore invalid parameters in the URL", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/articles?page=99");
    await expect.poll(() => page.getByRole("row").count()).toBe(6);
    expect(page.url()).not.toContain("page=");
    await open("/orders?from=abc&to=2026-02-31&page=Infinity");
    await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(1);
    await open("/users/abc");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });
});

/** The file that a button downloads, or an entry of a menu. */
async function downloaded(page: Page, name: string, role: "button" | "menuitem" = "button"): Promise<Buffer> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole(role, { name }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** The lines of an exported file, each by column title. */
function linesOf(file: Buffer): Record<string, string>[] {
  const text = file.toString("utf8");
  expect(text.startsWith("\uFEFF")).toBe(true);
  return Papa.parse<Record<string, string>>(text.slice(1), { header: true }).data;
}

/** Exports a list. */
const exported = async (page: Page, button = "Export as CSV") => linesOf(await downloaded(page, button));

/** Exports a table of a page with one menu for all of its exports. */
async function exportedByMenu(page: Page, table: string) {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  return linesOf(await downloaded(page, `Export as CSV: ${table}`, "menuitem"));
}

describe("tables", () => {
  it("are cards in a narrow window, sorted by a select instead of the header", async () => {
    const { page, open, follow } = await demo.visitAsAdministrator({ width: 390 });
    await open("/users");
    // The list begins in the first screen: all filters but the first are folded.
    expect((await page.getByRole("row").first().boundingBox())!.y).toBeLessThan(600);
    const referrer = page.getByRole("search").getByLabel("Referrer");
    expect(await referrer.isVisible()).toBe(false);
    await page.getByRole("button", { name: "More filters" }).click();
    await referrer.fill("10006");
    await page.waitForURL(/spread_uid=10006/);
    // A filter that is applied is a chip when the others are folded again.
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("search").getByLabel("Level").waitFor({ state: "hidden" });
    const chip = page.getByRole("button", { name: "Referrer: 10006" });
    await chip.waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await chip.waitFor({ state: "hidden" });
    await settle(page);
    const card = page.getByRole("row").first();
    expect(await page.locator("thead").isVisible()).toBe(false);
    expect((await card.boundingBox())!.width).toBeLessThan(390);
    const names = await card
      .getByRole("cell")
      .evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
    expect(names.slice(0, 3)).toEqual(['"Member"', '"Level"', '"Referrer"']);
    await page.getByRole("combobox", { name: "Sort by" }).or(page.getByLabel("Sort by")).first().click();
    await page.getByRole("option", { name: "Frozen points, highest first" }).click();
    await page.waitForURL(/sort=-frozen_points/);
    await settle(page);
    const [top] = await demo.sql`select uid from app.user_balances order by frozen_points desc, uid desc limit 1`;
    await card.getByText(String(top!.uid)).waitFor();
    // A link that names a tab leads to it.
    await follow("/users/10007?tab=orders");
    const tabs = page.getByRole("tablist");
    await expect.poll(async () => (await tabs.boundingBox())!.y).toBeLessThan(400);
    await page.evaluate(() => scrollTo(0, 0));
    await page.getByRole("button", { name: "Bill and orders" }).click();
    await expect.poll(async () => (await tabs.boundingBox())!.y).toBeLessThan(400);
  });

  it("truncate long titles, and show them completely on hover and focus", async () => {
    const title = "Gift box with everything that a title of a product can say ".repeat(3).trim();
    const [product] = await demo.sql`select id, title from app.products where not is_del order by id desc limit 1`;
    await demo.sql`update app.products set title = ${title} where id = ${product!.id}`;
    try {
      const { page, open } = await demo.visitAsAdministrator();
      await open("/products");
      const link = page.getByRole("link", { name: title, exact: true });
      expect(
        await link.evaluate((element) => element.parentElement!.scrollWidth > element.parentElement!.clientWidth),
      ).toBe(true);
      expect(await page.getByRole("tooltip").count()).toBe(0);
      await link.hover();
      expect(await page.getByRole("tooltip").innerText()).toBe(title);
      await page.mouse.move(0, 0);
      await page.getByRole("tooltip").waitFor({ state: "detached" });
      await page.getByRole("combobox", { name: "On sale" }).or(page.getByLabel("On sale")).first().focus();
      for (let presses = 0; !(await link.evaluate((element) => element === document.activeElement)); presses++) {
        expect(presses).toBeLessThan(60);
        await page.keyboard.press("Tab");
      }
      expect(await page.getByRole("tooltip").innerText()).toBe(title);
    } finally {
      await demo.sql`update app.products set title = ${product!.title} where id = ${product!.id}`;
    }
  });

  it("name the buyer and the referrer of an order, also in its settlement", async () => {
    const [order] = await demo.sql`
      select o.id, u.nickname as buyer, r.nickname as referrer from app.orders as o
      join app.users as u on u.uid = o.uid join app.users as r on r.uid = o.referrer_uid
      where o.state <> 'unpaid' and o.queue_base > 0 order by o.id desc limit 1`;
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders?search=${order!.id}`);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: String(order!.id), exact: true }) });
    await row.getByRole("link", { name: order!.buyer }).first().waitFor();
    await row.getByRole("button", { name: /^More of/ }).click();
    await page.locator(".row-details").getByRole("link", { name: order!.referrer }).first().waitFor();
    await open(`/orders/${order!.id}`);
    const settlement = page.getByRole("region", { name: "Settlement" });
    await settlement.locator("summary").first().click();
    await settlement.getByRole("link", { name: order!.referrer }).first().waitFor();
  });

  it("include the orders of a member", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const orders = await demo.sql`select id from app.orders where uid = 10007 order by id desc`;
    await open("/users/10007");
    await page.getByRole("tab", { name: "Orders" }).click();
    await page.getByText(`${orders.length} in total`).waitFor();
    expect(await page.getByRole("row").nth(1).getByRole("link").first().innerText()).toBe(String(orders[0]!.id));
  });
});

describe("saved views", () => {
  it("are named filters of a list, found again after a new sign-in, renamed and deleted", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/orders");
    await page.getByRole("button", { name: "Saved views" }).click();
    await page.getByText("Set filters to save them as a view.").waitFor();
    await open("/orders?state=paid&refund_status=0&page=2");
    await page.getByRole("button", { name: "Saved views" }).click();
    const dialog = page.getByRole("dialog", { name: "Saved views" });
    await dialog.getByRole("textbox", { name: "Save the present filters as" }).fill("To ship");
    await page.keyboard.press("Enter");
    const view = dialog.getByRole("button", { name: "To ship", exact: true });
    await view.waitFor();
    await settle(page);
    expect(await view.getAttribute("aria-pressed")).toBe("true");
    expect(await barriers(page)).toEqual([]);

    const again = await demo.signInAsAdministrator({ width: 390 });
    await again.open("/orders?uid=10007");
    await again.page.getByRole("button", { name: "Saved views" }).click();
    await again.page.getByRole("dialog").getByRole("button", { name: "To ship", exact: true }).click();
    await again.page.waitForURL(/state=paid&refund_status=0$/);
    expect(await overflow(again.page)).toBe(0);
    await again.open("/products");
    await again.page.getByRole("button", { name: "Saved views" }).click();
    await again.page.getByText("No view of this list is saved.").waitFor();

    await dialog.getByRole("button", { name: "Rename To ship" }).click();
    await dialog.getByRole("textbox", { name: "New name of To ship" }).fill("Waits for the carrier");
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Waits for the carrier", exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Delete Waits for the carrier" }).click();
    await dialog.getByText("No view of this list is saved.").waitFor();
    expect((await demo.sql`select views from app.saved_views where page = 'orders'`).map((row) => row.views)).toEqual([
      [],
    ]);
    expect(complaints).toEqual([]);
  });
});

describe("a row", () => {
  it("opens what it is about when it is clicked, in a new tab with Ctrl", async () => {
    const { page, context, open } = await demo.visitAsAdministrator();
    await open("/orders");
    const row = page.getByRole("row").nth(1);
    const id = await row.getByRole("link").first().innerText();
    await row.locator("time").first().click();
    await page.getByRole("heading", { level: 1, name: new RegExp(`\\b${id}\\b`) }).waitFor();
    expect(page.url()).toMatch(new RegExp(`/orders/${id}$`));
    await page.goBack();
    await row.waitFor();
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      row
        .locator("time")
        .first()
        .click({ modifiers: ["ControlOrMeta"] }),
    ]);
    await tab.waitForURL(new RegExp(`/orders/${id}$`));
    await tab.close();
    // The link for the keyboard.
    await row.getByRole("link").first().focus();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`/orders/${id}$`));
  });

  it("opens the drawer of a product, and in a card the member of a release, where another column says what the row is about", async () => {
    const { page, open } = await demo.visitAsAdministrator({ width: 390 });
    await open("/products");
    await page.getByRole("row").first().getByRole("cell").nth(1).click();
    await page.getByRole("dialog").waitFor();
    expect(page.url()).toMatch(/product=\d+/);
    await open("/release-log?uid=10007");
    await page.getByRole("row").first().getByRole("cell").first().click();
    await page.waitForURL(/users\/10007$/);
  });

  it("does nothing else than its controls do, and leaves texts to be selected", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    // The first rows have long numbers on every day.
    await open("/users?sort=-frozen_points");
    const members = page.getByRole("row").nth(1);
    const url = page.url();
    await members.locator("label, input").first().click();
    await page.getByRole("dialog").waitFor();
    await page.getByRole("dialog").getByText(/./).first().click();
    expect(page.url()).toBe(url);
    await page.keyboard.press("Escape");
    const number = page.locator("tbody td:not([data-opens]) .figures:not(a *)").filter({ hasText: /.{6}/ }).first();
    const box = (await number.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    expect((await page.evaluate(() => getSelection()!.toString())).length).toBeGreaterThan(4);
    expect(page.url()).toBe(url);
    await members.getByRole("link").nth(1).click();
    await page.waitForURL(/users\/\d+$/);
  });
});

describe("an export", () => {
  it("has every matching row of all pages", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/orders?state=paid");
    const orders = await demo.sql`
      select o.id, o.pay_price, u.nickname, u.uid from app.orders as o join app.users as u on u.uid = o.uid
      where o.state = 'paid' and o.refund_status <> 2 order by o.id desc`;
    // More than one page of the export.
    expect(orders.length).toBeGreaterThan(100);
    const lines = await exported(page);
    expect(lines.map(({ Order, Buyer, Paid }) => [Order, Buyer, Paid])).toEqual(
      orders.map((order) => [String(order.id), `${order.nickname} (${order.uid})`, order.pay_price]),
    );
  });

  it("as a workbook has the same rows, with amounts and points as numbers and everything else as text", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users?spread_uid=10007&sort=-frozen_points");
    const [titles, ...rows] = rowsOf(await downloaded(page, "Export as Excel"));
    const lines = await exported(page);
    expect(lines.length).toBeGreaterThan(20);
    expect(
      rows.map((cells) => Object.fromEntries(cells.map(({ text }, place) => [titles![place]!.text, text]))),
    ).toEqual(lines);
    const kindOf = (title: string) => {
      const place = titles!.findIndex(({ text }) => text === title);
      return [...new Set(rows.map((cells) => `${cells[place]!.kind} ${cells[place]!.format}`))];
    };
    expect(["Frozen points", "Commission balance", "Member"].map(kindOf)).toEqual([
      ["number General"],
      ["number 0.00"],
      ["text @"],
    ]);
  });

  it("as a workbook keeps numbers that count nothing as texts, such as those of orders and accounts", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/orders?state=paid");
    const [titles, ...rows] = rowsOf(await downloaded(page, "Export as Excel"));
    expect(rows.length).toBeGreaterThan(0);
    const place = titles!.findIndex(({ text }) => text === "Order no.");
    for (const cells of rows) {
      expect(cells[place]!.text).toMatch(/\d{10,}$/);
      expect(cells[place]).toMatchObject({ kind: "text", format: "@" });
    }
  });

  it("of members has the selected sorting and the visible columns", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users?spread_uid=10007&sort=-frozen_points");
    const members = await demo.sql`
      select u.uid, u.nickname, b.frozen_points from app.users as u join app.user_balances as b using (uid) where u.spread_uid = 10007 order by b.frozen_points desc, u.uid desc`;
    expect(members.length).toBeGreaterThan(20);
    const lines = await exported(page);
    expect(lines.map((line) => [line.Member, Number(line["Frozen points"])])).toEqual(
      members.map((member) => [`${member.nickname} (${member.uid})`, Number(member.frozen_points)]),
    );
  });

  it("of the release log has all rows of the log", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/release-log?uid=10007");
    const rows = await demo.sql`select release_points from app.points_release_log where uid = 10007 order by id desc`;
    const lines = await exported(page);
    expect(lines.map(({ Released }) => Number(Released))).toEqual(
      rows.map(({ release_points }) => Number(release_points)),
    );
  });

  it("is available for every list", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    for (const route of [
      "/users",
      "/users/10007",
      "/users/10007?tab=orders",
      "/users/10007?tab=places",
      "/users/10007?tab=direct",
      "/users/10007?tab=chain",
      "/users/10007?tab=audit",
      "/orders",
      "/products",
      "/articles",
      "/articles?tab=categories",
      "/release-log",
      "/activity",
    ]) {
      await open(route);
      for (const name of ["Export as CSV", "Export as Excel"])
        expect.soft(await page.getByRole("button", { name }).count(), route).toBe(1);
    }
  });
});

describe("an export of a list on a page", () => {
  it("is available for each list", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    for (const [route, ...lists] of [
      ["/plan", "Versions"],
      ["/levels", "Versions"],
      ["/check", "Passed"],
      ["/schedule?job=settle_waiting_orders", "Last runs: Settlement of waiting orders"],
    ]) {
      await open(route!);
      for (const list of lists) {
        // The first run of a job is at the start of a minute, and the page loads the runs again every 15 seconds.
        await expect
          .soft(page.getByRole("button", { name: `Export as CSV: ${list}`, exact: true }).waitFor(), `${route} ${list}`)
          .resolves.toBeUndefined();
      }
    }
  });

  it("is in one menu of an order for all of its tables", async () => {
    const [order] = await demo.sql`
      select s.order_id as id from app.settlements as s join app.refunds as r on r.order_id = s.order_id
      where s.commission > 0 order by s.order_id desc limit 1`;
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${order!.id}`);
    expect(await page.getByRole("button", { name: /^Export/ }).count()).toBe(1);
    await page.getByRole("button", { name: "Export", exact: true }).click();
    for (const list of ["Goods", "Points by level", "Bill rows of this order", "Refunds"])
      for (const format of ["CSV", "Excel"])
        await page.getByRole("menuitem", { name: `Export as ${format}: ${list}`, exact: true }).waitFor();
  });

  it("has the values of the page: the products, levels and bill of an order", async () => {
    const { order_id: id } = await commissionedOrder(demo.sql);
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    const goods = await demo.sql`select title, price, quantity from app.order_lines where order_id = ${id} order by id`;
    expect(
      (await exportedByMenu(page, "Goods")).map(({ Product, Price, Quantity }) => ({
        title: Product,
        price: Price,
        quantity: Number(Quantity),
      })),
    ).toEqual(goods.map((line) => ({ ...line })));
    const bill =
      await demo.sql`select b.uid, u.nickname, b.brokerage_delta::text as brokerage from app.user_bill as b join app.users as u using (uid) where b.order_id = ${id} order by b.id`;
    expect((await exportedByMenu(page, "Bill rows")).map(({ Member, Commission }) => [Member, Commission])).toEqual(
      bill.map((row) => [`${row.nickname} (${row.uid})`, row.brokerage]),
    );
    const levels = await exportedByMenu(page, "Points by level");
    expect(levels.map(({ Depth }) => Number(Depth))).toEqual(levels.map((_, place) => place + 1));
    expect(levels[0]).toMatchObject({ Level: expect.stringMatching(/^[A-Z]/), Points: expect.stringMatching(/^\d/) });
  });

  it("has every administrative action with its changes", async () => {
    await demo.sql`
      insert into app.admin_actions (function, target_type, target_id, from_value, to_value, add_time)
      select 'set_no_assess', 'member', '10011', '{"no_assess": false}', '{"no_assess": true}', now() from generate_series(1, 25)`;
    const { page, open } = await demo.visitAsAdministrator();
    await open("/activity?target_type=member&target_id=10011");
    const lines = await exported(page);
    expect(lines).toHaveLength(25);
    expect(lines[0]).toMatchObject({
      "What happened": expect.stringMatching(/^Database owner changed the assessment of .+ \(10011\)$/),
      Changes: "Not assessed: No → Yes",
    });
  });
});

import type { Route } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { administrator, demoConsole, problem } from "./demo_console.ts";
import { chosen, openSearch, typeInSearch } from "./search_field.ts";

const demo = demoConsole();

const settings: ["en-GB" | "zh-CN", "light" | "dark", number][] = [
  ["en-GB", "light", 1440],
  ["zh-CN", "dark", 1024],
  ["zh-CN", "light", 390],
  ["en-GB", "dark", 390],
];

describe("the search", () => {
  it("leads to a member by the keyboard alone, from a field of any page", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open, complaints } = visit;
    await open("/orders");
    await page.getByRole("searchbox", { name: "Search" }).focus();
    await typeInSearch(visit, "chen j");
    await chosen(visit).getByText("Chen Jing").waitFor();
    // The line looks chosen: the styles of the search override those of its buttons.
    expect(await chosen(visit).evaluate((line) => getComputedStyle(line).backgroundColor)).not.toBe("rgba(0, 0, 0, 0)");
    // A screen reader hears the chosen line, although the focus stays in the field.
    const field = page.getByRole("combobox", { name: "Search" });
    expect(await field.getAttribute("aria-activedescendant")).toBe(await chosen(visit).getAttribute("id"));
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Chen Jing, member 10007" }).waitFor();
    await field.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    expect(complaints).toEqual([]);
  });

  it("finds an order by the end of its number, and a later line by the arrows", async () => {
    const visit = await demo.visitAsAdministrator({ locale: "zh-CN", colorScheme: "dark" });
    const { page, open } = visit;
    const [order] = await demo.sql`select id, order_no from app.orders where id = 2405`;
    await open("/overview");
    await typeInSearch(visit, order!.order_no.slice(-6));
    await chosen(visit).getByText(order!.order_no).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/orders\/2405$/);
    await chosen(visit).waitFor({ state: "hidden" });
    await openSearch(visit);
    await page.keyboard.type("bill");
    await page.getByRole("option", { name: "账单" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "账单", level: 1 }).waitFor();
  });

  it("keeps a line that the arrows chose when the answer of the store arrives", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/overview");
    const held: Route[] = [];
    await page.route("**/adminapi/search?*", (route) => held.push(route));
    await openSearch(visit);
    await page.keyboard.type("p");
    await page.getByRole("option").nth(2).waitFor();
    const lines = await page.getByRole("option").allTextContents();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await chosen(visit).getByText(lines[2]!, { exact: true }).waitFor();
    await expect.poll(() => held.length).toBe(1);
    await held[0]!.continue();
    await page.getByText(/^\d+ results?$/).waitFor({ state: "attached" });
    expect(await chosen(visit).allTextContents()).toEqual([lines[2]]);
    await page.unroute("**/adminapi/search?*");
  });

  it("leads to a withdrawal, a batch, a bill row and a product, and does what its actions say", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const [row] = await demo.sql`select max(id) as id from app.user_bill where type = 'brokerage'`;
    const [product] = await demo.sql`select id, title from app.products where not is_del order by id limit 1`;
    await open("/overview");
    await typeInSearch(visit, String(row!.id));
    await page.getByRole("option", { name: `Bill row ${row!.id}` }).click();
    await page.getByRole("dialog", { name: `Bill row ${row!.id}` }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await typeInSearch(visit, product!.title);
    await chosen(visit).getByText(product!.title).waitFor();
    await chosen(visit).locator("img").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(`product=${product!.id}$`));
    await page.getByRole("dialog").waitFor();
    await settle(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await openSearch(visit);
    await page.keyboard.type("add a prod");
    await page.getByRole("option", { name: "Add a product" }).waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(/product=new$/);
    await page.getByRole("dialog", { name: "Add a product" }).waitFor();
    await settle(page);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await openSearch(visit);
    await page.keyboard.type("简体");
    await page.getByRole("option", { name: /简体中文/ }).click();
    await page.getByRole("heading", { name: "商品", level: 1 }).waitFor();
    await page.evaluate(() => localStorage.removeItem("store-console-language"));
  });

  it("finds products and pages of theirs for the role content, and nobody", async () => {
    await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
    await demo.sql`select app.add_administrator(${administrator}, '{content}')`;
    try {
      const visit = await demo.visitAsAdministrator();
      const { page, open } = visit;
      await open("/products");
      await expect
        .poll(() => page.getByRole("navigation").getByRole("link").allTextContents())
        .toEqual(["Products", "First page", "Articles"]);
      await openSearch(visit);
      await page.keyboard.type("chen@example.com");
      await page.getByText("Nothing found.").waitFor();
      expect(await page.locator("button").and(page.getByRole("option")).count()).toBe(0);
      await page.keyboard.press("Escape");
      await typeInSearch(visit, "10007");
      await page.getByText("Nothing found.").waitFor();
      await page.keyboard.press("Escape");
      await openSearch(visit);
      await page.keyboard.type("ord");
      await page.getByText("Nothing found.").waitFor();
    } finally {
      await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
    }
  });

  it("says that nothing was found, and why it could not search, and searches again", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/overview");
    await typeInSearch(visit, "zzzz nobody");
    await page.getByText("Nothing found.").waitFor();
    await page.keyboard.press("Escape");
    await page.route("**/adminapi/search?*", (route) =>
      route.fulfill(problem(503, "database_unavailable", "The database cannot be reached", "Try again in a moment.")),
    );
    await openSearch(visit, () => page.getByRole("button", { name: "Search" }).click());
    await page.keyboard.type("chen jing");
    await page.getByRole("alert").getByText("The database cannot be reached").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.unroute("**/adminapi/search?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("option", { name: /Chen Jing/ }).waitFor();
  });

  it.each(settings)(
    "passes axe and fits its window, empty and with results (%s, %s, %i)",
    async (locale, colorScheme, width) => {
      const visit = await demo.visitAsAdministrator({ locale, colorScheme, width });
      const { page, open, complaints } = visit;
      await open("/overview");
      await openSearch(visit, () => page.getByRole("button", { name: /^(Search|搜索)$/ }).click());
      await page.getByRole("option").first().waitFor();
      await settle(page);
      expect(await barriers(page), "empty").toEqual([]);
      const answer = page.waitForResponse(/adminapi\/search\?/);
      await page.keyboard.type("1000");
      await answer;
      await settle(page);
      expect(await barriers(page), "results").toEqual([]);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.keyboard.press("Escape");
      expect(complaints).toEqual([]);
    },
  );

  it("is not loaded before it is opened", async () => {
    const { page, open } = await demo.visitAsAdministrator({ newProfile: true });
    const files: string[] = [];
    page.on("request", (request) => files.push(request.url()));
    await open("/overview");
    expect(files.filter((url) => url.includes("search_dialog"))).toEqual([]);
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Search" }).waitFor();
    expect(files.filter((url) => url.includes("search_dialog")).length).toBeGreaterThan(0);
  });
});

describe("the bill of all members", () => {
  it("finds a cent by amount and day with two days and two amounts to type, and one click", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const [row] = await demo.sql`
      insert into app.user_bill (uid, type, source, brokerage_delta, order_id, basis, rate, brokerage_after, frozen_after, available_after, add_time)
      select b.uid, 'brokerage', 'cycle', 0.01, b.order_id, 0.1, 0.1, 0, 0, 0, now() from app.user_bill as b where b.type = 'brokerage' order by b.id desc limit 1
      returning id, to_char(add_time at time zone 'Asia/Shanghai', 'YYYY-MM-DD') as day`;
    await open("/bill");
    await page.getByRole("button", { name: "Booked: All days" }).click();
    for (const label of ["First day", "Last day"]) await page.getByLabel(label, { exact: true }).fill(row!.day);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "More filters" }).click();
    for (const label of ["Smallest change", "Largest change"])
      await page.getByRole("searchbox", { name: label }).fill("0.01");
    await page.waitForURL(/max_amount=0.01/);
    await page.getByText("1 in total", { exact: true }).waitFor();
    await page.getByRole("link", { name: String(row!.id), exact: true }).click();
    await page.getByRole("dialog", { name: `Bill row ${row!.id}` }).waitFor();
    expect(page.url()).toContain("max_amount=0.01");
  });

  it("leads from a reversal to what it reverses, and back", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const [row] =
      await demo.sql`select id, reverses_id from app.user_bill where type = 'brokerage_reversal' order by id limit 1`;
    await open(`/bill?row=${row!.id}`);
    await page
      .getByRole("dialog", { name: `Bill row ${row!.id}` })
      .getByRole("link", { name: String(row!.reverses_id), exact: true })
      .click();
    const reversed = page.getByRole("dialog", { name: `Bill row ${row!.reverses_id}` });
    await reversed.getByRole("link", { name: String(row!.id), exact: true }).click();
    await page.getByRole("dialog", { name: `Bill row ${row!.id}` }).waitFor();
  });

  it("says since when it has searched, what is wrong with a period, and that a row does not exist", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/bill?type=brokerage");
    await page.getByText(/^Rows since .* were searched/).waitFor();
    await open("/bill?type=brokerage&from=2026-01-01");
    await page.getByRole("alert").getByText("within 31 days at a time").waitFor();
    await open("/bill?row=999999999");
    await page.getByRole("alert").getByText("There is no such bill row").waitFor();
    await open("/bill");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("searchbox", { name: "Smallest change" }).fill("-1");
    await page.getByText("Enter an amount with at most two decimals").waitFor();
  });
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers, cutButtons, overflow } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();

/** Every page that is a list. */
const lists = [
  "/users",
  "/orders",
  "/shipping",
  "/payments",
  "/release-log",
  "/person-requests",
  "/bill",
  "/withdrawals",
  "/debts",
  "/adjustments",
  "/products",
  "/product-categories",
  "/articles",
  "/administrators",
  "/machine-keys",
  "/activity",
  "/carriers",
];
const rowHeight = 40;
/** The whole rows below the head of a list, before the page is scrolled. */
const windows = [
  { width: 1440, height: 900, rows: 16 },
  { width: 1024, height: 768, rows: 12 },
];

/** What the first list of a page looks like. */
const look = (page: Page) =>
  page
    .locator(".data-list")
    .first()
    .evaluate((table, high) => {
      const rows = Array.from(table.querySelectorAll("tbody tr"));
      const facts = Array.from(
        table.querySelectorAll("tbody :is(.figures, time, .mantine-Badge-root):not([data-sentence] *)"),
      );
      const box = table.closest(".scroll-box")!;
      return {
        room: Math.floor((innerHeight - rows[0]!.getBoundingClientRect().top) / high),
        heights: [...new Set(rows.map((row) => row.getBoundingClientRect().height))],
        cut: facts
          .filter((fact) => fact.getBoundingClientRect().right > fact.closest("td")!.getBoundingClientRect().right)
          .map((fact) => fact.textContent),
        sideways: box.scrollWidth - box.clientWidth,
        scrolls: getComputedStyle(box).overflowY,
        filters: document.querySelector(".filter-row")?.getBoundingClientRect().height ?? 0,
      };
    }, rowHeight);

describe.each(windows)("in a window of $width x $height", ({ rows: least, ...window }) => {
  it.each([
    ["zh-CN", "light"],
    ["en-GB", "dark"],
  ] as const)("each row of a list is one line, and so are its filters (%s, %s)", async (locale, colorScheme) => {
    const { page, follow } = await demo.visitAsAdministrator({ ...window, locale, colorScheme });
    for (const route of lists) {
      await follow(route);
      const seen = await look(page);
      expect.soft(seen, route).toMatchObject({ heights: [rowHeight], cut: [], sideways: 0, scrolls: "visible" });
      expect.soft(seen.room, `${route}: rows in sight`).toBeGreaterThanOrEqual(least);
      expect.soft(seen.filters, `${route}: height of the filters`).toBeLessThanOrEqual(rowHeight);
      expect.soft(await overflow(page), route).toBe(0);
      expect.soft(await cutButtons(page), route).toEqual([]);
    }
  });
});

it.each([1024, 390])("a row opens to show what has no room (%i)", async (width) => {
  const { page, open } = await demo.visitAsAdministrator({ width, height: 800 });
  await open("/orders");
  const rows = page.locator(".data-list tbody tr");
  const referrer = page.locator(".row-details").getByText("Referrer", { exact: true });
  expect(await referrer.count()).toBe(0);
  await rows
    .first()
    .getByRole("button", { name: /^More of/ })
    .click();
  await referrer.waitFor();
  expect(await barriers(page)).toEqual([]);
  await rows
    .first()
    .getByRole("button", { name: /^More of/ })
    .click();
  await expect.poll(() => referrer.count()).toBe(0);
});

it("rows are chosen one by one, up to another one with Shift, a page at once, and all of the filter", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  await open("/shipping?rows=50");
  const boxes = page.getByRole("checkbox", { name: /^Select order/ });
  const bar = page.getByRole("region", { name: "Selected orders" });
  expect(await boxes.count()).toBe(50);
  expect(await bar.count()).toBe(0);
  await boxes.first().check();
  await boxes.nth(29).click({ modifiers: ["Shift"] });
  await bar.getByText("30 orders selected").waitFor();
  await boxes.nth(9).click({ modifiers: ["Shift"] });
  await bar.getByText("9 orders selected").waitFor();
  const whole = page.getByRole("checkbox", { name: "Select this page" });
  expect(await whole.evaluate((box) => (box as HTMLInputElement).indeterminate)).toBe(true);
  await whole.click();
  await bar.getByText("50 orders selected").waitFor();
  const [row] =
    await demo.sql`select count(*)::integer as orders from app.orders where state = 'paid' and refund_status <> 2`;
  await bar.getByRole("button", { name: `Select all ${row!.orders}` }).click();
  await bar.getByText(`${row!.orders} orders selected`).waitFor();
  // The bar stays in sight.
  expect((await bar.boundingBox())!.y).toBeLessThan(800);
  expect(await barriers(page)).toEqual([]);
  await bar.getByRole("button", { name: "Clear the selection" }).click();
  await expect.poll(() => bar.count()).toBe(0);
});

it("a page of a list has 20, 50 or 100 rows", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  await open("/orders?page=2");
  for (const rows of ["50", "100", "20"]) {
    await page.getByRole("combobox", { name: "Rows of a page" }).selectOption(rows);
    await settle(page);
    await expect.poll(() => page.locator(".data-list tbody tr").count()).toBe(Number(rows));
  }
  expect(page.url()).not.toMatch(/page=|rows=/);
});

it("columns keep their sequence and width, for the administrator who has set them", async () => {
  const { page, open } = await demo.visitAsAdministrator({ width: 1440, height: 900, newProfile: true });
  await open("/orders");
  const heads = () => page.locator(".data-list thead th").allInnerTexts();
  await page.getByRole("button", { name: "Columns", exact: true }).click();
  const before = await heads();
  await page.getByRole("button", { name: "Move Buyer up" }).click();
  await page.getByRole("textbox", { name: "Width of Buyer" }).fill("300");
  await expect.poll(heads).not.toEqual(before);
  await page.reload();
  await settle(page);
  const after = await heads();
  expect(after.indexOf("Buyer")).toBe(1);
  expect((await page.locator("th", { hasText: "Buyer" }).boundingBox())!.width).toBeGreaterThanOrEqual(300);
});

it("keys move through the rows, open, choose, search and explain, but not in fields, and can be switched off", async () => {
  const { page, open } = await demo.visitAsAdministrator({ newProfile: true });
  await open("/shipping");
  const focused = () => page.evaluate(() => document.activeElement?.closest("tr")?.sectionRowIndex ?? -1);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await focused()).toBe(1);
  await page.keyboard.press("k");
  expect(await focused()).toBe(0);
  await page.keyboard.press("x");
  await page.getByText("1 order selected").waitFor();
  await page.keyboard.press("/");
  const search = page.getByRole("searchbox", { name: "Search", exact: true });
  await page.keyboard.type("jx?");
  expect(await search.inputValue()).toBe("jx?");
  await search.fill("");
  await search.blur();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await help.waitFor();
  expect(await barriers(page)).toEqual([]);
  await help.getByRole("switch").uncheck();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
  await page.keyboard.press("j");
  await page.keyboard.press("?");
  expect(await help.count()).toBe(0);
  expect(await focused()).toBe(-1);
});

import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { cutButtons, overflow } from "./browser.ts";
import { demoConsole, problem } from "./demo_console.ts";

const demo = demoConsole();

it.each(["en-GB", "zh-CN"])("a list shows the corners of its frame (%s)", async (locale) => {
  const { page, open } = await demo.visitAsAdministrator({ locale });
  for (const route of ["/users", "/orders", "/activity"]) {
    await open(route);
    const box = page.locator(".scroll-box").first();
    // What is drawn in the first pixels of a round corner is not the head of the table.
    const isClipped = await box.evaluate((element) => {
      const frame = element.closest(".mantine-Paper-root")!;
      const { left, top } = frame.getBoundingClientRect();
      return [
        Number.parseFloat(getComputedStyle(frame).borderTopLeftRadius) > 1,
        document.elementFromPoint(left + 1, top + 1)?.closest("th") === null,
      ];
    });
    expect(isClipped, route).toEqual([true, true]);
  }
});

/** Lists that the menu does not name. */
const listsInTabs = [
  "/articles?tab=categories",
  "/users/10007",
  "/users/10007?tab=orders",
  "/users/10007?tab=places",
  "/users/10007?tab=direct",
  "/users/10007?tab=chain",
  "/users/10007?tab=audit",
];

const windows = [
  { width: 1440, height: 900 },
  { width: 1280, height: 720 },
  { width: 390, height: 844 },
];

it("a page scrolls once, and the head of its list stays in sight, and a time breaks once at most, in windows of three sizes", async () => {
  const { page, open, follow } = await demo.visitAsAdministrator();
  const scrolled: string[] = [];
  await open("/overview");
  const pages = await page
    .locator("nav a")
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash.slice(1)));
  expect(pages.length).toBeGreaterThan(15);
  const longLists = ["/users", "/orders", "/products", "/release-log"];
  for (const route of [...pages, ...listsInTabs]) {
    await follow(route);
    for (const size of windows) {
      await page.setViewportSize(size);
      await settle(page);
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      // The page reacts to its new size and scroll position in one frame, and draws the result in the next.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      const seen = await page.evaluate(() => {
        // Small tables in the sections of a page may have a height of their own.
        const boxes = Array.from(document.querySelectorAll(".scroll-box")).filter((box) => !box.closest("section"));
        const heads = boxes
          .slice(-1)
          .flatMap((box) => Array.from(box.querySelectorAll("th")))
          .filter((head) => head.checkVisibility());
        const hidden = heads.filter((head) => {
          const { left, width: wide, top, height: high } = head.getBoundingClientRect();
          return !document
            .elementFromPoint(left + wide / 2, top + high / 2)
            ?.closest("thead")
            ?.contains(head);
        });
        return {
          width: innerWidth,
          pageScrolls: scrollY > 0,
          boxesScroll: boxes.filter(
            (box) => box.scrollHeight > box.clientHeight && getComputedStyle(box).overflowY !== "visible",
          ).length,
          hidden: hidden.map((head) => head.textContent),
          broken: Array.from(document.querySelectorAll("time")).filter(
            (time) => new Set(Array.from(time.getClientRects(), ({ top }) => Math.round(top))).size > 2,
          ).length,
        };
      });
      expect.soft([seen.width, seen.boxesScroll, seen.hidden, seen.broken], route).toEqual([size.width, 0, [], 0]);
      if (seen.pageScrolls) scrolled.push(`${route} ${size.width}`);
    }
  }
  // Lists of 20 rows are higher than these windows.
  expect(scrolled).toEqual(
    expect.arrayContaining(windows.flatMap(({ width }) => longLists.map((route) => `${route} ${width}`))),
  );
});

/**
 * Makes each text of a page twice as long, as in a wordy language. Numbers and times are as long in each language, and a
 * tag is a short word in each.
 */
const doubleTexts = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main")!, NodeFilter.SHOW_TEXT);
    const texts: Text[] = [];
    while (walker.nextNode()) texts.push(walker.currentNode as Text);
    for (const text of texts)
      if (
        /\p{L}{2}/u.test(text.data) &&
        !text.parentElement!.closest("svg, time, code, select, .figures, .mantine-Badge-root")
      )
        text.data = `${text.data} ${text.data}`;
  });

/** The texts of a page that lie on other ones. */
const overlaps = (page: Page) =>
  page.evaluate(() => {
    const main = document.querySelector("main")!;
    const meet = (one: DOMRect, other: DOMRect) => {
      const left = Math.max(one.left, other.left);
      const top = Math.max(one.top, other.top);
      const right = Math.min(one.right, other.right);
      const bottom = Math.min(one.bottom, other.bottom);
      return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
    };
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const drawn: { text: string; lines: DOMRect[] }[] = [];
    while (walker.nextNode()) {
      const text = walker.currentNode as Text;
      const parent = text.parentElement!;
      // The texts of charts have places of their own, and a text of one pixel is for screen readers.
      if (text.data.trim() === "" || !parent.checkVisibility() || parent.closest("svg")) continue;
      if (parent.clientWidth <= 1 && getComputedStyle(parent).position === "absolute") continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      let lines = Array.from(range.getClientRects());
      for (let frame: Element | null = parent; frame && frame !== main; frame = frame.parentElement)
        if (getComputedStyle(frame).overflowX !== "visible") {
          const box = frame.getBoundingClientRect();
          lines = lines.map((line) => meet(line, box));
        }
      drawn.push({ text: text.data.trim(), lines: lines.filter(({ width, height }) => width > 1 && height > 1) });
    }
    return drawn.flatMap(({ text, lines }, at) =>
      drawn.slice(at + 1).flatMap((other) => {
        // The boxes of letters are a little higher than their lines.
        const isOn = lines.some((line) =>
          other.lines.some((below) => {
            const { width, height } = meet(line, below);
            return width > 2 && height > Math.min(line.height, below.height) * 0.4;
          }),
        );
        return isOn ? [`${text} / ${other.text}`] : [];
      }),
    );
  });

it("the main pages fit a phone, also if their texts are twice as long", async () => {
  const [order] = await demo.sql`select id from app.orders where state = 'received' order by id desc limit 1`;
  const { page, follow } = await demo.visitAsAdministrator({ width: 390, height: 844 });
  for (const route of [
    "/overview",
    "/users",
    "/users/10007",
    "/orders",
    `/orders/${order!.id}`,
    "/shipping",
    "/products",
    "/withdrawals",
    "/finance",
    "/schedule",
    "/settings",
  ])
    for (const texts of ["as they are", "twice as long"]) {
      if (texts === "as they are") await follow(route);
      else await doubleTexts(page);
      // The page reacts to the width of its texts in one frame, and draws the result in the next.
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
      expect.soft(await overflow(page), `${route}, texts ${texts}: pixels too wide`).toBeLessThanOrEqual(0);
      expect.soft(await overlaps(page), `${route}, texts ${texts}: texts on others`).toEqual([]);
      expect.soft(await cutButtons(page), `${route}, texts ${texts}: buttons that are cut off`).toEqual([]);
    }
});

it.each([
  [1440, "en-GB", "Only 100 in the period before", "No data in the period before"],
  [1280, "zh-CN", "上期仅 100", "上期无数据"],
  [390, "en-GB", "Only 100 in the period before", "No data in the period before"],
])(
  "the tiles of the overview have one width, and compare with next to nothing in words (%i, %s)",
  async (width, locale, little, nothing) => {
    const { page, open } = await demo.visitAsAdministrator({ width, locale });
    await page.route("**/adminapi/report?*", async (route) => {
      const json = await (await route.fetch()).json();
      Object.assign(json.over, { orders: 2854, queue_orders: 12 });
      Object.assign(json.compared.over, { orders: 100, queue_orders: 0 });
      await route.fulfill({ json });
    });
    await open("/overview?days=7");
    await page.locator("[data-tile]").nth(0).getByText(little, { exact: true }).waitFor();
    await page.locator("[data-tile]").nth(1).getByText(nothing, { exact: true }).waitFor();
    const widths = await page
      .locator("[data-tile]")
      .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().width)));
    expect(new Set(widths).size, widths.join(", ")).toBe(1);
    await page.unrouteAll({ behavior: "wait" });
  },
);

it("a chart cuts off what one day would flatten, says so, and has one zero", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  await page.route("**/adminapi/report?*", async (route) => {
    const json = await (await route.fetch()).json();
    json.periods.forEach((period: Record<string, unknown>, at: number) => {
      Object.assign(period, { queue_revenue: at === 3 ? "98000.00" : "1000.00", commission: "100.00" });
      Object.assign(period, { points_frozen: at === 2 ? -500 : 2000, points_released: 3 });
    });
    await route.fulfill({ json });
  });
  await open("/overview");
  const money = page.getByRole("region", { name: "Revenue and commission per day" });
  await money.getByText("Queue goods revenue: some values are above the scale, the highest is ¥98,000.00.").waitFor();
  const heights = await money
    .locator(".chart-bar")
    .evaluateAll((bars) => bars.map((bar) => Math.round(bar.getBoundingClientRect().height)));
  expect(Math.min(...heights)).toBeGreaterThan(Math.max(...heights) / 2);
  // The zeros of the two axes stand at the same height.
  const zeros = await page
    .getByRole("region", { name: "Points per day" })
    .locator("svg text")
    .evaluateAll((texts) =>
      texts.filter((text) => text.textContent === "0").map((text) => Math.round(text.getBoundingClientRect().top)),
    );
  expect(zeros).toHaveLength(2);
  expect(new Set(zeros).size).toBe(1);
  await page.unrouteAll({ behavior: "wait" });
});

it("signals are looked for until there is one, however many orders have none", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  const cursors: (string | null)[] = [];
  await page.route("**/adminapi/signal?*", (route) => {
    const cursor = new URL(route.request().url()).searchParams.get("cursor");
    cursors.push(cursor);
    return route.fulfill({
      json: { list: [], next_cursor: cursor === "7" ? null : Number(cursor ?? 10) - 1, examined_to: null },
    });
  });
  await open("/signals");
  await page.getByText("There are no earlier signals.").waitFor();
  expect(cursors).toEqual([null, "9", "8", "7"]);
});

it("an error that the text explains has no request number, and an unexpected one has it", async () => {
  const { page, open } = await demo.visitAsAdministrator();
  for (const [status, code, shown] of [
    [422, "invalid_argument", 0],
    [500, "internal_error", 1],
  ] as const) {
    await page.route("**/adminapi/product?*", (route) =>
      route.fulfill(problem(status, code, "No list", "Try something else.")),
    );
    await open("/products");
    await page.getByRole("alert").first().waitFor();
    expect(await page.getByRole("alert").locator("code").count(), code).toBe(shown);
    await page.unroute("**/adminapi/product?*");
  }
});

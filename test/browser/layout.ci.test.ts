import { expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
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

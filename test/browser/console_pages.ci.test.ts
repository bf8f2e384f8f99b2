import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { localDirectory } from "../../scripts/ground/paths.ts";
import { testSize } from "../support/index.ts";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers, cutButtons, pagesIn, keepPicture, loadOf, overflow } from "./browser.ts";
import { type ConsolePage, demoConsole, problem, type Visitor } from "./demo_console.ts";

// The pages in both languages, colour schemes and widths. The long form keeps their pictures.
const screenshots = join(localDirectory, "screenshots/pages");

const routes = {
  overview: "/overview",
  reports: "/reports?by=member",
  reports_by_hour: "/reports?unit=hour&compare=none&by=level",
  users: "/users?sort=-frozen_points",
  user: "/users/10007",
  user_statement: "/users/10007?tab=statement",
  user_orders: "/users/10007?tab=orders",
  user_places: "/users/10007?tab=places",
  user_direct: "/users/10007?tab=direct",
  user_chain: "/users/10007?tab=chain",
  user_network: "/users/10001?tab=network",
  user_changes: "/users/10007?tab=changes",
  user_counts: "/users/10007?tab=audit",
  orders: "/orders",
  order: "/orders/2405",
  shipping: "/shipping",
  carriers: "/carriers",
  payments: "/payments",
  products: "/products",
  product_categories: "/product-categories",
  first_page: "/first-page",
  articles: "/articles",
  categories: "/articles?tab=categories",
  gate: "/articles?tab=gate",
  plan: "/plan",
  levels: "/levels",
  release_log: "/release-log",
  person_requests: "/person-requests",
  schedule: "/schedule",
  scheduled_job: "/schedule?job=fsgx_release_frozen_points",
  jobs: "/jobs",
  outbox: "/outbox",
  review: "/level-review",
  bill: "/bill",
  bill_row: "/bill?row=1",
  adjustments: "/adjustments",
  withdrawals: "/withdrawals",
  debts: "/debts",
  finance: "/finance",
  signals: "/signals",
  shared_orders: "/signals?kind=shared_order",
  bursts: "/signals?kind=sign_up_burst",
  network: "/network?people=5&depth=2",
  check: "/check",
  administrators: "/administrators",
  machine_keys: "/machine-keys",
  webhooks: "/webhooks",
  reconciliation: "/check?tab=reconcile",
  open_refunds: "/orders?waiting=refund",
  activity: "/activity",
  notices: "/notices",
  settings: "/settings",
  messages: "/settings/messages",
  missing: "/nothing-here",
};

const visitors: Record<string, Visitor> = {
  "english light 1280": { locale: "en-GB", colorScheme: "light", width: 1280 },
  "chinese dark 390": { locale: "zh-CN", colorScheme: "dark", width: 390 },
  "chinese dark 1280": { locale: "zh-CN", colorScheme: "dark", width: 1280 },
  "english light 390": { locale: "en-GB", colorScheme: "light", width: 390 },
};

const mostBytes = 300_000;
const mostRequests = 20;

const demo = demoConsole();
// The pages of a member who leaves say so.
beforeAll(
  () => demo.sql`
    insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
    select u.uid, u.auth_id, now(), now() + interval '7 days', 0, 0, 0 from app.users as u where u.uid = 10007`,
);

rmSync(screenshots, { recursive: true, force: true });
mkdirSync(screenshots, { recursive: true });

/** Titles that occur twice in one table. */
const repeatedHeads = ({ page }: ConsolePage) =>
  page.locator("table").evaluateAll((tables) =>
    tables.flatMap((table) => {
      const heads = Array.from(table.querySelectorAll("th")).map((head) => head.textContent.trim());
      return heads.filter((head, at) => heads.indexOf(head) !== at);
    }),
  );

/** The tables with columns outside their visible area. */
const hiddenColumns = ({ page }: ConsolePage) =>
  page
    .locator(".scroll-box")
    .evaluateAll((boxes) =>
      boxes
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((box) => box.getAttribute("aria-label")),
    );

it("every page is opened, in as many settings as the form of the tests says, and every setting occurs", () => {
  const opened = Object.keys(visitors).map((_, setting) =>
    pagesIn(setting, Object.keys(visitors).length, Object.keys(routes)),
  );
  expect(opened.flat().sort()).toEqual(
    Object.keys(routes)
      .flatMap((name) => Array.from({ length: testSize.pageSettings }, () => name))
      .sort(),
  );
  expect(Math.min(...opened.map((names) => names.length))).toBeGreaterThanOrEqual(
    Math.floor(Object.keys(routes).length / 4),
  );
});

describe.each(Object.entries(visitors).map((entry, setting) => [...entry, setting] as const))(
  "the pages, %s",
  (name, visitor, setting) => {
    it("passes axe, fits its window and logs no errors", async () => {
      const signingIn = await demo.visit(visitor);
      expect(await barriers(signingIn.page), "sign in").toEqual([]);
      await keepPicture(signingIn.page, join(screenshots, `sign_in ${name}.png`));
      await signingIn.close();

      const visit = await demo.visitAsAdministrator(visitor);
      for (const [page, route] of pagesIn(setting, Object.keys(visitors).length, Object.entries(routes))) {
        await visit.follow(route);
        expect.soft(await overflow(visit.page), `${page}: pixels too wide`).toBeLessThanOrEqual(0);
        expect.soft(await cutButtons(visit.page), `${page}: buttons that are cut off`).toEqual([]);
        expect.soft(await hiddenColumns(visit), `${page}: tables that hide columns`).toEqual([]);
        expect.soft(await barriers(visit.page), page).toEqual([]);
        expect.soft(await repeatedHeads(visit), `${page}: columns of one name`).toEqual([]);
        await keepPicture(visit.page, join(screenshots, `${page} ${name}.png`));
      }
      expect(visit.complaints).toEqual([]);
    });
  },
);

describe("the console", () => {
  it("passes axe in its dialogs and forms", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, follow } = visit;
    const dialogs: [route: string, button: string][] = [
      ["/users?search=10007", "switch"],
      ["/users/10007", "Set level"],
      ["/orders/2405", "Refund"],
      ["/shipping", "Import tracking numbers"],
      ["/carriers", "Add a carrier"],
      ["/products", "Add a product"],
      ["/product-categories", "Add a category"],
      ["/settings/messages", "Add a template"],
      ["/articles", "Add an article"],
      ["/articles?tab=categories", "Add a category"],
      ["/administrators", "Invite a colleague"],
      ["/schedule", "Edit: Daily release of frozen points"],
      ["/schedule", "Run now: Daily release of frozen points"],
    ];
    for (const [route, button] of dialogs) {
      await follow(route);
      await (
        button === "switch" ? page.getByRole("switch").first() : page.getByRole("button", { name: button })
      ).click();
      await page.getByRole("dialog").waitFor();
      await settle(page);
      expect.soft(await barriers(visit.page), `${route} ${button}`).toEqual([]);
      await keepPicture(page, join(screenshots, `dialog ${button.replaceAll(":", "")}.png`));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
  });

  it("can be used with the keyboard alone: to a member's page and back", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users?search=10007");
    await page.keyboard.press("Tab");
    const focused = () => page.evaluate(() => document.activeElement?.textContent ?? "");
    for (
      let presses = 0;
      !(await focused()).includes("Chen Jing") || (await page.evaluate(() => document.activeElement?.tagName)) !== "A";
      presses++
    ) {
      expect(presses).toBeLessThan(40);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Chen Jing, member 10007" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.goBack();
    await page.waitForURL(/search=10007/);
  });

  it("loads its first page with at most 300 kB, compressed, in at most 20 requests", async () => {
    for (const locale of ["en-GB", "zh-CN"]) {
      const { page, open } = await demo.visitAsAdministrator({ newProfile: true, locale });
      const { bytes, requests } = await loadOf(page, () => open("/overview"));
      expect(await page.getByRole("slider").count()).toBe(2);
      expect.soft(bytes, locale).toBeLessThanOrEqual(mostBytes);
      expect.soft(requests.length, requests.join("\n")).toBeLessThanOrEqual(mostRequests);
    }
  });

  it("shows a loading message while its files load slowly", async () => {
    const visit = await demo.visitAsAdministrator({ newProfile: true });
    const { page, complaints } = visit;
    let arrive!: () => void;
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    await page.route(/\/assets\/.*\.(js|css)$/, async (route) => {
      await arrived;
      await route.continue();
    });
    await page.goto("about:blank");
    await page.goto(`${demo.info.console_url}#/orders`, { waitUntil: "commit" });
    await page.getByText("Loading the console").waitFor();
    await keepPicture(page, join(screenshots, "slow first load.png"));
    expect(await barriers(visit.page)).toEqual([]);
    arrive();
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    expect(await page.getByText("Loading the console").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("shows an error when a page cannot be loaded offline, and opens it when the connection is restored", async () => {
    const visit = await demo.visitAsAdministrator({ newProfile: true });
    const { page, context, open } = visit;
    await open("/overview");
    await context.setOffline(true);
    await page.getByRole("navigation").getByRole("button", { name: "Content" }).click();
    await page.getByRole("navigation").getByRole("link", { name: "Products" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await page.getByText("There is no connection to the server.").waitFor();
    expect(await page.getByText("TypeError").count()).toBe(0);
    await settle(page);
    expect(await barriers(visit.page)).toEqual([]);
    await keepPicture(page, join(screenshots, "page without connection.png"));
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Products", level: 1 }).waitFor();
  });

  it("shows an error when a list cannot be loaded offline, and loads it when the connection is restored", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, context, open } = visit;
    await open("/orders");
    await context.setOffline(true);
    await page.getByRole("button", { name: "Page 2", exact: true }).click();
    await page.getByRole("alert").getByText("The store is not responding").waitFor();
    await context.setOffline(false);
    await page.getByRole("alert").waitFor({ state: "hidden" });
    await settle(page);
    expect(await page.getByRole("row").count()).toBe(21);
  });

  it("starts when its server becomes reachable", async () => {
    const visit = await demo.visit();
    await visit.page.route("**/config.json", (route) => route.abort());
    await visit.page.reload();
    await visit.page.getByRole("heading", { name: "No connection" }).waitFor();
    await visit.page.unroute("**/config.json");
    await visit.page.getByRole("textbox", { name: "Email" }).waitFor();
  });

  it("reports a missing configuration", async () => {
    const visit = await demo.visit();
    await visit.page.route("**/config.json", (route) => route.fulfill({ status: 404, body: "" }));
    await visit.page.reload();
    await visit.page.getByRole("heading", { name: "The console cannot start" }).waitFor();
    await visit.page.getByText("HTTP 404").waitFor();
  });

  it("shows an error while the store is unavailable, and the page afterwards", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await page.route("**/adminapi/order?*", (route) =>
      route.fulfill(problem(503, "database_unavailable", "The database cannot be reached", "Try again in a moment.")),
    );
    await page.goto(`${demo.info.console_url}#/orders`);
    await page.getByRole("alert").getByText("database_unavailable").waitFor();
    await page.unroute("**/adminapi/order?*");
    await page.getByRole("button", { name: "Try again" }).click();
    await settle(page);
    expect(await page.getByRole("row").count()).toBe(21);
    await open("/overview");
  });
});

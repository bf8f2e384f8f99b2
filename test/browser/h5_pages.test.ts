import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Response } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { localDirectory } from "../../scripts/stack/paths.ts";
import { testSize } from "../support/index.ts";
import { barriers, overflow } from "./browser.ts";
import { demoH5, type Phone } from "./demo_h5.ts";

// Every page in both languages and colour schemes on a narrow phone; the pictures stay for people to look at.
const screenshots = join(localDirectory, "screenshots/h5");

const demo = demoH5();

rmSync(screenshots, { recursive: true, force: true });
mkdirSync(screenshots, { recursive: true });

const forVisitors = { shop: "/", product: "/products/40", sold_out: "/products/18", missing: "/nothing-here" };

const forMembers = {
  shop: "/",
  checkout: "/checkout?product=40",
  orders: "/orders",
  orders_to_pay: "/orders?state=unpaid",
  addresses: "/addresses",
  new_address: "/addresses/new",
  team: "/team",
  people: "/team/people?depth=umbrella",
  team_orders: "/team/orders",
  poster: "/poster",
  me: "/me",
  profile: "/me/profile",
  cycle: "/cycle",
  points: "/points",
  bill: "/bill",
  reversals: "/bill?type=brokerage_reversal",
  levels: "/levels",
  nobodys_order: "/orders/1",
};

const phones: Record<string, Phone> = {
  "chinese light": { locale: "zh-CN", colorScheme: "light" },
  "english dark": { locale: "en-GB", colorScheme: "dark" },
  "chinese dark": { locale: "zh-CN", colorScheme: "dark" },
  "english light": { locale: "en-GB", colorScheme: "light" },
};

const mostScriptBytes = 200 * 1024;

describe.each(Object.entries(phones).slice(0, testSize.pageSettings))("every page, %s", (name, phone) => {
  it("passes axe, fits 360 pixels and logs no errors; its screenshot is kept", { timeout: 180_000 }, async () => {
    const visitor = await demo.phone(phone);
    const member = await demo.phone({ ...phone, member: "chen@example.com" });
    const look = async ({ page }: typeof visitor, title: string) => {
      expect.soft(await overflow(page), `${title}: pixels too wide`).toBeLessThanOrEqual(0);
      expect.soft(await barriers(page), title).toEqual([]);
      await page.screenshot({ path: join(screenshots, `${title} ${name}.png`), fullPage: true });
    };

    await visitor.page.goto(`${demo.info.supabase_url}/h5?spread=10007`);
    await settleH5(visitor.page);
    await look(visitor, "invitation");
    for (const [title, route] of Object.entries(forVisitors)) {
      await visitor.open(route);
      await look(visitor, `visitor ${title}`);
    }
    await visitor.open("/sign-up");
    await look(visitor, "article");
    await visitor.page.locator(".page-foot button").click();
    await look(visitor, "sign_up");
    await visitor.page.locator("main a").click();
    await look(visitor, "sign_in");

    const [order] = await demo.sql`
      select id from app.orders as o where o.uid = 10007 and o.state in ('paid', 'delivered', 'received') and o.refund_status = 0 order by id desc limit 1`;
    for (const [title, route] of Object.entries({ ...forMembers, order: `/orders/${order!.id}`, refund: `/orders/${order!.id}/refund` })) {
      await member.open(route);
      await look(member, title);
    }
    // Somebody else's order is told apart from none by nobody.
    const refused = /response: 404 .*\/api\/order\/1(\/refund)?$|console: Failed to load resource.* 404/;
    expect([...visitor.complaints, ...member.complaints].filter((complaint) => !refused.test(complaint))).toEqual([]);
  });
});

describe("the H5 app", () => {
  it("loads less than 200 KiB of compressed script for its first page, and signing in, checkout and poster when they are opened", async () => {
    const { page } = await demo.phone();
    const scripts = new Map<string, Response>();
    page.on("response", (response) => {
      if (response.url().endsWith(".js")) scripts.set(response.url(), response);
    });
    const loaded = (file: string) => [...scripts.keys()].some((url) => url.includes(`/${file}-`));
    await page.goto(`${demo.info.supabase_url}/h5?spread=10007`);
    await settleH5(page);
    await page.waitForLoadState("networkidle");
    const bodies = await Promise.all([...scripts.values()].map((response) => response.body()));
    const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0);
    expect(bytes).toBeGreaterThan(50 * 1024);
    expect(bytes).toBeLessThan(mostScriptBytes);
    for (const file of ["auth_client", "sign_in_page", "checkout_page", "poster_page"]) expect([file, loaded(file)]).toEqual([file, false]);
    await page.goto(`${demo.info.h5_url}#/sign-in`);
    await expect.poll(() => loaded("sign_in_page")).toBe(true);
  });

  it("passes axe with its sheets open", async () => {
    const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    await open("/me");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.screenshot({ path: join(screenshots, "sheet sign out.png") });
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await open("/checkout?product=40");
    await page.locator(".address-pick").click();
    await page.getByRole("dialog").waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.screenshot({ path: join(screenshots, "sheet addresses.png") });
  });

  it("loads more of a list when its end becomes visible, and by the button after a failure", async () => {
    const { page, open } = await demo.phone({ locale: "en-GB" });
    await open("/");
    const cards = page.getByRole("list", { name: "Products" }).getByRole("listitem");
    expect(await cards.count()).toBe(20);
    await page.route("**/api/product?*page=2*", (route) => route.abort());
    await cards.last().scrollIntoViewIfNeeded();
    await page.getByRole("alert").getByText("The store is not responding").waitFor({ timeout: 30_000 });
    await page.unroute("**/api/product?*page=2*");
    await page.getByRole("button", { name: "Try again" }).click();
    await expect.poll(() => cards.count()).toBe(40);
    await page.getByText("No more entries.").waitFor();
  });

  it("returns with the back button to the previous page, or to the parent page if it was opened by its address", async () => {
    const { page, open } = await demo.phone({ locale: "en-GB" });
    await open("/");
    await page.getByRole("link", { name: "Wellness package" }).click();
    await page.getByRole("button", { name: "Buy now" }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe("H1");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("list", { name: "Products" }).waitFor();
    await open("/products/39");
    await page.getByRole("button", { name: "Back" }).click();
    await page.getByRole("list", { name: "Products" }).waitFor();
  });

  it("shows that there is no connection, and opens the page when it is back", async () => {
    const { page, context, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    await open("/me");
    await context.setOffline(true);
    await page.getByText("No connection. This page may be out of date.").waitFor();
    await page.getByRole("link", { name: "Levels and tasks" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Levels", exact: true }).waitFor();
  });

  it("follows the settings of the store, with text that can be read on any colour", async () => {
    const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    const pictures = await demo.sql`select images[1] as image from app.products order by id desc limit 1`;
    for (const colour of ["#ffd400", "#101010", "#7fdbff"]) {
      await demo.sql`update app.settings set site_name = 'Tea house', logo = ${pictures[0]!.image}, colour = ${colour}`;
      for (const scheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme: scheme });
        for (const route of ["/", "/me", "/cycle"]) {
          await open(route);
          expect.soft(await barriers(page), `${colour} ${scheme} ${route}`).toEqual([]);
        }
      }
    }
    await open("/");
    await page.getByRole("heading", { name: "Tea house", level: 1 }).waitFor();
    expect(await page.title()).toBe("Tea house");
    await demo.sql`update app.settings set site_name = 'Store', logo = null, colour = '#c8102e'`;
  });

  it("starts in the language of the browser; another choice is remembered", async () => {
    const { page, open } = await demo.phone({ locale: "zh-CN" });
    await open("/");
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    await page.getByRole("button", { name: "English" }).click();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Products" }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  });
});

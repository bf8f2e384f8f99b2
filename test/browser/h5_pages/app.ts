import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import { measureLongTasks } from "../../../scripts/bench/long_tasks.ts";
import { barriers, cutButtons, loadOf, overflow } from "../browser.ts";
import type { DemoH5 } from "../demo_h5.ts";
import { type Folder, loadNothingAhead } from "./folder.ts";

const mostBytes = 150_000;
const mostRequests = 25;

/** What all pages have in common (apps/h5/src/app). */
export const app: Folder = { visitor: { missing: "/nothing-here" }, tests };

function tests(demo: DemoH5): void {
  it("loads its first page with at most 150 kB, compressed, in at most 25 requests, and signing in, checkout and poster when they are opened", async () => {
    const { page } = await demo.phone();
    await loadNothingAhead(page);
    const { bytes, requests } = await loadOf(page, async () => {
      await page.goto(`${demo.info.supabase_url}/h5?spread=10007`);
      await settleH5(page);
    });
    expect.soft(bytes).toBeLessThanOrEqual(mostBytes);
    expect.soft(requests.length, requests.join("\n")).toBeLessThanOrEqual(mostRequests);
    for (const file of ["auth_client", "sign_in_page", "checkout_page", "poster_page"])
      expect([file, requests.some((url) => url.includes(`/${file}-`))]).toEqual([file, false]);
    const opened = page.waitForResponse((response) => response.url().includes("/sign_in_page-"));
    await page.goto(`${demo.info.h5_url}#/sign-in`);
    await opened;
  });

  it("has long tasks that the benchmark measures on a slow phone", async () => {
    const { context } = await demo.phone();
    await context.addInitScript(() => {
      let sum = 0;
      for (let each = 0; each < 100_000_000; each += 1) sum = (sum + each) % 1013;
      Object.assign(window, { sum });
    });
    const { count, longest, sum } = await measureLongTasks(demo.browser, context, `${demo.info.h5_url}#/`);
    expect(count).toBeGreaterThan(0);
    expect(longest).toBeGreaterThan(400);
    expect(sum).toBeGreaterThanOrEqual(longest);
  });

  it("has larger texts on a phone that is set to them, and nothing is cut off", async () => {
    const { page, context, open } = await demo.phone({ member: "chen@example.com" });
    const heading = async () =>
      Number.parseFloat(await page.evaluate(() => getComputedStyle(document.querySelector("h1")!).fontSize));
    await open("/me");
    const usual = await heading();
    await (await context.newCDPSession(page)).send("Page.setFontSizes", { fontSizes: { standard: 20 } });
    for (const route of ["/", "/me", "/orders", "/withdrawals", "/levels"]) {
      await open(route);
      expect.soft(await overflow(page), route).toBeLessThanOrEqual(0);
      expect.soft(await cutButtons(page), route).toEqual([]);
      if (route === "/me") expect(await heading()).toBeCloseTo(usual * 1.25, 1);
    }
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
    await page.getByText(/No connection\. You see what was loaded at \d/).waitFor();
    await page.getByRole("link", { name: "Levels and tasks" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await context.setOffline(false);
    await page.getByRole("heading", { name: "Levels", exact: true }).waitFor();
  });

  it("opens each tab without a connection, also those that were never visited, and fills them when it is back", async () => {
    const { page, context, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    const loaded = new Set<string>();
    page.on("requestfinished", (request) => loaded.add(/([a-z_]+)-[^/]*\.js$/.exec(request.url())?.[1] ?? ""));
    const files = ["orders_page", "team_page", "products_page", "me_page"];
    await open("/me");
    await expect.poll(() => files.filter((file) => !loaded.has(file))).toEqual([]);
    await context.setOffline(true);
    const menu = page.getByRole("navigation", { name: "Menu" });
    for (const tab of ["Orders", "Team", "Products"]) {
      await menu.getByRole("link", { name: tab }).click();
      const failure = page.getByRole("main").getByRole("alert").filter({ hasText: "The store is not responding" });
      await failure.getByRole("button", { name: "Try again" }).click();
      await failure.waitFor();
      await page.getByText("No connection.").waitFor();
    }
    await menu.getByRole("link", { name: "Me" }).click();
    await page.getByRole("region", { name: "Membership" }).getByText("Chen Jing").waitFor();
    await menu.getByRole("link", { name: "Orders" }).click();
    await context.setOffline(false);
    await page.getByRole("list", { name: "Orders" }).getByRole("listitem").first().waitFor();
  });

  it("can be installed, and opens without a connection with the last data, which a sign-out removes", async () => {
    const { page, context, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB", keepsFiles: true });
    await open("/me");
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    const session = await context.newCDPSession(page);
    expect((await session.send("Page.getInstallabilityErrors")).installabilityErrors).toEqual([]);
    // A page with such a session believes to be online.
    await session.detach();
    const { icons } = (await (await page.request.get(`${demo.info.h5_url}manifest.webmanifest`)).json()) as {
      icons: { src: string }[];
    };
    for (const { src } of icons)
      expect([src, (await page.request.get(`${demo.info.h5_url}${src}`)).status()]).toEqual([src, 200]);

    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Orders" }).click();
    const orders = page.getByRole("list", { name: "Orders" }).getByRole("listitem");
    await orders.first().waitFor();
    const shown = await orders.first().innerText();
    const kept = () => page.evaluate(() => localStorage.getItem("store-h5-data") ?? "");
    await expect.poll(kept).toContain(`"orders","all"`);
    await context.setOffline(true);
    // A new load: nothing is in memory.
    await page.reload();
    await page.getByText(/No connection\. You see what was loaded at \d/).waitFor();
    expect(await orders.first().innerText()).toBe(shown);
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await barriers(page)).toEqual([]);
    await context.setOffline(false);
    await expect.poll(() => page.getByText("No connection").count()).toBe(0);

    // The session has gone without a sign-out, such as by the settings of the browser: whoever signs in next reads
    // nothing of it.
    const owner = await page.evaluate(() => localStorage.getItem("store-h5-session")!);
    const all = await kept();
    await page.goto("about:blank");
    await context.addInitScript(
      ([stored]) => {
        if (sessionStorage.getItem("begun")) return;
        sessionStorage.setItem("begun", "1");
        localStorage.removeItem("store-h5-session");
        localStorage.setItem("store-h5-data", stored!);
      },
      [all],
    );
    await page.goto(demo.info.h5_url);
    await page.getByRole("list", { name: "Products" }).waitFor();
    await expect.poll(kept).not.toContain("orders");
    await page.evaluate((session) => localStorage.setItem("store-h5-session", session), owner);

    await open("/me");
    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Orders" }).click();
    await expect.poll(kept).toContain(`"orders","all"`);
    await open("/me");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
    await expect.poll(kept).not.toContain("orders");
  });

  it("shows and keeps nothing of an account in whose place another one has signed in, in another window", async () => {
    const { page, context, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    await open("/orders");
    await open("/me");
    const membership = page.getByRole("region", { name: "Membership" });
    await membership.getByText("Chen Jing").waitFor();
    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Orders" }).click();
    await page.getByRole("list", { name: "Orders" }).getByRole("listitem").first().waitFor();
    const session = JSON.stringify(await demo.newSession("wang@example.com"));
    const other = await context.newPage();
    await other.goto(`${demo.info.h5_url}config.json`);
    await other.evaluate((stored) => localStorage.setItem("store-h5-session", stored), session);
    await context.setOffline(true);
    await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Me" }).click();
    await page.getByRole("main").getByRole("alert").or(page.getByText("Chen Jing")).first().waitFor();
    expect(await page.getByText("Chen Jing").count()).toBe(0);
    await context.setOffline(false);
    await membership.getByText("Wang Fang").waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("store-h5-data"))).not.toContain("Chen Jing");
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
}

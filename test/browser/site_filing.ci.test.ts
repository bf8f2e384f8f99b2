import { serve, type ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSite, consoleSite, h5Site, type StaticSite } from "../../scripts/stack/static_site.ts";
import { stack } from "../support/index.ts";
import { barriers, complaintsOf } from "./browser.ts";
import { launchTestBrowser } from "./test_browser.ts";

const NUMBER = "京ICP备12345678号-1";
let browser: Browser;
const servers: ServerType[] = [];

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(() => {
  for (const server of servers) server.close();
});

/** Opens a page of a site on a host of its own, on a phone. @param icp_number what its `config.json` says */
async function visit(site: StaticSite, route: string, icp_number?: string): Promise<Page> {
  const { supabase_url, publishable_key } = stack();
  const app = new Hono();
  app.get("/config.json", (context) => context.json({ supabase_url, publishable_key, icp_number }));
  app.get("/*", serveStatic({ root: await buildSite(site, () => undefined) }));
  const address = await new Promise<string>((resolve) => {
    servers.push(
      serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(`http://127.0.0.1:${port}/`)),
    );
  });
  const context = await browser.newContext({ locale: "zh-CN", viewport: { width: 390, height: 844 } });
  const page = await context.newPage();
  await page.goto(`${address}#${route}`);
  return page;
}

/** The link of the filing, after the article before the sign-in, if the store has one. */
async function filingOf(page: Page) {
  const link = page.getByRole("link", { name: NUMBER });
  const read = page.locator("main footer button");
  await link.or(read).first().waitFor();
  if (await read.isVisible()) await read.click();
  await link.waitFor();
  return link;
}

const PAGES = [
  ["the first page of the app", h5Site, "/"],
  ["the sign-in of the app", h5Site, "/sign-in"],
  ["the sign-up of the app", h5Site, "/sign-up"],
  ["the sign-in of the console", consoleSite, "/"],
] as const;

describe("the number of the filing in mainland China", () => {
  it.each(PAGES)("is at the foot of %s, and leads to the ministry", async (_where, site, route) => {
    const page = await visit(site, route, NUMBER);
    const complaints = complaintsOf(page);
    const link = await filingOf(page);
    expect(await link.getAttribute("href")).toBe("https://beian.miit.gov.cn/");
    const box = (await link.boundingBox())!;
    expect(box.x).toBeGreaterThanOrEqual(0);
    expect(box.x + box.width).toBeLessThanOrEqual(390);
    // Nothing of the page is below it, and nothing covers it.
    const lowest = await page.evaluate(() =>
      Math.max(
        ...[...document.querySelectorAll("main a, main button, main input")].map(
          (e) => e.getBoundingClientRect().bottom,
        ),
      ),
    );
    expect(box.y + box.height).toBeGreaterThanOrEqual(lowest - 0.5);
    await link.click({ trial: true });
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it("is nowhere if the configuration has none", async () => {
    for (const icp_number of [undefined, ""]) {
      const page = await visit(consoleSite, "/", icp_number);
      await page.locator("input").first().waitFor();
      expect(await page.locator("footer, a[href*=beian]").count()).toBe(0);
      await page.context().close();
    }
  });
});

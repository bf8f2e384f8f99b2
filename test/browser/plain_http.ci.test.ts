import { serve, type ServerType } from "@hono/node-server";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { settle, signIn } from "../../scripts/pictures/console_visit.ts";
import { settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { browserPath } from "../../scripts/ground/browser_install.ts";
import { buildSite, consoleSite, h5Site } from "../../scripts/stack/static_site.ts";
import { complaintsOf } from "./browser.ts";
import { administrator, demoConsole, password } from "./demo_console.ts";

// The sites on a host of their own, beside a store with another address, both by plain http: in an office without
// certificates. Unlike 127.0.0.1, these names (GATEWAY_HOSTS of the demo sites) are no secure context for a browser.
const demo = demoConsole();
const servers: ServerType[] = [];
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: browserPath,
    args: ["--no-sandbox", "--host-resolver-rules=MAP *.test 127.0.0.1"],
  });
});
afterAll(async () => {
  await browser?.close();
  for (const server of servers) server.close();
});

/**
 * Serves the files of a build without any header of this project.
 * @returns a page that shows them, with its complaints
 */
async function visit(site: typeof consoleSite): Promise<{ page: Page; complaints: string[]; address: string }> {
  const app = new Hono();
  app.get("/config.json", (context) =>
    context.json({
      supabase_url: demo.info.supabase_url.replace("127.0.0.1", "store.test"),
      publishable_key: demo.info.publishable_key,
      payment_provider: "local",
    }),
  );
  app.get("/*", serveStatic({ root: await buildSite(site, () => undefined) }));
  const address = await new Promise<string>((resolve) => {
    servers.push(
      serve({ fetch: app.fetch, hostname: "127.0.0.1", port: 0 }, ({ port }) => resolve(`http://sites.test:${port}/`)),
    );
  });
  const context = await browser.newContext({
    locale: "en-GB",
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(address);
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  return { page, complaints, address };
}

it("the console signs in, reads and saves", async () => {
  const { page, complaints, address } = await visit(consoleSite);
  await signIn(page, administrator, password);
  await page.waitForURL(/#\/overview/);
  await settle(page);
  await page.goto(`${address}#/products?product=new`);
  const form = page.getByRole("dialog");
  await form.getByLabel("Title").fill("Cup without a certificate");
  await form.getByLabel("Price").fill("10");
  await form.getByRole("button", { name: "Save" }).click();
  await form.waitFor({ state: "hidden" });
  await page.getByRole("link", { name: "Cup without a certificate" }).waitFor();
  await settle(page);
  expect(complaints).toEqual([]);
});

it("the app of the members signs in, shows pictures of other hosts and saves", async () => {
  const [product] = await demo.sql`select images[1] as image from app.products where id = 40`;
  const picture = new URL(
    new URL(product!.image).pathname,
    demo.info.supabase_url.replace("127.0.0.1", "pictures.test"),
  );
  await demo.sql`update app.products set images = array[${picture.href}] where id = 40`;
  const { page, complaints, address } = await visit(h5Site);
  await page.goto(`${address}#/products/40`);
  await settleH5(page);
  expect(
    await page
      .locator("main img")
      .first()
      .evaluate((img: HTMLImageElement) =>
        img.decode().then(() => [img.src.includes("pictures.test"), img.naturalWidth > 0]),
      ),
  ).toEqual([true, true]);
  await page.goto(`${address}#/me/profile`);
  // An article comes before the form. The product is shown until it has loaded.
  await page.getByRole("button", { name: "Buy now" }).waitFor({ state: "hidden" });
  await page.locator("main footer button").click();
  await page.getByLabel("Email").fill("chen@example.com");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.locator("button[type=submit]").click();
  await page.getByRole("heading", { name: "Profile" }).waitFor();
  await page.getByLabel("Nickname").fill("Chen Jing of the office");
  await page.getByRole("button", { name: "Save" }).click();
  await expect
    .poll(() => demo.sql`select nickname from app.users where uid = 10007`.then(([user]) => user!.nickname))
    .toBe("Chen Jing of the office");
  expect(complaints).toEqual([]);
});

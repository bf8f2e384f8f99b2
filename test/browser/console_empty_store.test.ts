import { beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { administrator, demoConsole, password } from "./demo_console.ts";

const store = demoConsole({ empty: true });

beforeAll(async () => {
  const reply = await fetch(`${store.info.supabase_url}/auth/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: store.info.publishable_key },
    body: JSON.stringify({ email: administrator, password, data: { nickname: "First" } }),
  });
  expect(reply.status, await reply.text()).toBe(200);
  await store.sql`select app.add_administrator(${administrator})`;
});

const links = {
  "Name and logo": "#/settings",
  "Put queue goods on sale": "#/products",
  "Commission plan": "#/plan",
  "Member levels": "#/levels",
  "Article before sign-in": "#/articles?tab=categories",
  "Take a payment": "#/settings",
  "Share link URL": "#/settings",
  "Terms of withdrawals": "#/settings",
  "Invite a colleague": "#/administrators",
  "Test order": "#/shipping",
};

describe("an empty store", () => {
  // Guarantee operation/first-steps
  it("shows its first steps, each with its state and a link, until they are dismissed", async () => {
    const { page, open, follow, complaints } = await store.visitAsAdministrator();
    await open("/overview");
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.waitFor();
    for (const [name, link] of Object.entries(links))
      expect(await steps.getByRole("link", { name, exact: true }).getAttribute("href")).toBe(link);
    const state = (name: string) =>
      steps
        .getByRole("listitem")
        .filter({ has: page.getByRole("link", { name, exact: true }) })
        .innerText();
    for (const name of Object.keys(links)) expect(await state(name), name).toContain("To do");
    expect(await barriers(page)).toEqual([]);

    await store.sql`insert into app.products (title, price, freight, is_queue_goods) values ('Flagship', 3600, 0, true)`;
    await store.sql`with added as (insert into app.article_categories (title, is_sign_in_ad) values ('Read first', true) returning id) insert into app.articles (cid, title) select id, 'Welcome' from added`;
    await store.sql`update app.settings set h5_share_url = 'https://shop.example.com/h5'`;
    await open("/overview");
    for (const name of Object.keys(links)) {
      const isDone = ["Put queue goods on sale", "Article before sign-in", "Share link URL"].includes(name);
      expect(await state(name), name).toContain(isDone ? "Done" : "To do");
    }

    await steps.getByRole("button", { name: "Dismiss the list" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Dismiss the list" }).click();
    await page.getByText("The first steps were dismissed.").waitFor();
    await steps.waitFor({ state: "hidden" });
    await follow("/activity");
    await page.getByRole("row", { name: /dismissed the first steps/ }).waitFor();
    await store.sql`update app.settings set first_steps_dismissed_at = null`;
    const chinese = await store.visitAsAdministrator({ locale: "zh-CN", width: 390 });
    await chinese.open("/overview");
    await chinese.page.getByRole("region", { name: "开店准备" }).getByRole("link", { name: "邀请同事" }).waitFor();
    expect(await barriers(chinese.page)).toEqual([]);
    expect([...complaints, ...chinese.complaints]).toEqual([]);
  });

  it("offers in its empty lists to add the first row, unless filters hide the rows", async () => {
    await store.sql`update app.products set is_del = true`;
    await store.sql`delete from app.articles`;
    await store.sql`delete from app.article_categories`;
    const { page, follow, complaints } = await store.visitAsAdministrator();
    for (const [route, name] of [
      ["/products", "Add a product"],
      ["/product-categories", "Add a category"],
      ["/articles", "Add an article"],
      ["/articles?tab=categories", "Add a category"],
      ["/machine-keys", "Make a key"],
    ] as const) {
      await follow(route);
      const buttons = page.getByRole("button", { name });
      await expect.poll(() => buttons.count(), { message: route }).toBe(2);
      await buttons.last().click();
      await page.getByRole("dialog").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    }
    await follow("/products?search=tea");
    await page.getByText("Nothing found. Try clearing the filters.").waitFor();
    expect(await page.getByRole("button", { name: "Add a product" }).count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it("says on the overview that scheduled jobs are missing in pg_cron, with the statement that adds them", async () => {
    const { page, open, complaints } = await store.visitAsAdministrator();
    const alert = page.getByRole("alert").filter({ hasText: "Scheduled jobs are missing in pg_cron" });
    await store.sql`select cron.unschedule('expire_orders')`;
    await open("/overview");
    await alert.getByText("select app.apply_schedule();", { exact: true }).waitFor();
    await store.sql`select app.apply_schedule()`;
    await open("/overview");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await settle(page);
    expect(await alert.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

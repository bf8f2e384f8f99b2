import { beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
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
  "Put queue goods on sale": "#/products",
  "Commission plan": "#/plan",
  Levels: "#/levels",
  "Article before sign-in": "#/articles?tab=categories",
  "Share link URL": "#/settings",
  Administrator: "#/activity",
  Scheduler: "#/schedule",
};

describe("an empty store", () => {
  it("shows the steps before its first order, each with its state and a link", { timeout: 180_000 }, async () => {
    const { page, open, complaints } = await store.visitAsAdministrator();
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
    await expect.poll(() => state("Put queue goods on sale")).toContain("To do");
    await expect.poll(() => state("Article before sign-in")).toContain("To do");
    await expect.poll(() => state("Share link URL")).toContain("To do");
    await expect.poll(() => state("Commission plan")).toContain("Default values. Check them.");
    await expect.poll(() => state("Levels")).toContain("Default values. Check them.");
    expect(await state("Administrator")).toContain("Done");

    await store.sql`insert into app.products (title, price, freight, is_queue_goods) values ('Flagship', 3600, 0, true)`;
    await store.sql`with added as (insert into app.article_categories (title, is_sign_in_ad) values ('Read first', true) returning id) insert into app.articles (cid, title) select id, 'Welcome' from added`;
    await store.sql`update app.settings set h5_share_url = 'https://shop.example.com/h5'`;
    await store.sql`select from app.create_plan('{"payout_cap": 0.9}', (select id from auth.users limit 1), now())`;
    await open("/overview");
    for (const name of ["Put queue goods on sale", "Article before sign-in", "Share link URL", "Commission plan"]) {
      await expect.poll(() => state(name), { message: name }).toContain("Done");
    }
    // The settlement of waiting orders runs every minute.
    await expect
      .poll(
        async () => {
          await open("/overview");
          await steps
            .getByRole("listitem")
            .last()
            .getByText(/^(Done|To do)$/)
            .waitFor();
          return state("Scheduler");
        },
        { timeout: 120_000, interval: 5000 },
      )
      .toContain("Done");

    await store.sql`select from app.create_order((select uid from app.users limit 1), (select jsonb_build_array(jsonb_build_object('product_id', id, 'quantity', 1)) from app.products), now())`;
    await open("/overview");
    await settle(page);
    expect(await steps.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it(
    "says on the overview that scheduled jobs are missing in pg_cron, with the statement that adds them",
    { timeout: 60_000 },
    async () => {
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
    },
  );
});

import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { administrator, demoConsole } from "./demo_console.ts";

const demo = demoConsole();

const listOf = (page: Page) => page.getByRole("region", { name: "What waits for you" });
const entriesOf = (page: Page) => listOf(page).getByRole("listitem");
/** An entry of the menu, whether its group is open or not. */
const menuEntry = (page: Page, name: string) => page.locator("nav a").filter({ hasText: new RegExp(`^${name}`) });

/** The number of an entry, which it states in words for screen readers. 0 if it has none. */
const numberIn = (text: string | null) =>
  Number(/([\d,]+)\+? waiting for you/.exec(text?.replace(/([\d,]+)\+?\1/, "$1") ?? "")?.[1]?.replaceAll(",", "") ?? 0);

/** A paid order of a member of the demo, which waits for its shipment. */
async function orderToShip(): Promise<number> {
  const [order] = await demo.sql`
    select (app.create_order(10007, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id::integer
    from app.products as p where not p.is_del and p.stock is null order by p.id limit 1`;
  const id = order!.id as number;
  await demo.sql`select from app.pay_order(${id}, 'test', ${`waits-${id}`}, now())`;
  return id;
}

/** The administrator has looked at another window and comes back. */
const comeBack = (page: Page) =>
  page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));

/** How many rows a list says it has. */
const rowsOf = async (page: Page) =>
  Number(
    /[\d,]+(?= in total)/
      .exec(
        (await page
          .getByText(/ in total/)
          .first()
          .textContent()) ?? "",
      )?.[0]
      .replaceAll(",", ""),
  );

describe("what waits for an administrator", () => {
  it("stands on the overview and in the menu, and each entry opens the list of exactly its rows", async () => {
    await orderToShip();
    const [second] = await demo.sql`select app.add_administrator('chen@example.com', '{finance}') as id`;
    await demo.sql`select from app.create_adjustment(10008, 5000, null, null, 'An old debt', ${second!.id as string}, null)`;
    await demo.sql`insert into app.outbox (kind, key, payload, state, attempts, run_after, last_problem, created_at)
      values ('upload_shipping', 'test', '{"order_id": 2405}', 'failed', 20, now(), 'no mini program is configured', now())`;
    const { page, open, follow, complaints } = await demo.visitAsAdministrator();
    await open("/overview");
    const texts = await entriesOf(page).allTextContents();
    expect(texts.join()).toMatch(/Orders to ship.*Adjustments to decide.*Failed calls to providers/);
    for (const text of texts) {
      const name = /^\D+/.exec(text)![0];
      await follow("/overview");
      await listOf(page).getByRole("link", { name, exact: true }).click();
      await page.waitForURL((url) => !url.hash.endsWith("/overview"));
      await settle(page);
      if (/\/(shipping$|(orders|withdrawals|adjustments|outbox|jobs)\?)/.test(page.url()))
        await expect.poll(() => rowsOf(page), { message: name }).toBe(numberIn(text));
    }
    await follow("/adjustments?waiting=adjustment");
    await page
      .getByRole("button", { name: /^More of/ })
      .first()
      .click();
    await page.getByText("An old debt").first().waitFor();
    // One of the demo company and this one.
    expect(numberIn(await menuEntry(page, "Adjustments").textContent())).toBe(2);
    expect(await barriers(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  // Guarantee operation/waiting
  it("appears within a minute or when the window gets the focus, without a reload, and goes when it is done", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await page.clock.install();
    await open("/overview");
    const shown = async () => numberIn(await menuEntry(page, "Shipping").textContent());
    const before = await shown();
    let requests = 0;
    page.on("request", (request) => {
      if (request.url().endsWith("/adminapi/waiting") && request.method() === "GET") requests++;
    });

    const id = await orderToShip();
    await page.clock.fastForward(60_000);
    await expect.poll(shown).toBe(before + 1);
    expect(requests, "the list and the menu share a request").toBe(1);
    expect(numberIn(await entriesOf(page).filter({ hasText: "Orders to ship" }).textContent())).toBeGreaterThan(0);

    await orderToShip();
    await comeBack(page);
    await expect.poll(shown).toBe(before + 2);

    await page.evaluate((hash) => {
      location.hash = hash;
    }, `/orders/${id}`);
    await page.getByRole("button", { name: /^Mark as shipped/ }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /shipped/ })
      .click();
    await expect.poll(shown).toBe(before + 1);
    expect(complaints).toEqual([]);
  });

  it("is nothing if nothing waits, in both languages", async () => {
    await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
    await demo.sql`select app.add_administrator(${administrator}, '{service}')`;
    await demo.sql`update app.orders set state = 'delivered', delivered_at = now() where state = 'paid'`;
    await demo.sql`update app.refunds set state = 'refused', decided_at = now(), decided_position = position where state = 'requested'`;
    try {
      const english = await demo.visitAsAdministrator();
      await english.open("/overview");
      await listOf(english.page).getByText("Nothing waits for you.").waitFor();
      expect(
        await english.page
          .getByRole("navigation")
          .getByText(/waiting for you/)
          .count(),
      ).toBe(0);
      const chinese = await demo.visitAsAdministrator({ locale: "zh-CN" });
      await chinese.open("/overview");
      await chinese.page.getByRole("region", { name: "待我处理" }).getByText("暂无待处理事项。").waitFor();
    } finally {
      await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
    }
  });

  it("is chosen for notices by email from the account menu, and the page says that no mail server is set up", async () => {
    const { page, open, follow, complaints } = await demo.visitAsAdministrator();
    await open("/overview");
    await page.getByRole("button", { name: /^Account / }).click();
    await page.getByRole("menuitem", { name: "Notices by email" }).click();
    await page.getByText("The store has no mail server").waitFor();
    await page.getByText(`Notices go to ${administrator}`).waitFor();
    await page.getByRole("checkbox", { name: "Refund requests" }).check();
    await page.getByRole("checkbox", { name: "Orders to ship" }).check();
    await page.getByRole("combobox", { name: "At most one notice" }).click();
    await page.getByRole("option", { name: "every 4 hours" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    const [row] = await demo.sql`select kinds, language, minutes from app.notice_choices`;
    expect(row).toEqual({ kinds: ["shipment", "refund"], language: "en", minutes: 240 });
    await open("/notices");
    expect(await page.getByRole("checkbox", { name: "Refund requests" }).isChecked()).toBe(true);
    expect(await page.getByRole("checkbox", { name: "Adjustments to decide" }).isChecked()).toBe(false);
    expect(await barriers(page)).toEqual([]);
    await follow("/activity");
    const chosen = page.getByRole("row", { name: /changed their notices by email/ });
    await chosen.getByRole("button", { name: /^More of/ }).click();
    await page.locator(".row-details").getByText("Orders to ship, Refund requests").waitFor();
    expect(complaints).toEqual([]);
  });
});

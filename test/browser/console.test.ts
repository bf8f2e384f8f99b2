import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Papa from "papaparse";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { localDirectory } from "../../scripts/stack/paths.ts";
import { connect } from "../support/index.ts";
import { settle, signIn } from "../../scripts/pictures/console_visit.ts";
import { administrator, type ConsolePage, DemoConsole, password, problem } from "./demo_console.ts";

const screenshots = join(localDirectory, "screenshots");

let demo: DemoConsole;
let visit: ConsolePage;

beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  demo = await DemoConsole.start();
});
afterAll(() => demo?.stop());
afterEach(async () => {
  await visit?.context.close();
});

const balances = async (uid: number) => (await demo.sql`select brokerage_price, frozen_points, available_points from app.user_balances where uid = ${uid}`)[0]!;

/** A paid order of one unit of queue goods whose buyer's referrer earns a commission on it. */
async function commissionedOrder() {
  const [row] = await demo.sql`
    select s.order_id, s.earner_uid, s.commission, s.place, s.cycle_no
    from app.settlements as s join app.orders as o on o.id = s.order_id
    where s.commission > 0 and o.refund_status = 0 and o.queue_units = 1
      and s.cycle_no = (select max(c.cycle_no) from app.settlements as c where c.earner_uid = s.earner_uid)
      and not exists (select from app.order_lines as l where l.order_id = o.id and not l.is_queue_goods)
    order by s.order_id desc limit 1`;
  return row!;
}

/** An order of queue goods that nobody has paid; its buyer's referrer may earn. */
async function unpaidOrder() {
  const [row] = await demo.sql`
    select o.id, o.referrer_uid from app.orders as o
    where o.state = 'unpaid' and o.queue_base > 0 and o.referrer_uid is not null
    order by o.id desc limit 1`;
  if (row) return { id: Number(row.id), referrer: Number(row.referrer_uid) };
  throw new Error("The demo month has no unpaid order of queue goods left.");
}

describe("signing in", () => {
  it("refuses a wrong password and keeps the address that was typed", async () => {
    visit = await demo.visit();
    await signIn(visit.page, "admin@example.com", "wrong");
    expect(await visit.page.getByRole("alert").innerText()).toContain("Email or password is wrong");
    expect(await visit.page.getByRole("textbox", { name: "Email" }).inputValue()).toBe("admin@example.com");
  });

  it("tells a member that they are no administrator, and keeps no session", async () => {
    visit = await demo.visit();
    await signIn(visit.page, "chen@example.com", password);
    expect(await visit.page.getByRole("alert").innerText()).toContain("no administrator");
    await visit.page.reload();
    await visit.page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(await visit.page.evaluate(() => JSON.stringify(localStorage))).not.toContain("access_token");
  });

  it("opens the overview, survives a reload, and signs out", async () => {
    visit = await demo.signInAsAdministrator();
    const { page, complaints } = visit;
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await settle(page);
    await page.getByText("Paid orders").first().waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("ends for whoever is no administrator any more, with the next token", async () => {
    visit = await demo.signInAsAdministrator();
    const { page } = visit;
    await demo.sql`update auth.users set role = 'authenticated' where email = ${administrator}`;
    try {
      await page.evaluate(() => {
        const session = JSON.parse(localStorage.getItem("store-console-session")!) as { expires_at: number };
        localStorage.setItem("store-console-session", JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) }));
      });
      await page.goto(`${demo.info.console_url}#/orders`);
      await page.getByRole("textbox", { name: "Email" }).waitFor();
    } finally {
      await demo.sql`select app.add_administrator(${administrator})`;
    }
  });

  it("signs out here also when the server does not answer", async () => {
    visit = await demo.signInAsAdministrator();
    const { page } = visit;
    await page.route("**/auth/v1/logout*", (route) => route.abort());
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("access_token");
    await page.reload();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
  });
});

describe("members", () => {
  it("are found, taken out of the assessment and back, which the database keeps with who did it", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const flag = async () => (await demo.sql`select no_assess from app.users where uid = 10007`)[0]!.no_assess;
    await open("/users");
    await page.getByRole("searchbox", { name: "Search" }).fill("Chen Jing");
    await page.getByRole("link", { name: "Chen Jing" }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);

    for (const [action, value] of [["Take out", true], ["Assess again", false]] as const) {
      await page.getByRole("switch", { name: "Chen Jing" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(value ? "never changed" : "Last changed").waitFor();
      expect(await flag()).toBe(!value);
      await dialog.getByRole("button", { name: action }).click();
      await dialog.waitFor({ state: "hidden" });
      expect(await flag()).toBe(value);
    }
    const changes = await demo.sql`
      select c.to_value, a.email from app.no_assess_changes as c join auth.users as a on a.id = c.changed_by where c.uid = 10007 order by c.id`;
    expect(changes.map((change) => ({ ...change }))).toEqual([{ to_value: true, email: "admin@example.com" }, { to_value: false, email: "admin@example.com" }]);
  });

  it("are sorted by their points in the database, and the address keeps it", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users");
    await page.getByRole("button", { name: "Frozen points" }).click();
    await page.waitForURL(/sort=-frozen_points/);
    await page.locator("[aria-sort=descending]").waitFor();
    await settle(page);
    const top = await demo.sql`select uid from app.user_balances order by frozen_points desc, uid desc limit 3`;
    const shown = await page.locator("tbody tr td:first-child").allInnerTexts();
    expect(shown.slice(0, 3).map((text) => text.match(/\d+$/)?.[0])).toEqual(top.map(({ uid }) => String(uid)));
  });

  it("have a page that tells every row of their bill", async () => {
    visit = await demo.visitAsAdministrator();
    await visit.open("/users/10007");
    const [{ count }] = (await demo.sql`select count(*)::integer as count from app.user_bill where uid = 10007`) as unknown as [{ count: number }];
    await visit.page.getByText(`${count} in all`).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

describe("a member on hold", () => {
  it("is held when lowered unless unticked, is shown as held, and is released again", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const state = async () => ({ ...(await demo.sql`select agent_level, is_held from app.users where uid = 10009`)[0]! });
    expect(await state()).toEqual({ agent_level: 2, is_held: false });
    await open("/users/10009");
    const dialog = page.getByRole("dialog");
    const hold = dialog.getByRole("checkbox", { name: "Hold the member at this level" });
    const confirm = async () => {
      await dialog.getByRole("button", { name: "Set level" }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    await page.getByRole("button", { name: "Set level" }).click();
    expect(await hold.isChecked()).toBe(false);
    expect(await dialog.getByRole("button", { name: "Set level" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    expect(await hold.isChecked()).toBe(true);
    await confirm();
    expect(await state()).toEqual({ agent_level: 1, is_held: true });
    await page.getByText("On hold", { exact: true }).waitFor();
    await page.getByText("The member is on hold: tasks do not raise them").waitFor();
    await page.getByRole("tab", { name: "Counts" }).click();
    await page.getByRole("tabpanel").getByText("The member is on hold: tasks do not raise them").waitFor();

    await page.getByRole("button", { name: "Set level" }).click();
    await hold.uncheck();
    await confirm();
    expect(await state()).toEqual({ agent_level: 1, is_held: false });
    await page.getByText("On hold", { exact: true }).waitFor({ state: "hidden" });

    await open("/users/10009?tab=changes");
    const rows = page.getByRole("table").first().locator("tbody").getByRole("row");
    expect((await rows.nth(0).innerText()).replaceAll(/\s+/g, " ")).toMatch(/Maker Hold ends by hand/);
    expect((await rows.nth(1).innerText()).replaceAll(/\s+/g, " ")).toMatch(/Cloud store → Maker Hold begins by hand/);
  });
});

describe("the plan", () => {
  it("is changed, and an order paid afterwards is settled by the new version", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    // A first cycle, so that it begins under the new plan.
    const [first] = await demo.sql`
      select o.id, o.referrer_uid, o.queue_base from app.orders as o
      where o.state = 'unpaid' and o.queue_base > 0 and not exists (select from app.settlements as s where s.earner_uid = o.referrer_uid)
        and exists (select from app.orders as r where r.uid = o.referrer_uid and r.paid_at is not null and r.queue_units > 0 and r.refund_status <> 2)
      order by o.id limit 1`;
    expect(first, "an unpaid order whose referrer may earn and has no cycle yet").toBeDefined();

    await open("/plan");
    await page.getByLabel("People per cycle").fill("2");
    await page.getByLabel("Place 1").fill("10");
    await page.getByLabel("Place 2").fill("90");
    // What it costs at most is told while it is typed, by the store.
    await page.getByText("90%").first().waitFor();
    await page.getByText("3,240.00").first().waitFor();
    await page.getByRole("button", { name: "Save as a new version" }).click();
    const dialog = page.getByRole("dialog");
    // Before it is confirmed: old and new side by side, in settings and in what the dearest order costs.
    const row = (name: string) => dialog.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    await expect.poll(() => row("People per cycle")).toEqual(["People per cycle", "3", "2"]);
    await expect.poll(() => row("Ratio of each place")).toEqual(["Ratio of each place", "20% · 30% · 50%", "10% · 90%"]);
    await dialog.getByText("One order can pay 90% of its base").waitFor();
    await expect.poll(() => row("Of the price")).toEqual(["Of the price", "50%", "90%"]);
    expect(await dialog.getByRole("row", { name: "Who earns" }).count()).toBe(0);
    await dialog.getByRole("button", { name: "Put in force" }).click();
    await page.getByText("Version 2 in force").waitFor();
    const [plan] = await demo.sql`select people_per_cycle, tier_ratios from app.commission_plans order by version desc limit 1`;
    expect(plan).toMatchObject({ people_per_cycle: 2, tier_ratios: ["0.10000", "0.90000"] });

    await open(`/orders/${first!.id}`);
    await page.getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("dialog").getByLabel("Reference of the payment").fill(`console-${first!.id}`);
    await page.getByRole("dialog").getByRole("button", { name: "Mark as paid" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(async () => (await demo.sql`select ratio, cycle_plan_version from app.settlements where order_id = ${first!.id}`)[0]).toMatchObject({ ratio: "0.10000", cycle_plan_version: 2 });
    await page.reload();
    await page.getByText("of place 1 in cycle 1, by plan version 2").waitFor();
  });

  it("is simulated over the business days of the overview without changing anything", async () => {
    visit = await demo.visitAsAdministrator();
    const before = await demo.sql`select count(*) as bills, (select count(*) from app.commission_plans) as plans from app.user_bill`;
    await visit.open("/plan");
    const asked = visit.page.waitForRequest("**/adminapi/hjf/simulate");
    await visit.page.getByRole("button", { name: "Simulate the last 30 days" }).click();
    const [first] = await demo.sql`select (app.business_day(now()) - 29)::timestamp at time zone time_zone as day from app.settings`;
    expect(new Date((await asked).postDataJSON().from)).toEqual(first!.day);
    await visit.page.getByText("Members who earn most").waitFor({ timeout: 60_000 });
    expect(await demo.sql`select count(*) as bills, (select count(*) from app.commission_plans) as plans from app.user_bill`).toEqual(before);
  });

  it("that the store refuses says why, and keeps what was typed, for a later visit too", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/plan");
    await page.getByLabel("Place 1").fill("60");
    await page.getByLabel("Most of the base").fill("40");
    await page.getByRole("alert").getByText("plan_invalid").waitFor();
    // At the field, too, until it fits.
    expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).toBe("true");
    await page.getByText("every ratio is between 0 and the payout cap").nth(1).waitFor();
    await page.getByLabel("Most of the base").fill("60");
    await page.getByRole("alert").waitFor({ state: "hidden" });
    expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).not.toBe("true");
    await page.getByLabel("Most of the base").fill("40");
    await page.getByRole("alert").getByText("plan_invalid").waitFor();
    await open("/users");
    await open("/plan");
    await page.getByText("left unsaved before").waitFor();
    expect(await page.getByLabel("Place 1").inputValue()).toBe("60 %");
    await page.getByRole("button", { name: "Discard" }).click();
    expect(await page.getByLabel("Place 1").inputValue()).not.toBe("60 %");
  });

  it("that the store refuses only when it is saved is marked at its field, and the dialog makes way", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/plan");
    await page.getByLabel("Place 1").fill("95");
    await page.getByLabel("Place 1").blur();
    // Another administrator lowers the cap after this page has read the plan.
    await demo.sql`select from app.create_plan('{"payout_cap": 0.9}', null, now())`;
    try {
      await page.getByRole("button", { name: "Save as a new version" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
      await page.getByText("every ratio is between 0 and the payout cap").first().waitFor();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
      expect(await page.getByLabel("Place 1").getAttribute("aria-invalid")).toBe("true");
    } finally {
      await demo.sql`select from app.create_plan('{"payout_cap": 1}', null, now())`;
      await page.evaluate(() => sessionStorage.clear());
    }
  });

  it("takes an empty ratio for none, not for 0, and keeps ratios while the number of people is typed", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/plan");
    const [before] = await demo.sql`select max(version) as version from app.commission_plans`;
    const ratios = () => page.getByRole("group", { name: "Ratio of each place" }).getByRole("textbox").evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    const were = await ratios();
    await page.getByLabel("People per cycle").fill("");
    await page.getByLabel("People per cycle").pressSequentially("12");
    expect(await ratios()).toEqual([...were, ...Array<string>(12 - were.length).fill("")]);
    await page.getByText("Fill in the marked fields first.").waitFor();
    // Nothing can be confirmed: the empty fields say so instead.
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByText("Enter a number.").first().waitFor();
    expect(await page.getByText("Enter a number.").count()).toBe(12 - were.length);
    expect(await page.getByLabel("Place 12").getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect((await demo.sql`select max(version) as version from app.commission_plans`)[0]).toEqual(before);
    await page.getByRole("button", { name: "Discard" }).or(page.getByLabel("People per cycle")).first().waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });

  it("is changed where it was changed: what others have saved meanwhile stays", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/plan");
    await page.getByLabel("Points per 1.00").fill("2");
    await demo.sql`select from app.create_plan('{"payout_cap": 0.95}', null, now())`;
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect((await demo.sql`select points_per_brokerage, payout_cap from app.commission_plans order by version desc limit 1`)[0]).toEqual({ points_per_brokerage: "2.0000", payout_cap: "0.95000" });
  });
});

describe("the levels", () => {
  const names = async () => (await demo.sql`select name, direct_points::integer as points from app.agent_levels where grade in (1, 2) order by grade`).map((level) => ({ ...level }));
  /** What another administrator saves: another name for grade 1. */
  const saveMeanwhile = (name: string) => demo.sql`
    select from app.set_agent_levels((
      select jsonb_agg(case when l ->> 'grade' = '1' then l || jsonb_build_object('name', ${name}::text) else l end) from jsonb_array_elements(app.levels_json()) as l
    ), null, now())`;

  it("that somebody else saves meanwhile can be kept beside one's own changes, which outlive a reload", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/levels");
    const grade = (number: number) => page.getByRole("group", { name: `Grade ${number}`, exact: true });
    await grade(2).getByLabel("Direct points").fill("850");
    await saveMeanwhile("Founder");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    const notice = page.getByRole("alert").filter({ hasText: "Somebody else has saved" });
    await notice.getByText("Somebody else has saved the levels").waitFor();
    const cells = (name: string) => notice.getByRole("row", { name }).getByRole("cell").allInnerTexts();
    await expect.poll(() => cells("Name of grade 1")).toEqual(["Name of grade 1", "Maker", "Founder", "Maker"]);
    await expect.poll(() => cells("Direct points of grade 2")).toEqual(["Direct points of grade 2", "800", "800", "850"]);
    expect(await page.getByRole("button", { name: "Save as a new version" }).count()).toBe(0);

    await page.reload();
    await notice.getByText("Somebody else has saved the levels").waitFor();
    await saveMeanwhile("Builder");
    await notice.getByRole("button", { name: "Load theirs again" }).click();
    await expect.poll(() => cells("Name of grade 1")).toEqual(["Name of grade 1", "Maker", "Builder", "Maker"]);
    await notice.getByRole("button", { name: "Keep mine" }).click();
    await notice.waitFor({ state: "hidden" });
    expect(await grade(1).getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Builder");
    expect(await grade(2).getByLabel("Direct points").inputValue()).toBe("850");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await names()).toEqual([{ name: "Builder", points: 500 }, { name: "Cloud store", points: 850 }]);
    await page.getByText("Nothing is changed yet.").waitFor();
    expect(await notice.count()).toBe(0);
  });

  it("of somebody else can be taken instead of one's own, and are shown at once where nothing is typed", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/levels");
    const name = page.getByRole("group", { name: "Grade 1", exact: true }).getByRole("textbox", { name: "Name", exact: true });
    await name.fill("Mine");
    await saveMeanwhile("Theirs");
    await page.getByRole("button", { name: "Save as a new version" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Put in force" }).click();
    await page.getByRole("button", { name: "Take theirs" }).click();
    await expect.poll(() => name.inputValue()).toBe("Theirs");
    expect(await page.getByRole("button", { name: "Save as a new version" }).isDisabled()).toBe(true);
    await saveMeanwhile("Maker");
    await open("/levels");
    expect(await name.inputValue()).toBe("Maker");
    await name.fill("");
    await name.blur();
    await page.getByText("Fill this in.").waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });
});

describe("orders", () => {
  it("are found by id, by the end of the number and by the buyer's name", async () => {
    const [order] = await demo.sql`
      select o.id, o.order_no, u.nickname from app.orders as o join app.users as u on u.uid = o.uid where u.uid = 10007 order by o.id limit 1`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/orders");
    for (const search of [String(order!.id), order!.order_no.slice(-8), order!.nickname.toLowerCase()]) {
      await page.getByRole("searchbox", { name: "Search" }).fill(search);
      await page.waitForURL((url) => url.hash.includes(`search=${encodeURIComponent(search).replaceAll("%20", "+")}`));
      await settle(page);
      await page.getByText(order!.order_no, { exact: true }).waitFor();
      expect(await page.getByRole("row").count(), search).toBeLessThan(21);
    }
  });

  it("are marked as paid only with a reference, after showing the amount and what it settles", async () => {
    const { id } = await unpaidOrder();
    const [order] = await demo.sql`select pay_price, queue_base from app.orders where id = ${id}`;
    const amount = (value: string) => Number(value).toLocaleString("en-GB", { minimumFractionDigits: 2 });
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open(`/orders/${id}`);
    await page.getByText("Not paid yet").waitFor();
    await page.getByRole("button", { name: "Mark as paid" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(amount(order!.pay_price), { exact: true }).waitFor();
    await dialog.getByText(new RegExp(`queue goods, paid with ${amount(order!.queue_base)}: commission and points are booked`)).waitFor();
    expect(await dialog.getByRole("button", { name: "Mark as paid" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reference of the payment").fill("till-7");
    expect(await dialog.getByRole("button", { name: "Mark as paid" }).isEnabled()).toBe(true);
  });

  it("without queue goods say that there is nothing to settle", async () => {
    const [order] = await demo.sql`select id from app.orders where paid_at is not null and not has_queue_goods order by id desc limit 1`;
    visit = await demo.visitAsAdministrator();
    await visit.open(`/orders/${order!.id}`);
    await visit.page.getByText("The order has no queue goods: it brings neither commission nor points.").waitFor();
  });

  it("are refunded after showing what that reverses, and it is reversed", async () => {
    const order = await commissionedOrder();
    const before = await balances(order.earner_uid);
    visit = await demo.visitAsAdministrator();
    const { page, open, complaints } = visit;
    await open(`/orders/${order.order_id}`);
    await page.getByRole("button", { name: "Refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Place ${order.place} of cycle ${order.cycle_no}`).waitFor();
    await dialog.getByText("The money itself is not sent from here").waitFor();
    const shown = Number(order.commission).toLocaleString("en-GB", { minimumFractionDigits: 2 });
    await dialog.getByText(`-${shown}`).first().waitFor();
    expect(await balances(order.earner_uid)).toEqual(before);
    await dialog.getByRole("button", { name: /^Refund \d/ }).click();
    await dialog.waitFor({ state: "hidden" });
    const after = await balances(order.earner_uid);
    expect(Number(before.brokerage_price) - Number(after.brokerage_price)).toBeCloseTo(Number(order.commission), 2);
    await page.getByText("Commission taken back").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("are marked as delivered, and a refund that was asked for is refused", async () => {
    const [order] = await demo.sql`select id from app.orders where state = 'paid' and refund_status = 0 order by id desc limit 1`;
    await demo.sql`select from app.request_refund(${order!.id}, null, 'Too large', now())`;
    const state = async () => (await demo.sql`select state, refund_status from app.orders where id = ${order!.id}`)[0];
    expect(await state()).toEqual({ state: "paid", refund_status: 1 });
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open(`/orders/${order!.id}`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Refuse the request" }).click();
    await dialog.getByRole("button", { name: "Refuse", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await state()).toEqual({ state: "paid", refund_status: 0 });
    await page.getByRole("button", { name: "Mark as delivered" }).click();
    await dialog.getByRole("button", { name: "Mark as delivered" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await state()).toEqual({ state: "delivered", refund_status: 0 });
  });
});

describe("the activity", () => {
  it("of an administrator is listed with the values before and after, filtered, and shown on the page of what was changed", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users/10005");
    const before = (await demo.sql`select agent_level from app.users where uid = 10005`)[0]!.agent_level;
    const grade = before === 1 ? ["2", "Cloud store"] : ["1", "Maker"];
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: grade[1]! }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await open("/activity?target_type=member&target_id=10005&function=set_agent_level");
    const row = page.getByRole("row", { name: "Level set" });
    await row.getByText(`Grade: ${before} → ${grade[0]}`).waitFor();
    await row.getByRole("link", { name: "Member 10005" }).click();
    await page.getByRole("tab", { name: "Changes" }).click();
    await page.getByRole("table", { name: "Activity" }).or(page.getByRole("region", { name: "Activity" })).first().getByText(`Grade: ${before} → ${grade[0]}`).waitFor();

    await open("/activity");
    const [count] = await demo.sql`select count(*)::integer as actions from app.admin_actions where function = 'set_agent_level'`;
    await page.getByLabel("Action", { exact: true }).first().click();
    await page.getByRole("option", { name: "Level set" }).click();
    await page.getByText(`${count!.actions} in all`).waitFor();
  });

  it.each(["en-GB", "zh-CN"])("shows all of its columns at 1280 pixels, however long names and ids are (%s)", async (locale) => {
    const [admin] = await demo.sql`select u.uid, u.nickname, u.auth_id from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${administrator}`;
    const nickname = "Administrator of everything that is sold here ".repeat(2).trim().slice(0, 64);
    await demo.sql`
      insert into app.admin_actions (actor, function, target_type, target_id, from_value, to_value, request_id, add_time)
      values
        (${admin!.auth_id}, 'run_crontab', 'crontab', 'fsgx_release_frozen_points', null, '{"runs_at": "2026-11-22T00:01:00Z"}', gen_random_uuid()::text, now()),
        ('00000000-0000-4000-8000-00000000abcd', 'set_settings', 'settings', null, '{"h5_share_url": "https://shop.example.com/a/rather/long/address/of/a/page"}',
          '{"h5_share_url": "https://shop.example.com/another/rather/long/address/of/a/page"}', gen_random_uuid()::text, now())`;
    await demo.sql`update app.users set nickname = ${nickname} where uid = ${admin!.uid}`;
    try {
      visit = await demo.visitAsAdministrator({ locale, colorScheme: locale === "zh-CN" ? "dark" : "light" });
      const { page, open } = visit;
      await open("/activity");
      const box = page.locator(".scroll-box").first();
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0);
      await page.screenshot({ path: join(screenshots, `activity with long names ${locale}.png`), fullPage: true });
      for (const whole of [`${nickname} ${admin!.uid}`, "00000000-0000-4000-8000-00000000abcd"]) {
        const shown = whole.startsWith("0000") ? page.getByText(whole, { exact: true }).first() : page.getByRole("link", { name: whole }).first();
        await shown.focus();
        await page.getByRole("tooltip").getByText(whole, { exact: true }).waitFor();
        await shown.blur();
        await page.getByRole("tooltip").waitFor({ state: "detached" });
      }
    } finally {
      await demo.sql`update app.users set nickname = ${admin!.nickname} where uid = ${admin!.uid}`;
    }
  });

  it("on an order and a product is shown there", async () => {
    const [order] = await demo.sql`select id from app.orders where state = 'paid' and refund_status = 0 and uid <> 10007 order by id desc limit 1`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open(`/orders/${order!.id}`);
    await page.getByText("No administrator has changed anything here.").waitFor();
    await page.getByRole("button", { name: "Mark as delivered" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mark as delivered" }).click();
    await page.getByText("State: Paid → Delivered").waitFor();
    await open("/products");
    await page.locator("tbody").getByRole("button").first().click();
    await page.getByRole("dialog").getByText("Activity").waitFor();
  });
});

describe("what runs by itself", () => {
  it("lets the release run now, and the log grows by the business day", { timeout: 150_000 }, async () => {
    const day = (await demo.sql`select app.business_day(clock_timestamp())::text as day`)[0]!.day;
    const released = async () => (await demo.sql`select count(*)::integer as rows from app.points_release_log where release_date = ${day}`)[0]!.rows;
    expect(await released()).toBe(0);
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/schedule");
    await page.getByRole("button", { name: "Run now: Daily release of frozen points" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(released, { timeout: 120_000, interval: 500 }).toBeGreaterThan(100);
    await open(`/release-log?date_from=${day}`);
    await page.getByText(`${await released()} in all`).waitFor();
  });

  it("shows a failed settlement with its reason, and settles it when retried", { timeout: 150_000 }, async () => {
    const { id } = await unpaidOrder();
    await demo.sql.begin(async (sql) => {
      await sql`select app.pay_order(${id}, 'offline', ${`dead-${id}`}, clock_timestamp())`;
      await sql`update app.settlement_jobs set state = 'dead', attempts = 8, last_error = 'The disk was full.' where order_id = ${id}`;
    });
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/jobs?state=dead");
    await page.getByText("The disk was full.").waitFor();
    await page.getByRole("button", { name: `Retry now: Order ${id}` }).click();
    await page.getByText("will be settled within a minute").waitFor();
    await expect.poll(async () => (await demo.sql`select state from app.settlements where order_id = ${id}`)[0]?.state, { timeout: 120_000, interval: 500 }).toBe("settled");
    await page.reload();
    await page.getByText("No job is in this state.").waitFor();
  });

  it("says a schedule in words, and takes the preset back", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const schedule = async () => (await demo.sql`select schedule from app.scheduled_jobs where name = 'fsgx_release_frozen_points'`)[0]!.schedule;
    await open("/schedule");
    const edit = async (fill: () => Promise<void>) => {
      await page.getByRole("button", { name: "Edit: Daily release of frozen points" }).click();
      await fill();
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    };
    await edit(async () => {
      await page.getByRole("dialog").getByRole("textbox").fill("30 4 * * *");
      await page.getByRole("dialog").getByText("At 04:30, every day").waitFor();
    });
    expect(await schedule()).toBe("30 4 * * *");
    // The form begins with the schedule that the page shows.
    await page.getByRole("main").getByText("At 04:30, every day").waitFor();
    await edit(() => page.getByRole("button", { name: "Use the preset" }).click());
    expect(await schedule()).toBe("1 0 * * *");
  });

  it("begins with the daily release, and tells why a run failed rather than how pg_cron counts", async () => {
    await demo.sql`
      insert into cron.job_run_details (jobid, runid, job_pid, database, username, command, status, return_message, start_time, end_time)
      select jobid, 900000 + n, 1, database, username, command, status, message, now(), now()
      from cron.job cross join (values (1, 'succeeded', 'SELECT 1'), (2, 'failed', 'ERROR: the disk was full')) as r (n, status, message)
      where jobname = 'reconcile_bill'`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/schedule");
    expect((await page.getByRole("heading", { level: 2 }).allInnerTexts()).slice(0, 2)).toEqual(["Daily release of frozen points", "Settlement of waiting orders"]);
    await page.getByText("the disk was full").waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(/SELECT 1|CALL/);
    await demo.sql`delete from cron.job_run_details where runid > 900000`;
  });

  it("checks the configuration end to end, and does not call a warning in order", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/check");
    await page.getByText("Everything is in order").waitFor({ timeout: 30_000 });
    await demo.sql`update app.article_categories set hidden = true where is_sign_in_ad`;
    try {
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText("No errors. Read the warnings below: 1").waitFor({ timeout: 30_000 });
      expect(await page.getByText("Everything is in order").count()).toBe(0);
    } finally {
      await demo.sql`update app.article_categories set hidden = false where is_sign_in_ad`;
    }
  });
});

describe("products", () => {
  it("are added with their price as it was typed", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Title").fill("Tea <b>& more</b>");
    await form.getByLabel("Price").fill("123456.10");
    await form.getByRole("switch", { name: "Queue goods" }).click();
    await form.getByRole("button", { name: "Save" }).click();
    await form.waitFor({ state: "hidden" });
    const [product] = await demo.sql`select title, price, is_queue_goods from app.products order by id desc limit 1`;
    expect(product).toEqual({ title: "Tea <b>& more</b>", price: "123456.10", is_queue_goods: true });
    await page.getByRole("button", { name: "Tea <b>& more</b>" }).waitFor();
    await demo.sql`update app.products set is_show = false, is_del = true where title like 'Tea%'`;
  });

  it.each(["-5", "1e3", "12.999", "3.600,00"])("are not sold for another price than was typed (%s)", async (price) => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Title").fill("Odd price");
    await form.getByLabel("Price").fill(price);
    await form.getByRole("button", { name: "Save" }).click();
    await form.getByText("Enter an amount with at most two decimals").waitFor();
    expect(await form.getByLabel("Price").getAttribute("aria-invalid")).toBe("true");
    expect(await form.getByLabel("Price").inputValue()).toBe(price);
    expect(await demo.sql`select from app.products where title = 'Odd price'`).toHaveLength(0);
  });
});

describe("a form", () => {
  it("names what the store refuses beside its field, and points there instead of repeating the store's sentence", async () => {
    visit = await demo.visitAsAdministrator({ locale: "zh-CN" });
    const { page, open } = visit;
    await open("/products");
    await page.getByRole("button", { name: "添加商品" }).click();
    const form = page.getByRole("dialog");
    await form.getByRole("button", { name: "保存" }).click();
    await form.getByText("请填写此项。").waitFor();
    await form.getByLabel("标题").fill("茶");
    await form.getByLabel("价格").fill("10");
    await page.route("**/adminapi/product", (route) => route.fulfill({
      status: 400,
      contentType: "application/problem+json",
      body: JSON.stringify({ ...JSON.parse(problem(400, "invalid_argument", "参数无效", "The sentence of the API.").body), errors: [{ in: "body", pointer: "/price", detail: "价格太高。" }] }),
    }), { times: 1 });
    await form.getByRole("button", { name: "保存" }).click();
    await form.getByRole("alert").getByText("请更正标出的项目。").waitFor();
    await form.getByText("价格太高。").waitFor();
    expect(await form.getByText("The sentence of the API.").count()).toBe(0);
    await page.evaluate(() => sessionStorage.clear());
  });
});

describe("articles", () => {
  it("are added to a category, changed and deleted", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const form = page.getByRole("dialog");
    const saved = async () => {
      await form.getByRole("button", { name: "Save" }).click();
      await form.waitFor({ state: "hidden" });
    };
    const remove = async (title: string) => {
      await page.getByRole("button", { name: `Delete: ${title}` }).click();
      await form.getByRole("button", { name: "Delete" }).click();
    };
    await open("/articles?tab=categories");
    await page.getByRole("button", { name: "Add a category" }).click();
    await form.getByLabel("Title").fill("Notices");
    await saved();

    await open("/articles");
    await page.getByRole("button", { name: "Add an article" }).click();
    await form.getByLabel("Title").fill("Opening hours");
    await form.getByLabel("Category").click();
    await page.getByRole("option", { name: "Notices" }).click();
    await saved();
    const article = async () => (await demo.sql`
      select a.title, c.title as category, a.is_del from app.articles as a join app.article_categories as c on c.id = a.cid order by a.id desc limit 1`)[0];
    expect(await article()).toEqual({ title: "Opening hours", category: "Notices", is_del: 0 });

    // Before it is changed it is read; while that fails, the reason is shown.
    await page.route("**/adminapi/article/*", (route) => route.fulfill(problem(404, "article_not_found", "There is no such article", "It may have been deleted.")), { times: 1 });
    await page.getByRole("button", { name: "Opening hours", exact: true }).click();
    await form.getByText("article_not_found").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Opening hours", exact: true }).click();
    await form.getByLabel("Title").fill("Opening hours in spring");
    await saved();
    expect((await article())!.title).toBe("Opening hours in spring");

    await open("/articles?tab=categories");
    await remove("Notices");
    await form.getByRole("alert").waitFor();
    await open("/articles");
    await remove("Opening hours in spring");
    await form.waitFor({ state: "hidden" });
    expect((await article())!.is_del).toBe(1);
    await open("/articles?tab=categories");
    await remove("Notices");
    await form.waitFor({ state: "hidden" });
    expect(await demo.sql`select from app.article_categories where title = 'Notices' and not is_del`).toHaveLength(0);
  });
});

describe("times", () => {
  it("are those of the store's clock in the reader's format, wherever the browser is", async () => {
    const [order] = await demo.sql`
      select id, to_char(add_time at time zone 'Asia/Shanghai', 'FMMon FMDD, YYYY, FMHH12:MI AM') as american, to_char(add_time at time zone 'Asia/Shanghai', 'YYYY年FMMM月FMDD日 HH24:MI') as chinese
      from app.orders order by id desc limit 1`;
    for (const [locale, shown] of [["en-US", order!.american], ["zh-CN", order!.chinese]]) {
      visit = await demo.visitAsAdministrator({ locale, timezoneId: "America/New_York" });
      await visit.open(`/orders/${order!.id}`);
      await expect.poll(async () => (await visit.page.locator("time").first().innerText()).replaceAll("\u202f", " "), { message: locale }).toBe(shown);
      if (locale !== "zh-CN") await visit.context.close();
    }
  });
});

describe("lists", () => {
  it("say in place that a filter is no member number, typed or in the address, and stay", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open, complaints } = visit;
    for (const [route, label] of [["/orders", "Buyer"], ["/users", "Referrer"], ["/release-log", "Member"]] as const) {
      await open(route);
      await page.getByRole("searchbox", { name: label }).fill("Chen");
      await page.getByText("A member number has digits only.").waitFor();
      await open(`${route}?${route === "/users" ? "spread_uid" : "uid"}=abc`);
      await page.getByText("A member number has digits only.").waitFor();
      expect(await page.getByRole("row").count()).toBe(21);
    }
    expect(complaints).toEqual([]);
  });

  it("are filtered by a day of the store that is typed digit by digit", async () => {
    visit = await demo.visitAsAdministrator({ timezoneId: "America/New_York" });
    const { page, open } = visit;
    await open("/orders");
    // The same in whichever order the browser has day and month.
    for (const label of ["From", "To"]) {
      await page.getByLabel(label, { exact: true }).focus();
      await page.keyboard.type("11112026", { delay: 30 });
    }
    await page.waitForURL(/from=2026-11-11.*to=2026-11-11/);
    await settle(page);
    const [row] = await demo.sql`select count(*) as orders from app.orders where (add_time at time zone 'Asia/Shanghai')::date = '2026-11-11'`;
    await page.getByText(`${row!.orders} in all`).waitFor();
  });

  it("show their last page where there is none so far, and take no nonsense from the address", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/articles?page=99");
    await expect.poll(() => page.getByRole("row").count()).toBe(6);
    expect(page.url()).not.toContain("page=");
    await open("/orders?from=abc&to=2026-02-31&page=Infinity");
    await expect.poll(() => page.getByRole("row").count()).toBeGreaterThan(1);
    await open("/users/abc");
    await page.getByRole("heading", { name: "There is no such page" }).waitFor();
  });
});

/** The lines of a file that a list is exported to, each by the titles of its columns. */
async function exported(page: Page, button = "Export as CSV"): Promise<Record<string, string>[]> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button }).click()]);
  const chunks: Buffer[] = [];
  for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString("utf8");
  expect(text.startsWith("\uFEFF")).toBe(true);
  return Papa.parse<Record<string, string>>(text.slice(1), { header: true }).data;
}

describe("the overview", () => {
  it("compares with the period before, shows the currency, fills each row of tiles, and marks today in its charts", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/overview?days=7");
    const [sums] = await demo.sql`
      select sum(d.queue_revenue) as revenue, (select sum(b.orders) from app.overview_days(app.business_day(clock_timestamp()) - 7, 7) as b) as before, sum(d.orders) as orders
      from app.overview_days(app.business_day(clock_timestamp()), 7) as d`;
    await page.getByText(`¥${Number(sums!.revenue).toLocaleString("en-GB", { minimumFractionDigits: 2 })}`).waitFor();
    const change = Math.round((Number(sums!.orders) / Number(sums!.before) - 1) * 1000) / 10;
    await page.locator("[data-tile]").first().getByText(`${change > 0 ? "+" : ""}${change}% on the 7 days before`).waitFor();
    // By the top of a row, the end of its last tile.
    const ends = await page.locator("[data-tile]").evaluateAll((tiles) => [...new Map(tiles.map((tile) => tile.getBoundingClientRect()).map(({ top, right }) => [top, Math.round(right)]))].map(([, right]) => right));
    expect(new Set(ends).size).toBe(1);
    expect(await page.getByText("Today, so far").count()).toBe(3);
  });

  it("warns of settlements that are late, with since when, and of scheduled jobs that did not run", async () => {
    const { id } = await unpaidOrder();
    // Due, but held by another transaction, so that no sweep takes it.
    await demo.sql.begin(async (sql) => {
      await sql`select app.pay_order(${id}, 'offline', ${`late-${id}`}, clock_timestamp())`;
      await sql`update app.settlement_jobs set run_after = clock_timestamp() + interval '1 hour' where order_id = ${id}`;
    });
    const holder = connect(demo.info.database_url);
    await holder`begin`;
    await holder`select from app.orders where id = ${id} for update`;
    try {
      visit = await demo.visitAsAdministrator({ timezoneId: "America/New_York" });
      const { page, open } = visit;
      await open("/overview");
      const tile = (name: string) => page.locator("main .mantine-Paper-root").filter({ has: page.getByRole("link", { name, exact: true }) });
      await tile("Schedule").getByText("Every scheduled job ran when it was due.").waitFor();
      expect(await tile("Settlement jobs").getByText("Late").count()).toBe(0);

      await demo.sql`update app.settlement_jobs set created_at = '2026-11-02 03:04:05+00' where order_id = ${id}`;
      // The scheduler of the test does run; here it is one that stood still.
      await page.route("**/adminapi/overview?*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), late_jobs: ["fsgx_release_frozen_points"] } });
      });
      await open("/overview");
      await tile("Settlement jobs").getByText("Late").waitFor();
      await tile("Settlement jobs").getByText("Oldest due since 2 Nov 2026, 11:04").waitFor();
      await tile("Schedule").getByText("1 late").waitFor();
      await tile("Schedule").getByText("Did not run when due: Daily release of frozen points").waitFor();
    } finally {
      await holder.end();
    }
  });

  it("tells the values of a day at the pointer, and moves nothing", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/overview?days=7");
    const chart = page.getByRole("img", { name: "Orders per day" });
    const place = () => page.getByText("With queue goods").last().boundingBox();
    const before = await place();
    const { x, y, width } = (await chart.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 80);
    const tooltip = page.getByRole("tooltip");
    const { x: left } = (await tooltip.boundingBox())!;
    expect(Math.abs(left - (x + width / 2))).toBeLessThan(220);
    const days = await demo.sql`select orders from app.overview_days(app.business_day(clock_timestamp()), 7)`;
    const told = Number((await tooltip.innerText()).match(/Paid orders: (\d+)/)?.[1]);
    expect(days.map(({ orders }) => Number(orders))).toContain(told);
    expect(await place()).toEqual(before);
    await page.mouse.move(0, 0);
    await tooltip.waitFor({ state: "detached" });
  });
});

describe("tables", () => {
  it("keep their heads and their first column in sight", async () => {
    visit = await demo.visitAsAdministrator({ width: 800, height: 600 });
    const { page, open } = visit;
    await open("/orders");
    const box = page.getByRole("group", { name: "Orders" });
    const corner = () => box.evaluate((element) => {
      const { top, left } = element.getBoundingClientRect();
      const head = element.querySelector("th:nth-child(3)")!.getBoundingClientRect();
      const first = element.querySelector("tbody tr:last-child td")!.getBoundingClientRect();
      return { head: Math.round(head.top - top), first: Math.round(first.left - left), scrolled: [element.scrollTop, element.scrollLeft] };
    });
    expect(await corner()).toEqual({ head: 0, first: 0, scrolled: [0, 0] });
    await box.evaluate((element) => element.scrollTo(150, 200));
    expect(await corner()).toEqual({ head: 0, first: 0, scrolled: [200, 150] });
  });

  it("are cards on a narrow window, sorted by a choice in place of the heads", async () => {
    visit = await demo.visitAsAdministrator({ width: 390 });
    const { page, open } = visit;
    await open("/users");
    const card = page.getByRole("row").first();
    expect(await page.locator("thead").isVisible()).toBe(false);
    expect((await card.boundingBox())!.width).toBeLessThan(390);
    const names = await card.getByRole("cell").evaluateAll((cells) => cells.map((cell) => getComputedStyle(cell, "::before").content));
    expect(names.slice(0, 3)).toEqual(['"Member"', '"Level"', '"Referrer"']);
    await page.getByRole("combobox", { name: "Sorted by" }).or(page.getByLabel("Sorted by")).first().click();
    await page.getByRole("option", { name: "Frozen points, highest first" }).click();
    await page.waitForURL(/sort=-frozen_points/);
    await settle(page);
    const [top] = await demo.sql`select uid from app.user_balances order by frozen_points desc, uid desc limit 1`;
    await card.getByText(String(top!.uid)).waitFor();
  });

  it("cut long titles, and show the whole to who points at them or comes by the keyboard", async () => {
    const title = "Gift box with everything that a title of a product can say ".repeat(3).trim();
    const [product] = await demo.sql`select id, title from app.products where not is_del order by id desc limit 1`;
    await demo.sql`update app.products set title = ${title} where id = ${product!.id}`;
    try {
      visit = await demo.visitAsAdministrator();
      const { page, open } = visit;
      await open("/products");
      const link = page.getByRole("button", { name: title, exact: true });
      expect(await link.evaluate((element) => element.parentElement!.scrollWidth > element.parentElement!.clientWidth)).toBe(true);
      expect(await page.getByRole("tooltip").count()).toBe(0);
      await link.hover();
      expect(await page.getByRole("tooltip").innerText()).toBe(title);
      await page.mouse.move(0, 0);
      await page.getByRole("tooltip").waitFor({ state: "detached" });
      await page.getByRole("combobox", { name: "On sale" }).or(page.getByLabel("On sale")).first().focus();
      for (let presses = 0; !(await link.evaluate((element) => element === document.activeElement)); presses++) {
        expect(presses).toBeLessThan(60);
        await page.keyboard.press("Tab");
      }
      expect(await page.getByRole("tooltip").innerText()).toBe(title);
    } finally {
      await demo.sql`update app.products set title = ${product!.title} where id = ${product!.id}`;
    }
  });

  it("name the buyer and the referrer of an order, in its settlement, too", async () => {
    const [order] = await demo.sql`
      select o.id, u.nickname as buyer, r.nickname as referrer from app.orders as o
      join app.users as u on u.uid = o.uid join app.users as r on r.uid = o.referrer_uid
      where o.state <> 'unpaid' and o.queue_base > 0 order by o.id desc limit 1`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open(`/orders?search=${order!.id}`);
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: String(order!.id), exact: true }) });
    await row.getByRole("link", { name: order!.buyer }).first().waitFor();
    await row.getByRole("link", { name: order!.referrer }).first().waitFor();
    await open(`/orders/${order!.id}`);
    await page.getByRole("region", { name: "Settlement" }).getByRole("link", { name: order!.referrer }).first().waitFor();
  });

  it("of a member are also those of their orders", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const orders = await demo.sql`select id from app.orders where uid = 10007 order by id desc`;
    await open("/users/10007");
    await page.getByRole("tab", { name: "Orders" }).click();
    await page.getByText(`${orders.length} in all`).waitFor();
    expect(await page.getByRole("row").nth(1).getByRole("link").first().innerText()).toBe(String(orders[0]!.id));
  });
});

describe("an export", () => {
  it("has every row that matches, from the first page to the last", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/orders?state=paid");
    const orders = await demo.sql`
      select o.id, o.pay_price, u.nickname, u.uid from app.orders as o join app.users as u on u.uid = o.uid where o.state = 'paid' order by o.id desc`;
    // More than are read at once.
    expect(orders.length).toBeGreaterThan(100);
    const lines = await exported(page);
    expect(lines.map(({ Order, Buyer, Paid }) => [Order, Buyer, Paid])).toEqual(orders.map((order) => [String(order.id), `${order.nickname} (${order.uid})`, order.pay_price]));
  });

  it("of members is in the order that was chosen, with the columns that are shown", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users?spread_uid=10007&sort=-frozen_points");
    const members = await demo.sql`
      select u.uid, u.nickname, b.frozen_points from app.users as u join app.user_balances as b using (uid) where u.spread_uid = 10007 order by b.frozen_points desc, u.uid desc`;
    expect(members.length).toBeGreaterThan(20);
    const lines = await exported(page);
    expect(lines.map((line) => [line.Member, Number(line["Frozen points"])])).toEqual(members.map((member) => [`${member.nickname} (${member.uid})`, Number(member.frozen_points)]));
  });

  it("of the release log has what the log has", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/release-log?uid=10007");
    const rows = await demo.sql`select release_points from app.points_release_log where uid = 10007 order by id desc`;
    const lines = await exported(page);
    expect(lines.map(({ Released }) => Number(Released))).toEqual(rows.map(({ release_points }) => Number(release_points)));
  });

  it("is on every list", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    for (const route of ["/users", "/users/10007", "/users/10007?tab=orders", "/users/10007?tab=places", "/users/10007?tab=direct", "/users/10007?tab=chain", "/users/10007?tab=audit", "/orders", "/products", "/articles", "/articles?tab=categories", "/release-log", "/activity"]) {
      await open(route);
      expect.soft(await page.getByRole("button", { name: "Export as CSV" }).count(), route).toBe(1);
    }
  });
});

describe("an export of what a page shows besides", () => {
  it("is under each of its lists", async () => {
    const [order] = await demo.sql`
      select s.order_id as id from app.settlements as s join app.orders as o on o.id = s.order_id
      where s.commission > 0 and o.refund_status = 3 or exists (select from app.refunds as r where r.order_id = o.id) and s.commission > 0
      order by s.order_id desc limit 1`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    for (const [route, ...lists] of [
      [`/orders/${order!.id}`, "Goods", "Points by level", "Bill rows of this order", "Refunds"],
      ["/plan", "Versions"],
      ["/levels", "Versions"],
      ["/schedule", "Last runs: Settlement of waiting orders"],
      ["/check", "In order"],
    ]) {
      await open(route!);
      for (const list of lists) {
        await expect.soft(page.getByRole("button", { name: `Export as CSV: ${list}`, exact: true }).waitFor({ timeout: 30_000 }), `${route} ${list}`).resolves.toBeUndefined();
      }
    }
  });

  it("has the values of the page: the goods, the levels and the bill of an order", async () => {
    const { order_id: id } = await commissionedOrder();
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open(`/orders/${id}`);
    const goods = await demo.sql`select title, price, quantity from app.order_lines where order_id = ${id} order by id`;
    expect((await exported(page, "Export as CSV: Goods")).map(({ Product, Price, Quantity }) => ({ title: Product, price: Price, quantity: Number(Quantity) }))).toEqual(goods.map((line) => ({ ...line })));
    const bill = await demo.sql`select b.uid, u.nickname, b.brokerage_delta::text as brokerage from app.user_bill as b join app.users as u using (uid) where b.order_id = ${id} order by b.id`;
    expect((await exported(page, "Export as CSV: Bill rows")).map(({ Member, Commission }) => [Member, Commission])).toEqual(bill.map((row) => [`${row.nickname} (${row.uid})`, row.brokerage]));
    const levels = await exported(page, "Export as CSV: Points by level");
    expect(levels.map(({ Step }) => Number(Step))).toEqual(levels.map((_, place) => place + 1));
    expect(levels[0]).toMatchObject({ Level: expect.stringMatching(/^[A-Z]/), Points: expect.stringMatching(/^\d/) });
  });

  it("has every action of the administrators, with what it changed", async () => {
    await demo.sql`
      insert into app.admin_actions (function, target_type, target_id, from_value, to_value, add_time)
      select 'set_no_assess', 'member', '10011', '{"no_assess": false}', '{"no_assess": true}', now() from generate_series(1, 25)`;
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/activity?target_type=member&target_id=10011");
    const lines = await exported(page);
    expect(lines).toHaveLength(25);
    expect(lines[0]).toMatchObject({ Administrator: "Owner of the database", Action: "Assessment changed", "Changed thing": "Member 10011", "Before and after": "Not assessed: No → Yes" });
  });
});

describe("a confirmed action", () => {
  it("that is clicked twice is done once, and says so", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users/10008");
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).dblclick();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await demo.sql`select from app.level_changes where uid = 10008 and changed_by is not null`).toHaveLength(1);
  });

  it("that takes long is not left before it is known how it went", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/users/10006");
    await page.route("**/adminapi/hjf/member/10006/level", async (route) => {
      await page.waitForTimeout(1000);
      await route.fulfill(problem(503, "database_busy", "The database is busy", "Try again."));
    });
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").locator("button[data-loading]").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").getByText("database_busy").waitFor();
  });
});

describe("the settings", () => {
  it("limit the unpaid orders of a member, and show at the field what the store refuses", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    const limit = async () => (await demo.sql`select max_unpaid_orders from app.settings`)[0]!.max_unpaid_orders;
    await open("/settings");
    const field = page.getByLabel("Most unpaid orders of a member");
    expect(await field.inputValue()).toBe(String(await limit()));
    await field.fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Enter a number.").waitFor();
    await field.fill("5000");
    await page.getByLabel("Time zone").fill("Mars/Olympus");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Correct the marked fields.").waitFor();
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    expect(await field.inputValue()).toBe("5000");
    await field.fill("25");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("There is no time zone of this name").waitFor();
    expect(await page.getByLabel("Time zone").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Time zone").fill("Asia/Shanghai");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await limit()).toBe(25);
    await open("/activity?function=set_settings");
    await page.getByText("Most unpaid orders: 20 → 25").waitFor();
  });
});

describe("nothing typed is lost", () => {
  it("when the connection is lost; sending it again does it once", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open, context } = visit;
    await open("/settings");
    await page.getByLabel("Name of the store").fill("Tea house");
    // The answer is lost, not the request: the store has done it, and the page cannot know.
    await page.route("**/adminapi/system/settings", async (route) => {
      if (route.request().method() !== "PUT") return route.continue();
      await route.fetch();
      await route.abort();
    }, { times: 1 });
    const before = (await demo.sql`select updated_at from app.settings`)[0]!.updated_at;
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("The store does not answer").waitFor();
    expect(await page.getByLabel("Name of the store").inputValue()).toBe("Tea house");
    const done = (await demo.sql`select updated_at from app.settings`)[0]!.updated_at;
    expect(done).not.toEqual(before);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await demo.sql`select site_name, updated_at from app.settings`)[0]).toEqual({ site_name: "Tea house", updated_at: done });

    await context.setOffline(true);
    await page.getByText("No connection").waitFor();
    await context.setOffline(false);
    await page.getByText("No connection").waitFor({ state: "hidden" });
  });

  it("when what is below it cannot be read anew: it stays, with the reason above it", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/plan");
    await page.getByLabel("Place 1").fill("21");
    await page.getByRole("button", { name: "Simulate the last 30 days" }).click();
    await page.getByText("Members who earn most").waitFor({ timeout: 60_000 });
    await page.route("**/adminapi/hjf/brokerage/config", (route) => route.fulfill(problem(503, "database_unavailable", "The database cannot be reached", "Try again in a moment.")));
    // Back to the window after a minute.
    await page.evaluate(() => {
      const now = Date.now;
      Date.now = () => now() + 60_000;
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    });
    await page.getByRole("alert").getByText("database_unavailable").waitFor({ timeout: 30_000 });
    expect(await page.getByLabel("Place 1").inputValue()).toBe("21 %");
    expect(await page.getByText("Members who earn most").isVisible()).toBe(true);
    await page.evaluate(() => sessionStorage.clear());
  });

  it("when the session ends: signing in again goes on where it was", async () => {
    visit = await demo.visitAsAdministrator();
    const { page, open } = visit;
    await open("/products");
    await page.getByRole("button", { name: "Add a product" }).click();
    await page.getByRole("dialog").getByLabel("Title").fill("Half typed");
    await page.getByRole("dialog").getByLabel("Price").fill("10");
    // The store takes the token no longer.
    await page.route("**/adminapi/product", (route) => route.fulfill(problem(401, "token_expired", "The token has expired", "Sign in again.")), { times: 1 });
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    const again = page.getByRole("dialog", { name: "Your session has ended" });
    await again.waitFor();
    expect(await again.getByRole("textbox", { name: "Email" }).inputValue()).toBe("admin@example.com");
    await again.locator("input[name=password]").fill(password);
    await again.getByRole("button", { name: "Sign in" }).click();
    await again.waitFor({ state: "hidden" });
    expect(await page.getByRole("dialog").getByLabel("Title").inputValue()).toBe("Half typed");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await expect.poll(async () => (await demo.sql`select count(*)::integer as rows from app.products where title = 'Half typed'`)[0]!.rows).toBe(1);
    await demo.sql`update app.products set is_show = false, is_del = true where title = 'Half typed'`;
  });
});

describe("the language", () => {
  it("is the browser's at first, is switched, and is remembered", async () => {
    visit = await demo.visitAsAdministrator({ locale: "zh-CN" });
    const { page, open } = visit;
    await open("/users");
    await page.getByRole("heading", { name: "会员", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    await page.getByRole("button", { name: "简体中文" }).click();
    await page.getByRole("menuitem", { name: "English" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  });

  it("is also that of what the store refuses and finds", async () => {
    visit = await demo.visitAsAdministrator({ locale: "zh-CN" });
    const { page, open } = visit;
    await open("/check");
    await page.getByText("一切正常").waitFor();
    const found = await page.locator("tbody td:first-child, tbody td:nth-child(3)").allInnerTexts();
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((words) => /[a-z]{3}/.test(words))).toEqual([]);

    await open("/plan");
    await page.getByLabel("第 1 位").fill("60");
    await page.getByLabel("单笔最高发放占比").fill("40");
    await page.getByRole("alert").getByText("方案不符合要求：每个比例在 0 与单笔最高发放占比之间。").waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });
});

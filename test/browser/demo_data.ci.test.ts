import { expect, it } from "vitest";
import { en as consoleTexts } from "../../apps/console/src/i18n/en/index.ts";
import { en as h5Texts } from "../../apps/shared/member_texts/en/index.ts";
import { demoConsole } from "./demo_console.ts";
import { DemoH5 } from "./demo_h5.ts";

// The demo data are a shop at work: no page of the sites is empty.
const demo = demoConsole();

/** The texts that stand where a list has no rows. */
function emptyStates(texts: object, key = ""): string[] {
  return Object.entries(texts).flatMap(([name, text]: [string, unknown]) => {
    if (typeof text === "object" && text) return emptyStates(text, name);
    return typeof text === "string" && /^(empty|noneClosed|nothing|noOrders|noPeople)/.test(name) && key !== "fields"
      ? [text]
      : [];
  });
}

/** Pages of the menu that are empty as long as everything goes well. */
const exceptions: Record<string, string> = {
  "/jobs": "orders are settled at once",
  "/outbox": "a call that has failed for good is a finding of the reconciliation",
  "/signals": "nobody of the demo company cheats",
  "/webhooks": "the demo sends nothing to other systems",
};

const furtherPages = [
  "/carriers",
  "/articles?tab=categories",
  "/users/10007",
  "/users/10007?tab=statement",
  "/users/10007?tab=places",
];

it("no page of the console's menu is empty, with four exceptions", async () => {
  const empty = emptyStates(consoleTexts);
  expect(empty.length).toBeGreaterThan(30);
  const { page, open, follow } = await demo.visitAsAdministrator();
  await open("/overview");
  const links = await page
    .locator("nav a")
    .evaluateAll((all) => all.map((link) => link.getAttribute("href")!.slice(1)));
  expect(links.length).toBeGreaterThan(20);
  const found: string[] = [];
  for (const route of [...links, ...furtherPages]) {
    await follow(route);
    const text = await page.locator("main").innerText();
    const shown = empty.filter((each) => text.includes(each));
    if (route in exceptions) expect.soft(shown, `${route} is no exception any more`).not.toEqual([]);
    else found.push(...shown.map((each) => `${route}: ${each}`));
  }
  expect(found).toEqual([]);
});

it("no page of a member in the H5 app is empty", async () => {
  const empty = emptyStates(h5Texts);
  expect(empty.length).toBeGreaterThan(5);
  const h5 = Object.assign(new DemoH5(), { info: demo.info, sql: demo.sql, browser: demo.browser });
  const { page, open } = await h5.phone({ member: "chen@example.com", locale: "en-GB" });
  const found: string[] = [];
  for (const route of [
    "/",
    "/orders",
    "/addresses",
    "/withdrawals",
    "/accounts",
    "/cycle",
    "/points",
    "/bill",
    "/statement",
    "/levels",
    "/team",
    "/team/people",
    "/team/orders",
  ]) {
    await open(route);
    const text = await page.locator("main").innerText();
    found.push(...empty.filter((each) => text.includes(each)).map((each) => `${route}: ${each}`));
  }
  await h5.endVisits();
  expect(found).toEqual([]);
});

it("the lists of the shop have rows in every state", async () => {
  const states = async (table: string) =>
    (await demo.sql`select distinct state from ${demo.sql(table)} order by state`).map(({ state }) => state as string);
  expect(await states("app.withdrawals")).toEqual(["approved", "failed", "paid", "paying", "refused", "requested"]);
  expect(await states("app.refunds")).toEqual(["partly_refunded", "refunded", "refused", "requested", "taken_back"]);
  expect(await states("app.adjustments")).toEqual(["booked", "refused", "waiting"]);
  const [row] = await demo.sql`
    select (select count(*) from app.orders where state = 'paid' and refund_status = 0 and address is not null)::integer as to_ship,
      (select count(*) from (select from app.parcels group by order_id having count(*) > 1) as p)::integer as of_two_parcels,
      (select count(*) from app.waiting_payments where refused_at is null)::integer as waiting_payments,
      (select count(*) from app.closed_months)::integer as closed_months,
      (select count(*) from app.invitations as i where app.is_open_invitation(i))::integer as invitations,
      (select count(distinct roles) from app.administrators)::integer as roles,
      (select count(*) from app.order_lines as l join app.orders as o on o.id = l.order_id
        where l.refunded_quantity between 1 and l.quantity - 1)::integer as partly_refunded,
      (select count(*) from app.debts(now()))::integer as debts`;
  expect(row).toEqual({
    to_ship: expect.toSatisfy((count: number) => count > 100),
    of_two_parcels: 2,
    waiting_payments: 1,
    closed_months: 1,
    invitations: 1,
    roles: 4,
    partly_refunded: 2,
    debts: expect.toSatisfy((count: number) => count > 0),
  });
});

it("each member was told of the members who joined through them, when they joined", async () => {
  expect(
    await demo.sql`
      select u.uid from app.users as u full join (select e.subject_id, e.add_time from app.events as e where e.type = 'member.referred') as e
        on e.subject_id = u.uid and e.add_time = u.spread_time
      where (u.spread_uid is null) <> (e.subject_id is null) or e.subject_id is not null and u.uid is null`,
  ).toEqual([]);
});

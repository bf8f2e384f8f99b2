import { expect, it } from "vitest";
import { barriers } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();

/** An order of a direct member of 10007, paid and settled. */
async function sale(buyer: number, units: number) {
  const [order] = await demo.sql`
    select (app.create_order(${buyer}, (
      select jsonb_build_array(jsonb_build_object('product_id', min(p.id), 'quantity', ${units}::int)) from app.products as p where p.is_queue_goods and p.is_show and not p.is_del and p.stock is null
    ), now())).id`;
  await demo.sql`select from app.pay_order(${order!.id}, 'test', ${`signals-${order!.id}`}, now())`;
  await demo.sql`select from app.settle_order(${order!.id}, now())`;
  const [settled] = await demo.sql`
    select s.order_id, s.place, s.place = p.people_per_cycle as ends_cycle from app.settlements as s join app.commission_plans as p on p.version = s.cycle_plan_version where s.order_id = ${order!.id}`;
  return settled as { order_id: string; place: number; ends_cycle: boolean };
}

it("the page Signals lists each kind with links to orders and members, and says what to do", async () => {
  const [direct] = await demo.sql`select min(uid) as uid from app.users where spread_uid = 10007`;
  // The last place of a cycle closes it, so a refund would not free the place.
  const first = await sale(direct!.uid, 1);
  const freed = first.ends_cycle ? await sale(direct!.uid, 1) : first;
  await demo.sql`select from app.refund_order(${freed.order_id}, null, null, now())`;
  const larger = await sale(direct!.uid, 2);
  expect(larger.place).toBe(freed.place);
  // An order that goes to the address of the buyer's referrer.
  const address = { name: "Chen Jing", phone: "13800138000", region: ["广东省"], street: "Keji Road 12" };
  const [order] = await demo.sql`
    update app.orders set address = ${demo.sql.json(address)}
    where id = (select o.id from app.orders as o where o.paid_at is not null and o.referrer_uid not in (o.uid, 10007) order by o.id desc limit 1)
    returning id, referrer_uid`;
  await demo.sql`insert into app.addresses (uid, address) values (${order!.referrer_uid}, ${demo.sql.json(address)})`;
  await demo.sql`insert into app.users (nickname, spread_uid, spread_time) select 'Guest', 10012, now() from generate_series(1, 23)`;

  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/signals");
  const place = page
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: String(freed.order_id), exact: true }) });
  await place.getByRole("link", { name: String(larger.order_id), exact: true }).waitFor();
  await page.getByText(/^What you can do: refund an order/).waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("tab", { name: "Same payer or address" }).click();
  const shared = page
    .getByRole("row")
    .filter({ has: page.getByRole("link", { name: String(order!.id), exact: true }) });
  await shared.getByText("Address", { exact: true }).waitFor();
  expect(await page.getByText("Keji Road").count()).toBe(0);
  await page.getByText(/^Examined back to /).waitFor();
  await page.getByRole("button", { name: "Next page" }).click();
  await page.waitForURL(/cursor=\d+/);
  await page.getByRole("button", { name: "First page" }).click();
  await shared.waitFor();
  expect(await barriers(page)).toEqual([]);

  await page.getByRole("tab", { name: "Bursts of sign-ups" }).click();
  const burst = page.getByRole("row").filter({ has: page.locator("a[href$='/users/10012']") });
  await burst.getByText("23", { exact: true }).waitFor();
  await burst.getByRole("link", { name: "Show" }).click();
  await page.getByRole("tab", { name: "Direct members", selected: true }).waitFor();
  expect(complaints).toEqual([]);
});

it("the page Level review lists who would not reach their level today, with what is missing, and leads to the member", async () => {
  const [leaf] = await demo.sql`
    select u.uid, u.nickname from app.users as u
    where u.agent_level = 0 and not exists (select from app.users as b where b.spread_uid = u.uid) order by u.uid limit 1`;
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/level-review");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$='/users/${leaf!.uid}']`) });
  expect(await row.count()).toBe(0);
  await demo.sql`select from app.set_agent_level(${leaf!.uid}, 1::smallint, null, now(), true)`;
  await open("/level-review");
  await row.getByText("Maker (held)").waitFor();
  await row.getByText("Member", { exact: true }).waitFor();
  await row.getByText("Grade 1: Reported orders of direct members, 0 of 3").waitFor();
  await row.getByRole("link").click();
  await page.getByRole("button", { name: "Set level" }).waitFor();
  expect(complaints).toEqual([]);
});

it("the page Level review lists who could rise, and raises them", async () => {
  const [risen] = await demo.sql`
    select u.uid, u.nickname, u.agent_level::integer as level from app.users as u
    where u.agent_level between 1 and 2 and not u.is_held
      and exists (select from app.level_changes as c where c.uid = u.uid and c.reason = 'tasks' and c.to_level = u.agent_level)
      and (select app.level_by_tasks(b) from app.user_balances as b where b.uid = u.uid) = u.agent_level
    order by u.uid limit 1`;
  await demo.sql`select app.set_agent_level(${risen!.uid}, 0::smallint, null, now(), false)`;
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/level-review?kind=rise");
  const row = page.getByRole("row").filter({ has: page.locator(`a[href$='/users/${risen!.uid}']`) });
  await row.getByRole("button", { name: "Raise" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Raise" }).click();
  await row.waitFor({ state: "detached" });
  const [now] = await demo.sql`select agent_level::integer as level from app.users where uid = ${risen!.uid}`;
  expect(now!.level).toBe(risen!.level);
  expect(complaints).toEqual([]);
});

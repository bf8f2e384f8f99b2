import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/**
 * Starts `wait` while another transaction has locked the order's row, and runs `meanwhile` before the row is released.
 */
async function whileHeld(order: number, meanwhile: () => PromiseLike<unknown>, wait: () => PromiseLike<unknown>) {
  const holder = store.connection();
  await holder`begin`;
  await holder`select from app.orders where id = ${order} for update`;
  const waiting = Promise.resolve(wait());
  await store.untilWaiting(1);
  await meanwhile();
  await holder`commit`;
  await holder.end();
  await waiting;
}

/** Bill rows with an earlier time than the member's previous row. */
const outOfOrder = () => store.sql`
  select l.uid, l.id from (select b.uid, b.id, b.add_time < lag(b.add_time) over (partition by b.uid order by b.id) as is_earlier from app.user_bill as b) as l
  where l.is_earlier`;

describe("a transaction that waited for a lock is dated after the one that held it", () => {
  it("in the bill: the newest row has the current balance", async () => {
    const referrer = await store.reporter();
    const [held, other] = [
      await store.buy(await store.signUp(referrer)),
      await store.buy(await store.signUp(referrer)),
    ];
    await store.sql`select app.run_settlement_jobs()`;
    await whileHeld(
      held,
      () => store.sql`select from app.refund_order(${other}, null, null, null)`,
      () => store.sql`select from app.refund_order(${held}, null, null, null)`,
    );
    const [newest] =
      await store.sql`select brokerage_after from app.user_bill where uid = ${referrer} order by add_time desc, id desc limit 1`;
    expect(newest?.brokerage_after).toBe("0.00");
    expect(await outOfOrder()).toEqual([]);
  });

  it("in eligibility: a referrer who was not eligible had not paid by that time", async () => {
    const referrer = await store.signUp();
    const [own, order] = [await store.order(referrer), await store.order(await store.signUp(referrer))];
    const payAndSettle = async () => {
      await store.sql`select from app.pay_order(${order}, 'test', 'meanwhile', null)`;
      await store.sql`select from app.settle_order(${order}, null)`;
    };
    await whileHeld(own, payAndSettle, () => store.sql`select from app.pay_order(${own}, 'test', 'held', null)`);
    const [row] = await store.sql`
      select s.reason, app.has_reported_order(s.referrer_uid, o.paid_at) as could_earn from app.settlements as s join app.orders as o on o.id = s.order_id where o.id = ${order}`;
    expect(row).toEqual({ reason: "referrer_not_eligible", could_earn: false });
  });

  it("with concurrent payments, settlements, refunds and releases", async () => {
    const top = await store.reporter();
    const middle = await store.reporter(top);
    await store.sql`insert into app.release_runs (release_date, started_at, finished_at) values (app.business_day(now()) - 6, now() - interval '6 days', now() - interval '6 days')`;
    const orders: number[] = [];
    for (let index = 0; index < 40; index++)
      orders.push(await store.order(await store.signUp(index % 2 ? top : middle)));
    const results = await store.together([
      ...[0, 1, 2, 3].map((part) => async (sql: typeof store.sql) => {
        for (const id of orders.filter((_, index) => index % 4 === part)) {
          await sql`select from app.pay_order(${id}, 'test', ${`all-${id}`}, null)`;
          await sql`select app.run_settlement_jobs(5)`;
          if (id % 3 === 0) await sql`select from app.refund_order(${id}, null, null, null)`;
        }
      }),
      // Six days, because the last release was six days ago.
      async (sql) => {
        await sql`call app.release_frozen_points()`;
      },
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(await outOfOrder()).toEqual([]);
    expect(await store.findings()).toEqual([]);
  });
});

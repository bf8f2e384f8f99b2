import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, addProduct, call, signUp, signUpAdmin } from "../api/client.ts";
import { connect, lockRelease, lockSchedule, stack } from "../support/index.ts";

// A cycle of paid orders over HTTP, with real accounts, in the database with pg_cron, or with the scheduler of the
// local stack where the server has no pg_cron. Jobs run once a minute, so the test waits for both schedules together.
const sql = connect(stack().database_url);
const cronPatience = { interval: 500 };

let admin: Account;
let referrer: Account;
let queueGoods: number;
let otherGoods: number;
const buyers: Account[] = [];

async function placeOrder(buyer: Account, product_id = queueGoods, quantity = 1): Promise<number> {
  return (await call("POST", "/api/order", { token: buyer.token, json: { items: [{ product_id, quantity }] } })).body
    .id as number;
}

async function orderAndPay(buyer: Account, product?: number): Promise<number> {
  const id = await placeOrder(buyer, product);
  expect((await call("PUT", `/adminapi/order/${id}/pay`, { token: admin.token })).status).toBe(200);
  return id;
}

const overview = async () => (await call("GET", "/api/hjf/assets/overview", { token: referrer.token })).body;
const settled = (id: number, options: { interval?: number } = {}) =>
  vi.waitFor(
    async () =>
      expect((await call("GET", `/adminapi/order/${id}/settlement`, { token: admin.token })).body.state).toBe(
        "settled",
      ),
    options,
  );

beforeAll(async () => {
  [admin, referrer] = await Promise.all([signUpAdmin("Store office"), signUp("Referrer")]);
  queueGoods = await addProduct("Flagship package", "3600.00", true);
  otherGoods = await addProduct("Tea", "10.00", false);
  for (let index = 1; index <= 5; index++) buyers.push(await signUp(`Buyer ${index}`, String(referrer.uid)));
});
afterAll(() => sql.end());

describe("a cycle of paid orders, end to end", () => {
  it("pays a referrer with an own order for a full cycle of three places and the first place of the next", async () => {
    await settled(await orderAndPay(referrer));
    const seen: string[] = [];
    for (const buyer of buyers.slice(0, 4)) {
      await settled(await orderAndPay(buyer));
      seen.push((await overview()).brokerage_price);
    }
    // 3600.00 x 0.2, x 0.3, x 0.5, and again x 0.2.
    expect(seen).toEqual(["720.00", "1800.00", "3600.00", "4320.00"]);
    // One point per 1.00, and 500 direct points of grade 1 for the fourth order: the third order raised the referrer to
    // that grade.
    expect(await overview()).toMatchObject({
      frozen_points: 4820,
      available_points: 0,
      total_points_earned: 4820,
      agent_level: 1,
      today_release: 1.928,
      progress: {
        cycle_no: 2,
        cycle_current: 1,
        cycle_remaining: 2,
        next_ratio: 0.3,
        total_places: 4,
        total_brokerage: "4320.00",
      },
    });
  });

  // What is due in the same minute is waited for together.
  it("the scheduler settles an order whose request was interrupted, expires one that nobody pays and receives one that nobody confirms", async () => {
    const buyer = buyers[4]!;
    const [forgotten, delivered] = [await placeOrder(buyer), await orderAndPay(buyer, otherGoods)];
    expect((await call("PUT", `/adminapi/order/${delivered}/deliver`, { token: admin.token })).status).toBe(200);
    // Nobody can wait for a week: the orders are older than they are, and so is the store.
    const [settings] = await sql`select lifecycle_from from app.settings`;
    await sql`update app.settings set lifecycle_from = lifecycle_from - interval '30 days'`;
    await sql`update app.orders set add_time = add_time - interval '8 days' where id = ${forgotten}`;
    await sql`update app.orders set delivered_at = delivered_at - interval '8 days' where id = ${delivered}`;
    const state = async (id: number) =>
      (await call("GET", `/api/order/${id}`, { token: buyer.token })).body.state as string;
    const schedule = await lockSchedule();
    const [job] = await sql`select schedule, command from cron.job where jobname = 'receive_delivered_orders'`;
    await sql`select cron.schedule('receive_delivered_orders', '* * * * *', ${job!.command})`;
    try {
      // A payment without background work, as if the function had been killed after its response.
      const interrupted = await placeOrder(buyer, queueGoods, 2);
      await sql`select from app.pay_order(${interrupted}, 'offline', ${`e2e-${interrupted}`}, clock_timestamp())`;
      await vi.waitFor(
        async () => expect([await state(forgotten), await state(delivered)]).toEqual(["cancelled", "received"]),
        cronPatience,
      );
      await settled(interrupted, cronPatience);
    } finally {
      await sql`select cron.schedule('receive_delivered_orders', ${job!.schedule}, ${job!.command})`;
      await schedule.unlock();
      await sql`update app.settings set lifecycle_from = ${settings!.lifecycle_from}`;
    }
    // 7200.00 x 0.3 more, as points too, and 500 direct points for each of two units.
    expect(await overview()).toMatchObject({ brokerage_price: "6480.00", frozen_points: 7980 });
  });

  it("the scheduler releases the points of the day once", async () => {
    const [job] = await sql`select jobid, schedule, command from cron.job where jobname = 'fsgx_release_frozen_points'`;
    expect(job).toMatchObject({ command: "call app.release_frozen_points()" });
    const [schedule, release] = [await lockSchedule(), await lockRelease()];
    // Scheduling under the same name replaces the schedule, like a change by an administrator.
    await sql`select cron.schedule('fsgx_release_frozen_points', '* * * * *', ${job!.command})`;
    try {
      const log = async () =>
        (await call("GET", `/adminapi/hjf/points/release_log?uid=${referrer.uid}`, { token: admin.token })).body;
      await vi.waitFor(async () => expect((await log()).count).toBe(1), cronPatience);
      // A second run on the same day releases nothing.
      await sql`call app.release_frozen_points()`;
      const { list, count, statistics } = await log();
      expect(count).toBe(1);
      expect(list[0]).toMatchObject({
        uid: referrer.uid,
        nickname: "Referrer",
        frozen_before: 7980,
        release_points: 3.192,
        frozen_after: 7976.808,
      });
      expect(statistics).toMatchObject({ total_released: 3.192, users: 1, last_run: { failures: 0 } });
      expect(await overview()).toMatchObject({
        frozen_points: 7976.808,
        available_points: 3.192,
        today_release: 3.192,
        total_points_earned: 7980,
      });
    } finally {
      await sql`select cron.schedule('fsgx_release_frozen_points', ${job!.schedule}, ${job!.command})`;
      await Promise.all([release.unlock(), schedule.unlock()]);
    }
    const runs =
      await sql`select status from cron.job_run_details where jobid = ${job!.jobid} and end_time is not null`;
    expect(runs.map((run) => run.status)).toContain("succeeded");
  });

  it("leaves every balance equal to its bill", async () => {
    const findings = await sql`select * from app.reconcile() as r where r.subject = ${`uid ${referrer.uid}`}`;
    expect(findings).toEqual([]);
  });
});

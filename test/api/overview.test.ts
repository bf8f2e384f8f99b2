import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buy } from "./scenario.ts";

let admin: Account;

beforeAll(async () => {
  admin = await signUpAdmin("Overseer");
});

const overview = async (query = "") => (await as(admin).get(`/adminapi/overview${query}`)).body;

// supabase/tests/overview tests the sums themselves.
describe("GET /adminapi/overview", () => {
  it("has a row for every business day, even without orders", async () => {
    await buy(await signUp("Buyer of the day"), admin, await addProduct("Tea of the day", "9.90", false));
    const { days, totals } = await overview();
    expect(days).toHaveLength(30);
    expect(days[0]).toMatchObject({
      orders: 0,
      queue_revenue: "0.00",
      commission: "0.00",
      payout_share: null,
      points_frozen: 0,
      points_released: 0,
    });
    expect(days.at(-1).orders).toBeGreaterThan(0);
    expect(totals.orders).toBeGreaterThanOrEqual(days.at(-1).orders);
    expect((await overview("?days=1")).days).toHaveLength(1);
  });

  it("shows the last reconciliation and the waiting jobs", async () => {
    const sql = connect(stack().database_url);
    await sql`call app.record_reconcile()`;
    await sql.end();
    const { last_reconcile, jobs } = await overview();
    expect(last_reconcile).toMatchObject({ findings: expect.any(Number), finished_at: expect.any(String) });
    expect(jobs).toMatchObject({ waiting: expect.any(Number), dead: expect.any(Number), is_late: false });
  });

  it.each(["0", "367", "month"])("rejects %s days", async (days) => {
    expectProblem(await as(admin).get(`/adminapi/overview?days=${days}`), "invalid_argument");
  });
});

describe("the first steps", () => {
  it("are computed from the tables, and are none for everybody after an owner has dismissed them, which is recorded", async () => {
    const sql = connect(stack().database_url);
    await sql`update app.settings set first_steps_dismissed_at = null, h5_share_url = 'http://127.0.0.1:54321/h5'`;
    try {
      const { body } = await as(admin).get("/adminapi/first_steps");
      expect(body.list).toHaveLength(10);
      expect(body.list).toContainEqual({ step: "share", is_done: false });
      expectProblem(await as(await signUp("Nobody")).get("/adminapi/first_steps"), "forbidden");
      for (let time = 0; time < 2; time++)
        expect((await as(admin).put("/adminapi/first_steps/dismissal")).body).toEqual({ list: [] });
      expect((await as(admin).get("/adminapi/first_steps")).body).toEqual({ list: [] });
      const { body: actions } = await as(admin).get("/adminapi/action?function=dismiss_first_steps");
      // The repeated call has changed nothing.
      expect(actions.list.map(({ to }: { to: object }) => to)).toEqual([
        {},
        { first_steps_dismissed_at: expect.any(String) as string },
      ]);
    } finally {
      await sql`update app.settings set first_steps_dismissed_at = null`;
      await sql.end();
    }
  });
});

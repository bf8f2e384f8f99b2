import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
let admin: Account;
let referrer: Account;
let buyer: Account;
let order_id: number;
const began = new Date().toISOString();

beforeAll(async () => {
  [admin, referrer] = await Promise.all([signUpAdmin("Forecaster"), signUp("Foreseen")]);
  buyer = await signUp("Buyer below", referrer.uid);
  const queueGoods = await addProduct("Foreseen package", "3600.00", true);
  await buyAndSettle(referrer, admin, queueGoods);
  ({ order_id } = await buyAndSettle(buyer, admin, queueGoods));
});

describe("GET /adminapi/hjf/member/{uid}/count_audit", () => {
  const audit = (uid: number) => as(admin).get(`/adminapi/hjf/member/${uid}/count_audit`);

  it("lists every counted order below a member", async () => {
    expect((await audit(referrer.uid)).body).toMatchObject({
      uid: referrer.uid,
      level_is_held: false,
      next_level: 1,
      counted: { direct_orders: 1, umbrella_orders: 1, direct_members: 1, umbrella_members: 1 },
      tasks: [{ type: "direct_orders", target: 3, counted: 1, met: false }],
      left_out: {},
      orders: [{ order_id, uid: buyer.uid, is_direct: true, counted: true, reason: null }],
    });
  });

  it("reports that a member with a held level does not rise", async () => {
    const hold = (is_held: boolean) =>
      as(admin).put(`/adminapi/hjf/member/${referrer.uid}/level`, { agent_level: 0, hold: is_held });
    expect((await hold(true)).status).toBe(200);
    expect((await audit(referrer.uid)).body.level_is_held).toBe(true);
    await hold(false);
    expect((await audit(referrer.uid)).body.level_is_held).toBe(false);
  });

  it("returns the reason why an order does not count", async () => {
    await as(admin).put(`/adminapi/hjf/member/${buyer.uid}/no_assess`, { no_assess: true });
    expect((await audit(referrer.uid)).body).toMatchObject({
      counted: { direct_orders: 0 },
      left_out: { member_not_assessed: 1 },
    });
    await as(admin).put(`/adminapi/hjf/member/${buyer.uid}/no_assess`, { no_assess: false });
  });

  it("is empty for a member with nobody below, and returns 404 for an unknown member", async () => {
    expect((await audit(buyer.uid)).body).toMatchObject({ orders: [], left_out: {} });
    expectProblem(await audit(NOBODY), "user_not_found");
  });
});

describe("GET /adminapi/hjf/points/forecast", () => {
  const path = "/adminapi/hjf/points/forecast";

  it("returns the future releases of one member or of all", async () => {
    const { frozen_points } = (await as(referrer).get("/api/hjf/assets/overview")).body;
    expect((await as(admin).get(`${path}?uid=${referrer.uid}`)).body).toMatchObject({
      uid: referrer.uid,
      frozen_points,
      members: 1,
      half_released_after_days: 1733,
      forecast: [
        { days: 1, release_points: Number((frozen_points * 0.0004).toFixed(4)) },
        { days: 30 },
        { days: 365 },
        { days: 3650 },
      ],
    });
    expect((await as(admin).get(path)).body.frozen_points).toBeGreaterThanOrEqual(frozen_points);
    expect((await as(admin).get(`${path}?uid=${buyer.uid}`)).body).toMatchObject({ frozen_points: 0, members: 0 });
  });
});

describe("POST /adminapi/hjf/simulate", () => {
  const simulate = (json: object) =>
    as(admin).post("/adminapi/hjf/simulate", { from: began, to: new Date().toISOString(), ...json });

  it("replays past orders under a draft and changes nothing", async () => {
    const before = (await as(referrer).get("/api/hjf/assets/overview")).body;
    const { status, body } = await simulate({ plan: { tier_ratios: [0.5, 0.3, 0.2] } });
    expect(status).toBe(200);
    expect(body.orders).toBeGreaterThanOrEqual(2);
    expect(body.members.find(({ uid }: { uid: number }) => uid === referrer.uid)).toMatchObject({
      commission: "1800.00",
      paid_commission: "720.00",
    });
    expect((await as(referrer).get("/api/hjf/assets/overview")).body).toEqual(before);
  });

  it("is empty for a period without orders", async () => {
    const { body } = await simulate({ from: "2001-01-01T00:00:00Z", to: "2001-01-02T00:00:00+08:00" });
    expect(body).toEqual({ orders: 0, revenue: "0.00", totals: {}, members: [], depths: [] });
  });

  it("rejects a period that ends before it begins, and invalid drafts", async () => {
    expectProblem(await simulate({ to: began }), "invalid_argument");
    expectProblem(await simulate({ from: "yesterday" }), "invalid_argument");
    expectProblem(await simulate({ plan: { people_per_cycle: 2 } }), "plan_invalid");
    expectProblem(await simulate({ levels: [] }), "invalid_argument");
    const level = { grade: 1, name: "a", name_zh: "a", direct_points: 0, umbrella_points: 0, tasks: {} };
    expectProblem(await simulate({ levels: [level] }), "levels_invalid");
  });
});

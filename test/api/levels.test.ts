import { beforeAll, expect, it } from "vitest";
import { type Account, addProduct, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

// What members and administrators see of a level that rises otherwise than by an order, and of one that does not rise.

let admin: Account;
let seller: Account;
let orders: number[];
beforeAll(async () => {
  admin = await signUpAdmin("Levels");
  seller = await signUp("Seller");
  const product = await addProduct("Goods of levels", "10.00", true);
  const buyer = await signUp("Buyer", seller.uid);
  orders = [];
  for (let order = 1; order <= 3; order++) {
    const { order_id: id } = await buyAndSettle(buyer, admin, product);
    orders.push(id);
    if (order === 1) expect((await as(buyer).post(`/api/order/${id}/refund`, {})).status).toBe(201);
  }
});

const own = async () => (await as(seller).get("/api/agent/level")).body;
const changes = async () => (await as(admin).get(`/adminapi/user/${seller.uid}/level_change`)).body.list;

it("a refused request raises the referrer at once, with its cause", async () => {
  expect(await own()).toMatchObject({
    agent_level: 0,
    next: { in_review: false, tasks: [{ current: 2, target: 3, met: false }] },
  });
  expect((await as(admin).put(`/adminapi/order/${orders[0]}/refund/refuse`)).status).toBe(200);
  expect(await own()).toMatchObject({ agent_level: 1 });
  expect(await changes()).toEqual([
    expect.objectContaining({ from_level: 0, to_level: 1, reason: "tasks", cause: "refund", order_id: orders[0] }),
  ]);
  const { body } = await as(admin).get(`/adminapi/order/${orders[0]}/settlement`);
  expect(body.level_changes).toEqual([{ uid: seller.uid, from_level: 0, to_level: 1, cause: "refund" }]);
});

it("a level that is held does not rise, and the end of the hold raises it", async () => {
  const set = (body: object) => as(admin).put(`/adminapi/hjf/member/${seller.uid}/level`, body);
  expect((await set({ agent_level: 0 })).body).toMatchObject({ agent_level: 0, hold: true });
  expect(await own()).toMatchObject({ is_held: true, next: { in_review: false } });
  expect((await set({ agent_level: 0, hold: false })).body).toMatchObject({ agent_level: 1, hold: false });
  expect((await changes())[0]).toMatchObject({ reason: "tasks", cause: "hold", order_id: null });
  expect((await changes())[1]).toMatchObject({ reason: "manual", cause: null });
});

// Guarantee rules/level-settings
it("a level that could rise is in review, and the review lists it until somebody raises it", async () => {
  const review = async () =>
    (await as(admin).get(`/adminapi/agent/level/review?kind=rise&limit=100&cursor=${seller.uid - 1}`)).body.list;
  expect(await review()).toEqual([]);
  expect(
    (await as(admin).put(`/adminapi/hjf/member/${seller.uid}/level`, { agent_level: 0, hold: false })).status,
  ).toBe(200);
  expect(await own()).toMatchObject({ agent_level: 0, next: { in_review: true, tasks: [{ met: true }] } });
  expect(await review()).toEqual([
    expect.objectContaining({ uid: seller.uid, agent_level: 0, reached_level: 1, missing: [] }),
  ]);
  expect((await as(admin).put(`/adminapi/hjf/member/${seller.uid}/level`, { agent_level: 1 })).status).toBe(200);
  expect(await review()).toEqual([]);
});

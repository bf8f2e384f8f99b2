import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "../api/client.ts";
import { as, buy } from "../api/scenario.ts";
import { connect, stack } from "../support/index.ts";

// Requests for refunds and their answers, as people who run shops have reported them in public trackers. Each test
// names its sources.

let admin: Account;
let buyer: Account;
let cup: number;
beforeAll(async () => {
  [admin, buyer] = await Promise.all([signUpAdmin("Desk of the field"), signUp("Asks for refunds")]);
  cup = await addProduct("Cup of the field", "20.00", false);
});

const ask = (id: number, json?: unknown) => as(buyer).post(`/api/order/${id}/refund`, json);
const takeBack = (id: number) => as(buyer).delete(`/api/order/${id}/refund`);
const refund = (id: number, json?: unknown) => as(admin).put(`/adminapi/order/${id}/refund`, json);
const orderOf = async (id: number) => (await as(buyer).get(`/api/order/${id}`)).body;
const refundsOf = async (id: number) => (await as(buyer).get(`/api/order/${id}/refund`)).body.list;

/** A paid order of cups. */
async function sold(quantity: number) {
  const { id, lines } = await buy(buyer, admin, cup, quantity);
  return {
    id: id as number,
    units: (wanted: number) => ({ lines: [{ line_id: lines[0].id as number, quantity: wanted }] }),
  };
}

/** Receives an order some days ago. */
async function receivedBefore(id: number, days: number) {
  await as(admin).put(`/adminapi/order/${id}/deliver`);
  await as(buyer).put(`/api/order/${id}/receive`);
  const sql = connect(stack().database_url);
  try {
    await sql`
      update app.orders as o
      set add_time = o.add_time - t.ago, paid_at = o.paid_at - t.ago, delivered_at = o.delivered_at - t.ago, received_at = o.received_at - t.ago
      from (select ${days} * interval '1 day' as ago) as t where o.id = ${id}`;
  } finally {
    await sql.end();
  }
}

describe("a refund request", () => {
  // SAP/spartacus#5635: a request that was cancelled stayed "cancelling", and nothing more could be asked for.
  // medusajs/medusa#8761 asks for the action.
  it("that was taken back is over at once, and the same units can be asked for again", async () => {
    const { id, units } = await sold(2);
    await ask(id, units(1));
    expect((await takeBack(id)).body.state).toBe("taken_back");
    expect(await orderOf(id)).toMatchObject({ refund_status: 0, shown_state: "paid" });
    expect((await ask(id, units(1))).body).toMatchObject({ state: "requested", amount: "20.00" });
    expect((await refundsOf(id)).map(({ state }: { state: string }) => state)).toEqual(["requested", "taken_back"]);
  });

  // allegro/allegro-api#13866: the buyer announces two products, and one arrives. The shop could only refuse, or pay
  // back both.
  it("of which only a part came back is granted in part, and says so", async () => {
    const { id, units } = await sold(2);
    await ask(id, units(2));
    await refund(id, units(1));
    expect(await refundsOf(id)).toMatchObject([
      { state: "partly_refunded", amount: "20.00", lines: [{ asked: 2, quantity: 1 }] },
    ]);
    expect(await orderOf(id)).toMatchObject({ refund_status: 3, shown_state: "paid", units_to_ship: 1 });
  });

  // emfcamp/Website#1449: nothing made the requests match the refunds that followed, so nobody knew which of them were
  // done.
  it("has an end that matches the refunds, also if it was refunded beside it", async () => {
    const { id, units } = await sold(3);
    await ask(id, units(2));
    await refund(id, { ...units(1), answers_request: false });
    await refund(id, { ...units(2), answers_request: false });
    const list = (await refundsOf(id)) as { state: string; amount: string; lines: { quantity: number }[] }[];
    expect(list.map(({ state, amount }) => `${state} ${amount}`)).toEqual([
      "refunded 40.00",
      "refunded 20.00",
      "partly_refunded 0.00",
    ]);
    expect(list.flatMap(({ lines }) => lines).reduce((sum, { quantity }) => sum + quantity, 0)).toBe(3);
    expect((await orderOf(id)).refund_status).toBe(2);
  });

  // bcgov/entity#30357: a further request was made while one was pending.
  it("stands alone while it is open, also after a refund of a part of it", async () => {
    const { id, units } = await sold(4);
    await ask(id, units(2));
    expectProblem(await ask(id, units(1)), "refund_state_conflict");
    await refund(id, { ...units(1), answers_request: false });
    expectProblem(await ask(id, units(1)), "refund_state_conflict");
    expect((await orderOf(id)).refund_status).toBe(1);
  });

  // awesomemotive/easy-digital-downloads#5201, woocommerce/woocommerce#68406: an order of which one thing was refunded
  // showed as refunded as a whole.
  it("that was granted for one of several units leaves an order that is partly refunded", async () => {
    const { id, units } = await sold(3);
    await ask(id, units(1));
    await refund(id);
    expect(await refundsOf(id)).toMatchObject([{ state: "refunded", amount: "20.00" }]);
    expect(await orderOf(id)).toMatchObject({ refund_status: 3, shown_state: "paid", units_to_ship: 2 });
  });

  // awesomemotive/easy-digital-downloads#6652: staff compared dates by hand; outside the window, only administrators
  // should refund.
  // Guarantee money/refund-window
  it("is possible until the window is over, and administrators may refund later", async () => {
    const [early, late] = [await sold(1), await sold(1)];
    await receivedBefore(early.id, 6);
    await receivedBefore(late.id, 8);
    expect(Date.parse((await orderOf(early.id)).refund_request_until)).toBeGreaterThan(Date.now());
    expect((await ask(early.id)).status).toBe(201);
    expect(Date.parse((await orderOf(late.id)).refund_request_until)).toBeLessThan(Date.now());
    expectProblem(await ask(late.id), "refund_window_over");
    expect((await refund(late.id)).body).toMatchObject({ state: "refunded", amount: "20.00" });
  });
});

import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { buyAndSettle } from "./scenario.ts";

interface Event {
  id: number;
  type: string;
  subject_id: number;
  uid: number | null;
  payload: Record<string, unknown>;
  cause: string;
  cause_id: number | null;
}

let admin: Account;
let seller: Account;
let buyer: Account;
let order: number;

const get = async (path: string) => call("GET", path, { token: admin.token });
const lines = (events: Event[]) => events.map(({ type, uid, cause }) => `${type} for ${uid} by ${cause}`);

beforeAll(async () => {
  [admin, seller] = await Promise.all([signUpAdmin("Reader of events"), signUp("Seller")]);
  const product = await addProduct("Flagship", "3600.00", true);
  await buyAndSettle(seller, admin, product);
  buyer = await signUp("Buyer", seller.uid);
  order = (await buyAndSettle(buyer, admin, product)).order_id;
});

describe("GET /adminapi/events", () => {
  /**
   * Everything after a cursor. Open transactions of other tests, which share the server, hold reading up for a while.
   */
  async function readFrom(cursor: string | null, limit = 1000): Promise<{ read: Event[]; end: string | null }> {
    const read: Event[] = [];
    for (let after = cursor; ;) {
      const { status, body } = await get(`/adminapi/events?limit=${limit}${after === null ? "" : `&after=${after}`}`);
      expect(status).toBe(200);
      if (body.list.length === 0) return { read, end: body.next_cursor };
      read.push(...body.list);
      after = body.next_cursor;
    }
  }

  it("returns each event once, in the same order to every reader, whatever the size of a page", async () => {
    const mine = (events: Event[]) =>
      events.filter(({ type, subject_id: id }) => /^(order|commission)\./.test(type) && id === order);
    await vi.waitFor(async () => expect(mine((await readFrom(null)).read).length).toBeGreaterThan(1), {
      interval: 500,
    });
    const { read: first, end } = await readFrom(null);
    expect(lines(mine(first))).toEqual([
      `order.paid for ${buyer.uid} by administrator`,
      `commission.earned for ${seller.uid} by order`,
    ]);
    expect(new Set(first.map(({ id }) => id)).size).toBe(first.length);
    const { read: again } = await readFrom(null, 7);
    expect(again.slice(0, first.length)).toEqual(first);
    expect((await readFrom(end)).read.map(({ id }) => id)).not.toContain(first[0]!.id);
  });

  it("rejects a cursor that it has not returned, and members", async () => {
    for (const after of ["1", "a_b_c", "999999_1_1", "1_1_1_"])
      expectProblem(await get(`/adminapi/events?after=${after}`), "invalid_argument");
    expect((await call("GET", "/adminapi/events", { token: buyer.token })).status).toBe(403);
  });
});

describe("GET /adminapi/event", () => {
  it("lists the events of a member, an order or a type, newest first, and pages", async () => {
    const { body: ofOrder } = await get(`/adminapi/event?order_id=${order}`);
    expect(lines(ofOrder.list)).toEqual([
      `commission.earned for ${seller.uid} by order`,
      `order.paid for ${buyer.uid} by administrator`,
    ]);
    expect(ofOrder.list[0]).toMatchObject({
      version: 1,
      subject: "order",
      subject_id: order,
      cause_id: order,
      payload: { cycle_no: 1, place: 1 },
    });
    const { body: ofSeller } = await get(`/adminapi/event?uid=${seller.uid}&type=member.referred`);
    expect(ofSeller).toMatchObject({
      count: 1,
      list: [{ subject_id: buyer.uid, uid: seller.uid, payload: {}, cause: "member" }],
    });
    const { body: first } = await get(`/adminapi/event?order_id=${order}&limit=1`);
    const { body: second } = await get(`/adminapi/event?order_id=${order}&limit=1&cursor=${first.next_cursor}`);
    expect([...first.list, ...second.list]).toEqual(ofOrder.list);
    expect((await get(`/adminapi/event?uid=${seller.uid}&to=2026-01-01T00:00:00Z`)).body.count).toBe(0);
  });
});

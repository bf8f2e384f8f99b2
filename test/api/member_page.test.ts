import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;
let admin: Account;
let top: Account;
let middle: Account;
let buyer: Account;
let order_id: number;

const read = async (uid: number, list = "") => (await as(admin).get(`/adminapi/user/${uid}${list}`)).body;

beforeAll(async () => {
  [admin, top] = await Promise.all([signUpAdmin("Member desk"), signUp("Top")]);
  middle = await signUp("Middle", top.uid);
  buyer = await signUp("Buyer", middle.uid);
  const queueGoods = await addProduct("Package", "3600.00", true);
  await buyAndSettle(middle, admin, queueGoods);
  ({ order_id } = await buyAndSettle(buyer, admin, queueGoods));
});

describe("GET /adminapi/user/{uid}", () => {
  it("shows referrer, cycle and the tasks of the next grade", async () => {
    expect(await read(middle.uid)).toMatchObject({
      uid: middle.uid,
      referrer: { uid: top.uid, nickname: "Top" },
      brokerage_price: "720.00",
      next_level: {
        agent_level: 1,
        agent_level_name: "Maker",
        tasks: [{ type: "direct_orders", target: 3, current: 1, met: false }],
      },
      progress: { eligible: true, cycle_no: 1, cycle_current: 1 },
      team: {
        direct: { members: expect.any(Number), orders: expect.any(Number) },
        umbrella: { members: expect.any(Number) },
        as_of: expect.any(String),
      },
    });
  });

  it("has no referrer for a member without one, and no next grade at the top grade", async () => {
    await as(admin).put(`/adminapi/hjf/member/${top.uid}/level`, { agent_level: 4 });
    expect(await read(top.uid)).toMatchObject({ referrer: null, next_level: null, agent_level: 4 });
  });
});

describe("GET /adminapi/user/{uid}?as_of=", () => {
  const asOf = (at: string) => as(admin).get(`/adminapi/user/${middle.uid}?as_of=${encodeURIComponent(at)}`);

  it("shows the member before the commission, without what has no history", async () => {
    const rows = (await read(middle.uid, "/bill?type=brokerage")).list;
    const { status, body } = await asOf(rows[0].add_time);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      as_of: rows[0].add_time,
      brokerage_price: "0.00",
      frozen_points: 0,
      progress: { cycle_current: 0, eligible: true },
      accounts: { commission: { earned: "0.00", maturing: "0.00" } },
      team: null,
      next_level: null,
    });
    expect(await read(middle.uid)).toMatchObject({ as_of: null, brokerage_price: "720.00" });
  });

  it.each([
    ["has not come", () => new Date(Date.now() + 3_600_000).toISOString()],
    ["is before the first member", () => "2001-01-01T00:00:00Z"],
    ["is before the year 2000", () => "1999-01-01T00:00:00Z"],
    ["is no time", () => "2026-13-01"],
    ["has no offset", () => "2026-10-01T00:00:00"],
  ])("is refused if the instant %s", async (_what, at) => {
    expectProblem(await asOf(at()), "invalid_argument");
  });

  it("is refused if the member came later", async () => {
    const { add_time } = await read(middle.uid);
    expectProblem(await asOf(add_time), "invalid_argument");
  });
});

describe("the responses for administrators", () => {
  it("include the names of the members whose uids they contain", async () => {
    const desk = as(admin);
    const orders = (await desk.get(`/adminapi/order?uid=${buyer.uid}`)).body.list;
    expect(orders).toMatchObject([
      { id: order_id, uid: buyer.uid, nickname: "Buyer", referrer_uid: middle.uid, referrer_nickname: "Middle" },
    ]);
    expect((await desk.get(`/adminapi/order/${order_id}`)).body).toMatchObject({
      nickname: "Buyer",
      referrer_nickname: "Middle",
    });
    // Members of other tests may have these digits in their names.
    expect((await desk.get(`/adminapi/user?search=${buyer.uid}`)).body.list).toContainEqual(
      expect.objectContaining({ uid: buyer.uid, nickname: "Buyer", referrer_nickname: "Middle" }),
    );
    expect((await desk.get(`/adminapi/user?search=${top.uid}`)).body.list).toContainEqual(
      expect.objectContaining({ uid: top.uid, nickname: "Top", referrer_nickname: null }),
    );
    expect(await read(middle.uid, "/place")).toMatchObject({ list: [{ uid: buyer.uid, nickname: "Buyer" }] });
    expect((await desk.get(`/adminapi/hjf/member/${top.uid}/count_audit`)).body.orders).toContainEqual(
      expect.objectContaining({ order_id, uid: buyer.uid, nickname: "Buyer" }),
    );
    expect((await desk.get(`/adminapi/order/${order_id}/settlement`)).body.members).toEqual(
      [top, middle, buyer]
        .map(({ uid }, index) => ({ uid, nickname: ["Top", "Middle", "Buyer"][index] }))
        .sort((a, b) => a.uid - b.uid),
    );
  });
});

describe("the lists of a member", () => {
  it("upline: the chain above, nearest first, page by page", async () => {
    expect(await read(buyer.uid, "/upline")).toMatchObject({
      count: 2,
      list: [
        { depth: 1, uid: middle.uid },
        { depth: 2, uid: top.uid, nickname: "Top" },
      ],
    });
    expect(await read(buyer.uid, "/upline?limit=1&page=2")).toMatchObject({
      count: 2,
      list: [{ depth: 2, uid: top.uid }],
    });
    expect(await read(top.uid, "/upline")).toEqual({ list: [], count: 0 });
  });

  it("place: the taken places", async () => {
    const place = {
      cycle_no: 1,
      place: 1,
      order_id,
      uid: buyer.uid,
      base: "3600.00",
      ratio: 0.2,
      commission: "720.00",
      commission_points: 720,
    };
    expect(await read(middle.uid, "/place")).toMatchObject({ count: 1, list: [place] });
    expect(await read(buyer.uid, "/place")).toEqual({ list: [], count: 0 });
  });

  it("level_change: each change with its actor", async () => {
    for (const agent_level of [1, 0]) await as(admin).put(`/adminapi/hjf/member/${buyer.uid}/level`, { agent_level });
    const byHand = { reason: "manual", order_id: null, changed_by: { uid: admin.uid, nickname: "Member desk" } };
    expect(await read(buyer.uid, "/level_change")).toMatchObject({
      count: 2,
      list: [
        { ...byHand, from_level: 1, to_level: 0, from_hold: false, to_hold: true },
        { ...byHand, from_level: 0, to_level: 1, from_hold: false, to_hold: false },
      ],
    });
    expect(await read(middle.uid, "/level_change")).toEqual({ list: [], count: 0 });
  });

  it("no_assess_change: each change with its actor", async () => {
    for (const no_assess of [true, true, false])
      await as(admin).put(`/adminapi/hjf/member/${buyer.uid}/no_assess`, { no_assess });
    expect(await read(buyer.uid, "/no_assess_change")).toMatchObject({
      count: 2,
      list: [
        { from_value: true, to_value: false, changed_by: { uid: admin.uid } },
        { from_value: false, to_value: true },
      ],
    });
    expect(await read(middle.uid, "/no_assess_change")).toEqual({ list: [], count: 0 });
  });

  it("bill: the same rows as the member sees, by type and time, page by page or by cursor", async () => {
    const bill = await read(middle.uid, "/bill");
    expect(bill).toEqual((await as(middle).get("/api/bill")).body);
    expect(bill).toMatchObject({ count: 2, next_cursor: null });
    expect(await read(middle.uid, "/bill?type=brokerage")).toMatchObject({
      count: 1,
      list: [{ brokerage: "720.00", order_id }],
    });
    const first = await read(middle.uid, "/bill?limit=1");
    const second = await read(middle.uid, `/bill?limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect([...first.list, ...second.list]).toEqual(bill.list);
    const { add_time } = bill.list[0];
    expect(await read(middle.uid, `/bill?to=${add_time.slice(0, 19)}Z`)).toMatchObject({ count: 0, list: [] });
    expect(await read(middle.uid, "/bill?from=2020-01-01T00:00:00%2B08:00")).toMatchObject({ count: 2 });
    expect((await as(middle).get("/api/bill?to=2020-01-01T00:00:00Z")).body).toEqual({
      list: [],
      count: 0,
      next_cursor: null,
    });
  });

  it.each(["", "/upline", "/place", "/level_change", "/no_assess_change", "/bill"])(
    "return 404 for an unknown member: %s",
    async (list) => {
      expectProblem(await as(admin).get(`/adminapi/user/${NOBODY}${list}`), "user_not_found");
    },
  );

  it("return an empty page after the last one", async () => {
    for (const list of ["upline", "place", "level_change", "no_assess_change", "bill"]) {
      expect((await read(middle.uid, `/${list}?page=1000000`)).list).toEqual([]);
      expectProblem(await as(admin).get(`/adminapi/user/${middle.uid}/${list}?limit=0`), "invalid_argument");
    }
  });
});

describe("GET /adminapi/order", () => {
  const list = async (query: string) => (await as(admin).get(`/adminapi/order?uid=${buyer.uid}&${query}`)).body;

  it("filters by state, refund status, number and time", async () => {
    const { id } = (
      await as(buyer).post("/api/order", {
        items: [{ product_id: await addProduct("Tea", "9.90", false), quantity: 1 }],
      })
    ).body;
    const all = await list("");
    expect(all.list.map((order: { id: number }) => order.id)).toEqual([id, order_id]);
    const ids = async (query: string) => (await list(query)).list.map((order: { id: number }) => order.id);
    expect(await ids("state=unpaid")).toEqual([id]);
    expect(await ids(`order_no=${all.list[1].order_no}`)).toEqual([order_id]);
    expect(await ids("refund_status=0&state=paid")).toEqual([order_id]);
    await as(buyer).post(`/api/order/${order_id}/refund`);
    expect(await ids("refund_status=1")).toEqual([order_id]);
    expect(await list("to=2020-01-01T00:00:00Z")).toEqual({ list: [], count: 0, next_cursor: null });
    expect(await ids(`from=${all.list[0].add_time}`)).toEqual([id]);
  });

  it("finds an order by its tracking number, as it is written on the parcel", async () => {
    const tracking_no = `SF1001${crypto.randomUUID().slice(0, 12)}`;
    const sent = await buyAndSettle(top, admin, await addProduct("Parcel", "5.00", true));
    await as(admin).put(`/adminapi/order/${sent.order_id}/deliver`, { carrier: "顺丰", tracking_no });
    const found = async (search: string) =>
      (await as(admin).get(`/adminapi/order?search=${search}`)).body.list.map(({ id }: { id: number }) => id);
    expect(await found(tracking_no)).toEqual([sent.order_id]);
    expect(await found(tracking_no.slice(0, -1))).toEqual([]);
  });

  it("finds an order by its id, the end of its number, or the beginning of the buyer's nickname, ignoring case", async () => {
    const other = await signUp("50%_off Liu");
    const { id, order_no } = (
      await as(other).post("/api/order", {
        items: [{ product_id: await addProduct("Cup", "5.00", false), quantity: 1 }],
      })
    ).body;
    const found = async (search: string) =>
      (await as(admin).get(`/adminapi/order?search=${encodeURIComponent(search)}`)).body.list.map(
        (order: { id: number }) => order.id,
      );
    expect(await found(String(id))).toContain(id);
    expect(await found(order_no.slice(-8))).toEqual([id]);
    expect(await found(order_no)).toEqual([id]);
    for (const name of ["50%_OFF l", "50%_off Liu"]) expect(await found(name)).toEqual([id]);
    // The middle of a number or name does not match, and patterns are not interpreted.
    for (const nothing of [order_no.slice(-8, -1), "off Liu", "%", "50__off", "9".repeat(30), "'"])
      expect(await found(nothing), nothing).not.toContain(id);
    expect((await list(`search=${id}`)).count).toBe(0);
    expectProblem(await as(admin).get("/adminapi/order?search=%00"), "invalid_argument");
    expectProblem(await as(admin).get(`/adminapi/order?search=${"x".repeat(65)}`), "invalid_argument");
  });

  it("pages by cursor", async () => {
    const first = await list("limit=1");
    const second = await list(`limit=1&cursor=${encodeURIComponent(first.next_cursor)}`);
    expect(second.list[0].id).toBeLessThan(first.list[0].id);
    expect((await list(`limit=1&cursor=${encodeURIComponent(second.next_cursor)}`)).list).toEqual([]);
    expectProblem(await as(admin).get("/adminapi/order?cursor=x"), "invalid_argument");
    expectProblem(await as(admin).get("/adminapi/order?refund_status=4"), "invalid_argument");
  });
});

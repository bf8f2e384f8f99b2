import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle, place } from "./scenario.ts";

let admin: Account;
let referrer: Account;
let flagship: number;

beforeAll(async () => {
  [admin, referrer] = await Promise.all([signUpAdmin("Reader of signals"), signUp("Watched referrer")]);
  flagship = await addProduct("Flagship of the signals", "3600.00", true);
  await buyAndSettle(referrer, admin, flagship);
});

/** The signals of a kind on the first page: those of this file are the latest. */
async function signals(kind: string): Promise<any[]> {
  const { status, body } = await as(admin).get(`/adminapi/signal?kind=${kind}&limit=100`);
  expect(status).toBe(200);
  return body.list;
}

describe("GET /adminapi/signal", () => {
  it("shows a place that a refund freed, once a larger order holds it", async () => {
    const [first, second] = await Promise.all([
      signUp("Buyer who returns it", referrer.uid),
      signUp("Buyer of two", referrer.uid),
    ]);
    const { order_id } = await buyAndSettle(first, admin, flagship);
    await as(admin).put(`/adminapi/order/${order_id}/refund`);
    expect((await signals("retaken_place")).filter(({ uid }) => uid === referrer.uid)).toEqual([]);
    const larger = await buyAndSettle(second, admin, flagship, 2);
    expect((await signals("retaken_place")).find(({ uid }) => uid === referrer.uid)).toMatchObject({
      cycle_no: 1,
      place: 1,
      freed: { order_id, uid: first.uid, base: "3600.00" },
      taken: { order_id: larger.order_id, uid: second.uid, base: "7200.00" },
    });
  });

  it("shows an order that goes to an address of the buyer's referrer, without the address", async () => {
    const address = {
      name: "Chen Jing",
      phone: "13800138000",
      region: ["广东省", "深圳市"],
      street: `Keji Road ${referrer.uid}`,
    };
    expect((await as(referrer).post("/api/address", address)).status).toBe(201);
    const buyer = await signUp("Second account", referrer.uid);
    const { id } = (
      await as(buyer).post("/api/order", {
        items: [{ product_id: flagship, quantity: 1 }],
        address: { ...address, name: "Li Wei" },
      })
    ).body;
    await as(admin).put(`/adminapi/order/${id}/pay`);
    const found = (await signals("shared_order")).find(({ order_id }) => order_id === id);
    expect(found).toMatchObject({
      uid: buyer.uid,
      referrer_uid: referrer.uid,
      same_payer: false,
      same_address: true,
      pay_price: "3600.00",
    });
    expect(JSON.stringify(found)).not.toMatch(/Keji|13800138000/);
    const elsewhere = await place(buyer, flagship);
    await as(admin).put(`/adminapi/order/${elsewhere.id}/pay`);
    expect((await signals("shared_order")).map(({ order_id }) => order_id)).not.toContain(elsewhere.id);
  });

  it("shows 20 sign-ups in less than an hour under one referrer", async () => {
    const host = await signUp("Host of an event");
    const sql = connect(stack().database_url);
    await sql`
      with guests as (
        insert into app.users (nickname, spread_uid, spread_time, add_time)
        select 'Guest', ${host.uid}, t.at, t.at from generate_series(0, 19) as n cross join lateral (select now() - interval '1 hour' + n * interval '3 minutes' as at) as t order by n
        returning uid
      )
      insert into app.user_balances (uid) select g.uid from guests as g`;
    await sql.end();
    expect((await signals("sign_up_burst")).find(({ uid }) => uid === host.uid)).toMatchObject({
      nickname: "Host of an event",
      members: 20,
    });
  });

  it("names the kinds for another one, and pages by a cursor", async () => {
    expectProblem(await as(admin).get("/adminapi/signal?kind=other"), "invalid_argument");
    expectProblem(await as(admin).get("/adminapi/signal"), "invalid_argument");
    expectProblem(await as(referrer).get("/adminapi/signal?kind=shared_order"), "forbidden");
    const {
      body: {
        list: [first],
        next_cursor,
        examined_to,
      },
    } = await as(admin).get("/adminapi/signal?kind=shared_order&limit=1");
    expect(next_cursor).toBe(first.order_id);
    expect(examined_to).toMatch(/Z$/);
    const after = (await as(admin).get(`/adminapi/signal?kind=shared_order&cursor=${next_cursor}`)).body;
    expect(after.list.map(({ order_id }: { order_id: number }) => order_id)).not.toContain(first.order_id);
  });
});

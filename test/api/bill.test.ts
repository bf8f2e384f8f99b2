import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";

let admin: Account;
let seller: Account;
let order: number;

const bill = (query: string, by = admin) => as(by).get(`/adminapi/bill?${query}`);
const hours = (count: number) => new Date(Date.now() + count * 3_600_000).toISOString();
/** The last hour, and the next, in case the clock of the database is ahead. */
const lately = () => `from=${hours(-1)}&to=${hours(1)}`;

beforeAll(async () => {
  admin = await signUpAdmin("Bookkeeper");
  seller = await signUp("Seller of the bill");
  const goods = await addProduct("Goods of the bill", "86.43", true);
  await buyAndSettle(seller, admin, goods);
  const buyer = await signUp("Buyer of the bill", String(seller.uid));
  order = (await buyAndSettle(buyer, admin, goods)).order_id;
});

describe("GET /adminapi/bill", () => {
  it("finds a row by its amount and the time, whatever the member", async () => {
    const [own] = (await bill(`uid=${seller.uid}&type=brokerage`)).body.list;
    const { body } = await bill(`min_amount=${own.brokerage}&max_amount=${own.brokerage}&${lately()}`);
    expect(body.list).toContainEqual(own);
    expect(own).toMatchObject({ uid: seller.uid, nickname: "Seller of the bill", order_id: order, reversed_by: [] });
    expect(
      body.list.every((row: { brokerage: string }) => Math.abs(Number(row.brokerage)) === Number(own.brokerage)),
    ).toBe(true);
    expect((await bill(`min_amount=999999&${lately()}`)).body).toMatchObject({ list: [], count: 0, next_cursor: null });
  });

  it("pages by cursor, newest first, and says since when it has searched", async () => {
    const all = (await bill(`uid=${seller.uid}&limit=100`)).body;
    const first = (await bill(`uid=${seller.uid}&limit=1`)).body;
    const second = (await bill(`uid=${seller.uid}&limit=1&cursor=${first.next_cursor}`)).body;
    expect([first.list[0], second.list[0]]).toEqual(all.list.slice(0, 2));
    expect(all.searched_from).toBeNull();
    expect((await bill("type=adjustment")).body.searched_from).not.toBeNull();
  });

  it("links a reversal and what it reverses", async () => {
    expect((await as(admin).put(`/adminapi/order/${order}/refund`, {})).status).toBe(200);
    const { list } = (await bill(`uid=${seller.uid}&limit=100`)).body;
    const reversal = list.find((row: { type: string }) => row.type === "brokerage_reversal");
    const { body } = await as(admin).get(`/adminapi/bill/${reversal.reverses_id}`);
    expect(body).toMatchObject({ id: reversal.reverses_id, type: "brokerage", reversed_by: [reversal.id] });
  });

  it.each([
    ["min_amount=-1", "a sign"],
    ["min_amount=1e5", "an exponent"],
    ["max_amount=1.23456", "more decimals than points have"],
    ["balance=all", "an unknown balance"],
    ["type=gift", "an unknown type"],
    ["uid=0", "no member"],
    ["cursor=x", "a cursor from elsewhere"],
    ["limit=101", "a page that is too long"],
    [`type=brokerage&from=${hours(-24 * 40)}`, "more than 31 days with a type"],
    [`balance=frozen_points&min_amount=1&from=${hours(-48)}`, "more than a day with an amount of points"],
    ["surprise=1", "an unknown parameter"],
  ])("refuses %s: %s", async (query) => {
    expectProblem(await bill(query), "invalid_argument");
  });

  it("has no row of an unknown number, and is for administrators who read records", async () => {
    expectProblem(await as(admin).get("/adminapi/bill/999999999999"), "bill_row_not_found");
    expectProblem(await bill("", seller), "forbidden");
  });
});

import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, addProduct, call, expectProblem, setPhone, signUp, signUpAdmin } from "./client.ts";
import { as, buy, place } from "./scenario.ts";

const mark = randomInt(100_000, 999_999);
/** As the Auth server stores it. */
const phone = `86137${randomInt(10_000_000, 99_999_999)}`;

let admin: Account;
let editor: Account;
let member: Account;
let product: number;

const search = async (text: string, by = admin) =>
  await as(by).get(`/adminapi/search?text=${encodeURIComponent(text)}`);
const find = (contact: unknown, by = admin) => as(by).post("/adminapi/search/contact", { contact });

beforeAll(async () => {
  [admin, editor, member] = await Promise.all([signUpAdmin("Searcher"), signUpAdmin("Editor"), signUp(`陈静${mark}`)]);
  await setPhone(member, phone);
  product = await addProduct(`Pot ${mark}`, "12.00", false);
  const sql = connect(stack().database_url);
  await sql`select app.add_administrator(${editor.email}, '{content}')`;
  await sql.end();
});

describe("GET /adminapi/search", () => {
  it("finds a member by number and by the beginning of the name", async () => {
    const found = { uid: member.uid, nickname: `陈静${mark}` };
    expect((await search(String(member.uid))).body.members[0]).toMatchObject(found);
    expect((await search(`陈静${mark}`)).body.members).toEqual([expect.objectContaining(found)]);
    expect((await search(`静${mark}`)).body.members).toEqual([]);
  });

  it("finds an order by its id, the end of its number and its tracking number", async () => {
    const { id, order_no } = await buy(member, admin, product);
    expect((await search(String(id))).body.orders[0]).toMatchObject({ id, order_no, state: "paid", uid: member.uid });
    expect((await search(order_no.slice(-8))).body.orders.map((order: { id: number }) => order.id)).toContain(id);
    await as(admin).put(`/adminapi/order/${id}/deliver`, { carrier: "SF", tracking_no: `SF1001${mark}` });
    expect((await search(`SF1001${mark}`)).body.orders).toEqual([expect.objectContaining({ id, state: "delivered" })]);
    expect((await search(`SF100_${mark}`)).body.orders).toEqual([]);
  });

  it("finds products for the role content, and nothing of members, orders and money", async () => {
    const { order_no } = await place(member, product);
    for (const text of [`陈静${mark}`, String(member.uid), order_no]) {
      const { body } = await search(text, editor);
      expect([body.members, body.orders, body.withdrawals, body.batches, body.bill_rows]).toEqual([[], [], [], [], []]);
    }
    expect((await search(`pot ${mark}`, editor)).body.products).toEqual([
      { id: product, title: `Pot ${mark}`, image: null, is_show: true },
    ]);
  });

  it.each([
    ["nothing", ""],
    ["blanks only", "%20%20"],
    ["too much", "x".repeat(65)],
    ["two lines", "a%0Ab"],
    ["a control character", "a%01b"],
    ["a mark of direction", "a%E2%80%AEb"],
  ])("refuses %s", async (_, text) => {
    expectProblem(await call("GET", `/adminapi/search?text=${text}`, { token: admin.token }), "invalid_argument");
  });

  it("is not for members", async () => {
    expectProblem(await search("any", member), "forbidden");
  });
});

describe("POST /adminapi/search/contact", () => {
  it("finds exactly one phone number or email address, and is recorded without it", async () => {
    for (const [contact, by] of [
      [phone, "phone"],
      [`+${phone}`, "phone"],
      [phone.slice(2), "phone"],
      [member.email.toUpperCase(), "email"],
    ] as const) {
      expect((await find(contact)).body).toEqual({ uid: member.uid, nickname: `陈静${mark}` });
      const { body, text } = await as(admin).get(
        `/adminapi/action?function=find_contact&target_id=${member.uid}&limit=1`,
      );
      expect(body.list[0]).toMatchObject({
        target_type: "member",
        target_id: String(member.uid),
        from: null,
        to: { found: true, found_by: by },
      });
      expect(text).not.toContain(phone.slice(-8));
      expect(text.toLowerCase()).not.toContain(member.email.toLowerCase());
    }
  });

  it("records a search that finds nobody, too", async () => {
    expect((await find("nobody@example.com")).body).toEqual({ uid: null, nickname: null });
    const { body } = await as(admin).get("/adminapi/action?function=find_contact&limit=1");
    expect(body.list[0]).toMatchObject({
      actor: { uid: admin.uid },
      target_id: null,
      to: { found: false, found_by: "email" },
    });
  });

  it("refuses what is neither, and other roles", async () => {
    for (const contact of ["Chen", "1381", "a@", "138 1234 567x", 13_812_345_678, null, "x@y\n"])
      expectProblem(await find(contact), "invalid_argument");
    expectProblem(await find(phone, editor), "forbidden");
    expectProblem(await find(phone, member), "forbidden");
  });
});

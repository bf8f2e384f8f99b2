import { beforeAll, describe, expect, it } from "vitest";
import { type Account, addProduct, call, expectProblem, signUp, signUpAdmin } from "./client.ts";
import { as, buyAndSettle, place } from "./scenario.ts";

interface Notice {
  id: string;
  type: string;
  subject_id: number;
  payload: Record<string, unknown>;
  is_read: boolean;
}

let admin: Account;
let seller: Account;
let buyer: Account;
let order: number;

const read = async (account: Account, query = "") =>
  (await as(account).get(`/api/notice${query}`)).body as {
    list: Notice[];
    next_cursor: string | null;
    seen: string;
    unread: number;
  };
const unread = async (account: Account) =>
  ((await as(account).get("/api/notice/unread")).body as { unread: number }).unread;

beforeAll(async () => {
  [admin, seller] = await Promise.all([signUpAdmin("Ships"), signUp("Seller with notices")]);
  const product = await addProduct("Flagship for notices", "3600.00", true);
  await buyAndSettle(seller, admin, product);
  buyer = await signUp("Buyer with notices", seller.uid);
  order = (await buyAndSettle(buyer, admin, product)).order_id;
});

describe("notices", () => {
  it("tell a member what others and the store did, and not what they did themselves", async () => {
    await place(buyer, await addProduct("Tea for notices", "9.90", false));
    await as(admin).put(`/adminapi/order/${order}/deliver`, { carrier: "SF", tracking_no: "SF1001" });
    await as(buyer).put(`/api/order/${order}/receive`);
    expect((await read(buyer)).list.map(({ type, subject_id }) => `${type} ${subject_id}`)).toEqual([
      `order.shipped ${order}`,
      `order.paid ${order}`,
    ]);
    expect((await read(seller)).list.slice(0, 2)).toMatchObject([
      { type: "commission.earned", topic: "commission", subject_id: order, payload: { place: 1 }, is_read: false },
      { type: "member.referred", topic: "team", subject_id: buyer.uid, payload: {} },
    ]);
  });

  it("are read one by one or all at once, on every device, and what comes later is not", async () => {
    const { list, seen } = await read(buyer);
    const [shipped, paid] = list as [Notice, Notice];
    expect((await as(buyer).put(`/api/notice/${paid.id}/read`)).body).toEqual({ unread: 1, is_more: false });
    // Another device marks the same, and then all that it has shown.
    expect((await as(buyer).put(`/api/notice/${paid.id}/read`)).body.unread).toBe(1);
    expect((await read(buyer)).list.map(({ is_read }) => is_read)).toEqual([false, true]);
    const return_address = { name: "Returns", phone: "13800000000", region: ["广东省"], street: "Road 1" };
    expect((await as(admin).put("/adminapi/system/settings", { return_address })).status).toBe(200);
    expect((await as(buyer).post(`/api/order/${order}/refund`)).status).toBe(201);
    expect((await as(admin).put(`/adminapi/order/${order}/refund/return`)).status).toBe(200);
    expect((await as(buyer).put("/api/notice/read", { seen })).body.unread, "what came after the list was read").toBe(
      1,
    );
    expect((await read(buyer)).list.map(({ type, is_read }) => `${type} ${is_read}`)).toEqual([
      "refund.return_requested false",
      "order.shipped true",
      "order.paid true",
    ]);
    expect((await as(buyer).put(`/api/notice/${shipped.id}/read`)).body.unread, "a late device").toBe(1);
    expect((await as(buyer).put("/api/notice/read", { seen: (await read(buyer)).seen })).body.unread).toBe(0);
    expect(await unread(buyer)).toBe(0);
  });

  it("page from the newest to the oldest", async () => {
    const { list } = await read(buyer);
    const pages: Notice[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await read(buyer, `?limit=2${cursor === undefined ? "" : `&cursor=${cursor}`}`);
      pages.push(...page.list);
      cursor = page.next_cursor;
    }
    expect(pages).toEqual(list);
  });

  it("of another member are not returned for their cursor", async () => {
    const { list } = await read(seller, "?limit=1");
    expect((await read(await signUp("Somebody else"), `?cursor=${list[0]!.id}`)).list).toEqual([]);
  });

  it("have an ETag for their count, so that a poll that finds nothing new has no body", async () => {
    const { headers } = await as(seller).get("/api/notice/unread");
    const init = { headers: { "if-none-match": headers.get("etag")! } };
    expect((await call("GET", "/api/notice/unread", { token: seller.token, init })).status).toBe(304);
  });

  it.each([
    ["GET", "/api/notice?cursor=1_1", undefined, "invalid_argument"],
    ["GET", "/api/notice?limit=101", undefined, "invalid_argument"],
    ["GET", "/api/notice?page=2", undefined, "invalid_argument"],
    ["PUT", "/api/notice/read", {}, "invalid_argument"],
    ["PUT", "/api/notice/read", { seen: "1_99999999:99999999:" }, "invalid_argument"],
    ["PUT", "/api/notice/read", { seen: 1 }, "invalid_argument"],
    ["PUT", "/api/notice/1_1_1/read", undefined, "notice_not_found"],
    ["PUT", "/api/notice/nothing/read", undefined, "notice_not_found"],
    ["PUT", "/api/notice/choices", { inbox: [], email: [], wechat: [] }, "invalid_argument"],
    [
      "PUT",
      "/api/notice/choices",
      { inbox: ["orders", "orders"], email: [], wechat: [], language: "en" },
      "invalid_argument",
    ],
    [
      "PUT",
      "/api/notice/choices",
      { inbox: ["everything"], email: [], wechat: [], language: "en" },
      "invalid_argument",
    ],
    ["PUT", "/api/notice/choices", { inbox: "orders", email: [], wechat: [], language: "fr" }, "invalid_argument"],
    ["POST", "/api/notice/consent", { answers: { a: "perhaps" } }, "invalid_argument"],
    [
      "POST",
      "/api/notice/consent",
      { answers: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`t${n}`, "accept"])) },
      "invalid_argument",
    ],
  ] as const)("reject %s %s with %o", async (method, path, json, code) => {
    expectProblem(await call(method, path, { token: seller.token, ...(json !== undefined && { json }) }), code);
  });

  it("are for members only", async () => {
    for (const path of ["/api/notice", "/api/notice/unread", "/api/notice/choices"])
      expectProblem(await call("GET", path), "unauthenticated");
  });
});

describe("the choice of notices", () => {
  it("says what is shown in the inbox, by topic", async () => {
    const chooser = await signUp("Chooser");
    expect((await as(chooser).get("/api/notice/choices")).body).toMatchObject({
      inbox: ["orders", "refunds", "commission", "withdrawals", "team", "points"],
      email: [],
      language: "zh",
      address: chooser.email,
    });
    await signUp("Direct member of the chooser", chooser.uid);
    expect((await read(chooser)).unread).toBe(1);
    const choice = { inbox: ["points", "orders"], email: ["team"], wechat: [], language: "en" };
    expect((await as(chooser).put("/api/notice/choices", choice)).body).toMatchObject({
      ...choice,
      inbox: ["orders", "points"],
    });
    expect(await read(chooser)).toMatchObject({ list: [], unread: 0 });
  });
});

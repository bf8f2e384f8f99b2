import { z } from "@hono/zod-openapi";
import { beforeAll, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../functions/_shared/responses/error_registry.ts";
import type { Route } from "../../functions/_shared/routes/route.ts";
import {
  type Account,
  addProduct,
  call,
  expectProblem,
  giveCommission,
  type Reply,
  routes,
  signUp,
  signUpAdmin,
} from "./client.ts";
import { putOffOthersRelease, supabaseClient } from "../support/index.ts";
import { isRouted } from "../support/unrouted.ts";
import { as, buyAndSettle, place } from "./scenario.ts";

const NOBODY = 900_000_000_000_001;

let referrer: Account;
let owner: Account;
let neighbour: Account;
let admin: Account;
let otherAdmin: Account;
let queueGoods: number;

/**
 * The names of parameters that identify a record: `id`, `uid`, `line_id`, and the cursor, which contains the id of a
 * row.
 */
const names = /(^|_)(u?id|cursor)$/;

/** The parameters of a route that identify a record, such as `path id` and `body line_id`. */
function namesIn({ request }: Route): string[] {
  return Object.entries(request).flatMap(([part, schema]) => {
    const found = new Set<string>();
    JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), (_key, value) => {
      for (const property of Object.keys(value?.properties ?? {}))
        if (names.test(property)) found.add(`${part} ${property}`);
      return value;
    });
    return [...found];
  });
}

/** Parameters that identify public records. */
const FOR_ALL = [
  "PUT /api/user/spread: body spread_uid",
  "POST /api/order: body product_id",
  "POST /api/order/preview: body product_id",
  "GET /api/spread/poster: query product_id",
];

/**
 * Lists with a cursor: those of the bill and of withdrawals are tried below, those of notices in inbox.test.ts, those
 * of the team in team.test.ts.
 */
const CURSORS = [
  "GET /api/bill",
  "GET /api/notice",
  "GET /api/withdrawal",
  "GET /api/spread/people",
  "GET /api/spread/order",
];

interface Request {
  path: string;
  json?: unknown;
}

interface Case {
  /** Creates a record of the owner and returns the request for it. */
  request(asking: Account): Promise<Request>;
  /** The same request for a record that does not exist. */
  nothing(request: Request): Request;
  rejection: ErrorCode;
}

const order = (suffix: string, make: () => Promise<{ id: number }>): Case => ({
  request: async () => ({ path: `/api/order/${(await make()).id}${suffix}` }),
  nothing: () => ({ path: `/api/order/${NOBODY}${suffix}` }),
  rejection: "order_not_found",
});
const unpaid = () => place(owner, queueGoods);
// Also settled, so that no background work changes it later.
const paid = async (buyer = owner) => {
  // Administrators cannot act on their own orders.
  const { order_id } = await buyAndSettle(buyer, buyer === admin ? otherAdmin : admin, queueGoods);
  return (await as(buyer).get(`/api/order/${order_id}`)).body;
};
const delivered = async () => {
  const { id } = await paid();
  return (await as(admin).put(`/adminapi/order/${id}/deliver`)).body;
};

const PARCEL = { carrier: "SF", tracking_no: "R1" };
/** A shipped order of the owner whose goods the store has asked for. */
async function returning(): Promise<number> {
  const { id } = await delivered();
  await as(owner).post(`/api/order/${id}/refund`);
  await as(admin).put("/adminapi/system/settings", { return_address: ADDRESS });
  expect((await as(admin).put(`/adminapi/order/${id}/refund/return`)).status).toBe(200);
  return id;
}

const ADDRESS = { name: "Owner", phone: "13800000000", region: ["广东省"], street: "Road 1" };
const PAYMENT = { provider: "local", method: "local" };
const saved = async () => (await as(owner).post("/api/address", ADDRESS)).body as { id: number };
const payee = async () =>
  (await as(owner).post("/api/account", { method: "alipay", holder: "Owner", account_no: "owner@example.com" }))
    .body as { id: number };
/** A withdrawal of the owner that is as needed. A new one is ended, so that another one can be requested. */
async function withdrawn(isRight: (state: string) => boolean = () => true): Promise<number> {
  const { list } = (await as(owner).get("/api/withdrawal")).body as { list: { id: number; state: string }[] };
  const known = list.find(({ state }) => isRight(state));
  if (known) return known.id;
  const { id } = (
    await as(owner).post("/api/withdrawal", { amount: "10.00", method: "alipay", account_id: (await payee()).id })
  ).body as {
    id: number;
  };
  await as(owner).put(`/api/withdrawal/${id}/cancel`);
  return id;
}

const CASES: Record<string, Case> = {
  "GET /api/order/{id}: path id": order("", unpaid),
  "PUT /api/order/{id}/receive: path id": order("/receive", delivered),
  "PUT /api/order/{id}/cancel: path id": order("/cancel", unpaid),
  "GET /api/order/{id}/refund: path id": order("/refund", () => paid()),
  "GET /api/order/{id}/refund/picture: path id": order("/refund/picture", () => paid()),
  "POST /api/order/{id}/refund: path id": order("/refund", () => paid()),
  "DELETE /api/order/{id}/refund: path id": {
    request: async () => {
      const { id } = await paid();
      await as(owner).post(`/api/order/${id}/refund`);
      return { path: `/api/order/${id}/refund` };
    },
    nothing: () => ({ path: `/api/order/${NOBODY}/refund` }),
    rejection: "order_not_found",
  },
  "POST /api/order/{id}/refund/preview: path id": order("/refund/preview", () => paid()),
  "PUT /api/order/{id}/refund/return: path id": {
    request: async () => ({ path: `/api/order/${await returning()}/refund/return`, json: PARCEL }),
    nothing: () => ({ path: `/api/order/${NOBODY}/refund/return`, json: PARCEL }),
    rejection: "order_not_found",
  },
  "GET /api/order/{id}/payment: path id": order("/payment", unpaid),
  "POST /api/order/{id}/pay: path id": {
    request: async () => ({ path: `/api/order/${(await unpaid()).id}/pay`, json: PAYMENT }),
    nothing: () => ({ path: `/api/order/${NOBODY}/pay`, json: PAYMENT }),
    rejection: "order_not_found",
  },
  "PUT /api/address/{id}: path id": {
    request: async () => ({ path: `/api/address/${(await saved()).id}`, json: ADDRESS }),
    nothing: ({ json }) => ({ path: `/api/address/${NOBODY}`, json }),
    rejection: "address_not_found",
  },
  "DELETE /api/address/{id}: path id": {
    request: async () => ({ path: `/api/address/${(await saved()).id}` }),
    nothing: () => ({ path: `/api/address/${NOBODY}` }),
    rejection: "address_not_found",
  },
  "POST /api/order: body address_id": {
    request: async () => ({
      path: "/api/order",
      json: { items: [{ product_id: queueGoods, quantity: 1 }], address_id: (await saved()).id },
    }),
    nothing: ({ path, json }) => ({ path, json: { ...(json as object), address_id: NOBODY } }),
    rejection: "address_not_found",
  },
  "DELETE /api/account/{id}: path id": {
    request: async () => ({ path: `/api/account/${(await payee()).id}` }),
    nothing: () => ({ path: `/api/account/${NOBODY}` }),
    rejection: "account_not_found",
  },
  "POST /api/withdrawal: body account_id": {
    request: async () => ({
      path: "/api/withdrawal",
      json: { amount: "10.00", method: "alipay", account_id: (await payee()).id },
    }),
    nothing: ({ path, json }) => ({ path, json: { ...(json as object), account_id: NOBODY } }),
    rejection: "account_not_found",
  },
  "GET /api/withdrawal/{id}: path id": {
    request: async () => ({ path: `/api/withdrawal/${await withdrawn()}` }),
    nothing: () => ({ path: `/api/withdrawal/${NOBODY}` }),
    rejection: "withdrawal_not_found",
  },
  "PUT /api/notice/{id}/read: path id": {
    request: async () => {
      await paid();
      return {
        path: `/api/notice/${((await as(owner).get("/api/notice")).body as { list: { id: string }[] }).list[0]!.id}/read`,
      };
    },
    nothing: () => ({ path: "/api/notice/1_1_1/read" }),
    rejection: "notice_not_found",
  },
  "PUT /api/withdrawal/{id}/cancel: path id": {
    request: async () => ({
      path: `/api/withdrawal/${await withdrawn((state) => state === "requested" || state === "cancelled")}/cancel`,
    }),
    nothing: () => ({ path: `/api/withdrawal/${NOBODY}/cancel` }),
    rejection: "withdrawal_not_found",
  },
  "DELETE /api/user/session/{id}: path id": {
    request: async () => {
      await supabaseClient().auth.signInWithPassword({ email: owner.email, password: owner.password });
      const { list } = (await as(owner).get("/api/user/session")).body as {
        list: { id: string; is_current: boolean }[];
      };
      return { path: `/api/user/session/${list.find(({ is_current }) => !is_current)!.id}` };
    },
    nothing: () => ({ path: "/api/user/session/00000000-0000-4000-8000-000000000000" }),
    rejection: "session_not_found",
  },
  // The member's own order with a line of another member's order.
  "POST /api/order/{id}/refund: body line_id": {
    request: async (asking) => {
      const {
        id,
        lines: [own],
      } = await paid(asking);
      const line = asking === owner ? own : (await paid()).lines[0];
      return { path: `/api/order/${id}/refund`, json: { lines: [{ line_id: line.id, quantity: 1 }] } };
    },
    nothing: ({ path }) => ({ path, json: { lines: [{ line_id: NOBODY, quantity: 1 }] } }),
    rejection: "refund_exceeds_order",
  },
  "POST /api/order/{id}/refund/preview: body line_id": {
    request: async (asking) => {
      const {
        id,
        lines: [own],
      } = await paid(asking);
      const line = asking === owner ? own : (await paid()).lines[0];
      return { path: `/api/order/${id}/refund/preview`, json: { lines: [{ line_id: line.id, quantity: 1 }] } };
    },
    nothing: ({ path }) => ({ path, json: { lines: [{ line_id: NOBODY, quantity: 1 }] } }),
    rejection: "refund_exceeds_order",
  },
};

beforeAll(async () => {
  [referrer, neighbour, admin, otherAdmin] = await Promise.all([
    signUp("Referrer of the owner"),
    signUp("Neighbour"),
    signUpAdmin("Curious administrator"),
    signUpAdmin("Another administrator"),
  ]);
  owner = await signUp("Owner", referrer.uid);
  queueGoods = await addProduct("Package of the owner", "3600.00", true);
  await giveCommission(owner, "100.00");
});

/** How many requests a member sends at once here: fewer than may wait of one caller. */
const AT_ONCE = 20;

/** How many of the owner's orders are read in detail: more than a case creates. The list has the state of all. */
const LATEST = 10;

/**
 * Everything that the owner, and the referrer who earns from the owner's orders, can read. Other files of tests change
 * the plan meanwhile.
 */
async function everything(): Promise<unknown[]> {
  const { list } = (await as(owner).get("/api/order?limit=100")).body as { list: { id: number }[] };
  const reads = [
    ...[
      "/api/user",
      "/api/order?limit=100",
      "/api/bill?limit=100",
      "/api/hjf/assets/overview",
      "/api/address",
      "/api/account",
      "/api/withdrawal?limit=100",
      "/api/agent/level",
      "/api/hjf/points/forecast",
    ].flatMap((path) => [owner, referrer].map((account) => ({ account, path }))),
    ...list
      .slice(0, LATEST)
      .flatMap(({ id }) => ["refund", "payment"].map((part) => ({ account: owner, path: `/api/order/${id}/${part}` }))),
  ];
  const replies: Reply[] = [];
  for (let from = 0; from < reads.length; from += AT_ONCE)
    replies.push(
      ...(await Promise.all(reads.slice(from, from + AT_ONCE).map(({ account, path }) => as(account).get(path)))),
    );
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  return JSON.parse(
    JSON.stringify(
      replies.map(({ body }) => body),
      (key, value) => (key === "plan_version" ? undefined : value),
    ),
  ) as unknown[];
}

const ofMembers = routes.filter(({ auth }) => auth === "user");
const named = ofMembers.flatMap((route) =>
  namesIn(route).map((what) => `${route.method.toUpperCase()} ${route.path}: ${what}`),
);

it("every id or cursor in a member's request is tried with one of another member", () => {
  expect(named.length).toBeGreaterThan(0);
  expect([...Object.keys(CASES), ...FOR_ALL, ...CURSORS.map((list) => `${list}: query cursor`)].sort()).toEqual(
    named.sort(),
  );
});

describe.each(Object.entries(CASES).filter(([name]) => isRouted(name.split(":")[0]!)))(
  "%s",
  (name, { request, nothing, rejection }) => {
    const method = name.split(" ")[0]!;
    const send = ({ token }: Account, { path, json }: Request) => call(method, path, { token, json });

    // Guarantee access/own-data
    it("does not exist for another member, the referrer or an administrator", async () => {
      const asked: [Account, Request][] = [];
      for (const asking of [neighbour, referrer, admin]) asked.push([asking, await request(asking)]);
      const release = await putOffOthersRelease();
      try {
        const before = await everything();
        for (const [asking, asks] of asked) {
          const reply = await send(asking, asks);
          expectProblem(reply, rejection);
          // The response does not even reveal that the record exists.
          const { request_id: _, ...problem } = (await send(asking, nothing(asks))).body;
          expect(reply.body).toMatchObject(problem);
        }
        expect(await everything()).toEqual(before);
      } finally {
        await release.unlock();
      }
    });

    it("exists for the owner", async () => {
      expect((await send(owner, await request(owner))).status).toBeLessThan(300);
    });
  },
);

describe("GET /api/bill: query cursor", () => {
  it("of another member returns nothing of theirs", async () => {
    await buyAndSettle(referrer, admin, queueGoods);
    for (let count = 0; count < 2; count += 1) await buyAndSettle(owner, admin, queueGoods);
    const { next_cursor, list } = (await as(referrer).get("/api/bill?limit=1")).body;
    expect(next_cursor).toEqual(expect.any(String));
    expect(list).toHaveLength(1);
    expect((await as(referrer).get(`/api/bill?cursor=${next_cursor}`)).body.list.length).toBeGreaterThan(0);
    expect((await as(neighbour).get(`/api/bill?cursor=${next_cursor}`)).body).toEqual({
      list: [],
      count: 0,
      next_cursor: null,
    });
  });
});

describe("GET /api/withdrawal: query cursor", () => {
  it("of another member returns nothing of theirs", async () => {
    const { id: account_id } = await payee();
    // The case above may have left an open one.
    const request = { amount: "10.00", method: "alipay", account_id };
    await as(owner).post("/api/withdrawal", request);
    const { next_cursor, list } = (await as(owner).get("/api/withdrawal?limit=1")).body;
    expect(list).toHaveLength(1);
    expect(next_cursor).toEqual(expect.any(String));
    expect((await as(neighbour).get(`/api/withdrawal?cursor=${next_cursor}`)).body).toEqual({
      list: [],
      count: 0,
      next_cursor: null,
    });
  });
});

/** Queries without which a route rejects the request. */
const queriesOf = async (account: Account): Promise<Record<string, string>> => {
  // The month of the store, which begins and ends at other times than that of UTC.
  const { month } = (await as(account).get("/api/statement")).body as { month: string };
  return { "/api/statement/csv": `?month=${month}` };
};
const ownOnly = ofMembers
  .filter((route) => route.method === "get" && !route.handler && !route.path.includes("{"))
  .map(({ path }) => path)
  .filter((path) => isRouted(`GET ${path}`));

/** Other tests put queue goods on sale meanwhile, and prospects have the newest. */
function withoutOtherProducts(path: string, text: string): string {
  if (path !== "/api/prospects") return text;
  const prospects = JSON.parse(text) as { products: { id: number }[] };
  return JSON.stringify({ ...prospects, products: prospects.products.filter(({ id }) => id === queueGoods) });
}

/** What every such route returns to a member. */
const readings = async (account: Account) => {
  const queries = await queriesOf(account);
  return Object.fromEntries(
    await Promise.all(
      ownOnly.map(async (path) => {
        const { status, text } = await as(account).get(path + (queries[path] ?? ""));
        expect([path, status]).toEqual([path, 200]);
        // A job of each minute counts the orders of all teams anew, and says when; a list of notices says what it could
        // show.
        return [path, withoutOtherProducts(path, text).replace(/"(as_of|seen)": "[^"]+"/, "")] as const;
      }),
    ),
  );
};

/** Does everything whose result a member reads, and a member below does, too. */
async function doEverything(account: Account): Promise<void> {
  const below = await signUp("Member below", account.uid);
  for (const buyer of [account, below]) await buyAndSettle(buyer, admin, queueGoods);
  await place(account, queueGoods);
  await as(account).post("/api/address", ADDRESS);
  await as(account).post("/api/user/request", { kind: "copy" });
  await giveCommission(account, "100.00");
  await as(account).put("/api/notice/choices", { inbox: ["orders"], email: ["team"], wechat: [], language: "en" });
  const { id } = (
    await as(account).post("/api/account", { method: "alipay", holder: "Owner", account_no: "owner@example.com" })
  ).body as {
    id: number;
  };
  expect(
    (await as(account).post("/api/withdrawal", { amount: "10.00", method: "alipay", account_id: id })).status,
  ).toBe(201);
}

describe("what a member reads of their own things", () => {
  let before: Record<string, string>;
  let after: Record<string, string>;
  let active: Record<string, string>;
  beforeAll(async () => {
    const [newcomer, busy] = await Promise.all([signUp("Newcomer"), signUp("Busy")]);
    before = await readings(newcomer);
    await doEverything(busy);
    [after, active] = await Promise.all([readings(newcomer), readings(busy)]);
  });

  it.each(ownOnly)("GET %s shows nothing of what others do", (path) => {
    expect(after[path]).toBe(before[path]);
  });

  it.each(ownOnly)("GET %s shows what they have done themselves", (path) => {
    // So that the test above could see it.
    expect(active[path]).not.toBe(before[path]);
  });

  it.each(ownOnly)("GET %s names nobody else", (path) => {
    const list = ["/api/spread/people", "/api/spread/order"].includes(path);
    for (const text of [after[path]!, ...(list ? [] : [active[path]!])])
      expect(new Set(text.match(/"uid": ?\d+/g)).size).toBeLessThanOrEqual(1);
  });
});

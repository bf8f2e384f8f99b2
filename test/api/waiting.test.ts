import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import { type Account, accountIdOf, addProduct, call, expectProblem, setRole, signUp, signUpAdmin } from "./client.ts";
import { as, buy } from "./scenario.ts";

let admin: Account;
let buyer: Account;
let orderId: number;

beforeAll(async () => {
  admin = await signUpAdmin("Waited for");
  buyer = await signUp("Waits");
  orderId = (await buy(buyer, admin, await addProduct("Tea that waits", "9.90", false))).id;
});

const waiting = (headers: Record<string, string> = {}, { token }: Pick<Account, "token"> = admin) =>
  call("GET", "/adminapi/waiting", { token, init: { headers } });

/**
 * Asks again with the ETag of an answer, until nothing changed between the two: other tests use the same store.
 * @param known makes the header If-None-Match of the ETag
 */
async function untilNothingChanges(known: (etag: string) => string) {
  for (;;) {
    const etag = (await waiting()).headers.get("etag")!;
    const again = await waiting({ "if-none-match": known(etag) });
    if (again.headers.get("etag") === etag) return again;
  }
}

const countOf = async (kind: string) =>
  ((await waiting()).body.list as { kind: string; count: number }[]).find((entry) => entry.kind === kind)!.count;

// supabase/tests/waiting tests what is counted for whom.
describe("GET /adminapi/waiting", () => {
  it("is answered with 304 and no body until something changes", async () => {
    const first = await waiting();
    expect(first.headers.get("cache-control")).toBe("private, no-cache");
    const etag = first.headers.get("etag")!;
    expect(etag).toMatch(/^"[0-9a-f]{40}"$/);
    for (const known of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `"another", ${tag}`,
      () => "*",
    ]) {
      const again = await untilNothingChanges(known);
      expect([again.status, again.text]).toEqual([304, ""]);
      // A browser holds the 304 to the rules of its origin, too.
      expect(again.headers.get("access-control-allow-origin")).toBe("*");
    }
    expect((await waiting({ "if-none-match": '"another"' })).status).toBe(200);

    await as(admin).put(`/adminapi/order/${orderId}/deliver`, { carrier: "SF", tracking_no: "SF1001" });
    // Another test may make up for it in between: the same counts have the same ETag.
    await expect
      .poll(async () => {
        const changed = await waiting({ "if-none-match": etag });
        return [changed.status, changed.headers.get("etag") === etag];
      })
      .toEqual([200, false]);
  });

  // Guarantee operation/waiting
  it("counts the rows that the list with the filter shows", async () => {
    for (const [kind, path] of [
      ["shipment", "shipping"],
      ["refund", "order"],
      ["payment", "order"],
      ["withdrawal_approval", "withdrawal"],
      ["withdrawal_payment", "withdrawal"],
      ["adjustment", "adjustment"],
      ["overdue_person_request", "person_request"],
      ["person_request", "person_request"],
    ] as const) {
      const list = async () =>
        (await as(admin).get(`/adminapi/${path}${kind === "shipment" ? "" : `?waiting=${kind}`}`)).body.count as number;
      // Between the two requests, other tests change what waits.
      await expect.poll(async () => (await list()) - (await countOf(kind)), { message: kind }).toBe(0);
    }
  });

  it.each([
    "order?waiting=adjustment",
    "order?waiting=true",
    "withdrawal?waiting=refund",
    "adjustment?waiting=true",
    "waiting?kind=shipment",
  ])("rejects %s", async (path) => {
    expectProblem(await as(admin).get(`/adminapi/${path}`), "invalid_argument");
  });

  it("lists only the kinds that the roles of the caller allow", async () => {
    const clerk = await signUpAdmin("Clerk");
    const sql = connect(stack().database_url);
    const kinds = async (role: string) => {
      await sql`update app.administrators set roles = array[${role}] where auth_id = ${accountIdOf(clerk)}`;
      return (await waiting({}, clerk)).body.list.map(({ kind }: { kind: string }) => kind);
    };
    expect(await kinds("service")).toEqual(["shipment", "refund", "overdue_person_request", "person_request"]);
    expect(await kinds("finance")).toEqual([
      "refund",
      "payment",
      "withdrawal_approval",
      "withdrawal_payment",
      "adjustment",
      "month_to_close",
      "failed_call",
      "failed_settlement",
      "reconcile_finding",
    ]);
    expect(await kinds("content")).toEqual(["low_stock"]);
    await sql.end();
  });

  it("is refused to visitors, to members, and to who is no administrator any more, whatever they have seen", async () => {
    const known = { "if-none-match": (await waiting()).headers.get("etag")! };
    expectProblem(await call("GET", "/adminapi/waiting", { init: { headers: known } }), "unauthenticated");
    expectProblem(await waiting(known, buyer), "forbidden");
    const former = await signUpAdmin("Former");
    await setRole(former, "authenticated");
    expectProblem(await waiting(known, former), "forbidden");
  });
});

describe("GET /adminapi/hjf/reconcile", () => {
  it("shows the latest finished reconciliation with its findings", async () => {
    const sql = connect(stack().database_url);
    const finding = { check_name: "balance_equals_bill", subject: "uid 10001", expected: "1.00", actual: "2.00" };
    await sql`insert into app.reconcile_runs (started_at, finished_at, findings, sample) values (now(), now(), 101, ${sql.json([finding])})`;
    const { body } = await as(admin).get("/adminapi/hjf/reconcile");
    expect(body).toEqual({
      finished_at: expect.any(String),
      findings: 101,
      list: [{ ...finding, advice: expect.any(String), advice_zh: expect.any(String) }],
      count: 1,
      explained: [],
    });
    expect(await countOf("reconcile_finding")).toBe(101);

    const { body: after } = await as(admin).post("/adminapi/hjf/reconcile/explain", {
      ...finding,
      reason: "Corrected by adjustment 7",
    });
    expect(after).toMatchObject({
      findings: 100,
      list: [],
      explained: [{ ...finding, reason: "Corrected by adjustment 7", explained_by: { uid: admin.uid } }],
    });
    expect(await countOf("reconcile_finding")).toBe(100);
    expectProblem(
      await as(admin).post("/adminapi/hjf/reconcile/explain", { ...finding, actual: "3.00", reason: "Another figure" }),
      "finding_not_found",
    );
    await sql`insert into app.reconcile_runs (started_at, finished_at) values (now(), now())`;
    expect(await countOf("reconcile_finding")).toBe(0);
    await sql.end();
    expectProblem(await as(buyer).get("/adminapi/hjf/reconcile"), "forbidden");
  });
});

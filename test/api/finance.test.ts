import { randomUUID } from "node:crypto";
import Papa from "papaparse";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { readWorkbook } from "./workbook.ts";
import {
  type Account,
  accountIdOf,
  call,
  copyAccounts,
  expectProblem,
  readText,
  type Reply,
  signUpAdmin,
} from "./client.ts";

// A store of its own, because a month is closed for good and some sums are those of the whole store.
let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction;
let admin: Account;
let other: Account;
let member: number;

beforeAll(async () => {
  [clone, admin, other] = await Promise.all([
    cloneDatabase(),
    signUpAdmin("Finance of a store"),
    signUpAdmin("Second of a store"),
  ]);
  sql = connect(clone.url);
  await copyAccounts(sql, admin, other);
  for (const account of [admin, other]) await sql`select app.add_administrator(${accountIdOf(account)})`;
  const id = randomUUID();
  await sql`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), ${id}, ${`${id}@example.com`}, '{"nickname": "Corrected"}')`;
  member = Number((await sql`select uid from app.users where auth_id = ${id}`)[0]!.uid);
  served = await serveEdgeFunction("adminapi", clone.url, {});
});
afterAll(async () => {
  await served?.stop();
  await sql?.end();
  await clone?.drop();
});

const send = (method: string, path: string, json?: unknown, by = admin) =>
  call(method, path, { token: by.token, json, base: served.base });
/** The lines of a file without its header. */
const linesOf = ({ text }: Reply) => Papa.parse<string[]>(text, { skipEmptyLines: true }).data.slice(1);

describe("what lessens the tax of a member", () => {
  it("is recorded with its reason, and listed", async () => {
    const row = {
      month: "2026-10",
      exempt_income: "100.00",
      other_deductions: "0.00",
      relief: "5.00",
      reason: "A disability",
    };
    expect(await send("POST", `/adminapi/user/${member}/tax`, row)).toMatchObject({ status: 201, body: row });
    expect((await send("GET", `/adminapi/user/${member}/tax?year=2026`)).body).toMatchObject({
      years: [2026],
      allowances: [row],
    });
    expectProblem(await send("POST", `/adminapi/user/${member}/tax`, { ...row, relief: "-6.00" }), "invalid_argument");
  });
});

describe("an adjustment above the limit of one administrator", { concurrent: false }, () => {
  const ask = (brokerage: string) =>
    send("POST", "/adminapi/adjustment", { uid: member, brokerage, reason: "A test of finance" });

  it("waits until another one approves or refuses it, and both are listed", async () => {
    const [kept, refused] = [(await ask("7000.00")).body, (await ask("8000.00")).body];
    expect([kept.state, refused.state]).toEqual(["waiting", "waiting"]);
    expectProblem(await send("PUT", `/adminapi/adjustment/${kept.id}/approve`), "second_administrator_needed");
    expect(await send("PUT", `/adminapi/adjustment/${kept.id}/approve`, undefined, other)).toMatchObject({
      status: 200,
      body: { id: kept.id, state: "booked" },
    });
    expect(await send("PUT", `/adminapi/adjustment/${refused.id}/refuse`, undefined, other)).toMatchObject({
      status: 200,
      body: { id: refused.id, state: "refused" },
    });
    const { body } = await send("GET", `/adminapi/adjustment?uid=${member}`);
    expect(body.list.map(({ id, state }: { id: number; state: string }) => [id, state])).toEqual([
      [refused.id, "refused"],
      [kept.id, "booked"],
    ]);
  });

  it("is owed to the member, in the sum and in the file of liabilities, and stands in the file of the bill", async () => {
    expect((await send("GET", "/adminapi/liabilities")).body).toMatchObject({ owed: "7000.00" });
    for (const file of ["liabilities", "bill"]) {
      const lines = linesOf(await readText(`/adminapi/export/${file}`, admin, {}, served.base));
      expect(lines).toEqual([expect.arrayContaining([String(member), "7000.00"])]);
    }
  });

  it("stands in the journal of its month, in double entry", async () => {
    const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 7);
    const { body } = await send("GET", `/adminapi/export/journal?month=${month}&part=bill`);
    expect(body.entries).toMatchObject([
      {
        type: "adjustment",
        uid: member,
        postings: [
          { account: "commission_payable", uid: member, amount: "-7000", currency: "CNY" },
          { account: "adjustments_commission", uid: null, amount: "7000", currency: "CNY" },
        ],
      },
    ]);
    expect((await send("GET", `/adminapi/export/journal?month=${month}&part=closing`)).body.entries).toContainEqual(
      expect.objectContaining({
        uid: member,
        postings: expect.arrayContaining([expect.objectContaining({ account: "commission_payable", amount: "-7000" })]),
      }),
    );
    expectProblem(await send("GET", `/adminapi/export/journal?month=${month}&part=all`), "invalid_argument");
    expectProblem(await send("GET", "/adminapi/export/journal?month=2026-13&part=bill"), "invalid_argument");
  });

  it("stands in the same files as workbooks, in which amounts and points are numbers and a member is text", async () => {
    for (const [file, amounts] of [
      [
        "liabilities",
        [
          "Owed",
          "Can be withdrawn",
          "Held by refund requests",
          "Maturing",
          "Of it, after the receipt of an order",
          "In open withdrawals",
        ],
      ],
      ["bill", ["Commission", "Commission after"]],
    ] as const) {
      const [titles, ...lines] = Papa.parse<string[]>(
        (await readText(`/adminapi/export/${file}`, admin, {}, served.base)).text.slice(1),
        {
          skipEmptyLines: true,
        },
      ).data;
      await readText(`/adminapi/export/${file}/xlsx`, admin, {}, served.base);
      const { headers, rows } = await readWorkbook(`/adminapi/export/${file}/xlsx`, admin, "en", served.base);
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${file}.xlsx"`);
      // The time of a file of liabilities is that of its request.
      const isSame = (title: string) => title !== "As of";
      const textsOf = (texts: string[]) => texts.filter((_, at) => isSame(titles![at]!));
      expect(rows.map((row) => textsOf(row.map(({ text }) => text)))).toEqual([titles!, ...lines].map(textsOf));
      const formats = Object.fromEntries(
        rows[1]!.map(({ kind, format, text }, at) => [titles![at], text && `${kind} ${format}`]),
      );
      for (const title of amounts) expect(formats[title], title).toBe("number 0.00");
      expect(formats).toMatchObject({
        Member: "text @",
        "Frozen points": "number General",
        "Available points": "number General",
      });
    }
  });
});

describe("a month that is over", () => {
  it("is closed by an administrator after its reconciliation, once, and is then listed as closed", async () => {
    expectProblem(await send("POST", "/adminapi/month/2026-01/close", {}), "reconciliation_needed");
    await sql`call app.record_reconcile()`;
    const closed = await send("POST", "/adminapi/month/2026-01/close", {});
    expect(closed).toMatchObject({ status: 200, body: { month: "2026-01" } });
    expect((await send("POST", "/adminapi/month/2026-01/close", {})).body).toEqual(closed.body);
    expect(JSON.stringify((await send("GET", "/adminapi/month")).body)).toContain('"2026-01"');
  });
});

describe("what a removed member is owed", { concurrent: false }, () => {
  it("is a part of its own of the liabilities and of their file, until two administrators pay it", async () => {
    const id = randomUUID();
    await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), ${id}, ${`${id}@example.com`})`;
    const uid = Number((await sql`select uid from app.users where auth_id = ${id}`)[0]!.uid);
    await sql`select from app.create_adjustment(${uid}, 30, 5, 2, 'A test of finance', null, now())`;
    const before = (await send("GET", "/adminapi/liabilities")).body;
    expect(before.left).toEqual({ members: 0, commission: "0.00", frozen_points: 0, available_points: 0 });
    await sql`delete from auth.users where id = ${id}`;
    const { body } = await send("GET", "/adminapi/liabilities");
    expect(body).toMatchObject({
      owed: before.owed,
      left: { members: 1, commission: "30.00", frozen_points: 5, available_points: 2 },
    });
    expect(Number(body.withdrawable)).toBe(Number(before.withdrawable) - 30);
    expect((await send("GET", `/adminapi/liabilities?as_of=${before.as_of}`)).body.left.members).toBe(0);
    const file = linesOf(await readText("/adminapi/export/liabilities", admin, {}, served.base));
    expect(file.find((line) => line[1] === String(uid))).toEqual(expect.arrayContaining(["30.00", "0.00", "5", "2"]));

    const pay = (row: object) =>
      send("POST", "/adminapi/adjustment", { uid, reason: "Paid by bank", kind: "payout", ...row });
    expectProblem(await pay({ brokerage: "-30.01" }), "invalid_argument");
    expectProblem(await pay({ brokerage: "30.00" }), "invalid_argument");
    expectProblem(
      await send("POST", "/adminapi/adjustment", {
        uid: member,
        reason: "Not left",
        kind: "forfeit",
        brokerage: "-1.00",
      }),
      "invalid_argument",
    );
    const paid = await pay({ brokerage: "-30.00", frozen_points: -5, available_points: -2 });
    expect(paid).toMatchObject({ status: 201, body: { state: "waiting", kind: "payout" } });
    expect(await send("PUT", `/adminapi/adjustment/${paid.body.id}/approve`, undefined, other)).toMatchObject({
      status: 200,
      body: { state: "booked" },
    });
    expect((await send("GET", "/adminapi/liabilities")).body.left.members).toBe(0);
  });
});

describe("a member who gave up what they had", { concurrent: false }, () => {
  it("is given nothing by adjustments, also by one that was made before the account was deleted", async () => {
    const id = randomUUID();
    await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), ${id}, ${`${id}@example.com`})`;
    const uid = Number((await sql`select uid from app.users where auth_id = ${id}`)[0]!.uid);
    await sql`select from app.create_adjustment(${uid}, 30, 5, 2, 'A test of finance', null, now())`;
    const adjust = (row: object) => send("POST", "/adminapi/adjustment", { uid, reason: "A test of finance", ...row });
    const early = (await adjust({ brokerage: "5000.00" })).body;
    expect(early).toMatchObject({ state: "waiting" });
    await sql`
      insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
      values (${uid}, ${id}, now() - interval '7 days', now(), 30, 5, 2)`;
    await sql`call app.delete_due_accounts()`;

    for (const row of [{ brokerage: "0.01" }, { frozen_points: 1 }, { available_points: 0.0001, brokerage: "-1.00" }])
      expectProblem(await adjust(row), "adjustment_state_conflict");
    const approved = await send("PUT", `/adminapi/adjustment/${early.id}/approve`, undefined, other);
    expectProblem(approved, "adjustment_state_conflict");
    expect(approved.body.detail).toBe("The member gave up what they had when they left. Refuse the adjustment.");
    expect(await send("PUT", `/adminapi/adjustment/${early.id}/refuse`, undefined, other)).toMatchObject({
      body: { state: "refused" },
    });
    expect(await adjust({ brokerage: "-1.00" })).toMatchObject({ status: 201, body: { state: "waiting" } });
    expect(
      await sql`select from app.reconcile() as r where r.check_name = 'what_was_given_up_is_not_owed'`,
    ).toHaveLength(0);
  });
});

it("a settlement that failed for good is tried again", async () => {
  const [product] =
    await sql`insert into app.products (title, price, is_queue_goods) values ('Package', 3600, true) returning id::integer`;
  const [order] =
    await sql`select (app.create_order(${member}, ${sql.json([{ product_id: product!.id, quantity: 1 }])}, null)).id::integer`;
  await sql`select from app.pay_order(${order!.id}, 'test', 'payment', clock_timestamp())`;
  await sql`update app.settlement_jobs set state = 'dead', attempts = 8, last_error = 'a test' where order_id = ${order!.id}`;
  expect(await send("POST", `/adminapi/hjf/jobs/${order!.id}/retry`)).toMatchObject({ status: 200 });
  expect([
    ...(await sql`select state, attempts, last_error from app.settlement_jobs where order_id = ${order!.id}`),
  ]).toEqual([{ state: "waiting", attempts: 0, last_error: null }]);
});

it("the review of levels lists a member who would not reach their level", async () => {
  await sql`select app.set_agent_level(${member}, 1::smallint, null, now())`;
  expect((await send("GET", "/adminapi/agent/level/review")).body.list).toEqual([
    expect.objectContaining({ uid: member, agent_level: 1, reached_level: 0 }),
  ]);
});

it("an article is read with its whole text", async () => {
  const { body: category } = await send("POST", "/adminapi/article_category", { title: "News" });
  const { body: created } = await send("POST", "/adminapi/article", {
    cid: category.id,
    title: "Welcome",
    content: "The whole text",
  });
  expect(await send("GET", `/adminapi/article/${created.id}`)).toMatchObject({
    status: 200,
    body: { id: created.id, title: "Welcome", content: "The whole text" },
  });
});

it("administrators see their roles and areas", async () => {
  expect((await send("GET", "/adminapi/me")).body).toMatchObject({ auth_id: accountIdOf(admin), roles: ["owner"] });
});

import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { FakeWechatPay, MCHID, type Trouble } from "../support/wechat/fake_wechat_pay.ts";
import { MINI } from "../support/wechat/apps.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

// Members who withdraw to WeChat. The database is a clone, so that the worker of the test stack takes no call from its
// outbox.
const SECRET = "the secret of the worker in this test";
const wechatPay = new FakeWechatPay();
const openid = `o${randomUUID()}`;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let api: EdgeFunction;
let worker: EdgeFunction;
let adminapi: EdgeFunction;
let admin: Account;
let member: Account;
let other: Account;

beforeAll(async () => {
  await wechatPay.start();
  const settings = { ...wechatPay.settings(), STORE_WORKER_SECRET: SECRET };
  [admin, member, other] = await Promise.all([
    signUpAdmin("Finance of WeChat"),
    signUp("小林"),
    signUp("With a password"),
  ]);
  clone = await cloneDatabase();
  const { url } = clone;
  sql = connect(url);
  api = await serveEdgeFunction("api", url, settings);
  worker = await serveEdgeFunction("worker", url, { ...settings, STORE_FUNCTIONS_URL: api.base });
  adminapi = await serveEdgeFunction("adminapi", url, {});
  await copyAccounts(sql, admin, member, other);
  await sql`select app.add_administrator(${admin.email})`;
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${openid}, ${accountIdOf(member)})`;
  await sql`update app.settings set withdrawal_methods = '{bank, wechat}', withdrawal_fee_rate = 0.006`;
  await sql`
    with a as (
      insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at)
      select u.uid, 100000, 'For a test', 'booked', now(), now() from app.users as u where u.auth_id in (${accountIdOf(member)}, ${accountIdOf(other)}) returning *
    )
    select app.book_entries(array[row(a.uid, 'adjustment', 'adjustment', a.brokerage_delta, 0, 0, null, null, null, null, null, null, null, a.id)::app.bill_entry], '{}', '{}', now()) from a`;
});
afterAll(async () => {
  await Promise.all([api?.stop(), worker?.stop(), adminapi?.stop()]);
  await wechatPay.stop();
  await sql?.end();
  await clone?.drop();
});
beforeEach(async () => {
  // A member has one open withdrawal, so what a failed test has left is ended.
  await sql`select app.move_withdrawal(app.lock_withdrawal(id), 'refused', now(), 'left over') from app.withdrawals where state in ('requested', 'approved')`;
  await sql`select app.record_transfer_state(withdrawal_no, 'cancelled', null, null, null, now()) from app.withdrawals where state = 'paying'`;
  wechatPay.next = [];
  wechatPay.beforeResponse = undefined;
  wechatPay.acceptsSlowly = false;
  wechatPay.balance = 10 ** 12;
  wechatPay.received.splice(0);
});

const send = (method: string, path: string, json?: unknown, { token } = member) =>
  call(method, path, { base: api.base, token, json });
const asAdmin = (method: string, path: string, json?: unknown) =>
  call(method, path, { base: adminapi.base, token: admin.token, json });

/** Runs the worker with all waiting calls due. */
async function work({ base } = worker): Promise<void> {
  await sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
  expect((await call("POST", "/worker/run", { base, init: { headers: { "x-worker-secret": SECRET } } })).status).toBe(
    200,
  );
}

interface Requested {
  id: number;
  no: string;
}

/** An approved withdrawal. */
async function approved(amount = "100.00", more: object = {}): Promise<Requested> {
  const {
    body: { id, withdrawal_no: no },
  } = await send("POST", "/api/withdrawal", { amount, method: "wechat", ...more });
  expect((await asAdmin("PUT", `/adminapi/withdrawal/${id}/approve`)).status).toBe(200);
  return { id, no };
}

const read = async ({ id }: Requested) => (await send("GET", `/api/withdrawal/${id}`)).body;
const page = async ({ id }: Requested) => (await asAdmin("GET", `/adminapi/withdrawal/${id}`)).body;
const paidOut = ({ no }: Requested) => wechatPay.paidOut.filter((each) => each.no === no);
const balance = async () => (await send("GET", "/api/withdrawal/terms")).body.withdrawable as string;

/**
 * Runs the worker, whose request for a transfer, but not the query before it, goes wrong. Clients repeat a request that
 * was not answered at all.
 */
async function workWith(trouble: Trouble): Promise<void> {
  wechatPay.next = [undefined, trouble, trouble];
  await work();
  wechatPay.next = [];
}

/** Ends a withdrawal, so that the next test can begin another one. */
async function finish({ no }: Requested): Promise<void> {
  wechatPay.confirmTransfer(no);
  wechatPay.decideTransfer(no);
  await work();
}

describe("a withdrawal to WeChat", () => {
  it("is offered only to members who sign in with WeChat", async () => {
    expect((await send("GET", "/api/withdrawal/terms")).body).toMatchObject({
      methods: [
        { method: "bank", name_from: null },
        { method: "wechat", minimum: "10.00", name_from: "2012.07" },
      ],
    });
    expect((await send("GET", "/api/withdrawal/terms", undefined, other)).body).toMatchObject({
      methods: [{ method: "bank" }],
    });
    expectProblem(
      await send("POST", "/api/withdrawal", { amount: "100.00", method: "wechat" }, other),
      "account_not_found",
    );
  });

  it("waits for the member, who confirms it with what the API returns, and is paid once, though WeChat notifies twice", async () => {
    const withdrawal = await approved();
    expect(await read(withdrawal)).toMatchObject({ state: "approved", transfer_state: null, confirmation: null });
    await work();
    expect(JSON.parse(wechatPay.received.find(({ what }) => what.startsWith("POST"))!.body)).toEqual({
      appid: MINI.appid,
      out_bill_no: withdrawal.no,
      transfer_scene_id: "1005",
      openid,
      transfer_amount: 9940,
      transfer_remark: "佣金提现",
      notify_url: expect.stringMatching(/\/api\/pay\/notify\/wechat$/),
      transfer_scene_report_infos: [
        { info_type: "岗位类型", info_content: "推广员" },
        { info_type: "报酬说明", info_content: "推广佣金" },
      ],
    });
    expect(await read(withdrawal)).toMatchObject({
      state: "paying",
      transfer_state: "confirming",
      confirmation: {
        mch_id: MCHID,
        app_id: MINI.appid,
        package: wechatPay.transfers.get(withdrawal.no)!.package_info,
      },
    });
    expectProblem(await send("GET", `/api/withdrawal/${withdrawal.id}`, undefined, other), "withdrawal_not_found");
    expect(await page(withdrawal)).toMatchObject({
      transfer: {
        provider_ref: expect.stringMatching(/^13300/),
        call: { state: "waiting", withdrawal_id: withdrawal.id },
      },
    });

    wechatPay.confirmTransfer(withdrawal.no);
    wechatPay.decideTransfer(withdrawal.no);
    expect(await Promise.all([1, 2].map(() => wechatPay.notifyTransfer(withdrawal.no)))).toEqual([200, 200]);
    expect(await read(withdrawal)).toMatchObject({ state: "paid", transfer_state: "succeeded", confirmation: null });
    expect(await page(withdrawal)).toMatchObject({
      payment_ref: wechatPay.transfers.get(withdrawal.no)!.transfer_bill_no,
      transfer: { call: null },
    });
    expect(paidOut(withdrawal)).toEqual([{ no: withdrawal.no, openid, amount: 9940 }]);
    expect((await asAdmin("GET", "/adminapi/payment/notification?outcome=transfer")).body.list[0]).toMatchObject({
      order_no: withdrawal.no,
      amount: "99.40",
      reason: "succeeded",
    });
  });

  // Guarantee money/transfer-once: A withdrawal to WeChat is paid once, even if responses are lost
  // By: one number, and no error response counts as a refusal (decision 0049), functions/worker/transfer.ts
  it.each(["before", "after", "unsigned", "html", "failing"] as const)(
    "is requested again with the same number after a response that is %s",
    async (trouble) => {
      const before = wechatPay.transfers.size;
      const withdrawal = await approved();
      await workWith(trouble);
      expect(await page(withdrawal)).toMatchObject({
        state: "paying",
        transfer: { call: { last_problem: expect.any(String) } },
      });
      await work();
      expect(wechatPay.transfers.size - before, "transfers that the member could confirm").toBe(1);
      expect((await read(withdrawal)).confirmation).toMatchObject({ package: expect.any(String) });
      await finish(withdrawal);
      expect(paidOut(withdrawal)).toHaveLength(1);
      expect(await read(withdrawal)).toMatchObject({ state: "paid" });
    },
  );

  it("is paid even if WeChat notifies before the response to the request, or never", async () => {
    for (const notifies of [true, false]) {
      const withdrawal = await approved();
      wechatPay.beforeResponse = async (no) => {
        wechatPay.confirmTransfer(no);
        wechatPay.decideTransfer(no);
        if (notifies) expect(await wechatPay.notifyTransfer(no)).toBe(200);
      };
      await work();
      expect(await read(withdrawal)).toMatchObject({ state: "paid" });
      expect(paidOut(withdrawal)).toHaveLength(1);
    }
  });

  it("gets what opens the page of WeChat also if WeChat accepts it slowly", async () => {
    wechatPay.acceptsSlowly = true;
    const withdrawal = await approved();
    await work();
    expect(await read(withdrawal)).toMatchObject({ transfer_state: "accepted", confirmation: null });
    wechatPay.decideTransfer(withdrawal.no);
    await work();
    expect((await read(withdrawal)).confirmation).not.toBeNull();
    await finish(withdrawal);
  });

  it("that nobody confirms returns to the balance once", async () => {
    const before = await balance();
    const withdrawal = await approved();
    await work();
    wechatPay.decideTransfer(withdrawal.no, "OVERDUE_CLOSE");
    await work();
    expect(await wechatPay.notifyTransfer(withdrawal.no)).toBe(200);
    expect(await read(withdrawal)).toMatchObject({
      state: "failed",
      transfer_state: "failed",
      reason: "OVERDUE_CLOSE",
    });
    expect(await balance()).toBe(before);
    expect(paidOut(withdrawal)).toEqual([]);
  });

  it("waits while the merchant has no money", async () => {
    wechatPay.balance = 0;
    const withdrawal = await approved();
    await work();
    expect(await page(withdrawal)).toMatchObject({
      state: "paying",
      transfer: { call: { last_problem: expect.stringContaining("NOT_ENOUGH") } },
    });
    wechatPay.balance = 10 ** 12;
    const {
      transfer: {
        call: { id },
      },
    } = await page(withdrawal);
    expect((await asAdmin("PUT", `/adminapi/outbox/${id}/retry`)).status).toBe(200);
    await work();
    await finish(withdrawal);
    expect(paidOut(withdrawal)).toHaveLength(1);
  });

  it("names the member from 2,000 on, encrypted, and forgets the name afterwards", async () => {
    const reply = await send("POST", "/api/withdrawal", { amount: "2100.00", method: "wechat" });
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([expect.objectContaining({ pointer: "/payee_name" })]);
    const withdrawal = await approved("2100.00", { payee_name: "林薇" });
    await workWith("after");
    await work();
    for (const { body } of wechatPay.received) expect(body).not.toContain("林薇");
    expect(wechatPay.transfers.get(withdrawal.no)!.request.user_name).toBe("林薇");
    await finish(withdrawal);
    expect(await sql`select from app.transfers where payee_name is not null`).toEqual([]);
  });
});

describe("an administrator", () => {
  it("cannot say how a transfer ends, and can have WeChat cancel it", async () => {
    const before = await balance();
    const withdrawal = await approved();
    await work();
    expectProblem(await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/paid`, {}), "withdrawal_state_conflict");
    expectProblem(
      await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/failed`, { reason: "late" }),
      "withdrawal_state_conflict",
    );
    expectProblem(
      await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/refuse`, { reason: "late" }),
      "withdrawal_state_conflict",
    );
    expect((await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/cancel`)).body).toMatchObject({
      state: "paying",
    });
    await work();
    expect(await read(withdrawal)).toMatchObject({ state: "paying", transfer_state: "cancelling", confirmation: null });
    expect(wechatPay.confirmTransfer(withdrawal.no)).toBe(false);
    wechatPay.decideTransfer(withdrawal.no);
    await work();
    expect(await read(withdrawal)).toMatchObject({ state: "failed", transfer_state: "cancelled", reason: "CANCELLED" });
    expect(await balance()).toBe(before);
  });

  it("cancels too late what the member has confirmed", async () => {
    const withdrawal = await approved();
    await work();
    wechatPay.confirmTransfer(withdrawal.no);
    expect((await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/cancel`)).status).toBe(200);
    wechatPay.decideTransfer(withdrawal.no);
    await work();
    expect(await read(withdrawal)).toMatchObject({ state: "paid" });
    expectProblem(await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/cancel`), "withdrawal_state_conflict");
  });

  it("gets back what WeChat never had an hour after the last request, and not before", async () => {
    const before = await balance();
    const withdrawal = await approved();
    await workWith("before");
    await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/cancel`);
    await work();
    expect(await page(withdrawal)).toMatchObject({
      state: "paying",
      transfer: { call: { last_problem: expect.stringContaining("an hour") } },
    });
    await sql`update app.transfers set first_asked_at = first_asked_at - interval '61 minutes', asked_at = asked_at - interval '61 minutes' where asked_at is not null`;
    await work();
    expect(await read(withdrawal)).toMatchObject({
      state: "failed",
      transfer_state: "cancelled",
      reason: "NEVER_STARTED",
    });
    expect(await balance()).toBe(before);
    expect(wechatPay.transfers.has(withdrawal.no)).toBe(false);
  });

  it("records how a transfer ended that WeChat has forgotten, which is never requested again", async () => {
    const withdrawal = await approved();
    await workWith("after");
    wechatPay.confirmTransfer(withdrawal.no);
    wechatPay.decideTransfer(withdrawal.no);
    expect(paidOut(withdrawal)).toHaveLength(1);
    // For a month, no call succeeds.
    wechatPay.transfers.delete(withdrawal.no);
    await sql`update app.transfers set first_asked_at = first_asked_at - interval '30 days', asked_at = asked_at - interval '30 days' where asked_at is not null`;
    wechatPay.received.splice(0);
    await work();
    expect(wechatPay.received.map(({ what }) => what)).toEqual([expect.stringContaining("GET")]);
    expect(await page(withdrawal)).toMatchObject({
      state: "paying",
      transfer: { ends_by_hand: true, call: { last_problem: expect.stringContaining("record how it ended") } },
    });
    expect((await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/paid`)).status).toBe(200);
    await work();
    expect(paidOut(withdrawal)).toHaveLength(1);
  });

  it("cannot continue a transfer by another merchant, who would pay it again", async () => {
    const withdrawal = await approved();
    await workWith("after");
    wechatPay.received.splice(0);
    const moved = await serveEdgeFunction("worker", clone.url, {
      ...wechatPay.settings(),
      STORE_WORKER_SECRET: SECRET,
      STORE_FUNCTIONS_URL: api.base,
      STORE_WECHAT_PAY_MCHID: "1900000002",
    });
    try {
      await work(moved);
    } finally {
      await moved.stop();
    }
    expect(wechatPay.received).toEqual([]);
    expect(await page(withdrawal)).toMatchObject({
      state: "paying",
      transfer: {
        call: { last_problem: expect.stringContaining(`The merchant ${MCHID} has requested this transfer.`) },
      },
    });
    await work();
    await finish(withdrawal);
    expect(await read(withdrawal)).toMatchObject({ state: "paid" });
    expect(paidOut(withdrawal)).toHaveLength(1);
  });

  it("refuses what was approved, and WeChat is never asked", async () => {
    const withdrawal = await approved();
    expect(
      (await asAdmin("PUT", `/adminapi/withdrawal/${withdrawal.id}/refuse`, { reason: "The account is suspicious." }))
        .status,
    ).toBe(200);
    await work();
    expect(wechatPay.received).toEqual([]);
  });
});

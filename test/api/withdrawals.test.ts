import Papa from "papaparse";
import { beforeAll, describe, expect, it } from "vitest";
import { connect, stack } from "../support/index.ts";
import {
  type Account,
  addProduct,
  call,
  expectProblem,
  giveCommission,
  readText,
  signUp,
  signUpAdmin,
} from "./client.ts";
import { as, buyAndSettle } from "./scenario.ts";
import { type Cell, readWorkbook } from "./workbook.ts";

const NOBODY = 900_000_000_000_001;
const BANK = { method: "bank", holder: "Chen Jing", account_no: "6222 0212 3456 7890 128", bank: "ICBC" };

let admin: Account;
/** Pays what the other has approved. */
let payer: Account;
beforeAll(async () => {
  [admin, payer] = await Promise.all([signUpAdmin("Finance"), signUpAdmin("Payer")]);
});

/** A member with 1,000.00 that can be withdrawn, and an account. */
async function payee(account: object = BANK) {
  const member = await signUp("Payee");
  await giveCommission(member, "1000.00");
  const {
    body: { id },
  } = await as(member).post("/api/account", account);
  return { member, account_id: id as number };
}

/** Lets the commission of an order mature now. */
async function haveMatured(order: number): Promise<void> {
  const sql = connect(stack().database_url);
  await sql`update app.commission_maturities set matures_at = now() where order_id = ${order}`;
  await sql.end();
}

const ask = ({ member, account_id }: Awaited<ReturnType<typeof payee>>, amount = "100.00", method = "bank") =>
  as(member).post("/api/withdrawal", { amount, method, account_id });

describe("a member", () => {
  it("reads the terms, adds an account, withdraws, and reads how it goes", async () => {
    const { member, account_id } = await payee();
    expect((await as(member).get("/api/account")).body).toEqual([
      {
        id: account_id,
        method: "bank",
        holder: "Chen Jing",
        account_no: "622****0128",
        bank: "ICBC",
        add_time: expect.any(String),
      },
    ]);
    expect((await as(member).get("/api/withdrawal/terms")).body).toEqual({
      methods: ["bank", "alipay"].map((method) => ({ method, minimum: "10.00", maximum: "1000.00", name_from: null })),
      fee_rate: 0,
      real_name: null,
      withdrawable: "1000.00",
      held_by_refunds: "0.00",
      open_withdrawal_id: null,
      obstacle: null,
      fee: null,
      estimated_tax: null,
      net_amount: null,
    });
    expect((await as(member).get("/api/withdrawal/terms?amount=250.5")).body).toMatchObject({
      fee: "0.00",
      net_amount: "250.50",
    });

    const { status, body } = await ask({ member, account_id }, "250.5");
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      withdrawal_no: expect.stringMatching(/^W\d{22}$/),
      method: "bank",
      account: "ICBC 622****0128",
      amount: "250.50",
      fee: "0.00",
      tax: "0.00",
      net_amount: "250.50",
      state: "requested",
      transfer_state: null,
      reason: null,
      add_time: expect.any(String),
      approved_at: null,
      paying_at: null,
      ended_at: null,
    });
    expect((await as(member).get("/api/withdrawal")).body).toEqual({ list: [body], count: 1, next_cursor: null });
    expect((await as(member).get("/api/withdrawal/terms")).body).toMatchObject({
      withdrawable: "749.50",
      open_withdrawal_id: body.id,
    });
    expect((await as(member).get("/api/hjf/assets/overview")).body).toMatchObject({
      withdrawable: "749.50",
      brokerage_price: "749.50",
    });
    expectProblem(await ask({ member, account_id }), "withdrawal_open");
    expectProblem(await as(member).delete(`/api/account/${account_id}`), "account_in_use");

    await as(admin).put(`/adminapi/withdrawal/${body.id}/refuse`, { reason: "Please correct the name." });
    expect((await as(member).get("/api/withdrawal")).body.list[0]).toMatchObject({
      state: "refused",
      reason: "Please correct the name.",
    });
    expectProblem(await ask({ member, account_id }, "1000.01"), "withdrawal_exceeds_balance");
    expect((await as(member).delete(`/api/account/${account_id}`)).body).toEqual({ id: account_id });
  });

  // Guarantee money/request-repeated
  it("gets one withdrawal for a request that is repeated with its key", async () => {
    const { member, account_id } = await payee();
    const init = { headers: { "idempotency-key": crypto.randomUUID() } };
    const json = { amount: "100.00", method: "bank", account_id };
    const send = () => call("POST", "/api/withdrawal", { token: member.token, json, init });
    const replies = await Promise.all([send(), send()]);
    expect(replies.map(({ body }) => body.id ?? body.code).sort()).toSatisfy(
      ([one, two]) => one === two || two === "idempotency_key_in_use",
    );
    // Another withdrawal would be rejected, because one is open.
    const first = replies.find(({ status }) => status === 201)!;
    expect([(await send()).status, (await send()).body]).toEqual([201, first.body]);
    expect((await as(member).get("/api/withdrawal")).body.count).toBe(1);
  });

  it("cancels a withdrawal that nobody has approved, and gets the amount back", async () => {
    const owner = await payee();
    const { id } = (await ask(owner)).body;
    const { status, body } = await as(owner.member).put(`/api/withdrawal/${id}/cancel`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      state: "cancelled",
      reason: null,
      approved_at: null,
      ended_at: expect.any(String),
    });
    expect((await as(owner.member).get("/api/withdrawal/terms")).body).toMatchObject({
      withdrawable: "1000.00",
      open_withdrawal_id: null,
    });
    expect((await as(owner.member).put(`/api/withdrawal/${id}/cancel`)).body).toEqual(body);
    expectProblem(await as(admin).put(`/adminapi/withdrawal/${id}/approve`), "withdrawal_state_conflict");
    expect((await as(admin).get(`/adminapi/withdrawal?uid=${owner.member.uid}&state=cancelled`)).body).toMatchObject({
      count: 1,
      states: { requested: 0, cancelled: 1 },
    });

    const { id: next } = (await ask(owner)).body;
    await as(admin).put(`/adminapi/withdrawal/${next}/approve`);
    expectProblem(await as(owner.member).put(`/api/withdrawal/${next}/cancel`), "withdrawal_state_conflict");
    expectProblem(await as(owner.member).put(`/api/withdrawal/${NOBODY}/cancel`), "withdrawal_not_found");
    expect((await as(owner.member).get("/api/withdrawal/terms")).body).toMatchObject({ withdrawable: "900.00" });
  });

  it("is told in their language what is wrong", async () => {
    const { member, account_id } = await payee();
    const { body } = await call("POST", "/api/withdrawal", {
      token: member.token,
      json: { amount: "1.00", method: "bank", account_id },
      init: { headers: { "accept-language": "zh" } },
    });
    expect(body).toMatchObject({
      code: "invalid_argument",
      errors: [{ in: "body", pointer: "/amount", detail: "单笔提现不得低于 10.00。" }],
    });
  });
});

describe("an administrator", () => {
  it("finds withdrawals by state, method and member, and how many there are in each state", async () => {
    const { member, account_id } = await payee();
    const {
      body: { id },
    } = await ask({ member, account_id });
    const { list, count, states } = (await as(admin).get(`/adminapi/withdrawal?uid=${member.uid}`)).body;
    expect(list).toEqual([
      expect.objectContaining({
        id,
        uid: member.uid,
        nickname: "Payee",
        account: "ICBC 622****0128",
        batch_id: null,
        payment_ref: null,
      }),
    ]);
    expect(count).toBe(1);
    expect(states).toEqual({ requested: 1, approved: 0, paying: 0, paid: 0, refused: 0, failed: 0, cancelled: 0 });
    for (const query of ["state=approved", "method=alipay", "to=2026-01-01T00:00:00Z", "sort=-ended_at"]) {
      expect((await as(admin).get(`/adminapi/withdrawal?uid=${member.uid}&${query}`)).body, query).toMatchObject({
        list: [],
        count: 0,
      });
    }
    expect((await as(admin).get(`/adminapi/withdrawal/${id}`)).body).toMatchObject({
      withdrawable: "900.00",
      batch_no: null,
      payee: { holder: "Chen Jing", account_no: "6222021234567890128", bank: "ICBC" },
    });
    expectProblem(await as(admin).get(`/adminapi/withdrawal/${NOBODY}`), "withdrawal_not_found");
  });

  it("pages the list by number and by cursor", async () => {
    for (let n = 0; n < 3; n += 1) await ask(await payee());
    const first = (await as(admin).get("/adminapi/withdrawal?limit=2")).body;
    const second = (await as(admin).get("/adminapi/withdrawal?limit=2&page=2")).body;
    const after = (await as(admin).get(`/adminapi/withdrawal?limit=2&cursor=${first.next_cursor}`)).body;
    expect(after.list).toEqual(second.list);
    expect(first.list[1].id).toBeGreaterThan(second.list[0].id);
    const oldest = (await as(admin).get("/adminapi/withdrawal?limit=2&sort=id")).body;
    const next = (await as(admin).get(`/adminapi/withdrawal?limit=1&sort=id&cursor=${oldest.next_cursor}`)).body;
    expect(next.list[0].id).toBeGreaterThan(oldest.list[1].id);
    expectProblem(await as(admin).get("/adminapi/withdrawal?sort=amount"), "invalid_argument");
  });

  it("approves several at once, and learns of each that cannot be approved", async () => {
    const asked = [(await ask(await payee())).body, (await ask(await payee())).body];
    const ids = asked.map(({ id }) => id);
    const approved = asked.map(({ id, withdrawal_no }) => ({ id, withdrawal_no, result: "approved", problem: null }));
    const unknown = { id: NOBODY, withdrawal_no: null, result: "rejected", problem: "withdrawal_not_found" };
    expectProblem(await as(admin).put("/adminapi/withdrawal/approve", { ids: [NOBODY] }), "withdrawal_not_found");
    expect((await as(admin).put("/adminapi/withdrawal/approve", { ids: [...ids, NOBODY] })).body).toEqual({
      lines: [...approved, unknown],
    });
    for (const id of ids) expect((await as(admin).get(`/adminapi/withdrawal/${id}`)).body.state).toBe("approved");
    expect((await as(admin).get(`/adminapi/action?target_type=withdrawal&target_id=${ids[0]}`)).body.list).toEqual([
      expect.objectContaining({
        function: "approve_withdrawals",
        from: { state: "requested" },
        to: { state: "approved" },
      }),
    ]);
  });

  it("previews which of several need no further look, and why the others do", async () => {
    const own = (account_no: string) => payee({ ...BANK, account_no });
    const clear = (await ask(await own("622202120001"))).body;
    const one = await own("622202120002");
    const shared = (await ask(one, "120.00")).body;
    await own("622202120002");
    const signals = ["shared_account"];
    const preview = (ids: number[]) => as(admin).post("/adminapi/withdrawal/approve/preview", { ids });
    expect((await preview([shared.id, clear.id])).body).toEqual({
      ids: [clear.id],
      amount: "100.00",
      left_out: [
        {
          id: shared.id,
          withdrawal_no: shared.withdrawal_no,
          uid: one.member.uid,
          nickname: "Payee",
          amount: "120.00",
          reasons: ["signal"],
          signals,
          can_be_approved: true,
        },
      ],
    });
    expectProblem(await preview([NOBODY]), "withdrawal_not_found");
    expect((await as(admin).get(`/adminapi/withdrawal?uid=${one.member.uid}`)).body.list[0]).toMatchObject({ signals });
    expect((await as(admin).get(`/adminapi/withdrawal/${clear.id}`)).body).toMatchObject({ signals: [] });
  });

  it("pays a batch from its file, and records what failed", async () => {
    const evil = await payee({ ...BANK, holder: '=HYPERLINK("http://x")', bank: 'Bank, "of" 中国' });
    const good = await payee();
    const ids: number[] = [(await ask(evil)).body.id, (await ask(good, "200.00")).body.id];
    await as(admin).put("/adminapi/withdrawal/approve", { ids });
    const { status, body: batch } = await as(payer).post("/adminapi/withdrawal/batch", { method: "bank", ids });
    expect(status).toBe(201);
    expect(batch).toMatchObject({
      method: "bank",
      withdrawals: 2,
      amount: "300.00",
      paying: 2,
      paid: 0,
      failed: 0,
      created_by: { uid: payer.uid },
    });
    expectProblem(
      await as(payer).post("/adminapi/withdrawal/batch", { method: "bank", ids }),
      "withdrawal_state_conflict",
    );
    expectProblem(
      await as(admin).put(`/adminapi/withdrawal/${ids[0]}/refuse`, { reason: "too late" }),
      "withdrawal_state_conflict",
    );

    const file = await readText(`/adminapi/withdrawal_batch/${batch.id}`, admin, { "accept-language": "en" });
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="${batch.batch_no}.csv"`);
    const numbers = await Promise.all(
      ids.map(async (id) => (await as(admin).get(`/adminapi/withdrawal/${id}`)).body.withdrawal_no),
    );
    expect(file.text).toBe(
      "\uFEFFWithdrawal,Account holder,Bank,Account number,Amount\r\n" +
        `${numbers[0]},"'=HYPERLINK(""http://x"")","Bank, ""of"" 中国",6222021234567890128,100.00\r\n` +
        `${numbers[1]},Chen Jing,ICBC,6222021234567890128,200.00\r\n`,
    );
    const chinese = await readText(`/adminapi/withdrawal_batch/${batch.id}`, admin, { "accept-language": "zh-CN" });
    expect(chinese.text.split("\r\n")[0]).toBe("\uFEFF提现单号,收款人,开户银行,收款账号,金额");
    expect(chinese.text.split("\r\n").slice(1)).toEqual(file.text.split("\r\n").slice(1));

    expect(
      (await as(admin).put(`/adminapi/withdrawal/${ids[0]}/failed`, { reason: "The account is closed." })).body,
    ).toMatchObject({
      state: "failed",
    });
    expect((await as(evil.member).get("/api/withdrawal/terms")).body.withdrawable).toBe("1000.00");
    expect(
      (await as(payer).put(`/adminapi/withdrawal_batch/${batch.id}/paid`, { payment_ref: "statement 7" })).body,
    ).toMatchObject({
      paying: 0,
      paid: 1,
      failed: 1,
    });
    expect((await as(admin).get(`/adminapi/withdrawal?batch_id=${batch.id}&state=paid`)).body.list).toEqual([
      expect.objectContaining({ id: ids[1], payment_ref: "statement 7" }),
    ]);
    expect((await as(admin).get("/adminapi/withdrawal_batch")).body.list).toContainEqual(
      expect.objectContaining({ id: batch.id, paid: 1, failed: 1 }),
    );
    expect((await readText(`/adminapi/withdrawal_batch/${batch.id}`, admin)).text).toBe(file.text);
    expectProblem(await as(admin).get(`/adminapi/withdrawal_batch/${NOBODY}`), "withdrawal_not_found");
  });

  // Guarantee money/batch-account-numbers: The file of a batch has account numbers as their members entered them
  // By: what a spreadsheet would evaluate is rejected, app.check_payout_account
  it("gets every account number as its member has entered it in the file of a batch, as CSV and in Excel", async () => {
    const accounts = [
      ...["+8613800000000", "13800000000", "chen@example.com"].map((account_no) => ({
        method: "alipay",
        holder: "Chen Jing",
        account_no,
      })),
      // A spreadsheet that takes them for numbers rounds the first, drops zeros of the second and reads the third as
      // 10^15.
      ...["6222021234567890128", "0012345678901234567", "1E000015"].map((account_no) => ({
        method: "bank",
        holder: "=陈_x0041_ <静> & Co",
        account_no,
        bank: "ICBC",
      })),
    ];
    for (const method of ["alipay", "bank"]) {
      const ids: number[] = [];
      const numbers: string[] = [];
      for (const account of accounts.filter((each) => each.method === method)) {
        ids.push((await ask(await payee(account), "100.50", method)).body.id);
        numbers.push(account.account_no);
      }
      await as(admin).put("/adminapi/withdrawal/approve", { ids });
      const { body: batch } = await as(payer).post("/adminapi/withdrawal/batch", { method, ids });
      await expectFiles(batch, numbers);
    }
    expectProblem(await as(admin).get(`/adminapi/withdrawal_batch/${NOBODY}/xlsx`), "withdrawal_not_found");
  });

  async function expectFiles(batch: { id: number; batch_no: string }, numbers: string[]) {
    const path = `/adminapi/withdrawal_batch/${batch.id}`;
    for (const language of ["en", "zh-CN"]) {
      const { text } = await readText(path, admin, { "accept-language": language });
      const [titles, ...lines] = Papa.parse<string[]>(text.slice(1).trimEnd()).data;
      expect(lines.map((line) => line[3])).toEqual(numbers);
      await readText(`${path}/xlsx`, admin);
      const { headers, rows } = await readWorkbook(`${path}/xlsx`, admin, language);
      expect(headers.get("content-type")).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
      expect(headers.get("content-disposition")).toBe(`attachment; filename="${batch.batch_no}.xlsx"`);
      // A CSV file marks a text that a spreadsheet would evaluate; a cell of text needs no mark.
      expect(rows.map((row) => row.map(({ text: cell }) => cell))).toEqual([
        titles,
        ...lines.map(([no, holder, bank, account, amount]) => [no, holder!.replace(/^'=/, "="), bank, account, amount]),
      ]);
      const kinds = (row: Cell[]) => row.map(({ kind, format }) => `${kind} ${format}`);
      expect(rows.map(kinds)).toEqual([
        titles!.map(() => "text @"),
        ...lines.map(() => ["text @", "text @", "text @", "text @", "number 0.00"]),
      ]);
    }
  }

  it("pays one by hand, without a batch", async () => {
    const { member, account_id } = await payee({
      method: "alipay",
      holder: "Chen Jing",
      account_no: "chen@example.com",
    });
    const {
      body: { id },
    } = await ask({ member, account_id }, "100.00", "alipay");
    expectProblem(await as(payer).put(`/adminapi/withdrawal/${id}/paid`), "withdrawal_state_conflict");
    await as(admin).put(`/adminapi/withdrawal/${id}/approve`);
    expect((await as(payer).put(`/adminapi/withdrawal/${id}/paid`, { payment_ref: "transfer 9" })).body).toMatchObject({
      state: "paid",
      payment_ref: "transfer 9",
      paying_at: null,
    });
    expect((await as(member).get("/api/withdrawal/terms")).body).toMatchObject({
      withdrawable: "900.00",
      open_withdrawal_id: null,
    });
  });

  it("is asked to repeat what refund requests hold, by the approval, the payment and the batch", async () => {
    const { member, account_id } = await payee();
    await giveCommission(member, "-1000.00");
    const goods = await addProduct("Held goods", "1000.00", true);
    await buyAndSettle(member, admin, goods);
    const buyer = await signUp("Unsure buyer", member.uid);
    const { order_id } = await buyAndSettle(buyer, admin, goods);
    await as(buyer).put(`/api/order/${order_id}/receive`);
    await haveMatured(order_id);
    const { id } = (await ask({ member, account_id }, "150.00")).body;
    await as(buyer).post(`/api/order/${order_id}/refund`, { reason: "Broken" });

    expect((await as(member).get("/api/withdrawal/terms")).body).toMatchObject({
      withdrawable: "0.00",
      held_by_refunds: "50.00",
    });
    expect((await as(member).get("/api/hjf/assets/overview")).body).toMatchObject({
      withdrawable: "0.00",
      held_by_refunds: "50.00",
    });
    expect((await as(admin).get(`/adminapi/withdrawal/${id}`)).body).toMatchObject({
      held_by_refunds: "150.00",
      held_orders: [{ order_id, amount: "200.00" }],
      debt: null,
    });
    expect((await as(admin).get(`/adminapi/order/${order_id}/settlement`)).body.held_by_refund).toMatchObject({
      uid: member.uid,
      amount: "200.00",
      has_matured: true,
    });
    const stopped = await as(admin).put(`/adminapi/withdrawal/${id}/approve`);
    expectProblem(stopped, "held_by_refunds");
    expect(stopped.body).toMatchObject({
      status: 409,
      detail: expect.stringMatching(/^Open refund requests hold 150\.00: W\d{22} \(150\.00\)\.$/),
      errors: [{ in: "body", pointer: "/held_by_refunds" }],
    });
    expectProblem(await as(admin).put("/adminapi/withdrawal/approve", { ids: [id] }), "held_by_refunds");
    expectProblem(
      await as(admin).put(`/adminapi/withdrawal/${id}/approve`, { held_by_refunds: "149.99" }),
      "held_by_refunds",
    );
    expectProblem(
      await as(admin).put(`/adminapi/withdrawal/${id}/approve`, { held_by_refunds: 150 }),
      "invalid_argument",
    );
    expect(
      (await as(admin).put(`/adminapi/withdrawal/${id}/approve`, { held_by_refunds: "150.00" })).body,
    ).toMatchObject({
      state: "approved",
      held_by_refunds: "150.00",
    });
    expectProblem(
      await as(payer).put(`/adminapi/withdrawal/${id}/paid`, { payment_ref: "transfer 9" }),
      "held_by_refunds",
    );
    const preview = () => as(payer).post("/adminapi/withdrawal/batch/preview", { method: "bank" });
    const before = (await preview()).body;
    expect(before).toMatchObject({ method: "bank", held: 1, held_by_refunds: "150.00" });
    // Whoever approved it does not pay it.
    expect((await as(admin).post("/adminapi/withdrawal/batch/preview", { method: "bank" })).body).toMatchObject({
      held: 0,
      held_by_refunds: null,
    });
    expectProblem(await as(payer).post("/adminapi/withdrawal/batch/preview", { method: "wechat" }), "invalid_argument");
    expectProblem(await as(payer).post("/adminapi/withdrawal/batch", { method: "bank", ids: [id] }), "held_by_refunds");
    const { status, body: batch } = await as(payer).post("/adminapi/withdrawal/batch", {
      method: "bank",
      ids: [id],
      held_by_refunds: "150",
    });
    expect(status).toBe(201);
    expect((await preview()).body).toEqual({
      method: "bank",
      withdrawals: before.withdrawals - 1,
      held: 0,
      held_by_refunds: null,
    });
    expect((await as(payer).put(`/adminapi/withdrawal_batch/${batch.id}/paid`, {})).body).toMatchObject({ paid: 1 });
  });

  it("cannot act on their own withdrawal", async () => {
    await giveCommission(admin, "100.00");
    const {
      body: { id: account_id },
    } = await as(admin).post("/api/account", BANK);
    const {
      body: { id },
    } = await ask({ member: admin, account_id });
    expectProblem(await as(admin).put(`/adminapi/withdrawal/${id}/approve`), "own_account");
    expectProblem(await as(admin).put("/adminapi/withdrawal/approve", { ids: [id] }), "own_account");
  });

  it("sees who owes commission", async () => {
    const { member, account_id } = await payee();
    const {
      body: { id },
    } = await ask({ member, account_id }, "1000.00");
    await as(admin).put(`/adminapi/withdrawal/${id}/approve`);
    await as(payer).put(`/adminapi/withdrawal/${id}/paid`);
    await giveCommission(member, "-250.00");
    const { list, count, total } = (await as(admin).get("/adminapi/debt?limit=100")).body;
    expect(list).toContainEqual({
      uid: member.uid,
      nickname: "Payee",
      brokerage_price: "-250.00",
      maturing: "0.00",
      debt: "250.00",
      open_withdrawal_id: null,
    });
    expect(count).toBeGreaterThan(0);
    expect(Number(total)).toBeGreaterThanOrEqual(250);
    expectProblem(await ask({ member, account_id }, "10.00"), "withdrawal_exceeds_balance");
  });

  it("sees the debt beside a withdrawal until it ends", async () => {
    const { member, account_id } = await payee();
    const {
      body: { id },
    } = await ask({ member, account_id }, "900.00");
    const debts = async () => [
      (await as(admin).get(`/adminapi/withdrawal?uid=${member.uid}`)).body.list[0].debt,
      (await as(admin).get(`/adminapi/withdrawal/${id}`)).body.debt,
    ];
    expect(await debts()).toEqual([null, null]);
    await giveCommission(member, "-250.00");
    expect(await debts()).toEqual(["150.00", "150.00"]);
    await as(admin).put(`/adminapi/withdrawal/${id}/approve`);
    expect(await debts()).toEqual(["150.00", "150.00"]);
    await as(admin).put(`/adminapi/withdrawal/${id}/refuse`, { reason: "Refunded" });
    expect(await debts()).toEqual([null, null]);
  });
});

describe("GET /adminapi/export/withdrawals", () => {
  it("has a line for each withdrawal of the period, with masked accounts, in English or Chinese", async () => {
    const { member, account_id } = await payee();
    const refused = (await ask({ member, account_id }, "250.50")).body;
    await as(admin).put(`/adminapi/withdrawal/${refused.id}/refuse`, { reason: '=1+1, "twice"' });
    const paid = (await ask({ member, account_id }, "100.00")).body;
    await as(admin).put(`/adminapi/withdrawal/${paid.id}/approve`);
    await as(payer).put(`/adminapi/withdrawal/${paid.id}/paid`, { payment_ref: "statement 8" });
    const [afterPayment, afterRefusal] = (await as(admin).get(`/adminapi/withdrawal?uid=${member.uid}`)).body.list;

    const linesOf = async (language: string, to = "") => {
      const { headers, text } = await readText(`/adminapi/export/withdrawals?from=${refused.add_time}${to}`, admin, {
        "accept-language": language,
      });
      expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
      const [header, ...lines] = Papa.parse<string[]>(text.replace("\uFEFF", "").trimEnd()).data;
      // Other files may request withdrawals at the same time.
      return { header, lines: lines.filter((line) => line[3] === String(member.uid)) };
    };
    const { time_zone } = (await as(admin).get("/adminapi/system/settings")).body;
    const written = (time: string) => {
      const local = new Intl.DateTimeFormat("sv-SE", {
        timeZone: time_zone,
        dateStyle: "short",
        timeStyle: "medium",
      }).format(new Date(time));
      const zone = new Intl.DateTimeFormat("en", { timeZone: time_zone, timeZoneName: "longOffset" })
        .formatToParts(new Date(time))
        .find(({ type }) => type === "timeZoneName")!.value;
      return `${local}${zone.replace("GMT", "") || "+00:00"}`;
    };
    const english = await linesOf("en");
    expect(english.header).toEqual([
      "Requested",
      "Withdrawal",
      "Number",
      "Member",
      "Method",
      "Account",
      "Amount",
      "Fee",
      "Amount less fee",
      "State",
      "Reason",
      "Payment reference",
      "Approved at",
      "Ended at",
      "Tax withheld",
      "Amount less fee and tax",
    ]);
    const start = ({ id, withdrawal_no, add_time }: typeof paid) => [
      written(add_time),
      String(id),
      withdrawal_no,
      String(member.uid),
      "Bank",
      "ICBC 622****0128",
    ];
    expect(english.lines).toEqual([
      [
        ...start(refused),
        "250.50",
        "0.00",
        "250.50",
        "Refused",
        '\'=1+1, "twice"',
        "",
        "",
        written(afterRefusal.ended_at),
        "0.00",
        "250.50",
      ],
      [
        ...start(paid),
        "100.00",
        "0.00",
        "100.00",
        "Paid",
        "",
        "statement 8",
        written(afterPayment.approved_at),
        written(afterPayment.ended_at),
        "0.00",
        "100.00",
      ],
    ]);
    const chinese = await linesOf("zh-CN");
    expect(chinese.header!.slice(0, 3)).toEqual(["申请时间", "提现编号", "提现单号"]);
    expect(chinese.lines.map((line) => [line[4], line[9]])).toEqual([
      ["银行", "已拒绝"],
      ["银行", "已付款"],
    ]);
    const workbook = await readWorkbook(`/adminapi/export/withdrawals/xlsx?from=${refused.add_time}`, admin, "en");
    const cells = workbook.rows.filter((row) => row[3]!.text === String(member.uid));
    expect([workbook.rows[0]!.map(({ text }) => text), ...cells.map((row) => row.map(({ text }) => text))]).toEqual([
      english.header,
      ...english.lines.map((line) => line.map((text) => text.replace(/^'=/, "="))),
    ]);
    expect(cells[0]!.slice(5, 10).map(({ kind }) => kind)).toEqual(["text", "number", "number", "number", "text"]);
    expect((await linesOf("en", `&to=${paid.add_time}`)).lines).toEqual([english.lines[0]]);
    expectProblem(await as(member).get("/adminapi/export/withdrawals"), "forbidden");
  });
});

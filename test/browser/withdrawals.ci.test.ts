import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { beforeAll, expect, it } from "vitest";
import { localDirectory } from "../../scripts/ground/paths.ts";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers, keepPicture } from "./browser.ts";
import { demoConsole, password } from "./demo_console.ts";
import { shownAmount } from "./demo_orders.ts";

// The daily work of finance: review, batch, bank file, paid or failed.
const demo = demoConsole();
const screenshots = join(localDirectory, "screenshots");
mkdirSync(screenshots, { recursive: true });

async function signIn(email: string): Promise<(method: string, path: string, json?: unknown) => Promise<any>> {
  const { supabase_url, publishable_key, functions_url } = demo.info;
  const response = await fetch(`${supabase_url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishable_key, "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  const { access_token } = (await response.json()) as { access_token: string };
  return async (method, path, json) => {
    const body = json === undefined ? {} : { body: JSON.stringify(json) };
    const response = await fetch(`${functions_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
      ...body,
    });
    return response.json();
  };
}

// One administrator does it all, so there is nobody else who could approve.
beforeAll(() => demo.sql`select app.remove_administrator('finance@example.com')`);

/** All commission of the demo month has matured. */
const mature = () => demo.sql`update app.commission_maturities set matures_at = now() - interval '1 day'`;

it("an administrator approves a withdrawal, pays it with the file of a batch, and the member sees it paid", async () => {
  await mature();
  const chen = await signIn("chen@example.com");
  const { id: account_id } = await chen("POST", "/api/account", {
    method: "bank",
    holder: "Chen Jing",
    account_no: "6222 0212 3456 7890 128",
    bank: "ICBC",
  });
  const { id, withdrawal_no } = await chen("POST", "/api/withdrawal", {
    amount: "1000.00",
    method: "bank",
    account_id,
  });

  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/overview");
  await page
    .getByRole("region", { name: "What waits for you" })
    .getByRole("link", { name: "Withdrawals to review" })
    .click();
  await page.getByRole("row", { name: withdrawal_no }).getByText("ICBC 622****0128").waitFor();
  expect(await page.getByText("6222021234567890128").count()).toBe(0);
  await page.getByRole("checkbox", { name: `Select ${withdrawal_no}` }).check();
  await page.getByRole("button", { name: "Approve 1 selected" }).click();
  await page.getByRole("dialog", { name: "Approve 1 withdrawal?" }).getByText("1,000.00").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText("Approved.", { exact: true }).waitFor();

  await open(`/withdrawals/${id}`);
  await page.getByText("6222021234567890128").waitFor();
  await open("/withdrawals");
  await page.getByRole("button", { name: "New batch" }).click();
  // Only those of the chosen method are counted.
  const [approved] =
    await demo.sql`select count(*)::integer as count from app.withdrawals where state = 'approved' and method = 'bank'`;
  await page
    .getByRole("dialog")
    .getByText(new RegExp(`^${approved!.count} withdrawals? goe?s? into the batch`))
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Create the batch" }).click();
  const created = await page.getByText(/^Batch B\d{8} was created/).innerText();
  const batch = /B\d{8}/.exec(created)![0];
  // The page shows the batch, which stands below the list.
  const top = async () => (await page.getByRole("heading", { name: "Batches" }).boundingBox())!.y;
  await expect.poll(top).toBeLessThan(600);
  const [downloaded] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `CSV: ${batch}` }).click(),
  ]);
  expect(readFileSync(await downloaded.path(), "utf8")).toBe(
    `\uFEFFWithdrawal,Account holder,Bank,Account number,Amount\r\n${withdrawal_no},Chen Jing,ICBC,6222021234567890128,1000.00\r\n`,
  );
  const [workbook] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Excel: ${batch}` }).click(),
  ]);
  expect([workbook.suggestedFilename(), readFileSync(await workbook.path(), "latin1").slice(0, 2)]).toEqual([
    downloaded.suggestedFilename().replace(".csv", ".xlsx"),
    "PK",
  ]);
  await page.getByRole("button", { name: `Mark as paid: ${batch}` }).click();
  await page.getByRole("dialog").getByLabel("Payment reference (optional)").fill("statement 7");
  await page.getByRole("dialog").getByRole("button", { name: "Mark as paid", exact: true }).click();
  await page.getByText("The batch was marked as paid.").waitFor();
  await settle(page);
  expect((await chen("GET", "/api/withdrawal")).list[0]).toMatchObject({ id, state: "paid" });
  expect(complaints).toEqual([]);
});

it("an administrator refuses a withdrawal with a reason, and finds members with debts", async () => {
  await mature();
  const chen = await signIn("chen@example.com");
  const { id: account_id } = await chen("POST", "/api/account", {
    method: "alipay",
    holder: "Chen Jing",
    account_no: "chen@example.com",
  });
  const { id, withdrawal_no } = await chen("POST", "/api/withdrawal", {
    amount: "500.00",
    method: "alipay",
    account_id,
  });
  // The order that paid most is refunded after the commission was withdrawn.
  await demo.sql`update app.commission_maturities set matures_at = null where uid = 10007`;

  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/withdrawals");
  const row = page.getByRole("row", { name: withdrawal_no });
  await row.getByText(/^Owes ¥/).waitFor();
  await row.getByRole("checkbox").check();
  await page.getByRole("button", { name: "Approve 1 selected" }).click();
  await page
    .getByRole("dialog")
    .getByRole("row", { name: withdrawal_no })
    .getByText(/The member has a debt/)
    .waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await open("/debts");
  await page
    .getByRole("row", { name: /Chen Jing/ })
    .getByRole("link", { name: "Review" })
    .click();
  await page
    .getByRole("heading", { name: `Withdrawal ${withdrawal_no}` })
    .first()
    .waitFor();
  await page.getByText(/^Refunds have taken back commission/).waitFor();
  await page.getByRole("button", { name: "Refuse" }).click();
  await page.getByRole("dialog").getByText("¥500.00 returns to the balance").waitFor();
  await page.getByRole("dialog").getByLabel("Reason").fill("The order was refunded.");
  await page.getByRole("dialog").getByRole("button", { name: "Refuse", exact: true }).click();
  await page.getByText("Refused. The amount is back in the balance.").waitFor();
  expect((await chen("GET", "/api/withdrawal")).list[0]).toMatchObject({
    id,
    state: "refused",
    reason: "The order was refunded.",
  });
  expect(complaints).toEqual([]);
});

it("an administrator approves what can be approved of a selection, and sees why what changed meanwhile cannot", async () => {
  await mature();
  const chen = await signIn("chen@example.com");
  const { id: account_id } = await chen("POST", "/api/account", {
    method: "alipay",
    holder: "Chen Jing",
    account_no: "chen@example.com",
  });
  const { id, withdrawal_no } = await chen("POST", "/api/withdrawal", {
    amount: "500.00",
    method: "alipay",
    account_id,
  });
  const [others] =
    await demo.sql`select count(*)::int as n from app.withdrawals where state = 'requested' and id <> ${id}`;
  const [limit] = await demo.sql`select withdrawal_limit as value from app.settings`;
  await demo.sql`delete from app.decided_alone where kind = 'withdrawal'`;
  await demo.sql`update app.settings set withdrawal_limit = 10000000`;
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/withdrawals?state=requested");
  const bar = page.getByRole("region", { name: "Selected withdrawals" });
  await page.getByRole("checkbox", { name: "Select this page" }).click();
  const download = page.waitForEvent("download");
  await bar.getByRole("button", { name: "Selected as Excel: Withdrawals" }).click();
  expect((await download).suggestedFilename()).toMatch(/^withdrawals_.*\.xlsx$/);
  await bar.getByRole("button", { name: `Approve ${others!.n + 1} selected` }).click();
  await page
    .getByRole("dialog", { name: `Approve ${others!.n + 1} withdrawals?` })
    .getByText(/ in all\./)
    .waitFor();
  // Whoever asked for less can be approved.
  await demo.sql`update app.settings set withdrawal_limit = (select sum(amount) from app.withdrawals where state = 'requested' and id <> ${id})`;
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  await page.getByText(`Approved: ${others!.n}. Wait for a second administrator: 0. Not approved: 1.`).waitFor();
  const rejected = page.getByRole("dialog", { name: "Withdrawals that could not be approved" });
  await rejected.getByRole("row", { name: withdrawal_no }).getByText("It is above your daily limit").waitFor();
  expect(await barriers(page)).toEqual([]);
  await rejected.getByRole("link", { name: withdrawal_no }).click();
  await page
    .getByRole("heading", { name: `Withdrawal ${withdrawal_no}` })
    .first()
    .waitFor();
  expect(complaints).toEqual([]);
  await demo.sql`update app.settings set withdrawal_limit = ${limit!.value}`;
  await demo.sql`select from app.move_withdrawal(app.lock_withdrawal(${id}), 'refused', now(), 'Ask again.')`;
  await chen("DELETE", `/api/account/${account_id}`);
});

it("an administrator sees what WeChat says about a transfer, asks again, and cancels what the member does not confirm", async () => {
  await mature();
  const chen = await signIn("chen@example.com");
  await demo.sql`update app.settings set withdrawal_methods = '{bank, wechat}'`;
  await demo.sql`insert into app.wechat_accounts (appid, openid, auth_id) select 'wx1', 'openid of Chen', u.auth_id from app.users as u where u.uid = 10007`;
  const { id, withdrawal_no } = await chen("POST", "/api/withdrawal", { amount: "200.00", method: "wechat" });

  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open(`/withdrawals/${id}`);
  await page.getByRole("button", { name: "Approve" }).click();
  await page.getByRole("dialog").getByText("the member confirms it in WeChat").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Approve", exact: true }).click();
  // The worker of the demo has no merchant.
  await page.getByText("Error: WeChat Pay is not configured").waitFor();
  await page.getByRole("button", { name: "Ask WeChat again" }).click();
  await page.getByText("WeChat is being asked.").waitFor();

  await demo.sql`select app.begin_transfer(${withdrawal_no}, 'merchant', now()), app.record_transfer_state(${withdrawal_no}, 'confirming', 'bill 1', null, 'package', now())`;
  await open("/withdrawals?method=wechat");
  await page.getByRole("row", { name: withdrawal_no }).getByText("Waiting for the member to confirm").waitFor();
  await open(`/withdrawals/${id}`);
  await page.getByText("bill 1").waitFor();
  expect(await page.getByRole("button", { name: "Mark as paid" }).count()).toBe(0);
  await page.getByRole("button", { name: "Cancel the transfer" }).click();
  await page.getByRole("dialog").getByText("¥200.00 returns").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the transfer" }).click();
  await page.getByText("WeChat is asked to cancel.").waitFor();
  await demo.sql`select app.record_transfer_state(${withdrawal_no}, 'cancelled', 'bill 1', 'CANCELLED', null, now())`;
  await open(`/withdrawals/${id}`);
  await page.getByText("The transfer was cancelled.").waitFor();
  await settle(page);
  expect(await chen("GET", `/api/withdrawal/${id}`)).toMatchObject({ state: "failed", transfer_state: "cancelled" });
  expect(complaints).toEqual([]);
});

it("an administrator reads what refund requests hold of a batch, and decides about it before it is made", async () => {
  await mature();
  await demo.sql`delete from app.decided_alone where kind = 'withdrawal'`;
  await demo.sql`update app.settings set withdrawal_limit = 10000000`;
  const chen = await signIn("chen@example.com");
  const { id: account_id } = await chen("POST", "/api/account", {
    method: "bank",
    holder: "Chen Jing",
    account_no: "6222 0212 3456 7890 128",
    bank: "ICBC",
  });
  const { withdrawable } = await chen("GET", "/api/withdrawal/terms");
  const { id } = await chen("POST", "/api/withdrawal", { amount: withdrawable, method: "bank", account_id });
  await (
    await signIn("admin@example.com")
  )("PUT", `/adminapi/withdrawal/${id}/approve`, {});
  const [order] = await demo.sql`
    select m.order_id from app.commission_maturities as m join app.orders as o on o.id = m.order_id
    where m.uid = 10007 and m.amount_left > 0 and o.refund_status = 0 and o.state in ('paid', 'delivered') order by m.amount_left desc limit 1`;
  await demo.sql`select app.request_refund(${order!.order_id}, null, 'Too late', now())`;
  const [held] =
    await demo.sql`select app.admin_withdrawal_json(w) ->> 'held_by_refunds' as amount from app.withdrawals as w where w.id = ${id}`;
  const amount = `¥${shownAmount(held!.amount)}`;

  const words = {
    "zh-CN": { open: "新建批次", create: "创建批次", held: `其中 1 笔提现有佣金因退款申请暂扣，合计 ${amount}。` },
    "en-GB": {
      open: "New batch",
      create: "Create the batch",
      held: `Refund requests hold commission that 1 of these withdrawals pays out: ${amount}.`,
    },
  };
  for (const locale of ["zh-CN", "en-GB"] as const) {
    const { page, open, complaints } = await demo.visitAsAdministrator({ locale });
    const texts = words[locale];
    await open("/withdrawals");
    await page.getByRole("button", { name: texts.open }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(texts.held).waitFor();
    const create = dialog.getByRole("button", { name: texts.create });
    expect(await create.isDisabled()).toBe(true);
    expect(await barriers(page)).toEqual([]);
    await keepPicture(page, join(screenshots, `batch with held commission ${locale}.png`));
    if (locale === "en-GB") {
      await dialog.getByRole("radio", { name: `Go on, although ${amount} is held` }).check();
      await create.click();
      await page.getByText(/^Batch B\d{8} was created/).waitFor();
    }
    expect(complaints).toEqual([]);
  }
  expect((await chen("GET", `/api/withdrawal/${id}`)).state).toBe("paying");
});

/** A new member who asks for an amount of commission, to an account of this number. */
async function request(nickname: string, amount: string, account_no: string) {
  const [member] = await demo.sql`
    with member as (insert into app.users (nickname) values (${nickname}) returning uid)
    insert into app.user_balances (uid) select m.uid from member as m returning uid`;
  const { uid } = member!;
  await demo.sql`select from app.create_adjustment(${uid}, ${amount}, null, null, 'A test', null, now())`;
  const [asked] = await demo.sql`
    select w.id, w.withdrawal_no from app.add_payout_account(${uid}, 'bank', ${nickname}, ${account_no}, 'ICBC', now()) as a
    cross join lateral app.request_withdrawal(${uid}, ${amount}, 'bank', a.id, now()) as w`;
  return { uid, id: Number(asked!.id), withdrawal_no: asked!.withdrawal_no as string };
}

it("finance approves in at most five clicks what needs no closer look, and sees what is left out and why", async () => {
  await demo.sql`select from app.withdrawals as w, app.move_withdrawal(app.lock_withdrawal(w.id), 'refused', now(), 'Ask again.') where w.state = 'requested'`;
  await demo.sql`delete from app.decided_alone where kind = 'withdrawal'`;
  await demo.sql`update app.settings set withdrawal_limit = 1000`;
  const clear = [await request("Clear", "300.00", "622202120001"), await request("Other", "200.00", "622202120002")];
  const shared = await request("Shared", "150.00", "622202120003");
  await demo.sql`select from app.add_payout_account(10007, 'bank', 'Shared', '622202120003', 'ICBC', now())`;
  const large = await request("Large", "5000.00", "622202120004");
  const stateOf = async ({ id }: { id: number }) =>
    (await demo.sql`select state from app.withdrawals where id = ${id}`)[0]!.state;

  const { page, open, complaints } = await demo.visitAsAdministrator({ width: 1440, height: 900 });
  let clicks = 0;
  const click = async (target: Locator) => {
    clicks++;
    await target.click();
  };
  const rowIn = (part: Page | Locator, { withdrawal_no }: { withdrawal_no: string }) =>
    part.getByRole("row", { name: withdrawal_no });
  const dialog = page.getByRole("dialog");
  const confirm = dialog.getByRole("button", { name: "Approve", exact: true });
  await open("/overview");
  await click(
    page.getByRole("region", { name: "What waits for you" }).getByRole("link", { name: "Withdrawals to review" }),
  );
  await rowIn(page, shared).getByText("Signal: Same payout account").waitFor();
  expect(await rowIn(page, clear[0]!).getByText("Signal").count()).toBe(0);
  // The row stays one line.
  const signal = (await rowIn(page, shared).locator(".mantine-Badge-root").last().boundingBox())!;
  const cell = (await rowIn(page, shared).getByRole("cell").filter({ hasText: "Signal" }).boundingBox())!;
  expect((await rowIn(page, shared).boundingBox())!.height).toBe(40);
  expect(signal.x + signal.width).toBeLessThanOrEqual(cell.x + cell.width);
  await click(page.getByRole("checkbox", { name: "Select this page" }));
  await click(page.getByRole("button", { name: "Approve 4 selected" }));
  await page.getByRole("dialog", { name: "Approve 2 withdrawals?" }).getByText("¥500.00 in all").waitFor();
  await dialog.getByText("2 withdrawals need a closer look and are left out by default").waitFor();
  await rowIn(dialog, shared).getByText("Signal (Same payout account)").waitFor();
  await rowIn(dialog, shared).getByText("150.00").waitFor();
  await rowIn(dialog, large).getByText("Needs a second administrator").waitFor();
  expect(await barriers(page)).toEqual([]);
  await keepPicture(page, join(screenshots, "approval with some left out.png"));
  await click(confirm);
  await page.getByText("Approved.", { exact: true }).waitFor();
  expect(clicks).toBeLessThanOrEqual(5);
  expect(await Promise.all([...clear, shared, large].map(stateOf))).toEqual([
    "approved",
    "approved",
    "requested",
    "requested",
  ]);

  // The administrator includes what can be approved, after all.
  await page.getByRole("checkbox", { name: "Select this page" }).click();
  await page.getByRole("button", { name: "Approve 2 selected" }).click();
  await dialog.getByText("Each of the selected withdrawals needs a closer look first.").waitFor();
  expect(await confirm.isDisabled()).toBe(true);
  await dialog.getByRole("checkbox", { name: "Also approve 1 of these: ¥150.00" }).check();
  await page.getByRole("dialog", { name: "Approve 1 withdrawal?" }).getByText("¥150.00 in all").waitFor();
  await confirm.click();
  await expect.poll(() => Promise.all([shared, large].map(stateOf))).toEqual(["approved", "requested"]);

  await open(`/withdrawals/${shared.id}`);
  await page.getByText("These signals concern the member.").waitFor();
  expect(await barriers(page)).toEqual([]);
  await page.getByRole("link", { name: "Same payout account" }).click();
  await page.getByRole("tab", { name: "Same payout account", selected: true }).waitFor();
  await page
    .getByRole("row", { name: /622\*\*\*\*0003/ })
    .getByText("Shared")
    .waitFor();
  expect(complaints).toEqual([]);
});

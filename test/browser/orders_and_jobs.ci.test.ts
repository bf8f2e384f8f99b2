import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { connect } from "../support/index.ts";
import { plainPng } from "../support/wechat/fake_wechat.ts";
import { demoConsole, problem } from "./demo_console.ts";
import { commissionedOrder, orderOfThree, shownAmount, unpaidOrder } from "./demo_orders.ts";

const demo = demoConsole();

const balances = async (uid: number) =>
  (
    await demo.sql`select brokerage_price, frozen_points, available_points from app.user_balances where uid = ${uid}`
  )[0]!;

/**
 * Adds a picture to the refund request of an order, of which WeChat is in doubt; it refuses the reason.
 * @returns its id
 */
async function addPicture(orderId: number): Promise<string> {
  const [buyer] = await demo.sql<{ auth_id: string }[]>`
    update app.refunds as r set reason_check = 'risky' from app.orders as o join app.users as u on u.uid = o.uid where o.id = ${orderId} and r.order_id = o.id
    returning u.auth_id`;
  const { access_token } = (await demo.newSession("lin@example.com")) as { access_token: string };
  const response = await fetch(`${demo.info.functions_url}/picture/refund`, {
    method: "POST",
    headers: { authorization: `Bearer ${access_token}`, "content-type": "image/png" },
    body: new Uint8Array(plainPng(200, 100, 50, 300)),
  });
  const { id } = (await response.json()) as { id: string };
  await demo.sql`
    update app.pictures set owner = ${buyer!.auth_id}, refund_id = (select max(r.id) from app.refunds as r where r.order_id = ${orderId}),
      checked_at = now(), content_check = 'review'
    where id = ${id}`;
  return id;
}

describe("orders", () => {
  it("are found by id, by the end of the number and by the buyer's name", async () => {
    const [order] = await demo.sql`
      select o.id, o.order_no, u.nickname from app.orders as o join app.users as u on u.uid = o.uid where u.uid = 10007 order by o.id limit 1`;
    const { page, open } = await demo.visitAsAdministrator();
    await open("/orders");
    for (const search of [String(order!.id), order!.order_no.slice(-8), order!.nickname.toLowerCase()]) {
      await page.getByRole("searchbox", { name: "Search" }).fill(search);
      await page.waitForURL((url) => url.hash.includes(`search=${encodeURIComponent(search).replaceAll("%20", "+")}`));
      await settle(page);
      await page.getByText(order!.order_no, { exact: true }).waitFor();
      expect(await page.getByRole("row").count(), search).toBeLessThan(21);
    }
  });

  it("show what was paid, refunded and left", async () => {
    const { id, refund } = await orderOfThree(demo.sql);
    await refund(1);
    const [order] = await demo.sql`
      select o.pay_price as paid, sum(r.amount) as refunded, o.pay_price - sum(r.amount) as left
      from app.orders as o join app.refunds as r on r.order_id = o.id where o.id = ${id} group by o.id`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/orders");
    const row = page.getByRole("row").filter({ has: page.getByRole("link", { name: String(id), exact: true }) });
    await row.getByRole("button", { name: `More of ${id}` }).click();
    for (const [name, value] of [
      ["Refunded", order!.refunded],
      ["Left after refunds", order!.left],
    ])
      await page
        .locator(".row-details div", { has: page.locator("dt", { hasText: new RegExp(`^${name}$`) }) })
        .locator("dd", { hasText: shownAmount(value) })
        .first()
        .waitFor();
    await open(`/orders/${id}`);
    const headline = page.locator("[data-headline]");
    await headline.getByText(`¥${shownAmount(order!.paid)}`, { exact: true }).waitFor();
    await headline
      .getByText(`Refunded ¥${shownAmount(order!.refunded)} · Left after refunds ¥${shownAmount(order!.left)}`)
      .waitFor();
    expect(complaints).toEqual([]);
  });

  it("are marked as paid only with a reference, after a dialog with the amount and the settlement", async () => {
    const { id } = await unpaidOrder(demo.sql);
    const [order] = await demo.sql`select pay_price, queue_base from app.orders where id = ${id}`;
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    await page.getByText("Not paid yet").waitFor();
    await page.getByRole("button", { name: "Mark as paid" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(shownAmount(order!.pay_price), { exact: true }).waitFor();
    await dialog.getByText(`Base: ${shownAmount(order!.queue_base)}. Commission and points are booked`).waitFor();
    expect(await dialog.getByRole("button", { name: "Mark as paid" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Payment reference").fill("till-7");
    expect(await dialog.getByRole("button", { name: "Mark as paid" }).isEnabled()).toBe(true);
  });

  it("whose payment waits for a second administrator can be refused with a reason", async () => {
    const { id } = await unpaidOrder(demo.sql);
    await demo.sql`insert into app.waiting_payments (order_id, pay_ref, marked_by, add_time) values (${id}, 'till-9', gen_random_uuid(), now())`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    await page.getByRole("button", { name: "Refuse the payment" }).click();
    const dialog = page.getByRole("dialog");
    expect(await dialog.getByRole("button", { name: "Refuse", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Reason").fill("Nothing arrived");
    await dialog.getByRole("button", { name: "Refuse", exact: true }).click();
    await page.getByText("The payment was refused.").waitFor();
    await page.getByText("till-9: Nothing arrived").waitFor();
    expect(await page.getByRole("button", { name: "Refuse the payment" }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark as paid" }).waitFor();
    await page.getByText("Payment refused", { exact: true }).first().waitFor();
    await demo.sql`delete from app.waiting_payments`;
    expect(complaints).toEqual([]);
  });

  it("without queue goods have nothing to settle", async () => {
    const [order] =
      await demo.sql`select id from app.orders where paid_at is not null and not has_queue_goods order by id desc limit 1`;
    const visit = await demo.visitAsAdministrator();
    await visit.open(`/orders/${order!.id}`);
    await visit.page.getByText("The order has no queue goods. It pays no commission or points.").waitFor();
  });

  it("are refunded after a preview of what that reverses", async () => {
    const order = await commissionedOrder(demo.sql);
    const before = await balances(order.earner_uid);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open(`/orders/${order.order_id}`);
    await page.getByRole("button", { name: "Refund" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText(`Place ${order.place} of cycle ${order.cycle_no}`).waitFor();
    await dialog.getByText("Otherwise, pay the buyer back").waitFor();
    const shown = shownAmount(order.commission);
    await dialog.getByText(`-${shown}`).first().waitFor();
    expect(await balances(order.earner_uid)).toEqual(before);
    await dialog.getByRole("button", { name: /^Refund \d/ }).click();
    await dialog.waitFor({ state: "hidden" });
    const after = await balances(order.earner_uid);
    expect(Number(before.brokerage_price) - Number(after.brokerage_price)).toBeCloseTo(Number(order.commission), 2);
    await page.getByText("Show the computation").click();
    await page.getByText("Commission reversed").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("are paid back in part while the goods are kept, and their freight alone", async () => {
    const { id } = await orderOfThree(demo.sql);
    await demo.sql`update app.orders set freight = 9, pay_price = pay_price + 9 where id = ${id}`;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const dialog = page.getByRole("dialog");
    const confirm = dialog.getByRole("button", { name: /^Refund \d/ });
    const ask = async () => {
      await open(`/orders/${id}`);
      await page.getByRole("button", { name: "Refund", exact: true }).click();
    };
    await ask();
    // All units of an order that was not shipped: with its freight.
    await dialog.getByText(/^The buyer gets .+, of it 9\.00 freight\.$/).waitFor();
    const amount = dialog.getByLabel(/: amount to pay back while the goods are kept$/);
    await amount.fill("1.005");
    await dialog.getByText("Enter what to refund: units, amounts or freight.").waitFor();
    expect(await dialog.getByRole("button", { name: /^Refund/ }).isDisabled()).toBe(true);
    await amount.fill("1.00");
    expect(await dialog.getByLabel(/: units to refund$/).inputValue()).toBe("0");
    await dialog.getByText("The buyer gets 1.00, of it 0.00 freight.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await confirm.click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText(/: 1\.00 paid back, goods kept$/).waitFor();
    await ask();
    await dialog.getByRole("radio", { name: "One amount for the order" }).press("Space");
    await dialog.getByLabel("Amount for the goods").fill("2");
    await dialog.getByLabel("Freight to refund").fill("9.01");
    await dialog.getByText("The refund pays back more freight than is left of it.").waitFor();
    await dialog.getByLabel("Freight to refund").fill("4");
    await dialog.getByText("The buyer gets 6.00, of it 4.00 freight.").waitFor();
    await confirm.click();
    await dialog.waitFor({ state: "hidden" });
    await demo.sql`select app.refund_order(${id}, null, null, null, p_freight => 0)`;
    await ask();
    await dialog.getByLabel("Freight to refund").fill("5.00");
    await dialog.getByText("The buyer gets 5.00, of it 5.00 freight.").waitFor();
    await confirm.click();
    await dialog.waitFor({ state: "hidden" });
    await expect.poll(() => page.getByRole("button", { name: "Refund", exact: true }).count()).toBe(0);
    expect(
      (await demo.sql`select sum(r.freight) as freight from app.refunds as r where r.order_id = ${id}`)[0]!.freight,
    ).toBe("9.00");
    expect(complaints.filter((text) => !text.includes("422"))).toEqual([]);
  });

  it("with a refund request have their goods sent back before they are refunded", async () => {
    const [order] = await demo.sql`
      select id from app.orders where state = 'delivered' and refund_status = 0 and queue_units > 0 order by id desc limit 1`;
    const { id } = order!;
    await demo.sql`select from app.request_refund(${id}, null, 'Too large', now())`;
    const picture = await addPicture(id);
    const step = async () =>
      (
        await demo.sql`select app.return_state(return_asked_at, return_sent_at, return_received_at) as step from app.refunds where order_id = ${id} and state = 'requested'`
      )[0]!.step;
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const dialog = page.getByRole("dialog");
    await open(`/orders/${id}`);
    // What WeChat refuses is folded away; who has looked dismisses that.
    const reason = page.getByRole("cell").getByText("Too large");
    const shown = page.getByRole("img", { name: "Picture 1 of the buyer" });
    await page.getByText("WeChat wants a person to look at this picture.").waitFor();
    await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(300);
    expect(await reason.isVisible()).toBe(false);
    await page.getByText("WeChat refuses the reason: show it").click();
    await reason.waitFor();
    expect(await barriers(page)).toEqual([]);
    for (const left of [1, 0]) {
      await page.getByRole("button", { name: "Dismiss the doubt" }).first().click();
      await expect.poll(() => page.getByRole("button", { name: "Dismiss the doubt" }).count()).toBe(left);
    }
    expect((await demo.sql`select content_check from app.pictures where id = ${picture}`)[0]!.content_check).toBe(null);
    await page.getByRole("button", { name: "Ask for the goods" }).click();
    await dialog.getByText("There is no return address yet.").waitFor();
    await dialog.getByRole("link", { name: "Open the settings" }).click();
    const address = page.getByRole("group", { name: "Return address" });
    await address.getByLabel("Recipient").fill("Returns desk");
    await address.getByLabel("Phone").fill("0755 2660 0000");
    await page.getByRole("button", { name: "Save" }).click();
    await address.getByText("Enter all four fields of the address, or none.").waitFor();
    expect(await barriers(page)).toEqual([]);
    await address.getByLabel("Region").fill("广东省 深圳市");
    await address.getByLabel("Street").fill("Gate 4");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await open(`/orders/${id}`);
    await page.getByRole("button", { name: "Ask for the goods" }).click();
    await dialog.getByText("广东省 深圳市 Gate 4").waitFor();
    await dialog.getByRole("button", { name: "Ask for the goods" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("Goods asked for").first().waitFor();
    expect(await step()).toBe("asked");
    await demo.sql`select from app.send_return(${id}, 'SF', 'R1', now())`;
    await open("/orders?refund_status=1");
    await page.getByText("Goods on their way back").first().waitFor();
    await open(`/orders/${id}`);
    expect(await page.getByRole("link", { name: "R1" }).getAttribute("href")).toContain("nu=R1");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Goods have arrived" }).click();
    await dialog.getByRole("button", { name: "Goods have arrived" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("Returned goods received").first().waitFor();
    expect(await step()).toBe("received");
    await open(`/orders?waiting=refund`);
    await page.getByText("Returned goods received").first().waitFor();
    await open(`/orders/${id}`);
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await dialog.getByRole("button", { name: /^Refund \d/ }).click();
    await dialog.waitFor({ state: "hidden" });
    expect((await demo.sql`select refund_status from app.orders where id = ${id}`)[0]!.refund_status).toBe(2);
    await open("/settings");
    for (const part of ["Recipient", "Phone", "Region", "Street"]) await address.getByLabel(part).fill("");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await demo.sql`select return_address from app.settings`)[0]!.return_address).toBeNull();
    expect(complaints).toEqual([]);
  });

  it("say what a refund has left to ship, and are no longer among the paid ones when nothing is left", async () => {
    const { id, refund } = await orderOfThree(demo.sql);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const row = page.getByRole("row").filter({ hasText: String(id) });
    await refund(1);
    await open("/orders?state=paid&uid=10007");
    await row.getByText("2 units to ship").waitFor();
    await open(`/orders/${id}`);
    await page.getByText("2 units to ship").waitFor();
    await page.getByRole("button", { name: "Mark as shipped" }).waitFor();
    await refund(2);
    await open("/orders?state=paid&uid=10007");
    expect(await row.count()).toBe(0);
    await open("/orders?state=refunded&uid=10007");
    await row.getByText("Refunded", { exact: true }).waitFor();
    expect(await row.getByText("Paid", { exact: true }).count()).toBe(0);
    await open(`/orders/${id}`);
    await page.getByText("Refunded", { exact: true }).first().waitFor();
    expect(await page.getByRole("button", { name: "Mark as shipped" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("are marked as shipped after their receipt, too", async () => {
    const { id } = await orderOfThree(demo.sql);
    await demo.sql`select app.confirm_receipt(${id}, null)`;
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Mark as shipped" }).click();
    await dialog.getByLabel("Tracking number").fill("SF1000200030004");
    await dialog.getByRole("button", { name: "Mark as shipped" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByText("SF1000200030004").waitFor();
    expect(await page.getByRole("button", { name: "Mark as shipped" }).count()).toBe(0);
  });

  it("with a refund request show who would rise by its answer", async () => {
    // Three direct orders make a Maker. Of the orders of the referrer's members, the first has a request for one of two
    // units.
    const join = async (spread?: string): Promise<string> => {
      const id = randomUUID();
      const about = demo.sql.json({ nickname: "Riser", ...(spread && { spread }) });
      await demo.sql`insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data) values (${id}, ${`${id}@example.com`}, now(), ${about})`;
      return (await demo.sql`select uid from app.users where auth_id = ${id}`)[0]!.uid;
    };
    const referrer = await join();
    const buy = async (): Promise<{ id: string; line: number }> => {
      const buyer = await join(referrer);
      const [order] = await demo.sql<{ id: string }[]>`
        select (app.create_order(${buyer}, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 2)), now())).id
        from app.products as p where p.is_queue_goods and p.stock is null and p.is_show and not p.is_del order by p.id limit 1`;
      const { id } = order!;
      await demo.sql`select app.pay_order(${id}, 'offline', ${`rise-${id}`}, now())`;
      await demo.sql`select app.settle_order(${id}, now())`;
      return {
        id,
        line: (await demo.sql<{ id: number }[]>`select id::integer from app.order_lines where order_id = ${id}`)[0]!.id,
      };
    };
    const { id, line } = await buy();
    await demo.sql`select app.request_refund(${id}, ${demo.sql.json([{ line_id: line, quantity: 1 }])}, 'One too many', now())`;
    await buy();
    await buy();
    const level = async () =>
      (await demo.sql`select agent_level from app.users where uid = ${referrer}`)[0]!.agent_level;
    expect(await level()).toBe(0);

    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    const dialog = page.getByRole("dialog");
    const rises = dialog.getByText("Members who rise").locator("xpath=..");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await rises.waitFor();
    expect(await rises.innerText()).toMatch(/→ Maker$/);
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Refuse the request" }).click();
    await rises.waitFor();
    expect(await rises.innerText()).toMatch(/→ Maker$/);
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Refuse", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await level()).toBe(1);
  });

  it("are marked as shipped, and a requested refund is rejected", async () => {
    const [order] = await demo.sql`
      select o.id, l.id::integer as line, l.title, l.quantity from app.orders as o join app.order_lines as l on l.order_id = o.id
      where o.state = 'paid' and o.refund_status = 0 and l.quantity > 1 and o.freight > 0 order by o.id desc limit 1`;
    await demo.sql`select from app.request_refund(${order!.id}, ${demo.sql.json([{ line_id: order!.line, quantity: 1 }])}, 'Too large', now())`;
    const state = async () => (await demo.sql`select state, refund_status from app.orders where id = ${order!.id}`)[0];
    expect(await state()).toEqual({ state: "paid", refund_status: 1 });
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${order!.id}`);
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Refund", exact: true }).click();
    await dialog.getByText("Too large").waitFor();
    expect(await dialog.getByLabel(`${order!.title}: units to refund`).inputValue()).toBe("1");
    await dialog.getByText("The request will be granted.").waitFor();
    await dialog.getByLabel("Answer the request with this refund").click();
    await dialog.getByText("The request stays open.").waitFor();
    // What a refund without goods of the request does, and one that leaves nothing of the request.
    await dialog.getByLabel("Answer the request with this refund").click();
    await dialog.getByLabel(`${order!.title}: units to refund`).fill("0");
    await dialog.getByLabel("Freight").fill("0.01");
    await dialog.getByText("This refund has none of the requested goods, so the request stays open.").waitFor();
    await dialog.getByLabel("Answer the request with this refund").click();
    await dialog.getByLabel(`${order!.title}: units to refund`).fill(String(order!.quantity));
    await dialog.getByText("Nothing of the request is left after this refund, so it is closed.").waitFor();
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("button", { name: "Refuse the request" }).click();
    await dialog.getByLabel("Reason").fill("The lamp was used.");
    await dialog.getByRole("button", { name: "Refuse", exact: true }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await state()).toEqual({ state: "paid", refund_status: 0 });
    await page.getByText("Reason of the refusal: The lamp was used.").waitFor();
    await page.getByRole("button", { name: "Mark as shipped" }).click();
    await dialog.getByLabel("Carrier").fill("SF Express");
    await dialog.getByRole("button", { name: "Mark as shipped" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await state()).toEqual({ state: "delivered", refund_status: 0 });
    const parcels = async () =>
      (await demo.sql`select carrier_code, tracking_no from app.parcels where order_id = ${order!.id} order by id`).map(
        (row) => ({
          ...row,
        }),
      );
    await page.getByRole("button", { name: /^Correct: / }).click();
    await dialog.getByLabel("Tracking number").fill("SF1231");
    await dialog.getByRole("button", { name: "Correct" }).click();
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "SF1231" }).waitFor();
    await page.getByRole("button", { name: "Add a parcel" }).click();
    await dialog.getByRole("combobox", { name: "Carrier" }).fill("ZTO");
    await page.getByRole("option", { name: "ZTO Express" }).click();
    await dialog.getByLabel("Tracking number").fill("ZT1001");
    await dialog.getByRole("button", { name: "Add a parcel" }).click();
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByRole("link", { name: "ZT1001" }).getAttribute("href")).toContain("nu=ZT1001");
    expect(await parcels()).toEqual([
      { carrier_code: "SF", tracking_no: "SF1231" },
      { carrier_code: "ZTO", tracking_no: "ZT1001" },
    ]);
  });
});

describe("scheduled work", () => {
  it("runs the release now, and the log has the business day", async () => {
    const day = (await demo.sql`select app.business_day(clock_timestamp())::text as day`)[0]!.day;
    const released = async () =>
      (await demo.sql`select count(*)::integer as rows from app.points_release_log where release_date = ${day}`)[0]!
        .rows;
    expect(await released()).toBe(0);
    const { page, open } = await demo.visitAsAdministrator();
    await open("/schedule");
    await page.getByRole("button", { name: "Run now: Daily release of frozen points" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Run now" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await expect.poll(released, { interval: 500 }).toBeGreaterThan(100);
    await open(`/release-log?date_from=${day}`);
    await page.getByText(`${await released()} in total`).waitFor();
  });

  it("shows a failed settlement with its error, and settles it on a retry", async () => {
    const { id } = await unpaidOrder(demo.sql);
    await demo.sql.begin(async (sql) => {
      await sql`select app.pay_order(${id}, 'offline', ${`dead-${id}`}, clock_timestamp())`;
      await sql`update app.settlement_jobs set state = 'dead', attempts = 8, last_error = 'The disk was full.' where order_id = ${id}`;
    });
    const { page, open } = await demo.visitAsAdministrator();
    await open("/jobs?state=dead");
    await page.getByText("The disk was full.").waitFor();
    await page.getByRole("button", { name: `Retry now: Order ${id}` }).click();
    await page.getByText("will be settled within a minute").waitFor();
    await demo.runJob("settle_waiting_orders");
    expect(await demo.sql`select state from app.settlements where order_id = ${id}`).toEqual([{ state: "settled" }]);
    await page.reload();
    await page.getByText("Nothing found. Try clearing the filters.").waitFor();
  });

  it("describes a schedule in words, and restores the default", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const schedule = async () =>
      (await demo.sql`select schedule from app.scheduled_jobs where name = 'fsgx_release_frozen_points'`)[0]!.schedule;
    await open("/schedule");
    const edit = async (fill: () => Promise<void>) => {
      await page.getByRole("button", { name: "Edit: Daily release of frozen points" }).click();
      await fill();
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    };
    await edit(async () => {
      await page.getByRole("dialog").getByLabel("Time", { exact: true }).fill("04:30");
      expect(await page.getByRole("dialog").getByRole("textbox", { name: "Schedule" }).inputValue()).toBe("30 4 * * *");
      await page.getByRole("dialog").getByRole("status").getByText("Every day at 04:30").waitFor();
    });
    expect(await schedule()).toBe("30 4 * * *");
    // The form starts with the schedule on the page.
    await page.getByRole("main").getByText("Every day at 04:30").waitFor();
    await edit(() => page.getByRole("button", { name: "Use the preset" }).click());
    expect(await schedule()).toBe("1 0 * * *");
    await open("/activity?function=set_crontab");
    for (const button of await page.getByRole("button", { name: /^More of/ }).all()) await button.click();
    await page.getByText("Schedule: Every day at 00:01 → Every day at 04:30").waitFor();
  });

  it("describes every form of a schedule in the language of the page", async () => {
    const { page, open } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open("/schedule");
    await page
      .getByRole("button", { name: /^编辑.*积分/ })
      .first()
      .click();
    const form = page.getByRole("dialog");
    for (const [schedule, words] of [
      ["1 0 * * *", "每天 00:01"],
      ["30 4 * * 0", "每星期日 04:30"],
      ["5 * * * *", "每小时的 05 分"],
      ["*/15 * * * *", "每 15 分钟"],
      ["* * * * *", "每分钟"],
      ["60 4 * * *", "这不是有效的运行计划。"],
      ["* 4 * * *", "这不是有效的运行计划。"],
    ] as const) {
      await form.getByRole("textbox", { name: "运行计划" }).fill(schedule);
      await form.getByRole("status").getByText(words, { exact: true }).waitFor();
    }
  });

  it("starts with the daily release, and shows why a run failed", async () => {
    await demo.sql`
      insert into cron.job_run_details (jobid, runid, job_pid, database, username, command, status, return_message, start_time, end_time)
      select jobid, 900000 + n, 1, database, username, command, status, message, now(), now()
      from cron.job cross join (values (1, 'succeeded', 'SELECT 1'), (2, 'failed', 'ERROR: the disk was full')) as r (n, status, message)
      where jobname = 'reconcile_bill'`;
    const { page, open } = await demo.visitAsAdministrator();
    await open("/schedule");
    const jobs = page.locator("main tbody tr");
    expect(await jobs.first().innerText()).toMatch(/^Daily release of frozen points/);
    expect(await jobs.nth(1).innerText()).toMatch(/^Settlement of waiting orders/);
    await page.getByRole("link", { name: "Nightly reconciliation" }).click();
    const runs = page.getByRole("dialog");
    await runs.getByText("the disk was full").waitFor();
    expect(await runs.innerText()).not.toMatch(/SELECT 1|CALL/);
    await demo.sql`delete from cron.job_run_details where runid > 900000`;
  });

  it("checks the configuration end to end, and does not report a warning as in order", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const [warnings] =
      await demo.sql`select count(*)::integer as count from app.verify_agent_config() where severity = 'warning'`;
    await open("/check");
    await page
      .getByText(warnings!.count === 0 ? "All checks passed" : `No errors. Warnings: ${warnings!.count}`)
      .waitFor();
    await demo.sql`update app.article_categories set hidden = true where is_sign_in_ad`;
    try {
      await page.getByRole("button", { name: "Check again" }).click();
      await page.getByText(`No errors. Warnings: ${warnings!.count + 1}`).waitFor();
      expect(await page.getByText("All checks passed").count()).toBe(0);
    } finally {
      await demo.sql`update app.article_categories set hidden = false where is_sign_in_ad`;
    }
  });
});

describe("the overview", () => {
  it("compares with the previous period, shows the currency, has tiles of one width, and marks today in its charts", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/overview?days=7");
    const [sums] = await demo.sql`
      select sum(d.queue_revenue) as revenue, sum(d.orders) filter (where d.day < app.business_day(clock_timestamp())) as orders
      from app.overview_days(app.business_day(clock_timestamp()), 7) as d`;
    const [before] = await demo.sql`
      select sum(d.orders) as orders from app.overview_days(app.business_day(clock_timestamp()) - 8, 6) as d`;
    await page.getByText(`¥${shownAmount(sums!.revenue)}`).waitFor();
    // Today is not over, so it is not compared.
    const change = Math.round((Number(sums!.orders) / Number(before!.orders) - 1) * 1000) / 10;
    const orders = page.locator("[data-tile]").filter({ hasText: "Paid orders" });
    await orders
      .getByText(
        change >= 500
          ? `Only ${before!.orders} in the period before`
          : `${change > 0 ? "+" : ""}${change}% vs. the period before`,
      )
      .waitFor();
    const widths = await page
      .locator("[data-tile]")
      .evaluateAll((tiles) => tiles.map((tile) => Math.round(tile.getBoundingClientRect().width)));
    expect(new Set(widths).size).toBe(1);
    expect(await page.getByText("Not over yet").count()).toBe(2);
    await orders.getByRole("link").click();
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    expect(new URL(page.url()).hash).toMatch(/paid_from=.*paid_to=/);
  });

  it("warns of late settlements, with the time of the oldest, and of scheduled jobs that are overdue", async () => {
    const { id } = await unpaidOrder(demo.sql);
    // Due, but locked by another transaction, so that no worker takes it.
    await demo.sql.begin(async (sql) => {
      await sql`select app.pay_order(${id}, 'offline', ${`late-${id}`}, clock_timestamp())`;
      await sql`update app.settlement_jobs set run_after = clock_timestamp() + interval '1 hour' where order_id = ${id}`;
    });
    const holder = connect(demo.info.database_url);
    await holder`begin`;
    await holder`select from app.orders where id = ${id} for update`;
    try {
      const { page, open } = await demo.visitAsAdministrator({ timezoneId: "America/New_York" });
      await open("/overview");
      const health = page.getByRole("region", { name: "Background work" });
      const details = health.getByRole("button", { name: "Details" });
      await health.getByText("Everything runs").waitFor();
      expect(await details.getAttribute("aria-expanded")).toBe("false");
      await details.click();
      const tile = (name: string) =>
        health.locator(".mantine-Paper-root").filter({ has: page.getByRole("link", { name, exact: true }) });
      await tile("Schedule").getByText("All scheduled jobs ran on time.").waitFor();
      expect(await tile("Settlement jobs").getByText("Late").count()).toBe(0);

      await demo.sql`update app.settlement_jobs set created_at = '2026-11-02 03:04:05+00' where order_id = ${id}`;
      // The scheduler of the test runs, so this makes it look as if it had stopped.
      await page.route("**/adminapi/overview?*", async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          json: { ...(await response.json()), late_jobs: ["fsgx_release_frozen_points"] },
        });
      });
      await open("/overview");
      // What is wrong is open.
      await health.getByText("Needs attention").waitFor();
      await tile("Settlement jobs").getByText("Late").waitFor();
      await tile("Settlement jobs").getByText("Oldest due 2 Nov 2026, 11:04").waitFor();
      await tile("Schedule").getByText("1 late").waitFor();
      await tile("Schedule").getByText("Did not run on time: Daily release of frozen points").waitFor();
    } finally {
      await holder.end();
    }
  });

  it("shows the values of the day under the pointer without a layout shift", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/overview?days=7");
    const chart = page.getByRole("slider", { name: "Revenue and commission per day" });
    await chart.scrollIntoViewIfNeeded();
    const place = () => page.getByText("Commission", { exact: true }).last().boundingBox();
    const before = await place();
    const { x, y, width } = (await chart.boundingBox())!;
    await page.mouse.move(x + width / 2, y + 80);
    const tooltip = page.getByRole("tooltip");
    const { x: left } = (await tooltip.boundingBox())!;
    expect(Math.abs(left - (x + width / 2))).toBeLessThan(220);
    const days = await demo.sql`select queue_revenue from app.overview_days(app.business_day(clock_timestamp()), 7)`;
    const told = (await tooltip.innerText()).match(/Queue goods revenue: ¥([\d,.]+)/)?.[1];
    expect(days.map(({ queue_revenue }) => shownAmount(queue_revenue))).toContain(told);
    expect(await place()).toEqual(before);
    await page.mouse.move(0, 0);
    await tooltip.waitFor({ state: "detached" });
  });
});

describe("a confirmed action", () => {
  it("happens once when it is clicked twice", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users/10008");
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).dblclick();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    expect(await demo.sql`select from app.level_changes where uid = 10008 and changed_by is not null`).toHaveLength(1);
  });

  it("keeps its dialog open until there is a result", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users/10006");
    await page.route("**/adminapi/hjf/member/10006/level", async (route) => {
      await page.waitForTimeout(1000);
      await route.fulfill(problem(503, "database_busy", "The database is busy", "Try again."));
    });
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").locator("button[data-loading]").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").getByText("database_busy").waitFor();
  });
});

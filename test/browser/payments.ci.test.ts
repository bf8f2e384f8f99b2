import { expect, it, vi } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { demoConsole, password } from "./demo_console.ts";

// The whole stack, as a person uses it: a member pays on the page of the local provider, and an administrator sees and
// refunds it.
const demo = demoConsole();

async function member(): Promise<(method: string, path: string, json?: unknown) => Promise<any>> {
  const { supabase_url, publishable_key, functions_url } = demo.info;
  const response = await fetch(`${supabase_url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: publishable_key, "content-type": "application/json" },
    body: JSON.stringify({ email: "chen@example.com", password }),
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

/**
 * Places an order and starts its payment.
 * @returns the order, its number at the provider and the address of the page
 */
async function startedPayment() {
  const call = await member();
  const {
    list: [product],
  } = await call("GET", "/api/product?limit=1");
  const { id } = await call("POST", "/api/order", { items: [{ product_id: product.id, quantity: 1 }] });
  const { attempt_no, start } = await call("POST", `/api/order/${id}/pay`, { provider: "local", method: "local" });
  return { call, id: id as number, attemptNo: attempt_no as string, url: start.url as string };
}

const NARROW = { width: 360, height: 640, newProfile: true };

it.each([
  ["en-GB", "Pay", "Do not pay", "You have not paid."],
  ["zh-CN", "支付", "暂不支付", "您尚未支付"],
])(
  "a member declines and then pays on a phone with the language %s, and returns to the store",
  async (locale, pay, decline, declined) => {
    const { call, id, url } = await startedPayment();
    const { page, complaints } = await demo.visit({ ...NARROW, locale });
    const back = `${demo.info.supabase_url}/docs`;
    await page.goto(url);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
    for (const button of await page.getByRole("button").all())
      expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);
    await page.getByRole("button", { name: decline, exact: true }).click();
    await page.getByText(declined).waitFor();
    expect(await call("GET", `/api/order/${id}/payment`)).toMatchObject({
      order_state: "unpaid",
      attempt: { state: "open" },
    });
    await page.goto(`${url}?redirect_url=${encodeURIComponent(back)}`);
    await page.getByRole("button", { name: pay, exact: true }).click();
    await page.waitForURL((current) => current.href.startsWith(back));
    await vi.waitFor(async () =>
      expect(await call("GET", `/api/order/${id}/payment`)).toMatchObject({
        order_state: "paid",
        attempt: { state: "paid" },
      }),
    );
    expect(complaints).toEqual([]);
  },
);

it("the payment page redirects only to its own origin, and rejects unknown payments", async () => {
  const { url } = await startedPayment();
  const { page } = await demo.visit(NARROW);
  for (const address of ["https://example.com/", "//example.com", "javascript:alert(1)"]) {
    await page.goto(`${url}?redirect_url=${encodeURIComponent(address)}`);
    expect(await page.getByRole("link").count()).toBe(0);
  }
  const unknown = await page.goto(url.replace(/[^/]+$/, "nothing"));
  expect(unknown?.status()).toBe(404);
});

it("an administrator sees the payments of an order and has an unclaimed one refunded", async () => {
  const { call, id, attemptNo, url } = await startedPayment();
  const payer = await demo.visit(NARROW);
  await payer.page.goto(url);
  // The order is cancelled while the payer looks at the page, and the payment is not closed at the provider.
  await demo.sql`update app.outbox set state = 'failed', last_problem = 'no response' where kind = 'close_payment' and key = ${attemptNo}`;
  await demo.sql`update app.orders set state = 'cancelled', cancelled_at = now() where id = ${id}`;
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/outbox?state=failed");
  await page.getByRole("row", { name: attemptNo }).getByText("no response").waitFor();
  await payer.page.getByRole("button", { name: "Pay", exact: true }).click();
  await vi.waitFor(async () =>
    expect(await call("GET", `/api/order/${id}/payment`)).toMatchObject({ attempt: { state: "paid" } }),
  );

  await open(`/orders/${id}`);
  await page.getByRole("cell", { name: attemptNo }).first().waitFor();
  await page.getByText("Payments that could not be applied to the order").first().waitFor();
  await page.getByRole("button", { name: /^Refund this payment/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Refund", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await settle(page);
  await page.getByText("Refunds at the provider").first().waitFor();
  await vi.waitFor(async () => {
    await open(`/orders/${id}`);
    await page.getByText("Paid back").first().waitFor({ timeout: 1000 });
  });
  expect(complaints).toEqual([]);
});

it("an administrator changes the sites of pictures of members, but not to an address with a path", async () => {
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/settings");
  const sites = page.getByRole("combobox", { name: "Sites of pictures of members" });
  await sites.fill("https://cdn.example.com/a");
  await sites.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Write each site as https://example.com, without a path. At most 20.").waitFor();
  await sites.press("Backspace");
  await sites.fill("https://cdn.example.com");
  await sites.press("Enter");
  await page.getByRole("button", { name: "Save" }).click();
  await vi.waitFor(async () =>
    expect((await demo.sql`select avatar_origins from app.settings`)[0]!.avatar_origins).toEqual([
      "https://thirdwx.qlogo.cn",
      "https://wx.qlogo.cn",
      "https://cdn.example.com",
    ]),
  );
  expect(complaints).toEqual([]);
});

it("an administrator changes the times of payment, receipt and refund", async () => {
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/settings");
  await page.getByLabel("Receipt is confirmed automatically after (days)").fill("10");
  await page.getByLabel("Refund window (days)").fill("180");
  await page.getByLabel("Look up payments after (minutes)").fill("20, 2，2");
  await page.getByLabel("Members can pay offline").uncheck({ force: true });
  await page.getByRole("button", { name: "Save" }).click();
  await vi.waitFor(async () =>
    expect(
      (
        await demo.sql`select receipt_days, refund_window_days, payment_query_minutes, offline_payment from app.settings`
      )[0],
    ).toEqual({
      receipt_days: 10,
      refund_window_days: 180,
      payment_query_minutes: [2, 20],
      offline_payment: false,
    }),
  );
  expect(complaints).toEqual([]);
});

it("an administrator changes the terms of points, sees what points paid of an order, and what its refund returns", async () => {
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/settings");
  await page.getByLabel("Points that pay 1.00").fill("2");
  await page.getByLabel("Largest share of the price that points can pay").fill("33.333");
  await page.getByRole("button", { name: "Save" }).click();
  await vi.waitFor(async () =>
    expect((await demo.sql`select points_rate, points_max_share from app.settings`)[0]).toEqual({
      points_rate: "2.00",
      points_max_share: "0.33333",
    }),
  );

  const [order] = await demo.sql`
    select o.id from app.products as p
    cross join lateral app.create_order(10007, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 3)), clock_timestamp(), p_use_points => 31) as o
    where not p.is_queue_goods and p.stock is null and p.price > 60 order by p.id limit 1`;
  await demo.sql`select from app.pay_order(${order!.id}, 'offline', 'paid by points', clock_timestamp())`;
  await open(`/orders/${order!.id}`);
  await page.getByText("31 points, of which 31 are not returned").waitFor();
  await page.getByRole("button", { name: "Refund" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("cell", { name: "31", exact: true }).waitFor();
  await dialog.getByRole("button", { name: /^Refund \d/ }).click();
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("31 points, of which 0 are not returned").waitFor();
  expect(complaints).toEqual([]);
});

import { expect, it } from "vitest";
import { barriers } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";
import { commissionedOrder } from "./demo_orders.ts";

const demo = demoConsole();

/** The filled buttons of the page, which say what to do next. */
const next = "main .mantine-Button-root[data-variant=filled]";

it("an order has one next action: its shipment, or the answer to an open request", async () => {
  const [order] = await demo.sql`
    select id from app.orders where state = 'paid' and refund_status = 0 order by id desc limit 1`;
  const { page, open } = await demo.visitAsAdministrator();
  await open(`/orders/${order!.id}`);
  expect(await page.locator(next).allInnerTexts()).toEqual(["Mark as shipped"]);
  await demo.sql`select from app.request_refund(${order!.id}, null, 'Too large', now())`;
  await open(`/orders/${order!.id}`);
  expect(await page.locator(next).allInnerTexts()).toEqual(["Refund"]);
  expect(await barriers(page)).toEqual([]);
});

it("an order says what happened to it and who did it, and tells its settlement without the tables", async () => {
  const { order_id: id } = await commissionedOrder(demo.sql);
  const { page, open } = await demo.visitAsAdministrator();
  await open(`/orders/${id}`);
  const steps = page.getByRole("region", { name: "Timeline" }).getByRole("listitem");
  const [buyer] = await demo.sql`
    select u.nickname from app.orders as o join app.users as u on u.uid = o.uid where o.id = ${id}`;
  expect(await steps.first().innerText()).toMatch(/Placed/);
  await steps.first().getByRole("link", { name: buyer!.nickname }).waitFor();
  await steps.filter({ hasText: "Settled" }).getByText("Store", { exact: true }).waitFor();
  const settlement = page.getByRole("region", { name: "Settlement" });
  expect(await settlement.getByRole("table").count()).toBe(0);
  await settlement.getByText("Show the computation").click();
  expect(await settlement.getByRole("table").count()).toBeGreaterThan(1);
  expect(await barriers(page)).toEqual([]);
});

import { join } from "node:path";
import type postgres from "postgres";
import { expect, it } from "vitest";
import { barriers, keepPicture } from "../browser.ts";
import { type Folder, screenshots } from "./folder.ts";

/** The latest order that member 10007 has paid and that was not refunded. */
export async function paidOrder(sql: postgres.Sql): Promise<string> {
  const [order] = await sql`
    select id from app.orders as o where o.uid = 10007 and o.state in ('paid', 'delivered', 'received') and o.refund_status = 0 order by id desc limit 1`;
  return order!.id;
}

export const orders: Folder = {
  member: async (sql) => ({
    checkout: "/checkout?product=40",
    orders: "/orders",
    orders_to_pay: "/orders?state=unpaid",
    order: `/orders/${await paidOrder(sql)}`,
    nobodys_order: "/orders/1",
  }),
  tests: (demo) => {
    it("passes axe with the sheet of addresses open", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      await open("/checkout?product=40");
      await page.getByRole("button", { name: "Change the address" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await barriers(page)).toEqual([]);
      await keepPicture(page, join(screenshots, "sheet addresses.png"));
    });
  },
};

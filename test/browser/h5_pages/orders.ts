import { join } from "node:path";
import type postgres from "postgres";
import { expect, it } from "vitest";
import { barriers, keepPicture } from "../browser.ts";
import { orderOfThree } from "../demo_orders.ts";
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
    it("says what a refund has left to ship, and never that a refunded order is being prepared", async () => {
      const { id, refund } = await orderOfThree(demo.sql);
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "zh-CN" });
      const card = page.getByRole("listitem").filter({ has: page.locator(`a[href$="/orders/${id}"]`) });
      await refund(1);
      await open("/orders?state=paid");
      await card.getByText("还有 2 件待发货。").waitFor();
      await open(`/orders/${id}`);
      await page.getByText("商城正在准备你的订单。 还有 2 件待发货。").waitFor();
      await refund(2);
      await open("/orders?state=paid");
      expect(await card.count()).toBe(0);
      await open("/orders?state=after_sales");
      await card.getByText("已退款").waitFor();
      await open("/orders?state=refunded");
      await card.getByText("已退款").waitFor();
      await open(`/orders/${id}`);
      await page.getByText("订单商品已全部退款。").waitFor();
      expect(await page.getByText(/待发货|正在准备|可申请退款至/).count()).toBe(0);
      await open(`/orders/${id}/refund`);
      await page.getByText("该订单没有可退款的商品。").waitFor();
    });

    it("leads from the member's page to the orders that wait, whose cards have the next step", async () => {
      const [product] = await demo.sql`
        select id from app.products where not is_queue_goods and freight = 0 and stock is null and is_show order by id limit 1`;
      const [{ id }] = (await demo.sql`
        select (app.create_order(10007, jsonb_build_array(jsonb_build_object('product_id', ${product!.id}::bigint, 'quantity', 1)), now())).id`) as unknown as [
        { id: string },
      ];
      const { page, open, complaints } = await demo.phone({ member: "chen@example.com", locale: "zh-CN" });
      const numberOf = async (name: string) =>
        Number(
          (await page.getByRole("navigation", { name: "我的订单" }).getByRole("link", { name }).innerText()).replaceAll(
            /\D/g,
            "",
          ),
        );
      await open("/me");
      const before = [await numberOf("待付款"), await numberOf("待收货")];
      await page.getByRole("link", { name: /^\d* ?待付款$/ }).click();
      const card = page.getByRole("listitem").filter({ has: page.locator(`a[href$="/orders/${id}"]`) });
      await card.getByRole("button", { name: "付款" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "在线支付" }).waitFor();
      expect(await barriers(page)).toEqual([]);
      await demo.sql`select app.pay_order(${id}, 'offline', 'h5-card', now())`;
      await demo.sql`select app.deliver_order(${id}, now(), 'SF', 'SF1234567')`;
      await open("/me");
      expect([await numberOf("待付款"), await numberOf("待收货")]).toEqual([before[0]! - 1, before[1]! + 1]);
      await page.getByRole("link", { name: /^\d* ?待收货$/ }).click();
      await card.getByRole("button", { name: "物流" }).waitFor();
      await card.getByRole("button", { name: "确认收货" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "确认收货" }).click();
      await page.getByText("已确认收货").waitFor();
      await expect.poll(() => card.count()).toBe(0);
      expect(complaints).toEqual([]);
    });

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

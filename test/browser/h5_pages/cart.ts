import { expect, it } from "vitest";
import type { H5Page } from "../demo_h5.ts";
import { openUnpaid } from "../demo_h5.ts";
import type { Folder } from "./folder.ts";

/** A cart as the app keeps it, with what is gone, sold out, dearer than before and in order. */
const kept = [
  { product_id: 38, quantity: 2, title: "Kept tea", price: "1.00", is_chosen: true },
  { product_id: 18, quantity: 1, title: "Sold out before", price: "10.00", is_chosen: true },
  { product_id: 999_999, quantity: 1, title: "A product that is gone", price: "10.00", is_chosen: true },
];

const keep = ({ page }: H5Page) =>
  page.evaluate((items) => localStorage.setItem("store-h5-cart", JSON.stringify(items)), kept);

export const cart: Folder = {
  visitor: { empty_cart: "/cart" },
  visit: async (visitor, look) => {
    await visitor.open("/");
    await keep(visitor);
    await visitor.open("/cart");
    await look(visitor.page, "cart");
    await visitor.page.evaluate(() => localStorage.removeItem("store-h5-cart"));
  },
  tests: (demo) => {
    it("takes products that were searched for to one order, and says what has changed since they were put into the cart", async () => {
      const [first, second, third] = await demo.sql`
        insert into app.products (title, price, stock) values ('Cart 碧螺春 one', 20, null), ('Cart 碧螺春 two', 30, 5), ('Cart 碧螺春 three', 40, 5) returning id`;
      const phone = await demo.phone({ member: "lin@example.com", locale: "en-GB" });
      const { page, open, complaints } = phone;
      await open("/");
      const search = page.getByRole("search").getByRole("searchbox", { name: "Search" });
      await search.fill("螺春");
      await search.press("Enter");
      const list = page.getByRole("list", { name: "Products" });
      for (const word of ["one", "two", "three"]) {
        await list.getByRole("link", { name: `Cart 碧螺春 ${word}` }).click();
        await page.getByRole("button", { name: "Add to cart" }).click();
        await page.getByText("Added to the cart.").waitFor();
        await page.getByRole("button", { name: "Back" }).click();
        await list.waitFor();
        expect(await list.getByRole("listitem").count()).toBe(3);
      }
      await demo.sql`update app.products set is_show = false where id = ${first!.id}`;
      await demo.sql`update app.products set price = 33, images = (select p.images from app.products as p where p.id = 40) where id = ${second!.id}`;
      await demo.sql`update app.products set stock = 2 where id = ${third!.id}`;
      await page.getByRole("link", { name: "Cart, 3 products" }).click();
      const line = (word: string) => page.getByRole("listitem", { name: `Cart 碧螺春 ${word}` });
      await line("one").getByText("No longer on sale.").waitFor();
      await line("two").getByText("The price has changed from ¥30.00 to ¥33.00.").waitFor();
      const footer = page.locator("main footer");
      await footer.getByText("¥73.00").waitFor();

      // The cart survives a reload, and only what is chosen is ordered.
      await page.reload();
      await footer.getByText("¥73.00").waitFor();
      await line("three").getByRole("button", { name: "One more" }).click();
      await footer.getByText("¥113.00").waitFor();
      expect(await line("three").getByRole("button", { name: "One more" }).isDisabled()).toBe(true);
      await demo.sql`update app.products set stock = 1 where id = ${third!.id}`;
      await page.reload();
      await line("three").getByText("Only 1 unit is left. Choose fewer.").waitFor();
      await footer.getByText("¥33.00").waitFor();
      await line("three").getByRole("button", { name: "One less" }).click();
      await footer.getByText("¥73.00").waitFor();
      await page.getByRole("button", { name: "Remove 1 product that cannot be ordered" }).click();
      await page.getByRole("button", { name: "Checkout (2)" }).click();
      await page.getByRole("heading", { name: "Checkout" }).waitFor();
      await page.getByRole("listitem").filter({ hasText: "Cart 碧螺春 two" }).locator("img").waitFor();
      await demo.sql`update app.products set stock = 5 where id = ${third!.id}`;
      await page.getByRole("button", { name: "Place order" }).click();
      await openUnpaid(page);
      const [order] = await demo.sql`
        select o.total_price::text, array_agg(l.product_id order by l.product_id) as products from app.orders as o join app.order_lines as l on l.order_id = o.id
        group by o.id order by o.id desc limit 1`;
      expect({ ...order }).toEqual({ total_price: "73.00", products: [second!.id, third!.id] });
      await open("/cart");
      await page.getByText("Your cart is empty.").waitFor();
      expect(complaints).toEqual([]);
      await demo.sql`update app.products set is_show = false where title like 'Cart 碧螺春%'`;
    });

    it("is emptied when its owner signs out, and shows nothing of what is no cart", async () => {
      const phone = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      const { page, open } = phone;
      await open("/");
      await page.evaluate(() => localStorage.setItem("store-h5-cart", '[{"product_id": "x"}, 5'));
      await open("/cart");
      await page.getByText("Your cart is empty.").waitFor();
      await keep(phone);
      await open("/me");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
      await expect.poll(() => page.evaluate(() => localStorage.getItem("store-h5-cart"))).toBeNull();
    });
  },
};

import { expect, it } from "vitest";
import type { Folder } from "./folder.ts";

export const products: Folder = {
  visitor: { shop: "/", product: "/products/40", sold_out: "/products/18" },
  member: { shop: "/" },
  tests: (demo) => {
    it("loads more products when the end of the list becomes visible, and by the button after a failure", async () => {
      const { page, open } = await demo.phone({ locale: "en-GB" });
      await open("/");
      const cards = page.getByRole("list", { name: "Products" }).getByRole("listitem");
      expect(await cards.count()).toBe(12);
      await page.route("**/api/product?*page=2*", (route) => route.abort());
      await cards.last().scrollIntoViewIfNeeded();
      await page.getByRole("alert").getByText("The store is not responding").waitFor();
      await page.unroute("**/api/product?*page=2*");
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(() => cards.count()).toBe(24);
      await expect
        .poll(async () => {
          await cards.last().scrollIntoViewIfNeeded();
          return cards.count();
        })
        .toBe(40);
      await page.getByText("No more entries.").waitFor();
    });
  },
};

import { describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { demoConsole, turnPage } from "./demo_console.ts";
import { busyDay } from "./demo_orders.ts";

const demo = demoConsole();

const cents = (text: string) => Math.round(Number(text.replaceAll(/[^\d.-]/g, "")) * 100);

describe("the page Reports", () => {
  // Guarantee reports/figures
  it("leads from a figure to the orders behind it, which add up to it to the cent", async () => {
    const { day, orders, paid, refunded, returned } = await busyDay(demo.sql);
    const { page, open, follow, complaints } = await demo.visitAsAdministrator();
    await open(`/reports?from=${day}&to=${day}`);
    const row = page.getByRole("table", { name: "" }).first().getByRole("row").nth(1);
    const links = row.getByRole("link");
    const [, ordersShown, paidShown, refundedShown] = await links.allTextContents();
    expect([Number(ordersShown!.replaceAll(",", "")), cents(paidShown!), cents(refundedShown!)]).toEqual([
      orders,
      paid,
      refunded,
    ]);

    await links.nth(2).click();
    await page.getByRole("heading", { name: "Orders", level: 1 }).waitFor();
    await settle(page);
    await page.getByText(`${orders.toLocaleString("en-GB")} in total`).waitFor();
    let sum = 0;
    for (let number = 1; number <= Math.ceil(orders / 20); number++) {
      if (number > 1) await turnPage(page);
      // Below it stand the sum of refunds and what is left of the order, if there are refunds.
      const shown = await page
        .locator('td[data-label="Paid"]')
        .evaluateAll((cells) => cells.map((cell) => cell.querySelector(".figures")!.textContent));
      sum += shown.reduce((total, text) => total + cents(text), 0);
    }
    expect(sum).toBe(paid);

    await follow(`/reports?from=${day}&to=${day}`);
    await page.getByRole("link", { name: /^[\d,.]+\. Orders refunded: / }).click();
    await settle(page);
    await page.getByText(`${returned} in total`).waitFor();
    const amounts = await page.locator('td[data-label="Refunded in the period"]').allTextContents();
    expect(amounts.reduce((total, text) => total + cents(text), 0)).toBe(refunded);
    await page.getByRole("button", { name: /^Refunded: / }).click();
    expect(page.url()).not.toContain("refunded_from");
    expect(complaints).toEqual([]);
  });
});

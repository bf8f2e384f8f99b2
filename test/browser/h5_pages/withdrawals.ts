import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import type { Folder } from "./folder.ts";

export const withdrawals: Folder = {
  member: {
    commission: "/withdrawals",
    withdraw: "/withdrawals/new",
    accounts: "/accounts",
    new_account: "/accounts/new?method=alipay",
  },
  tests: (demo) => {
    it("a member adds an account, withdraws commission, sees how it goes, and cannot delete the account meanwhile", async () => {
      await demo.sql`update app.commission_maturities set matures_at = now() - interval '1 day' where order_id % 3 > 0`;
      await demo.sql`update app.commission_maturities set matures_at = now() + interval '2 days' where order_id % 3 = 0`;
      await demo.sql`select app.set_settings('{"withdrawal_minimum": 100, "withdrawal_fee_rate": 0.006}', now())`;
      const { page, complaints, open } = await demo.phone({ locale: "en-GB", member: "chen@example.com" });
      await open("/me");
      await page.getByRole("link", { name: /^My commission/ }).click();
      await page.getByRole("heading", { name: "Maturity dates" }).waitFor();
      await page.getByRole("link", { name: "Withdraw", exact: true }).click();
      await page.getByRole("link", { name: "Add an account" }).click();
      await page.getByLabel("Account holder").fill("Chen Jing");
      await page.getByLabel("Bank", { exact: true }).fill("ICBC");
      await page.getByLabel("Account number").fill("6222 0212 3456 7890 128");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("622****0128").waitFor();
      await page.getByLabel("Amount").fill("1000.99");
      // 1,000.99 x 0.006 = 6.00594
      await page.getByText("¥6.00", { exact: true }).waitFor();
      await page.getByText("¥994.99", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Request the withdrawal" }).click();
      await page.getByText("The withdrawal was requested.").waitFor();
      await page.getByText(/^Waiting for review/).waitFor();
      await page.getByText("Your last withdrawal is not finished yet.").waitFor();
      await settleH5(page);

      await page.getByRole("link", { name: "Payout accounts" }).click();
      await page.getByRole("button", { name: "Delete 622****0128" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByText("A withdrawal to this account is not finished yet.").waitFor();
      const [withdrawal] = await demo.sql`select amount, fee, state from app.withdrawals order by id desc limit 1`;
      expect(withdrawal).toEqual({ amount: "1000.99", fee: "6.00", state: "requested" });

      // Nobody has approved it, so the member can take it back.
      await open("/withdrawals");
      await page.getByRole("link", { name: "ICBC 622****0128" }).click();
      await page.getByRole("button", { name: "Cancel the withdrawal" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Cancel the withdrawal" }).click();
      await page.getByText("The withdrawal was cancelled. The amount is back in your balance.").waitFor();
      await page.getByText("Cancelled", { exact: true }).waitFor();
      expect((await demo.sql`select state from app.withdrawals order by id desc limit 1`)[0]!.state).toBe("cancelled");
      expect(complaints.filter((complaint) => !complaint.includes("409"))).toEqual([]);
    });
  },
};

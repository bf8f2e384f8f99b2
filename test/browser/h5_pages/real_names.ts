import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import { barriers } from "../browser.ts";
import type { Folder } from "./folder.ts";

export const real_names: Folder = {
  member: { real_name: "/real-name" },
  tests: (demo) => {
    it.each([
      [
        "en-GB",
        "Amount",
        /^From ¥500.00 on, the store needs/,
        "Give your real name",
        "Full name",
        "Number of the document",
        "Save",
        "Back",
      ],
      ["zh-CN", "金额", /^提现金额达到 ¥500.00/, "提交实名信息", "姓名", "证件号码", "提交", "返回"],
    ])(
      "is asked for above the limit, says what is wrong, is shown masked, and not asked for again, while the amount stays, %s",
      async (locale, amount, needed, give, name, number, save, back) => {
        await demo.sql`delete from app.real_names`;
        await demo.sql`select app.set_settings('{"real_name_from": 500, "real_name_check": "none"}', now())`;
        const { page, open, complaints } = await demo.phone({ locale, member: "chen@example.com" });
        const typed = page.getByLabel(amount, { exact: true });
        await open("/withdrawals/new");
        await typed.fill("1000");
        await page.getByText(needed).waitFor();
        await page.getByRole("link", { name: give }).click();
        await page.getByLabel(name, { exact: true }).waitFor();
        await page.getByRole("button", { name: back }).click();
        expect(await typed.inputValue()).toBe("1000");

        await page.getByRole("link", { name: give }).click();
        await page.getByLabel(name, { exact: true }).waitFor();
        await page.reload();
        await page.getByLabel(name, { exact: true }).fill("陈静");
        await page.getByLabel(number).fill("110105194912310021");
        await page.getByRole("button", { name: save }).click();
        await page.locator("[aria-invalid=true]").waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.getByLabel(number).fill("11010519491231002X");
        await page.getByRole("button", { name: save }).click();
        await typed.waitFor();
        expect(await typed.inputValue()).toBe("1000");
        await settleH5(page);
        await expect.poll(() => page.getByText(needed).count()).toBe(0);

        await open("/real-name");
        await page.getByText(/陈\*\*.*1\*{16}X/).waitFor();
        await demo.sql`select app.set_settings('{"real_name_from": 0, "real_name_check": "none"}', now())`;
        expect(complaints.filter((line) => !/4\d\d/.test(line))).toEqual([]);
      },
    );
  },
};

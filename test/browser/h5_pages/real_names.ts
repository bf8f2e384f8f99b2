import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import { barriers } from "../browser.ts";
import type { Folder } from "./folder.ts";

export const real_names: Folder = {
  member: { real_name: "/real-name" },
  tests: (demo) => {
    it.each([
      ["en-GB", "Amount", /^From ¥500.00 on, the store needs/, "Give your real name", "Full name", "Number of the document", "Save"],
      ["zh-CN", "金额", /^提现金额达到 ¥500.00/, "提交实名信息", "姓名", "证件号码", "提交"],
    ])(
      "is asked for above the limit, says what is wrong, is shown masked, and not asked for again, %s",
      async (locale, amount, needed, give, name, number, save) => {
        await demo.sql`delete from app.real_names`;
        await demo.sql`select app.set_real_name_terms(500, 'none', now())`;
        const { page, open, complaints } = await demo.phone({ locale, member: "chen@example.com" });
        await open("/withdrawals/new");
        await page.getByLabel(amount, { exact: true }).fill("1000");
        await page.getByText(needed).waitFor();
        await page.getByRole("link", { name: give }).click();
        await page.getByLabel(name, { exact: true }).fill("陈静");
        await page.getByLabel(number).fill("110105194912310021");
        await page.getByRole("button", { name: save }).click();
        await page.locator("[aria-invalid=true]").waitFor();
        expect(await barriers(page)).toEqual([]);

        // As if the store had a key.
        await demo.sql`
          select app.give_real_name(u.uid, 'id_card', '陈**', '1****************X', repeat('ab', 60), repeat('a', 16), repeat('b', 64), repeat('c', 16), now())
          from app.users as u join auth.users as a on a.id = u.auth_id where a.email = 'chen@example.com'`;
        await open("/real-name");
        await page.getByText(/陈\*\*.*1\*{16}X/).waitFor();
        await open("/withdrawals/new");
        await page.getByLabel(amount, { exact: true }).fill("1000");
        await settleH5(page);
        expect(await page.getByText(needed).count()).toBe(0);
        await demo.sql`select app.set_real_name_terms(0, 'none', now())`;
        expect(complaints.filter((line) => !/4\d\d/.test(line))).toEqual([]);
      },
    );
  },
};

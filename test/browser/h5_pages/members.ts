import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import { noisyPng } from "../../api/png_writer.ts";
import { barriers, keepPicture, watchUploads } from "../browser.ts";
import { type Folder, screenshots } from "./folder.ts";

export const members: Folder = {
  member: { me: "/me", profile: "/me/profile", security: "/me/security", deletion: "/me/deletion" },
  visit: async ({ page, open }, look, demo) => {
    await page.goto(`${demo.info.supabase_url}/h5?spread=10007`);
    await settleH5(page);
    await look(page, "invitation");
    await open("/sign-up");
    await look(page, "article");
    await page.locator("main footer button").click();
    await look(page, "sign_up");
    await page.locator('main a[href="#/sign-in"]').click();
    await look(page, "sign_in");
    await page.locator('main a[href^="#/sign-in/phone"]').click();
    await look(page, "sign_in_phone");
  },
  tests: (demo) => {
    it("shows a member's picture, or the first letter of the nickname if there is none or it cannot be loaded", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      const [{ image }] =
        (await demo.sql`select images[1] as image from app.products where images[1] is not null order by id limit 1`) as unknown as [
          { image: string },
        ];
      const cases = [
        [image, ""],
        [`${demo.info.supabase_url}/no-picture.png`, "C"],
        [null, "C"],
      ] as const;
      for (const [avatar, letter] of cases) {
        await demo.sql`update app.users set avatar = ${avatar} where uid = 10007`;
        await open("/me");
        const picture = page.getByRole("region", { name: "Membership" }).locator("span").first();
        await expect.poll(() => picture.innerText()).toBe(letter);
        expect(await picture.locator("img").count()).toBe(letter === "" ? 1 : 0);
        if (letter === "")
          expect(
            await picture.locator("img").evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
          ).toBeGreaterThan(0);
        // The nickname beside the picture is what screen readers read.
        await page.getByRole("region", { name: "Membership" }).getByText("Chen Jing").waitFor();
        expect(await picture.getAttribute("aria-hidden")).toBe("true");
      }
    });

    it("uploads a picture of the member, shows how far that is, and says why a file is none and what to do without a connection", async () => {
      const { page, open, complaints } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      await open("/me/profile");
      const choose = page.getByLabel("Choose a picture");
      await choose.setInputFiles({
        name: "a.heic",
        mimeType: "image/heic",
        buffer: Buffer.from("\0\0\0\x18ftypheic\0\0\0\0", "latin1"),
      });
      await page.getByText("Save the picture as JPEG").waitFor();
      const me = { name: "me.png", mimeType: "image/png", buffer: Buffer.from(noisyPng(180)) };
      await page.route("**/picture/avatar", (route) => route.abort("connectionreset"), { times: 1 });
      await choose.setInputFiles(me);
      await page.getByText("Check your connection and try again.").waitFor();
      expect(await page.getByRole("progressbar").count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      const shownParts = await watchUploads(page);
      await choose.setInputFiles(me);
      const picture = page.getByRole("group", { name: "Picture" }).locator("img");
      expect(await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth))).toBe(180);
      const parts = await shownParts();
      expect(parts.length).toBeGreaterThan(1);
      expect(parts).toEqual(parts.toSorted((a, b) => a - b));
      expect(await page.getByRole("progressbar").count()).toBe(0);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("Your profile was saved.").waitFor();
      const [{ avatar }] = (await demo.sql`select avatar from app.users where uid = 10007`) as unknown as [
        { avatar: string },
      ];
      expect(avatar).toMatch(/\/storage\/v1\/object\/public\/pictures\/[0-9a-f-]{36}\/small\.jpg$/);
      await demo.sql`update app.users set avatar = null where uid = 10007`;
      expect(complaints.filter((line) => !/422|CONNECTION_RESET/.test(line))).toEqual([]);
    });

    it("signs a new member in by a code, who gets their data, asks for the deletion of the account, and keeps it", async () => {
      const { page, open, complaints } = await demo.phone({ locale: "en-GB" });
      const phone = "13912345678";
      await open("/sign-in/phone?to=/me");
      await page.locator("main footer button").click();
      await page.getByLabel("Phone number").fill(phone);
      await page.getByRole("button", { name: "Send a code" }).click();
      await page.getByText("We have sent a code to this number.").waitFor();
      const mail = readdirSync(demo.mails)
        .filter((name) => name.includes(`86${phone}`))
        .sort()
        .at(-1)!;
      const code = /<p>(\d{6})<\/p>/.exec(readFileSync(join(demo.mails, mail), "utf8"))![1]!;
      await page.getByLabel("Code", { exact: true }).fill(code === "000000" ? "111111" : "000000");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByText("This code is wrong or has expired").waitFor();
      expect(await barriers(page)).toEqual([]);
      await page.getByLabel("Code", { exact: true }).fill(code);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();

      // Who cannot earn yet sees how to begin.
      const steps = page.getByRole("list", { name: "Three steps to your first commission" });
      await steps.waitFor();
      expect(
        await steps.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("href"))),
      ).toEqual(["#/", "#/poster", "#/prospects"]);
      await page.getByRole("link", { name: "My account" }).click();
      await page.getByText("This device").waitFor();
      const download = page.waitForEvent("download");
      await page.getByRole("button", { name: "Download my data" }).click();
      const file = JSON.parse(readFileSync(await (await download).path(), "utf8")) as { records: { table: string }[] };
      expect(file.records.map(({ table }) => table)).toContain("app.users");

      await page.getByRole("link", { name: "Delete my account" }).click();
      const ask = page.getByRole("button", { name: "Delete my account" });
      await ask.waitFor();
      expect(await ask.isDisabled()).toBe(true);
      await page.getByRole("checkbox").check({ force: true });
      expect(await barriers(page)).toEqual([]);
      await ask.click();
      await page.getByRole("button", { name: "Keep my account" }).waitFor();
      expect(await demo.sql`select from app.account_deletions where done_at is null`).toHaveLength(1);
      expect(await barriers(page)).toEqual([]);
      await page.getByRole("button", { name: "Keep my account" }).click();
      await ask.waitFor();
      expect(await demo.sql`select from app.account_deletions where done_at is null`).toHaveLength(0);
      expect(complaints.filter((line) => !/verify|403/.test(line))).toEqual([]);
    });

    it("keeps the lines of an article that is text without HTML", async () => {
      const { page, open } = await demo.phone({ locale: "en-GB" });
      await page.route("**/api/sign/required_article", async (route) => {
        const json = await (await route.fetch()).json();
        await route.fulfill({ json: { ...json, content: "One line\nand another, for 1 < 2" } });
      });
      await open("/sign-up");
      const article = page.getByRole("article");
      await article.waitFor();
      expect(await article.innerText()).toContain("One line\nand another, for 1 < 2");
    });

    it("shows how to reach the store, if it says so", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      await demo.sql`select app.set_settings('{"contact_phone": "0755 2660 0000", "contact_wechat": "tea_house", "contact_hours": "9:00 to 18:00"}', now())`;
      await open("/me");
      await page.getByRole("button", { name: "Contact the store" }).click();
      const sheet = page.getByRole("dialog");
      expect(await sheet.getByRole("link", { name: "0755 2660 0000" }).getAttribute("href")).toBe("tel:075526600000");
      await sheet.getByText("tea_house").waitFor();
      await sheet.getByText("9:00 to 18:00").waitFor();
      expect(await barriers(page)).toEqual([]);
      await demo.sql`select app.set_settings('{"contact_phone": "", "contact_wechat": "", "contact_hours": ""}', now())`;
      // Until the store answers, the app shows what it has kept.
      const answered = page.waitForResponse("**/api/system/metadata");
      await open("/me");
      await answered;
      await expect.poll(() => page.getByRole("button", { name: "Contact the store" }).count()).toBe(0);
      await page.getByRole("region", { name: "Membership" }).waitFor();
    });

    it("leads to the licences of what the app contains", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "zh-CN" });
      await open("/me");
      await page.getByRole("link", { name: "第三方许可" }).click();
      await expect.poll(() => page.locator("body").innerText()).toContain("Jason Miller");
    });

    it("passes axe with the sheet for signing out open", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      await open("/me");
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("dialog").waitFor();
      expect(await barriers(page)).toEqual([]);
      await keepPicture(page, join(screenshots, "sheet sign out.png"));
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "hidden" });
    });
  },
};

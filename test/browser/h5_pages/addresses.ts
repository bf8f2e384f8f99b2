import { expect, it } from "vitest";
import { barriers } from "../browser.ts";
import { type Folder, loadNothingAhead } from "./folder.ts";

export const addresses: Folder = {
  member: { addresses: "/addresses", new_address: "/addresses/new" },
  tests: (demo) => {
    it("takes the region from a list that is loaded when it is opened, and everything from a pasted text", async () => {
      const { page, open, complaints } = await demo.phone({ member: "chen@example.com", locale: "zh-CN" });
      await loadNothingAhead(page);
      const scripts: string[] = [];
      page.on("request", (request) => {
        if (request.url().endsWith(".js")) scripts.push(request.url());
      });
      await open("/addresses/new");
      const before = scripts.length;
      await page.getByRole("button", { name: "选择省市区" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "广东省", exact: true }).waitFor();
      expect(scripts.length).toBe(before + 1);
      for (const name of ["广东省", "深圳市"])
        await page.getByRole("dialog").getByRole("button", { name, exact: true }).click();
      expect(await barriers(page)).toEqual([]);
      // Back to the province, and down again.
      await page.getByRole("dialog").getByRole("button", { name: "深圳市", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "广州市", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "天河区", exact: true }).click();
      await page.getByRole("button", { name: "广东省 广州市 天河区" }).waitFor();
      await page.getByRole("button", { name: "手动填写省市区" }).click();
      const values = () =>
        Promise.all(
          ["收货人", "手机号", "省份", "城市", "区县", "街道"].map((label) => page.getByLabel(label).inputValue()),
        );
      expect(await values()).toEqual(["", "", "广东省", "广州市", "天河区", ""]);

      const text = page.getByLabel("粘贴地址，自动填写");
      await text.fill("  。");
      await page.getByRole("button", { name: "识别并填写" }).click();
      expect(await barriers(page)).toEqual([]);
      await text.fill("王小明 13800000000 广东省深圳市南山区科技园1号");
      await page.getByRole("button", { name: "识别并填写" }).click();
      await page.getByText("已填写，保存前请核对。").waitFor();
      expect(await values()).toEqual(["王小明", "13800000000", "广东省", "深圳市", "南山区", "科技园1号"]);
      expect(complaints).toEqual([]);
    });

    it("lets the keyboard switch the default address and reach the button, and shows where it is", async () => {
      const { page, open } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
      await open("/addresses/new");
      const isFocused = (element: Element) => document.activeElement === element;
      await page.getByLabel("Street and house number").focus();
      await page.keyboard.press("Tab");
      const choice = page.getByRole("checkbox", { name: "Use as the default address" });
      expect(await choice.evaluate(isFocused)).toBe(true);
      await page.keyboard.press("Space");
      expect(await choice.isChecked()).toBe(true);
      const drawnBox = choice.locator("xpath=following-sibling::*[1]");
      expect(await drawnBox.evaluate((box) => getComputedStyle(box).outlineStyle)).toBe("solid");
      await page.keyboard.press("Tab");
      const save = page.getByRole("button", { name: "Save" });
      expect(await save.evaluate(isFocused)).toBe(true);
      expect(await save.evaluate((button) => getComputedStyle(button).outlineStyle)).toBe("solid");
    });
  },
};

import { expect, it } from "vitest";
import type { Folder } from "./folder.ts";

export const addresses: Folder = {
  member: { addresses: "/addresses", new_address: "/addresses/new" },
  tests: (demo) => {
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

import { expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { barriers } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();

it.each(["zh-CN", "en-GB"])(
  "the menu has at most nine groups, fits a window of 768 pixels, and shows the entry of each page (%s)",
  async (locale) => {
    const { page, open, follow } = await demo.visitAsAdministrator({ locale, width: 1024, height: 768 });
    await open("/overview");
    const groups = page.locator("nav [role=group]");
    expect(await groups.count()).toBeLessThanOrEqual(9);
    const routes = await page
      .locator("nav a")
      .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash.slice(1)));
    expect(routes.length).toBeGreaterThan(25);
    for (const route of routes) {
      await follow(route);
      const seen = await page
        .getByRole("navigation", { name: locale === "zh-CN" ? "菜单" : "Menu" })
        .evaluate((menu) => {
          const entry = menu.querySelector("[aria-current=page]")!;
          const { top, bottom } = entry.getBoundingClientRect();
          const area = menu.querySelector(".mantine-ScrollArea-viewport")!;
          return {
            entry: (entry as HTMLAnchorElement).hash.slice(1),
            isInSight: top > 0 && bottom <= innerHeight,
            open: menu.querySelectorAll("[aria-expanded=true]").length,
            scrolls: area.scrollHeight > area.clientHeight,
          };
        });
      expect.soft(seen, route).toEqual({ entry: route, isInSight: true, open: 1, scrolls: false });
    }
    // With another group open, too.
    await page.locator("nav button[aria-expanded=false]").nth(3).click();
    expect(await page.locator("nav [aria-current=page]").isVisible()).toBe(true);
    expect(await barriers(page)).toEqual([]);
  },
);

it("the search finds a job by the name that the database has, and a setting by its name in the other language", async () => {
  const { page, open } = await demo.visitAsAdministrator({ locale: "zh-CN" });
  await open("/overview");
  for (const [text, found] of [
    ["fsgx_release", "每日释放冻结积分"],
    ["Daily release", "每日释放冻结积分"],
  ] as const) {
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").fill(text);
    await page.getByRole("option", { name: found }).click();
    const drawer = page.getByRole("dialog", { name: found });
    await drawer.getByText("fsgx_release_frozen_points").waitFor();
    await page.keyboard.press("Escape");
    await drawer.waitFor({ state: "detached" });
  }
  for (const text of ["Time zone", "time_zone"]) {
    await open("/overview");
    await page.keyboard.press("Control+K");
    await page.getByRole("combobox").fill(text);
    await page.getByRole("option", { name: "时区" }).first().click();
    await page.waitForURL(/setting=time_zone/);
    await settle(page);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest("[data-setting]") !== null)).toBe(true);
  }
});

import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import type { DemoH5 } from "../demo_h5.ts";
import type { Folder } from "./folder.ts";

export const notices: Folder = { member: { notices: "/notices", "choice of notices": "/notices/choices" }, tests };

function tests(demo: DemoH5): void {
  it("are counted on the tab, read when they are opened, and all at once", async () => {
    const { page, open, complaints } = await demo.phone({ member: "chen@example.com", locale: "en-GB" });
    await demo.sql`delete from app.read_notices where uid = 10007`;
    await demo.sql`delete from app.inboxes where uid = 10007`;
    await demo.sql`select app.write_event('level.reached', 10007, 10007, '{"from_level": 2, "to_level": 3}', clock_timestamp())`;
    await open("/me");
    const tab = page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: /^Me \d+\+? unread$/ });
    await tab.waitFor();
    await page.getByRole("link", { name: /^Notices/ }).click();
    const list = page.getByRole("list", { name: "Notices" });
    const first = list.getByRole("listitem").first();
    await first.getByText("You have reached the level Service provider.").waitFor();
    await first.getByText("New", { exact: true }).waitFor();
    await first.getByRole("link").click();
    await page.getByRole("heading", { name: "Levels", exact: true }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await first.getByText("You have reached the level Service provider.").waitFor();
    await expect.poll(() => first.getByText("New", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await expect.poll(() => list.getByText("New", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).waitFor({ state: "detached" });

    await page.getByRole("link", { name: "Choose what you see where" }).click();
    await page.getByRole("region", { name: "In this app" }).getByText("Team and level").click();
    await settleH5(page);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your choice was saved.").waitFor();
    await list.waitFor();
    await expect.poll(() => page.getByText("You have reached the level Service provider.").count()).toBe(0);
    await demo.sql`delete from app.inboxes where uid = 10007`;
    expect(complaints).toEqual([]);
  });
}

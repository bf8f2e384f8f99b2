import { expect, it } from "vitest";
import { settleH5 } from "../../../scripts/pictures/h5_visit.ts";
import { barriers } from "../browser.ts";
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
    await first.getByRole("heading", { name: "today" }).waitFor();
    await first.getByText("New", { exact: true }).waitFor();
    await first.getByRole("link").click();
    await page.getByRole("heading", { name: "Levels", exact: true }).waitFor();
    await page.getByRole("button", { name: "Back" }).click();
    await first.getByText("You have reached the level Service provider.").waitFor();
    await expect.poll(() => first.getByText("New", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await expect.poll(() => list.getByText("New", { exact: true }).count()).toBe(0);
    await page.getByRole("button", { name: "Mark all as read" }).waitFor({ state: "detached" });

    // A store with a mail server and a template of WeChat.
    const [functions] = await demo.sql`select variables from app.function_settings`;
    await demo.sql`update app.function_settings set variables = '{STORE_SMTP_URL}'`;
    await demo.sql`insert into app.message_templates (type, template_id, data) values ('order.shipped', 'shipped-1', '{"thing1": "title"}')`;
    await page.getByRole("link", { name: "Choose what you see where" }).click();
    await page.getByRole("region", { name: "In this app" }).getByText("Team and level").click();
    await page.getByRole("region", { name: "By email" }).getByText("To chen@example.com").waitFor();
    await page.getByRole("region", { name: "By email" }).getByText("Orders").click();
    await page.getByRole("region", { name: "By WeChat" }).getByText("Points", { exact: false }).click();
    await settleH5(page);
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Your choice was saved.").waitFor();
    await list.waitFor();
    await expect.poll(() => page.getByText("You have reached the level Service provider.").count()).toBe(0);
    expect([...(await demo.sql`select inbox, email, wechat, language from app.inboxes where uid = 10007`)]).toEqual([
      {
        inbox: ["orders", "refunds", "commission", "withdrawals", "points"],
        email: ["orders"],
        wechat: ["orders", "refunds", "commission", "withdrawals", "team"],
        language: "en",
      },
    ]);
    await demo.sql`delete from app.inboxes where uid = 10007`;
    await demo.sql`delete from app.message_templates`;
    await demo.sql`update app.function_settings set variables = ${(functions?.variables as string[] | undefined) ?? []}`;
    expect(complaints).toEqual([]);
  });
}

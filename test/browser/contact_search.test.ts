import { describe, expect, it } from "vitest";
import { demoConsole } from "./demo_console.ts";
import { chosen, openSearch } from "./search_field.ts";

const demo = demoConsole();

describe("the search", () => {
  // Guarantee privacy/contact-search
  it("looks a phone number or an email address up when that is chosen, and records it", async () => {
    const visit = await demo.visitAsAdministrator();
    const { page, open, follow } = visit;
    const records = async () =>
      (await demo.sql`select to_value from app.admin_actions where function = 'find_contact' order by id`).map(
        (row) => row.to_value as object,
      );
    await open("/overview");
    const asked: string[] = [];
    page.on("request", (request) => asked.push(decodeURIComponent(request.url())));
    await openSearch(visit);
    await page.keyboard.type("chen@example.com");
    await chosen(visit).getByText("Find the member with the email address chen@example.com").waitFor();
    expect(await records()).toEqual([]);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Chen Jing, member 10007" }).waitFor();
    await openSearch(visit);
    await page.keyboard.type("+86 139 0000 0000");
    await chosen(visit).getByText("+86 139 0000 0000").waitFor();
    await page.keyboard.press("Enter");
    await page.getByText("No member has this phone number or email address.").last().waitFor();
    expect(await records()).toEqual([
      { found: true, found_by: "email" },
      { found: false, found_by: "phone" },
    ]);
    expect(asked.filter((url) => url.includes("text=") && /chen@example|0000 0000/.test(url))).toEqual([]);
    await follow("/activity");
    await page
      .getByRole("cell", { name: /searched by a phone number or email address and found/ })
      .first()
      .waitFor();
  });
});

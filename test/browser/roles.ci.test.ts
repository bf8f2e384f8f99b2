import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { administrator, demoConsole } from "./demo_console.ts";
import { unpaidOrder } from "./demo_orders.ts";

const demo = demoConsole();

const roles = ["owner", "finance", "service", "content"] as const;
type Role = (typeof roles)[number];

/** A control of each area: its page, its label, and the roles that may use it. */
const controls: { area: string; route: string; name: RegExp; allowed: Role[] }[] = [
  { area: "content", route: "/products", name: /^Add a product$/, allowed: ["owner", "content"] },
  { area: "members", route: "/users/10007", name: /^Set level/, allowed: ["owner", "service"] },
  { area: "money", route: "/adjustments", name: /^New adjustment$/, allowed: ["owner", "finance"] },
  { area: "money", route: "/users/10007", name: /^Export all data$/, allowed: ["owner", "finance"] },
  { area: "system", route: "/schedule", name: /^Run now: /, allowed: ["owner"] },
];

/** What the role content sees of a page that it may not read. */
const notForContent = "Your roles allow the pages of products and articles only.";

/** Whether the first control with this name can be used. */
async function isEnabled(page: Page, name: RegExp): Promise<boolean> {
  const button = page.getByRole("button", { name }).first();
  await button.waitFor();
  return button.isEnabled();
}

describe("an administrator", () => {
  it.each(roles)(
    "with the role %s can use the controls of its areas, and is told why others are disabled",
    async (role) => {
      // An owner who is left, so that the visitor can have every role.
      await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
      await demo.sql`select app.add_administrator(${administrator}, array[${role}])`;
      try {
        const { page, open, complaints } = await demo.visitAsAdministrator();
        for (const { area, route, name, allowed } of controls) {
          await open(route);
          const may = allowed.includes(role);
          if (role === "content" && area !== "content") {
            await page.getByText(notForContent).waitFor();
            expect(await page.getByRole("button", { name }).count(), area).toBe(0);
            continue;
          }
          // The page shows the controls before it knows the roles.
          await expect.poll(() => isEnabled(page, name), { message: `${role} ${area}` }).toBe(may);
          const disabled = page
            .getByRole("group", { name: /^Your roles do not allow changes of / })
            .filter({ has: page.getByRole("button", { name }) });
          expect((await disabled.count()) > 0, `${role} ${area}`).toBe(!may);
        }
        await open("/");
        await page.getByRole("heading", { level: 1, name: role === "content" ? "Products" : "Overview" }).waitFor();
        const links = await page.locator("nav a").allTextContents();
        if (role === "content") expect(links).toEqual(["Products", "First page", "Articles"]);
        else expect(links.length).toBeGreaterThan(20);
        await page.getByRole("button", { name: /^Account / }).click();
        await page.getByText(`Roles: ${role[0]!.toUpperCase()}${role.slice(1)}`).waitFor();
        expect(await page.getByRole("menuitem", { name: "Notices by email" }).count()).toBe(role === "content" ? 0 : 1);
        // Before the page knows the roles, it asks for what the role content may not read.
        expect(complaints.filter((complaint) => role !== "content" || !/403|forbidden/.test(complaint))).toEqual([]);
      } finally {
        await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
      }
    },
  );

  // It opens each page of the menu, so a slow machine takes minutes.
  it.each(["finance", "service"] as const)(
    "with the role %s can read every page of the menu, and none that it leaves out",
    { timeout: 1_200_000 },
    async (role) => {
      await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
      await demo.sql`select app.add_administrator(${administrator}, array[${role}])`;
      try {
        const { page, open, follow } = await demo.visitAsAdministrator();
        const refused: string[] = [];
        page.on("response", (response) => {
          if (response.status() === 403) refused.push(response.url());
        });
        await open("/overview");
        const links = page.locator("nav a");
        // The menu has all pages before it knows the roles.
        await expect.poll(() => links.filter({ hasText: "Webhooks" }).count()).toBe(0);
        const offered = await Promise.all(
          (await links.all()).map(async (link) => (await link.getAttribute("href"))!.replace("#", "")),
        );
        expect(offered.length).toBeGreaterThan(20);
        refused.length = 0;
        for (const route of offered) await follow(route);
        expect(refused).toEqual([]);
        for (const route of ["/machine-keys", "/webhooks"]) {
          await follow(route);
          expect([route, refused.splice(0).length > 0]).toEqual([route, true]);
        }
      } finally {
        await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
      }
    },
  );

  it("downloads everything about a member as a file", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/users/10007");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export all data" }).click(),
    ]);
    expect(file.suggestedFilename()).toBe("member_10007.json");
    const { records } = JSON.parse(readFileSync(await file.path(), "utf8")) as {
      records: { table: string; record: { uid?: number } }[];
    };
    expect(records.find(({ table }) => table === "app.users")?.record.uid).toBe(10007);
    const [bill] = await demo.sql`select count(*)::integer as rows from app.user_bill where uid = 10007`;
    expect(records.filter(({ table }) => table === "app.user_bill")).toHaveLength(bill!.rows as number);
    expect(complaints).toEqual([]);
  });

  it("can mark an order as paid only with an area that allows it, whatever the page shows", async () => {
    const { id } = await unpaidOrder(demo.sql);
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${id}`);
    expect(await isEnabled(page, /^Mark as paid/)).toBe(true);
    await demo.sql`select app.add_administrator('chen@example.com', '{owner}')`;
    await demo.sql`select app.add_administrator(${administrator}, '{service}')`;
    try {
      await page.getByRole("button", { name: /^Mark as paid/ }).click();
      await page.getByRole("dialog").getByRole("textbox").fill("cash");
      await page.getByRole("dialog").getByRole("button", { name: /paid/ }).click();
      await page
        .getByRole("dialog")
        .getByText(/The roles of this account do not allow this/)
        .waitFor();
    } finally {
      await demo.sql`select app.add_administrator(${administrator}, '{owner}')`;
    }
  });

  it("adjusts a balance at once within the limit, and a second one approves what is above", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/adjustments");
    await page.getByRole("button", { name: "New adjustment" }).click();
    await page.getByLabel("Member no.").fill("10007");
    await page.getByRole("dialog").getByLabel("Commission").fill("-12.50");
    await page.getByRole("dialog").getByLabel("Reason").fill("A parcel was lost");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page
      .getByRole("row", { name: /-12\.50/ })
      .getByText("Booked")
      .waitFor();

    await demo.sql`select app.add_administrator('chen@example.com', '{finance}')`;
    const [second] = await demo.sql`select id from auth.users where email = 'chen@example.com'`;
    await demo.sql`select from app.create_adjustment(10008, 5000, null, null, 'An old debt', ${second!.id}, null)`;
    const [own] =
      await demo.sql`select a.id, a.state from auth.users as u cross join lateral app.create_adjustment(10008, 6000, null, null, 'My own', u.id, null) as a where u.email = ${administrator}`;
    expect(own!.state).toBe("waiting");
    await open("/adjustments?state=waiting");
    const ownRow = page.getByRole("row", { name: /6,000\.00/ });
    await ownRow.getByText("You made it. Another administrator decides.").waitFor();
    expect(await ownRow.getByRole("button", { name: /^(Approve|Refuse)/ }).count()).toBe(0);
    await demo.sql`select from app.decide_adjustment(${own!.id}, 'refused', ${second!.id}, null)`;
    await open("/adjustments?state=waiting");
    const waiting = page.getByRole("row", { name: /5,000\.00.*An old debt/ });
    await waiting.getByRole("button", { name: /^Approve: / }).click();
    const dialog = page.getByRole("dialog", { name: "Approve this adjustment?" });
    const [member] = await demo.sql`select nickname from app.users where uid = 10008`;
    await dialog.getByText(`${member!.nickname} 10008`, { exact: true }).waitFor();
    await dialog.getByText("+5,000.00", { exact: true }).waitFor();
    await dialog.getByText("An old debt", { exact: true }).waitFor();
    await dialog.getByRole("button", { name: "Approve", exact: true }).click();
    await page.getByText("The adjustment was booked.").waitFor();
    await waiting.waitFor({ state: "detached" });
    const [row] = await demo.sql`select state from app.adjustments where reason = 'An old debt'`;
    expect(row!.state).toBe("booked");
    expect(complaints).toEqual([]);
  });
});

import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { codeAt } from "../../scripts/auth/totp.ts";
import { settle, signIn } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { administrator, demoConsole, password } from "./demo_console.ts";

const demo = demoConsole();

/** The link of the newest mail, as a reader of the mail sees it. */
async function linkTo(email: string): Promise<string> {
  const mails = () => readdirSync(demo.mails).filter((name) => name.endsWith(` ${email}.html`));
  await expect.poll(() => mails().length).toBeGreaterThan(0);
  const mail = readFileSync(join(demo.mails, mails().sort().at(-1)!), "utf8");
  return mail.match(/href="([^"]+)"/)![1]!.replaceAll("&amp;", "&");
}

const words = {
  "en-GB": {
    group: "Access",
    page: "Administrators",
    invite: "Invite a colleague",
    email: "Email",
    name: "Name",
    role: "Finance",
    send: "Send the invitation",
    sent: (email: string) => `The invitation to ${email} was sent.`,
    invited: "Invited",
    active: "Active",
    save: "Save the password",
    overview: "Overview",
    account: /^Account /,
    roles: "Roles: Finance",
    notAllowed: "Your roles do not allow changes of administrators.",
  },
  "zh-CN": {
    group: "权限与接入",
    page: "管理员",
    invite: "邀请同事",
    email: "邮箱",
    name: "姓名",
    role: "财务",
    send: "发送邀请",
    sent: (email: string) => `已向 ${email} 发送邀请。`,
    invited: "已邀请",
    active: "正常",
    save: "保存密码",
    overview: "概览",
    account: /^账号 /,
    roles: "角色: 财务",
    notAllowed: "您的角色无权更改管理员。",
  },
};

/** An owner of a session of their own: a proof ends all other sessions of an account, also the one that tests share. */
const owner = "chen@example.com";

/** Signs the owner in and sets a second factor up in the menu, which giving roles needs. */
async function visitProved(locale: keyof typeof words = "en-GB") {
  await demo.sql`delete from auth.mfa_factors`;
  await demo.sql`select app.add_administrator(${owner}, '{owner}')`;
  const visit = await demo.visit({ locale, newProfile: true });
  const { page } = visit;
  const text = factorWords[locale];
  await signIn(page, owner, password);
  await page.getByRole("navigation").waitFor();
  await page.getByRole("button", { name: text.account }).click();
  await page.getByRole("menuitem", { name: text.title, exact: true }).click();
  const dialog = page.getByRole("dialog", { name: text.title });
  await dialog.getByRole("button", { name: text.begin }).click();
  await dialog.locator("input[name=code]").fill(codeAt((await dialog.locator("code").textContent())!, Date.now()));
  await dialog.getByRole("button", { name: text.confirm }).click();
  await dialog.getByRole("alert").getByText(text.onlyOne).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  return visit;
}

/** The row of a person. */
const rowOf = (page: Page, email: string) => page.getByRole("row").filter({ hasText: email });

describe.each(Object.entries(words))("the page of administrators, %s", (locale, text) => {
  it("invites a colleague in five clicks, who opens the mail, sets a password and is signed in with the role", async () => {
    const email = `wang-${randomUUID()}@example.com`;
    const { page, open, complaints } = await visitProved(locale as keyof typeof words);
    let clicks = 0;
    const click = async (target: ReturnType<Page["getByRole"]>) => {
      clicks += 1;
      await target.click();
    };
    await open("/overview");
    await click(page.getByRole("navigation").getByRole("button", { name: text.group }));
    await click(page.getByRole("navigation").getByRole("link", { name: text.page, exact: true }));
    await click(page.getByRole("button", { name: text.invite }));
    const form = page.getByRole("dialog", { name: text.invite });
    await form.getByLabel(text.email).fill(email);
    await form.getByLabel(text.name, { exact: false }).last().fill("Wang Fang");
    await click(form.getByLabel(text.role));
    expect(await barriers(page)).toEqual([]);
    await click(form.getByRole("button", { name: text.send }));
    await page.getByText(text.sent(email)).waitFor();
    await rowOf(page, email).getByText(text.invited, { exact: true }).waitFor();
    expect(clicks).toBe(5);
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);

    const other = await demo.visit({ locale, newProfile: true });
    await other.page.goto("about:blank");
    await other.page.goto(await linkTo(email));
    await other.page.locator("input[name=new-password]").fill("a new password");
    await other.page.getByRole("button", { name: text.save }).click();
    await other.page.getByRole("heading", { name: text.overview, level: 1 }).waitFor();
    await settle(other.page);
    await other.page.getByRole("button", { name: text.account }).click();
    await other.page.getByText(text.roles).waitFor();
    await other.open("/administrators");
    await other.page.getByText(text.notAllowed).first().waitFor();
    expect(await other.page.getByRole("button", { name: text.invite }).isEnabled()).toBe(false);
    expect(other.complaints).toEqual([]);

    await open("/administrators");
    await rowOf(page, email).getByText(text.active, { exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("an owner", () => {
  it("changes name and roles of a colleague, removes them, and withdraws an invitation", async () => {
    const colleague = "wang@example.com";
    await demo.sql`select app.add_administrator(${colleague}, '{service}')`;
    const { page, open, complaints } = await visitProved();
    await open("/administrators");
    // Nobody removes themselves: the only button opens the row.
    expect(
      await rowOf(page, owner)
        .getByRole("button", { name: /^(?!More of)/ })
        .count(),
    ).toBe(0);
    await rowOf(page, colleague).getByRole("link").first().click();
    const form = page.getByRole("dialog");
    await form.getByLabel("Name").fill("Director Wang");
    await form.getByLabel("Finance").check();
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: "Save" }).click();
    await rowOf(page, "Director Wang").getByText("Finance, Service").waitFor();

    await page.getByRole("button", { name: "Remove: Director Wang" }).click();
    const dialog = page.getByRole("dialog", { name: "Remove Director Wang?" });
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByText("Director Wang was removed.").waitFor();
    await expect.poll(() => rowOf(page, colleague).count()).toBe(0);

    const [sender] = await demo.sql`select id from auth.users where email = ${administrator}`;
    await demo.sql`insert into app.invitations (email, roles, name, invited_by, invited_at) values ('late@example.com', '{content}', 'Late', ${sender!.id}, now() - interval '8 days')`;
    await open("/administrators");
    await rowOf(page, "late@example.com").getByText("Invitation expired").waitFor();
    await page.getByRole("button", { name: "Send again: Late" }).click();
    await page.getByText("The invitation to late@example.com was sent.").waitFor();
    await rowOf(page, "late@example.com").getByText("Invited", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Withdraw: Late" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw", exact: true }).click();
    await expect.poll(() => rowOf(page, "late@example.com").count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("changes the own name in the menu of the account", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/overview");
    await page.getByRole("button", { name: /^Account / }).click();
    await page.getByRole("menuitem", { name: "Change your name" }).click();
    await page.getByRole("textbox", { name: "Your name" }).fill("Chief Zhang");
    expect(await barriers(page)).toEqual([]);
    await page.getByRole("button", { name: "Save the name" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await open("/activity?function=set_own_name");
    await page.getByRole("row").getByText("Chief Zhang").first().waitFor();
    expect(complaints).toEqual([]);
  });
});

const factorWords = {
  "en-GB": {
    account: /^Account /,
    title: "Second factor",
    begin: "Set up the app",
    confirm: "Confirm",
    wrong: "The code is wrong",
    onlyOne: /Add a second device/,
    signOut: "Sign out",
    notNow: "Not now",
    field: "Store name",
    money: /^Money/,
    save: "Save",
    saved: "Saved",
  },
  "zh-CN": {
    account: /^账号 /,
    title: "第二重验证",
    begin: "开始设置",
    confirm: "确认",
    wrong: "验证码错误",
    onlyOne: /再添加一台设备/,
    signOut: "退出登录",
    notNow: "暂不验证",
    field: "商城名称",
    money: /^资金/,
    save: "保存",
    saved: "已保存",
  },
};

describe.each(Object.entries(factorWords))("the second factor of an owner, %s", (locale, text) => {
  it("is set up in the menu, asked for at the next sign-in, and asked for again by a change that needs it", async () => {
    await demo.sql`delete from auth.mfa_factors`;
    await demo.sql`select app.add_administrator(${owner}, '{owner}')`;
    const { page, follow, complaints } = await demo.visit({ locale, newProfile: true });
    await signIn(page, owner, password);
    await page.getByRole("navigation").waitFor();
    await follow("/settings");
    const inMenu = async (name: string) => {
      await page.getByRole("button", { name: text.account }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    const dialog = page.getByRole("dialog", { name: text.title });
    const enter = async (code: string) => {
      await dialog.locator("input[name=code]").fill(code);
      await dialog.getByRole("button", { name: text.confirm }).click();
    };

    await inMenu(text.title);
    await dialog.getByRole("button", { name: text.begin }).click();
    await dialog.locator("img").waitFor();
    const secret = (await dialog.locator("code").textContent())!;
    expect(await barriers(page)).toEqual([]);
    await enter("000000");
    await dialog.getByText(text.wrong).waitFor();
    await enter(codeAt(secret, Date.now()));
    await dialog.getByRole("alert").getByText(text.onlyOne).waitFor();
    await page.keyboard.press("Escape");

    // Only now can the areas be chosen, in the session that has proved it.
    await page.getByRole("checkbox", { name: text.money }).check();
    await page.getByRole("button", { name: text.save, exact: true }).click();
    await page.getByText(text.saved).first().waitFor();
    await demo.sql`update app.settings set second_factor_areas = '{money, system}'`;

    await inMenu(text.signOut);
    await page.locator("input[name=email]").waitFor();
    await signIn(page, owner, password);
    await dialog.locator("input[name=code]").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: text.notNow }).click();
    await page.getByLabel(text.field).fill(`Shop ${locale}`);
    await page.getByRole("button", { name: text.save, exact: true }).click();
    await enter(codeAt(secret, Date.now()));
    await expect
      .poll(async () => (await demo.sql`select site_name from app.settings`)[0]!.site_name)
      .toBe(`Shop ${locale}`);

    await demo.sql`update app.settings set second_factor_areas = '{}'`;
    await demo.sql`delete from auth.mfa_factors`;
    // What was refused until the code was entered.
    const refused = /response: (403|422) |console: Failed to load resource.* (403|422)/;
    expect(complaints.filter((complaint) => !refused.test(complaint))).toEqual([]);
  });
});

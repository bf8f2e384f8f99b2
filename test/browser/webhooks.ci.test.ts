import { expect, it } from "vitest";
import { codeAt } from "../../scripts/auth/totp.ts";
import { signIn } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { demoConsole, password } from "./demo_console.ts";

const demo = demoConsole();
const colleague = "chen@example.com";

const words = {
  "en-GB": {
    add: "Add a webhook",
    name: "Name",
    address: "Address",
    event: "Order paid",
    wrong: "Choose at least one event.",
    save: "Save",
    factor: "Second factor",
    begin: "Set up the app",
    confirm: "Confirm",
    secret: /^The secret of/,
    close: "I have copied it",
    test: "Send a test",
    tested: "Test",
    givenUp: "Given up",
    again: "Send again",
    sentAgain: "The delivery is on its way.",
    closeDrawer: "Close",
    replay: "Replay",
    first: "First day",
    last: "Last day",
    willBeSent: /events? will be sent/,
    off: "Switch off",
    isOff: "Off",
    remove: "Delete",
    removed: (name: string) => `${name} was deleted.`,
    sentence: /added the webhook/,
  },
  "zh-CN": {
    add: "添加 Webhook",
    name: "名称",
    address: "地址",
    event: "订单已付款",
    wrong: "请至少选择一种事件。",
    save: "保存",
    factor: "第二重验证",
    begin: "开始设置",
    confirm: "确认",
    secret: /的密钥$/,
    close: "我已复制",
    test: "发送测试",
    tested: "测试",
    givenUp: "已放弃",
    again: "重新推送",
    sentAgain: "正在重新推送。",
    closeDrawer: "关闭",
    replay: "补发",
    first: "开始日期",
    last: "结束日期",
    willBeSent: /将推送/,
    off: "停用",
    isOff: "已停用",
    remove: "删除",
    removed: (name: string) => `已删除 ${name}。`,
    sentence: /添加了 Webhook/,
  },
};

it.each(Object.entries(words))(
  "an owner adds a webhook with a second factor, tries it, sees what came back, counts a replay, switches it off and deletes it, %s",
  async (locale, text) => {
    const name = `ERP ${locale}`;
    await demo.sql`delete from auth.mfa_factors`;
    // Another owner: a proof ends all other sessions of an account, also the one that tests share.
    await demo.sql`select app.add_administrator(${colleague}, '{owner}')`;
    const { page, follow, complaints } = await demo.visit({ locale, newProfile: true });
    await signIn(page, colleague, password);
    await page.getByRole("navigation").waitFor();
    await follow("/webhooks");
    expect(await barriers(page)).toEqual([]);

    await page.getByRole("button", { name: text.add }).first().click();
    const form = page.getByRole("dialog", { name: text.add });
    await form.getByRole("textbox", { name: text.name }).fill(name);
    // Nothing has this name.
    await form.getByRole("textbox", { name: text.address }).fill("https://erp.invalid/store");
    await form.getByRole("button", { name: text.save, exact: true }).click();
    await form.getByText(text.wrong).waitFor();
    await form.getByRole("checkbox", { name: text.event }).check();
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: text.save, exact: true }).click();

    const factor = page.getByRole("dialog", { name: text.factor });
    await factor.getByRole("button", { name: text.begin }).click();
    await factor.getByRole("img").waitFor();
    const appSecret = (await factor.locator("code").textContent())!;
    await factor.locator("input[name=code]").fill(codeAt(appSecret, Date.now()));
    await factor.getByRole("button", { name: text.confirm }).click();

    const shown = page.getByRole("dialog", { name: text.secret });
    expect(await shown.getByRole("textbox").inputValue()).toMatch(/^whsec_/);
    expect(await barriers(page)).toEqual([]);
    await shown.getByRole("button", { name: text.close }).click();
    await page.getByRole("link", { name }).click();

    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: text.test, exact: true }).click();
    await dialog.getByRole("button", { name: text.test, exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: text.givenUp });
    await row.waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    await row.getByRole("link", { name: text.tested }).click();
    await dialog.getByText("webhook.test").waitFor();
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: text.again }).click();
    await page.getByText(text.sentAgain).waitFor();
    await dialog.getByRole("button", { name: text.closeDrawer }).click();

    await page.getByRole("button", { name: text.replay, exact: true }).click();
    const today = new Date().toISOString().slice(0, 10);
    await dialog.getByLabel(text.first).fill("2020-01-01");
    await dialog.getByLabel(text.last).fill(today);
    await dialog.getByText(text.willBeSent).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: text.off, exact: true }).click();
    await dialog.getByRole("button", { name: text.off, exact: true }).click();
    await page.getByText(text.isOff, { exact: true }).waitFor();
    await page.getByRole("button", { name: text.remove, exact: true }).click();
    await dialog.getByRole("button", { name: text.remove, exact: true }).click();
    await page.getByText(text.removed(name)).waitFor();

    await follow("/activity?function=create_webhook");
    await page.getByRole("row", { name: text.sentence }).first().waitFor();

    // What was refused until the code was entered, and the page of what was deleted meanwhile.
    expect(
      complaints.filter((complaint) => !/response: 40[34] |console: Failed to load resource.* 40[34]/.test(complaint)),
    ).toEqual([]);
  },
);

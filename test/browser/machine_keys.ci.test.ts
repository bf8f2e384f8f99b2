import { expect, it } from "vitest";
import { codeAt } from "../../scripts/auth/totp.ts";
import { signIn } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { demoConsole, password } from "./demo_console.ts";

const demo = demoConsole();
const colleague = "chen@example.com";

const words = {
  "en-GB": {
    make: "Make a key",
    name: "Name",
    read: "Read orders, with names and addresses",
    write: "Ship orders, enter tracking numbers, change carriers",
    save: "Save",
    factor: "Second factor",
    begin: "Set up the app",
    confirm: "Confirm",
    secret: /^The secret of/,
    copy: "Copy",
    copied: "Copied",
    close: "I have copied it",
    handOver: "Hand over",
    to: "New owner",
    handedOver: (name: string) => `${name} was handed over.`,
    revoke: "Revoke",
    revoked: "Revoked",
    sentence: (name: string) => new RegExp(`the machine key ${name} of .* added the carrier`),
  },
  "zh-CN": {
    make: "新建密钥",
    name: "名称",
    read: "查看订单（含收件人和地址）",
    write: "发货、填写运单号、更改快递公司",
    save: "保存",
    factor: "第二重验证",
    begin: "开始设置",
    confirm: "确认",
    secret: /的密钥$/,
    copy: "复制",
    copied: "已复制",
    close: "我已复制",
    handOver: "移交",
    to: "新负责人",
    handedOver: (name: string) => `已移交 ${name}。`,
    revoke: "吊销",
    revoked: "已吊销",
    sentence: (name: string) => new RegExp(`的机器密钥 ${name} 添加了快递公司`),
  },
};

it.each(Object.entries(words))(
  "an owner makes a machine key with a second factor, sees its secret once, hands it over and revokes it, %s",
  async (locale, text) => {
    const keyName = `Warehouse ${locale}`;
    await demo.sql`delete from auth.mfa_factors`;
    // Another owner: a proof ends all other sessions of an account, also the one that tests share.
    await demo.sql`select app.add_administrator(${colleague}, '{owner}')`;
    const { page, follow, complaints } = await demo.visit({ locale, newProfile: true });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await signIn(page, colleague, password);
    await page.getByRole("navigation").waitFor();
    await follow("/machine-keys");
    expect(await barriers(page)).toEqual([]);

    await page.getByRole("button", { name: text.make }).first().click();
    const form = page.getByRole("dialog", { name: text.make });
    await form.getByRole("textbox", { name: text.name }).fill(keyName);
    await form.getByRole("checkbox", { name: text.read }).check();
    await form.getByRole("checkbox", { name: text.write }).check();
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: text.save, exact: true }).click();

    const factor = page.getByRole("dialog", { name: text.factor });
    await factor.getByRole("button", { name: text.begin }).click();
    await factor.getByRole("img").waitFor();
    const appSecret = (await factor.locator("code").textContent())!;
    await factor.locator("input[name=code]").fill(codeAt(appSecret, Date.now()));
    await factor.getByRole("button", { name: text.confirm }).click();

    const shown = page.getByRole("dialog", { name: text.secret });
    const secret = await shown.getByRole("textbox").inputValue();
    expect(secret).toMatch(/^sck_\d+_[0-9a-f]{64}$/);
    await shown.getByRole("button", { name: text.copy, exact: true }).click();
    await shown.getByRole("button", { name: text.copied, exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await shown.getByRole("button", { name: text.close }).click();
    await shown.waitFor({ state: "hidden" });
    expect(await page.content()).not.toContain(secret);

    const carrier = {
      code: `K${locale.slice(0, 2).toUpperCase()}`,
      name: `Carrier ${locale}`,
      name_zh: `快递 ${locale}`,
    };
    const reply = await fetch(`${demo.info.functions_url}/adminapi/carrier`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(carrier),
    });
    expect(reply.status).toBe(201);

    await page.getByRole("button", { name: new RegExp(`^${text.handOver}.*${keyName}`) }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel(text.to).selectOption({ index: 1 });
    expect(await barriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: text.handOver, exact: true }).click();
    await page.getByText(text.handedOver(keyName)).waitFor();
    await page.getByRole("button", { name: new RegExp(`^${text.revoke}.*${keyName}`) }).click();
    await dialog.getByRole("button", { name: text.revoke, exact: true }).click();
    await page.getByRole("row").filter({ hasText: keyName }).getByText(text.revoked, { exact: true }).waitFor();
    expect(await overflow(page)).toBeLessThanOrEqual(0);

    await follow("/activity?function=create_carrier");
    await page.getByRole("row", { name: text.sentence(keyName) }).waitFor();

    // What was refused until the code was entered.
    expect(
      complaints.filter((complaint) => !/response: 403 |console: Failed to load resource.* 403/.test(complaint)),
    ).toEqual([]);
  },
);

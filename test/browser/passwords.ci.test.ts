import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { settle } from "../../scripts/pictures/console_visit.ts";
import { newPhone, newSession, settleH5 } from "../../scripts/pictures/h5_visit.ts";
import { localDirectory } from "../../scripts/ground/paths.ts";
import { barriers, complaintsOf, keepPicture, overflow } from "./browser.ts";
import { DemoSite, password } from "./demo_site.ts";

const demo = new DemoSite();
const screenshots = join(localDirectory, "screenshots");
beforeAll(async () => {
  mkdirSync(screenshots, { recursive: true });
  await demo.start(true);
});
afterAll(() => demo.stop());

const mailsTo = (email: string) => {
  try {
    return readdirSync(demo.mails)
      .filter((name) => name.endsWith(` ${email}.html`))
      .sort();
  } catch {
    return [];
  }
};

/** The link of the newest mail, as a reader of the mail sees it. */
async function linkTo(email: string, { after = 0 } = {}): Promise<string> {
  await expect.poll(() => mailsTo(email).length, { message: `a mail to ${email}` }).toBeGreaterThan(after);
  const mail = readFileSync(join(demo.mails, mailsTo(email).at(-1)!), "utf8");
  return mail.match(/href="([^"]+)"/)![1]!.replaceAll("&amp;", "&");
}

async function signUp(): Promise<string> {
  const email = `${randomUUID()}@example.com`;
  const reply = await fetch(`${demo.info.supabase_url}/auth/v1/signup`, {
    method: "POST",
    headers: { "content-type": "application/json", apikey: demo.info.publishable_key },
    body: JSON.stringify({ email, password, data: { nickname: "Lin" } }),
  });
  expect(reply.status).toBe(200);
  return email;
}

const signsIn = (email: string, word: string) =>
  newSession(demo.info, email, word).then(
    () => true,
    () => false,
  );

/** A phone of its own. @param session of a member who is signed in on it */
async function openPhone(locale: string, session?: object): Promise<{ page: Page; complaints: string[] }> {
  const context = await newPhone(demo.browser, demo.info, { locale }, session);
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page) };
}

async function openConsole(locale: string): Promise<{ page: Page; complaints: string[] }> {
  const context = await demo.browser.newContext({
    viewport: { width: 1280, height: 800 },
    locale,
    reducedMotion: "reduce",
  });
  const page = await context.newPage();
  return { page, complaints: complaintsOf(page) };
}

async function look(page: Page, title: string): Promise<void> {
  expect.soft(await overflow(page), `${title}: pixels too wide`).toBeLessThanOrEqual(0);
  expect.soft(await barriers(page), title).toEqual([]);
  await keepPicture(page, join(screenshots, `password ${title}.png`));
}

const rejection = /response: 4\d\d .*\/auth\/v1\/|console: Failed to load resource.* 4\d\d/;
const unexpected = (complaints: string[]) => complaints.filter((complaint) => !rejection.test(complaint));

const h5Words = {
  "en-GB": {
    forgot: "Forgot your password?",
    email: "Email",
    send: "Send the link",
    sent: /If .* has an account/,
    label: "New password",
    save: "Save the password",
    saved: "Your password was changed.",
    used: "This link no longer works",
    current: "Current password",
    change: "Change password",
    wrong: "The current password is wrong",
  },
  "zh-CN": {
    forgot: "忘记密码？",
    email: "邮箱",
    send: "发送链接",
    sent: /如果 .* 已注册/,
    label: "新密码",
    save: "保存密码",
    saved: "密码已修改。",
    used: "该链接已失效",
    current: "当前密码",
    change: "修改密码",
    wrong: "当前密码错误",
  },
};

describe.each(Object.entries(h5Words))("a member with the H5 app, %s", (locale, words) => {
  it("who forgot the password sets a new one with the link of a mail, which works once", async () => {
    const email = await signUp();
    const { page, complaints } = await openPhone(locale);
    await page.goto(`${demo.info.h5_url}#/sign-in`);
    await settleH5(page);
    await page.getByRole("link", { name: words.forgot }).click();
    // The page before has a field of the same name.
    await page.getByRole("button", { name: words.send }).waitFor();
    await page.getByLabel(words.email).fill(email);
    await look(page, `h5 forgot ${locale}`);
    await page.getByRole("button", { name: words.send }).click();
    await page.getByRole("status").filter({ hasText: words.sent }).waitFor();
    const link = await linkTo(email);
    expect(link).toMatch(new RegExp(`^${demo.info.h5_url}#`));

    const other = await openPhone(locale);
    await other.page.goto(link);
    await settleH5(other.page);
    expect(other.page.url()).not.toContain("token");
    await other.page.getByLabel(words.label, { exact: true }).fill("a new password");
    await look(other.page, `h5 new ${locale}`);
    await other.page.getByRole("button", { name: words.save }).click();
    await other.page.getByText(words.saved).waitFor();
    await other.page.getByText("Lin", { exact: true }).waitFor();
    expect([await signsIn(email, password), await signsIn(email, "a new password")]).toEqual([false, true]);

    const late = await openPhone(locale);
    await late.page.goto(link);
    await late.page.getByLabel(words.label, { exact: true }).fill("another password");
    await late.page.getByRole("button", { name: words.save }).click();
    await late.page.getByRole("alert").filter({ hasText: words.used }).waitFor();
    expect(await signsIn(email, "another password")).toBe(false);
    expect(unexpected([...complaints, ...other.complaints, ...late.complaints])).toEqual([]);
  });

  it("changes the password with the current one", async () => {
    const email = await signUp();
    const { page, complaints } = await openPhone(locale, await newSession(demo.info, email, password));
    await page.goto(`${demo.info.h5_url}#/me`);
    await page.getByRole("link", { name: words.change }).click();
    await page.getByLabel(words.current, { exact: true }).fill("not the password");
    await page.getByLabel(words.label, { exact: true }).fill("a new password");
    await page.getByRole("button", { name: words.save }).click();
    await page.getByRole("alert").filter({ hasText: words.wrong }).waitFor();
    await look(page, `h5 change ${locale}`);
    expect(await signsIn(email, "a new password")).toBe(false);
    await page.getByLabel(words.current, { exact: true }).fill(password);
    await page.getByRole("button", { name: words.save }).click();
    await page.getByText(words.saved).waitFor();
    expect([await signsIn(email, password), await signsIn(email, "a new password")]).toEqual([false, true]);
    expect(unexpected(complaints)).toEqual([]);
  });
});

it("answers an address without an account like one with an account, and sends it nothing", async () => {
  const [known, unknown] = [await signUp(), `${randomUUID()}@example.com`];
  const { page } = await openPhone("en-GB");
  const answers: string[] = [];
  for (const email of [known, unknown]) {
    await page.goto("about:blank");
    await page.goto(`${demo.info.h5_url}#/forgot-password`);
    await page.getByLabel("Email").fill(email);
    await page.getByRole("button", { name: "Send the link" }).click();
    answers.push((await page.getByRole("status").filter({ hasText: email }).innerText()).replace(email, "…"));
  }
  expect(answers[1]).toBe(answers[0]);
  expect([mailsTo(known).length, mailsTo(unknown).length]).toEqual([1, 0]);
});

it("leads the link of a mail to no page of somebody else", async () => {
  const email = await signUp();
  await fetch(
    `${demo.info.supabase_url}/auth/v1/recover?redirect_to=${encodeURIComponent("https://evil.example.com/")}`,
    {
      method: "POST",
      headers: { "content-type": "application/json", apikey: demo.info.publishable_key },
      body: JSON.stringify({ email }),
    },
  );
  expect(await linkTo(email)).toMatch(new RegExp(`^${demo.info.supabase_url}#`));
});

it("confirms a sign-up by a button, and binds the referrer that the link names, although the first sign-up was forgotten", async () => {
  const uidOf = async (email: string) =>
    (
      await demo.sql`select u.uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`
    )[0]?.uid as string | undefined;
  const [stranger, referrer] = [await uidOf(await signUp()), await uidOf(await signUp())];
  const email = `${randomUUID()}@example.com`;
  const token = randomUUID().replaceAll("-", "");
  await demo.sql`
    insert into auth.users (id, email, encrypted_password, confirmation_token, confirmation_sent_at, raw_user_meta_data)
    values (gen_random_uuid(), ${email}, 'x', 'first', now() - interval '2 minutes', ${demo.sql.json({ spread: stranger! })})`;
  await demo.sql`update auth.users set confirmation_token = ${token}, confirmation_sent_at = now() where email = ${email}`;
  expect(await uidOf(email)).toBeUndefined();

  const { page, complaints } = await openPhone("en-GB");
  await page.goto(`${demo.info.h5_url}?spread=${referrer}#token_hash=${token}&type=signup`);
  await settleH5(page);
  await look(page, "h5 confirm");
  expect(await uidOf(email), "opening the link confirms nothing").toBeUndefined();
  await page.getByRole("button", { name: "Confirm and sign in" }).click();
  await expect
    .poll(
      async () =>
        (
          await demo.sql`select u.spread_uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`
        )[0]?.spread_uid as string,
    )
    .toBe(referrer);
  expect(unexpected(complaints)).toEqual([]);
});

const consoleWords = {
  "en-GB": {
    forgot: "Forgot your password?",
    email: "Email",
    send: "Send the link",
    sent: /If .* has an account/,
    label: "New password",
    save: "Save the password",
    account: "Account",
    change: "Change password",
    current: "Current password",
    saved: "Your password was changed.",
    overview: "Overview",
    none: "not an administrator",
  },
  "zh-CN": {
    forgot: "忘记密码？",
    email: "邮箱",
    send: "发送链接",
    sent: /如果 .* 有账号/,
    label: "新密码",
    save: "保存密码",
    account: "账号",
    change: "修改密码",
    current: "当前密码",
    saved: "密码已修改。",
    overview: "概览",
    none: "不是管理员",
  },
};

describe.each(Object.entries(consoleWords))("the console, %s", (locale, words) => {
  it("lets an administrator set a forgotten password, and change it", async () => {
    const email = await signUp();
    await demo.sql`select app.add_administrator(${email})`;
    const { page, complaints } = await openConsole(locale);
    await page.goto(demo.info.console_url);
    await page.getByRole("button", { name: words.forgot }).click();
    await page.getByLabel(words.email).fill(email);
    await look(page, `console forgot ${locale}`);
    await page.getByRole("button", { name: words.send }).click();
    await page.getByRole("status").filter({ hasText: words.sent }).waitFor();
    await page.goto("about:blank");
    await page.goto(await linkTo(email));
    await page.locator("input[name=new-password]").fill("a new password");
    expect(page.url()).not.toContain("token");
    await look(page, `console new ${locale}`);
    await page.getByRole("button", { name: words.save }).click();
    await page.getByRole("heading", { name: words.overview, level: 1 }).waitFor();
    expect([await signsIn(email, password), await signsIn(email, "a new password")]).toEqual([false, true]);

    await page.getByRole("button", { name: words.account }).click();
    await page.getByRole("menuitem", { name: words.change }).click();
    await page.locator("input[name=current-password]").fill("a new password");
    await page.locator("input[name=new-password]").fill("a third password");
    await look(page, `console change ${locale}`);
    await page.getByRole("button", { name: words.save }).click();
    await page.getByText(words.saved).waitFor();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await settle(page);
    expect([await signsIn(email, "a new password"), await signsIn(email, "a third password")]).toEqual([false, true]);
    expect(unexpected(complaints)).toEqual([]);
  });

  it("signs out a member who set a password there", async () => {
    const email = await signUp();
    const { page } = await openConsole(locale);
    await page.goto(demo.info.console_url);
    await page.getByRole("button", { name: words.forgot }).click();
    await page.getByLabel(words.email).fill(email);
    await page.getByRole("button", { name: words.send }).click();
    await page.goto("about:blank");
    await page.goto(await linkTo(email));
    await page.locator("input[name=new-password]").fill("a new password");
    await page.getByRole("button", { name: words.save }).click();
    await page.getByRole("alert").filter({ hasText: words.none }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("access_token");
  });
});

import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { barriers } from "./browser.ts";
import { demoConsole } from "./demo_console.ts";

const demo = demoConsole();

const words = {
  "en-GB": {
    empty: "Nothing found. Try clearing the filters.",
    record: "Record a request",
    uid: "Member no.",
    received: "Received on",
    note: "What is asked for",
    save: "Save",
    answer: "Answer",
    state: "State",
    done: "Done",
    what: "What was done, or why it is refused",
    overdue: "Overdue",
    download: /CSV/,
    waits: "Overdue requests of persons",
  },
  "zh-CN": {
    empty: "没有符合条件的记录，请尝试清除筛选。",
    record: "登记请求",
    uid: "会员编号",
    received: "收到日期",
    note: "请求内容",
    save: "保存",
    answer: "答复",
    state: "状态",
    done: "已完成",
    what: "处理情况或拒绝原因",
    overdue: "已逾期",
    download: /CSV/,
    waits: "已逾期的个人信息请求",
  },
};

it.each(Object.entries(words))(
  "an administrator records a request of a member who wrote, answers it, and exports the register, %s",
  async (locale, text) => {
    const { page, open, follow, complaints } = await demo.visitAsAdministrator({ locale, width: 1920 });
    await open("/person-requests?uid=10012&state=open");
    await page.getByText(text.empty).waitFor();
    expect(await barriers(page)).toEqual([]);

    await page.getByRole("button", { name: text.record }).first().click();
    const form = page.getByRole("dialog", { name: text.record });
    expect(await form.getByLabel(text.uid).inputValue()).toBe("10012");
    const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10);
    await form.getByLabel(text.received).fill(day);
    await form.getByLabel(text.note).fill("By letter");
    expect(await barriers(page)).toEqual([]);
    await form.getByRole("button", { name: text.save, exact: true }).click();
    const row = page.getByRole("row").filter({ hasText: "By letter" });
    await row.getByText(text.overdue, { exact: true }).waitFor();

    await follow("/overview");
    await page.getByRole("link", { name: text.waits }).click();
    await row.getByRole("button", { name: new RegExp(`^${text.answer}`) }).click();
    const reply = page.getByRole("dialog");
    await reply.getByRole("combobox", { name: text.state }).click();
    await page.getByRole("option", { name: text.done }).click();
    await reply.getByLabel(text.what).fill(`Sent by letter, ${locale}`);
    expect(await barriers(page)).toEqual([]);
    await reply.getByRole("button", { name: text.save, exact: true }).click();
    await reply.waitFor({ state: "detached" });

    await open("/person-requests?uid=10012&state=done");
    await row.getByText(`Sent by letter, ${locale}`).waitFor();
    expect(await row.getByRole("button", { name: new RegExp(`^${text.answer}`) }).count()).toBe(0);
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: text.download }).first().click();
    expect(readFileSync(await (await download).path(), "utf8")).toContain(`Sent by letter, ${locale}`);
    expect(complaints).toEqual([]);
  },
);

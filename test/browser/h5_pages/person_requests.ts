import { expect, it } from "vitest";
import { barriers } from "../browser.ts";
import type { Folder } from "./folder.ts";

export const person_requests: Folder = {
  member: { requests: "/me/requests" },
  tests: (demo) => {
    it.each([
      [
        "en-GB",
        "My account",
        "Requests about my data",
        "What is it about?",
        "Send the request",
        "Open",
        "A request of this kind is open",
      ],
      ["zh-CN", "账号与安全", "个人信息请求", "请求内容", "提交请求", "待处理", "已有待处理的同类请求"],
    ])(
      "lets a member ask for a correction, once, and see the answer, %s",
      async (locale, account, title, note, ask, state, refused) => {
        await demo.sql`select app.answer_person_request(id, 'refused', 'Ask again', gen_random_uuid(), now()) from app.person_requests where state = 'open'`;
        const { page, open, complaints } = await demo.phone({ locale, member: "chen@example.com" });
        await open("/me");
        await page.getByRole("link", { name: account }).click();
        await page.getByRole("link", { name: title }).click();
        await page.getByLabel(note).fill("Chen Jing, not Chen Jin");
        await page.getByRole("button", { name: ask }).click();
        const request = page.getByRole("listitem").filter({ hasText: "Chen Jing, not Chen Jin" }).first();
        await request.getByText(state, { exact: true }).waitFor();
        expect(await barriers(page)).toEqual([]);
        await page.getByLabel(note).fill("Once more");
        await page.getByRole("button", { name: ask }).click();
        await page.getByText(refused, { exact: true }).waitFor();

        await demo.sql`select app.answer_person_request(id, 'done', 'It is corrected.', gen_random_uuid(), now()) from app.person_requests where state = 'open'`;
        await open("/me/requests");
        await request.getByText("It is corrected.").waitFor();
        expect(complaints.filter((line) => !/409/.test(line))).toEqual([]);
      },
    );
  },
};

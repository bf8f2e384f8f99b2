import { beforeEach, expect, it } from "vitest";
import { signIn } from "../../scripts/pictures/console_visit.ts";
import { barriers, overflow } from "./browser.ts";
import { demoConsole, password } from "./demo_console.ts";

const demo = demoConsole();
const NUMBER = "11010519491231002X";
const MASKED = "1****************X";

const words = {
  "en-GB": {
    title: "Real name",
    given: "Given, not checked",
    show: "Show",
    recorded: "That you read it is in the action log.",
    check: "Record as checked",
    checked: "Checked",
    refuse: "Refuse",
    reason: "Reason, which the member sees",
    refused: "Refused",
    log: "read the real name of",
  },
  "zh-CN": {
    title: "实名信息",
    given: "已提交，未核验",
    show: "查看",
    recorded: "本次查看已写入操作记录。",
    check: "登记为已核验",
    checked: "已核验",
    refuse: "退回",
    reason: "原因（会员可见）",
    refused: "已退回",
    log: "查看了",
  },
};

/** A request of the demo member Chen. */
async function asChen(method: string, path: string, json?: object) {
  const { access_token } = (await demo.newSession("chen@example.com")) as { access_token: string };
  const reply = await fetch(`${demo.info.functions_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, "content-type": "application/json" },
    ...(json && { body: JSON.stringify(json) }),
  });
  expect(reply.status).toBe(200);
  return (await reply.json()) as Record<string, unknown>;
}

const give = () => asChen("PUT", "/api/real_name", { document: "id_card", name: "陈静", number: NUMBER });
const readings = async () =>
  (await demo.sql`select count(*)::integer as n from app.admin_actions where function = 'read_real_name'`)[0]!
    .n as number;

beforeEach(async () => {
  await demo.sql`delete from app.real_names`;
  await demo.sql`delete from app.used_quotas where kind = 'real_name'`;
  await demo.sql`select app.set_settings('{"real_name_from": 500, "real_name_check": "administrator"}', now())`;
  await give();
});

const settings = Object.entries(words).flatMap(([locale, text]) =>
  [1440, 390].map((width) => ({ locale, width, text })),
);

it.each(settings)(
  "an administrator reads it on record, checks it, and refuses it with a reason, $locale, $width",
  async ({ locale, width, text }) => {
    const { page, open, complaints } = await demo.visitAsAdministrator({ locale, width });
    const section = page.getByRole("region", { name: text.title });
    const before = await readings();
    await open("/users/10007");
    await section.getByText(text.given, { exact: true }).waitFor();
    await section.getByText(MASKED).waitFor();
    expect(await page.getByText(NUMBER).count()).toBe(0);
    expect(await readings()).toBe(before);
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await barriers(page)).toEqual([]);

    await section.getByRole("button", { name: text.show }).click();
    await section.getByText(NUMBER).waitFor();
    await section.getByText("陈静").waitFor();
    await section.getByText(text.recorded).waitFor();
    expect(await readings()).toBe(before + 1);
    expect(await barriers(page)).toEqual([]);

    await section.getByRole("button", { name: text.check }).click();
    const check = page.getByRole("dialog");
    expect(await barriers(page)).toEqual([]);
    await check.getByRole("button", { name: text.check }).click();
    await section.getByText(text.checked, { exact: true }).waitFor();
    expect(await section.getByRole("button", { name: text.check }).count()).toBe(0);
    expect(await asChen("GET", "/api/real_name")).toMatchObject({ state: "checked", reason: null });

    await section.getByRole("button", { name: text.refuse }).click();
    const refuse = page.getByRole("dialog");
    expect(await refuse.getByRole("button", { name: text.refuse }).isDisabled()).toBe(true);
    await refuse.getByLabel(text.reason).fill("Not readable");
    expect(await barriers(page)).toEqual([]);
    await refuse.getByRole("button", { name: text.refuse }).click();
    await section.getByText(text.refused, { exact: true }).waitFor();
    await section.getByText("Not readable").waitFor();
    expect(await section.getByRole("button", { name: text.refuse }).count()).toBe(0);
    expect(await asChen("GET", "/api/real_name")).toMatchObject({ state: "refused", reason: "Not readable" });
    expect(await overflow(page)).toBeLessThanOrEqual(0);
    expect(await barriers(page)).toEqual([]);

    // It is masked again for who comes later, and the log says who read it.
    await open("/users/10007");
    await section.getByText(MASKED).waitFor();
    expect(await page.getByText(NUMBER).count()).toBe(0);
    await open("/activity");
    await page.getByText(text.log).first().waitFor();
    expect(complaints).toEqual([]);
  },
);

it("a decision about one that the member has replaced meanwhile is not taken, and the dialog says so", async () => {
  const { page, open, complaints } = await demo.visitAsAdministrator();
  await open("/users/10007");
  const section = page.getByRole("region", { name: "Real name" });
  await section.getByRole("button", { name: "Record as checked" }).click();
  await give();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "Record as checked" }).click();
  await dialog.getByText("The member has given another real name. Look at it first.").waitFor();
  expect(await asChen("GET", "/api/real_name")).toMatchObject({ state: "given" });
  expect(complaints.filter((line) => !line.includes("409"))).toEqual([]);
});

it("an administrator without the area money does not see it", async () => {
  const { page, open, complaints } = await demo.visit();
  await signIn(page, "service@example.com", password);
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await open("/users/10007");
  await page.getByRole("button", { name: /^Set level/ }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByRole("region", { name: "Real name" }).count()).toBe(0);
  expect(complaints).toEqual([]);
});

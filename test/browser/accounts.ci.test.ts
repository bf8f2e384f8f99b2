import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { localDirectory } from "../../scripts/ground/paths.ts";
import { barriers, keepPicture, overflow } from "./browser.ts";
import { settle, signIn } from "../../scripts/pictures/console_visit.ts";
import { administrator, demoConsole, password } from "./demo_console.ts";

const demo = demoConsole();
const screenshots = join(localDirectory, "screenshots");
mkdirSync(screenshots, { recursive: true });

describe("signing in", () => {
  it("rejects a wrong password and keeps the typed address", async () => {
    const visit = await demo.visit();
    await signIn(visit.page, "admin@example.com", "wrong");
    expect(await visit.page.getByRole("alert").innerText()).toContain("Email or password is wrong");
    expect(await visit.page.getByRole("textbox", { name: "Email" }).inputValue()).toBe("admin@example.com");
  });

  it("rejects a member who is not an administrator, and stores no session", async () => {
    const visit = await demo.visit();
    await signIn(visit.page, "chen@example.com", password);
    expect(await visit.page.getByRole("alert").innerText()).toContain("not an administrator");
    await visit.page.reload();
    await visit.page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(await visit.page.evaluate(() => JSON.stringify(localStorage))).not.toContain("access_token");
  });

  it("opens the overview, survives a reload, and signs out", async () => {
    const { page, complaints } = await demo.signInAsAdministrator();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await settle(page);
    await page.getByText("Paid orders").first().waitFor();
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(complaints).toEqual([]);
  });

  it("leads to the licences of what the console contains", async () => {
    const { page } = await demo.signInAsAdministrator();
    await page.getByRole("button", { name: "Account" }).click();
    const [licences] = await Promise.all([
      page.context().waitForEvent("page"),
      page.getByRole("menuitem", { name: "Third-party licences" }).click(),
    ]);
    await expect.poll(() => licences.locator("body").innerText()).toContain("第三方许可");
    expect(await licences.locator("body").innerText()).toContain("Copyright (c) Meta Platforms");
  });

  it("ends with the next token after an administrator loses the role", async () => {
    const { page } = await demo.signInAsAdministrator();
    await demo.sql`update auth.users set role = 'authenticated' where email = ${administrator}`;
    try {
      await page.evaluate(() => {
        const session = JSON.parse(localStorage.getItem("store-console-session")!) as { expires_at: number };
        localStorage.setItem(
          "store-console-session",
          JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) }),
        );
      });
      await page.goto(`${demo.info.console_url}#/orders`);
      await page.getByRole("textbox", { name: "Email" }).waitFor();
    } finally {
      await demo.sql`select app.add_administrator(${administrator})`;
    }
  });

  it("signs out locally when the server does not respond", async () => {
    const { page } = await demo.signInAsAdministrator();
    await page.route("**/auth/v1/logout*", (route) => route.abort());
    await page.getByRole("button", { name: "Account" }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("access_token");
    await page.reload();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
  });
});

describe("members", () => {
  it("are found, excluded from the assessment and included again, and the database records who did it", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const flag = async () => (await demo.sql`select no_assess from app.users where uid = 10007`)[0]!.no_assess;
    await open("/users");
    await page.getByRole("searchbox", { name: "Search" }).fill("Chen Jing");
    await page.getByRole("link", { name: "Chen Jing" }).waitFor();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);

    for (const [action, value] of [
      ["Exclude", true],
      ["Include again", false],
    ] as const) {
      await page.getByRole("switch", { name: "Chen Jing" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByText(value ? "This has never been changed." : "Last changed").waitFor();
      expect(await flag()).toBe(!value);
      await dialog.getByRole("button", { name: action }).click();
      await dialog.waitFor({ state: "hidden" });
      expect(await flag()).toBe(value);
    }
    const changes = await demo.sql`
      select c.to_value, a.email from app.no_assess_changes as c join auth.users as a on a.id = c.changed_by where c.uid = 10007 order by c.id`;
    expect(changes.map((change) => ({ ...change }))).toEqual([
      { to_value: true, email: "admin@example.com" },
      { to_value: false, email: "admin@example.com" },
    ]);
  });

  it("are sorted by points in the database, and the URL keeps the sorting", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users");
    await page.getByRole("button", { name: "Frozen points" }).click();
    await page.waitForURL(/sort=-frozen_points/);
    await page.locator("[aria-sort=descending]").waitFor();
    await settle(page);
    const top = await demo.sql`select uid from app.user_balances order by frozen_points desc, uid desc limit 3`;
    const shown = await page.locator("tbody tr td:first-child").allInnerTexts();
    expect(shown.slice(0, 3).map((text) => text.match(/\d+$/)?.[0])).toEqual(top.map(({ uid }) => String(uid)));
  });

  it("have a page with every row of their bill", async () => {
    const visit = await demo.visitAsAdministrator();
    await visit.open("/users/10007");
    const [{ count }] =
      (await demo.sql`select count(*)::integer as count from app.user_bill where uid = 10007`) as unknown as [
        { count: number },
      ];
    await visit.page.getByText(`${count} in total`).waitFor();
    expect(visit.complaints).toEqual([]);
  });
});

describe("a held level", () => {
  it("is the default when a level is lowered, is shown, and can be ended", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    const state = async () => ({
      ...(await demo.sql`select agent_level, is_held from app.users where uid = 10009`)[0]!,
    });
    expect(await state()).toEqual({ agent_level: 2, is_held: false });
    await open("/users/10009");
    const dialog = page.getByRole("dialog");
    const hold = dialog.getByRole("checkbox", { name: "Hold the member at this level" });
    const confirm = async () => {
      await dialog.getByRole("button", { name: "Set level" }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    await page.getByRole("button", { name: "Set level" }).click();
    expect(await hold.isChecked()).toBe(false);
    expect(await dialog.getByRole("button", { name: "Set level" }).isDisabled()).toBe(true);
    await dialog.getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: "Maker" }).click();
    expect(await hold.isChecked()).toBe(true);
    await confirm();
    expect(await state()).toEqual({ agent_level: 1, is_held: true });
    await page.getByText("Held", { exact: true }).waitFor();
    await page.getByText("The level is held.").waitFor();
    await page.getByRole("tab", { name: "Task counts" }).click();
    await page.getByRole("tabpanel").getByText("The level is held.").waitFor();

    await page.getByRole("button", { name: "Set level" }).click();
    await hold.uncheck();
    await confirm();
    // All tasks of the level from which the member was lowered are met, so the end of the hold raises them to it again.
    expect(await state()).toEqual({ agent_level: 2, is_held: false });
    await page.getByText("Held", { exact: true }).waitFor({ state: "hidden" });

    await open("/users/10009?tab=changes");
    const rows = page.getByRole("table").first().locator("tbody").getByRole("row");
    // What has no room in the row is shown when it is opened.
    const whole = async (at: number) => {
      await rows
        .nth(at)
        .getByRole("button", { name: /^More of/ })
        .click();
      return `${await rows.nth(at).innerText()} ${await rows.nth(at + 1).innerText()}`.replaceAll(/\s+/g, " ");
    };
    expect(await whole(2)).toMatch(/Cloud store → Maker Hold set .*Set manually/);
    expect(await whole(1)).toMatch(/Maker Hold ended .*Set manually/);
    expect(await whole(0)).toMatch(/Maker → Cloud store .*hold/i);
  });
});

describe("the page of a member", () => {
  it.each([
    { width: 1440, locale: "en-GB", colorScheme: "light" },
    { width: 1024, locale: "zh-CN", colorScheme: "dark" },
    { width: 390, locale: "zh-CN", colorScheme: "light" },
    { width: 390, locale: "en-GB", colorScheme: "dark" },
  ] as const)(
    "shows who is around the member, and does not move when they arrive: $width, $locale",
    async (visitor) => {
      const [member] = await demo.sql`
      select u.uid, u.nickname, u.spread_uid, count(*)::integer as direct
      from app.users as u join app.users as d on d.spread_uid = u.uid
      where u.spread_uid is not null group by u.uid having count(*) > 6 order by u.uid limit 1`;
      const { page, open, complaints } = await demo.visitAsAdministrator(visitor);
      let arrive = () => {};
      const arrival = new Promise<void>((resolve) => (arrive = resolve));
      for (const path of ["**/adminapi/user?spread_uid=*", "**/adminapi/hjf/points/forecast?*"])
        await page.route(path, async (route) => {
          await arrival;
          await route.continue();
        });
      const opened = open(`/users/${member!.uid}`);
      const tree = page.getByRole("list", { name: /^(Referral tree|推荐关系)/ });
      const tabs = page.getByRole("tablist");
      // What else is on the page stands, and only the held lists are missing.
      await tabs.waitFor();
      await page.waitForFunction(() => document.querySelectorAll(".mantine-Skeleton-root").length === 1);
      const before = (await tabs.boundingBox())!.y;
      arrive();
      await opened;
      await page.getByText(/^(Half of|约 )/).waitFor();
      const links = tree.getByRole("link");
      // The referrer, five direct members, and the others.
      await expect.poll(() => links.count()).toBe(7);
      expect((await tabs.boundingBox())!.y).toBe(before);
      expect(await links.first().getAttribute("href")).toBe(`#/users/${member!.spread_uid}`);
      expect(await links.last().innerText()).toContain(`+${member!.direct - 5}`);
      expect(await tree.locator("[aria-current]").innerText()).toContain(member!.nickname);
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      expect(await barriers(page)).toEqual([]);
      await keepPicture(page, join(screenshots, `referral tree ${visitor.width} ${visitor.locale}.png`));
      await links.last().click();
      await page.waitForURL(/tab=direct/);
      expect(complaints).toEqual([]);
      await page.unrouteAll({ behavior: "wait" });
    },
  );
});

describe("the page of a member at the end of a past day", () => {
  it("shows the balances and the cycle of that day, and nothing that can be done", async () => {
    const { page, open, complaints } = await demo.visitAsAdministrator();
    const [past] = await demo.sql`
      select to_char(d.day, 'YYYY-MM-DD') as day, m -> 'accounts' -> 'commission' ->> 'earned' as earned, m -> 'progress' ->> 'cycle_no' as cycle
      from (select app.business_day(now()) - 10 as day) as d, lateral app.member_json(10007, app.day_begins(d.day + 1), now()) as m`;
    expect(Number(past!.earned)).toBeGreaterThan(0);
    await open(`/users/10007?until=${past!.day}`);
    await page.getByRole("note").filter({ hasText: "As of" }).waitFor();
    await page.getByText(`Cycle ${past!.cycle}:`).waitFor();
    const earned = new Intl.NumberFormat("en-GB", { minimumFractionDigits: 2 }).format(Number(past!.earned));
    await page
      .getByRole("region", { name: "Commission", exact: true })
      .getByText(earned, { exact: true })
      .first()
      .waitFor();
    expect(await page.getByRole("button", { name: "Set level" }).count()).toBe(0);
    expect(await page.getByRole("tab").count()).toBe(0);
    await page.getByLabel("As of the end of the day").fill("");
    await page.getByRole("button", { name: "Set level" }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe("the activity log", () => {
  it("lists an action with the values before and after, filters it, and shows it on the page of its target", async () => {
    const { page, open } = await demo.visitAsAdministrator();
    await open("/users/10005");
    const before = (await demo.sql`select agent_level from app.users where uid = 10005`)[0]!.agent_level;
    const grade = before === 1 ? ["2", "Cloud store"] : ["1", "Maker"];
    await page.getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").getByLabel("Level", { exact: true }).click();
    await page.getByRole("option", { name: grade[1]! }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Set level" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });

    await open("/activity?target_type=member&target_id=10005&function=set_agent_level");
    const row = page.getByRole("row", { name: / set the level of .*10005/ }).first();
    await row.getByRole("button", { name: /^More of/ }).click();
    await page.locator(".row-details").getByText(`Grade: ${before} → ${grade[0]}`).waitFor();
    await row.getByRole("link", { name: /10005/ }).click();
    await page.getByRole("tab", { name: "Changes" }).click();
    const log = page
      .getByRole("table", { name: "Action log" })
      .or(page.getByRole("region", { name: "Action log" }))
      .first();
    await log
      .getByRole("button", { name: /^More of/ })
      .first()
      .click();
    await log.getByText(`Grade: ${before} → ${grade[0]}`).waitFor();

    await open("/activity");
    const [count] =
      await demo.sql`select count(*)::integer as actions from app.admin_actions where function = 'set_agent_level'`;
    await page.getByLabel("Action", { exact: true }).first().click();
    await page.getByRole("option", { name: "Level set" }).click();
    await page.getByText(`${count!.actions} in total`).waitFor();
  });

  it.each(["en-GB", "zh-CN"])("shows all columns at 1280 pixels even with long names and ids (%s)", async (locale) => {
    const [admin] =
      await demo.sql`select u.uid, u.auth_id from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${administrator}`;
    const nickname = "Administrator of everything that is sold here ".repeat(2).trim().slice(0, 64);
    await demo.sql`
      insert into app.admin_actions (actor, function, target_type, target_id, from_value, to_value, request_id, add_time)
      values
        (${admin!.auth_id}, 'run_crontab', 'crontab', 'fsgx_release_frozen_points', null, '{"runs_at": "2026-11-20T00:01:00Z"}', gen_random_uuid()::text, now()),
        ('00000000-0000-4000-8000-00000000abcd', 'set_settings', 'settings', null, '{"h5_share_url": "https://shop.example.com/a/rather/long/address/of/a/page"}',
          '{"h5_share_url": "https://shop.example.com/another/rather/long/address/of/a/page"}', gen_random_uuid()::text, now())`;
    const [before] = await demo.sql`select name from app.administrators where auth_id = ${admin!.auth_id}`;
    await demo.sql`update app.administrators set name = ${nickname} where auth_id = ${admin!.auth_id}`;
    try {
      const { page, open } = await demo.visitAsAdministrator({
        locale,
        colorScheme: locale === "zh-CN" ? "dark" : "light",
      });
      await open("/activity");
      const box = page.locator(".scroll-box").first();
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      ).toBe(0);
      await keepPicture(page, join(screenshots, `action log with long names ${locale}.png`));
      await page
        .getByRole("link", { name: `${nickname} ${admin!.uid}` })
        .first()
        .waitFor();
      await page.getByText("00000000-0000-4000-8000-00000000abcd", { exact: true }).first().waitFor();
      for (const button of await page.getByRole("button", { name: /^(Details|详情)/ }).all()) await button.click();
      expect(await box.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
    } finally {
      await demo.sql`update app.administrators set name = ${before!.name} where auth_id = ${admin!.auth_id}`;
    }
  });

  it("appears on the pages of an order and a product", async () => {
    const [order] =
      await demo.sql`select id from app.orders where state = 'paid' and refund_status = 0 and uid <> 10007 order by id desc limit 1`;
    const { page, open } = await demo.visitAsAdministrator();
    await open(`/orders/${order!.id}`);
    await page.getByText("No administrator has changed anything here.").waitFor();
    await page.getByRole("button", { name: "Mark as shipped" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Mark as shipped" }).click();
    await page
      .getByRole("region", { name: "Action log" })
      .getByRole("button", { name: /^More of/ })
      .click();
    await page.getByText("State: Paid → Shipped").waitFor();
    await open("/products");
    await page.locator("tbody").getByRole("link").first().click();
    await page.getByRole("dialog").getByText("Action log").waitFor();
  });
});

describe("the language", () => {
  it("defaults to the browser's, can be switched, and is remembered", async () => {
    const { page, open } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open("/users");
    await page.getByRole("heading", { name: "会员", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("zh-CN");
    await page.getByRole("button", { name: "简体中文" }).click();
    await page.getByRole("menuitem", { name: "English" }).click();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "Members", level: 1 }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe("en");
  });

  it("is the only one whose texts are loaded", async () => {
    const { page } = await demo.visit({ locale: "zh-CN", newProfile: true });
    const scripts: Promise<string>[] = [];
    page.on("response", (response) => {
      if (response.url().endsWith(".js")) scripts.push(response.text());
    });
    const isEnglishLoaded = async () =>
      (await Promise.all(scripts)).some((script) => script.includes("Forgot your password?"));
    await page.reload();
    await page.getByRole("textbox", { name: "邮箱" }).waitFor();
    expect(scripts.length).toBeGreaterThan(0);
    expect(await isEnglishLoaded()).toBe(false);
    await page.getByRole("button", { name: "简体中文" }).click();
    await page.getByRole("menuitem", { name: "English" }).click();
    await page.getByRole("textbox", { name: "Email" }).waitFor();
    expect(await isEnglishLoaded()).toBe(true);
  });

  it("also applies to errors and findings of the store", async () => {
    const { page, open } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open("/check");
    await page.getByRole("heading", { name: "通过" }).waitFor();
    const found = await page.locator("tbody td:first-child, tbody td:nth-child(3)").allInnerTexts();
    expect(found.length).toBeGreaterThan(20);
    // URLs are in no language, and Chinese has no word of its own for a webhook.
    expect(
      found.map((words) => words.replaceAll(/https?:\S+|Webhook/g, "")).filter((words) => /[a-z]{3}/.test(words)),
    ).toEqual([]);

    await open("/plan");
    await page.getByLabel("第 1 位").fill("60");
    await page.getByLabel("佣金上限").fill("40");
    await page.getByRole("alert").getByText("方案不符合要求：每个比例在 0 与佣金上限之间。").waitFor();
    await page.evaluate(() => sessionStorage.clear());
  });
});

describe("a member who has left", () => {
  /**
   * A member with balances and a reason that an administrator wrote. Their account goes: as they asked, or removed by
   * hand.
   */
  async function leaver(hasAsked: boolean): Promise<number> {
    const [account] = await demo.sql`
      insert into auth.users (id, email, email_confirmed_at) values (gen_random_uuid(), ${`${crypto.randomUUID()}@example.com`}, now()) returning id`;
    const [{ uid } = { uid: 0 }] = await demo.sql<
      { uid: number }[]
    >`select u.uid::integer from app.users as u where u.auth_id = ${account!.id}`;
    const [admin] = await demo.sql`select id from auth.users where email = ${administrator}`;
    await demo.sql`select app.create_adjustment(${uid}, 30, 5, 2, 'For the damage', ${admin!.id}, now())`;
    if (hasAsked)
      await demo.sql`select app.request_deletion(${uid}, 30, 5, 2, now() - interval '8 days'), app.delete_account_if_due(${uid}, now())`;
    else await demo.sql`delete from auth.users where id = ${account!.id}`;
    return uid;
  }
  const impossible = ["Level and cycle", "Commission cycle", /^Progress to/];

  it("whose account was removed shows what is owed, to whom, and the two steps that end it", async () => {
    const uid = await leaver(false);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open(`/users/${uid}`);
    await page.getByText("This member has left: their account was removed.").waitFor();
    const owed = page.getByRole("region", { name: "Still owed" });
    for (const text of ["30.00", String(uid), "None is kept", "Deleted with the account"])
      await owed.getByText(text, { exact: true }).waitFor();
    expect(await owed.getByRole("listitem").count()).toBe(2);
    await settle(page);
    for (const name of impossible) expect(await page.getByRole("heading", { name }).count(), String(name)).toBe(0);
    expect(await page.getByText("Release forecast").count()).toBe(0);
    for (const name of ["Set level", "Set referrer"])
      expect(await page.getByRole("button", { name }).count(), name).toBe(0);
    await page.getByRole("tab", { name: "Bill" }).waitFor();
    await page.getByRole("tab", { name: "Orders" }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await keepPicture(page, join(screenshots, "member removed by hand en-GB.png"));

    await owed.getByRole("button", { name: "Record a payout" }).click();
    const form = page.getByRole("dialog", { name: "New adjustment" });
    expect(await form.getByLabel("Commission").inputValue()).toBe("-30.00");
    await form.getByLabel("Reason").fill("Paid by bank");
    await form.getByRole("button", { name: "Save" }).click();
    await owed.getByText("1 adjustment waits for the second administrator.").waitFor();
    await owed.getByRole("link", { name: "Show" }).click();
    await page.getByRole("row").getByText("Paid by bank").waitFor();
    const [row] =
      await demo.sql`select state, kind, brokerage_delta as amount from app.adjustments where uid = ${uid} order by id desc limit 1`;
    expect(row).toEqual({ state: "waiting", kind: "payout", amount: "-30.00" });
    expect(complaints).toEqual([]);
  });

  it("is marked in the lists of members, which can be filtered", async () => {
    const uid = await leaver(false);
    const { page, open, complaints } = await demo.visitAsAdministrator();
    await open("/users");
    await page.getByRole("button", { name: "More filters" }).click();
    await page.getByRole("combobox", { name: "Membership" }).click();
    await page.getByRole("option", { name: "Left", exact: true }).click();
    // All rows that are listed are marked.
    await expect
      .poll(
        async () =>
          (await page.getByRole("row").count()) -
          (await page.getByRole("row").getByText("Left", { exact: true }).count()),
      )
      .toBe(1);
    await page
      .getByRole("row", { name: String(uid) })
      .getByText("Left", { exact: true })
      .waitFor();
    await open(`/users?has_left=false&search=${uid}`);
    await page.getByText("Nothing found. Try clearing the filters.").waitFor();
    expect(complaints).toEqual([]);
  });

  it("who asked for it says when, and has the store's reasons in Chinese, while those of people stay as they are", async () => {
    const uid = await leaver(true);
    const [admin] = await demo.sql`select id from auth.users where email = ${administrator}`;
    await demo.sql`select app.create_adjustment(10009, 0.01, null, null, 'Given up with the deletion of the account', ${admin!.id}, now())`;
    const { page, open, complaints } = await demo.visitAsAdministrator({ locale: "zh-CN" });
    await open(`/users/${uid}`);
    await page.getByText("该会员已注销账号。").waitFor();
    await page.getByText("会员注销账号时已放弃全部余额").waitFor();
    await settle(page);
    for (const name of ["等级与周期", "佣金周期", "尚未付清的余额"])
      expect(await page.getByRole("heading", { name }).count(), name).toBe(0);
    expect(await page.getByText("释放预测").count()).toBe(0);
    await keepPicture(page, join(screenshots, "member who deleted the account zh-CN.png"));
    await page.getByRole("note").getByRole("link", { name: "查看" }).click();
    await page.getByRole("row").getByText("注销账号时放弃").waitFor();
    await page.getByRole("row").getByText("会员已注销，原文已删除").waitFor();
    await keepPicture(page, join(screenshots, "adjustments of a leaver zh-CN.png"));
    await open("/adjustments?uid=10009");
    await page.getByRole("row").getByText("Given up with the deletion of the account").waitFor();
    await open(`/users/${await leaver(false)}`);
    await page.getByRole("region", { name: "尚未付清的余额" }).getByText("已随账号删除").waitFor();
    await keepPicture(page, join(screenshots, "member removed by hand zh-CN.png"));
    await open("/users?has_left=true");
    await page.getByRole("row").getByText("已离开").first().waitFor();
    await keepPicture(page, join(screenshots, "members who left zh-CN.png"));
    expect(complaints).toEqual([]);
  });
});

import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FakeMailServer } from "../support/fake_mail_server.ts";
import { type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { asScheduler, headerOf, MailStore, textOf } from "../support/mail_store.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

// Notices by email.
let store: MailStore;
let mailServer: FakeMailServer;
let sql: postgres.Sql;
let worker: EdgeFunction;
let adminapi: EdgeFunction;
let admin: Account;
let member: Account;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Wants mail"), signUp("小林")]);
  store = await MailStore.start();
  ({ sql, mailServer } = store);
  worker = await store.serveWorker();
  adminapi = await serveEdgeFunction("adminapi", store.clone.url, {});
  await copyAccounts(sql, admin, member);
  await sql`select app.add_administrator(${admin.email})`;
});
afterAll(async () => {
  await Promise.all([worker?.stop(), adminapi?.stop()]);
  await store?.stop();
});
beforeEach(async () => {
  await sql`delete from app.outbox`;
  await sql`delete from app.notice_choices`;
  await sql`delete from app.function_settings`;
  await sql`insert into app.function_settings (project_url, functions_url, variables, reported_at)
    values ('https://x.supabase.co', 'https://x.supabase.co/functions/v1', '{STORE_SMTP_URL}', now())`;
  mailServer.taken.splice(0);
  mailServer.trouble = undefined;
});
afterEach(() => mailServer.stop());

const send = (method: string, json?: unknown, { token }: Pick<Account, "token"> = admin) =>
  call(method, "/adminapi/me/notices", { base: adminapi.base, token, json });
const choose = (more: object = {}) =>
  send("PUT", { kinds: ["failed_call", "adjustment"], language: "en", minutes: 15, ...more });

let failures = 0;
/** A failed call, which waits for an administrator. */
const fail = () =>
  sql`insert into app.outbox (kind, key, state, run_after, created_at) values ('upload_shipping', ${String(++failures)}, 'failed', now(), now())`;

/** Runs the scheduled job and the worker, with all waiting calls due. @returns what is left of notices in the outbox */
async function work(): Promise<{ state: string; last_problem: string | null }[]> {
  await sql`select app.write_notices()`;
  await sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;
  expect((await call("POST", "/worker/run", { base: worker.base, init: asScheduler })).status).toBe(200);
  return [
    ...(await sql<
      { state: string; last_problem: string | null }[]
    >`select state, last_problem from app.outbox where kind = 'notice'`),
  ];
}

/** As if the last notice were old enough for another one. */
const later = () => sql`update app.notice_choices set noticed_at = noticed_at - interval '15 minutes'`;

describe("the choice of notices", () => {
  it("is the administrator's own, and recorded", async () => {
    expect((await send("GET")).body).toEqual({
      is_set_up: true,
      email: admin.email,
      kinds: [],
      language: null,
      minutes: 60,
      noticed_at: null,
    });
    expect((await choose({ language: "zh" })).body).toMatchObject({
      kinds: ["adjustment", "failed_call"],
      language: "zh",
      minutes: 15,
    });
    const [action] =
      await sql`select target_id, to_value from app.admin_actions where function = 'set_own_notices' order by id desc limit 1`;
    expect(action).toEqual({
      target_id: accountIdOf(admin),
      to_value: { kinds: ["adjustment", "failed_call"], language: "zh", minutes: 15 },
    });
    expect((await choose({ kinds: [] })).body).toMatchObject({ kinds: [], language: null });
  });

  it.each([
    { kinds: ["everything"] },
    { kinds: ["refund", "refund"] },
    { kinds: "refund" },
    { language: "fr" },
    { minutes: 1 },
    { minutes: "15" },
    { email: "other@example.com" },
  ])("rejects %o", async (wrong) => {
    expectProblem(await choose(wrong), "invalid_argument");
  });

  it("is refused to visitors and members", async () => {
    expectProblem(await call("GET", "/adminapi/me/notices", { base: adminapi.base }), "unauthenticated");
    expectProblem(await send("PUT", { kinds: [], language: "en", minutes: 15 }, member), "forbidden");
  });

  it("says that there is no mail server, and nothing is queued then", async () => {
    await sql`update app.function_settings set variables = '{}'`;
    expect((await choose()).body.is_set_up).toBe(false);
    await fail();
    expect(await work()).toEqual([]);
    expect((await sql`select told from app.notice_choices`)[0]!.told).toEqual([]);
  });
});

describe("a notice", () => {
  it("says in the language of the administrator how much waits, with links, and nothing personal", async () => {
    await mailServer.start();
    await choose();
    await fail();
    await fail();
    await sql`select from app.create_adjustment(${await uidOf(member)}, 100, null, null, 'About 小林', null, null)`;
    await sql`insert into app.adjustments (uid, brokerage_delta, reason, state, created_by, add_time)
      values (${await uidOf(member)}, 5000, 'About 小林', 'waiting', gen_random_uuid(), now())`;
    expect(await work()).toEqual([]);
    expect(mailServer.taken).toHaveLength(1);
    const [english] = mailServer.taken as [string];
    expect([headerOf(english, "To"), headerOf(english, "Subject")]).toEqual([admin.email, "Store: 3 waiting for you"]);
    expect(textOf(english)).toBe(`Adjustments to decide: 1
https://console.example.com/#/adjustments?waiting=adjustment

Failed calls to providers: 2
https://console.example.com/#/outbox?state=failed

Choose which notices you get, or none:
https://console.example.com/#/notices
`);
    await choose({ language: "zh" });
    await later();
    await fail();
    await work();
    const chinese = mailServer.taken[1]!;
    expect(textOf(chinese)).toContain("失败的后台请求：3");
    expect(textOf(chinese)).not.toContain("小林");
    expect(headerOf(chinese, "Message-ID")).not.toBe(headerOf(english, "Message-ID"));
    await sql`delete from app.adjustments where state = 'waiting'`;
  });

  // Guarantee operation/mail-notices: A notice by email of new work is never lost or sent anew, and an administrator
  // gets at most one in the chosen interval
  // By: the outbox, app.write_notice; the number of the notice is its `Message-ID`, functions/worker/notice.ts
  it("comes once for what waits, and again at the earliest after the interval, when something new waits", async () => {
    await mailServer.start();
    await choose();
    expect(await work(), "nothing waits").toEqual([]);
    await fail();
    await work();
    await work();
    expect(mailServer.taken).toHaveLength(1);
    await fail();
    await work();
    expect(mailServer.taken, "within the interval").toHaveLength(1);
    await later();
    await work();
    expect(mailServer.taken).toHaveLength(2);
    await later();
    await work();
    expect(mailServer.taken, "nothing new").toHaveLength(2);
    // A call that is repeated and fails again waits anew.
    await sql`update app.outbox set state = 'waiting', run_after = now() + interval '1 hour' where kind = 'upload_shipping'`;
    await sql`select app.write_notices()`;
    await sql`update app.outbox set state = 'failed' where kind = 'upload_shipping'`;
    await work();
    expect(mailServer.taken).toHaveLength(3);
  });

  // Guarantee operation/mail-notices
  it("is sent when a server that was away, refused or hung is back, with what waits then", async () => {
    await choose();
    await fail();
    expect(await work()).toEqual([
      { state: "waiting", last_problem: "Error: the mail server could not be reached (ESOCKET)" },
    ]);
    await mailServer.hang();
    expect(await work()).toEqual([
      { state: "waiting", last_problem: "Error: the mail server could not be reached (ETIMEDOUT)" },
    ]);
    await mailServer.stop();
    await mailServer.start();
    mailServer.trouble = "refused";
    // The answer of the server has the address, which administrators do not see.
    expect(await work()).toEqual([{ state: "waiting", last_problem: "Error: the mail server answered with 550" }]);
    expect(mailServer.taken).toEqual([]);
    await fail();
    expect(await work()).toEqual([]);
    expect(mailServer.taken.map((message) => headerOf(message, "Subject"))).toEqual(["Store: 2 waiting for you"]);
  });

  // Guarantee operation/mail-notices
  it("has the same Message-ID if it is sent again because its confirmation was lost", async () => {
    await mailServer.start();
    await choose();
    await fail();
    mailServer.trouble = "broken";
    expect(await work()).toHaveLength(1);
    await mailServer.stop();
    await mailServer.start();
    expect(await work()).toEqual([]);
    const ids = mailServer.taken.map((message) => headerOf(message, "Message-ID"));
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^<notice-\d+@console\.example\.com>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  it("is replaced by the next one, and not sent if nothing waits any more, or its administrator is none or has chosen none", async () => {
    await choose();
    await fail();
    expect(await work(), "the server is away").toHaveLength(1);
    await fail();
    await later();
    expect(await work(), "one notice, that says everything").toHaveLength(1);
    await mailServer.start();
    await sql`delete from app.outbox where kind = 'upload_shipping'`;
    expect(await work()).toEqual([]);
    for (const end of [
      () => sql`update app.administrators set roles = '{service}' where auth_id = ${accountIdOf(admin)}`,
      () => sql`update auth.users set banned_until = now() + interval '1 day' where id = ${accountIdOf(admin)}`,
      () => choose({ kinds: [] }),
    ]) {
      await choose();
      await fail();
      await later();
      await sql`select app.write_notices()`;
      expect(await sql`select from app.outbox where kind = 'notice'`).toHaveLength(1);
      await end();
      expect(await work()).toEqual([]);
      await sql`update app.administrators set roles = '{owner}' where auth_id = ${accountIdOf(admin)}`;
      await sql`update auth.users set banned_until = null where id = ${accountIdOf(admin)}`;
    }
    expect(mailServer.taken).toEqual([]);
  });

  // Guarantee operation/mail-notices
  it("is written once by concurrent runs of the job", async () => {
    await choose();
    await fail();
    await Promise.all(Array.from({ length: 8 }, () => sql`select app.write_notices()`));
    expect(await sql`select from app.outbox where kind = 'notice'`).toHaveLength(1);
    expect((await sql`select last_value from app.notice_numbers`)[0]!.last_value).toBe(
      (await sql`select notice_no from app.notice_choices`)[0]!.notice_no,
    );
  });
});

describe("a wrong setting of the mail server", () => {
  it.each([
    [{ STORE_SMTP_FROM: "", STORE_CONSOLE_URL: "" }, "STORE_SMTP_FROM, STORE_CONSOLE_URL"],
    [{ STORE_SMTP_URL: "https://smtp.example.com" }, "smtps://user:password@smtp.example.com:465"],
    [{ STORE_SMTP_URL: "smtps://user:100%@smtp.example.com" }, "STORE_SMTP_URL has a %"],
    [{ STORE_CONSOLE_URL: "console.example.com" }, "STORE_CONSOLE_URL is not"],
  ])("fails the notices and no other call: %o", async (wrong, message) => {
    const usual = worker;
    worker = await store.serveWorker(wrong);
    try {
      await choose();
      await fail();
      expect(await work()).toMatchObject([
        { state: "waiting", last_problem: expect.stringContaining(message) as string },
      ]);
    } finally {
      await worker.stop();
      worker = usual;
    }
  });
});

async function uidOf({ email }: Account): Promise<number> {
  const [row] = await sql<
    { uid: string }[]
  >`select u.uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`;
  return Number(row!.uid);
}

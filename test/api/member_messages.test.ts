import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { FakeMailServer } from "../support/fake_mail_server.ts";
import { connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { asScheduler, headerOf, MailStore, textOf } from "../support/mail_store.ts";
import { childPids, kill } from "../../scripts/testing/processes.ts";
import { MINI, MINI_PUSH } from "../support/wechat/apps.ts";
import { FakeWechat, plainPng } from "../support/wechat/fake_wechat.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

// Messages to members.
const OPENID = "openid-of-the-member";
const TEMPLATE = {
  type: "order.shipped",
  template_id: "shipped-1",
  data: { thing1: "text", character_string2: "number", time3: "time" },
};
const wechat = new FakeWechat();
let store: MailStore;
let mailServer: FakeMailServer;
let sql: postgres.Sql;
let serveWorker: () => Promise<EdgeFunction>;
let worker: EdgeFunction;
let api: EdgeFunction;
let adminapi: EdgeFunction;
let picture: EdgeFunction;
let admin: Account;
let member: Account;
let uid: number;

beforeAll(async () => {
  [admin, member] = await Promise.all([signUpAdmin("Sets templates"), signUp("小林")]);
  store = await MailStore.start();
  ({ sql, mailServer } = store);
  const { url } = store.clone;
  const address = await wechat.start();
  const program = {
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_WECHAT_API_URL: address,
  };
  const push = { STORE_WECHAT_MINI_PUSH_TOKEN: MINI_PUSH.token, STORE_WECHAT_MINI_PUSH_KEY: MINI_PUSH.key };
  serveWorker = () => store.serveWorker(program);
  worker = await serveWorker();
  [api, adminapi, picture] = await Promise.all([
    serveEdgeFunction("api", url, { ...program, ...push }),
    serveEdgeFunction("adminapi", url, {}),
    serveEdgeFunction("picture", url, {}),
  ]);
  await copyAccounts(sql, admin, member);
  await sql`select app.add_administrator(${admin.email})`;
  const [row] = await sql<{ uid: string }[]>`select uid from app.users where auth_id = ${accountIdOf(member)}`;
  uid = Number(row!.uid);
  await sql`insert into app.wechat_accounts (appid, openid, auth_id) values (${MINI.appid}, ${OPENID}, ${accountIdOf(member)})`;
  wechat.templates.set(TEMPLATE.template_id, Object.keys(TEMPLATE.data));
});
afterAll(async () => {
  await Promise.all([worker?.stop(), api?.stop(), adminapi?.stop(), picture?.stop(), wechat.stop()]);
  await store?.stop();
});
beforeEach(async () => {
  for (const table of ["outbox", "inboxes", "read_notices", "message_consents", "message_templates", "used_quotas"])
    await sql.unsafe(`delete from app.${table}`);
  await sql`update app.message_settings set quiet_from = null, quiet_until = null`;
  await sql`insert into app.function_settings (project_url, functions_url, variables, reported_at)
    values ('https://x.supabase.co', 'https://x.supabase.co/functions/v1', '{STORE_SMTP_URL, STORE_WECHAT_MINI_APPID}', now())
    on conflict (id) do update set variables = excluded.variables`;
  await tell();
  mailServer.taken.splice(0);
  mailServer.trouble = undefined;
  await mailServer.start();
  Object.assign(wechat, { mood: "well" });
  wechat.shown.splice(0);
  wechat.received.splice(0);
  wechat.messageTroubles.splice(0);
  wechat.consents.clear();
});
afterEach(() => mailServer.stop());

const send = (method: string, path: string, json?: unknown, { token }: Pick<Account, "token"> = member) =>
  call(method, path, { base: path.startsWith("/adminapi") ? adminapi.base : api.base, token, json });
const choose = (email: string[], language = "en") =>
  send("PUT", "/api/notice/choices", { inbox: [], email, wechat: ["orders"], language });
const configure = (more: object = {}) =>
  send("PUT", "/adminapi/message_settings", { quiet_from: "", quiet_until: "", templates: [TEMPLATE], ...more }, admin);
/** The member agrees to messages in the mini program: WeChat counts, and so does the store. */
async function agree(times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1)
    expect((await send("POST", "/api/notice/consent", { answers: { [TEMPLATE.template_id]: "accept" } })).status).toBe(
      200,
    );
  wechat.consents.set(`${OPENID} ${TEMPLATE.template_id}`, times);
}
const consents = async () => (await send("GET", "/api/notice/choices")).body.templates as { consents: number }[];

/** Something happens to the member. Its transaction ends, so the job can read it. */
const happens = (type: string, subject = 4711, payload: object = {}) =>
  sql`select app.write_event(${type}, ${subject}, ${uid}, ${sql.json(payload as never)}, clock_timestamp())`;

const runOf = ({ base }: EdgeFunction) => call("POST", "/worker/run", { base, init: asScheduler });
const run = async () => expect((await runOf(worker)).status).toBe(200);

/** What is left of the messages in the outbox. */
const left = async () => [
  ...(await sql<{ kind: string; state: string; last_problem: string | null }[]>`
    select kind, state, last_problem from app.outbox where lane = 'messages' order by kind`),
];

/** How many events are not told yet. */
const untold = async () =>
  (await sql`select from app.events as e, app.told_events as t where (e.era, e.xid, e.id) > (t.era, t.xid, t.event_id)`)
    .length;

// Open transactions of other tests on this server hold the reading of events up.
const patience = { interval: 200 };

/** Waits until the job can read an event. */
const untilReadable = () =>
  expect
    .poll(
      async () =>
        (await sql`select from app.told_events as t cross join lateral app.events_after(t.era, t.xid, t.event_id, 10)`)
          .length,
      patience,
    )
    .toBeGreaterThan(0);

/** Runs the scheduled job until everything is told. */
const tell = () =>
  expect
    .poll(async () => {
      await sql`call app.tell_notices()`;
      return untold();
    }, patience)
    .toBe(0);

const makeDue = () => sql`update app.outbox set run_after = clock_timestamp() where state = 'waiting'`;

/**
 * Tells everything and runs the worker, with all waiting messages due.
 * @returns what is left of messages in the outbox
 */
async function work() {
  await tell();
  await makeDue();
  await run();
  return left();
}

describe("a mail to a member", () => {
  it("has the words of the notice in the member's language, and links to the page and to the choice", async () => {
    await choose(["orders", "commission"]);
    await happens("order.shipped");
    await happens("commission.earned", 4712, { amount: "720.00", points: 720, cycle_no: 1, place: 1 });
    await happens("member.referred", 4713);
    expect(await work()).toEqual([]);
    const [shipped, earned] = mailServer.taken.sort((a, b) =>
      headerOf(b, "Subject")!.localeCompare(headerOf(a, "Subject")!),
    ) as [string, string];
    expect(mailServer.taken).toHaveLength(2);
    expect([headerOf(shipped, "To"), headerOf(shipped, "Subject")]).toEqual([member.email, "Store: Order shipped"]);
    expect(textOf(shipped)).toBe(`Order 4711 is on its way.
http://127.0.0.1:54321/h5#/orders/4711

Choose which notices you get by email, or none:
http://127.0.0.1:54321/h5#/notices/choices
`);
    expect(textOf(earned)).toContain("720");
    expect(shipped + earned).not.toContain("小林");
  });

  it("comes in Chinese to who reads Chinese, and to nobody who has not chosen it", async () => {
    await happens("order.shipped");
    expect(await work()).toEqual([]);
    expect(mailServer.taken).toEqual([]);
    await choose(["orders"], "zh");
    await happens("order.shipped", 4714);
    await work();
    expect(mailServer.taken).toHaveLength(1);
    expect(textOf(mailServer.taken[0]!)).toContain("订单 4714 已发货");
  });

  it("is written once, however often and at the same time the job runs", async () => {
    await choose(["orders"]);
    await happens("order.shipped");
    await Promise.all(Array.from({ length: 6 }, () => sql`call app.tell_notices()`));
    await work();
    await work();
    expect(mailServer.taken).toHaveLength(1);
  });

  // Guarantee notices/told-once
  it("is not written if the job was killed before it ended, and written by the next one", async () => {
    await choose(["orders"]);
    await happens("order.shipped");
    await work();
    mailServer.taken.splice(0);
    await happens("order.shipped", 4715);
    await untilReadable();
    // Whoever counts the member's mails waits for the holder, so the job stops in the middle of its transaction.
    const [holder, doomed] = [connect(store.clone.url), connect(store.clone.url)];
    await holder`begin`;
    await holder`select from app.used_quotas where uid = ${uid} and kind = 'mail' for update`;
    const [self] = await doomed<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const killed = doomed`call app.tell_notices()`.then(
      () => "finished",
      () => "cut off",
    );
    await expect
      .poll(
        async () =>
          (await sql`select from pg_stat_activity where pid = ${self!.pid} and wait_event_type = 'Lock'`).length,
      )
      .toBe(1);
    await sql`select pg_terminate_backend(${self!.pid})`;
    expect(await killed).toBe("cut off");
    await holder`rollback`;
    await Promise.all([holder.end(), doomed.end({ timeout: 0 })]);
    expect(await left()).toEqual([]);
    await work();
    expect(mailServer.taken).toHaveLength(1);
  });

  it("waits for a server that is away, and is given up for an address that the server does not know", async () => {
    await choose(["orders"]);
    await mailServer.stop();
    await happens("order.shipped");
    expect(await work()).toMatchObject([
      {
        kind: "member_mail",
        state: "waiting",
        last_problem: expect.stringContaining("could not be reached") as string,
      },
    ]);
    await mailServer.start();
    mailServer.trouble = "refused";
    expect(await work()).toMatchObject([{ state: "waiting", last_problem: expect.stringContaining("550") as string }]);
    mailServer.trouble = "no mailbox";
    expect(await work()).toEqual([]);
    expect(mailServer.taken).toEqual([]);
  });

  it("has the same id if it is sent again because its confirmation was lost", async () => {
    await choose(["orders"]);
    await happens("order.shipped");
    mailServer.trouble = "broken";
    expect(await work()).toHaveLength(1);
    await mailServer.stop();
    await mailServer.start();
    expect(await work()).toEqual([]);
    const ids = mailServer.taken.map((message) => headerOf(message, "Message-ID"));
    expect(ids).toHaveLength(2);
    expect(ids[1]).toBe(ids[0]);
  });
});

describe("a message of WeChat", () => {
  it("takes a consent, and has the fields of the template in the forms of WeChat", async () => {
    await configure();
    await agree(2);
    expect(await consents()).toMatchObject([
      { type: "order.shipped", topic: "orders", template_id: TEMPLATE.template_id, consents: 2 },
    ]);
    await happens("order.shipped");
    expect(await work()).toEqual([]);
    expect(wechat.shown).toEqual([
      {
        openid: OPENID,
        template: TEMPLATE.template_id,
        fields: {
          thing1: "订单 4711 已发货，请留意查收。",
          character_string2: "4711",
          time3: expect.any(String) as string,
        },
      },
    ]);
    expect(await consents()).toMatchObject([{ consents: 1 }]);
    expect(mailServer.taken).toEqual([]);
  });

  it("ends the number of an order to fit its sentence, and has the whole in a field of its own", async () => {
    await configure();
    await agree();
    const [product] = await sql`insert into app.products (title, price) values ('Tea', 10) returning id`;
    const [order] = await sql`
      select o.id, o.order_no from app.create_order(${uid}, ${sql.json([{ product_id: product!.id, quantity: 1 }])}, now()) as o`;
    await happens("order.shipped", order!.id);
    expect(await work()).toEqual([]);
    expect(wechat.shown.at(-1)!.fields).toMatchObject({
      thing1: `订单 ${order!.order_no.slice(-6)} 已发货，请留意查收。`,
      character_string2: order!.order_no,
    });
  });

  // Guarantee notices/wechat
  it("is not written without a consent or a template: the member has the inbox", async () => {
    await configure();
    await happens("order.shipped");
    await agree();
    await happens("order.received");
    await happens("order.shipped");
    await happens("order.shipped");
    expect(await work()).toEqual([]);
    expect(wechat.shown).toHaveLength(1);
    expect(wechat.take("/cgi-bin/message/subscribe/send")).toHaveLength(1);
  });

  it("ends, and with it the consents, if WeChat knows of none", async () => {
    await configure();
    await agree(3);
    wechat.consents.clear();
    await happens("order.shipped");
    expect(await work()).toEqual([]);
    expect(await consents()).toMatchObject([{ consents: 0 }]);
  });

  it.each([-1, 45009, 45011, 43108])(
    "is sent later after the error %i, which says that it was not sent",
    async (code) => {
      await configure();
      await agree();
      await happens("order.shipped");
      wechat.messageTroubles.push(code, code);
      expect(await work()).toMatchObject([
        { state: "waiting", last_problem: expect.stringContaining(String(code)) as string },
      ]);
      expect(await work()).toHaveLength(1);
      expect(await work()).toEqual([]);
      expect(wechat.shown).toHaveLength(1);
    },
  );

  // Guarantee notices/wechat: A message of WeChat is shown at most once, and never without a consent
  // By: a mark before the request, app.begin_message
  it.each(["lost", 99999] as const)(
    "is not sent again after %s, of which nobody knows whether it was sent",
    async (trouble) => {
      await configure();
      await agree(2);
      await happens("order.shipped");
      wechat.messageTroubles.push(trouble);
      expect(await work()).toEqual([]);
      await work();
      expect(wechat.shown.length).toBeLessThanOrEqual(1);
      expect(wechat.take("/cgi-bin/message/subscribe/send")).toHaveLength(1);
    },
  );

  it("is not sent again while its response is late, nor when that comes", async () => {
    await configure();
    await agree(2);
    await happens("order.shipped");
    await tell();
    wechat.messageTroubles.push("late");
    const late = run();
    await expect.poll(() => wechat.shown.length).toBe(1);
    // As if the lease had ended: another worker takes the row.
    await makeDue();
    await run();
    expect(await left()).toEqual([]);
    wechat.lateResponses.pop()!();
    await late;
    expect(await work()).toEqual([]);
    expect(wechat.shown).toHaveLength(1);
    expect(await consents()).toMatchObject([{ consents: 1 }]);
  });

  // Guarantee notices/wechat
  it("is not sent again if the worker was killed between the message and its record", async () => {
    await configure();
    await agree(2);
    await happens("order.shipped");
    await tell();
    wechat.messageTroubles.push("late");
    const doomed = await serveWorker();
    const cut = runOf(doomed).catch(() => undefined);
    await expect.poll(() => wechat.shown.length).toBe(1);
    [doomed.pid, ...childPids(doomed.pid)].forEach(kill);
    await Promise.all([cut, doomed.stop()]);
    expect(await left(), "the row is left").toHaveLength(1);
    expect(await work()).toEqual([]);
    expect(wechat.shown).toHaveLength(1);
    expect(wechat.take("/cgi-bin/message/subscribe/send")).toHaveLength(1);
  });

  it("is sent later if WeChat gives no access token", async () => {
    await configure();
    await agree();
    await sql`delete from app.wechat_tokens`;
    wechat.mood = "no token";
    await happens("order.shipped");
    expect(await work()).toMatchObject([
      { state: "waiting", last_problem: expect.stringContaining("no access token") as string },
    ]);
    wechat.mood = "well";
    expect(await work()).toEqual([]);
    expect(wechat.shown).toHaveLength(1);
  });

  it("stops for a template that WeChat refuses, which administrators see, until it is saved again", async () => {
    await configure({ templates: [{ ...TEMPLATE, data: { thing9: "title" } }] });
    await agree(2);
    await happens("order.shipped");
    await happens("order.shipped");
    expect(await work()).toEqual([]);
    const { body } = await send("GET", "/adminapi/message_settings", undefined, admin);
    expect(body.templates).toMatchObject([
      { type: "order.shipped", problem: expect.stringMatching(/47003.*data\.\w+/) as string },
    ]);
    expect((await consents()).length, "a template with a problem asks for no consent").toBe(0);
    await configure();
    expect(await consents()).toMatchObject([{ consents: 2 }]);
    await happens("order.shipped");
    await work();
    expect(wechat.shown).toHaveLength(1);
  });

  it("waits for the end of the quiet hours", async () => {
    await choose(["orders"]);
    await configure({ quiet_from: "00:00", quiet_until: "23:59" });
    await agree();
    await happens("order.shipped");
    const { length } = await work();
    // A minute before midnight, it is sent at once.
    if (length > 0)
      expect((await sql`select min(run_after) > clock_timestamp() as waits from app.outbox`)[0]!.waits).toBe(true);
    await configure();
    expect(await work()).toEqual([]);
    expect([wechat.shown.length, mailServer.taken.length]).toEqual([1, 1]);
  });
});

describe("the settings of messages", () => {
  it("are recorded, and changed by administrators of the system only", async () => {
    expect((await configure({ quiet_from: "22:00", quiet_until: "08:00" })).body).toMatchObject({
      quiet_from: "22:00",
      quiet_until: "08:00",
      is_mail_set_up: true,
      is_mini_program_set_up: true,
      templates: [{ ...TEMPLATE, problem: null }],
    });
    const [action] =
      await sql`select to_value from app.admin_actions where function = 'set_message_settings' order by id desc limit 1`;
    expect(action!.to_value).toMatchObject({ quiet_from: "22:00" });
    expectProblem(await send("PUT", "/adminapi/message_settings", { removed: [] }, member), "forbidden");
    await sql`update app.administrators set roles = '{content}' where auth_id = ${accountIdOf(admin)}`;
    expectProblem(await configure(), "forbidden");
    await sql`update app.administrators set roles = '{owner}' where auth_id = ${accountIdOf(admin)}`;
  });

  it("change what is named only, so that two administrators keep what the other has set", async () => {
    const set = async (changes: object) =>
      (await send("PUT", "/adminapi/message_settings", changes, admin)).body as { templates: object[] };
    const paid = { type: "order.paid", template_id: "paid-1", data: { amount1: "amount" } };
    await configure({ quiet_from: "22:00", quiet_until: "08:00" });
    await sql`update app.message_templates set problem = 'refused'`;
    expect(await set({ templates: [paid] })).toMatchObject({
      quiet_from: "22:00",
      templates: [
        { ...paid, problem: null },
        { ...TEMPLATE, problem: "refused" },
      ],
    });
    expect(await set({ quiet_from: "23:00", quiet_until: "07:00" })).toMatchObject({
      templates: [{}, { problem: "refused" }],
    });
    expect(await set({ templates: [TEMPLATE], removed: ["order.paid", "order.received"] })).toMatchObject({
      quiet_from: "23:00",
      templates: [{ ...TEMPLATE, problem: null }],
    });
    expect(await set({ quiet_from: "", quiet_until: "" })).toMatchObject({ quiet_from: null, templates: [TEMPLATE] });
  });

  it.each([
    { quiet_until: undefined },
    { removed: ["adjustment.refused"] },
    { quiet_from: "22:00" },
    { quiet_from: "25:00", quiet_until: "08:00" },
    { quiet_from: "08:00", quiet_until: "08:00" },
    { templates: [TEMPLATE, TEMPLATE] },
    { templates: [{ ...TEMPLATE, type: "adjustment.refused" }] },
    { templates: [{ ...TEMPLATE, template_id: "" }] },
    { templates: [{ ...TEMPLATE, data: {} }] },
    { templates: [{ ...TEMPLATE, data: { thing: "title" } }] },
    { templates: [{ ...TEMPLATE, data: { thing1: "secret" } }] },
  ])("reject %o", async (wrong) => {
    expectProblem(await configure(wrong), "invalid_argument");
  });
});

describe("texts that WeChat checks", () => {
  const checks = async () =>
    (await sql<{ last_problem: string | null }[]>`select last_problem from app.outbox where kind = 'text_check'`)
      .length;
  const rename = async (nickname: string) => expect((await send("PUT", "/api/user", { nickname })).status).toBe(200);
  const nickname = async () => (await send("GET", "/api/user")).body.nickname as string;
  const asMember = async () =>
    (await send("GET", `/adminapi/user/${uid}`, undefined, admin)).body as { nickname_in_doubt: boolean };

  beforeEach(() => wechat.verdicts.clear());

  it("stay if they pass, and are sent with the openid", async () => {
    await rename("Lin Passes");
    await run();
    expect(wechat.take("/wxa/msg_sec_check")).toEqual([
      { version: 2, scene: 1, openid: OPENID, content: "Lin Passes" },
    ]);
    expect([await nickname(), await checks(), (await asMember()).nickname_in_doubt]).toEqual(["Lin Passes", 0, false]);
  });

  it("are marked for administrators if WeChat is in doubt", async () => {
    wechat.verdicts.set("Lin Doubtful", "review");
    await rename("Lin Doubtful");
    await run();
    expect([await nickname(), await checks(), (await asMember()).nickname_in_doubt]).toEqual(["Lin Doubtful", 0, true]);
  });

  // Guarantee privacy/wechat-texts
  it("are replaced if they are risky, unless the member has changed them meanwhile", async () => {
    wechat.verdicts.set("Lin Risky", "risky");
    await rename("Lin Risky");
    await rename("Lin Again");
    await run();
    expect([await nickname(), await checks()]).toEqual(["Lin Again", 0]);
    await rename("Lin Risky");
    await run();
    expect([await nickname(), await checks()]).toEqual(["Member", 0]);
    const told = await sql`select cause from app.events where uid = ${uid} and type = 'profile.nickname_replaced'`;
    expect([...told]).toEqual([{ cause: "provider" }]);
  });

  it.each([["odd"], [987_654], [-1]])("wait for another attempt after the answer %s", async (answer) => {
    wechat.verdicts.set("Lin Waits", answer);
    await rename("Lin Waits");
    await run();
    expect([await nickname(), await checks()]).toEqual(["Lin Waits", 1]);
    wechat.verdicts.clear();
    await sql`update app.outbox set run_after = now()`;
    await run();
    expect(await checks()).toBe(0);
  });

  it.each([[40003], [61010]])("pass if WeChat checks no text of this user (%i)", async (code) => {
    wechat.verdicts.set("Lin Elsewhere", code);
    await rename("Lin Elsewhere");
    await run();
    expect([await nickname(), await checks()]).toEqual(["Lin Elsewhere", 0]);
  });
});

describe("pictures that WeChat checks", () => {
  const checks = async () => [
    ...(await sql<
      { state: string; last_problem: string | null }[]
    >`select state, last_problem from app.outbox where kind = 'picture_check'`),
  ];
  const upload = async (kind: "avatar" | "refund") => {
    const init = { headers: { "content-type": "image/png" }, body: new Uint8Array(plainPng(9, 9, 9, 20)) };
    const { status, body } = await call("POST", `/picture/${kind}`, { base: picture.base, token: member.token, init });
    expect(status).toBe(201);
    return body as { id: string; url: string; small_url: string };
  };
  const choose = async () => {
    const { small_url } = await upload("avatar");
    expect((await send("PUT", "/api/user", { avatar: small_url })).status).toBe(200);
    return small_url;
  };
  const shown = async () =>
    (await send("GET", `/adminapi/user/${uid}`, undefined, admin)).body as {
      avatar: string | null;
      avatar_in_doubt: boolean;
    };
  const tell = async (more: object, trace_id = wechat.pictures.at(-1)!.trace_id) => {
    const reply = await wechat.push(api.base, {
      MsgType: "event",
      Event: "wxa_media_check",
      appid: MINI.appid,
      trace_id,
      version: 2,
      ...more,
    });
    return [reply.status, await reply.text()];
  };
  const answer = async (suggest: string, trace_id?: string) =>
    expect(await tell({ errcode: 0, result: { suggest, label: 100 }, detail: [] }, trace_id)).toEqual([200, "success"]);
  const isDue = () => sql`update app.outbox set run_after = clock_timestamp()`;

  beforeEach(async () => {
    await sql`update app.function_settings set variables = '{STORE_WECHAT_MINI_APPID, STORE_WECHAT_MINI_PUSH_TOKEN, STORE_WECHAT_MINI_PUSH_KEY}'`;
    wechat.pictures.splice(0);
    wechat.pictureTroubles.splice(0);
  });

  it("stay if they pass", async () => {
    const avatar = await choose();
    await run();
    const [asked] = wechat.pictures;
    expect(asked).toMatchObject({ openid: OPENID, scene: 1, url: avatar.replace("small", "large") });
    expect(asked!.bytes.subarray(0, 2).toString("hex")).toBe("ffd8");
    expect(await checks()).toEqual([{ state: "waiting", last_problem: null }]);
    await answer("pass");
    expect([await shown(), await checks()]).toMatchObject([{ avatar, avatar_in_doubt: false }, []]);
  });

  it("are fetched by a link if they are private", async () => {
    await upload("refund");
    await run();
    expect(wechat.pictures).toMatchObject([
      { scene: 2, url: expect.stringContaining("/object/sign/private-pictures/") },
    ]);
    expect(wechat.pictures[0]!.bytes.subarray(0, 2).toString("hex")).toBe("ffd8");
    await answer("review");
    expect([...(await sql`select content_check from app.pictures where kind = 'refund'`)]).toEqual([
      { content_check: "review" },
    ]);
  });

  it("are in doubt until an administrator dismisses that, and a repeated answer changes nothing", async () => {
    const avatar = await choose();
    await run();
    await answer("review");
    expect(await shown()).toMatchObject({ avatar, avatar_in_doubt: true });
    const dismiss = (seen: string) => send("PUT", `/adminapi/user/${uid}/doubt/dismiss`, { avatar: seen }, admin);
    expect((await dismiss(`${avatar}?another`)).body.avatar_in_doubt).toBe(true);
    expect((await dismiss(avatar)).body.avatar_in_doubt).toBe(false);
    await answer("review");
    expect((await dismiss(avatar)).body.avatar_in_doubt).toBe(false);
    const { body } = await send(
      "GET",
      `/adminapi/action?target_type=member&target_id=${uid}&function=dismiss_member_doubt`,
      undefined,
      admin,
    );
    expect(body.list.map(({ from }: { from: object }) => from)).toEqual([{}, { avatar_in_doubt: true }, {}]);
  });

  it("are removed if they are risky, of which the member is told", async () => {
    const avatar = await choose();
    await run();
    await answer("risky");
    expect((await shown()).avatar).toBe(null);
    expectProblem(await send("PUT", "/api/user", { avatar }), "invalid_argument");
    await run();
    expect((await fetch(avatar)).status).toBe(400);
    expect([
      ...(await sql`select type from app.events where uid = ${uid} and type = 'profile.avatar_removed'`),
    ]).toHaveLength(1);
    await answer("risky");
    expect([
      ...(await sql`select type from app.events where uid = ${uid} and type = 'profile.avatar_removed'`),
    ]).toHaveLength(1);
  });

  // Guarantee privacy/wechat-pictures
  it("are asked about again if no answer comes, or one that we do not know, and a late answer counts", async () => {
    await choose();
    await run();
    expect(await tell({ errcode: -1008, errmsg: "download failed", detail: [] })).toEqual([200, "success"]);
    expect(await tell({ errcode: 0, result: { suggest: "unheard of" } })).toEqual([200, "success"]);
    expect(await tell({ result: 7 })).toEqual([200, "success"]);
    expect(await checks()).toHaveLength(1);
    await run();
    expect(wechat.pictures).toHaveLength(1);
    for (const asked of [2, 3, 3]) {
      await isDue();
      await run();
      expect(wechat.pictures).toHaveLength(asked);
    }
    expect(await checks()).toMatchObject([
      { state: "waiting", last_problem: expect.stringContaining("see whether its messages arrive") },
    ]);
    await answer("review", wechat.pictures[0]!.trace_id);
    expect([(await shown()).avatar_in_doubt, await checks()]).toEqual([true, []]);
  });

  it.each([[40003], [61010]])("are left alone if WeChat checks no picture of this user (%i)", async (code) => {
    wechat.pictureTroubles.push(code);
    await choose();
    await run();
    expect([await checks(), (await shown()).avatar_in_doubt]).toEqual([[], false]);
  });

  it("wait for another attempt after an error", async () => {
    wechat.pictureTroubles.push(987_654);
    await choose();
    await run();
    expect(await checks()).toMatchObject([{ last_problem: expect.stringContaining("987654") }]);
    await isDue();
    await run();
    expect(wechat.pictures).toHaveLength(1);
  });

  it("are not asked about where the store receives no messages", async () => {
    await sql`update app.function_settings set variables = '{STORE_WECHAT_MINI_APPID}'`;
    await choose();
    expect(await checks()).toEqual([]);
  });

  // Guarantee privacy/wechat-signature: Only WeChat says what it thinks of a picture
  // By: the signature covers the encrypted message, functions/_shared/wechat/message_push.ts
  it("need an answer that WeChat has signed and encrypted for this mini program", async () => {
    await choose();
    await run();
    const message = {
      Event: "wxa_media_check",
      trace_id: wechat.pictures[0]!.trace_id,
      errcode: 0,
      result: { suggest: "risky" },
    };
    const refused = async (forged: object) => (await wechat.push(api.base, message, forged)).status;
    expect(await refused({ signature: "0".repeat(40) })).toBe(401);
    expect(await refused({ signature: wechat.signed().signature })).toBe(401);
    expect(await refused({ appid: "wx0000000000000000" })).toBe(401);
    expect(await refused({ encrypted: "AAAA" })).toBe(401);
    expect((await shown()).avatar).not.toBe(null);
    expect((await wechat.push(api.base, { Event: "user_enter_tempsession" })).status).toBe(200);
    await answer("risky", "a picture of another store");
    expect((await shown()).avatar).not.toBe(null);
  });

  it("are told of at an address that WeChat confirms before", async () => {
    const confirm = (query: Record<string, string>) =>
      call(
        "GET",
        `/api/wechat/message?${new URLSearchParams({ ...query, echostr: "4375120948345356249" }).toString()}`,
        {
          base: api.base,
        },
      );
    expect(await confirm(wechat.signed())).toMatchObject({ status: 200, text: "4375120948345356249" });
    expectProblem(await confirm(wechat.signed([], "another token")), "signature_invalid");
    expectProblem(await confirm({}), "signature_invalid");
    expectProblem(await call("POST", "/api/wechat/message", { json: {} }), "signature_invalid");
    const { path, body } = wechat.message({ Event: "user_enter_tempsession" });
    expect(await call("POST", path, { json: body, base: api.base })).toMatchObject({ status: 200, text: "success" });
  });
});

import { randomInt, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { testContext } from "../../scripts/testing/context.ts";
import { PERSONAL } from "../support/personal_columns.ts";
import { FakePayments } from "../support/fake_payments.ts";
import { connect, type EdgeFunction, rolledBack, serveEdgeFunction, stack, supabaseClient } from "../support/index.ts";
import { MINI } from "../support/wechat/apps.ts";
import {
  type Account,
  accountIdOf,
  addProduct,
  call,
  expectProblem,
  giveCommission,
  setPhone,
  signUpAdmin,
} from "./client.ts";
import { FakeWechat } from "../support/wechat/fake_wechat.ts";

// A member enters recognizable values wherever people enter something. They are searched for in the logs, in the
// export, and in every column of every table before and after the account is deleted.

/** In every text that the member enters. */
const TAG = `canary${randomInt(10 ** 9, 10 ** 10)}`;
const digits = (prefix: string, length: number) =>
  prefix + Array.from({ length: length - prefix.length }, () => randomInt(10)).join("");
const PHONE = digits("86139", 13);
const RECEIVER_PHONE = digits("137", 11);
const ACCOUNT_NO = digits("1022", 19);
const PASSPORT_NO = digits("E7", 9);
/** What a trace of the member contains. */
const CANARIES = [TAG, PHONE, RECEIVER_PHONE, ACCOUNT_NO, PASSPORT_NO];
const ADDRESS = { name: `Receiver ${TAG}`, phone: RECEIVER_PHONE, region: ["Guangdong"], street: `1 ${TAG} Road` };

/**
 * Columns of text that do not hold what a member entered. A new column must be listed here or among the personal ones.
 * The tracking number of the store belongs to the carrier. A real name is encrypted, and deleted as a whole. The row of
 * a poster, whose picture shows the nickname, is deleted as a whole.
 */
const IMPERSONAL: Record<string, string[]> = {
  adjustments: ["state", "kind"],
  admin_actions: ["function", "target_type", "target_id", "from_value", "to_value", "request_id"],
  administrators: ["name", "roles"],
  agent_level_tasks: ["type"],
  agent_levels: ["name", "name_zh"],
  article_categories: ["title"],
  articles: ["title", "author", "image_input", "synopsis", "content", "url"],
  banners: ["image", "title"],
  hourly_counts: ["what"],
  carriers: ["code", "name", "name_zh", "tracking_url"],
  closed_months: ["sums"],
  compacted_months: ["state"],
  dropped_actions: ["digest"],
  commission_plans: ["brokerage_scope", "brokerage_timing"],
  event_types: ["type", "subject", "keys", "title", "title_zh", "description"],
  events: ["type", "subject", "payload", "cause"],
  explained_findings: ["check_name", "subject", "expected", "actual", "reason"],
  forgotten_events: ["digest"],
  function_settings: ["project_url", "functions_url", "variables"],
  idempotency_keys: ["role", "key", "fingerprint", "areas"],
  schema_versions: ["version"],
  manifest: ["kind", "name", "definition"],
  imported_bill: ["source", "old_id", "type", "order_ref"],
  imported_members: ["claimed_by"],
  imported_openids: ["appid"],
  imported_products: ["old_id"],
  imports: ["form", "source_hash"],
  inboxes: ["inbox", "email", "wechat", "language"],
  invitations: ["email", "name", "roles"],
  job_runs: ["job", "part"],
  level_changes: ["cause", "reason"],
  level_versions: ["levels"],
  machine_keys: ["name", "hash", "scopes"],
  message_consents: ["template_id"],
  message_templates: ["type", "template_id", "data", "problem"],
  month_seals: ["root", "previous", "public_key", "signature", "former_signature"],
  notice_choices: ["kinds", "language", "told"],
  order_lines: ["title"],
  orders: ["order_no", "state", "pay_type", "pay_ref"],
  outbox: ["kind", "lane", "key", "payload", "state", "last_problem"],
  parcels: ["carrier", "carrier_code", "tracking_no"],
  person_requests: ["kind", "channel", "state"],
  payment_attempts: ["attempt_no", "provider", "method", "state", "pay_ref", "reason"],
  payment_notifications: ["provider", "event_id", "order_no", "pay_ref", "currency", "outcome", "reason"],
  payout_accounts: ["method"],
  pictures: ["kind", "state", "media_type", "trace_ids", "content_check"],
  posters: ["fingerprint", "share_url", "code_source", "code", "image"],
  product_categories: ["title"],
  products: ["title", "images", "description", "poster_design"],
  provider_refunds: ["refund_no", "provider", "payment_no", "pay_ref", "state", "provider_ref", "reason"],
  real_names: [
    "document",
    "name_mask",
    "number_mask",
    "ciphertext",
    "key_id",
    "person",
    "index_key_id",
    "state",
    "reason",
  ],
  reconcile_ranges: ["keys", "sample"],
  reconcile_runs: ["sample"],
  refunds: ["named", "state", "refund_ref", "reason_check", "return_address", "return_carrier_code"],
  release_runs: ["last_error"],
  saved_views: ["page", "views"],
  scheduled_jobs: ["name", "title", "title_zh", "command", "schedule", "preset", "times_count_for"],
  settings: [
    "time_zone",
    "site_name",
    "logo",
    "poster_design",
    "colour",
    "h5_share_url",
    "withdrawal_methods",
    "avatar_origins",
    "refused_words",
    "return_address",
    "contact_phone",
    "contact_wechat",
    "contact_hours",
    "second_factor_areas",
    "tax_method",
    "real_name_check",
  ],
  settings_checks: ["findings"],
  settlement_jobs: ["state", "last_error"],
  settlements: ["state", "brokerage_scope", "reason"],
  transfers: ["appid", "mchid", "provider_ref", "package_info"],
  user_bill: ["type", "source"],
  webhook_deliveries: ["kind", "type", "subject", "message_id", "body", "state", "response", "problem"],
  webhooks: ["url", "description", "types", "state", "salt", "former_salt"],
  wechat_accounts: ["appid", "email"],
  wechat_tokens: ["appid", "kind", "token"],
  waiting_payments: ["pay_ref"],
  decided_alone: ["kind"],
  tax_withholdings: ["method"],
  used_quotas: ["kind"],
  withdrawal_batches: ["batch_no", "method"],
  withdrawals: ["withdrawal_no", "method", "state", "transfer_state", "payment_ref"],
};

/** The log of the Auth server, from which the operator deletes (docs/operations.md). */
const AUDIT_LOG = "auth.audit_log_entries.payload";

const wechat = new FakeWechat();
const provider = new FakePayments();
let sql: postgres.Sql;
let functions: Record<"api" | "adminapi" | "worker", EdgeFunction>;
let member: Account;
let admin: Account;
let databaseLog: () => string;

type Reply = Awaited<ReturnType<typeof call>>;
const asMember = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  call(method, path, {
    token: member.token,
    base: functions.api.base,
    ...(json !== undefined && { json }),
    init: { headers },
  });
const asAdmin = (method: string, path: string, json?: unknown, headers: Record<string, string> = {}): Promise<Reply> =>
  call(method, path, {
    token: admin.token,
    base: functions.adminapi.base,
    ...(json !== undefined && { json }),
    init: { headers },
  });
/** The same with a key, as the console writes. The response is kept for a day. */
const write = (method: string, path: string, json?: unknown) =>
  asAdmin(method, path, json, { "idempotency-key": randomUUID() });

/** The columns of the tables in which any of the canaries is. */
async function traces(): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.oid::regclass::text as name from pg_class as c
    where c.relnamespace in ('app'::regnamespace, 'auth'::regnamespace) and c.relkind in ('r', 'p') and not c.relispartition order by 1`;
  const patterns = CANARIES.map((canary) => `%${canary}%`);
  const found = await Promise.all(
    tables.map(({ name }) =>
      sql.unsafe<{ column: string }[]>(
        `
    select distinct '${name}.' || e.key as column from ${name} as t cross join lateral jsonb_each_text(to_jsonb(t)) as e where t::text like any ($1) and e.value like any ($1)`,
        [patterns],
      ),
    ),
  );
  return found
    .flat()
    .map(({ column }) => column)
    .sort();
}

async function order(product: number, more: object = {}): Promise<number> {
  const { status, body, text } = await asMember(
    "POST",
    "/api/order",
    { items: [{ product_id: product, quantity: 1 }], address: ADDRESS, remark: `Ring for ${TAG}`, ...more },
    { "idempotency-key": randomUUID() },
  );
  expect(status, text).toBe(201);
  return body.id as number;
}

/** Everything that a member can enter, in requests that succeed. */
async function live(): Promise<void> {
  // Another file removes the origin of the picture for a moment.
  const profile = { nickname: `Nick ${TAG}`, avatar: `https://thirdwx.qlogo.cn/${TAG}/132` };
  await vi.waitFor(async () => expect((await asMember("PUT", "/api/user", profile)).status).toBe(200));
  expect((await asMember("POST", "/api/address", ADDRESS)).status).toBe(201);
  const product = await addProduct("Of privacy", "100.00", true);

  const paid = await order(product);
  const {
    body: { attempt_no },
  } = await asMember("POST", `/api/order/${paid}/pay`, { provider: "local", method: "local" });
  provider.pay(attempt_no);
  const { body, headers } = provider.notification(attempt_no);
  expect(
    (await call("POST", "/api/pay/notify/local", { base: functions.api.base, init: { body, headers } })).status,
  ).toBe(200);
  expect((await asMember("POST", `/api/order/${paid}/refund`, { reason: `I, ${TAG}, changed my mind` })).status).toBe(
    201,
  );

  // As a payment in the mini program names its payer.
  await sql`select app.open_attempt(${await order(product)}, 'wechat', 'jsapi', ${`openid-${TAG}`}, clock_timestamp())`;

  await giveCommission(member, "1000.00");
  const { body: account } = await asMember("POST", "/api/account", {
    method: "bank",
    holder: `Holder ${TAG}`,
    account_no: ACCOUNT_NO,
    bank: `Bank ${TAG}`,
  });
  const { body: withdrawal } = await asMember("POST", "/api/withdrawal", {
    amount: "100.00",
    method: "bank",
    account_id: account.id,
  });
  expect(
    (await write("PUT", `/adminapi/withdrawal/${withdrawal.id}/refuse`, { reason: `The bank does not know ${TAG}` }))
      .status,
  ).toBe(200);
  expect((await write("PUT", `/adminapi/order/${paid}/deliver`)).status).toBe(200);
  await sql`select app.set_settings(${sql.json({ return_address: { name: "Returns", phone: "0755 2660 0000", region: ["广东省"], street: "Gate 4" } })}, now())`;
  expect((await write("PUT", `/adminapi/order/${paid}/refund/return`)).status).toBe(200);
  expect(
    (await asMember("PUT", `/api/order/${paid}/refund/return`, { carrier: `Courier ${TAG}`, tracking_no: TAG })).status,
  ).toBe(200);
  expect((await write("PUT", `/adminapi/order/${paid}/refund/refuse`, { reason: `Worn by ${TAG}` })).status).toBe(200);
  expect(
    (await write("POST", "/adminapi/adjustment", { uid: member.uid, brokerage: "1.00", reason: `Promised to ${TAG}` }))
      .status,
  ).toBe(201);
  expect((await asMember("POST", "/api/user/request", { kind: "correction", note: `Not ${TAG}` })).status).toBe(201);
  const asked = await write("POST", "/adminapi/person_request", { uid: member.uid, kind: "copy", note: `Of ${TAG}` });
  expect(asked.status).toBe(201);
  expect(
    (await write("PUT", `/adminapi/person_request/${asked.body.id}`, { state: "done", answer: `Sent to ${TAG}` }))
      .status,
  ).toBe(200);
  const [unpaid] =
    await sql`select max(id)::integer as id from app.orders where uid = ${member.uid} and state = 'unpaid'`;
  await sql`
    insert into app.waiting_payments (order_id, pay_ref, marked_by, add_time, refused_by, refused_at, reason)
    values (${unpaid!.id}, 'bank 1', ${accountIdOf(admin)}, now(), ${accountIdOf(admin)}, now(), ${`Not paid by ${TAG}`})`;
  await sql`
    insert into app.tax_allowances (uid, month, exempt_income, other_deductions, relief, reason, created_by, add_time)
    values (${member.uid}, '2026-01-01', 1, 0, 0, ${`Certificate of ${TAG}`}, ${accountIdOf(admin)}, now())`;

  await sql`
    insert into app.spread_changes (uid, to_uid, reason, changed_by, position, add_time)
    select ${member.uid}, max(uid), ${`${TAG} opened the wrong link`}, ${accountIdOf(admin)}, nextval('app.positions'), now() from app.users where uid <> ${member.uid}`;

  await sql`update app.settings set real_name_from = 1000000`;
  const realName = { document: "passport", name: `Name ${TAG}`, number: PASSPORT_NO };
  expect((await asMember("PUT", "/api/real_name", realName)).status).toBe(200);
  await sql`update app.settings set real_name_from = null`;
  expect((await asAdmin("POST", `/adminapi/user/${member.uid}/real_name`)).body).toEqual({
    ...realName,
    uid: member.uid,
  });

  // As a withdrawal to WeChat names its payee.
  await sql`insert into app.transfers (withdrawal_id, appid, openid, payee_name) values (${withdrawal.id}, ${MINI.appid}, ${`openid-${TAG}`}, ${`Payee ${TAG}`})`;

  // An imported member who signed in with WeChat.
  await sql.begin(async (transaction) => {
    await transaction`insert into app.imported_members (old_uid, uid, phone, unionid, imported_at) values (${member.uid}, ${member.uid}, ${PHONE}, ${`union-${TAG}`}, now())`;
    await transaction`insert into app.imported_openids (openid, uid) values (${`old-openid-${TAG}`}, ${member.uid})`;
    await transaction`insert into app.imported_bill (source, old_id, uid, type, title, amount, note) values ('old', ${TAG.slice(6)}, ${member.uid}, 'old', ${`From ${TAG}`}, 1, ${`To ${TAG}`})`;
    await transaction`insert into app.wechat_accounts (appid, openid, unionid, auth_id) values (${MINI.appid}, ${`openid-${TAG}`}, ${`union-${TAG}`}, ${accountIdOf(member)})`;
  });
}

/** Requests with the same values that fail, at every layer. */
async function fail(): Promise<void> {
  const { error } = await supabaseClient().auth.signUp({
    email: member.email,
    password: randomUUID(),
    options: { data: { nickname: `Nick ${TAG}` } },
  });
  expect(error).not.toBeNull();
  const product = await addProduct("Sold out", "100.00", false);
  await sql`update app.products set stock = 0 where id = ${product}`;
  expectProblem(
    await asMember("POST", "/api/order", {
      items: [{ product_id: product, quantity: 1 }],
      address: ADDRESS,
      remark: TAG,
    }),
    "out_of_stock",
  );
  expectProblem(await asMember("POST", "/api/address", { ...ADDRESS, phone: "" }), "invalid_argument");
  expectProblem(await asMember("PUT", "/api/user", { nickname: TAG.repeat(10) }), "invalid_argument");
  expectProblem(
    await asMember("POST", "/api/account", { method: "alipay", holder: TAG, account_no: ACCOUNT_NO, bank: TAG }),
    "invalid_argument",
  );
  expectProblem(await asMember("GET", `/api/spread/people?depth=direct&surprise=${TAG}`), "invalid_argument");
  await call("POST", "/api/pay/notify/local", {
    base: functions.api.base,
    init: {
      body: JSON.stringify({ payer: `openid-${TAG}` }),
      headers: { "content-type": "application/json", "webhook-signature": TAG },
    },
  });
  wechat.mood = "risk controlled";
  await call("POST", "/api/auth/wechat", {
    base: functions.api.base,
    json: { code: wechat.codeOf(`openid-${TAG}`), nickname: TAG },
  });

  // The database itself rejects what the functions would have rejected before.
  const violate = (statement: string, parameters: string[]) =>
    sql
      .unsafe(`select app.as_caller($1::text::jsonb, ${statement})`, [
        JSON.stringify({ role: "authenticated", sub: accountIdOf(member) }),
        ...parameters,
      ])
      .then(
        () => false,
        () => true,
      );
  for (const args of [{ p_nickname: TAG.repeat(10) }, { p_avatar: TAG }])
    expect(await violate("'set_me', $2::text::jsonb", [JSON.stringify(args)])).toBe(true);
  expect(
    await violate("'create_address', $2::text::jsonb", [
      JSON.stringify({ p_address: { ...ADDRESS, street: TAG.repeat(100) } }),
    ]),
  ).toBe(true);

  // A lock that is not released in time, a statement that takes too long, and a session that is terminated.
  await sql.begin(async (transaction) => {
    await transaction`select from app.users where uid = ${member.uid} for update`;
    for (const [setting, code] of [
      ["lock_timeout", "database_busy"],
      ["statement_timeout", "database_timeout"],
    ] as const) {
      const impatient = await serveEdgeFunction("api", `${stack().database_url}?${setting}=200`, {});
      expectProblem(
        await call("PUT", "/api/user", {
          token: member.token,
          base: impatient.base,
          json: { nickname: `Nick ${TAG}` },
        }),
        code,
      );
      expect(traceOf(impatient.log())).toEqual([]);
      await impatient.stop();
    }
    const terminated = asMember("PUT", "/api/user", { nickname: `Nick ${TAG}` });
    await expect
      .poll(async () => {
        // A transaction sees the same activity until it asks for it anew.
        await transaction`select pg_stat_clear_snapshot()`;
        return (
          await transaction`
        select pg_terminate_backend(pid) from pg_stat_activity
        where wait_event_type = 'Lock' and query like '%app.as_caller%' and pg_backend_pid() = any (pg_blocking_pids(pid))`
        ).length;
      })
      .toBeGreaterThan(0);
    expectProblem(await terminated, "database_unavailable");
  });
}

/** The lines of a log that contain a canary or the address of the account. */
const traceOf = (log: string) =>
  log.split("\n").filter((line) => [...CANARIES, member.email].some((canary) => line.includes(canary)));

beforeAll(async () => {
  sql = connect(stack().database_url, { max: 4 });
  const settings = {
    ...(await provider.start()),
    STORE_WECHAT_API_URL: await wechat.start(),
    STORE_WECHAT_MINI_APPID: MINI.appid,
    STORE_WECHAT_MINI_SECRET: MINI.secret,
    STORE_REAL_NAME_KEY: "5a".repeat(32),
    STORE_REAL_NAME_INDEX_KEY: "a5".repeat(32),
  };
  const serve = (name: string) => serveEdgeFunction(name, stack().database_url, settings);
  const [api, adminapi, worker] = await Promise.all([serve("api"), serve("adminapi"), serve("worker")]);
  functions = { api, adminapi, worker };
  admin = await signUpAdmin("Keeper of privacy");
  const { postgresLog } = testContext();
  const begin = postgresLog === undefined ? 0 : readFileSync(postgresLog, "utf8").length;
  databaseLog = () => (postgresLog === undefined ? "" : readFileSync(postgresLog, "utf8").slice(begin));

  const email = `${TAG}@example.com`;
  const password = randomUUID();
  const { data } = await supabaseClient().auth.signUp({
    email,
    password,
    options: { data: { nickname: `Nick ${TAG}` } },
  });
  const token = data.session!.access_token;
  member = { email, password, token, uid: (await call("GET", "/api/user", { token })).body.uid };
  await setPhone(member, PHONE);
  await live();
});

afterAll(async () => {
  await Promise.all(Object.values(functions).map((each) => each.stop()));
  await provider.stop();
  await wechat.stop();
  await sql.end();
});

// The tests run in order. The last one deletes the account.
describe("personal data", { concurrent: false }, () => {
  // Guarantee operation/events-payload
  // Guarantee privacy/columns: A new column of text is classified as personal or not
  // By: lists in the test
  it("are in the columns that are listed as personal, and every column of text is listed", async () => {
    const found = await traces();
    expect(found.filter((column) => column.startsWith("app."))).toEqual(PERSONAL);
    expect(found.filter((column) => column.startsWith("auth."))).toContain("auth.users.email");
    const columns = await sql<{ name: string }[]>`
      select format('%s.%s', t.attrelid::regclass, t.attname) as name
      from pg_attribute as t join pg_class as c on c.oid = t.attrelid
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and t.attnum > 0 and not t.attisdropped
        and t.atttypid in ('text'::regtype, 'jsonb'::regtype, 'json'::regtype, 'bytea'::regtype, 'text[]'::regtype, 'varchar'::regtype, 'xml'::regtype)
        and c.relname not like 'staged%' order by 1`;
    const listed = [
      ...PERSONAL,
      ...Object.entries(IMPERSONAL).flatMap(([table, names]) => names.map((column) => `app.${table}.${column}`)),
    ];
    expect(columns.map(({ name }) => name).sort()).toEqual(listed.sort());
  });

  it("are in no view for analysts", async () => {
    const views = await sql<
      { name: string }[]
    >`select c.oid::regclass::text as name from pg_class as c where c.relnamespace = 'report'::regnamespace order by 1`;
    expect(views.length).toBeGreaterThan(10);
    for (const { name } of views) {
      const rows = await sql.unsafe(`select t::text from ${name} as t where t::text like any ($1)`, [
        CANARIES.map((canary) => `%${canary}%`),
      ]);
      expect([name, [...rows]]).toEqual([name, []]);
    }
    expect([...(await sql`select from report.orders where uid = ${member.uid}`)]).toHaveLength(2);
  });

  // Guarantee privacy/logs: The logs of the database and of the functions hold no personal data
  // By: values are parameters that no error names, app.check_arguments; lines have neither body nor query,
  // functions/_shared/http/request_log.ts
  it("of requests that fail and succeed are in no log of the database and the functions", async () => {
    await fail();
    expect(traceOf(databaseLog())).toEqual([]);
    for (const served of Object.values(functions)) expect(traceOf(served.log())).toEqual([]);
    // The requests were logged, so the search looked at the right files.
    expect(functions.api.log()).toContain(accountIdOf(member));
    if (databaseLog() !== "")
      expect(databaseLog()).toMatch(/canceling statement due to lock timeout(.|\n)*terminating connection/);
  });

  // Guarantee privacy/export: A member can get everything that the store knows about them
  // By: app.export_member
  it("are complete in the export of the member, which only a role with the area money may read", async () => {
    const { status, headers, body, text } = await asAdmin("POST", `/adminapi/user/${member.uid}/export`);
    expect([status, headers.get("content-disposition")], text).toEqual([200, 'attachment; filename="member.json"']);
    const records = body.records as { table: string; record: Record<string, unknown> }[];
    const exported = records.flatMap(({ table, record }) =>
      Object.entries(record)
        .filter(([, value]) => CANARIES.some((canary) => JSON.stringify(value).includes(canary)))
        .map(([column]) => `${table}.${column}`),
    );
    expect([...new Set(exported)].filter((column) => column.startsWith("app.")).sort()).toEqual(
      PERSONAL.filter((column) => !/^app\.(idempotency_keys|waiting_payments)\./.test(column)),
    );
    expect(exported).toContain("auth.users.email");
    expect(records.filter(({ table }) => table === "app.orders")).toHaveLength(2);
    expect(text).not.toMatch(/encrypted_password|sign_in_id|token/);

    await sql`update app.administrators set roles = '{service}' where auth_id = ${accountIdOf(admin)}`;
    expectProblem(await asAdmin("POST", `/adminapi/user/${member.uid}/export`), "forbidden");
    await sql`update app.administrators set roles = '{owner}' where auth_id = ${accountIdOf(admin)}`;
    expectProblem(await asAdmin("POST", "/adminapi/user/900000000000001/export"), "user_not_found");
  });

  // Guarantee privacy/deleted: A deleted account leaves nothing of its person: no name, phone number, address, account,
  // WeChat id or words of administrators. Orders and bill remain
  // By: a trigger on the accounts, app.forget_person
  it("are gone from every column after the account was deleted, and orders, bill and balances remain", async () => {
    const kept = () => sql`
      select b.*, (select count(*) from app.orders as o where o.uid = b.uid) as orders, (select count(*) from app.user_bill as l where l.uid = b.uid) as rows
      from app.user_balances as b where b.uid = ${member.uid}`;
    const before = [...(await kept())];
    await sql`delete from auth.users where id = ${accountIdOf(member)}`;
    expect((await traces()).filter((column) => column !== AUDIT_LOG)).toEqual([]);
    expect([...(await kept())]).toEqual(before);
    expect([...(await sql`select from app.real_names where uid = ${member.uid}`)]).toEqual([]);
    // The token stays valid for up to an hour.
    for (const [method, path, json] of [
      ["PUT", "/api/user", { nickname: TAG }],
      ["POST", "/api/address", ADDRESS],
      ["POST", "/api/order", { items: [{ product_id: 1, quantity: 1 }], remark: TAG }],
    ] as const) {
      expect((await asMember(method, path, json)).status, path).toBeGreaterThanOrEqual(400);
    }
    expect((await traces()).filter((column) => column !== AUDIT_LOG)).toEqual([]);
    expect(Number(before[0]!.orders)).toBe(2);
    expect([...(await sql`select * from app.reconcile() where check_name ~ 'balance|withdrawal|refund'`)]).toEqual([]);
  });
});

describe("the export of a member", () => {
  // Guarantee privacy/export
  it("has every table with rows of members", async () => {
    const tables = await sql<{ name: string }[]>`
      select distinct c.oid::regclass::text as name from pg_class as c join pg_attribute as t on t.attrelid = c.oid
      where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'staged%'
        and t.attname in ('uid', 'earner_uid', 'auth_id', 'order_id', 'attempt_id', 'refund_id', 'withdrawal_id') and not t.attisdropped order by 1`;
    const exported = await sql<{ source: string }[]>`select source from app.member_sections()`;
    // Releases of compacted months, which the bill and the release log have; roles of administrators, requests to
    // remove their second factors, sums of what they decide, the notices that they chose, and their views of lists;
    // responses that are kept for a day; work that waits, how far it is, or what it looks at; how an account lets
    // somebody sign in.
    const left = [
      "app.administrators",
      "app.changed_orders",
      "app.compacted_releases",
      "app.decided_alone",
      "app.factor_removals",
      "app.idempotency_keys",
      "app.notice_choices",
      "app.saved_views",
      "app.settlement_jobs",
      "app.team_changes",
      "app.told_events",
      "app.unproved_passwords",
      "app.waiting_payments",
    ];
    expect(tables.map(({ name }) => name)).toEqual([...exported.map(({ source }) => source), ...left].sort());
  });

  it("reads a long bill in parts, without losing or repeating a row", async () => {
    const amounts = await rolledBack(sql, async (transaction) => {
      const [row] = await transaction<
        { uid: string }[]
      >`insert into app.users (nickname) values ('Member with a long bill') returning uid`;
      const uid = row!.uid;
      await transaction`
        insert into app.user_bill (uid, type, source, frozen_delta, available_delta, basis, rate, brokerage_after, frozen_after, available_after, add_time)
        select ${uid}::bigint, 'frozen_points_release', 'release', -1, 1, 1000, 0.001, 0, 0, n, '2024-06-01T00:00:00Z'::timestamptz + n * interval '1 second'
        from generate_series(1, 2500) as n`;
      const read: string[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const [part] = await transaction<
          { part: { lines: string[]; next_cursor: string | null } }[]
        >`select app.export_member(${uid}, ${cursor ?? null}) as part`;
        read.push(...part!.part.lines);
        cursor = part!.part.next_cursor;
      }
      return read
        .map((line) => JSON.parse(line) as { table: string; record: { available_after: number } })
        .filter(({ table }) => table === "app.user_bill")
        .map(({ record }) => record.available_after);
    });
    expect(amounts).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  });
});

import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminRoutes } from "../../functions/adminapi/app.ts";
import type { Route } from "../../functions/_shared/routes/route.ts";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, call, copyAccounts, signUpAdmin } from "./client.ts";
import { admitMachineKeys, prove } from "./proof.ts";

// Every route of administrators, called by every kind of caller: each role without and with a second factor, and
// machine keys. What is expected stands here a second time, by area with its exceptions, and is read from nothing that
// decides it. In this store, every write fails as soon as it begins, so a call that was admitted changes nothing.

type Area =
  | "all"
  | "records"
  | "content"
  | "orders"
  | "refunds"
  | "members"
  | "money"
  | "plan"
  | "system"
  | "administrators"
  | "keys";

/** Which areas each role has. All roles have what is open to all. */
const ROLES: Record<string, Area[]> = {
  owner: ["records", "content", "orders", "refunds", "members", "money", "plan", "system", "administrators", "keys"],
  finance: ["records", "refunds", "money"],
  service: ["records", "orders", "refunds", "members"],
  content: ["content"],
};

/** The areas of which this store requires a second factor. Administrators always belong to them. */
const PROVED: Area[] = ["money", "system", "administrators"];

interface Rule {
  /** Method and path. */
  route: RegExp;
  /** What a person needs. */
  area: Area;
  /**
   * The area of the scope that a machine key needs: to read for a person's area of reading, otherwise to write. Without
   * it, no key is admitted.
   */
  keys?: string;
  /** A person needs a second factor whatever the settings say. */
  isProved?: true;
}

/** The first rule that fits a route counts. */
const RULES: Rule[] = [
  // What belongs to the caller, and what searches for persons.
  { route: /^put \/me\/notices$/, area: "records" },
  { route: /^\w+ \/me\b/, area: "all" },
  { route: /^get \/waiting$/, area: "all" },
  { route: /^get \/search$/, area: "all", keys: "personal" },
  { route: /^post \/search\/contact$/, area: "records" },
  { route: /^(post \/user\/{uid}\/export|get \/user\/{uid}\/statement\/proof)$/, area: "money" },
  { route: /^get \/person_request$/, area: "records" },
  { route: /^\w+ \/person_request\b/, area: "members" },
  { route: /^\w+ \/user\/{uid}\/(tax|real_name)$/, area: "money" },

  // People and keys.
  { route: /^get \/administrator$/, area: "records" },
  { route: /^\w+ \/(administrator|factor_removal)\b/, area: "administrators" },
  { route: /^(post \/machine_key|put \/machine_key\/{id}\/owner)$/, area: "keys", isProved: true },
  { route: /^\w+ \/machine_key\b/, area: "keys" },
  {
    route: /^(post \/webhook|put \/webhook\/{id}|post \/webhook\/{id}\/secret|delete \/webhook\/{id})$/,
    area: "keys",
    isProved: true,
  },
  { route: /^\w+ \/webhook\b/, area: "keys" },

  // Rules and settings, which only people change.
  { route: /^get \/(hjf\/brokerage\/config|agent\/level)$/, area: "records", keys: "records" },
  { route: /^put \/(hjf\/brokerage\/config|agent\/level)$/, area: "plan" },
  { route: /^post \/hjf\/brokerage\/config\/preview$/, area: "records" },
  { route: /^post \/hjf\/simulate$/, area: "records", keys: "money" },
  { route: /^get \/system\/settings$/, area: "all", keys: "records" },
  { route: /^get \/system\/(crontab|metadata)$/, area: "records", keys: "records" },
  { route: /^get \/(system\/settings\/history|message_settings|first_steps)$/, area: "records" },
  { route: /^\w+ \/(system|message_settings|first_steps)\b/, area: "system" },

  // Money.
  { route: /^get \/(liabilities|export\/.*|month)(\/xlsx)?$/, area: "money", keys: "money" },
  { route: /^get \/withdrawal_batch\/{id}/, area: "money", keys: "money" },
  { route: /^post \/hjf\/reconcile\/explain$/, area: "money" },
  {
    route:
      /^get \/(bill|user\/{uid}\/(bill|statement)|adjustment|withdrawal|withdrawal_batch|debt|payment\/notification|outbox|hjf\/jobs|hjf\/points|order\/{id}\/settlement)\b/,
    area: "records",
    keys: "money",
  },
  {
    route: /^\w+ \/(adjustment|month|payment|outbox|withdrawal|withdrawal_batch|hjf\/jobs|order\/{id}\/pay)\b/,
    area: "money",
    keys: "money",
  },

  // Refunds, orders and their shipment.
  {
    route: /^(get \/order\/{id}\/refund\/(picture|refuse\/preview)|post \/order\/{id}\/refund\/preview)$/,
    area: "records",
    keys: "refunds",
  },
  { route: /^put \/order\/{id}\/refund\b/, area: "refunds", keys: "refunds" },
  { route: /^(get \/(order|shipping|carrier)\b|post \/shipping\/preview$)/, area: "records", keys: "orders" },
  { route: /^\w+ \/(order|shipping|parcel|carrier)\b/, area: "orders", keys: "orders" },

  // Members and their network.
  { route: /^get \/(user|network|hjf\/member|agent\/level\/review)\b/, area: "records", keys: "members" },
  { route: /^\w+ \/(user|hjf\/member)\b/, area: "members", keys: "members" },

  // Products, articles and the first page.
  { route: /^get \/(product|product_category|article|article_category|first_page)\b/, area: "all", keys: "content" },
  {
    route: /^\w+ \/(product|product_category|article|article_category|first_page)\b/,
    area: "content",
    keys: "content",
  },

  // Figures and the operation of the store.
  {
    route: /^get \/(overview|report|action|events?|signal|hjf\/(reconcile|verify_agent_config))\b/,
    area: "records",
    keys: "records",
  },
];

const nameOf = ({ method, path }: Route) => `${method} ${path.replace("/adminapi", "")}`;
const ruleOf = (route: Route) => RULES.find((rule) => rule.route.test(nameOf(route)));
const routes = (adminRoutes as readonly Route[]).filter(({ auth }) => auth === "admin");

const NOBODY = "900000000000001";
const NO_ACCOUNT = "6f1c1c8e-3a5b-4a53-9b54-0d4a3f0c7d21";
const VALUES: Record<string, string> = {
  auth_id: NO_ACCOUNT,
  month: "2026-01",
  name: "reconcile_bill",
  code: "ZZ",
  page: "orders",
};
const pathOf = ({ path }: Route) => path.replaceAll(/{(\w+)}/g, (_, name: string) => VALUES[name] ?? NOBODY);

const days = "?from=2026-01-01T00:00:00Z&to=2026-01-02T00:00:00Z";
/** What routes need to be understood. */
const QUERIES: Record<string, string> = {
  "get /report/product": days,
  "get /report/level": days,
  "get /report/member": days,
  "get /search": "?text=Chen",
  "get /signal": "?kind=shared_order",
  "get /shipping/csv": "?ids=1",
  "get /shipping/xlsx": "?ids=1",
  "get /export/journal": "?month=2026-01&part=bill",
  "get /user/{uid}/statement/csv": "?month=2026-01",
  "get /user/{uid}/statement/proof": "?month=2026-01",
  "get /webhook/{id}/replay": days,
  "get /export/tax": "?quarter=2026-Q1",
  "get /export/tax/xlsx": "?quarter=2026-Q1",
};
const webhook = { url: "https://erp.example.com", description: "ERP", types: ["order.paid"] };
const line = { line: 2, order_no: "1", carrier: "SF", tracking_no: "SF1001" };
const level = {
  grade: 1,
  name: "One",
  name_zh: "一",
  direct_points: 0,
  umbrella_points: 0,
  is_active: true,
  tasks: {},
};
const BODIES: Record<string, object> = {
  "post /search/contact": { contact: "chen@example.com" },
  "put /me/notices": { kinds: [], language: "en", minutes: 60 },
  "put /me/view/{page}": { views: [] },
  "put /user/{uid}/doubt/dismiss": { nickname: "Chen" },
  "post /user/{uid}/spread/preview": { spread_uid: Number(NOBODY) },
  "put /user/{uid}/spread": { spread_uid: Number(NOBODY), reason: "A test" },
  "put /hjf/member/{uid}/level": { agent_level: 1 },
  "put /hjf/member/{uid}/no_assess": { no_assess: true },
  "post /user/{uid}/tax": { month: "2026-01", relief: "1.00", reason: "A test" },
  "put /user/{uid}/real_name": { id: 1, state: "checked" },
  "post /person_request": { uid: Number(NOBODY), kind: "copy" },
  "put /person_request/{id}": { state: "done", answer: "A test" },
  "post /hjf/reconcile/explain": {
    check_name: "balance_equals_bill",
    subject: "uid 1",
    expected: "1.00",
    actual: "2.00",
    reason: "A test",
  },
  "post /adjustment": { uid: Number(NOBODY), reason: "A test", brokerage: "1.00" },
  "put /order/{id}/pay/refuse": { reason: "A test" },
  "put /order/{id}/refund/doubt/dismiss": { refund_id: Number(NOBODY) },
  "post /withdrawal/batch": { method: "bank" },
  "post /withdrawal/batch/preview": { method: "bank" },
  "post /withdrawal/approve/preview": { ids: [Number(NOBODY)] },
  "put /withdrawal/approve": { ids: [Number(NOBODY)] },
  "put /withdrawal/{id}/refuse": { reason: "A test" },
  "put /withdrawal/{id}/failed": { reason: "A test" },
  "post /product": { title: "Tea", price: "1.00" },
  "put /product/{id}": { title: "Tea" },
  "put /product/sale": { ids: [Number(NOBODY)], is_show: true },
  "post /product_category": { title: "Tea" },
  "put /product_category/sequence": { ids: [Number(NOBODY)] },
  "put /product_category/{id}": { title: "Tea" },
  "put /first_page": { banners: [], featured: [] },
  "post /article": { cid: Number(NOBODY), title: "Tea" },
  "put /article/{id}": { title: "Tea" },
  "post /article_category": { title: "Tea" },
  "put /article_category/{id}": { title: "Tea" },
  "put /hjf/brokerage/config": { people_per_cycle: 3 },
  "put /agent/level": { levels: [level] },
  "post /shipping": { lines: [line] },
  "post /shipping/preview": { lines: [line] },
  "put /shipping/deliver": { ids: [Number(NOBODY)] },
  "post /order/{id}/parcel": { carrier: "SF", tracking_no: "SF1001" },
  "put /parcel/{id}": { carrier: "SF", tracking_no: "SF1001" },
  "post /carrier": { code: "ZZ", name: "Z", name_zh: "中" },
  "put /carrier/{code}": { name: "Z" },
  "post /hjf/simulate": { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z" },
  "put /system/crontab": { name: "reconcile_bill", is_active: true },
  "put /system/settings": { site_name: "Shop" },
  "put /me": { name: "Wang Fang" },
  "put /administrator/{auth_id}": { name: "Wang Fang" },
  "post /administrator/invitation": {
    email: "wang@example.com",
    roles: ["content"],
    redirect_to: "https://console.example.com/",
  },
  "post /machine_key": { name: "Warehouse", scopes: ["orders:read"] },
  "put /machine_key/{id}/owner": { owner: NO_ACCOUNT },
  "post /webhook": webhook,
  "put /webhook/{id}": webhook,
  "put /webhook/{id}/state": { on: false },
  "post /webhook/{id}/secret": {},
  "post /webhook/{id}/replay": { from: "2026-01-01T00:00:00Z", to: "2026-01-02T00:00:00Z", events: 0 },
  "put /message_settings": { quiet_from: "", quiet_until: "" },
};

let clone: ClonedDatabase;
let sql: postgres.Sql;
let adminapi: EdgeFunction;
/** By `role aal1`, `role aal2` and scope. */
const tokens: Record<string, string> = {};

const AREAS_OF_KEYS = ["records", "content", "orders", "refunds", "members", "money"];
const SCOPES = [
  ...AREAS_OF_KEYS.flatMap((area) => (area === "records" ? ["records:read"] : [`${area}:read`, `${area}:write`])),
  "personal:read",
];

beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  await admitMachineKeys(sql);
  adminapi = await serveEdgeFunction("adminapi", clone.url, {
    STORE_REAL_NAME_KEY: "1".repeat(64),
    STORE_REAL_NAME_INDEX_KEY: "2".repeat(64),
    STORE_WEBHOOK_KEY: "3".repeat(64),
  });
  const people = await Promise.all(
    Object.keys(ROLES).map(async (role) => [role, await signUpAdmin(role)] as [string, Account]),
  );
  await copyAccounts(sql, ...people.map(([, account]) => account));
  for (const [role, account] of people) {
    await sql`select app.add_administrator(${account.email}, ${[role]})`;
    tokens[`${role} aal1`] = account.token;
    tokens[`${role} aal2`] = await prove(account);
  }
  for (const scope of SCOPES) {
    const { body } = await call("POST", "/adminapi/machine_key", {
      base: adminapi.base,
      token: tokens["owner aal2"]!,
      json: { name: scope, scopes: [scope], calls_per_hour: 100_000 },
    });
    tokens[scope] = body.secret;
  }
  await sql`update app.settings set second_factor_areas = ${PROVED.filter((area) => area !== "administrators")}`;
  await sql.unsafe(`
    create function app.stop_here() returns trigger language plpgsql as $$ begin raise exception 'a write began'; end $$;
    do $$ declare v_table regclass; begin
      for v_table in
        select c.oid from pg_class as c
        where c.relnamespace = 'app'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not in ('machine_keys', 'hourly_counts')
      loop
        execute format('create trigger "0" before insert or update or delete on %s for each statement execute function app.stop_here()', v_table);
      end loop;
    end $$`);
});
afterAll(async () => {
  await adminapi?.stop();
  await sql?.end();
  await clone?.drop();
});

const REFUSALS = ["unauthenticated", "invalid_token", "invalid_key", "forbidden", "second_factor_required"];

/** The code of a refusal; otherwise admitted, whatever came of it. */
async function outcome(route: Route, token: string): Promise<string> {
  const name = nameOf(route);
  const json = BODIES[name];
  const { body } = await call(route.method.toUpperCase(), pathOf(route) + (QUERIES[name] ?? ""), {
    base: adminapi.base,
    token,
    ...(json && { json }),
  });
  return REFUSALS.includes(body?.code) ? body.code : "admitted";
}

function expectedOfPerson({ area, isProved }: Rule, role: string, aal: string): string {
  if (area !== "all" && !ROLES[role]!.includes(area)) return "forbidden";
  return aal === "aal1" && (isProved || PROVED.includes(area)) ? "second_factor_required" : "admitted";
}

/** A read of a person needs one of the areas to read, whatever the method: previews only compute. */
const isRead = (route: Route) => route.method === "get" || /\/(preview|simulate)$/.test(route.path);

describe("the matrix of callers and routes", () => {
  it("has a rule for every route, and no rule without one", () => {
    expect(routes.filter((route) => !ruleOf(route)).map(nameOf)).toEqual([]);
    const used = new Set(routes.map(ruleOf));
    expect(RULES.filter((rule) => !used.has(rule))).toEqual([]);
  });

  // Guarantee access/machine-key
  it.each(routes.map((route) => [nameOf(route), route] as const))("%s", async (_name, route) => {
    const rule = ruleOf(route)!;
    const [expected, found]: Record<string, string>[] = [{}, {}];
    const scope = rule.keys && `${rule.keys}:${isRead(route) ? "read" : "write"}`;
    const keys = [
      ...SCOPES.filter((name) => name.startsWith(`${rule.keys}:`)),
      rule.keys === "orders" ? "money:write" : "orders:read",
    ];
    for (const role of Object.keys(ROLES))
      for (const aal of ["aal1", "aal2"]) expected![`${role} ${aal}`] = expectedOfPerson(rule, role, aal);
    for (const key of keys) expected![key] = key === scope ? "admitted" : "forbidden";
    await Promise.all(
      Object.keys(expected!).map(async (caller) => (found![caller] = await outcome(route, tokens[caller]!))),
    );
    expect(found).toEqual(expected);
  });
});

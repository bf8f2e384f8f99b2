import { randomBytes, randomUUID } from "node:crypto";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { verdictOf } from "../seals/store.ts";
import { lineOf } from "../../scripts/seals/list.ts";
import { type ClonedDatabase, cloneDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

const WORKER_SECRET = "the secret of the worker in this test";
const SEALS = {
  STORE_WORKER_SECRET: WORKER_SECRET,
  STORE_SEAL_SECRET: randomBytes(32).toString("hex"),
  STORE_SEAL_KEY: randomBytes(32).toString("hex"),
};
const MONTH = "2026-01";

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: Record<"api" | "adminapi" | "worker" | "bare", EdgeFunction>;
let admin: Account;
let service: Account;
let member: Account;

beforeAll(async () => {
  [clone, admin, service, member] = await Promise.all([
    cloneDatabase(),
    signUpAdmin("Finance of seals"),
    signUpAdmin("Service of seals"),
    signUp("Member of a sealed month"),
  ]);
  sql = connect(clone.url);
  await copyAccounts(sql, admin, service, member);
  for (const account of [admin, service]) await sql`select app.add_administrator(${accountIdOf(account)})`;
  await sql`update app.administrators set roles = '{service}' where auth_id = ${accountIdOf(service)}`;
  member.uid = Number((await sql`select uid from app.users where auth_id = ${accountIdOf(member)}`)[0]!.uid);
  const other = randomUUID();
  await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), ${other}, ${`${other}@example.com`})`;
  await sql`
    insert into app.user_bill (uid, type, source, brokerage_delta, brokerage_after, frozen_after, available_after, add_time)
    select u.uid, 'opening_balance', 'import', u.uid, u.uid, 0, 0, '2026-01-15' from app.users as u`;
  const serve = (name: string, settings: Record<string, string>) => serveEdgeFunction(name, clone.url, settings);
  const [api, adminapi, worker, bare] = await Promise.all([
    serve("api", SEALS),
    serve("adminapi", SEALS),
    serve("worker", SEALS),
    serve("worker", { STORE_WORKER_SECRET: WORKER_SECRET }),
  ]);
  functions = { api, adminapi, worker, bare };
});
afterAll(async () => {
  await Promise.all(Object.values(functions ?? {}).map((served) => served.stop()));
  await sql?.end();
  await clone?.drop();
});

const asMember = (path: string, json?: unknown) =>
  call(json ? "POST" : "GET", path, { token: member.token, json, base: functions.api.base });
const asAdmin = (method: string, path: string, json?: unknown, by = admin) =>
  call(method, path, { token: by.token, json, base: functions.adminapi.base });
const proofPath = () => `/adminapi/user/${member.uid}/statement/proof?month=${MONTH}`;
const run = ({ base }: EdgeFunction) =>
  call("POST", "/worker/run", { base, init: { headers: { "x-worker-secret": WORKER_SECRET } } });
const waiting = async () =>
  (await sql`select key from app.outbox where kind = 'seal_month'`).map(({ key }) => key as string);

describe("a month that was closed", { concurrent: false }, () => {
  it("is not sealed by a worker without the key, and nothing of it can be proved", async () => {
    await sql`insert into app.reconcile_runs (started_at, finished_at) values (now(), now())`;
    expect((await asAdmin("POST", `/adminapi/month/${MONTH}/close`, {})).body).toMatchObject({
      month: MONTH,
      seal: null,
    });
    expect(await waiting()).toEqual([MONTH]);
    expect(await run(functions.bare)).toMatchObject({ status: 200 });
    expect([await waiting(), [...(await sql`select month from app.month_seals`)]]).toEqual([[], []]);
    expectProblem(await asMember("/api/statement/proof", { month: MONTH }), "month_not_sealed");
    expect((await asMember(`/api/statement?month=${MONTH}`)).body.seal).toBeNull();
  });

  it("is sealed by the worker, and its seal stands in the list of months and in statements", async () => {
    await asAdmin("POST", `/adminapi/month/${MONTH}/close`, {});
    expect(await run(functions.worker)).toMatchObject({ status: 200 });
    expect(await waiting()).toEqual([]);
    const { body } = await asAdmin("GET", "/adminapi/month");
    const [{ seal, total }] = body.closed;
    expect(seal).toMatchObject({ month: MONTH, rows: total.rows, previous: null, former_signature: null });
    expect((await asMember(`/api/statement?month=${MONTH}`)).body.seal).toEqual(seal);
    expect((await asAdmin("GET", `/adminapi/user/${member.uid}/statement?month=${MONTH}`)).body.seal).toEqual(seal);
  });

  it("gives the member and finance what proves the rows of the member, which the page accepts", async () => {
    const proved = await asMember("/api/statement/proof", { month: MONTH });
    expect(proved).toMatchObject({
      status: 200,
      body: { uid: member.uid, rows: [{ text: expect.stringContaining(`|${member.uid}|opening_balance|`) }] },
    });
    const again = await asAdmin("GET", proofPath());
    expect(again).toMatchObject({ status: 200, body: proved.body });
    const { seal } = proved.body;
    const verdict = await verdictOf(lineOf(seal), seal.key, JSON.stringify(proved.body));
    expect(verdict.filter(({ kind }) => kind === "bad")).toEqual([]);
    expect(verdict.map(({ en }) => en)).toContain(
      `1 rows of member ${member.uid} are in the seal of ${MONTH}, and their balances follow from one another.`,
    );
  });

  it("proves nothing to other administrators, and a member only a few times in an hour", async () => {
    expectProblem(await asAdmin("GET", proofPath(), undefined, service), "forbidden");
    for (let more = 0; more < 2; more += 1)
      expect(await asMember("/api/statement/proof", { month: MONTH })).toMatchObject({ status: 200 });
    expectProblem(await asMember("/api/statement/proof", { month: MONTH }), "too_many_requests");
  });

  it("gives a sentence if rows were changed, and if the store proves no seals", async () => {
    await sql`delete from app.used_quotas`;
    const [row] = await sql<
      { part: string }[]
    >`select tableoid::regclass::text as part from app.user_bill where add_time = '2026-01-15' limit 1`;
    await sql.unsafe(`
      alter table ${row!.part} drop constraint month_2026_01_is_closed;
      begin; set local session_replication_role = replica;
      update app.user_bill set agent_level = 1 where uid <> ${member.uid} and add_time = '2026-01-15';
      commit`);
    expectProblem(await asMember("/api/statement/proof", { month: MONTH }), "seal_differs");
    const unsealed = await serveEdgeFunction("adminapi", clone.url, {});
    expectProblem(await call("GET", proofPath(), { token: admin.token, base: unsealed.base }), "seals_not_configured");
    await unsealed.stop();
  });
});

import { execFile } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lacking, testContext } from "../../scripts/testing/context.ts";
import {
  type ClonedDatabase,
  cloneDatabase,
  connect,
  type EdgeFunction,
  serveEdgeFunction,
  skipFor,
} from "../support/index.ts";
import { listenOnLoopback, stopServer } from "../support/loopback_server.ts";
import { type Account, accountIdOf, call, copyAccounts, expectProblem, signUp, signUpAdmin } from "./client.ts";

const newKey = () => randomBytes(32).toString("hex");
const WORKER_SECRET = "the secret of the worker in this test";
const TOKEN = "the token of the provider";
const KEYS = { STORE_REAL_NAME_KEY: newKey(), STORE_REAL_NAME_INDEX_KEY: newKey() };
const CHEN = { document: "id_card", name: "陈静", number: "11010519491231002x" } as const;
const ZHAO = { document: "hk_macao_permit", name: "Zhao Ming", number: "H1234567801" } as const;

let clone: ClonedDatabase;
let sql: postgres.Sql;
let functions: Record<"api" | "adminapi" | "worker" | "bare" | "rotated", EdgeFunction>;
let admin: Account;
let service: Account;
let members: Account[];
let server: Server;

/** What the provider was asked, and what it answers: it knows Chen, or it answers with a status. */
const asked: unknown[] = [];
let mood: "well" | number = "well";
async function answer(request: IncomingMessage): Promise<[status: number, text: string]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (request.headers.authorization !== `Bearer ${TOKEN}`) return [401, "{}"];
  if (mood !== "well") return [mood, "<html>"];
  const person = JSON.parse(Buffer.concat(chunks).toString()) as { name: string };
  asked.push(person);
  return [200, JSON.stringify({ confirmed: person.name === CHEN.name })];
}

beforeAll(async () => {
  server = createServer(
    (request, response) => void answer(request).then(([status, text]) => response.writeHead(status).end(text)),
  );
  const url = await listenOnLoopback(server);
  [clone, admin, service, ...members] = await Promise.all([
    cloneDatabase(),
    signUpAdmin("Finance of names"),
    signUpAdmin("Service of names"),
    signUp("Chen"),
    signUp("Zhao"),
    signUp("Chen again"),
  ]);
  sql = connect(clone.url, { max: 4 });
  await copyAccounts(sql, admin, service, ...members);
  for (const [account, role] of [
    [admin, "finance"],
    [service, "service"],
  ] as const) {
    await sql`select app.add_administrator(${accountIdOf(account)})`;
    await sql`update app.administrators set roles = ${[role]} where auth_id = ${accountIdOf(account)}`;
  }
  for (const member of members) {
    member.uid = Number((await sql`select uid from app.users where auth_id = ${accountIdOf(member)}`)[0]!.uid);
    await sql`
      with given as (
        insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at) values (${member.uid}, 1000, 'For a test', 'booked', now(), now()) returning *
      )
      select app.book_adjustment(g) from given as g`;
  }
  const serve = (name: string, settings: Record<string, string>) => serveEdgeFunction(name, clone.url, settings);
  const [api, adminapi, worker, bare, rotated] = await Promise.all([
    serve("api", KEYS),
    serve("adminapi", KEYS),
    serve("worker", {
      ...KEYS,
      STORE_WORKER_SECRET: WORKER_SECRET,
      STORE_REAL_NAME_CHECK_URL: url,
      STORE_REAL_NAME_CHECK_TOKEN: TOKEN,
    }),
    serve("api", {}),
    serve("adminapi", { STORE_REAL_NAME_KEY: newKey(), STORE_REAL_NAME_INDEX_KEY: newKey() }),
  ]);
  functions = { api, adminapi, worker, bare, rotated };
});
afterAll(async () => {
  await Promise.all(Object.values(functions ?? {}).map((served) => served.stop()));
  await stopServer(server);
  await sql?.end();
  await clone?.drop();
});

const as = (
  { token }: Account,
  method: string,
  path: string,
  json?: unknown,
  { base } = functions.api,
  headers: Record<string, string> = {},
) => call(method, path, { token, base, ...(json !== undefined && { json }), init: { headers } });
const asAdmin = (method: string, path: string, json?: unknown, by = admin) =>
  as(by, method, path, json, functions.adminapi);
const give = (member: Account, json: unknown = CHEN) => as(member, "PUT", "/api/real_name", json);
const pathOf = ({ uid }: Account) => `/adminapi/user/${uid}/real_name`;
const run = () =>
  call("POST", "/worker/run", { base: functions.worker.base, init: { headers: { "x-worker-secret": WORKER_SECRET } } });
async function withdraw(member: Account, amount: string) {
  const account = await as(member, "POST", "/api/account", {
    method: "alipay",
    holder: "Payee",
    account_no: "13800000000",
  });
  return as(member, "POST", "/api/withdrawal", { amount, method: "alipay", account_id: account.body.id });
}
const decide = async (member: Account, json: object) =>
  asAdmin("PUT", pathOf(member), { id: (await asAdmin("GET", pathOf(member))).body.id, ...json });

describe("a real name", { concurrent: false }, () => {
  it("is neither asked for nor taken while it is off", async () => {
    expect((await as(members[0]!, "GET", "/api/withdrawal/terms")).body.real_name).toBeNull();
    const reply = await give(members[0]!);
    expectProblem(reply, "invalid_argument");
    expect(reply.body.detail).toBe("The store asks for no real names.");
    expect([...(await sql`select from app.real_names`)]).toHaveLength(0);
  });

  it("is asked for from the amount in the settings on, and the response says where it is given", async () => {
    await sql`select app.set_settings('{"real_name_from": 500}', now())`;
    expect((await as(members[0]!, "GET", "/api/withdrawal/terms")).body.real_name).toEqual({
      amount_from: "500.00",
      state: "none",
    });
    const refused = await withdraw(members[0]!, "500.00");
    expectProblem(refused, "real_name_required");
    expect(refused.body.detail).toContain("From 500.00 on");
    expect((await withdraw(members[1]!, "499.99")).status).toBe(201);
  });

  it("is checked for its form, and the field that is wrong is named in the language of the member", async () => {
    const reply = await as(
      members[0]!,
      "PUT",
      "/api/real_name",
      { ...CHEN, number: "110105194912310021" },
      functions.api,
      {
        "accept-language": "zh",
      },
    );
    expectProblem(reply, "invalid_argument");
    expect(reply.body.errors).toEqual([
      { in: "body", pointer: "/number", detail: "身份证号码有误，请对照证件逐位核对。" },
    ]);
  });

  it("cannot be given without a key, and the response says what to do", async () => {
    const reply = await as(members[0]!, "PUT", "/api/real_name", CHEN, functions.bare);
    expectProblem(reply, "real_name_key_missing");
    expect(reply.body.detail).toContain("STORE_REAL_NAME_KEY");
  });

  it("takes no idempotency key, whose response would be stored", async () => {
    expectProblem(
      await as(members[0]!, "PUT", "/api/real_name", CHEN, functions.api, { "idempotency-key": randomUUID() }),
      "invalid_argument",
    );
  });

  it("is given, seen masked by the member, and suffices", async () => {
    const reply = await give(members[0]!);
    expect(reply).toMatchObject({
      status: 200,
      body: { uid: members[0]!.uid, state: "given", document: "id_card", name: "陈**", number: "1****************X" },
    });
    expect((await as(members[0]!, "GET", "/api/real_name")).body).toEqual(reply.body);
    expect((await withdraw(members[0]!, "500.00")).status).toBe(201);
    expectProblem(await give(members[0]!, ZHAO), "real_name_fixed");
  });

  it("is read whole by the area money alone, and each reading is recorded", async () => {
    const path = pathOf(members[0]!);
    expect((await asAdmin("GET", path)).body).toMatchObject({
      name: "陈**",
      number: "1****************X",
      decided_by: null,
    });
    for (const method of ["GET", "POST"]) expectProblem(await asAdmin(method, path, undefined, service), "forbidden");
    for (let reading = 1; reading <= 2; reading += 1) {
      expect((await asAdmin("POST", path)).body).toEqual({
        ...CHEN,
        uid: members[0]!.uid,
        number: "11010519491231002X",
      });
      const { body } = await asAdmin("GET", `/adminapi/action?function=read_real_name&target_id=${members[0]!.uid}`);
      expect(body.list).toHaveLength(reading);
      expect(JSON.stringify(body)).not.toMatch(/陈静|11010519/);
    }
    expectProblem(await asAdmin("POST", pathOf(members[2]!)), "real_name_not_found");
  });

  it("is not decrypted with another key, and the response names the one that is needed", async () => {
    const reply = await as(admin, "POST", pathOf(members[0]!), undefined, functions.rotated);
    expectProblem(reply, "real_name_key_missing");
    const id = createHash("sha256").update(Buffer.from(KEYS.STORE_REAL_NAME_KEY, "hex")).digest("hex").slice(0, 16);
    expect(reply.body.detail).toBe(
      `Set STORE_REAL_NAME_FORMER_KEY to the key ${id}, with which this real name was encrypted.`,
    );
  });

  it("is a signal if several members give it", async () => {
    await give(members[2]!, { ...CHEN, number: "110105 19491231 002X" });
    const { body } = await asAdmin("GET", "/adminapi/signal?kind=shared_person");
    expect(body.list).toMatchObject([
      { number: "1****************X", members: 2, first_members: [{ uid: members[0]!.uid }, { uid: members[2]!.uid }] },
    ]);
    expect((await asAdmin("GET", "/adminapi/signal?kind=shared_account")).body.list).toMatchObject([
      { account: "138****0000", members: 2 },
    ]);
  });

  // Guarantee privacy/real-names
  it("belongs to its member: what is moved to another is not decrypted", async () => {
    await sql`update app.real_names set ciphertext = (select ciphertext from app.real_names where uid = ${members[0]!.uid}) where uid = ${members[2]!.uid}`;
    expectProblem(await asAdmin("POST", pathOf(members[2]!)), "real_name_altered");
  });

  it("is checked or refused by an administrator, as the settings want it", async () => {
    await sql`select app.set_settings('{"real_name_check": "administrator"}', now())`;
    expect((await as(members[2]!, "GET", "/api/withdrawal/terms")).body.real_name).toEqual({
      amount_from: "500.00",
      state: "given",
    });
    expect((await decide(members[2]!, { state: "refused", reason: "The card has expired" })).body).toMatchObject({
      state: "refused",
      decided_by: { auth_id: accountIdOf(admin) },
    });
    expect((await as(members[2]!, "GET", "/api/real_name")).body).toMatchObject({
      state: "refused",
      reason: "The card has expired",
    });
    expectProblem(await withdraw(members[2]!, "500.00"), "real_name_required");
    expect((await decide(members[2]!, { state: "checked" })).body).toMatchObject({ state: "checked", reason: null });
    expect((await withdraw(members[2]!, "500.00")).status).toBe(201);
  });

  it("is checked by the provider, who is asked until there is an answer, and once", async () => {
    await sql`update app.real_names set state = 'given', reason = null, decided_at = null`;
    mood = 502;
    await sql`select app.set_settings('{"real_name_check": "provider"}', now())`;
    const waits = () => sql`select last_problem from app.outbox where kind = 'real_name_check' order by id`;
    await run();
    expect((await waits()).map(({ last_problem }) => last_problem)).toEqual([
      "Error: the provider answered with status 502",
      expect.stringContaining("real_name_altered"),
    ]);
    mood = "well";
    await sql`update app.outbox set run_after = now()`;
    await run();
    expect(asked).toEqual([{ name: CHEN.name, document: "id_card", number: "11010519491231002X" }]);
    expect((await as(members[0]!, "GET", "/api/real_name")).body.state).toBe("checked");
    await as(
      members[1]!,
      "PUT",
      `/api/withdrawal/${(await as(members[1]!, "GET", "/api/withdrawal")).body.list[0].id}/cancel`,
    );
    await give(members[1]!, ZHAO);
    await run();
    expect((await as(members[1]!, "GET", "/api/real_name")).body).toMatchObject({
      state: "refused",
      reason: null,
      number: "H*******8",
    });
  });

  it("is in no log of the functions", () => {
    for (const served of Object.values(functions))
      expect(served.log()).not.toMatch(/陈静|11010519491231|Zhao Ming|H12345678/i);
    expect(functions.api.log()).toContain("/api/real_name");
  });

  // Guarantee privacy/real-names: A real name is nowhere in the database, its dumps and logs: it is encrypted outside,
  // for its member, with a key that is not there
  // By: AES-256-GCM with the uid, functions/_shared/secrets/real_names.ts; the masks are a constraint, app.real_names
  skipFor(it, lacking("pg_dump"))("cannot be read in a dump of the database", async () => {
    const { stdout } = await promisify(execFile)(
      join(testContext().clientPrograms!, "pg_dump"),
      ["--schema=app", "--schema=auth", "--data-only", clone.url],
      { maxBuffer: 2 ** 28 },
    );
    expect(stdout).toContain("1****************X");
    for (const value of [CHEN.name, "11010519491231002", ZHAO.name, "H12345678", ...Object.values(KEYS)]) {
      expect(stdout).not.toContain(value);
      expect(stdout).not.toContain(Buffer.from(value).toString("hex"));
      expect(stdout).not.toContain(Buffer.from(value).toString("base64"));
    }
  });
});

import { randomUUID } from "node:crypto";
import { appendFileSync } from "node:fs";
import { decodeJwt } from "jose";
import type postgres from "postgres";
import { expect } from "vitest";
import { adminRoutes } from "../../functions/adminapi/app.ts";
import { apiRoutes } from "../../functions/api/app.ts";
import { assistantRoutes } from "../../functions/mcp/routes/assistants.ts";
import { pictureRoutes } from "../../functions/picture/routes/pictures.ts";
import { posterRoutes } from "../../functions/poster/app.ts";
import { workerRoutes } from "../../functions/worker/app.ts";
import { ERRORS } from "../../functions/_shared/responses/error_codes.ts";
import { type ErrorCode } from "../../functions/_shared/responses/error_registry.ts";
import type { Route } from "../../functions/_shared/routes/route.ts";
import { connect, stack, supabaseClient } from "../support/index.ts";
import { complaints, findOperation } from "../../scripts/testing/openapi.ts";

/** All routes of all edge functions. */
export const routes: readonly Route[] = [
  ...apiRoutes,
  ...adminRoutes,
  ...assistantRoutes,
  ...pictureRoutes,
  ...posterRoutes,
  ...workerRoutes,
];

/** An account of the test stack. */
export interface Account {
  email: string;
  password: string;
  token: string;
  uid: number;
}

/** A response. `text` is the raw body, `body` the parsed JSON, or the text of another media type. */
export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  // deno-lint-ignore no-explicit-any
  body: any;
}

interface CallOptions {
  token?: string;
  /** Sent as JSON; use `init` for anything else. */
  json?: unknown;
  init?: RequestInit;
  /** The address of the functions, if not that of the test stack. */
  base?: string;
}

/** Calls the running stack and validates every response against the published OpenAPI documents. */
export async function call(
  method: string,
  path: string,
  { token, json, init = {}, base = stack().functions_url }: CallOptions = {},
): Promise<Reply> {
  const headers = new Headers(init.headers);
  if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
  if (json !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(base + path, {
    ...init,
    method,
    headers,
    ...(json !== undefined && { body: JSON.stringify(json) }),
  });
  const text = await response.text();
  const reply = { status: response.status, headers: response.headers, text, body: bodyOf(response, text) };
  holdToDocument(method, path, reply, json);
  return reply;
}

function bodyOf({ headers }: Response, text: string): unknown {
  if (text === "") return undefined;
  return headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
}

/** Calls the running stack for a file, and validates it like {@link call}. */
export async function readText(
  path: string,
  { token }: Account,
  headers: Record<string, string> = {},
  base = stack().functions_url,
): Promise<Reply> {
  const response = await fetch(base + path, { headers: { ...headers, authorization: `Bearer ${token}` } });
  // The text of a response loses the byte order mark.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await response.arrayBuffer());
  const reply = { status: response.status, headers: response.headers, text, body: bodyOf(response, text) };
  holdToDocument("GET", path, reply, undefined);
  return reply;
}

/** Expects a problem with this code, and the status that the registry has for it. */
export function expectProblem(reply: Reply, code: ErrorCode): void {
  expect({ status: reply.status, code: reply.body?.code }).toEqual({ status: ERRORS[code].status, code });
}

function holdToDocument(method: string, path: string, { status, headers, body }: Reply, sent: unknown): void {
  expect(headers.get("x-request-id")).toBeTruthy();
  const type = headers.get("content-type")?.split(";")[0] ?? "";
  const found = findOperation(method, path);
  if (found) {
    const { operation, place } = found;
    const name = `${method} ${place[2]}`;
    const described = operation.responses[status];
    if (status === 304) {
      expect(described, `${name} describes 304`).toBeDefined();
      expect(body).toBeUndefined();
      return;
    }
    expect(described?.content, `${name} describes ${status} as ${type}`).toHaveProperty([type]);
    expect(
      complaints([...place, "responses", String(status), "content", type, "schema"], body),
      `${name} returns ${status} as described`,
    ).toEqual([]);
    if (status >= 400)
      expect(described!.description.split(", "), `${name} describes the code`).toContain(
        body.code === "FAIL" ? body.message : body.code,
      );
    // Only the picture of a poster may be cached, and what is revalidated each time.
    if (status < 300 && !type.startsWith("image/"))
      expect(headers.get("cache-control")).toBe(headers.has("etag") ? "private, no-cache" : "no-store");
    if (status < 300) recordSuccess(name);
    if (status < 300 && sent !== undefined) {
      expect(
        complaints([...place, "requestBody", "content", "application/json", "schema"], sent),
        `${name} describes what it takes`,
      ).toEqual([]);
    }
  } else if (status >= 400) {
    expect(type).toBe("application/problem+json");
    expect(complaints(["api", "components", "schemas", "Problem"], body)).toEqual([]);
  }
  if (type === "application/problem+json") holdToProblem(status, headers, body);
}

const succeeded = new Set<string>();

/** Tells `npm test`, in the file STORE_TEST_SUCCESSES, that an operation had a success that is as described. */
function recordSuccess(operation: string): void {
  const file = process.env.STORE_TEST_SUCCESSES;
  if (!file || succeeded.has(operation)) return;
  succeeded.add(operation);
  appendFileSync(file, `${operation}\n`);
}

function holdToProblem(
  status: number,
  headers: Headers,
  problem: { code: ErrorCode; title: string; detail: string; errors?: { detail: string }[] },
): void {
  expect(problem).toMatchObject({ status, request_id: headers.get("x-request-id") });
  expect(status).toBe(ERRORS[problem.code].status);
  const sentences = [problem.title, problem.detail, ...(problem.errors ?? []).map(({ detail }) => detail)];
  if (headers.get("content-language") === "zh")
    expect(sentences.filter((sentence) => !/\p{Script=Han}/u.test(sentence))).toEqual([]);
}

/** Signs a new member up and in through Supabase Auth, with the referrer of a share link if one is given. */
export async function signUp(nickname: string, spread?: unknown): Promise<Account> {
  const email = `${randomUUID()}@example.com`;
  const password = randomUUID();
  const { data, error } = await supabaseClient().auth.signUp({
    email,
    password,
    options: { data: { nickname, spread } },
  });
  if (error) throw error;
  // The Auth server of `supabase start` waits until a mail is answered; that of `npm test` does not.
  if (!data.session) await confirmAddress(email);
  const token = data.session?.access_token ?? (await signIn({ email, password }));
  const { body } = await call("GET", "/api/user", { token });
  return { email, password, token, uid: body.uid };
}

/** Confirms the address of a new account, as the link in its mail does. */
async function confirmAddress(email: string): Promise<void> {
  await withDatabase((sql) => sql`update auth.users set email_confirmed_at = now() where email = ${email}`);
}

/** The id of an account, which its token states. */
export function accountIdOf({ token }: Pick<Account, "token">): string {
  return decodeJwt(token).sub!;
}

/** Creates accounts of the test stack in a cloned database, so that their tokens are valid there. */
export async function copyAccounts(clone: postgres.Sql, ...accounts: Account[]): Promise<void> {
  for (const account of accounts)
    await clone`insert into auth.users (email_confirmed_at, id, email) values (now(), ${accountIdOf(account)}, ${account.email})`;
}

/** Signs an account in again, to get a token with its current role. */
async function signIn({ email, password }: Pick<Account, "email" | "password">): Promise<string> {
  const { data, error } = await supabaseClient().auth.signInWithPassword({ email, password });
  if (error) throw error;
  return data.session.access_token;
}

/** Signs up a new member and makes the account an administrator, as an operator does. */
export async function signUpAdmin(nickname: string): Promise<Account> {
  const account = await signUp(nickname);
  await makeAdministrator(account);
  return { ...account, token: await signIn(account) };
}

/** Makes an account an administrator. Existing tokens keep their role. */
async function makeAdministrator({ email }: Account): Promise<void> {
  await withDatabase(async (sql) => {
    await sql`select app.add_administrator(${email})`;
    // Tests mark more orders as paid than one administrator may alone on a day.
    await sql`update app.settings set offline_payment_limit = 100000000 where offline_payment_limit < 100000000`;
  });
}

/** Sets the role of an account. Existing tokens keep their role. */
export async function setRole({ email }: Account, role: "authenticated" | "store_admin"): Promise<void> {
  await withDatabase((sql) => sql`update auth.users set role = ${role} where email = ${email}`);
}

/** Changes the phone number of an account, as the Auth server does. */
export async function setPhone({ email }: Account, phone: string | null): Promise<void> {
  await withDatabase(
    (sql) => sql`update auth.users set phone = ${phone}, phone_confirmed_at = now() where email = ${email}`,
  );
}

/** Adds a product and returns its id. */
export async function addProduct(title: string, price: string, isQueueGoods: boolean): Promise<number> {
  const [product] = await withDatabase(
    (sql) => sql`
    insert into app.products (title, price, is_queue_goods) values (${title}, ${price}, ${isQueueGoods}) returning id::integer
  `,
  );
  return product!.id;
}

/** Gives a new member available points, as an import does. */
export async function givePoints({ uid }: Account, points: string): Promise<void> {
  await withDatabase(
    (sql) => sql`
    select app.book_entries(
      array[(${uid}, 'opening_balance', 'import', 0, 0, ${points}, null, null, null, null, null, null, null, null)::app.bill_entry], '{}', '{}', clock_timestamp()
    )`,
    uid,
  );
}

/** Gives a member commission that can be withdrawn at once, by an adjustment. */
export async function giveCommission({ uid }: Account, amount: string): Promise<void> {
  await withDatabase(
    (sql) =>
      sql.begin(async (transaction) => {
        await transaction`select app.lock_balances(array[${uid}::bigint])`;
        await transaction`
      with given as (
        insert into app.adjustments (uid, brokerage_delta, reason, state, add_time, decided_at)
        values (${uid}, ${amount}, 'For a test', 'booked', now(), now()) returning *
      )
      select app.book_entries(array[row(
        g.uid, 'adjustment', 'adjustment', g.brokerage_delta, 0, 0, null, null, null, null, null, null, null, g.id
      )::app.bill_entry], '{}', '{}', g.add_time) from given as g`;
      }),
    uid,
  );
}

/** @param uid the member whose rows are changed, who may be on a shard */
async function withDatabase<T>(work: (sql: ReturnType<typeof connect>) => PromiseLike<T>, uid?: number): Promise<T> {
  const { database_url, shard_urls } = stack();
  const sql = connect(shard_urls && uid !== undefined ? shard_urls[uid % shard_urls.length]! : database_url);
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}

import { randomBytes } from "node:crypto";
import type postgres from "postgres";
import { request } from "../doctor/request.ts";
import { Problem } from "../ground/problem.ts";

/** A project, with the keys that its clients and its servers have. */
export interface Site {
  ref: string;
  url: string;
  publishableKey: string;
  secretKey: string;
}

/** An account of the smoke test. */
export interface TestAccount {
  id: string;
  email: string;
  password: string;
}

/** A host of the project without a mailbox, so that nobody else has the address, and no mail arrives. */
const hostOf = (ref: string) => `${ref}.supabase.co`;

/** What to do about a response, by its status; 0 if there was none. */
function adviceOf(status: number, path: string): string {
  if (status === 0) return "Check the address of the project and the network connection of this machine.";
  if (status === 402) return "Supabase has restricted the project: see the Dashboard, Usage and Billing.";
  if (status === 540) return "The project is paused: resume it in the Dashboard.";
  const service = path.startsWith("/auth/") ? "Dashboard, Authentication, Logs" : "Dashboard, Edge Functions, Logs";
  if (status === 429) return "Too many requests came from this machine. Run the command again in an hour.";
  if (status === 404) return "Deploy the functions of this folder: npm run functions:deploy";
  return `See the log of the service: ${service}. Then run the command again.`;
}

/**
 * Calls the project as a client does.
 * @param route `POST /functions/v1/api/order`
 * @param as a token of a session, the secret key of the project, or nobody
 * @returns the body of the response
 * @throws Problem that says what came back, unless it is a success
 */
export async function call<Body = Record<string, unknown>>(
  { url, publishableKey, secretKey }: Site,
  route: `${"GET" | "POST" | "PUT" | "DELETE"} /${string}`,
  as: { token?: string; isServer?: boolean } = {},
  body?: object,
): Promise<Body> {
  const [method, path] = route.split(" ") as [string, string];
  const bearer = as.isServer ? secretKey : as.token;
  const headers = {
    apikey: as.isServer ? secretKey : publishableKey,
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
  };
  const reply = await request(`${url}${path}`, headers, method, body);
  if (reply.status >= 200 && reply.status < 300) return reply.body as Body;
  const { detail, msg, message } = reply.body ?? {};
  const code = reply.code ?? (reply.body as { error_code?: string } | null)?.error_code;
  const said = [detail, msg, message].find((text) => typeof text === "string") ?? reply.text.slice(0, 200);
  throw new Refusal(
    reply.status === 0
      ? `${route} got no response: ${reply.text}`
      : `${route} was answered ${reply.status}${code === undefined ? "" : ` (${code})`}: ${said}`,
    adviceOf(reply.status, path),
    code,
  );
}

/** A response that is no success. */
class Refusal extends Problem {
  constructor(
    message: string,
    advice: string,
    readonly code: string | undefined,
  ) {
    super(message, advice);
  }
}

/**
 * Creates a confirmed account by the admin API of Auth, which sends no mail.
 * @param role of the account in Auth: a member, or an administrator, who is no member
 */
export async function createTestAccount(site: Site, role: "authenticated" | "store_admin"): Promise<TestAccount> {
  const email = `smoke-test+${randomBytes(8).toString("hex")}@${hostOf(site.ref)}`;
  // Has each kind of character that a project may ask for.
  const password = `${randomBytes(15).toString("base64url")}aA1!`;
  const { id } = await call<{ id: string }>(
    site,
    "POST /auth/v1/admin/users",
    { isServer: true },
    { email, password, email_confirm: true, role },
  );
  return { id, email, password };
}

/** What Auth answers where nobody can sign in by a password alone. */
const NEEDS_A_LINK = ["captcha_failed", "email_provider_disabled"];

/**
 * Signs in by the password or, where Auth wants a captcha or offers no passwords, by a link that is used at once, as a
 * sign-in by WeChat does.
 * @returns the token, and why there was no sign-in by the password
 */
export async function signIn(
  site: Site,
  { email, password }: TestAccount,
): Promise<{ token: string; leftOut?: string }> {
  try {
    const session = await call<{ access_token: string }>(
      site,
      "POST /auth/v1/token?grant_type=password",
      {},
      { email, password },
    );
    return { token: session.access_token };
  } catch (refusal) {
    if (!(refusal instanceof Refusal) || !NEEDS_A_LINK.includes(refusal.code ?? "")) throw refusal;
    const link = await call<{ hashed_token: string }>(
      site,
      "POST /auth/v1/admin/generate_link",
      { isServer: true },
      { type: "magiclink", email },
    );
    const session = await call<{ access_token: string }>(
      site,
      "POST /auth/v1/verify",
      {},
      { type: "magiclink", token_hash: link.hashed_token },
    );
    return { token: session.access_token, leftOut: `the sign-in by a password (${refusal.code!})` };
  }
}

/**
 * Removes the accounts of smoke tests, with what an interrupted one has left: unpaid orders are cancelled, paid ones
 * refunded. It needs no function of the project. Each statement is a transaction, because the deletion of an account
 * takes the structure lock, which comes before those of orders.
 * @returns how many accounts there were
 */
export async function removeTestAccounts(sql: postgres.Sql, ref: string): Promise<number> {
  const accounts = await sql<{ id: string; uid: string | null }[]>`
    select a.id, u.uid from auth.users as a left join app.users as u on u.auth_id = a.id
    where a.email like ${`smoke-test+%@${hostOf(ref)}`} order by a.id`;
  for (const { id, uid } of accounts) {
    const orders = await sql<{ id: string; is_paid: boolean }[]>`
      select o.id, o.paid_at is not null as is_paid from app.orders as o
      where o.uid = ${uid} and (o.state = 'unpaid' or (o.paid_at is not null and o.refund_status <> 2)) order by o.id`;
    for (const order of orders)
      if (order.is_paid) await sql`select app.refund_order(${order.id}, null, null, null)`;
      else await sql`select app.cancel_order(${order.id}, null)`;
    await sql`delete from auth.users as a where a.id = ${id}`;
  }
  return accounts.length;
}

import { randomUUID } from "node:crypto";
import { type Context, Hono } from "hono";
import { jwtVerify } from "jose";
import type postgres from "postgres";
import { renderSVG } from "uqr";
import { openConnection } from "../ground/open_connection.ts";
import { Failed, failure } from "./failure.ts";
import { limitByAddress } from "./limit_by_address.ts";
import { callerAddress } from "./sessions.ts";
import type { AuthSettings } from "./app.ts";
import { isCode, newSecret } from "./totp.ts";

/**
 * Supabase Auth: how long a challenge is valid, and a factor that nobody has verified is kept; how many factors an
 * account can have.
 */
const [CHALLENGE_MS, UNVERIFIED_MS, MOST_FACTORS] = [300_000, 300_000, 10];

type FactorSettings = Pick<AuthSettings, "databaseUrl" | "jwtSecret" | "siteUrl" | "publishableKey">;

interface Caller {
  id: string;
  email: string | null;
  session: string;
  aal: string;
}

interface Factor {
  id: string;
  status: "verified" | "unverified";
  secret: string;
}

/**
 * The second factor of Supabase Auth, which @supabase/lite does not have: codes of an authenticator app. Requests,
 * responses, limits and codes of errors are those of hosted Auth. Like there, a challenge counts once, and a code as
 * long as it is valid.
 * @param refresh handles a request of Auth by which a session gets new tokens
 */
export function createFactors(settings: FactorSettings, refresh: (request: Request) => Promise<Response>) {
  const sql = openConnection(settings.databaseUrl, { max: 4 });
  const isLimited = limitByAddress(30, 120_000);
  const app = new Hono().basePath("/auth/v1/factors");

  app.post("/", async (c) => {
    const caller = await callerOf(sql, settings, c.req.raw);
    const { friendly_name = "", factor_type, issuer = new URL(settings.siteUrl).host } = await bodyOf(c.req.raw);
    if (factor_type !== "totp") throw unknownType(factor_type);
    const secret = newSecret();
    const id = await sql.begin(async (transaction) => {
      await transaction`select from auth.users where id = ${caller.id} for update`;
      await requireRoom(transaction, caller, friendly_name);
      const [added] = await transaction<{ id: string }[]>`
        insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
        values (${randomUUID()}, ${caller.id}, ${friendly_name}, 'totp', 'unverified', now(), now(), ${secret}) returning id`;
      return added!.id;
    });
    const label = encodeURIComponent(`${issuer}:${caller.email ?? ""}`);
    const uri = `otpauth://totp/${label}?algorithm=SHA1&digits=6&issuer=${encodeURIComponent(issuer)}&period=30&secret=${secret}`;
    return c.json({ id, type: "totp", friendly_name, totp: { qr_code: renderSVG(uri), secret, uri } });
  });

  app.post("/:id/challenge", async (c) => {
    const caller = await callerOf(sql, settings, c.req.raw);
    const { id } = await factorOf(sql, caller, c.req.param("id"));
    if (isLimited("challenge", c.req.raw)) throw tooMany();
    const [challenge] = await sql<{ id: string; created_at: Date }[]>`
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address) values (${randomUUID()}, ${id}, now(), ${addressOf(c.req.raw)}) returning id, created_at`;
    const { id: challengeId, created_at } = challenge!;
    return c.json({
      id: challengeId,
      type: "totp",
      expires_at: Math.floor((created_at.getTime() + CHALLENGE_MS) / 1000),
    });
  });

  app.post("/:id/verify", async (c) => {
    const caller = await callerOf(sql, settings, c.req.raw);
    const factor = await factorOf(sql, caller, c.req.param("id"));
    if (isLimited("verify", c.req.raw)) throw tooMany();
    const { challenge_id = "", code = "" } = await bodyOf(c.req.raw);
    if (code === "") throw new Failed(400, "validation_failed", "Code needs to be non-empty");
    const token = await sql.begin(async (transaction) => {
      await useChallenge(transaction, factor, challenge_id, addressOf(c.req.raw));
      if (!isCode(factor.secret, code, Date.now()))
        throw new Failed(422, "mfa_verification_failed", "Invalid TOTP code entered");
      return raiseSession(transaction, caller, factor);
    });
    return refresh(
      new Request(`${new URL(c.req.url).origin}/auth/v1/token?grant_type=refresh_token`, {
        method: "POST",
        headers: { "content-type": "application/json", apikey: settings.publishableKey },
        body: JSON.stringify({ refresh_token: token }),
      }),
    );
  });

  app.delete("/:id", async (c) => {
    const caller = await callerOf(sql, settings, c.req.raw);
    const { id, status } = await factorOf(sql, caller, c.req.param("id"));
    if (status === "verified" && caller.aal !== "aal2")
      throw new Failed(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
    await sql.begin(async (transaction) => {
      await transaction`delete from auth.mfa_factors where id = ${id}`;
      await transaction`delete from auth.mfa_amr_claims as c using auth.sessions as s where s.id = c.session_id and s.factor_id = ${id} and c.authentication_method = 'totp'`;
      await transaction`update auth.sessions set aal = 'aal1', factor_id = null where factor_id = ${id}`;
    });
    return c.json({ id });
  });

  app.onError((error, c: Context) => {
    if (error instanceof Failed) return failure(c, error.status, error.code, error.message);
    throw error;
  });

  return {
    fetch: (request: Request) => app.fetch(request),
    /**
     * Hosted Auth changes email address and password of an account with a second factor only in a session that has
     * proved it.
     */
    mayChangeUser: async (request: Request): Promise<Response | undefined> => {
      if (request.method !== "PUT" || !new URL(request.url).pathname.endsWith("/user")) return undefined;
      const { password, email } = await bodyOf(request.clone()).catch((): Body => ({}));
      const caller = password || email ? await callerOf(sql, settings, request).catch(() => undefined) : undefined;
      if (!caller || caller.aal === "aal2") return undefined;
      const [factor] =
        await sql`select from auth.mfa_factors where user_id = ${caller.id} and status = 'verified' limit 1`;
      const msg = "AAL2 session is required to update email or password when MFA is enabled.";
      return factor && Response.json({ code: 401, error_code: "insufficient_aal", msg }, { status: 401 });
    },
  };
}

interface Body {
  friendly_name?: string;
  factor_type?: string;
  issuer?: string;
  challenge_id?: string;
  code?: string;
  password?: string;
  email?: string;
}

const bodyOf = (request: Request) => request.json() as Promise<Body>;
const addressOf = (request: Request) => callerAddress(request) ?? "127.0.0.1";
const tooMany = () => new Failed(429, "over_request_rate_limit", "Request rate limit reached");

function unknownType(type: string | undefined): Failed {
  if (type === "phone") return new Failed(422, "mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone");
  if (type === "webauthn")
    return new Failed(422, "mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn");
  return new Failed(400, "validation_failed", "factor_type needs to be totp, phone, or webauthn");
}

/** @throws Failed unless the request has a token of a session that goes on */
async function callerOf(sql: postgres.Sql, { jwtSecret }: FactorSettings, request: Request): Promise<Caller> {
  const token = /^bearer (\S+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  if (!token) throw new Failed(401, "no_authorization", "This endpoint requires a valid Bearer token");
  const { payload } = await jwtVerify(token, new TextEncoder().encode(jwtSecret)).catch(() => {
    throw new Failed(403, "bad_jwt", "invalid JWT: unable to parse or verify signature");
  });
  const [caller] = await sql<Caller[]>`
    select u.id, u.email, s.id as session, coalesce(s.aal::text, 'aal1') as aal from auth.sessions as s join auth.users as u on u.id = s.user_id
    where s.id::text = ${String(payload.session_id)} and u.id::text = ${String(payload.sub)}`;
  if (!caller) throw new Failed(403, "session_not_found", "Session from session_id claim in JWT does not exist");
  return caller;
}

async function factorOf(sql: postgres.Sql, { id: user }: Caller, id: string): Promise<Factor> {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id))
    throw new Failed(404, "validation_failed", "factor_id must be an UUID");
  const [factor] = await sql<
    Factor[]
  >`select id, status, secret from auth.mfa_factors where id = ${id} and user_id = ${user}`;
  if (!factor) throw new Failed(404, "mfa_factor_not_found", "Factor not found");
  return factor;
}

/** @throws Failed if the account cannot have another factor */
async function requireRoom(transaction: postgres.TransactionSql, { id, aal }: Caller, name: string): Promise<void> {
  await transaction`
    delete from auth.mfa_factors as f where f.user_id = ${id} and f.status = 'unverified' and f.created_at < now() - ${UNVERIFIED_MS}::integer * interval '1 millisecond'
      and not exists (select from auth.mfa_challenges as c where c.factor_id = f.id)`;
  const factors = await transaction<{ friendly_name: string; status: string }[]>`
    select friendly_name, status from auth.mfa_factors where user_id = ${id}`;
  if (factors.some((factor) => factor.friendly_name === name)) {
    throw new Failed(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name "${name}" for this user already exists`,
    );
  }
  if (factors.length >= MOST_FACTORS) {
    throw new Failed(
      422,
      "too_many_enrolled_mfa_factors",
      "Maximum number of verified factors reached, unenroll to continue",
    );
  }
  if (aal !== "aal2" && factors.some(({ status }) => status === "verified")) {
    throw new Failed(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}

/** @throws Failed unless the challenge is one of the factor, from the same address, recent, and not used yet */
async function useChallenge(
  transaction: postgres.TransactionSql,
  factor: Factor,
  id: string,
  address: string,
): Promise<void> {
  const [challenge] = await transaction<{ created_at: Date; verified_at: Date | null; address: string }[]>`
    select created_at, verified_at, host(ip_address) as address from auth.mfa_challenges where id::text = ${id} and factor_id = ${factor.id} for update`;
  if (!challenge) throw new Failed(422, "mfa_factor_not_found", "MFA factor with the provided challenge ID not found");
  if (challenge.verified_at || challenge.address !== address) {
    throw new Failed(422, "mfa_ip_address_mismatch", "Challenge and verify IP addresses mismatch.");
  }
  if (challenge.created_at.getTime() < Date.now() - CHALLENGE_MS) {
    throw new Failed(
      422,
      "mfa_challenge_expired",
      `MFA challenge ${id} has expired, verify against another challenge or create a new challenge.`,
    );
  }
  await transaction`update auth.mfa_challenges set verified_at = now() where id::text = ${id}`;
}

/**
 * Records the proof, and ends the sessions of the account without one.
 * @returns the token by which the session is refreshed
 */
async function raiseSession(
  transaction: postgres.TransactionSql,
  { id, session }: Caller,
  factor: Factor,
): Promise<string> {
  await transaction`update auth.mfa_factors set status = 'verified', updated_at = now() where id = ${factor.id} and status <> 'verified'`;
  await transaction`
    insert into auth.mfa_amr_claims (session_id, authentication_method) values (${session}, 'totp')
    on conflict (session_id, authentication_method) do update set updated_at = now()`;
  await transaction`update auth.sessions set aal = 'aal2', factor_id = ${factor.id} where id = ${session}`;
  await transaction`delete from auth.sessions where user_id = ${id} and coalesce(aal::text, 'aal1') < 'aal2'`;
  await transaction`delete from auth.mfa_factors where user_id = ${id} and status = 'unverified'`;
  const [current] = await transaction<{ token: string }[]>`
    select token from auth.refresh_tokens where session_id = ${session} and not revoked order by created_at desc limit 1`;
  return current?.token ?? "";
}

import { decodeJwt, SignJWT } from "jose";
import { openConnection } from "../ground/open_connection.ts";
import type { AuthSettings } from "./app.ts";

/** The parts of a response that are completed: that of a new session or token, or a user. */
interface Body {
  access_token?: string;
  user?: object;
  /** A user. */
  id?: string;
  aud?: string;
}

/**
 * Creates the function that adds to responses what hosted Auth has in them and @supabase/lite does not: in access
 * tokens the issuer, which the edge functions check, and how the session was proved (`aal`, `amr`); of users, their
 * second factors.
 */
export function createCompletion({
  databaseUrl,
  siteUrl,
  jwtSecret,
}: Pick<AuthSettings, "databaseUrl" | "siteUrl" | "jwtSecret">) {
  const sql = openConnection(databaseUrl, { max: 4 });
  const secret = new TextEncoder().encode(jwtSecret);

  async function completeToken(token: string): Promise<string> {
    const claims = decodeJwt(token);
    const amr = await sql<{ method: string; timestamp: number }[]>`
      select authentication_method as method, floor(extract(epoch from updated_at))::integer as timestamp from auth.mfa_amr_claims
      where session_id::text = ${String(claims.session_id)} order by updated_at desc`;
    const aal = amr.some(({ method }) => method === "totp") ? "aal2" : "aal1";
    return new SignJWT({ ...claims, iss: `${siteUrl}/auth/v1`, aal, amr: [...amr] })
      .setProtectedHeader({ alg: "HS256", typ: "JWT" })
      .sign(secret);
  }

  async function withFactors(user: object): Promise<object> {
    const factors = await sql`
      select id, created_at, updated_at, status, friendly_name, factor_type from auth.mfa_factors
      where user_id::text = ${String((user as { id?: string }).id)} order by created_at`;
    return factors.length === 0 ? user : { ...user, factors: [...factors] };
  }

  return async (response: Response): Promise<Response> => {
    if (!response.ok || !response.headers.get("content-type")?.includes("json")) return response;
    let body = (await response.json()) as Body | null;
    if (body?.access_token) body.access_token = await completeToken(body.access_token);
    if (body?.user) body.user = await withFactors(body.user);
    else if (body?.id && body.aud) body = await withFactors(body);
    const headers = new Headers(response.headers);
    headers.delete("content-length");
    return new Response(JSON.stringify(body), { status: response.status, headers });
  };
}

import { decodeJwt } from "jose";
import { openConnection } from "../ground/open_connection.ts";

/**
 * What hosted Auth does with sessions and @supabase/lite does not: it records how each session began, and by which
 * device, and ends the other sessions of an account whose password is changed.
 * @param databaseUrl for role supabase_auth_admin
 */
export function createSessionRecord(databaseUrl: string) {
  const sql = openConnection(databaseUrl, { max: 4 });
  const sessionOf = (token: string) => {
    try {
      return decodeJwt(token) as { sub: string; session_id?: string };
    } catch {
      return undefined;
    }
  };
  return {
    /** Hosted Auth ends the sessions after the password was stored, in the same transaction. Here, they end first. */
    async before(request: Request): Promise<void> {
      if (request.method !== "PUT" || !new URL(request.url).pathname.endsWith("/user")) return;
      const { password } = (await request
        .clone()
        .json()
        .catch(() => ({}))) as { password?: string };
      const session = sessionOf(request.headers.get("authorization")?.slice("Bearer ".length) ?? "");
      if (password === undefined || !session?.session_id) return;
      await sql`delete from auth.sessions where user_id = ${session.sub} and id <> ${session.session_id}`;
    },
    async after(request: Request, response: Response): Promise<void> {
      const { pathname, searchParams } = new URL(request.url);
      const method = pathname.endsWith("/verify")
        ? "otp"
        : pathname.endsWith("/signup") || searchParams.get("grant_type") === "password"
          ? "password"
          : undefined;
      if (!method || !response.ok || !response.headers.get("content-type")?.includes("json")) return;
      const { access_token } = (await response.clone().json()) as { access_token?: string };
      const session = access_token === undefined ? undefined : sessionOf(access_token);
      if (!session?.session_id) return;
      await sql`insert into auth.mfa_amr_claims (session_id, authentication_method) values (${session.session_id}, ${method}) on conflict do nothing`;
      const [userAgent, address] = [request.headers.get("user-agent"), callerAddress(request)];
      await sql`update auth.sessions set user_agent = ${userAgent}, ip = ${address ?? null} where id = ${session.session_id} and user_agent is null`;
    },
  };
}

/** The address that a proxy in front has added, or that an edge function passes on. */
export function callerAddress({ headers }: Request): string | undefined {
  const address = headers.get("sb-forwarded-for") ?? headers.get("x-forwarded-for")?.split(",").at(-1)?.trim();
  return address !== undefined && /^[\da-f.:]{2,45}$/i.test(address) ? address : undefined;
}

import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Claims } from "./database.ts";
import { Problem } from "./problem.ts";
import type { Machine } from "./shared_secret.ts";

/** Who may call a route: anyone, signed-in members, administrators, or machines that know a secret of their own: scheduled jobs, scrapers of metrics. */
export type Caller = "public" | "user" | "admin" | Machine;

/** Returns the verified claims of an Authorization header, `{}` for an anonymous caller. @throws Problem if the token is invalid */
export type Authenticate = (authorization: string | undefined) => Promise<Claims>;

/** Where the project's signing keys are. */
export interface AuthenticationOptions {
  jwksUrl: URL;
  /** The shared secret, if the project signs its tokens with one. No public keys are fetched then. */
  sharedSecret?: string;
}

/** Keys of one kind and the algorithms that they may verify, so that a public key is never accepted as a shared secret. */
interface Keys {
  find: JWTVerifyGetKey;
  algorithms: string[];
}

const ANYONE: Claims = {};
const CLOCK_SKEW_SECONDS = 30;
const MEMBER = "authenticated";
const ADMINISTRATOR = "store_admin";
/** An administrator is also a member and may call the routes for members, which return the administrator's own data. */
const ROLES_OF_CALLER = { user: [MEMBER, ADMINISTRATOR], admin: [ADMINISTRATOR], scraper: [] as string[] };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Verifies the access tokens of Supabase Auth. An invalid token is rejected even on routes that need none. */
export function createAuthentication({ jwksUrl, sharedSecret }: AuthenticationOptions): Authenticate {
  const { find, algorithms } = sharedSecret === undefined ? publicKeys(jwksUrl) : secretKey(sharedSecret);
  const options = { algorithms, clockTolerance: CLOCK_SKEW_SECONDS, requiredClaims: ["exp", "role"] };

  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) return ANYONE;
    const claims = await jwtVerify(token, find, options).then(({ payload }) => payload, rejectToken);
    // The legacy public API key is a JWT. Clients send it while nobody is signed in.
    if (claims.role === "anon") return ANYONE;
    verifyClaims(claims);
    return claims;
  };
}

/** @throws Problem unless the role of the claims may call a route for `caller` */
export function requireRole(caller: Exclude<Caller, "job">, claims: Claims): void {
  if (caller === "public") return;
  if (claims.role === undefined) throw new Problem("unauthenticated");
  if (!ROLES_OF_CALLER[caller].includes(claims.role as string)) throw new Problem("forbidden");
}

function bearerToken(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  const token = /^bearer +(\S+)$/i.exec(authorization.trim())?.[1];
  if (token === undefined) {
    throw new Problem("invalid_token", { detail: "The Authorization header must read \"Bearer <token>\"." });
  }
  // Older client libraries send the publishable key in this header while nobody is signed in.
  return token.startsWith("sb_publishable_") ? undefined : token;
}

function verifyClaims({ aud, role, sub }: JWTPayload): void {
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes("authenticated") || !UUID.test(sub ?? "")) throw new Problem("invalid_token");
  if (!ROLES_OF_CALLER.user.includes(role as string)) throw new Problem("forbidden");
}

function publicKeys(url: URL): Keys {
  const keySet = createRemoteJWKSet(url);
  return {
    algorithms: ["ES256", "RS256", "EdDSA"],
    find: (header, token) => keySet(header, token).catch(rejectMissingKey),
  };
}

function secretKey(secret: string): Keys {
  const bytes = new TextEncoder().encode(secret);
  // Imported once, because importing a key costs more than a verification.
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return { algorithms: ["HS256"], find: () => key };
}

/** If the key set does not contain the key, the token is invalid. If the key set cannot be fetched, the token cannot be checked. */
function rejectMissingKey(error: unknown): never {
  const isInvalidToken = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSENotSupported;
  throw isInvalidToken ? error : new Problem("auth_unavailable", { cause: error });
}

function rejectToken(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem(error instanceof errors.JWTExpired ? "token_expired" : "invalid_token", { cause: error });
}

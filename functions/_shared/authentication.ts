import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify, type JWTVerifyGetKey } from "jose";
import type { Claims } from "./database.ts";
import { Problem } from "./problem.ts";

/** Whom a route serves: anyone, signed-in members, administrators. */
export type Caller = "public" | "user" | "admin";

/** Turns an Authorization header into verified claims (`{}` for nobody), or throws a Problem. */
export type Authenticate = (authorization: string | undefined) => Promise<Claims>;

/** Where the project's signing keys are. */
export interface AuthenticationOptions {
  jwksUrl: URL;
  /** The secret of a project that signs its tokens with one; public keys are then not asked for. */
  sharedSecret?: string;
}

/** A kind of key with the algorithms it may be used with, so that a public key can never serve as a shared secret. */
interface Keys {
  find: JWTVerifyGetKey;
  algorithms: string[];
}

const ANYONE: Claims = {};
const CLOCK_SKEW_SECONDS = 30;
const MEMBER = "authenticated";
const ADMINISTRATOR = "store_admin";
/** An administrator is a member too and may use what members use; what they see there is their own. */
const ROLES_OF_CALLER = { user: [MEMBER, ADMINISTRATOR], admin: [ADMINISTRATOR] };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Verifies the access tokens of Supabase Auth. A token that is sent must be valid, also where none is needed. */
export function createAuthentication({ jwksUrl, sharedSecret }: AuthenticationOptions): Authenticate {
  const { find, algorithms } = sharedSecret === undefined ? publicKeys(jwksUrl) : secretKey(sharedSecret);
  const options = { algorithms, clockTolerance: CLOCK_SKEW_SECONDS, requiredClaims: ["exp", "role"] };

  return async (authorization) => {
    const token = bearerToken(authorization);
    if (token === undefined) return ANYONE;
    const claims = await jwtVerify(token, find, options).then(({ payload }) => payload, refuseToken);
    // The former public API key is a token of its own, which clients send as long as nobody is signed in.
    if (claims.role === "anon") return ANYONE;
    verifyClaims(claims);
    return claims;
  };
}

/** Throws unless the role of the claims may call it. */
export function requireRole(caller: Caller, claims: Claims): void {
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
  // Older client libraries send the publishable key here while nobody is signed in.
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
    find: (header, token) => keySet(header, token).catch(refuseMissingKey),
  };
}

function secretKey(secret: string): Keys {
  const bytes = new TextEncoder().encode(secret);
  // Once: importing a key costs more than verifying with it.
  const key = crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
  return { algorithms: ["HS256"], find: () => key };
}

/** A key that is not in the set makes the token invalid; a set that cannot be read says nothing about the token. */
function refuseMissingKey(error: unknown): never {
  const isTokensFault = error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JOSENotSupported;
  throw isTokensFault ? error : new Problem("auth_unavailable", { cause: error });
}

function refuseToken(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem(error instanceof errors.JWTExpired ? "token_expired" : "invalid_token", { cause: error });
}

import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwksCache,
  type JWKSCacheInput,
  type JWTPayload,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { VISITORS } from "../database/connections.ts";
import type { Claims } from "../database/database.ts";
import { Problem } from "../responses/problem.ts";
import type { Machine } from "./shared_secret.ts";
import { rememberVerified, TRUST_MS } from "./verified_tokens.ts";

/**
 * Who may call a route: anyone, signed-in members, administrators, assistants with the token of an administrator or any
 * machine key, or machines that know a secret of their own: scheduled jobs, scrapers of metrics.
 */
export type Caller = "public" | "user" | "admin" | "assistant" | Machine;

/** Finds out who sends an Authorization header. */
export interface Authentication {
  /** Returns the verified claims, `{}` for an anonymous caller. @throws Problem if the token is invalid */
  authenticate(authorization: string | undefined): Promise<Claims>;
  /**
   * Returns the caller that a request names, before its token is verified, so only what the verified caller would be
   * refused anyway may depend on it. Undefined if the token cannot be read.
   */
  claimedCaller(authorization: string | undefined): string | undefined;
}

/** Who signs the project's tokens, and with which keys. */
export interface AuthenticationOptions {
  /** The claim `iss` of the tokens. */
  issuer: string;
  /** Where the public keys are. */
  jwksUrl: URL;
  /**
   * The shared secret, if the project has one. It verifies tokens with the algorithm HS256, the public keys verify all
   * others.
   */
  sharedSecret: string | undefined;
}

const ANYONE: Claims = {};
const CLOCK_SKEW_SECONDS = 30;
const SHARED_SECRET_ALGORITHM = "HS256";
const PUBLIC_KEY_ALGORITHMS = ["ES256", "RS256", "EdDSA"];
/** The time between two fetches of the public keys, however many tokens name an unknown key. */
const KEY_FETCH_MS = 1000;
/** How long a key that was withdrawn can admit somebody (docs/access.md, "Tokens"). */
const WITHDRAWN_KEY_MS = 10 * 60_000;
const PUBLIC_KEY_ROLE = "anon";
const MEMBER = "authenticated";
const ADMINISTRATOR = "store_admin";
/** An administrator is also a member and may call the routes for members, which return the administrator's own data. */
const ROLES_OF_CALLER = {
  user: [MEMBER, ADMINISTRATOR],
  admin: [ADMINISTRATOR],
  assistant: [ADMINISTRATOR],
  scraper: [] as string[],
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Verifies the access tokens of Supabase Auth. An invalid token is rejected even on routes that need none. */
export function createAuthentication({ issuer, jwksUrl, sharedSecret }: AuthenticationOptions): Authentication {
  const keys = publicKeys(jwksUrl);
  const secret = sharedSecret === undefined ? undefined : secretKey(sharedSecret);
  // The algorithm decides which kind of key is used, so that a public key is never accepted as a shared secret.
  const find: JWTVerifyGetKey = (header, token) =>
    secret !== undefined && header.alg === SHARED_SECRET_ALGORITHM ? secret : keys.find(header, token);
  const algorithms = secret === undefined ? PUBLIC_KEY_ALGORITHMS : [...PUBLIC_KEY_ALGORITHMS, SHARED_SECRET_ALGORITHM];
  const options = { algorithms, clockTolerance: CLOCK_SKEW_SECONDS, requiredClaims: ["exp", "role"] };

  const tokens = rememberVerified(async (token) => {
    const claims = await jwtVerify(token, find, options).then(({ payload }) => payload, rejectToken);
    if (claims.role !== PUBLIC_KEY_ROLE) verifyClaims(claims, issuer);
    return claims;
  }, keys.latest);

  return {
    authenticate: async (authorization) => {
      const token = bearerToken(authorization);
      if (token === undefined) return ANYONE;
      // Without the shared secret, the legacy public API key cannot be verified. It grants no more than a request
      // without a token.
      if (secret === undefined && isLegacyPublicKey(token)) return ANYONE;
      const claims = await tokens.verify(token);
      // Clients send the legacy public API key, which is a JWT, while nobody is signed in.
      return claims.role === PUBLIC_KEY_ROLE ? ANYONE : claims;
    },
    claimedCaller: (authorization) => {
      try {
        const token = bearerToken(authorization);
        if (token === undefined) return VISITORS;
        const { role, sub } = tokens.find(token) ?? decodeJwt(token);
        return role === PUBLIC_KEY_ROLE ? VISITORS : sub;
      } catch {
        return undefined;
      }
    },
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
    throw new Problem("invalid_token", { detail: 'The Authorization header must read "Bearer <token>".' });
  }
  // Older client libraries send the publishable key in this header while nobody is signed in.
  return token.startsWith("sb_publishable_") ? undefined : token;
}

/** Whether a token is the legacy public API key, whatever its signature. */
function isLegacyPublicKey(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg === SHARED_SECRET_ALGORITHM && decodeJwt(token).role === PUBLIC_KEY_ROLE;
  } catch {
    return false;
  }
}

function verifyClaims({ aud, iss, role, sub }: JWTPayload, issuer: string): void {
  const audiences = Array.isArray(aud) ? aud : [aud];
  if (iss !== issuer || !audiences.includes("authenticated") || !UUID.test(sub ?? ""))
    throw new Problem("invalid_token");
  if (!ROLES_OF_CALLER.user.includes(role as string)) throw new Problem("forbidden");
}

/**
 * Finds public keys. A token that names an unknown key makes it fetch them again, once for all requests that wait, and
 * not before {@link KEY_FETCH_MS} have passed. Until then, such a token is rejected at once.
 */
function publicKeys(url: URL): { find: JWTVerifyGetKey; latest: () => unknown } {
  let lastFetch = -Infinity;
  const fetched: JWKSCacheInput = {};
  const keySet = createRemoteJWKSet(url, {
    cooldownDuration: KEY_FETCH_MS,
    cacheMaxAge: WITHDRAWN_KEY_MS - TRUST_MS,
    [jwksCache]: fetched,
    // The cooldown begins with a success. An Auth server that fails is not asked more often either.
    [customFetch]: (address, options) => {
      if (performance.now() - lastFetch < KEY_FETCH_MS)
        return Promise.reject(new Error("The public keys could not be fetched a moment ago."));
      lastFetch = performance.now();
      return fetch(address, options);
    },
  });
  return {
    find: (header, token) => keySet(header, token).catch(rejectMissingKey),
    latest: () => fetched.jwks,
  };
}

/** Imports the secret once, because importing a key costs more than a verification. */
function secretKey(secret: string): Promise<CryptoKey> {
  return crypto.subtle.importKey("raw", new TextEncoder().encode(secret), { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
}

/**
 * If the key set does not contain the one key of the token, the token is invalid. If the key set cannot be fetched, the
 * token cannot be checked.
 */
function rejectMissingKey(error: unknown): never {
  const isInvalidToken = [errors.JWKSNoMatchingKey, errors.JWKSMultipleMatchingKeys, errors.JOSENotSupported].some(
    (type) => error instanceof type,
  );
  throw isInvalidToken ? error : new Problem("auth_unavailable", { cause: error });
}

function rejectToken(error: unknown): never {
  if (error instanceof Problem) throw error;
  throw new Problem(error instanceof errors.JWTExpired ? "token_expired" : "invalid_token", { cause: error });
}

import type { JWTPayload } from "jose";

/** How long a verified token is trusted. */
export const TRUST_MS = 60_000;
/**
 * Limits the memory to some 10 MB, together with the length of the tokens. The tokens that were verified first are
 * forgotten.
 */
const MAX_TOKENS = 1000;
/**
 * Those of Supabase Auth have about 1,000 characters. A member can make theirs longer, and it is then verified each
 * time.
 */
const MAX_LENGTH = 4000;

/** Tokens that were verified a moment ago. */
export interface VerifiedTokens {
  /** The claims of a token, if it is known to be valid. */
  find(token: string): JWTPayload | undefined;
  /** The claims of a token, which is verified unless it is known. */
  verify(token: string): Promise<JWTPayload>;
}

/**
 * Remembers tokens that were verified, because that costs a quarter of a read or more (docs/decisions/0082). A token
 * that was rejected is not remembered.
 * @param keys the keys in use. A token that was verified with others is verified again
 */
export function rememberVerified(verify: (token: string) => Promise<JWTPayload>, keys: () => unknown): VerifiedTokens {
  const verified = new Map<string, { claims: JWTPayload; keys: unknown; until: number }>();

  function find(token: string): JWTPayload | undefined {
    const entry = verified.get(token);
    return entry !== undefined && entry.keys === keys() && performance.now() < entry.until ? entry.claims : undefined;
  }

  return {
    find,
    verify: async (token) => {
      const known = find(token);
      if (known !== undefined) return known;
      // Read before: the keys may be fetched again during the verification.
      const entry = { keys: keys(), until: performance.now() + TRUST_MS };
      const claims = await verify(token);
      if (token.length > MAX_LENGTH) return claims;
      // Moves a token that is verified again to the end.
      verified.delete(token);
      if (verified.size === MAX_TOKENS) verified.delete(verified.keys().next().value!);
      verified.set(token, {
        ...entry,
        claims,
        until: Math.min(entry.until, performance.now() + claims.exp! * 1000 - Date.now()),
      });
      return claims;
    },
  };
}

import type { GoTrueClient } from "@supabase/auth-js";
import type { Environment } from "./env.ts";

/**
 * Returns the function that creates a client of Supabase Auth with the secret key of the project. A client holds one session, so each use has its own.
 * @throws Error if the variable with the keys is no JSON object
 */
export function createAuthAdmin(env: Environment): (signal: AbortSignal, headers?: Record<string, string>) => Promise<GoTrueClient> {
  const url = `${env.get("SUPABASE_URL")}/auth/v1`;
  const key = secretKey(env);

  return async (signal, headers = {}) => {
    if (!key) throw new Error("SUPABASE_SECRET_KEYS is not set.");
    // Loaded when it is needed first, so that other requests do not wait for it after a cold start.
    const { AuthClient } = await import("@supabase/auth-js");
    return new AuthClient({
      url,
      headers: { apikey: key, authorization: `Bearer ${key}`, ...headers },
      fetch: (input, init) => fetch(input, { ...init, signal }),
      persistSession: false,
      autoRefreshToken: false,
      detectSessionInUrl: false,
    });
  };
}

/** The project's secret key. Supabase sets the variable for every edge function. */
function secretKey(env: Environment): string | undefined {
  try {
    const keys = JSON.parse(env.get("SUPABASE_SECRET_KEYS") || "{}") as Record<string, string>;
    return keys.default ?? Object.values(keys)[0];
  } catch (error) {
    throw new Error("SUPABASE_SECRET_KEYS must be a JSON object of secret keys.", { cause: error });
  }
}

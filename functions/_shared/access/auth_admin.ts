import type { GoTrueClient } from "@supabase/auth-js";
import type { Environment } from "../ground/env.ts";
import { projectSecretKey } from "./project_key.ts";

/**
 * Returns the function that creates a client of Supabase Auth with the secret key of the project. A client holds one
 * session, so each use has its own.
 * @throws Error if the variable with the keys is no JSON object
 */
export function createAuthAdmin(
  env: Environment,
): (signal: AbortSignal, headers?: Record<string, string>) => Promise<GoTrueClient> {
  const url = `${env.get("SUPABASE_URL")}/auth/v1`;
  const key = projectSecretKey(env);

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

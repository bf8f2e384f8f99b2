import { GoTrueClient } from "@supabase/auth-js";
import type { Config } from "./config.ts";

/** The client of the Auth server. @param storageKey where it keeps the session */
export function createAuthClient({ supabaseUrl, publishableKey }: Config, storageKey: string): GoTrueClient {
  return new GoTrueClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey,
    detectSessionInUrl: false,
  });
}

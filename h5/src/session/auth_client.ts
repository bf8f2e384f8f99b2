import { GoTrueClient } from "@supabase/auth-js";
import type { Config } from "../../../web/config.ts";
import { storageKey } from "./stored_session.ts";

/** The client of the Auth server. @param onEnd called when the session has ended without a sign-out */
export function createAuthClient({ supabaseUrl, publishableKey }: Config, onEnd: () => void): GoTrueClient {
  const auth = new GoTrueClient({
    url: `${supabaseUrl}/auth/v1`,
    headers: { apikey: publishableKey },
    storageKey,
    detectSessionInUrl: false,
  });
  auth.onAuthStateChange((event) => {
    if (event === "SIGNED_OUT") onEnd();
  });
  return auth;
}

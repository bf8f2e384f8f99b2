import { createClient } from "@supabase/supabase-js";
import type { StackInfo } from "../../scripts/stack/stack.ts";
import { testContext } from "./context.ts";

/** The addresses, keys and accounts of the test stack. */
export function stack(): StackInfo {
  return testContext().stack;
}

/** A supabase-js client of the test stack with a session of its own. */
export function supabaseClient() {
  const { supabase_url, publishable_key } = stack();
  return createClient(supabase_url, publishable_key, { auth: { persistSession: false, autoRefreshToken: false } });
}

import { createClient } from "@supabase/supabase-js";
import type { StackInfo } from "../ground/stack_file.ts";
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

/**
 * The address of a database for edge functions: through PgBouncer if this run has one. An address of another server
 * stays as it is, such as that of a proxy of the test, and one with settings for the start of a connection, which
 * PgBouncer rejects.
 */
export function addressForFunctions(databaseUrl: string): string {
  const { poolerPort } = testContext();
  // An address with several servers is not that of the stack, and no URL that can be parsed.
  if (poolerPort === undefined || !URL.canParse(databaseUrl)) return databaseUrl;
  const url = new URL(databaseUrl);
  if (url.port !== new URL(stack().database_url).port || url.search !== "") return databaseUrl;
  url.port = String(poolerPort);
  return url.href;
}

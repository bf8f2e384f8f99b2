import { randomUUID } from "node:crypto";
import type postgres from "postgres";
import { expect } from "vitest";
import { codeAt } from "../../scripts/auth/totp.ts";
import { supabaseClient } from "../support/index.ts";
import type { Account } from "./client.ts";

/** Signs an account in, sets a second factor up, and returns the token of the session that has proved it. */
export async function prove({ email, password }: Account): Promise<string> {
  const { auth } = supabaseClient();
  expect((await auth.signInWithPassword({ email, password })).error).toBeNull();
  const { data } = await auth.mfa.enroll({ factorType: "totp", friendlyName: randomUUID() });
  await auth.mfa.challengeAndVerify({ factorId: data!.id, code: codeAt(data!.totp.secret, Date.now()) });
  return (await auth.getSession()).data.session!.access_token;
}

/**
 * Lets the functions of a test, which sign in as postgres, take the role of machine keys. As all other roles of
 * callers, postgres can become it then.
 */
export async function admitMachineKeys(sql: postgres.Sql): Promise<void> {
  await sql`grant store_key to postgres`;
}

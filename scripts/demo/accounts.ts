import { createClient } from "@supabase/supabase-js";
import type postgres from "postgres";
import ws from "ws";
import type { DemoUser } from "../ground/state.ts";
import { accountMembers } from "./company.ts";

/** For the local demo only. */
const password = "store-demo-2026";
export const adminEmail = "admin@example.com";

/** The Auth server of a stack, and the key with which it creates confirmed accounts. */
export interface DemoAuth {
  supabaseUrl: string;
  secretKey: string;
}

/** Creates a confirmed account. A sign-up would send a mail, of which the Auth server of Supabase sends two an hour. */
async function signUp(stack: DemoAuth, email: string, data: object): Promise<void> {
  // Node 20 has no WebSocket, and supabase-js requires one even if Realtime is not used.
  const client = createClient(stack.supabaseUrl, stack.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: ws as unknown as typeof WebSocket },
  });
  const account = { email, password, email_confirm: true, user_metadata: data };
  const { error } = await client.auth.admin.createUser(account);
  if (error) throw new Error(`The demo account ${email} could not sign up: ${error.message}`);
}

async function uidOf(sql: postgres.Sql, email: string): Promise<number> {
  const [row] =
    await sql`select u.uid from app.users as u join auth.users as a on a.id = u.auth_id where a.email = ${email}`;
  return Number(row?.uid);
}

/**
 * Signs up the accounts with passwords through the Auth server, each with the data of a share link.
 * @param uids the uids of the members created so far, by index. The uids of the accounts are added
 */
export async function signUpAccounts(sql: postgres.Sql, stack: DemoAuth, uids: Map<number, number>): Promise<void> {
  for (const account of accountMembers) {
    await signUp(stack, account.email, { nickname: account.nickname, spread: uids.get(account.parent) });
    uids.set(uids.size, await uidOf(sql, account.email));
  }
  await signUp(stack, adminEmail, { nickname: "Store office" });
  await sql`select app.add_administrator(${adminEmail})`;
}

/** The accounts that can sign in. Not every administrator is a member. */
export async function listAccounts(sql: postgres.Sql): Promise<DemoUser[]> {
  const rows = await sql<{ email: string; uid: string | null; role: DemoUser["role"] }[]>`
    select a.email, u.uid, a.role from auth.users as a left join app.users as u on u.auth_id = a.id
    where a.encrypted_password <> '' order by u.uid, a.email`;
  return rows.map((row) => ({
    email: row.email,
    password,
    uid: row.uid === null ? null : Number(row.uid),
    role: row.role,
  }));
}

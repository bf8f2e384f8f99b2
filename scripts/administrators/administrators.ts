import type postgres from "postgres";
import { Problem } from "../stack/problem.ts";
import { createAccount } from "./create_account.ts";

/** An account that became an administrator. */
export interface AddedAdministrator {
  id: string;
  email: string;
  /** The password of an account that was created; null if the account existed. */
  password: string | null;
}

export interface Administrator {
  id: string;
  email: string;
  roles: string[];
  added_at: string;
  /** Whether the account may act: it has its role and is neither banned nor deleted. */
  may_act: boolean;
}

/** Makes an account an administrator, and creates it if there is none with this address. @throws Problem if the address is not confirmed */
export async function addAdministrator(sql: postgres.Sql, email: string): Promise<AddedAdministrator> {
  const known = await findAccount(sql, email);
  // Whoever signed up with the address of somebody else has chosen the password.
  if (known && !known.is_confirmed) {
    throw new Problem(`The address ${email} has an account that was never confirmed, so anybody may have created it.`, "Confirm the address with the message that Supabase sent to it, or delete the account (Dashboard, Authentication). Then run the command again.");
  }
  const { id, password } = known ? { id: known.id, password: null } : await createAccount(email);
  if (!known && !(await findAccount(sql, email))) {
    throw new Problem(`The account ${email} was created, but it is not in the database of DATABASE_URL.`, "DATABASE_URL and SUPABASE_URL must name the same project. Correct them and run the command again.");
  }
  await sql`select app.add_administrator(${id})`;
  return { id, email, password };
}

/** Removes an administrator. @returns whether the account was one, and how many administrators are left */
export async function removeAdministrator(sql: postgres.Sql, email: string): Promise<{ removed: boolean; left: number }> {
  const all = await administrators(sql);
  const found = all.find((each) => each.email.toLowerCase() === email.toLowerCase());
  if (found) await sql`select app.remove_administrator(${found.id})`;
  return { removed: found !== undefined, left: all.length - (found ? 1 : 0) };
}

export async function administrators(sql: postgres.Sql): Promise<Administrator[]> {
  return [...await sql<Administrator[]>`
    select a.auth_id as id, u.email, a.roles, app.utc(a.added_at) as added_at,
      u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true) as may_act
    from app.administrators as a join auth.users as u on u.id = a.auth_id order by a.added_at, a.auth_id`];
}

async function findAccount(sql: postgres.Sql, email: string): Promise<{ id: string; is_confirmed: boolean } | undefined> {
  const [account] = await sql<{ id: string; is_confirmed: boolean }[]>`
    select u.id, u.email_confirmed_at is not null as is_confirmed from auth.users as u where lower(u.email) = lower(${email}) and u.deleted_at is null`;
  return account;
}

import type postgres from "postgres";
import { Problem } from "../ground/problem.ts";
import { createAccount } from "./create_account.ts";

/** An account that became an administrator. */
export interface AddedAdministrator {
  id: string;
  email: string;
  /** The password of an account that was created; null if the account existed. */
  password: string | null;
  /** Whether the account has lost a password that a stranger may have chosen (app.unproved_passwords). */
  needs_new_password: boolean;
  roles: string[];
}

export interface Administrator {
  id: string;
  email: string;
  name: string;
  roles: string[];
  added_at: string;
  /** Whether the account may act: it has its role and is neither banned nor deleted. */
  may_act: boolean;
}

export const ROLES = ["owner", "finance", "service", "content"];

/**
 * Makes an account an administrator, and creates it if there is none with this address. An administrator gets the roles
 * instead of the earlier ones.
 * @param roles undefined: owner for a new administrator; the roles of an existing one stay
 * @param name shown to other administrators; undefined: the email address, or the earlier name
 * @throws Problem if the address is not confirmed, or if the last owner would lose the role
 */
export async function addAdministrator(
  sql: postgres.Sql,
  email: string,
  roles: string[] | undefined,
  name?: string,
): Promise<AddedAdministrator> {
  const known = await findAccount(sql, email);
  // Whoever signed up with the address of somebody else has chosen the password.
  if (known && !known.is_confirmed) {
    throw new Problem(
      `The address ${email} has an account that was never confirmed, so anybody may have created it.`,
      "Confirm the address with the message that Supabase sent to it, or delete the account (Dashboard, Authentication). Then run the command again.",
    );
  }
  const { id, password } = known ? { id: known.id, password: null } : await createAccount(email);
  if (!known && !(await findAccount(sql, email))) {
    throw new Problem(
      `The account ${email} was created, but it is not in the database of DATABASE_URL.`,
      "DATABASE_URL and SUPABASE_URL must name the same project. Correct them and run the command again.",
    );
  }
  await keepingAnOwner(sql`
    select app.add_administrator(${id}, coalesce(${roles ?? null}::text[], (select a.roles from app.administrators as a where a.auth_id = ${id}), '{owner}'), ${name ?? null})`);
  const added = (await administrators(sql)).find((each) => each.id === id);
  return { id, email, password, needs_new_password: known?.needs_new_password ?? false, roles: added!.roles };
}

/** Removes an administrator. @returns whether the account was one @throws Problem if it is the last owner */
export async function removeAdministrator(sql: postgres.Sql, email: string): Promise<boolean> {
  const found = (await administrators(sql)).find((each) => each.email.toLowerCase() === email.toLowerCase());
  if (found) await keepingAnOwner(sql`select app.remove_administrator(${found.id})`);
  return found !== undefined;
}

/** Removes the second factors of an administrator and ends their sessions. @returns whether there was one */
export async function removeSecondFactors(sql: postgres.Sql, email: string): Promise<boolean> {
  const found = (await administrators(sql)).find((each) => each.email.toLowerCase() === email.toLowerCase());
  if (!found) return false;
  const [result] = await sql<{ removed: boolean }[]>`select app.remove_factors(${found.id}) as removed`;
  return result!.removed;
}

export async function administrators(sql: postgres.Sql): Promise<Administrator[]> {
  return [
    ...(await sql<Administrator[]>`
    select a.auth_id as id, u.email, a.name, a.roles, app.utc(a.added_at) as added_at,
      u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true) as may_act
    from app.administrators as a join auth.users as u on u.id = a.auth_id order by a.added_at, a.auth_id`),
  ];
}

/** @throws Problem if the change would leave no owner */
async function keepingAnOwner(change: PromiseLike<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if ((error as { code?: string }).code !== "PT422") throw error;
    throw new Problem(
      String((error as { detail?: string }).detail),
      "Example: npm run admin -- add other@example.com --roles owner",
    );
  }
}

async function findAccount(
  sql: postgres.Sql,
  email: string,
): Promise<{ id: string; is_confirmed: boolean; needs_new_password: boolean } | undefined> {
  const [account] = await sql<{ id: string; is_confirmed: boolean; needs_new_password: boolean }[]>`
    select u.id, u.email_confirmed_at is not null as is_confirmed, exists (select from app.unproved_passwords as p where p.auth_id = u.id and not p.is_proved) as needs_new_password
    from auth.users as u where lower(u.email) = lower(${email}) and u.deleted_at is null`;
  return account;
}

import { Argument, InvalidArgumentError } from "commander";
import {
  addAdministrator,
  administrators,
  removeAdministrator,
  removeSecondFactors,
  ROLES,
} from "../administrators/administrators.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { Problem } from "../ground/problem.ts";

const command = describeCommand({
  usage: "npm run admin --",
  summary: `Adds, removes and lists the administrators of the store, changes their roles, and removes a second factor that somebody has lost. If there is no account with this email address, \`add\` creates one and prints its
password once: an administrator who is no member. The command works on the running local stack, or on the project that the variables name.`,
  notes: `DATABASE_URL          the database of the project (role postgres)
SUPABASE_URL          the address of the project, https://<ref>.supabase.co
SUPABASE_SECRET_KEY   its secret key, sb_secret_… or the older service_role key

A role says what an administrator may change; all but content also read everything else; account numbers and exports are for owner and finance.
owner: everything. finance: refunds, payments, withdrawals and adjustments. service: orders, refunds and members. content: articles and products. With --roles, \`add\` replaces the roles of
an administrator at once; without it, a new administrator is an owner and others keep their roles. The last owner cannot be removed or lose the role.

\`reset-factor\` removes the second factors of an account and signs it out everywhere, for an owner who has lost their device when no two others are left.

\`remove\`, \`reset-factor\` and \`list\` need only DATABASE_URL. \`add\` needs the other two only to create an account.
Exit status: 0 done, 1 there is no such account or administrator, 2 the command failed.`,
})
  .addArgument(new Argument("<action>").choices(["add", "remove", "reset-factor", "list"]))
  .argument("[email]", "the email address of the account, except for list")
  .option("--roles <roles>", `for add: ${ROLES.join(", ")}, separated by commas`, parseRoles)
  .option("--name <name>", "for add: the name that other administrators see (by default the email address)")
  .option("--json", "print the result as JSON");

function parseRoles(text: string): string[] {
  const roles = [...new Set(text.split(",").map((role) => role.trim()))];
  if (!roles.every((role) => ROLES.includes(role)))
    throw new InvalidArgumentError(`The roles are ${ROLES.join(", ")}.`);
  return roles;
}

type Action = "add" | "remove" | "reset-factor" | "list";

/** @throws Problem unless the action has an email address if, and only if, it needs one */
function requireEmail(action: Action, email: string | undefined): string {
  if (action === "list" && email !== undefined)
    throw new Problem("`list` takes no email address.", "Run `npm run admin -- list`.");
  if (action !== "list" && !/^[^\s@]+@[^\s@]+$/.test(email ?? ""))
    throw new Problem(
      `\`${action}\` needs the email address of the account.`,
      `Example: npm run admin -- ${action} you@example.com`,
    );
  return email ?? "";
}

/**
 * SUPABASE_URL alone would create an account in one project and the administrator in the database of the local stack.
 */
function requireDatabaseOfProject(): void {
  if (process.env.SUPABASE_URL && !process.env.DATABASE_URL) {
    throw new Problem(
      "SUPABASE_URL is set, but DATABASE_URL is not.",
      "Set DATABASE_URL to the database of the same project (Dashboard, Connect, role postgres), or unset both to use the local stack.",
    );
  }
}

async function add(
  email: string,
  roles: string[] | undefined,
  name: string | undefined,
  json: boolean,
): Promise<number> {
  const added = await withDatabase((sql) => addAdministrator(sql, email, roles, name));
  if (json) console.log(JSON.stringify(added, null, 2));
  else {
    console.log(`${added.email} is an administrator with the roles: ${added.roles.join(", ")}.`);
    if (added.needs_new_password)
      console.log(
        'The password was chosen before the address was confirmed, so it no longer works. Choose "Forgot your password?" in the console to set a new one.',
      );
    else if (added.password === null)
      console.log(
        "Sign in to the console with the password of the account. If you are signed in with it already, sign out first.",
      );
    else console.log(`The account is new. Its password, which is shown only now: ${added.password}`);
  }
  return 0;
}

async function remove(email: string, json: boolean): Promise<number> {
  const removed = await withDatabase((sql) => removeAdministrator(sql, email));
  if (json) console.log(JSON.stringify({ email, removed }, null, 2));
  else {
    console.log(
      removed ? `${email} is no longer an administrator. The account remains.` : `${email} is not an administrator.`,
    );
  }
  return removed ? 0 : 1;
}

async function resetFactor(email: string, json: boolean): Promise<number> {
  const removed = await withDatabase((sql) => removeSecondFactors(sql, email));
  if (json) console.log(JSON.stringify({ email, removed }, null, 2));
  else
    console.log(
      removed
        ? `The second factors of ${email} were removed, and its sessions have ended.`
        : `${email} has no second factor.`,
    );
  return removed ? 0 : 1;
}

async function list(json: boolean): Promise<number> {
  const all = await withDatabase(administrators);
  if (json) console.log(JSON.stringify(all, null, 2));
  else if (all.length === 0) console.log("The store has no administrator. Add one: npm run admin -- add <email>");
  else
    printTable(
      ["email", "name", "roles", "since", "may act"],
      all.map(({ email, name, roles, added_at, may_act }) => [
        email,
        name,
        roles.join(", "),
        added_at,
        may_act ? "yes" : "no",
      ]),
    );
  return 0;
}

async function run(
  action: Action,
  given: string | undefined,
  { json = false, roles, name }: { json?: boolean; roles?: string[]; name?: string },
): Promise<number> {
  const email = requireEmail(action, given);
  requireDatabaseOfProject();
  if (roles && action !== "add")
    throw new Problem(
      `\`${action}\` takes no roles.`,
      "Example: npm run admin -- add you@example.com --roles finance,service",
    );
  if (name !== undefined && action !== "add")
    throw new Problem(`\`${action}\` takes no name.`, 'Example: npm run admin -- add you@example.com --name "Wang Li"');
  if (action === "add") return add(email, roles, name, json);
  if (action === "reset-factor") return resetFactor(email, json);
  return action === "remove" ? remove(email, json) : list(json);
}

await runCommandLine(command, run, 2);

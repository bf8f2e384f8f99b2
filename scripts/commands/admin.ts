import { Argument } from "commander";
import { addAdministrator, administrators, removeAdministrator } from "../administrators/administrators.ts";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { Problem } from "../stack/problem.ts";

const command = describeCommand({
  usage: "npm run admin --",
  summary: `Adds, removes and lists the administrators of the store. If there is no account with this email address, \`add\` creates one and prints its
password once. The command works on the running local stack, or on the project that the variables name.`,
  notes: `DATABASE_URL          the database of the project (role postgres)
SUPABASE_URL          the address of the project, https://<ref>.supabase.co
SUPABASE_SECRET_KEY   its secret key, sb_secret_… or the older service_role key

\`remove\` and \`list\` need only DATABASE_URL. \`add\` needs the other two only to create an account.
Exit status: 0 done, 1 there is no such account or administrator, 2 the command failed.`,
})
  .addArgument(new Argument("<action>").choices(["add", "remove", "list"]))
  .argument("[email]", "the email address of the account, for add and remove")
  .option("--json", "print the result as JSON");

type Action = "add" | "remove" | "list";

/** @throws Problem unless the action has an email address if, and only if, it needs one */
function requireEmail(action: Action, email: string | undefined): string {
  if (action === "list" && email !== undefined) throw new Problem("`list` takes no email address.", "Run `npm run admin -- list`.");
  if (action !== "list" && !/^[^\s@]+@[^\s@]+$/.test(email ?? "")) throw new Problem(`\`${action}\` needs the email address of the account.`, `Example: npm run admin -- ${action} you@example.com`);
  return email ?? "";
}

/** SUPABASE_URL alone would create an account in one project and the administrator in the database of the local stack. */
function requireDatabaseOfProject(): void {
  if (process.env.SUPABASE_URL && !process.env.DATABASE_URL) {
    throw new Problem("SUPABASE_URL is set, but DATABASE_URL is not.", "Set DATABASE_URL to the database of the same project (Dashboard, Connect, role postgres), or unset both to use the local stack.");
  }
}

async function add(email: string, json: boolean): Promise<number> {
  const added = await withDatabase((sql) => addAdministrator(sql, email));
  if (json) console.log(JSON.stringify(added, null, 2));
  else {
    console.log(`${added.email} is an administrator.`);
    if (added.password === null) console.log("Sign in to the console with the password of the account. If you are signed in with it already, sign out first.");
    else console.log(`The account is new. Its password, which is shown only now: ${added.password}`);
  }
  return 0;
}

async function remove(email: string, json: boolean): Promise<number> {
  const { removed, left } = await withDatabase((sql) => removeAdministrator(sql, email));
  if (json) console.log(JSON.stringify({ email, removed, left }, null, 2));
  else {
    console.log(removed ? `${email} is no longer an administrator. The account remains, as a member.` : `${email} is not an administrator.`);
    if (left === 0) console.log("The store has no administrator now. Add one: npm run admin -- add <email>");
  }
  return removed ? 0 : 1;
}

async function list(json: boolean): Promise<number> {
  const all = await withDatabase(administrators);
  if (json) console.log(JSON.stringify(all, null, 2));
  else if (all.length === 0) console.log("The store has no administrator. Add one: npm run admin -- add <email>");
  else printTable(["email", "roles", "since", "may act"], all.map(({ email, roles, added_at, may_act }) => [email, roles.join(", "), added_at, may_act ? "yes" : "no"]));
  return 0;
}

async function run(action: Action, given: string | undefined, { json = false }: { json?: boolean }): Promise<number> {
  const email = requireEmail(action, given);
  requireDatabaseOfProject();
  if (action === "add") return add(email, json);
  return action === "remove" ? remove(email, json) : list(json);
}

await runCommandLine(command, run, 2);

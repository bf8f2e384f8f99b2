import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { openConnection } from "../ground/open_connection.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run archive:server",
  summary: `Names the other server for archived months: prepares its database, and gives its address and password to the store. It is repeated after a new
password or address, and after an update of the store.`,
  notes: `DATABASE_URL           the database of the store (default: the running local stack)
ARCHIVE_DATABASE_URL   an empty database on the other server, at an address that reaches it from here and from the server of the store. Its
                       role owns the database and has a password, in which a special character is written as in any URL: % as %25. The
                       query may have options of libpq, such as ?sslmode=verify-full&sslrootcert=system, which replace those of before

docs/scale.md, "On another server", describes how months are moved.

Exit status: 0 the server is named; 2 it could not be prepared, or is of a version that computes in another way.`,
});

const VARIABLE = "ARCHIVE_DATABASE_URL";

/** Whether a URL names a database, a role and a password that can be read. */
function isComplete(text: string): boolean {
  if (!/^postgres(ql)?:/.test(text) || !URL.canParse(text)) return false;
  const { username, password, hostname, pathname } = new URL(text);
  try {
    return [username, password, hostname, pathname.slice(1)].every((part) => decodeURIComponent(part) !== "");
  } catch {
    return false;
  }
}

function otherAddress(): URL {
  const address = process.env[VARIABLE] ?? "";
  if (!isComplete(address))
    throw new Problem(
      `${VARIABLE} is not the URL of a database with a role and a password.`,
      "Example: postgresql://archivist:password@archive.internal:5432/old_months?sslmode=require. In a password, % is written as %25, # as %23 and / as %2F.",
    );
  return new URL(address);
}

async function prepare(address: URL, script: string): Promise<void> {
  // The other options of libpq are for the server of the store: this driver would send them to the server as settings.
  const own = new URL(address);
  own.search = "";
  const mode = address.searchParams.get("sslmode");
  if (mode !== null) own.searchParams.set("sslmode", mode);
  const other = openConnection(own.href, { max: 1, connect_timeout: 10, onnotice: () => undefined });
  try {
    await other.unsafe(script);
  } catch (error) {
    throw new Problem(
      `The database at ${address.host} could not be prepared: ${(error as Error).message}`,
      `Check ${VARIABLE}. Its role must own the database.`,
    );
  } finally {
    await other.end();
  }
}

// Values are bound, so that no log of statements has the password.
async function nameServer(): Promise<void> {
  const address = otherAddress();
  const server = {
    ...Object.fromEntries(address.searchParams),
    host: address.hostname,
    port: address.port || "5432",
    dbname: decodeURIComponent(address.pathname.slice(1)),
  };
  await withDatabase(async (sql) => {
    const [row] = await sql<{ script: string }[]>`select app.other_server_script() as script`;
    await step(`Database ${server.dbname} at ${address.host}`, () => prepare(address, row!.script));
    await step(
      "The store names it",
      () =>
        sql`select app.set_other_server(${sql.json(server)}, ${decodeURIComponent(address.username)}, ${decodeURIComponent(address.password)})`,
    );
  });
  console.log("call app.move_months('user_bill', '2025-03') moves the archived months up to this one.");
}

await runCommandLine(command, nameServer, 2);

import type postgres from "postgres";
import { isTlsErrorCode } from "../../functions/_shared/ground/tls.ts";
import { prepareForOwnServers } from "../ground/environment.ts";
import { isWrongPassword, openConnection, poolerMode, refusalAdvice } from "../ground/open_connection.ts";
import { Problem } from "../ground/problem.ts";
import { readStackFile } from "../ground/stack_file.ts";

const transactionMode = () =>
  new Problem(
    "DATABASE_URL leads through a pooler in transaction mode, which keeps no settings and locks for a command.",
    "Use the address of the server, or of a pooler in session mode (Supabase: Dashboard, Connect, Session pooler, port 5432).",
  );

const isEncoded = (text: string) => {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
};

/** @throws Problem unless a text is an address of a database that keeps a session for a command */
export function requireDatabaseUrl(
  text: string,
  example = "postgresql://postgres:password@127.0.0.1:5432/postgres",
): void {
  if (!/^postgres(ql)?:/.test(text) || !URL.canParse(text) || !isEncoded(text))
    throw new Problem(
      "DATABASE_URL is not a database URL.",
      `Percent-encode special characters of the password (/ is %2F). Example: ${example}`,
    );
  if (poolerMode(text) === "transaction") throw transactionMode();
}

/**
 * The URL of the database that a command works on: DATABASE_URL, or else the database of the running local stack.
 * @throws Problem if there is neither
 */
export function databaseAddress(): string {
  const address = process.env.DATABASE_URL;
  if (address) {
    requireDatabaseUrl(address);
    return address;
  }
  const stack = readStackFile();
  if (!stack)
    throw new Problem(
      "No database is available.",
      "Start the local stack with `npm start`, or set DATABASE_URL to the URL of another database (role postgres).",
    );
  prepareForOwnServers();
  return stack.database_url;
}

/** SQLSTATEs of an unknown schema, table or function. */
const undefinedObject = ["3F000", "42P01", "42883"];

function adviceBySqlstate(code: string): string {
  if (undefinedObject.includes(code))
    return "Check that DATABASE_URL names the database of a store with the migrations of this version.";
  if (code === "55P03") return "Another transaction is in the way. Run the command again when it has ended.";
  if (code === "XX001")
    return "Rows are not what they were. Nothing was changed: compare them with a backup (docs/operations.md, Backups).";
  // A value that nothing can be computed from: the store itself writes none.
  if (code.startsWith("22"))
    return "Somebody has changed a row by hand. Find it with npm run reconcile and a backup (docs/operations.md, Backups), and put it right.";
  return "Check DATABASE_URL. Its role must be postgres, the owner of the store.";
}

/** Converts an error of the database or its driver to a message for the user. @returns undefined for any other error */
function databaseProblem(error: unknown, address: string): Problem | undefined {
  const { name, code, detail, message } = error as { name?: string; code?: string; detail?: string; message?: string };
  const { hostname, host, username } = new URL(address);
  // The store raised it with a text that explains the error (app.fail).
  if (code?.startsWith("PT"))
    return new Problem(`${message}: ${detail}`, "Correct the options and run the command again; --help lists them.");
  if (isWrongPassword({ code, message }))
    return new Problem(
      `The database at ${host} rejects the password of ${decodeURIComponent(username)}: ${message} (${code})`,
      "Correct the password in DATABASE_URL, with special characters percent-encoded (/ is %2F). Supabase: Dashboard, Database Settings, Reset database password, sets a new one.",
    );
  // A pooler may have changed the connection between two statements.
  if (code === "42P05" || code === "26000") return transactionMode();
  if (name === "PostgresError") {
    const refusal = refusalAdvice(message ?? "", "DATABASE_URL");
    if (refusal) return new Problem(`The database at ${host} refuses the connection: ${message} (${code})`, refusal);
    return new Problem(`The database at ${host} reported an error: ${message} (${code})`, adviceBySqlstate(code!));
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN")
    return new Problem(
      `The host ${hostname} of DATABASE_URL could not be resolved (${code}).`,
      "Check the address and the network connection of this machine. A project that is paused or does not exist has no host either.",
    );
  if (code === "ENETUNREACH" || code === "EHOSTUNREACH")
    return new Problem(
      `The database at ${host} could not be reached (${code}).`,
      "Check the network connection of this machine. The server of a project has only an IPv6 address: use that of the session pooler (Dashboard, Connect).",
    );
  if (code && isTlsErrorCode(code)) {
    return new Problem(
      `No encrypted connection to the database at ${host}: ${message} (${code})`,
      "Set STORE_DB_CA to the certificate of the authority of the server, in PEM (Supabase: Dashboard, Database Settings, SSL Configuration). docs/deploy.md describes it.",
    );
  }
  if (code && /^(E[A-Z]+|CONN[A-Z_]+)$/.test(code))
    return new Problem(
      `The database at ${host} could not be reached (${code}).`,
      "Start the local stack with `npm start`, or check DATABASE_URL.",
    );
  return undefined;
}

/**
 * Rejects a pooler in transaction mode: settings of the command would reach other clients, and its locks would outlive
 * it. Such a pooler gives a second client the connection that the first one has just used.
 * @throws Problem that says which address to use
 */
async function requireSession(sql: postgres.Sql, address: string): Promise<void> {
  const backend = async (connection: postgres.Sql) =>
    (await connection<{ pid: number }[]>`select pg_backend_pid() as pid`)[0]!.pid;
  const first = await backend(sql);
  const second = openConnection(address, { max: 1, connect_timeout: 10, fetch_types: false });
  try {
    if ((await backend(second)) !== first) return;
  } finally {
    await second.end();
  }
  throw transactionMode();
}

/**
 * Runs the work of a command on its database, without the time limit that its role may have. The first statement lifts
 * it, because poolers do not pass on what a client sets at the start of a connection; the connection is therefore never
 * replaced. Values of type bigint and numeric are strings.
 * @param onNotice called with each notice of the database
 */
export async function withDatabase<T>(
  work: (sql: postgres.Sql) => Promise<T>,
  onNotice: (message: string) => void = () => undefined,
): Promise<T> {
  const address = databaseAddress();
  const sql = openConnection(address, {
    max: 1,
    connect_timeout: 10,
    max_lifetime: null,
    onnotice: (notice) => onNotice(String(notice.message)),
  });
  try {
    await requireSession(sql, address);
    await sql`set statement_timeout = 0`;
    return await work(sql);
  } catch (error) {
    throw databaseProblem(error, address) ?? error;
  } finally {
    await sql.end();
  }
}

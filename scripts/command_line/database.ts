import postgres from "postgres";
import { Problem } from "../stack/problem.ts";
import { readStackFile } from "../stack/stack_file.ts";

/**
 * The database that a console command works on: that of DATABASE_URL, else that of the running local stack.
 * @throws Problem when there is neither
 */
function databaseAddress(): string {
  const address = process.env.DATABASE_URL;
  if (address) {
    if (!/^postgres(ql)?:/.test(address) || !URL.canParse(address)) throw new Problem("DATABASE_URL is no address of a database.", "It looks like this: postgresql://postgres:password@127.0.0.1:5432/postgres");
    return address;
  }
  const stack = readStackFile();
  if (!stack) throw new Problem("There is no database to work on.", "Start the local stack with `npm start`, or set DATABASE_URL to the address of another one (role postgres).");
  return stack.database_url;
}

const notThere = ["3F000", "42P01", "42883"];

/** What an error of the driver means to whoever ran the command; undefined when it is none. */
function databaseProblem(error: unknown, address: string): Problem | undefined {
  const { name, code, detail, message } = error as { name?: string; code?: string; detail?: string; message?: string };
  const { hostname, host } = new URL(address);
  // Errors of the store explain themselves; see sql/4_app/access/fail.sql.
  if (code?.startsWith("PT")) return new Problem(`${message}: ${detail}`, "Correct the options and run the command again; --help lists them.");
  if (name === "PostgresError") {
    const advice = notThere.includes(code!) ? "Check that DATABASE_URL names the database of a store, with the migrations of this version." : "Check DATABASE_URL; its role must be postgres, the owner of the store.";
    return new Problem(`The database at ${host} refuses: ${message} (${code})`, advice);
  }
  if (code === "ENOTFOUND" || code === "EAI_AGAIN") return new Problem(`The host ${hostname} of DATABASE_URL is not known (${code}).`, "Check the address, and that this machine is connected to a network.");
  if (code && /^(E[A-Z]+|CONN[A-Z_]+)$/.test(code)) return new Problem(`The database at ${host} does not answer (${code}).`, "Start the local stack with `npm start`, or check DATABASE_URL.");
  return undefined;
}

/**
 * Runs a console command's work on its database. bigint and numeric arrive as strings.
 * @param onNotice called with what the database says while it works
 */
export async function withDatabase<T>(work: (sql: postgres.Sql) => Promise<T>, onNotice: (message: string) => void = () => undefined): Promise<T> {
  const address = databaseAddress();
  const sql = postgres(address, { max: 1, connect_timeout: 10, onnotice: (notice) => onNotice(String(notice.message)) });
  try {
    return await work(sql);
  } catch (error) {
    throw databaseProblem(error, address) ?? error;
  } finally {
    await sql.end();
  }
}

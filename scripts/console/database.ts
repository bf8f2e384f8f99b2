import { existsSync, readFileSync } from "node:fs";
import postgres from "postgres";
import { localDirectory, StackPlace } from "../stack/paths.ts";
import { Problem } from "../stack/problem.ts";
import type { StackInfo } from "../stack/stack.ts";

/**
 * The database that a console command works on: that of DATABASE_URL, else that of the running local stack.
 * @throws Problem when there is neither
 */
function databaseAddress(): string {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const { stackFile } = new StackPlace(localDirectory);
  if (!existsSync(stackFile)) throw new Problem("There is no database to work on.", "Start the local stack with `npm start`, or set DATABASE_URL to the address of another one (role postgres).");
  return (JSON.parse(readFileSync(stackFile, "utf8")) as StackInfo).database_url;
}

/**
 * Runs a console command's work on its database. bigint and numeric arrive as strings.
 * @param onNotice called with what the database says while it works
 */
export async function withDatabase<T>(work: (sql: postgres.Sql) => Promise<T>, onNotice: (message: string) => void = () => undefined): Promise<T> {
  const sql = postgres(databaseAddress(), { max: 1, connect_timeout: 10, onnotice: (notice) => onNotice(String(notice.message)) });
  try {
    return await work(sql);
  } catch (error) {
    const { code, detail, message } = error as { code?: string; detail?: string; message?: string };
    // Errors of the store explain themselves; see sql/30_access/fail.sql.
    if (code?.startsWith("PT")) throw new Problem(`${message}: ${detail}`, "Correct the options and run the command again; --help lists them.");
    if (code === "ECONNREFUSED" || code === "CONNECT_TIMEOUT") throw new Problem("The database does not answer.", "Start the local stack with `npm start`, or check DATABASE_URL.");
    throw error;
  } finally {
    await sql.end();
  }
}

import { readFileSync } from "node:fs";
import type postgres from "postgres";

/** The private memory of a session, in MB; undefined if the system does not provide it. */
export async function sessionMemory(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    return Math.round(Number(readFileSync(`/proc/${row?.pid}/status`, "utf8").match(/RssAnon:\s+(\d+)/)?.[1]) / 1024);
  } catch {
    return undefined;
  }
}

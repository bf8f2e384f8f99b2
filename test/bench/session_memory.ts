import { readFileSync } from "node:fs";
import type postgres from "postgres";

/** Memory that a session has of its own, in MB; undefined where the system does not tell. */
export async function sessionMemory(sql: postgres.Sql): Promise<number | undefined> {
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  try {
    return Math.round(Number(readFileSync(`/proc/${row?.pid}/status`, "utf8").match(/RssAnon:\s+(\d+)/)?.[1]) / 1024);
  } catch {
    return undefined;
  }
}

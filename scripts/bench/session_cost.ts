import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { Problem } from "../ground/problem.ts";
import type { BenchServer } from "./bench_server.ts";

/** What a session has used for some work. */
export interface Cost {
  /**
   * Processor time of the session, in microseconds. Other work on the machine changes it much less than the duration.
   */
  cpu: number;
  /** Milliseconds. */
  duration: number;
  /**
   * Bytes that the server has written to its log: records, and images of pages that were changed for the first time
   * since a checkpoint.
   */
  log: { records: number; images: number };
}

/** The processor time that a process has used so far, in microseconds. */
export function processorTime(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
  } catch {
    throw new Problem(
      "The processor time of a session could not be read.",
      "This workload needs /proc. Run it on Linux.",
    );
  }
}

/** Measures what a session uses for some work. Nothing else may write to the server meanwhile. */
export async function costOf(
  server: BenchServer,
  url: string,
  sql: postgres.Sql,
  work: () => Promise<unknown>,
): Promise<Cost> {
  const [before] = await sql<
    { pid: number; position: string }[]
  >`select pg_backend_pid() as pid, pg_current_wal_insert_lsn() as position`;
  const started = performance.now();
  const cpu = processorTime(before!.pid);
  await work();
  const used = processorTime(before!.pid) - cpu;
  const duration = performance.now() - started;
  return { cpu: used, duration, log: await server.logSince(url, before!.position) };
}

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { Problem } from "../ground/problem.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import { commandLine, serverUser } from "../ground/server_user.ts";
import type { BenchServer } from "./bench_server.ts";

/** Whether this machine can count instructions. */
export const hasValgrind = () => spawnSync("valgrind", ["--version"]).status === 0;

/** @throws Problem if this machine cannot count instructions */
export function requireValgrind(): void {
  if (!hasValgrind())
    throw new Problem(
      "valgrind, which counts instructions, was not found on this machine.",
      "Install it, on Debian: apt-get install valgrind",
    );
}

/** A statement, and the address of its database on the server. */
export interface Statement {
  url: string;
  sql: string;
}

/**
 * Counts the instructions of one execution of a statement, from two runs that execute it a different number of times.
 */
export type Count = (statement: Statement, times: { fewer: number; more: number }) => Promise<number>;

/** Settings of the process. It writes the pages that are left at its end, which the kernel may keep. */
const SETTINGS = { shared_buffers: "256MB", jit: "off", fsync: "off" };

/**
 * Counts instructions in a copy of the data of the server: callgrind runs a Postgres of one process on it. The
 * difference of two runs has no start and no end of a process in it. It varies by about 2 %, whatever else the machine
 * does.
 */
export function withCounter<T>(server: BenchServer, work: (count: Count) => Promise<T>): Promise<T> {
  return server.withCopy((data, bin) => {
    const settings = Object.entries(SETTINGS).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
    const run = async ({ url, sql }: Statement, times: number): Promise<number> => {
      const program = [join(bin, "postgres"), "--single", "-D", data, ...settings, new URL(url).pathname.slice(1)];
      const args = ["--tool=callgrind", "--callgrind-out-file=/dev/null", ...program];
      // A line is a statement. The owner of the tables executes it, as in the other workloads.
      const lines = ["set session authorization postgres", `prepare counted as ${sql.replace(/\s+/g, " ")}`];
      const input = [...lines, ...Array.from({ length: times }, () => "execute counted"), ""].join("\n");
      const { output } = await runCommand(...commandLine("valgrind", args, "SIGTERM", serverUser()), {
        cwd: "/",
        input,
      });
      const collected = /Collected : (\d+)/.exec(output)?.[1];
      if (!collected || /\b(ERROR|FATAL|PANIC): /.test(output))
        throw new Error(`Not counted: ${sql}\n${lastLines(output)}`);
      return Number(collected);
    };
    return work(async (statement, { fewer, more }) => {
      // The first run in a database writes the caches of its catalogue.
      await run(statement, 0);
      const before = await run(statement, fewer);
      return ((await run(statement, more)) - before) / (more - fewer);
    });
  });
}

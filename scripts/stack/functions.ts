import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { denoCache, projectRoot, type StackPlace } from "./paths.ts";
import { freePort, host } from "./ports.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";
import { lastLines, runCommand } from "./run_command.ts";
import type { Running } from "./running.ts";

const folder = join(projectRoot, "functions");

/** The Deno version of package-lock.json, not an installed one. */
export const deno = join(projectRoot, "node_modules/deno/deno");

export const denoEnvironment = { DENO_DIR: denoCache, DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" };

/** The names of the edge functions: folders of functions/ that have an index.ts and do not start with an underscore. */
export function functionNames(): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder).filter((name) => !name.startsWith("_") && existsSync(join(folder, name, "index.ts")));
}

/** The arguments that make Deno use only the function's own configuration. */
export function functionConfig(name: string): string[] {
  return ["--config", join(folder, name, "deno.json")];
}

/** The arguments that make Deno use exactly the packages of the function's lock file. */
export function lockedPackages(name: string): string[] {
  return [`--lock=${lockFile(name)}`, "--frozen"];
}

/**
 * The lock file of a function's packages. Its `deno.json` says `"lock": false`, because the edge runtime of Supabase cannot read the
 * lock files of Deno 2 (docs/decisions/0028).
 */
function lockFile(name: string): string {
  return join(folder, name, "deno.lock");
}

/** The arguments with which Deno loads a function: its configuration, its lock file, its entry point. */
export function functionFiles(name: string): string[] {
  return [...functionConfig(name), ...lockedPackages(name), join(folder, name, "index.ts")];
}

/** Adds packages of `deno.json` that are missing in the lock files of the functions. @returns the paths of the files @throws Problem without a network */
export async function lockFunctionPackages(): Promise<string[]> {
  for (const name of functionNames()) {
    const args = ["cache", ...functionConfig(name), `--lock=${lockFile(name)}`, "--frozen=false", join(folder, name, "index.ts")];
    const { code, output } = await runCommand(deno, args, { env: denoEnvironment });
    if (code !== 0) throw new Problem(`The packages of functions/${name} could not be locked:\n${lastLines(output)}`, "Connect this machine to the npm registry and try again.");
  }
  return functionNames().map(lockFile);
}

/** Downloads missing npm packages of the edge functions. @throws Problem without a network */
export async function cacheFunctionPackages(show: ShowDetail): Promise<void> {
  for (const name of functionNames()) {
    show(name);
    const { code, output } = await runCommand(deno, ["cache", ...functionFiles(name)], { env: denoEnvironment, onLine: show });
    if (code !== 0) {
      throw new Problem(
        `The packages of functions/${name} could not be fetched:\n${lastLines(output)}`,
        "If there is no network, connect this machine to the npm registry and start again. If the lock file is out of date, run `npm run gen`.",
      );
    }
  }
}

/** The environment variables of every function, and additional ones of single functions. */
export interface FunctionEnvironment {
  [name: string]: string;
  /** Database URL of role store_api. */
  STORE_DB_URL: string;
  SUPABASE_URL: string;
  STORE_JWT_SECRET: string;
}

function commit(): string {
  return spawnSync("git", ["rev-parse", "--short=12", "HEAD"], { cwd: projectRoot, encoding: "utf8" }).stdout?.trim() || "unknown";
}

/** A served edge function. */
export interface ServedFunction {
  name: string;
  port: number;
  pid: number;
}

/**
 * Serves an edge function and waits until it responds.
 * @param files arguments for Deno, if the program is not in functions/
 */
export async function serveFunction(name: string, place: StackPlace, environment: FunctionEnvironment, running: Running, files = functionFiles(name)): Promise<ServedFunction> {
  const port = await freePort();
  const part = await running.startPart({
    name: `The edge function ${name}`,
    command: deno,
    args: ["serve", "--allow-net", "--allow-env", "--allow-read", "--allow-sys", "--host", host, "--port", String(port), ...files],
    env: { STORE_COMMIT: commit(), OTEL_SERVICE_NAME: `store_${name}`, ...process.env, ...denoEnvironment, ...environment, NO_COLOR: "1" },
    logFile: place.logFile(`function_${name}`),
    // With SIGTERM it would wait for its idle database connections. The gateway has stopped by then, so no request is in progress.
    stopSignal: "SIGKILL",
    isReady: () => fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(5_000) }).then((response) => response.body?.cancel().then(() => true) ?? true, () => false),
    timeoutSeconds: 60,
  });
  return { name, port, pid: part.pid };
}

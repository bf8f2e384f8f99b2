import { join } from "node:path";
import { outsideEnvironment } from "../ground/environment.ts";
import { git } from "../ground/git.ts";
import type { Part } from "../ground/part.ts";
import { denoCache, projectRoot, type StackPlace } from "../ground/paths.ts";
import { freePort, host } from "../ground/ports.ts";
import type { Running } from "../ground/running.ts";

/** The Deno version of package-lock.json, not an installed one. */
export const deno = join(projectRoot, "node_modules/deno/deno");

export const denoEnvironment = { DENO_DIR: denoCache, DENO_NO_UPDATE_CHECK: "1", DENO_NO_PROMPT: "1" };

/**
 * Makes the collection of garbage begin at 32 MB and whenever the heap has grown by half, and not at hundreds: an edge
 * function needs some 20 MB, and Supabase gives it little memory. It limits no request.
 */
const smallHeap = "--v8-flags=--initial-old-space-size=32,--max-semi-space-size=4,--heap-growing-percent=50";

/**
 * The arguments with which Deno serves a bundle. It may read no file and load no other module, as if there were none.
 */
export const serveBundle = [
  "serve",
  smallHeap,
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
  "--allow-net",
  "--allow-env",
  "--allow-sys",
];

/** The environment variables of every function, and additional ones of single functions. */
export interface FunctionEnvironment {
  [name: string]: string;
  /** Database URL of role store_api. */
  STORE_DB_URL: string;
  SUPABASE_URL: string;
  STORE_JWT_SECRET: string;
}

let commit: Promise<string> | undefined;

function currentCommit(): Promise<string> {
  commit ??= git(["rev-parse", "--short=12", "HEAD"]).then(({ code, stdout }) =>
    code === 0 ? stdout.trim() : "unknown",
  );
  return commit;
}

/** A served edge function. */
export interface ServedFunction {
  name: string;
  port: number;
  pid: number;
  part: Part;
}

/**
 * Serves the bundle of an edge function and waits until it responds.
 * @param file its path, which is read each time the function starts
 */
export async function serveFunction(
  name: string,
  file: () => string,
  place: StackPlace,
  environment: FunctionEnvironment,
  running: Running,
): Promise<ServedFunction> {
  const port = await freePort();
  const part = await running.startPart({
    name: `The edge function ${name}`,
    command: deno,
    args: () => [...serveBundle, "--host", host, "--port", String(port), file()],
    env: {
      STORE_COMMIT: await currentCommit(),
      OTEL_SERVICE_NAME: `store_${name}`,
      ...outsideEnvironment(/^(STORE|OTEL)_/),
      ...denoEnvironment,
      ...environment,
      NO_COLOR: "1",
    },
    logFile: place.logFile(`function_${name}`),
    // With SIGTERM it would wait for its idle database connections. The gateway has stopped by then, so no request is
    // in progress.
    stopSignal: "SIGKILL",
    isReady: () =>
      fetch(`http://${host}:${port}/`, { signal: AbortSignal.timeout(5_000) }).then(
        (response) => response.body?.cancel().then(() => true) ?? true,
        () => false,
      ),
  });
  return { name, port, pid: part.pid, part };
}

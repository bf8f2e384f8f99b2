import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildFunctions, bundleOf } from "../generate/function_bundles.ts";
import { type FunctionEnvironment, serveFunction } from "../stack/functions.ts";
import { StackPlace } from "../ground/paths.ts";
import { host } from "../ground/ports.ts";
import { Running } from "../ground/running.ts";
import { addressForFunctions, stack } from "./stack.ts";

/** A running edge function. */
export interface EdgeFunction {
  /** The base address for the paths of routes. */
  base: string;
  port: number;
  pid: number;
  /** What it has written to its log. */
  log(): string;
  stop(): Promise<void>;
}

/**
 * Serves a program on Deno like an edge function, without a stack.
 * @param file its bundle; by default that of the edge function of this name
 */
export async function serveOnDeno(
  name: string,
  environment: FunctionEnvironment,
  file?: string,
): Promise<EdgeFunction> {
  const directory = mkdtempSync(join(tmpdir(), "edge-function-"));
  const place = new StackPlace(directory);
  mkdirSync(place.logs);
  const running = new Running();
  const bundle = file ?? bundleOf(name, await buildFunctions());
  const { port, pid } = await serveFunction(name, () => bundle, place, environment, running);
  return {
    base: `http://${host}:${port}`,
    port,
    pid,
    log: () => readFileSync(place.logFile(`function_${name}`), "utf8"),
    stop: async () => {
      await running.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/**
 * Serves an edge function like the stack does, with settings of the test.
 * @param databaseUrl for role postgres, which has all privileges of store_api
 */
export function serveEdgeFunction(
  name: string,
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<EdgeFunction> {
  const { supabase_url, jwt_secret, secret_key } = stack();
  const keys = JSON.stringify({ default: secret_key });
  return serveOnDeno(name, {
    STORE_DB_URL: addressForFunctions(databaseUrl),
    SUPABASE_URL: supabase_url,
    STORE_JWT_SECRET: jwt_secret,
    STORE_JWT_ISSUER: `${supabase_url}/auth/v1`,
    SUPABASE_SECRET_KEYS: keys,
    ...settings,
  });
}

import { z } from "@hono/zod-openapi";
import { type Authentication, createAuthentication } from "../access/authentication.ts";
import { type Database, openDatabase } from "../database/database.ts";
import { readResult } from "../database/result.ts";
import { type Environment, readSettings } from "../ground/env.ts";
import { createSettlement, type Settle } from "./settlement.ts";
import { createWork, type Work } from "./worker_call.ts";
import { VERSION } from "../ground/version.ts";

/** The dependencies of the routes of an edge function. */
export interface Service {
  database: Database;
  authentication: Authentication;
  /** Starts the settlement of paid orders in the background. */
  settle: Settle;
  /** Calls the worker in the background, which makes the due calls of the outbox. */
  work: Work;
  /** For settings that only one edge function needs. */
  env: Environment;
  /** The running version, for the metadata endpoints. */
  build: { version: string; commit: string | null; runtime: string };
}

/** How many jobs one call has handled; null if nothing is due or others settle. */
const batch = z.object({ handled: z.int().nullable() });

/** Creates the service from the environment. @param name the edge function's name, shown in pg_stat_activity */
export function createService(name: string, env: Environment): Service {
  const settings = readSettings(env);
  const database = openDatabase({
    url: settings.databaseUrl,
    readUrl: settings.databaseReadUrl,
    authority: settings.databaseAuthority,
    pool: settings.databasePool,
    prepare: settings.databasePrepare,
    applicationName: `store_${name}`,
  });
  return {
    database,
    settle: createSettlement(
      async () => readResult(batch, await database.callInBackground("lead_settlement", {})).handled,
    ),
    authentication: createAuthentication({
      issuer: settings.jwtIssuer,
      jwksUrl: new URL("/auth/v1/.well-known/jwks.json", settings.supabaseUrl),
      sharedSecret: settings.jwtSecret,
    }),
    work: createWork(env),
    env,
    build: { version: VERSION, commit: settings.commit, runtime: globalThis.navigator?.userAgent ?? "unknown" },
  };
}

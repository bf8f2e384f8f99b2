import { type Authenticate, createAuthentication } from "./authentication.ts";
import { type Database, openDatabase } from "./database.ts";
import { type Environment, readSettings } from "./env.ts";
import { createSettlement, type Settle } from "./settlement.ts";
import { VERSION } from "./version.ts";

/** What the routes of an edge function work with. */
export interface Service {
  database: Database;
  authenticate: Authenticate;
  /** Settles in the background what was paid. */
  settle: Settle;
  /** For settings that one part of one function needs. */
  env: Environment;
  /** What is running, for the metadata endpoints. */
  build: { version: string; commit: string | null; runtime: string };
}

/** Puts the service together from the environment; `name` is the edge function's, shown in pg_stat_activity. */
export function createService(name: string, env: Environment): Service {
  const settings = readSettings(env);
  const database = openDatabase({
    url: settings.databaseUrl,
    pool: settings.databasePool,
    prepare: settings.databasePrepare,
    applicationName: `store_${name}`,
  });
  return {
    database,
    settle: createSettlement(() => database.callInBackground("run_settlement_jobs", {})),
    authenticate: createAuthentication({
      jwksUrl: new URL("/auth/v1/.well-known/jwks.json", settings.supabaseUrl),
      sharedSecret: settings.jwtSecret,
    }),
    env,
    build: { version: VERSION, commit: settings.commit, runtime: globalThis.navigator?.userAgent ?? "unknown" },
  };
}

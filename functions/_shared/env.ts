/** Settings that the edge functions take from their environment. */
export interface Settings {
  /** Address of the database, as role store_api; behind a pooler in transaction mode where there is one. */
  databaseUrl: string;
  /** Most connections of one instance for requests; work in the background has one more. */
  databasePool: number;
  /** Named prepared statements; off, because poolers in transaction mode refuse them. */
  databasePrepare: boolean;
  /** Address of the Supabase project. */
  supabaseUrl: string;
  /** Shared secret of projects that sign their tokens with one. */
  jwtSecret: string | undefined;
  /** Commit that was deployed. */
  commit: string | null;
}

/** Where variables come from: `Deno.env`, or a Map. */
export interface Environment {
  get(name: string): string | undefined;
}

const MOST_CONNECTIONS = 20;

/** Reads the environment; throws with what to set where something is missing or wrong. */
export function readSettings(env: Environment): Settings {
  const pool = Number(env.get("STORE_DB_POOL") || 4);
  if (!Number.isInteger(pool) || pool < 1 || pool > MOST_CONNECTIONS) {
    throw new Error(`STORE_DB_POOL must be a number between 1 and ${MOST_CONNECTIONS}.`);
  }
  return {
    databaseUrl: required(env, "STORE_DB_URL", "the database address of role store_api (on hosted projects: the transaction pooler)"),
    databasePool: pool,
    databasePrepare: env.get("STORE_DB_PREPARE") === "true",
    supabaseUrl: required(env, "SUPABASE_URL", "the address of the Supabase project"),
    jwtSecret: env.get("STORE_JWT_SECRET") || undefined,
    commit: env.get("STORE_COMMIT") || null,
  };
}

function required(env: Environment, name: string, meaning: string): string {
  const value = env.get(name);
  if (!value) throw new Error(`Set ${name} to ${meaning}.`);
  return value;
}

/** Settings of the edge functions, read from environment variables. */
export interface Settings {
  /** Database URL of role store_api. On hosted projects, the URL of the pooler in transaction mode. */
  databaseUrl: string;
  /** Maximum number of connections per instance for requests. Background work uses one more. */
  databasePool: number;
  /** Use named prepared statements. Off by default, because poolers in transaction mode reject them. */
  databasePrepare: boolean;
  /** Address of the Supabase project. */
  supabaseUrl: string;
  /** The shared secret, if the project signs its tokens with one. */
  jwtSecret: string | undefined;
  /** The deployed commit. */
  commit: string | null;
}

/** A source of environment variables: `Deno.env`, or a Map. */
export interface Environment {
  get(name: string): string | undefined;
}

const MAX_CONNECTIONS = 20;

/** Reads the environment variables. @throws Error that names the variable to set, if one is missing or invalid */
export function readSettings(env: Environment): Settings {
  const pool = Number(env.get("STORE_DB_POOL") || 4);
  if (!Number.isInteger(pool) || pool < 1 || pool > MAX_CONNECTIONS) {
    throw new Error(`STORE_DB_POOL must be an integer between 1 and ${MAX_CONNECTIONS}.`);
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

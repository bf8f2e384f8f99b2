import { checkAddress } from "./database_address.ts";
import { authorityOf } from "./tls.ts";

/** Settings of the edge functions, read from environment variables. */
export interface Settings {
  /**
   * Database URL of role store_api, with one server or several. On hosted projects, the URL of the pooler in
   * transaction mode.
   */
  databaseUrl: string;
  /** Database URL of role store_api on a streaming standby, which answers reads that may be a moment old. */
  databaseReadUrl: string | undefined;
  /** The certificate of the authority of the database servers, in PEM. */
  databaseAuthority: string | undefined;
  /** Maximum number of connections per instance for requests (`DatabaseOptions.pool`). */
  databasePool: number;
  /** Use named prepared statements. Off by default, because poolers in transaction mode reject them. */
  databasePrepare: boolean;
  /** Address of the Supabase project. */
  supabaseUrl: string;
  /** The issuer of the project's tokens. */
  jwtIssuer: string;
  /** The shared secret of the project, if it has one. */
  jwtSecret: string | undefined;
  /** The deployed commit. */
  commit: string | null;
}

/** A source of environment variables: `Deno.env`, or a Map. */
export interface Environment {
  get(name: string): string | undefined;
}

const MAX_CONNECTIONS = 20;
/** A key for HS256 has at least the length of its hash (RFC 7518, section 3.2). */
const MIN_JWT_SECRET_BYTES = 32;

/** Reads the environment variables. @throws Error that names the variable to set, if one is missing or invalid */
export function readSettings(env: Environment): Settings {
  const pool = Number(env.get("STORE_DB_POOL") || 4);
  if (!Number.isInteger(pool) || pool < 1 || pool > MAX_CONNECTIONS) {
    throw new Error(`STORE_DB_POOL must be an integer between 1 and ${MAX_CONNECTIONS}.`);
  }
  const databaseUrl = required(
    env,
    "STORE_DB_URL",
    "the database address of role store_api (on hosted projects: the transaction pooler)",
  );
  checkAddress("STORE_DB_URL", databaseUrl);
  const databaseReadUrl = env.get("STORE_DB_READ_URL") || undefined;
  if (databaseReadUrl !== undefined && !(/^postgres(ql)?:/.test(databaseReadUrl) && URL.canParse(databaseReadUrl))) {
    throw new Error(
      "STORE_DB_READ_URL is not the address of a standby. It names one server. Encode special characters of the password, such as / and #.",
    );
  }
  const supabaseUrl = required(env, "SUPABASE_URL", "the address of the Supabase project");
  return {
    databaseUrl,
    databaseReadUrl,
    databaseAuthority: authorityOf(env.get("STORE_DB_CA")),
    databasePool: pool,
    databasePrepare: env.get("STORE_DB_PREPARE") === "true",
    supabaseUrl,
    jwtIssuer: env.get("STORE_JWT_ISSUER") || `${supabaseUrl}/auth/v1`,
    jwtSecret: jwtSecret(env),
    commit: env.get("STORE_COMMIT") || null,
  };
}

function jwtSecret(env: Environment): string | undefined {
  const secret = env.get("STORE_JWT_SECRET");
  if (!secret) return undefined;
  if (new TextEncoder().encode(secret).length < MIN_JWT_SECRET_BYTES) {
    throw new Error(
      `STORE_JWT_SECRET must have at least ${MIN_JWT_SECRET_BYTES} bytes. Use the JWT secret of the Supabase project.`,
    );
  }
  return secret;
}

function required(env: Environment, name: string, meaning: string): string {
  const value = env.get(name);
  if (!value) throw new Error(`Set ${name} to ${meaning}.`);
  return value;
}

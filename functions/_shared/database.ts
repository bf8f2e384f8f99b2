import postgres from "postgres";
import { openConnections, type WithConnection } from "./connections.ts";
import { isTransient, problemFromDatabase } from "./database_problem.ts";
import { tlsFor } from "./database_tls.ts";
import type { Database as Schemas } from "./database_types.ts";
import { Problem } from "./problem.ts";
import { withinSpan } from "./tracing.ts";

type Functions = Schemas["api"]["Functions"];

/** The name of a function in schema api. */
export type FunctionName = keyof Functions;

/** The type of an argument. Numbers may be sent as text, which preserves the digits of money and points. */
type Argument<Value> = Value extends number ? number | string : Value extends object ? unknown : Value;

/** Arguments of a function in schema api: parameter name to value. An absent argument takes the default that the function declares. */
export type Arguments<Name extends FunctionName> = Name extends FunctionName
  ? { [Parameter in keyof Functions[Name]["Args"]]: Argument<Functions[Name]["Args"][Parameter]> | null | undefined }
  : never;

/** The claims of a verified token, as they are passed to the database. `{}` is an anonymous caller. */
export type Claims = Record<string, unknown>;

/** Identifies the HTTP request that a call belongs to. */
export interface RequestKeys {
  /** The request id. It is recorded with administrative actions. */
  id?: string;
  /** The idempotency key. Calls with the same key have one effect. */
  key?: string | undefined;
}

/** Access to the database. Every method returns the result as JSON text. @throws Problem if the call fails */
export interface Database {
  /** Executes a function in schema api with the caller's rights. */
  callAsCaller<Name extends FunctionName>(claims: Claims, functionName: Name, args: Arguments<Name>, request?: RequestKeys): Promise<string>;
  /** Executes a function in schema api as the service, for work without a user. */
  callAsService<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
  /** Like callAsService, for background work, on a connection that requests do not use. */
  callInBackground<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
}

/** How to reach the database. */
export interface DatabaseOptions {
  url: string;
  /** The certificate of the authority of the server, in PEM. Without it, the runtime must trust the server's certificate. */
  authority?: string | undefined;
  /** Maximum number of connections for requests. Background work uses one more. */
  pool: number;
  /** Use named prepared statements. They are faster, but poolers in transaction mode reject them. */
  prepare: boolean;
  applicationName: string;
  /** How long a statement may wait for a connection and run, in milliseconds. */
  deadlineMs?: number;
}

const CONNECT_TIMEOUT_SECONDS = 5;
const IDLE_TIMEOUT_SECONDS = 20;
/** Longer than the statement timeout of role store_api (15 s), so that a slow statement fails with the error of the database. */
const DEADLINE_MS = 20_000;
const MAX_RETRIES = 3;
/** Short enough to notice soon that the database is back, long enough not to flood a database that rejects the password. */
const MAX_BACKOFF_SECONDS = 2;

// Cast through text: the driver would JSON-encode a parameter of type jsonb a second time.
const AS_CALLER = "select app.as_caller($1::text::jsonb, $2, $3::text::jsonb, $4, $5)::text as result";
const AS_SERVICE = "select app.as_service($1, $2::text::jsonb)::text as result";

/** Creates the access to the database. The first call connects. */
export function openDatabase(options: DatabaseOptions): Database {
  const open = () => openConnection(options);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const requests = openConnections(open, options.pool, deadlineMs);
  // Background work may wait for locks of another settlement. With a connection of its own, it does not delay requests.
  const background = openConnections(open, 1, deadlineMs);

  return {
    callAsCaller: (claims, functionName, args, { id, key } = {}) =>
      withinSpan(functionName, () => execute(requests, AS_CALLER, [claims, functionName, args, key ?? null, id ?? null], options.prepare)),
    callAsService: (functionName, args) => withinSpan(functionName, () => execute(requests, AS_SERVICE, [functionName, args], options.prepare)),
    callInBackground: (functionName, args) => withinSpan(functionName, () => execute(background, AS_SERVICE, [functionName, args], options.prepare)),
  };
}

function openConnection({ url, authority, applicationName }: DatabaseOptions): postgres.Sql {
  return postgres(url, {
    max: 1,
    ssl: tlsFor(url, authority),
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: IDLE_TIMEOUT_SECONDS,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, MAX_BACKOFF_SECONDS) * (0.5 + Math.random() / 2),
    connection: { application_name: applicationName },
    onnotice: () => {},
  });
}

/** Executes a statement and retries it after a transient error. @param values the parameters; an object is sent as JSON text */
async function execute(withConnection: WithConnection, statement: string, values: (string | object | null)[], prepare: boolean): Promise<string> {
  const parameters = values.map((value) => value !== null && typeof value === "object" ? toJson(value) : value);
  for (let attempt = 0;; attempt += 1) {
    try {
      const [row] = await withConnection((sql) => sql.unsafe(statement, parameters, { prepare }));
      // Both statements return one row. Without it, the outcome of the statement is unknown.
      if (!row) throw new Problem("database_unavailable");
      return (row.result as string | null) ?? "null";
    } catch (error) {
      // After a deadlock or serialization failure the transaction was rolled back, so a retry is safe.
      if (!isTransient(error) || attempt === MAX_RETRIES) throw problemFromDatabase(error);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** Matches the escape sequence of NUL or of a lone surrogate in JSON text. An escaped backslash does not start an escape sequence. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * Serializes a value as JSON.
 * @throws Problem if it contains NUL or a lone surrogate. Postgres cannot store them, and would write the whole value to its log with the error
 */
function toJson(value: object): string {
  const json = JSON.stringify(value);
  if (NOT_STORABLE.test(json)) throw new Problem("invalid_argument");
  return json;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

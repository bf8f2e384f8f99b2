import postgres from "postgres";
import { openConnections, type OnConnection } from "./connections.ts";
import { isTransient, problemFromDatabase } from "./database_problem.ts";
import type { Database as Schemas } from "./database_types.ts";
import { Problem } from "./problem.ts";

type Functions = Schemas["api"]["Functions"];

/** The name of a function of schema api. */
export type FunctionName = keyof Functions;

/** A value as it may be sent. Postgres takes every number as text, which keeps the digits of money and points. */
type Argument<Value> = Value extends number ? number | string : Value extends object ? unknown : Value;

/** Arguments of a function of schema api: parameter name to value. Absent ones take the default the function declares. */
export type Arguments<Name extends FunctionName> = Name extends FunctionName
  ? { [Parameter in keyof Functions[Name]["Args"]]: Argument<Functions[Name]["Args"][Parameter]> | null | undefined }
  : never;

/** The claims of a verified token as the database sees them; `{}` is an anonymous caller. */
export type Claims = Record<string, unknown>;

/** The names of the request that a call belongs to. */
export interface RequestNames {
  /** Kept with what an administrator does. */
  id?: string;
  /** The caller's own: under the same key, a call has one effect. */
  key?: string | undefined;
}

/** The only ways to the database. All return the JSON text of the answer, and throw a Problem where there is none. */
export interface Database {
  /** Executes a function of schema api with the rights of the caller. */
  callAsCaller<Name extends FunctionName>(claims: Claims, functionName: Name, args: Arguments<Name>, request?: RequestNames): Promise<string>;
  /** Executes a function of schema api that no user asks for, such as the settlement worker. */
  callAsService<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
  /** The same for work that nobody waits for, on a connection that no request needs. */
  callInBackground<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
}

/** How to reach the database. */
export interface DatabaseOptions {
  url: string;
  /** Most connections for requests; work in the background has one more. */
  pool: number;
  /** Named prepared statements: faster, but refused by poolers in transaction mode. */
  prepare: boolean;
  applicationName: string;
  /** How long a statement may wait for a connection and run. */
  deadlineMs?: number;
}

const CONNECT_TIMEOUT_SECONDS = 5;
const IDLE_TIMEOUT_SECONDS = 20;
/** Longer than the statement timeout of the role store_api (15 s), so that the database speaks first where it can. */
const DEADLINE_MS = 20_000;
const MOST_RETRIES = 3;
/** A database that is back is noticed soon; one that refuses the password is not stormed. */
const MOST_BACKOFF_SECONDS = 2;

// Through text, because the driver would encode a parameter it knows to be jsonb as JSON a second time.
const AS_CALLER = "select app.as_caller($1::text::jsonb, $2, $3::text::jsonb, $4, $5)::text as answer";
const AS_SERVICE = "select app.as_service($1, $2::text::jsonb)::text as answer";

/** Opens the database lazily: the first call connects. */
export function openDatabase(options: DatabaseOptions): Database {
  const connection = () => openConnection(options);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const requests = openConnections(connection, options.pool, deadlineMs);
  // It may wait for locks that a settlement elsewhere holds; requests do not wait behind it.
  const background = openConnections(connection, 1, deadlineMs);

  return {
    callAsCaller: (claims, functionName, args, { id, key } = {}) =>
      answer(requests, AS_CALLER, [claims, functionName, args, key ?? null, id ?? null], options.prepare),
    callAsService: (functionName, args) => answer(requests, AS_SERVICE, [functionName, args], options.prepare),
    callInBackground: (functionName, args) => answer(background, AS_SERVICE, [functionName, args], options.prepare),
  };
}

function openConnection({ url, applicationName }: DatabaseOptions): postgres.Sql {
  return postgres(url, {
    max: 1,
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: IDLE_TIMEOUT_SECONDS,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, MOST_BACKOFF_SECONDS) * (0.5 + Math.random() / 2),
    connection: { application_name: applicationName },
    onnotice: () => {},
  });
}

/** @param values of the parameters; an object is sent as its JSON text */
async function answer(onConnection: OnConnection, statement: string, values: (string | object | null)[], prepare: boolean): Promise<string> {
  const parameters = values.map((value) => value !== null && typeof value === "object" ? toJson(value) : value);
  for (let attempt = 0;; attempt += 1) {
    try {
      const [row] = await onConnection((sql) => sql.unsafe(statement, parameters, { prepare }));
      // Both statements answer one row; without it, whatever was done is not known.
      if (!row) throw new Problem("database_unavailable");
      return (row.answer as string | null) ?? "null";
    } catch (error) {
      // A statement that lost a race was rolled back as a whole, so running it again is safe.
      if (!isTransient(error) || attempt === MOST_RETRIES) throw problemFromDatabase(error);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** In JSON text, the escape of NUL or of a lone surrogate. A backslash that is escaped itself begins no escape. */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * The JSON text of a value.
 * @throws Problem if it contains NUL or a lone surrogate. Postgres cannot store them, and its error would write the whole value to its log
 */
function toJson(value: object): string {
  const json = JSON.stringify(value);
  if (NOT_STORABLE.test(json)) throw new Problem("invalid_argument");
  return json;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

import postgres from "postgres";
import { type Connections, openConnections, type Use, VISITORS } from "./connections.ts";
import { addressesOf } from "../ground/database_address.ts";
import { followPrimary, type Servers } from "./hosts.ts";
import { isConnectionLost, isTransient, problemFromDatabase, wasNotExecuted } from "./database_problem.ts";
import { tlsFor } from "../ground/tls.ts";
import type { Database as Schemas } from "./types.ts";
import { Problem } from "../responses/problem.ts";
import { createSchemaGuard, type Schema } from "./schema.ts";
import { createStandby, LAST_POSITION } from "./standby.ts";
import { withinSpan } from "../ground/tracing.ts";
import { isUnconfirmedCommit, UnconfirmedCommit } from "./unconfirmed_commit.ts";

type Functions = Schemas["api"]["Functions"];

/** The name of a function in schema api. */
export type FunctionName = keyof Functions;

/** The type of an argument. Numbers may be sent as text, which preserves the digits of money and points. */
type Argument<Value> = Value extends number ? number | string : Value extends object ? unknown : Value;

/**
 * Arguments of a function in schema api: parameter name to value. An absent argument takes the default that the
 * function declares.
 */
export type Arguments<Name extends FunctionName> = Name extends FunctionName
  ? { [Parameter in keyof Functions[Name]["Args"]]: Argument<Functions[Name]["Args"][Parameter]> | null | undefined }
  : never;

/** The claims of a verified token or machine key, as they are passed to the database. `{}` is an anonymous caller. */
export type Claims = Record<string, unknown>;

/** The account of a caller, or the machine key, which shares nothing with its owner; undefined for visitors. */
export const callerOf = ({ sub, key }: Claims): string | undefined =>
  key === undefined ? (sub as string | undefined) : `key ${key as number}`;

/** Identifies the HTTP request that a call belongs to. */
export interface RequestKeys {
  /** The request id. It is recorded with administrative actions. */
  id?: string;
  /** The idempotency key. Calls with the same key have one effect. */
  key?: string | undefined;
  /**
   * Whether the call changes something, and may therefore wait for locks. False is for functions that only read, which
   * have an entry point.
   */
  writes?: boolean;
  /**
   * The result may be a moment old: a standby may answer if it has replayed `position`, the last one that the client
   * knows.
   */
  standby?: { position: string | undefined } | undefined;
  /** The call is part of a payment, and comes before others. */
  isPayment?: boolean | undefined;
  /** The call is made whatever the version of the schema is. */
  anySchema?: boolean;
}

/** Access to the database. Every method returns the result as JSON text. @throws Problem if the call fails */
export interface Database {
  /** Executes a function in schema api with the caller's rights. */
  callAsCaller<Name extends FunctionName>(
    claims: Claims,
    functionName: Name,
    args: Arguments<Name>,
    request?: RequestKeys,
  ): Promise<string>;
  /** Executes a function in schema api as the service, for work without a user. It comes before calls of callers. */
  callAsService<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
  /** Like callAsService, for what any visitor may cause. It uses the share of the visitors. */
  callForVisitor<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
  /** Like callAsService, for background work, on a connection that requests do not use. */
  callInBackground<Name extends FunctionName>(functionName: Name, args: Arguments<Name>): Promise<string>;
  /**
   * The log position of the primary, which follows every commit that is complete. Undefined if there is no standby. It
   * never fails: a position that cannot be read is the last one, which no standby ever has.
   */
  position(): Promise<string | undefined>;
  /** The schema of the database. Calls of one that is not served are refused. */
  schema(): Promise<Schema>;
  /**
   * Whether a call of this caller would be refused now, because too many are waiting.
   * @param standby whether a standby may answer it
   */
  isCrowded(caller: string, standby?: boolean): boolean;
}

/** How to reach the database. */
export interface DatabaseOptions {
  /** With several servers (`host:port,host:port`), the one that is the primary is used. */
  url: string;
  /** The address of a streaming standby, which answers reads that may be a moment old. */
  readUrl?: string | undefined;
  /**
   * The certificate of the authority of the server, in PEM. Without it, the runtime must trust the server's
   * certificate.
   */
  authority?: string | undefined;
  /**
   * Maximum number of connections for requests, to each server. Payments and other calls of the store itself have one
   * more, background work another one, and positions a third.
   */
  pool: number;
  /** Use named prepared statements. They are faster, but poolers in transaction mode reject them. */
  prepare: boolean;
  applicationName: string;
  /** How long a statement may wait for a connection and run, in milliseconds. */
  deadlineMs?: number;
}

const CONNECT_TIMEOUT_SECONDS = 5;
const IDLE_TIMEOUT_SECONDS = 20;
/**
 * Longer than the statement timeout of role store_api (15 s), so that a slow statement fails with the error of the
 * database.
 */
const DEADLINE_MS = 20_000;
/** How long a standby may take. Then the primary answers. */
const STANDBY_DEADLINE_MS = 5_000;
/** How long a response of a write waits for its position. */
const POSITION_DEADLINE_MS = 1_000;
const MAX_RETRIES = 3;
/** How long a server may take to say whether it is the primary. */
const PROBE_MS = 1_000;
/**
 * Short enough to notice soon that the database is back, long enough not to flood a database that rejects the password.
 */
const MAX_BACKOFF_SECONDS = 2;

// Cast through text: the driver would JSON-encode a parameter of type jsonb a second time.
/** A read by its entry point, which the database has for every function of schema api that only reads. */
const readOf = (functionName: FunctionName) =>
  `select entry.${functionName}($1, $2, $3, $4::text::jsonb)::text as result`;
const AS_CALLER = "select app.as_caller($1::text::jsonb, $2, $3::text::jsonb, $4, $5)::text as result";
const AS_SERVICE = "select app.as_service($1, $2::text::jsonb)::text as result";
const SCHEMA = "select app.schema_version() as result";
const POSITION = "select app.log_position() as position";

/** Creates the access to the database. The first call connects. */
export function openDatabase(options: DatabaseOptions): Database {
  const addresses = addressesOf(options.url);
  const hasOthers = addresses.length > 1;
  const servers = followPrimary(
    addresses,
    (address) => openConnection(address, options, hasOthers),
    (address) => isPrimary(address, options),
  );
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  const { prepare } = options;
  const requests: Pool = {
    connections: openConnections(servers.open, { count: options.pool, own: 1, deadlineMs }),
    servers,
    prepare,
    hasOthers,
  };
  // Background work may wait for locks of another settlement. With a connection of its own, it does not delay requests.
  const background: Pool = {
    connections: openConnections(servers.open, { count: 1, deadlineMs }),
    servers,
    prepare,
    hasOthers,
  };
  const { readUrl } = options;
  const positions =
    readUrl === undefined ? undefined : openConnections(servers.open, { count: 1, deadlineMs: POSITION_DEADLINE_MS });
  const askStandby =
    readUrl === undefined
      ? undefined
      : createStandby(
          openConnections(() => openConnection(readUrl, options, false), {
            count: options.pool,
            deadlineMs: STANDBY_DEADLINE_MS,
          }),
          prepare,
        );

  const guard = createSchemaGuard(() => execute(requests, SCHEMA, [], {}, true));
  /** Makes a call, unless its function does not serve the schema of the database. */
  async function withinSchema(functionName: FunctionName, call: () => Promise<string>): Promise<string> {
    const admission = guard.admit();
    if (admission) await admission;
    try {
      return await withinSpan(functionName, call);
    } catch (error) {
      if (await guard.explains(error)) throw new Problem("schema_not_served", { cause: (error as Problem).cause });
      throw error;
    }
  }

  return {
    callAsCaller: (claims, functionName, args, { id, key, writes, standby, isPayment, anySchema = false } = {}) => {
      const caller = callerOf(claims) ?? VISITORS;
      const isRepeatable = writes === false || key !== undefined;
      return (anySchema ? withinSpan : withinSchema)(functionName, async () => {
        if (standby && askStandby) {
          const read = {
            claims: toJson(claims),
            functionName,
            args: toJson(args),
            requestId: id ?? null,
            position: standby.position ?? null,
          };
          const result = await askStandby(read, caller);
          if (result !== undefined) return result;
        }
        const use = { caller, writes, isPayment };
        if (writes === false) {
          const role = (claims.role as string | undefined) ?? "anon";
          return execute(requests, readOf(functionName), [claims, role, id ?? null, args], use, isRepeatable);
        }
        return execute(requests, AS_CALLER, [claims, functionName, args, key ?? null, id ?? null], use, isRepeatable);
      });
    },
    callAsService: (functionName, args) =>
      withinSchema(functionName, () => execute(requests, AS_SERVICE, [functionName, args])),
    callForVisitor: (functionName, args) =>
      withinSchema(functionName, () => execute(requests, AS_SERVICE, [functionName, args], { caller: VISITORS })),
    callInBackground: (functionName, args) =>
      withinSchema(functionName, () => execute(background, AS_SERVICE, [functionName, args])),
    position: async () => {
      const rows = await positions
        ?.run((sql) => servers.run(sql, () => sql.unsafe(POSITION, [], { prepare })))
        .catch(() => []);
      return rows && ((rows[0]?.position ?? LAST_POSITION) as string);
    },
    schema: () => guard.read(),
    isCrowded: (caller, standby = false) => !(standby && askStandby) && requests.connections.isCrowded(caller),
  };
}

/** The connections with a commit that its synchronous standby has not confirmed. */
const unconfirmed = new WeakSet<postgres.Sql>();

/** @param hasOthers whether another server may be the primary. A server that is not the primary is then not used */
function openConnection(
  url: string,
  { authority, applicationName }: DatabaseOptions,
  hasOthers: boolean,
): postgres.Sql {
  const sql = postgres(url, {
    max: 1,
    ssl: tlsFor(url, authority),
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    idle_timeout: IDLE_TIMEOUT_SECONDS,
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, MAX_BACKOFF_SECONDS) * (0.5 + Math.random() / 2),
    connection: { application_name: applicationName },
    ...(hasOthers && { target_session_attrs: "primary" }),
    onnotice: (notice) => {
      if (isUnconfirmedCommit(notice)) unconfirmed.add(sql);
    },
  });
  return sql;
}

/** Whether a server answers within a second and is the primary. */
async function isPrimary(url: string, options: DatabaseOptions): Promise<boolean> {
  const sql = openConnection(url, options, true);
  const timer = setTimeout(() => void sql.end({ timeout: 0 }), PROBE_MS);
  try {
    await sql`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
    sql.end({ timeout: 0 }).catch(() => {});
  }
}

/** Connections of one kind. */
interface Pool {
  connections: Connections;
  servers: Servers;
  prepare: boolean;
  /** Whether a failed connection is replaced by one to another server. */
  hasOthers: boolean;
}

/**
 * Executes a statement and retries it where that is safe: after a transient error, and on another server if it was not
 * executed or may be executed twice.
 * @param values the parameters; an object is sent as JSON text
 * @param isRepeatable whether the statement only reads, or has one effect however often it is executed
 */
async function execute(
  pool: Pool,
  statement: string,
  values: (string | object | null)[],
  use: Use = {},
  isRepeatable = false,
): Promise<string> {
  const parameters = values.map((value) => (value !== null && typeof value === "object" ? toJson(value) : value));
  // After a deadlock or serialization failure the transaction was rolled back, so a retry is safe.
  const mayRetry = (error: unknown) =>
    isTransient(error) || (pool.hasOthers && (wasNotExecuted(error) || (isRepeatable && isConnectionLost(error))));
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [row] = await pool.connections.run((sql) => run(sql, pool, statement, parameters), use);
      // Both statements return one row. Without it, the outcome of the statement is unknown.
      if (!row) throw new Problem("database_unavailable");
      return (row.result as string | null) ?? "null";
    } catch (error) {
      if (attempt === MAX_RETRIES || !mayRetry(error)) throw problemFromDatabase(error, pool.hasOthers);
      await pause(Math.random() * 20 * 2 ** attempt);
    }
  }
}

/** Executes a statement and commits it. @throws UnconfirmedCommit if the commit may be lost with the primary */
async function run(
  sql: postgres.Sql,
  { servers, prepare }: Pool,
  statement: string,
  parameters: (string | null)[],
): Promise<postgres.RowList<postgres.Row[]>> {
  const rows = await servers.run(sql, () => sql.unsafe(statement, parameters, { prepare }));
  // Not a server error, so this connection is replaced and the notice cannot be taken for that of a later statement.
  if (unconfirmed.has(sql)) throw new UnconfirmedCommit("The commit was not confirmed by a synchronous standby.");
  return rows;
}

/**
 * Matches the escape sequence of NUL or of a lone surrogate in JSON text. An escaped backslash does not start an escape
 * sequence.
 */
const NOT_STORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * Serializes a value as JSON.
 * @throws Problem if it contains NUL or a lone surrogate. Postgres cannot store them, and would write the whole value
 * to its log with the error
 */
function toJson(value: object): string {
  const json = JSON.stringify(value);
  if (NOT_STORABLE.test(json)) throw new Problem("invalid_argument");
  return json;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

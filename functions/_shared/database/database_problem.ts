import postgres from "postgres";
import { isTlsErrorCode } from "../ground/tls.ts";
import { type ErrorCode, errorEntry, isErrorCode } from "../responses/error_registry.ts";
import { type FieldError, Problem } from "../responses/problem.ts";

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";
const READ_ONLY = "25006";
/**
 * A migration has changed a type while the statement ran: a function returns other columns than the query plan has, or
 * a plan another result.
 */
const CHANGED_TYPES = ["42804", "0A000"];

/**
 * Maps SQLSTATEs (five characters, or a class of two) and driver codes to error codes. All others are internal errors.
 */
const CODE_BY_SQLSTATE: Record<string, ErrorCode> = {
  // The value does not fit the type of the parameter: not a number, out of range, an invalid date, NUL.
  "22P02": "invalid_argument",
  "22P05": "invalid_argument",
  "22003": "invalid_argument",
  "22007": "invalid_argument",
  "22008": "invalid_argument",
  // Grants and policies enforce access. The token check in the edge function only responds earlier.
  "42501": "forbidden",
  // The transaction was rolled back, for a reason unrelated to the request.
  "40": "database_busy",
  "55P03": "database_busy",
  // A lack of memory or connections is temporary. A full disk is not; hosted Supabase switches to read-only before the
  // disk is full.
  "53": "database_busy",
  "53100": "storage_full",
  [READ_ONLY]: "storage_full",
  // It is unknown whether the transaction was committed.
  "40003": "database_unavailable",
  "57014": "database_timeout",
  "08": "database_unavailable",
  "28": "database_unavailable",
  "57": "database_unavailable",
  "3D": "database_unavailable",
  CONNECT_TIMEOUT: "database_unavailable",
  CONNECTION_CLOSED: "database_unavailable",
  CONNECTION_DESTROYED: "database_unavailable",
  CONNECTION_ENDED: "database_unavailable",
  AUTH_TYPE_NOT_IMPLEMENTED: "database_unavailable",
  SASL_SIGNATURE_MISMATCH: "database_unavailable",
};

/** Older versions of Deno have a class of errors instead of codes. */
const TLS_FAILED_IN_DENO = "InvalidData";

/**
 * Whether the statement failed because of other transactions or a migration, and was rolled back, so that a retry is
 * likely to succeed.
 */
export function isTransient(error: unknown): boolean {
  return (
    error instanceof postgres.PostgresError && [SERIALIZATION_FAILURE, DEADLOCK, ...CHANGED_TYPES].includes(error.code)
  );
}

/**
 * The server cannot be reached, is starting, is not the primary any more, is none (the driver destroys the connection),
 * or is read-only.
 */
const NOT_EXECUTED = new Set([
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENOTFOUND",
  "CONNECT_TIMEOUT",
  "57P03",
  "08003",
  "CONNECTION_DESTROYED",
  READ_ONLY,
]);

/** The connection ended, or another server became the primary, maybe after the commit. */
const CONNECTION_LOST = new Set(["CONNECTION_CLOSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "08006", "57P01", "57P02"]);

/** Whether a statement certainly had no effect, because no server executed it, or a read-only one rejected it. */
export function wasNotExecuted(error: unknown): boolean {
  return NOT_EXECUTED.has(stateOf(error));
}

/** Whether a connection was lost, so that it is unknown whether the statement had its effect. */
export function isConnectionLost(error: unknown): boolean {
  return CONNECTION_LOST.has(stateOf(error));
}

/**
 * Converts an error of the database or its driver to a Problem. Only errors raised by app.fail pass on their text, the
 * fields that they name, and the seconds after which a retry may succeed; other error texts are never sent to clients.
 * @param hasOthers whether the database has several servers: a read-only one is then a standby, or is just becoming the
 * primary
 */
export function problemFromDatabase(error: unknown, hasOthers = false): Problem {
  if (error instanceof Problem) return error;
  const state = stateOf(error);
  if (error instanceof postgres.PostgresError && isRaisedByStore(error)) {
    const { detail = "", column_name: fields, hint: seconds } = error;
    const details = detail.split("\n");
    const pointers = fields ? fields.split("\n") : [];
    const errors = pointers.map((pointer, index): FieldError => ({
      in: "body",
      pointer,
      detail: pointers.length > 1 ? details[index]! : detail,
    }));
    return new Problem(error.message as ErrorCode, {
      ...(errors.length <= 1 && { detail }),
      ...(errors.length > 0 && { errors }),
      ...(seconds && { headers: { "retry-after": seconds } }),
      cause: error,
    });
  }
  if (hasOthers && state === READ_ONLY) return new Problem("database_unavailable", { cause: error });
  const code =
    CODE_BY_SQLSTATE[state] ??
    CODE_BY_SQLSTATE[state.slice(0, 2)] ??
    (isOfConnection(error) ? "database_unavailable" : "internal_error");
  return new Problem(code, { cause: error });
}

/**
 * Whether an error of any kind is about the connection, and not about the statement. Whatever keeps the server from
 * letting somebody in is fatal: on a full disk, for example, it reports an internal error.
 */
function isOfConnection(error: unknown): boolean {
  return error instanceof postgres.PostgresError
    ? error.severity !== "ERROR"
    : isSystemFailure(error) || isTlsFailure(error);
}

/**
 * Whether a call of the system failed, such as ENETUNREACH or EMFILE. Codes that begin with ERR_ are misuse of a
 * function.
 */
function isSystemFailure(error: unknown): boolean {
  return (
    /^E(?!RR_)[A-Z0-9_]+$/.test(stateOf(error)) || typeof (error as { syscall?: unknown } | null)?.syscall === "string"
  );
}

function isTlsFailure(error: unknown): boolean {
  return isTlsErrorCode(stateOf(error)) || (error instanceof Error && error.name === TLS_FAILED_IN_DENO);
}

/** The SQLSTATE of a database error, the code of a driver error, or an empty string. */
export function stateOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function isRaisedByStore({ code, message }: postgres.PostgresError): boolean {
  return code.startsWith("PT") && isErrorCode(message) && code === `PT${errorEntry(message).status}`;
}

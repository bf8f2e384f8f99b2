import postgres from "postgres";
import { type ErrorCode, errorEntry, isErrorCode } from "./error_registry.ts";
import { Problem } from "./problem.ts";

const SERIALIZATION_FAILURE = "40001";
const DEADLOCK = "40P01";

/** SQLSTATEs and driver codes that mean something to a client. Five characters or a class of two. */
const CODE_OF_STATE: Record<string, ErrorCode> = {
  // The value reached Postgres but does not fit the parameter's type: not a number, out of range, no such date, NUL.
  "22P02": "invalid_argument",
  "22P05": "invalid_argument",
  "22003": "invalid_argument",
  "22007": "invalid_argument",
  "22008": "invalid_argument",
  // Grants and policies are the guard; the token check in front of them only answers sooner.
  "42501": "forbidden",
  // Rolled back, and no fault of the request.
  "40": "database_busy",
  "55P03": "database_busy",
  // Out of memory or connections: soon over. A full disk is not, and a hosted database is read-only before its disk is full.
  "53": "database_busy",
  "53100": "storage_full",
  "25006": "storage_full",
  // Whether it was committed is not known.
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
  ECONNREFUSED: "database_unavailable",
  ECONNRESET: "database_unavailable",
  EHOSTUNREACH: "database_unavailable",
  ENOTFOUND: "database_unavailable",
  EPIPE: "database_unavailable",
  ETIMEDOUT: "database_unavailable",
};

/** Whether the statement lost a race and would likely succeed if run again. */
export function isTransient(error: unknown): boolean {
  return error instanceof postgres.PostgresError && [SERIALIZATION_FAILURE, DEADLOCK].includes(error.code);
}

/** Translates whatever the database or its driver threw. Only what our own SQL wrote is passed on: a sentence, and the field it is about (app.fail). */
export function problemFromDatabase(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const state = stateOf(error);
  if (error instanceof postgres.PostgresError && isOurOwn(error)) {
    const { detail = "", column_name: pointer } = error;
    return new Problem(error.message as ErrorCode, { detail, ...(pointer && { errors: [{ in: "body", pointer, detail }] }), cause: error });
  }
  const code = CODE_OF_STATE[state] ?? CODE_OF_STATE[state.slice(0, 2)] ?? "internal_error";
  return new Problem(code, { cause: error });
}

/** SQLSTATE of a database error, code of a driver error, or an empty text. */
export function stateOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : "";
}

function isOurOwn({ code, message }: postgres.PostgresError): boolean {
  return code.startsWith("PT") && isErrorCode(message) && code === `PT${errorEntry(message).status}`;
}

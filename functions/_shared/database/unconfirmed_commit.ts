import type postgres from "postgres";

/**
 * A statement was committed, but its synchronous standby has not confirmed it. The code is the SQLSTATE of
 * statement_completion_unknown.
 */
export class UnconfirmedCommit extends Error {
  readonly code = "40003";
}

/**
 * Whether a notice says that the wait of a commit for its synchronous standby was cancelled, for example by
 * pg_cancel_backend. Postgres then reports success, although the commit is lost if the primary is lost. The function of
 * the server that reports it identifies the notice: its text is translated, and its SQLSTATE is that of every warning.
 */
export function isUnconfirmedCommit({ routine }: postgres.Notice): boolean {
  return routine === "SyncRepWaitForLSN";
}

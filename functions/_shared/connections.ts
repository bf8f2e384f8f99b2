import postgres from "postgres";

/** Creates a driver client with at most one connection. It connects when the first statement is executed. */
export type OpenConnection = () => postgres.Sql;

/** Runs a statement with exclusive use of a connection. */
export type WithConnection = <Result>(statement: (sql: postgres.Sql) => PromiseLike<Result>) => Promise<Result>;

/** The deadline of a request has passed. The code is the SQLSTATE of a statement timeout (query_canceled). */
class DeadlineExceeded extends Error {
  readonly code = "57014";
}

/**
 * Manages a pool with a fixed number of connections. A statement waits for a free connection.
 *
 * The driver's own pool is not used: it reconnects inside the object of the lost connection, which still holds rows and errors of the
 * lost statement, and the next statement, of another caller, would receive them (postgres.js 3.4.9). Here a failed connection is
 * discarded with all its state (docs/decisions/0022).
 *
 * @param deadlineMs how long a statement may wait for a connection and run. Without it, an unresponsive server would block the
 * connection forever
 */
export function openConnections(open: OpenConnection, count: number, deadlineMs: number): WithConnection {
  const free = Array.from({ length: count }, open);
  const waiting = new Set<(sql: postgres.Sql) => void>();

  function release(sql: postgres.Sql): void {
    const [next] = waiting;
    if (!next) return void free.push(sql);
    waiting.delete(next);
    next(sql);
  }

  return async (statement) => {
    const deadline = startDeadline(deadlineMs);
    try {
      const sql = free.pop() ?? await nextFree(waiting, deadline);
      try {
        const result = await Promise.race([statement(sql), deadline.passed]);
        release(sql);
        return result;
      } catch (error) {
        release(isUsable(error) ? sql : replace(sql, open));
        throw error;
      }
    } finally {
      deadline.clear();
    }
  };
}

interface Deadline {
  /** Rejects when the deadline passes. */
  passed: Promise<never>;
  clear(): void;
}

function startDeadline(ms: number): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DeadlineExceeded("The deadline of the request has passed.")), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

async function nextFree(waiting: Set<(sql: postgres.Sql) => void>, deadline: Deadline): Promise<postgres.Sql> {
  let take: ((sql: postgres.Sql) => void) | undefined;
  const free = new Promise<postgres.Sql>((resolve) => waiting.add(take = resolve));
  try {
    return await Promise.race([free, deadline.passed]);
  } catch (error) {
    waiting.delete(take!);
    throw error;
  }
}

/** After an error that the server reported, the connection is ready for the next statement. */
function isUsable(error: unknown): boolean {
  return error instanceof postgres.PostgresError;
}

function replace(sql: postgres.Sql, open: OpenConnection): postgres.Sql {
  sql.end({ timeout: 0 }).catch(() => {});
  return open();
}

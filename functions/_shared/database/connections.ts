import postgres from "postgres";

/** Creates a driver client with at most one connection. It connects when the first statement is executed. @param failed the client that it replaces */
export type OpenConnection = (failed?: postgres.Sql) => postgres.Sql;

/** Who uses a connection, and for what. A write may wait for locks of others. */
export interface Use {
  caller?: string | undefined;
  writes?: boolean | undefined;
}

/** Runs a statement with exclusive use of a connection. */
export type WithConnection = <Result>(statement: (sql: postgres.Sql) => PromiseLike<Result>, use?: Use) => Promise<Result>;

/** How many statements may wait for a connection. Without a limit, a burst of requests would cost any amount of memory. */
const MAX_WAITING = 1000;

/** The deadline of a request has passed. The code is the SQLSTATE of a statement timeout (query_canceled). */
class DeadlineExceeded extends Error {
  readonly code = "57014";
}

/** Too many statements are waiting already. The code is the SQLSTATE of too_many_connections. */
class QueueIsFull extends Error {
  readonly code = "53300";
}

interface Waiter {
  use: Use;
  take: (sql: postgres.Sql) => void;
}

/**
 * Manages a pool with a fixed number of connections. A statement waits for a free connection.
 *
 * Writes leave one connection to reads, and one caller uses at most half of the connections: otherwise, a few writes that wait for one
 * locked row would keep everybody else waiting (docs/decisions/0051).
 *
 * The driver's own pool is not used: it reconnects inside the object of the lost connection, which still holds rows and errors of the
 * lost statement, and the next statement, of another caller, would receive them (postgres.js 3.4.9). Here a failed connection is
 * discarded with all its state (docs/decisions/0022).
 *
 * @param deadlineMs how long a statement may wait for a connection and run. Without it, an unresponsive server would block the
 * connection forever
 */
export function openConnections(open: OpenConnection, count: number, deadlineMs: number): WithConnection {
  const free = Array.from({ length: count }, () => open());
  const running = new Set<Use>();
  const waiting = new Set<Waiter>();
  const [mostWrites, mostOfCaller] = [Math.max(1, count - 1), Math.ceil(count / 2)];

  function mayStart(use: Use): boolean {
    const uses = [...running];
    return (!use.writes || uses.filter(({ writes }) => writes).length < mostWrites)
      && (use.caller === undefined || uses.filter(({ caller }) => caller === use.caller).length < mostOfCaller);
  }

  function startNext(): void {
    for (const waiter of waiting) {
      if (free.length === 0) return;
      if (!mayStart(waiter.use)) continue;
      waiting.delete(waiter);
      running.add(waiter.use);
      waiter.take(free.pop()!);
    }
  }

  async function acquire(use: Use, deadline: Deadline): Promise<postgres.Sql> {
    if (waiting.size >= MAX_WAITING) throw new QueueIsFull("Too many statements wait for a connection.");
    let waiter: Waiter | undefined;
    const connection = new Promise<postgres.Sql>((take) => waiting.add(waiter = { use, take }));
    startNext();
    try {
      return await Promise.race([connection, deadline.passed]);
    } catch (error) {
      // A connection that arrives together with the deadline is not lost.
      if (!waiting.delete(waiter!)) release(await connection, use);
      throw error;
    }
  }

  function release(sql: postgres.Sql, use: Use): void {
    running.delete(use);
    free.push(sql);
    startNext();
  }

  return async (statement, given = {}) => {
    // An object of its own, because two statements may have the same use.
    const use = { ...given };
    const deadline = startDeadline(deadlineMs);
    try {
      const sql = await acquire(use, deadline);
      try {
        const result = await Promise.race([statement(sql), deadline.passed]);
        release(sql, use);
        return result;
      } catch (error) {
        release(isUsable(error) ? sql : replace(sql, open), use);
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

/** SQLSTATEs of a server that shuts down or starts, or is read-only: it may not be the primary any more, and another server may be. */
const LEAVES_SERVER = new Set(["57P01", "57P02", "57P03", "25006"]);

/** After other errors that the server reported, the connection is ready for the next statement. */
function isUsable(error: unknown): boolean {
  return error instanceof postgres.PostgresError && !LEAVES_SERVER.has(error.code);
}

function replace(sql: postgres.Sql, open: OpenConnection): postgres.Sql {
  sql.end({ timeout: 0 }).catch(() => {});
  return open(sql);
}

import postgres from "postgres";

/** Opens a client of the driver that holds one connection at most; it connects with the first statement. */
export type OpenConnection = () => postgres.Sql;

/** Runs a statement on a connection that no other statement uses meanwhile. */
export type OnConnection = <Answer>(statement: (sql: postgres.Sql) => PromiseLike<Answer>) => Promise<Answer>;

/** The time of a request has passed. The code is the one that the database gives for the same reason. */
class OutOfTime extends Error {
  readonly code = "57014";
}

/**
 * A fixed number of connections. A statement waits for one that is free.
 *
 * The driver has a pool, which is not used: it reconnects inside the object of the lost connection, and that object still holds rows
 * and errors of the statement that was lost. The next statement, of another caller, would get them (postgres.js 3.4.9). Here a
 * connection that failed is thrown away with everything that belongs to it.
 *
 * @param deadlineMs how long a statement may wait and run; a server that has gone silent would otherwise keep the connection for ever
 */
export function openConnections(open: OpenConnection, count: number, deadlineMs: number): OnConnection {
  const free = Array.from({ length: count }, open);
  const waiting = new Set<(sql: postgres.Sql) => void>();

  function giveBack(sql: postgres.Sql): void {
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
        const answer = await Promise.race([statement(sql), deadline.passed]);
        giveBack(sql);
        return answer;
      } catch (error) {
        giveBack(isUsable(error) ? sql : replace(sql, open));
        throw error;
      }
    } finally {
      deadline.clear();
    }
  };
}

interface Deadline {
  /** Rejects when the time has passed. */
  passed: Promise<never>;
  clear(): void;
}

function startDeadline(ms: number): Deadline {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const passed = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new OutOfTime("The time of the request has passed.")), ms);
  });
  return { passed, clear: () => clearTimeout(timer) };
}

async function nextFree(waiting: Set<(sql: postgres.Sql) => void>, deadline: Deadline): Promise<postgres.Sql> {
  let take: ((sql: postgres.Sql) => void) | undefined;
  const given = new Promise<postgres.Sql>((resolve) => waiting.add(take = resolve));
  try {
    return await Promise.race([given, deadline.passed]);
  } catch (error) {
    waiting.delete(take!);
    throw error;
  }
}

/** An error that the server reported ends its statement and leaves the connection ready for the next one. */
function isUsable(error: unknown): boolean {
  return error instanceof postgres.PostgresError;
}

function replace(sql: postgres.Sql, open: OpenConnection): postgres.Sql {
  sql.end({ timeout: 0 }).catch(() => {});
  return open();
}

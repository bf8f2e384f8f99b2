import postgres from "postgres";

/**
 * Creates a driver client with at most one connection. It connects when the first statement is executed.
 * @param failed the client that it replaces
 */
export type OpenConnection = (failed?: postgres.Sql) => postgres.Sql;

/** The caller of all requests without a token, which share one share of the connections. */
export const VISITORS = "visitors";

/** Who uses a connection, and for what. A write may wait for locks of others. */
export interface Use {
  /**
   * A member, an administrator or {@link VISITORS}. Without a caller, it is a call of the store itself, such as a
   * notification of a payment.
   */
  caller?: string | undefined;
  writes?: boolean | undefined;
  /**
   * Whether it comes before the other calls of callers, because it is part of a payment. Calls of the store itself do,
   * too.
   */
  isPayment?: boolean | undefined;
}

/** Connections on which statements wait for their turn. */
export interface Connections {
  /** Runs a statement with exclusive use of a connection. */
  run: <Result>(statement: (sql: postgres.Sql) => PromiseLike<Result>, use?: Use) => Promise<Result>;
  /**
   * Whether so many statements are waiting that another one of this caller would be refused, unless it is part of a
   * payment.
   */
  isCrowded: (caller: string) => boolean;
}

/**
 * How many statements may wait when another one comes: an ordinary one of a caller, one of a payment, and one of the
 * store itself. The difference is kept for what is more urgent. Without a limit, a burst of requests would cost any
 * amount of memory.
 */
const [PLACES, PLACES_WITH_PAYMENTS, ALL_PLACES] = [800, 900, 1000];
/** How many of these places are kept for callers of whom nothing waits. */
const FIRST_PLACES = 200;

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

const isOfCaller = ({ caller }: Use) => caller !== undefined;

/**
 * Manages a pool with a fixed number of connections. A statement waits for a free connection. Statements of payments
 * and of the store itself come before all others.
 *
 * No caller can keep all others waiting (docs/decisions/0051): a caller uses at most half of the connections and waits
 * at one place, or at an eighth as many as are left beside 200 that are kept for first statements: one caller gets 67
 * of the 800 places, eight together get 368, and whoever comes then finds one. Visitors together use all connections
 * but one, and wait at no more places than are left beside the 200. Writes leave one connection to reads.
 *
 * The driver's own pool is not used: it reconnects inside the object of the lost connection, which still holds rows and
 * errors of the lost statement, and the next statement, of another caller, would receive them (postgres.js 3.4.9). Here
 * a failed connection is discarded with all its state (docs/decisions/0169).
 *
 * @param count how many connections callers use at most
 * @param own how many more there are for calls of the store itself
 * @param deadlineMs how long a statement may wait for a connection and run. Without it, an unresponsive server would
 * block the connection forever
 */
export function openConnections(
  open: OpenConnection,
  { count, own = 0, deadlineMs }: { count: number; own?: number; deadlineMs: number },
): Connections {
  const free = Array.from({ length: count + own }, () => open());
  const running = new Set<Use>();
  const [first, others] = [new Set<Waiter>(), new Set<Waiter>()];
  /** How many statements of each caller wait. Counted, because a burst asks for each of its requests. */
  const waitingOf = new Map<string, number>();
  const allButOne = Math.max(1, count - 1);

  function mayStart({ caller, writes }: Use): boolean {
    if (caller === undefined) return true;
    const uses = [...running].filter(isOfCaller);
    return (
      uses.length < count &&
      (!writes || uses.filter((use) => use.writes).length < allButOne) &&
      uses.filter((use) => use.caller === caller).length < (caller === VISITORS ? allButOne : Math.ceil(count / 2))
    );
  }

  const placesLeft = (places: number) => places - first.size - others.size;

  function mayWait({ caller, isPayment }: Use): boolean {
    if (caller === undefined) return placesLeft(ALL_PLACES) > 0;
    const left = placesLeft(isPayment ? PLACES_WITH_PAYMENTS : PLACES);
    const own = waitingOf.get(caller) ?? 0;
    return own === 0 ? left > 0 : own < (left - FIRST_PLACES) / (caller === VISITORS ? 1 : 8);
  }

  const queueOf = (use: Use) => (use.isPayment || !isOfCaller(use) ? first : others);

  function enter(waiter: Waiter): void {
    queueOf(waiter.use).add(waiter);
    addWaiting(waiter.use, 1);
  }

  /** @returns whether it was waiting */
  function leave(waiter: Waiter): boolean {
    const waited = queueOf(waiter.use).delete(waiter);
    if (waited) addWaiting(waiter.use, -1);
    return waited;
  }

  function addWaiting({ caller }: Use, by: number): void {
    if (caller === undefined) return;
    const left = (waitingOf.get(caller) ?? 0) + by;
    if (left > 0) waitingOf.set(caller, left);
    else waitingOf.delete(caller);
  }

  function startNext(): void {
    for (const queue of [first, others]) {
      for (const waiter of queue) {
        if (free.length === 0) return;
        if (!mayStart(waiter.use)) continue;
        leave(waiter);
        running.add(waiter.use);
        waiter.take(free.pop()!);
      }
    }
  }

  async function acquire(use: Use, deadline: Deadline): Promise<postgres.Sql> {
    if (!mayWait(use)) throw new QueueIsFull("Too many statements wait for a connection.");
    let waiter: Waiter | undefined;
    const connection = new Promise<postgres.Sql>((take) => enter((waiter = { use, take })));
    startNext();
    try {
      return await Promise.race([connection, deadline.passed]);
    } catch (error) {
      // A connection that arrives together with the deadline is not lost.
      if (!leave(waiter!)) release(await connection, use);
      throw error;
    }
  }

  function release(sql: postgres.Sql, use: Use): void {
    running.delete(use);
    free.push(sql);
    startNext();
  }

  const run: Connections["run"] = async (statement, given = {}) => {
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
  return { run, isCrowded: (caller) => !mayWait({ caller }) };
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

/**
 * SQLSTATEs of a server that shuts down or starts, or is read-only: it may not be the primary any more, and another
 * server may be.
 */
const LEAVES_SERVER = new Set(["57P01", "57P02", "57P03", "25006"]);

/** After other errors that the server reported, the connection is ready for the next statement. */
function isUsable(error: unknown): boolean {
  return error instanceof postgres.PostgresError && !LEAVES_SERVER.has(error.code);
}

function replace(sql: postgres.Sql, open: OpenConnection): postgres.Sql {
  sql.end({ timeout: 0 }).catch(() => {});
  return open(sql);
}

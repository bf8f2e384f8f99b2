import type postgres from "postgres";
import type { OpenConnection } from "./connections.ts";

/**
 * The connection leads to a server that is not the primary any more. Nothing was sent. The code is the SQLSTATE of
 * connection_does_not_exist.
 */
class ServerChanged extends Error {
  readonly code = "08003";
}

/** Another server became the primary while a statement was running. The code is the SQLSTATE of connection_failure. */
class ServerLost extends Error {
  readonly code = "08006";
}

/**
 * How long a statement runs before the primary is searched for, and again. A server whose machine is lost does not
 * close its connections.
 */
const SEARCH_EVERY_MS = 1_000;

/** Connections to that one of several servers that is the primary. */
export interface Servers {
  open: OpenConnection;
  /** Runs a statement on a connection. @throws ServerChanged, ServerLost */
  run<Result>(sql: postgres.Sql, statement: () => PromiseLike<Result>): Promise<Result>;
}

/**
 * Opens connections to the primary among several servers: the replacement of a failed connection goes to the next
 * server. The driver's own choice is not used, because it forgets with each client which server was the primary, and
 * retries without a pause while none accepts connections (postgres.js 3.4.9).
 * @param open opens a connection that fails if the server is not the primary
 * @param isPrimary whether a server answers soon, and is the primary
 */
export function followPrimary(
  addresses: string[],
  open: (address: string) => postgres.Sql,
  isPrimary: (address: string) => Promise<boolean>,
): Servers {
  const serverOf = new WeakMap<postgres.Sql, number>();
  const established = new WeakSet<postgres.Sql>();
  let primary = 0;
  let search: Promise<void> | undefined;

  async function searchPrimary(): Promise<void> {
    // A slow statement on the primary is no reason to leave it.
    if (await isPrimary(addresses[primary]!)) return;
    for (const [server, address] of addresses.entries()) {
      if (server === primary || !(await isPrimary(address))) continue;
      primary = server;
      return;
    }
  }

  /** @returns a promise that rejects when another server than that of the connection is the primary */
  function watch(sql: postgres.Sql): { moved: Promise<never>; end: () => void } {
    let timer: ReturnType<typeof setInterval> | undefined;
    const moved = new Promise<never>((_, reject) => {
      timer = setInterval(() => {
        search ??= searchPrimary().finally(() => (search = undefined));
        void search.then(() => {
          if (serverOf.get(sql) !== primary) reject(new ServerLost("Another server is the primary now."));
        });
      }, SEARCH_EVERY_MS);
    });
    moved.catch(() => {});
    return { moved, end: () => clearInterval(timer) };
  }

  return {
    open: (failed) => {
      const server = failed ? (serverOf.get(failed)! + 1) % addresses.length : primary;
      const sql = open(addresses[server]!);
      serverOf.set(sql, server);
      return sql;
    },
    run: async (sql, statement) => {
      if (addresses.length === 1) return statement();
      if (established.has(sql) && serverOf.get(sql) !== primary)
        throw new ServerChanged("Another server is the primary now.");
      const { moved, end } = watch(sql);
      try {
        const result = await Promise.race([statement(), moved]);
        if (!established.has(sql)) primary = serverOf.get(sql)!;
        established.add(sql);
        return result;
      } finally {
        end();
      }
    },
  };
}

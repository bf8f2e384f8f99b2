import type postgres from "postgres";

/**
 * A connection to a store with its demo month, whose content depends on the day. An `insert … select` or `update` that
 * finds none of the rows that it expects fails here and names itself. Otherwise, it would change nothing, and what the
 * test asserts later would be about something else, or nothing.
 */
export function refusingEmptyWrites(sql: postgres.Sql): postgres.Sql {
  return new Proxy(sql, {
    apply(target, self, args: unknown[]) {
      const query = Reflect.apply(target as unknown as (...given: unknown[]) => unknown, self, args);
      return isTemplate(args[0]) ? checked(query as postgres.PendingQuery<postgres.Row[]>) : query;
    },
  });
}

const isTemplate = (first: unknown): first is TemplateStringsArray => Array.isArray(first) && "raw" in first;

/** The query, whose result is looked at when it is awaited. A part of another query never is. */
function checked(query: postgres.PendingQuery<postgres.Row[]>): typeof query {
  const then = query.then.bind(query);
  query.then = (onResult, onError) =>
    then((result) => {
      if (/^(INSERT|UPDATE)$/.test(result.command) && result.count === 0)
        throw new Error(`The demo month of this day has no row for: ${result.statement.string.trim()}`);
      return result;
    }).then(onResult, onError);
  return query;
}

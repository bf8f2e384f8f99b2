import type { Database } from "../_shared/database/database.ts";

/**
 * The database for the work of one row of the outbox.
 * @param shard which shard has the row; null is the home of the shards, undefined a store without shards
 */
export function onShard(database: Database, shard: number | null | undefined): Database {
  if (shard === undefined) return database;
  return {
    ...database,
    // The router takes the argument out again (scripts/scale/shards/home.sql).
    callAsService: (name, args) => database.callAsService(name, { ...args, p_shard: shard }),
  };
}

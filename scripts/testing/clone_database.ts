import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { testContext } from "./context.ts";

export interface ClonedDatabase {
  /** For role postgres. */
  url: string;
  drop(): Promise<void>;
}

/** Opens connections to a database. Values of type bigint and numeric are strings. Close them with `sql.end()`. */
export function connect(
  url: string,
  options: postgres.Options<Record<string, postgres.PostgresType>> = {},
): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, ...options });
}

/** Ends the transactions of `rolledBack`. */
const ROLLBACK = new Error("rolled back");

/** Runs `work` in a transaction, or in a savepoint of one, and always rolls it back. @returns the result of `work` */
export async function rolledBack<Result>(
  connection: postgres.Sql | postgres.TransactionSql,
  work: (transaction: postgres.TransactionSql) => Promise<Result>,
): Promise<Result> {
  let result: Result | undefined;
  const workAndThrow = async (transaction: postgres.TransactionSql) => {
    result = await work(transaction);
    throw ROLLBACK;
  };
  await ("savepoint" in connection ? connection.savepoint(workAndThrow) : connection.begin(workAndThrow)).catch(
    (error: unknown) => {
      if (error !== ROLLBACK) throw error;
    },
  );
  return result as Result;
}

/**
 * Creates a separate database: a copy of the migrated one, without rows, pg_cron and Auth server.
 * @param template the database to copy. `platform` has no migrations
 */
export async function cloneDatabase(template: "migrated" | "platform" = "migrated"): Promise<ClonedDatabase> {
  const { stack, templates, clonePrefix, plannedWithout } = testContext();
  if (!templates) throw new Error("Only the stack of `npm test` has databases to copy.");
  const name = `${clonePrefix}_${randomBytes(6).toString("hex")}`;
  const owner = connect(stack.database_url);
  await owner.unsafe(`create database "${name}" template "${templates[template]}"`);
  if (plannedWithout) await owner.unsafe(`alter database "${name}" set ${plannedWithout} to off`);
  const url = new URL(stack.database_url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await dropPatiently(owner, name);
      await owner.end();
    },
  };
}

/**
 * Drops a database, with retries: the owner cannot terminate an autovacuum worker, which belongs to the superuser and
 * ends soon.
 */
async function dropPatiently(owner: postgres.Sql, name: string, triesLeft = 50): Promise<void> {
  try {
    await owner.unsafe(`drop database "${name}" with (force)`);
  } catch (error) {
    if (triesLeft === 0) throw error;
    await new Promise((resolve) => setTimeout(resolve, 200));
    await dropPatiently(owner, name, triesLeft - 1);
  }
}

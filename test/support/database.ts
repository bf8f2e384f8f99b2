import { randomBytes } from "node:crypto";
import postgres from "postgres";
import { testContext } from "./context.ts";

export interface ClonedDatabase {
  /** By role postgres. */
  url: string;
  drop(): Promise<void>;
}

/** Opens connections to a database; bigint and numeric arrive as strings. End them with `sql.end()`. */
export function connect(url: string, options: postgres.Options<Record<string, postgres.PostgresType>> = {}): postgres.Sql {
  return postgres(url, { max: 1, onnotice: () => undefined, ...options });
}

/**
 * A database that nobody else uses: a copy of the migrated one, without rows, pg_cron or an Auth server.
 * @param template what to copy instead: `platform` has no migrations
 */
export async function cloneDatabase(template: "migrated" | "platform" = "migrated"): Promise<ClonedDatabase> {
  const { stack, templates, clonePrefix } = testContext();
  const name = `${clonePrefix}_${randomBytes(6).toString("hex")}`;
  const owner = connect(stack.database_url);
  await owner.unsafe(`create database "${name}" template "${templates[template]}"`);
  const url = new URL(stack.database_url);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async drop() {
      await owner.unsafe(`drop database "${name}" with (force)`);
      await owner.end();
    },
  };
}

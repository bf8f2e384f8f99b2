import { type DatabaseServer, superuserUrl, withConnection } from "./database_server.ts";
import { refusalAdvice } from "../ground/open_connection.ts";
import { Problem } from "../ground/problem.ts";

const oldestVersion = 150000;

/** The server and database of DATABASE_URL. */
export interface ExternalServer {
  server: DatabaseServer;
  /** The major version of Postgres. */
  major: number;
  database: string;
}

/**
 * Reads DATABASE_URL.
 * @returns undefined if it is not set.
 * @throws Problem if the server does not meet the requirements
 */
export async function externalServer(): Promise<ExternalServer | undefined> {
  const text = process.env.DATABASE_URL;
  if (!text) return undefined;
  if (!URL.canParse(text))
    throw new Problem(
      "DATABASE_URL is not a URL.",
      "Example: postgresql://supabase_admin:password@127.0.0.1:5432/postgres",
    );
  const url = new URL(text);
  const server: DatabaseServer = {
    host: url.hostname,
    port: Number(url.port || 5432),
    superuser: decodeURIComponent(url.username),
    superuserPassword: decodeURIComponent(url.password),
    parameters: url.search,
  };
  const major = await requireSuitableServer(text, server);
  return { server, major, database: url.pathname.slice(1) || "postgres" };
}

/** @returns the major version */
async function requireSuitableServer(url: string, server: DatabaseServer): Promise<number> {
  const advice =
    "Use a dedicated server with Postgres 15 or newer, and a superuser that is not called postgres (such as Supabase's supabase_admin). Or unset DATABASE_URL to run a private server.";
  const [found] = await withConnection(
    url,
    (sql) => sql<{ version: number; superuser: boolean }[]>`
    select current_setting('server_version_num')::int as version, rolsuper as superuser from pg_roles where rolname = current_user`,
  ).catch((error: unknown) => {
    throw new Problem(
      `The server of DATABASE_URL (${server.host}:${server.port}) cannot be used: ${(error as Error).message}`,
      refusalAdvice((error as Error).message, "DATABASE_URL") ?? advice,
    );
  });
  if (!found || found.version < oldestVersion)
    throw new Problem("The server of DATABASE_URL is older than Postgres 15.", advice);
  if (!found.superuser)
    throw new Problem(
      `The role ${server.superuser} of DATABASE_URL is not a superuser and cannot create Supabase's roles and schemas.`,
      advice,
    );
  // On Supabase, postgres is an ordinary role. Making it one here would remove the superuser of the server.
  if (server.superuser === "postgres")
    throw new Problem("DATABASE_URL uses the role postgres, which must be an ordinary role, as on Supabase.", advice);
  return Math.floor(found.version / 10_000);
}

/**
 * Creates a temporary database on the server of DATABASE_URL.
 * @returns its name; undefined if DATABASE_URL is not set
 */
export async function createExternalDatabase(): Promise<string | undefined> {
  const external = await externalServer();
  if (!external) return undefined;
  const name = `store_test_${process.pid}`;
  await withConnection(superuserUrl(external.server, external.database), (sql) =>
    sql.unsafe(`create database "${name}"`),
  );
  return name;
}

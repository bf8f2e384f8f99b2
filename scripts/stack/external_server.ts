import { type DatabaseServer, superuserUrl, withConnection } from "./database_server.ts";
import { Problem } from "./problem.ts";

const oldestVersion = 150000;

/** The server of DATABASE_URL, and the database that it names. */
export interface ExternalServer {
  server: DatabaseServer;
  database: string;
}

/** @returns undefined when DATABASE_URL is not set, so that we run a cluster of our own. @throws Problem when the server does not fit */
export async function externalServer(): Promise<ExternalServer | undefined> {
  const text = process.env.DATABASE_URL;
  if (!text) return undefined;
  if (!URL.canParse(text)) throw new Problem("DATABASE_URL is not a URL.", "It looks like this: postgresql://supabase_admin:password@127.0.0.1:5432/postgres");
  const url = new URL(text);
  const server: DatabaseServer = {
    host: url.hostname,
    port: Number(url.port || 5432),
    superuser: decodeURIComponent(url.username),
    superuserPassword: decodeURIComponent(url.password),
  };
  await requireFittingServer(text, server);
  return { server, database: url.pathname.slice(1) || "postgres" };
}

async function requireFittingServer(url: string, server: DatabaseServer): Promise<void> {
  const advice = "Give a Postgres 15 or newer, made for this, by a superuser of another name than postgres (as Supabase's supabase_admin); or unset DATABASE_URL to run a private one.";
  const [facts] = await withConnection(url, (sql) => sql<{ version: number; superuser: boolean }[]>`
    select current_setting('server_version_num')::int as version, rolsuper as superuser from pg_roles where rolname = current_user`).catch((error: unknown) => {
    throw new Problem(`The server of DATABASE_URL (${server.host}:${server.port}) cannot be used: ${(error as Error).message}`, advice);
  });
  if (!facts || facts.version < oldestVersion) throw new Problem("The server of DATABASE_URL is older than Postgres 15.", advice);
  if (!facts.superuser) throw new Problem(`The role ${server.superuser} of DATABASE_URL is no superuser, so it cannot create Supabase's roles and schemas.`, advice);
  // On Supabase postgres is an ordinary role; making it one here would lock the server's own superuser out.
  if (server.superuser === "postgres") throw new Problem("DATABASE_URL signs in as postgres, which has to become an ordinary role, as on Supabase.", advice);
}

/** Makes a database of our own on the server of DATABASE_URL. @returns its name; undefined when DATABASE_URL is not set */
export async function createExternalDatabase(): Promise<string | undefined> {
  const external = await externalServer();
  if (!external) return undefined;
  const name = `store_test_${process.pid}`;
  await withConnection(superuserUrl(external.server, external.database), (sql) => sql.unsafe(`create database "${name}"`));
  return name;
}

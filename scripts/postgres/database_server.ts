import type postgres from "postgres";
import { host } from "../ground/ports.ts";
import { openConnection } from "../ground/open_connection.ts";

/** The address of a database server and the credentials of its superuser. */
export interface DatabaseServer {
  host: string;
  port: number;
  superuser: string;
  superuserPassword: string;
  /** The query of DATABASE_URL, such as `?sslmode=require`. */
  parameters?: string;
}

/** Supabase's superuser. The migrations never run as this role. */
export const platformSuperuser = "supabase_admin";

export function databaseUrl(server: DatabaseServer, role: string, password: string, database: string): string {
  return `postgresql://${role}:${encodeURIComponent(password)}@${server.host}:${server.port}/${database}${server.parameters ?? ""}`;
}

export function superuserUrl(server: DatabaseServer, database: string): string {
  return databaseUrl(server, server.superuser, server.superuserPassword, database);
}

export function localServer(port: number, superuserPassword: string): DatabaseServer {
  return { host, port, superuser: platformSuperuser, superuserPassword };
}

/**
 * Runs `work` with one connection, which is always closed afterwards. Array values are read as text: if the server is
 * lost while the driver reads their types, it rejects a promise that nobody can catch.
 */
export async function withConnection<T>(url: string, work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = openConnection(url, { max: 1, connect_timeout: 5, fetch_types: false });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

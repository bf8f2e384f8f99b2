import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import { bundle, bundleOf } from "../../generate/function_bundles.ts";
import { functionBuilds } from "../../ground/paths.ts";
import { type EdgeFunction, serveOnDeno } from "../../testing/edge_function.ts";
import { loadFile, withSql } from "../data/load_data.ts";

const jwtSecret = randomBytes(32).toString("hex");

/** Bundles the ladder like an edge function. @returns the bundle */
async function bundleLadder(): Promise<string> {
  const folder = join(functionBuilds, "bench");
  await bundle({ ladder: join(import.meta.dirname, "ladder.ts") }, folder);
  return bundleOf("ladder", folder);
}

export type Served = "api" | "adminapi" | "ladder";

/**
 * Serves an edge function or the ladder on a database of the benchmark.
 * @param settings additional environment variables
 */
export async function serve(
  name: Served,
  databaseUrl: string,
  settings: Record<string, string> = {},
): Promise<EdgeFunction> {
  const environment = {
    STORE_DB_URL: databaseUrl,
    SUPABASE_URL: "http://127.0.0.1",
    STORE_JWT_SECRET: jwtSecret,
    STORE_DB_PREPARE: "true",
    ...settings,
  };
  return serveOnDeno(name, environment, name === "ladder" ? await bundleLadder() : undefined);
}

/** Serves several functions while `work` runs. */
export async function withServed<Name extends Served, T>(
  names: Name[],
  databaseUrl: string,
  work: (served: Record<Name, EdgeFunction>) => Promise<T>,
): Promise<T> {
  const served = {} as Record<Name, EdgeFunction>;
  try {
    for (const name of names) served[name] = await serve(name, databaseUrl);
    return await work(served);
  } finally {
    for (const name of names) await served[name]?.stop();
  }
}

function sign(sub: string, role: string): Promise<string> {
  return new SignJWT({ iss: "http://127.0.0.1/auth/v1", sub, role, aud: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("4h")
    .sign(new TextEncoder().encode(jwtSecret));
}

/** Access tokens of the callers. */
export interface Callers {
  /** Of administrators. One caller may keep 100 calls waiting at most. */
  admins: string[];
  /** Tokens of members 1 to n. */
  members: { uid: number; token: string }[];
}

/** Creates accounts for the first members of a database and for administrators. */
export async function createCallers(databaseUrl: string, count: number, administrators = 1): Promise<Callers> {
  const uids = Array.from({ length: count }, (_, index) => index + 1);
  await loadFile(databaseUrl, join("..", "http", "callers.sql"));
  return withSql(databaseUrl, async (sql) => {
    await sql`call bench.give_accounts(${uids})`;
    const admins = await sql<
      { id: string }[]
    >`select bench.make_administrator(format('bench-admin-%s@example.com', n)) as id from generate_series(1, ${administrators}::integer) as n`;
    // An administrator marks more orders as paid than one may alone on a day, and members do more than in an hour of a
    // real store.
    await sql`update app.settings set offline_payment_limit = 100000000, orders_per_hour = 100000, profile_changes_per_hour = 100000`;
    const accounts = await sql<
      { uid: string; id: string }[]
    >`select uid, auth_id as id from app.users where uid = any (${uids}) order by uid`;
    return {
      admins: await Promise.all(admins.map(({ id }) => sign(id, "store_admin"))),
      members: await Promise.all(
        accounts.map(async ({ uid, id }) => ({ uid: Number(uid), token: await sign(id, "authenticated") })),
      ),
    };
  });
}

/** The current memory of a process, in MB. */
export function residentMegabytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
}

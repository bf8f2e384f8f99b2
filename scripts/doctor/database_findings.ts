import type postgres from "postgres";
import { addressesOf, checkAddress } from "../../functions/_shared/ground/database_address.ts";
import { isTlsErrorCode } from "../../functions/_shared/ground/tls.ts";
import { withDatabase } from "../command_line/database.ts";
import { administrators } from "../administrators/administrators.ts";
import { openConnection, refusalAdvice } from "../ground/open_connection.ts";
import { historyOfDatabase, historyOfFiles } from "../postgres/migration_history.ts";
import { Problem } from "../ground/problem.ts";
import { error, type Finding, ok, skipped, warning } from "./finding.ts";
import { DB_URL_EXAMPLE, MISSING_PRIVILEGE } from "./hints.ts";
import { shareFindings } from "./share_findings.ts";

const PUSH = "npx supabase db push";
/** What to do with a database that another version has migrated. */
export const OTHER_VERSION =
  "Check out the version that was deployed, or a later one. A store from before 0.9.0 is dumped and created anew (docs/upgrading.md).";
const ROLES = ["anon", "authenticated", "store_admin", "service_role"];

/**
 * Examines the database: extensions, migrations, roles, jobs, configuration, share link URL, administrators. It changes
 * nothing.
 */
export function examineDatabase(): Promise<Finding[]> {
  const unreachable = (problem: unknown) => {
    if (!(problem instanceof Problem)) throw problem;
    return [error("database", problem.message, problem.advice)];
  };
  return withDatabase(async (sql) => {
    const findings = [...(await extensionFindings(sql)), await migrationFinding(sql)];
    const [store] = await sql<
      { here: boolean }[]
    >`select to_regprocedure('app.verify_agent_config()') is not null as here`;
    if (!store?.here) return findings;
    return [
      ...findings,
      await roleFinding(sql),
      ...(await workerFindings(sql)),
      ...(await configurationFindings(sql)),
      ...(await shareFindings(sql)),
      await administratorFinding(sql),
    ];
  }).catch(unreachable);
}

async function extensionFindings(sql: postgres.Sql): Promise<Finding[]> {
  const [cron] = await sql<{ version: string | null; has_stand_in: boolean }[]>`
    select (select extversion from pg_extension where extname = 'pg_cron') as version, to_regclass('cron.job') is not null as has_stand_in`;
  if (cron?.version) return [ok("extension", `pg_cron ${cron.version}`)];
  if (cron?.has_stand_in)
    return [ok("extension", "no pg_cron: the process of the local stack runs the scheduled jobs")];
  return [
    error(
      "extension",
      "pg_cron is not enabled: nothing is settled in the background, and no points are released",
      "In the SQL editor: create extension pg_cron;   then, if the migrations are applied: select app.apply_schedule();",
    ),
  ];
}

async function migrationFinding(sql: postgres.Sql): Promise<Finding> {
  const [files, applied] = [historyOfFiles(), await historyOfDatabase(sql)];
  const missing = [...files.keys()].filter((version) => !applied.has(version)).sort();
  const unknown = [...applied.keys()].filter((version) => !files.has(version)).sort();
  const changed = [...applied.keys()]
    .filter((version) => files.has(version) && files.get(version) !== applied.get(version))
    .sort();
  if (changed.length > 0)
    return error(
      "migrations",
      `${changed.join(", ")} ${changed.length === 1 ? "was" : "were"} applied with another content than in this folder: the database is of another version`,
      OTHER_VERSION,
    );
  if (missing.length > 0)
    return error(
      "migrations",
      `${missing.length} of ${files.size} migrations are not applied: ${missing.join(", ")}`,
      applied.size === 0 ? PUSH : "npm run upgrade -- --check",
    );
  if (unknown.length > 0)
    return warning(
      "migrations",
      `the database has migrations that this folder does not have: ${unknown.join(", ")}`,
      "Check out the version that was deployed (`git pull`), or correct DATABASE_URL if it names the database of another project.",
    );
  return ok("migrations", `${files.size} applied, none missing`);
}

/** store_api must be able to become each role of a caller, and nothing else. */
async function roleFinding(sql: postgres.Sql): Promise<Finding> {
  const rows = await sql<{ role: string; is_member: boolean }[]>`
    select r.role, coalesce(pg_has_role(s.oid, r.role, 'member'), false) as is_member
    from unnest(${ROLES}::text[]) as r (role) left join pg_roles as s on s.rolname = 'store_api' and s.rolcanlogin and not s.rolsuper and not s.rolbypassrls`;
  const missing = rows.filter(({ is_member }) => !is_member).map(({ role }) => role);
  if (missing.length === 0)
    return ok("roles", "store_api may act for visitors, members, administrators and the service");
  return error(
    "roles",
    `store_api cannot act as ${missing.join(", ")}`,
    `In the SQL editor: alter role store_api login noinherit nosuperuser nobypassrls; grant ${missing.join(", ")} to store_api;`,
  );
}

/** Whether pg_cron has what it needs to call the worker. */
async function workerFindings(sql: postgres.Sql): Promise<Finding[]> {
  const [net] = await sql<{ here: boolean; has_vault: boolean }[]>`
    select to_regnamespace('net') is not null as here, to_regclass('vault.decrypted_secrets') is not null as has_vault`;
  const operations = "docs/operations.md, The worker";
  if (!net?.here)
    return [
      warning(
        "worker",
        "pg_net is not enabled: pg_cron does not call the worker",
        `In the SQL editor: create extension pg_net;   then ${operations}`,
      ),
    ];
  if (!net.has_vault) return [warning("worker", "there is no Vault for the secret of the worker", operations)];
  const names = (
    await sql<
      { name: string }[]
    >`select name from vault.secrets where name in ('store_worker_url', 'store_worker_secret')`
  ).map(({ name }) => name);
  const missing = ["store_worker_url", "store_worker_secret"].filter((name) => !names.includes(name));
  return [
    missing.length === 0
      ? ok("worker", "pg_cron can call the worker")
      : warning(
          "worker",
          `Vault has no ${missing.join(" and no ")}: pg_cron does not call the worker`,
          `In the SQL editor: ${missing.map((name) => `select vault.create_secret('…', '${name}');`).join(" ")}   # ${operations}`,
        ),
  ];
}

interface Verified {
  check_id: string;
  severity: "ok" | "hint" | "warning" | "error";
  subject: string;
  message: string;
  hint: string;
}

/** The checks of `npm run hjf:verify-agent-config`, the scheduled jobs among them. Those that passed are one line. */
async function configurationFindings(sql: postgres.Sql): Promise<Finding[]> {
  const rows = await sql<Verified[]>`select * from app.verify_agent_config()`;
  const jobs = (row: Verified) => row.check_id === "cron_job_is_healthy";
  const group = (check: string, chosen: Verified[]): Finding[] => {
    const open = chosen
      .filter(({ severity }) => severity !== "ok")
      .map(({ severity, subject, message, hint }): Finding => ({
        check,
        severity,
        message: `${subject}: ${message}`,
        hint,
      }));
    return open.length > 0 ? open : [ok(check, `${chosen.length} checks passed`)];
  };
  return [
    ...group("jobs", rows.filter(jobs)),
    ...group(
      "configuration",
      rows.filter((row) => !jobs(row)),
    ),
  ];
}

async function administratorFinding(sql: postgres.Sql): Promise<Finding> {
  const all = await administrators(sql);
  const able = all.filter(({ may_act }) => may_act);
  if (able.length > 0) return ok("administrators", `${able.length} of ${all.length} may act`);
  return error("administrators", "nobody can sign in to the console", "npm run admin -- add <email>");
}

/** What to do if the functions cannot use their database, by the SQLSTATE or the code of the driver. */
function connectionHint({ code, message }: { code?: string; message: string }): string {
  const refusal = refusalAdvice(message, "STORE_DB_URL");
  if (refusal) return refusal;
  if (code?.startsWith("28"))
    return "In the SQL editor: alter role store_api password '<password>';   and put that password into STORE_DB_URL";
  if (code === "42501") return MISSING_PRIVILEGE;
  if (code?.startsWith("42") || code?.startsWith("3"))
    return `Check that STORE_DB_URL names the database of the store, and apply its migrations: ${PUSH}`;
  if (code?.startsWith("53"))
    return "The server has no connection left. Find who holds them: select usename, count(*) from pg_stat_activity group by 1";
  return "Check host and port of STORE_DB_URL, and that the server can be reached from here.";
}

/** Signs in with the address that the functions have or will have, at each of its servers. */
export async function examineFunctionDatabase(address: string): Promise<Finding[]> {
  if (!/^postgres(ql)?:/.test(address))
    return [error("password", "STORE_DB_URL is not a database URL", DB_URL_EXAMPLE)];
  try {
    checkAddress("STORE_DB_URL", address);
  } catch (cause) {
    return [error("password", (cause as Error).message, DB_URL_EXAMPLE)];
  }
  const addresses = addressesOf(address);
  const { username } = new URL(addresses[0]!);
  if (username.split(".")[0] !== "store_api")
    return [
      error(
        "password",
        `STORE_DB_URL names the role ${username}, which may do more than the functions need`,
        DB_URL_EXAMPLE,
      ),
    ];
  const servers = await Promise.all(addresses.map(examineServer));
  const findings = servers.map(({ finding }) => finding);
  if (servers.some(({ isStandby }) => isStandby === false)) return findings;
  return servers.some(({ isStandby }) => isStandby)
    ? [
        ...findings,
        error(
          "password",
          "no server of STORE_DB_URL that answers is the primary",
          "Name all servers of the cluster in STORE_DB_URL (docs/scale.md, Failover), or find out why there is no primary: pg_autoctl show state",
        ),
      ]
    : findings;
}

/** @returns whether the server is a standby, unless it cannot be used */
async function examineServer(address: string): Promise<{ finding: Finding; isStandby?: boolean }> {
  const { host } = new URL(address);
  const sql = openConnection(address, { max: 1, connect_timeout: 10, prepare: false, fetch_types: false });
  try {
    await sql`select app.as_caller('{}', 'get_health')`;
    const [row] = await sql<{ is_standby: boolean }[]>`select pg_is_in_recovery() as is_standby`;
    return {
      finding: ok("password", `store_api signs in at ${host}${row!.is_standby ? ", a standby" : ""}`),
      isStandby: row!.is_standby,
    };
  } catch (cause) {
    if (isTlsErrorCode(String((cause as { code?: unknown }).code)))
      return {
        finding: error(
          "password",
          `no encrypted connection to the database at ${host}: ${(cause as Error).message}`,
          "Set STORE_DB_CA to the certificate of the authority of the server, in PEM (Dashboard, Database Settings, SSL Configuration), and run the command again.",
        ),
      };
    return {
      finding: error(
        "password",
        `store_api cannot use the database at ${host}: ${(cause as Error).message}`,
        connectionHint(cause as Error & { code?: string }),
      ),
    };
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export const noDatabase = skipped(
  "database",
  "DATABASE_URL is not set: extension, migrations, roles, jobs, configuration, share link URL and administrators were not checked",
  "Set DATABASE_URL to the address of the session pooler (Dashboard, Connect, role postgres) and run the command again.",
);

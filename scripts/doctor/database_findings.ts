import type postgres from "postgres";
import { addressesOf, checkAddress } from "../../functions/_shared/ground/database_address.ts";
import { isTlsErrorCode } from "../../functions/_shared/ground/tls.ts";
import { databaseAddress, withDatabase } from "../command_line/database.ts";
import { administrators } from "../administrators/administrators.ts";
import { isWrongPassword, openConnection, poolerMode, refusalAdvice } from "../ground/open_connection.ts";
import { historyOfDatabase, historyOfFiles, OF_SOMETHING_ELSE, somethingElse } from "../postgres/migration_history.ts";
import { Problem } from "../ground/problem.ts";
import { error, type Finding, ok, skipped, warning } from "./finding.ts";
import { DB_URL_EXAMPLE, MISSING_PRIVILEGE } from "./hints.ts";
import type { Check } from "./points.ts";
import { type Project, projectOf, requireProject } from "./project.ts";
import { shareFindings } from "./share_findings.ts";
import { sizeFindings } from "./size_findings.ts";

const PUSH = "npx supabase db push";
/** What to do with a database that another version has migrated. */
export const OTHER_VERSION =
  "Check out the version that was deployed, or a later one. A store from before 0.9.0 is dumped and created anew (docs/upgrading.md).";
const ROLES = ["anon", "authenticated", "store_admin", "service_role"];

/** What only a store says of itself. */
const CHECKS_OF_A_STORE = [
  "roles",
  "worker",
  "jobs",
  "configuration",
  "administrators",
  "who decides",
  "share address",
  "plan",
  "products",
  "articles",
  "settings",
  "test orders",
  "paid order",
  "size",
] as const satisfies Check[];

const unknown = (checks: readonly Check[], why: string) => checks.map((check) => skipped(check, why, ""));

/**
 * Examines the database: extensions, migrations, roles, jobs, configuration, share link URL, administrators, orders,
 * size. It changes nothing.
 */
export async function examineDatabase({ ref }: Project): Promise<Finding[]> {
  try {
    if (ref !== undefined)
      requireProject(
        "DATABASE_URL",
        databaseAddress(),
        ref,
        "Set DATABASE_URL to the address of this project (Dashboard, Connect, Session pooler, role postgres).",
      );
    return await withDatabase(async (sql) => {
      const findings = [ok("database", "it answers"), ...(await extensionFindings(sql)), await migrationFinding(sql)];
      const [store] = await sql<
        { here: boolean }[]
      >`select to_regprocedure('app.verify_agent_config()') is not null as here`;
      if (!store?.here) return [...findings, ...unknown(CHECKS_OF_A_STORE, "the database has no store")];
      return [
        ...findings,
        await roleFinding(sql),
        ...(await workerFindings(sql, ref !== undefined)),
        ...(await configurationFindings(sql)),
        ...(await shareFindings(sql)),
        ...(await administratorFindings(sql)),
        await paidOrderFinding(sql),
        ...(await sizeFindings(sql)),
      ];
    });
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return [
      error("database", problem.message, problem.advice),
      ...unknown(["extension", "migrations", ...CHECKS_OF_A_STORE], "the database does not answer"),
    ];
  }
}

async function extensionFindings(sql: postgres.Sql): Promise<Finding[]> {
  const [cron] = await sql<{ version: string | null; has_stand_in: boolean; is_offered: boolean }[]>`
    select (select extversion from pg_extension where extname = 'pg_cron') as version, to_regclass('cron.job') is not null as has_stand_in,
      exists (select from pg_available_extensions where name = 'pg_cron') as is_offered`;
  if (cron?.version) return [ok("extension", `pg_cron ${cron.version}`)];
  if (cron?.has_stand_in)
    return [ok("extension", "no pg_cron: the process of the local stack runs the scheduled jobs")];
  return [
    error(
      "extension",
      "pg_cron is not enabled: nothing is settled in the background, and no points are released",
      `${cron?.is_offered ? "" : "Install it on the server and name it in shared_preload_libraries, because the server does not offer it. "}In the SQL editor: create extension pg_cron;   then, if the migrations are applied: select app.apply_schedule();`,
    ),
  ];
}

async function migrationFinding(sql: postgres.Sql): Promise<Finding> {
  const [files, applied] = [historyOfFiles(), await historyOfDatabase(sql)];
  const other = await somethingElse(sql, applied, files);
  if (other !== undefined)
    return error("migrations", `the database is of something else: it has ${other}`, OF_SOMETHING_ELSE);
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

/** Whether something calls the worker: pg_cron, or on servers without pg_net what their owner has set up. */
async function workerFindings(sql: postgres.Sql, isHosted: boolean): Promise<Finding[]> {
  const [net] = await sql<{ here: boolean; has_vault: boolean }[]>`
    select to_regnamespace('net') is not null as here, to_regclass('vault.decrypted_secrets') is not null as has_vault`;
  const operations = "docs/operations.md, The worker";
  if (!net?.here && !isHosted) return [await calledWorkerFinding(sql)];
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

/** Whether the worker of a server without pg_net has made the calls that are due. */
async function calledWorkerFinding(sql: postgres.Sql): Promise<Finding> {
  const [calls] = await sql<{ waiting: number }[]>`
    select count(*)::integer as waiting from app.outbox as o
    where o.state = 'waiting' and o.attempts = 0 and o.run_after < now() - interval '5 minutes'`;
  return calls!.waiting === 0
    ? ok("worker", "no call waits for the worker, which is called without pg_net here")
    : warning(
        "worker",
        `${calls!.waiting} calls have been due for more than five minutes: nothing calls the worker`,
        "Call it each minute, as systemd/store-worker.timer does (docs/self_hosting/README.md, section 7)",
      );
}

interface Verified {
  check_id: string;
  severity: "ok" | "hint" | "warning" | "error";
  subject: string;
  message: string;
  hint: string;
}

/** Where the checks of app.verify_agent_config stand in the list, by their ids. All others are `configuration`. */
const VERIFIED: Record<string, Check> = {
  cron_job_is_healthy: "jobs",
  grades_are_contiguous: "plan",
  points_do_not_fall: "plan",
  levels_have_tasks: "plan",
  targets_do_not_fall: "plan",
  plan_is_in_force: "plan",
  money_is_within_the_base: "plan",
  points_per_order: "plan",
  plan_stays_within_the_depth: "plan",
  commission_is_held_for_refunds: "plan",
  queue_goods_are_on_sale: "products",
  product_pictures: "products",
  article_pool: "articles",
  two_people_decide: "who decides",
  second_factors: "who decides",
  share_address: "share address",
  share_link: "share address",
  functions_have_reported: "settings",
  function_settings: "settings",
  functions_address: "settings",
  transfers_to_wechat: "settings",
  webhook_route: "settings",
  real_names: "settings",
  real_name_keys: "settings",
  end_to_end: "test orders",
};

/** The checks of `npm run hjf:verify-agent-config`, the scheduled jobs among them. Those that passed are one line. */
async function configurationFindings(sql: postgres.Sql): Promise<Finding[]> {
  const rows = await sql<Verified[]>`select * from app.verify_agent_config()`;
  const placeOf = ({ check_id }: Verified) => VERIFIED[check_id] ?? "configuration";
  return [...new Set(rows.map(placeOf))].flatMap((check): Finding[] => {
    const chosen = rows.filter((row) => placeOf(row) === check);
    const open = chosen
      .filter(({ severity }) => severity !== "ok")
      .map(({ severity, subject, message, hint }): Finding => ({
        check,
        severity,
        message: `${subject}: ${message}`,
        hint,
      }));
    if (open.length > 0) return open;
    return [ok(check, chosen.length === 1 ? chosen[0]!.message : `${chosen.length} checks passed`)];
  });
}

async function administratorFindings(sql: postgres.Sql): Promise<Finding[]> {
  const all = await administrators(sql);
  const able = all.filter(({ may_act }) => may_act);
  if (able.length === 0)
    return [error("administrators", "nobody can sign in to the console", "npm run admin -- add <email>")];
  const [factors] = await sql<{ owners: number }[]>`
    select count(distinct f.user_id)::integer as owners from auth.mfa_factors as f
    where f.status = 'verified' and f.user_id::text = any (${able.map(({ id }) => id)})`;
  const named = `${able.length} of ${all.length} may act, ${factors!.owners} with a second factor`;
  if (factors!.owners > 0) return [ok("administrators", named)];
  return [
    warning(
      "administrators",
      named,
      "Sign in to the console and set one up in the menu of the account: a password can be guessed or stolen.",
    ),
  ];
}

/** Whether the way from a product to a payment was gone once. */
async function paidOrderFinding(sql: postgres.Sql): Promise<Finding> {
  const [orders] = await sql<{ paid: boolean }[]>`
    select exists (select from app.orders as o where o.paid_at is not null and not o.is_imported) as paid`;
  if (orders!.paid) return ok("paid order", "at least one order was paid");
  return warning("paid order", "no order was paid yet", "Make a test order (docs/deploy.md, section 6).");
}

/** What to do if the functions cannot use their database, by the SQLSTATE or the code of the driver. */
function connectionHint({ code, message }: { code?: string; message: string }): string {
  const refusal = refusalAdvice(message, "STORE_DB_URL");
  if (refusal) return refusal;
  if (isWrongPassword({ code, message }) || code?.startsWith("28"))
    return "In the SQL editor: alter role store_api password '<password>';   and put that password into STORE_DB_URL";
  if (code === "42501") return MISSING_PRIVILEGE;
  if (code?.startsWith("42") || code?.startsWith("3"))
    return `Check that STORE_DB_URL names the database of the store, and apply its migrations: ${PUSH}`;
  return "Check host and port of STORE_DB_URL, and that the server can be reached from here.";
}

/**
 * Signs in with the address that the functions have or will have, at each of its servers.
 * @param ref of the project whose functions they are, if it is known
 */
export async function examineFunctionDatabase(address: string, ref?: string): Promise<Finding[]> {
  if (!/^postgres(ql)?:/.test(address))
    return [error("password", "STORE_DB_URL is not a database URL", DB_URL_EXAMPLE)];
  try {
    checkAddress("STORE_DB_URL", address);
  } catch (cause) {
    return [error("password", (cause as Error).message, DB_URL_EXAMPLE)];
  }
  const addresses = addressesOf(address);
  const other = addresses.map(projectOf).find((project) => project !== undefined && project !== ref);
  if (ref !== undefined && other !== undefined)
    return [error("password", `STORE_DB_URL names the project ${other}, not ${ref}`, DB_URL_EXAMPLE)];
  if (addresses.some((each) => poolerMode(each) === "session"))
    return [error("password", SESSION_MODE.message, SESSION_MODE.advice)];
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

/** Each instance of a function would hold connections of the pooler, which has a few of them for all. */
export const SESSION_MODE = new Problem(
  "STORE_DB_URL leads through a pooler in session mode, which has too few connections for the instances of the functions",
  `Change its port to 6543, that of the transaction mode. ${DB_URL_EXAMPLE}`,
);

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

export const noDatabase = [
  skipped(
    "database",
    "DATABASE_URL is not set",
    "Set DATABASE_URL to the address of the session pooler (Dashboard, Connect, role postgres) and run the command again.",
  ),
  ...unknown(["extension", "migrations", ...CHECKS_OF_A_STORE], "DATABASE_URL is not set"),
];

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { browserPath } from "../ground/browser_install.ts";
import { hasJudges } from "./judges.ts";
import { type Database, ownerUrl } from "../postgres/database.ts";
import { withConnection } from "../postgres/database_server.ts";
import { findFailoverManager } from "../scale/failover_manager.ts";
import { findPooler } from "../scale/pooler.ts";
import { clientFolder, findInstall, hasPgProve } from "../postgres/install.ts";
import { hasPlProxy } from "../scale/shards.ts";

/** What tests need that not every machine has, and what is skipped without it. */
export const groups = {
  pgtap: "pgTAP: all tests of supabase/tests. They need pg_prove, psql and pgTAP.",
  plpgsql_check: "plpgsql_check: the check of every PL/pgSQL function. It needs the extension plpgsql_check.",
  pg_cron: "pg_cron: its own scheduler. Scheduled jobs were tested with the scheduler of the local stack.",
  browser: "pages: all tests of test/browser, and the pages of README.md. They need Chromium (CHROMIUM is its path).",
  pg_dump:
    "pg_dump: the comparison of sql/ with the migrations, and the commands that dump a store. They need pg_dump of the version of the server.",
  pg_auto_failover:
    "pg_auto_failover: the failover of a store to its standby. It needs Debian's packages pg-auto-failover-cli and postgresql-15-auto-failover.",
  pgbouncer:
    "PgBouncer: the tests through a pooler in transaction mode, and three kinds of faults of test/faults. They need pgbouncer.",
  plproxy: "PL/Proxy: the tests of a store with shards. They need Debian's package postgresql-15-plproxy.",
  judges:
    "judges: the check of journals by hledger, Ledger and Beancount, and of permissions by SQLsmith. They need Debian's packages of these names.",
  pgbench: "npm run bench: the measurement of a small store. It needs pgbench.",
  curl: "README.md: the commands of the tour. They need curl.",
  linux: "Linux: the tests of how processes of the stack end. They read /proc.",
  postgres_15: "Postgres 15: the SQL tests ran on the embedded Postgres only.",
  postgres_17: "Postgres 17: npm has no Postgres for this machine.",
} as const;

/** The name of a group of tests. */
export type Group = keyof typeof groups;

async function extensionsOf(database: Database): Promise<string[]> {
  return withConnection(ownerUrl(database, database.name), async (sql) => {
    const rows = await sql<{ name: string }[]>`
      select extname as name from pg_extension
      union all select 'pgtap' where to_regprocedure('extensions.plan(integer)') is not null`;
    return rows.map(({ name }) => name);
  });
}

/**
 * Finds the groups of tests that this machine cannot run.
 * @param database of the stack of the tests
 * @param hasEmbedded whether the SQL tests also run on the embedded Postgres
 */
export async function missingGroups(database: Database, hasEmbedded: boolean): Promise<Group[]> {
  const extensions = await extensionsOf(database);
  const install = findInstall();
  const isThere: Record<Group, boolean> = {
    pgtap: hasPgProve() && extensions.includes("pgtap"),
    plpgsql_check: extensions.includes("plpgsql_check"),
    pg_cron: extensions.includes("pg_cron"),
    browser: existsSync(browserPath),
    pg_dump: clientFolder("pg_dump", database.major) !== undefined,
    pg_auto_failover: install !== undefined && findFailoverManager(install) !== undefined,
    pgbouncer: findPooler() !== undefined,
    plproxy: install !== undefined && hasPlProxy(install),
    judges: hasJudges(),
    pgbench: clientFolder("pgbench") !== undefined,
    curl: spawnSync("curl", ["--version"]).status === 0,
    linux: process.platform === "linux",
    postgres_15: database.kind !== "embedded",
    postgres_17: database.kind === "embedded" || hasEmbedded,
  };
  return (Object.keys(groups) as Group[]).filter((group) => !isThere[group]);
}

/** The text that names skipped groups; empty if there are none. */
export function describeSkipped(skipped: Group[]): string {
  if (skipped.length === 0) return "";
  return [
    "Skipped, because this machine lacks what they need. These tests do not count as passed:",
    ...skipped.map((group) => `  - ${groups[group]}`),
  ].join("\n");
}

/** The text that names skipped tests, each with its reason. */
export function describeSkippedTests(skipped: string[]): string {
  return ["Skipped. These tests do not count as passed:", ...skipped.map((text) => `  - ${text}`)].join("\n");
}

/** The last line of a run. */
export function describeTotals(passed: number, failed: number, skipped: Group[]): string {
  const groupsSkipped =
    skipped.length === 0 ? "" : `, ${skipped.length} ${skipped.length === 1 ? "group" : "groups"} skipped`;
  return `${passed} passed, ${failed} failed${groupsSkipped}`;
}

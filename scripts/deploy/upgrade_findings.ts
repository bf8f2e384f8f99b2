import type postgres from "postgres";
import { withDatabase } from "../command_line/database.ts";
import { OTHER_VERSION } from "../doctor/database_findings.ts";
import { error, type Finding, ok, warning } from "../doctor/finding.ts";
import { request } from "../doctor/request.ts";
import { functionNames } from "../generate/function_bundles.ts";
import { projectVersion } from "../ground/project_version.ts";
import {
  difference,
  historyOfDatabase,
  historyOfFiles,
  OF_SOMETHING_ELSE,
  somethingElse,
} from "../postgres/migration_history.ts";
import { type Release, releases, unreleasedMigrations } from "../postgres/releases.ts";
import { archivedFindings } from "./archived_findings.ts";

/** What an update would do, and what is in its way. */
export interface UpgradeFindings {
  findings: Finding<string>[];
  /** The versions of the migrations that are to be applied. */
  missing: string[];
}

const versionOf = (file: string) => file.split("_")[0]!;

/**
 * The last released version all of whose migrations are applied, with those of the versions before, and whether others
 * are, too. A version without migrations is reached with the one before it.
 */
export function versionOfHistory(
  applied: Iterable<string>,
  released: Release[],
): { version: string | undefined; isBeyond: boolean } {
  const known = new Set(applied);
  const isReached = ({ migrations }: Release) => Object.keys(migrations).every((file) => known.has(versionOf(file)));
  const missed = released.findIndex((release) => !isReached(release));
  const reached = missed === -1 ? released : released.slice(0, missed);
  const expected = reached.flatMap(({ migrations }) => Object.keys(migrations).map(versionOf));
  return { version: reached.at(-1)?.version, isBeyond: known.size > expected.length };
}

/** Migrations of a version that is not released are written anew with each change of it. */
function unreleasedFindings(missing: string[]): Finding<string>[] {
  if (!unreleasedMigrations().some((file) => missing.includes(versionOf(file)))) return [];
  return [
    warning(
      "release",
      `${projectVersion()} is not released: its migrations may still change, and a store that has others cannot be updated`,
      "Check out the tag of a release: git checkout v<version>",
    ),
  ];
}

/** From which version the update begins, and whether it can. */
async function versionFindings(sql: postgres.Sql): Promise<UpgradeFindings> {
  const [files, applied] = [historyOfFiles(), await historyOfDatabase(sql)];
  const to = projectVersion();
  const other = await somethingElse(sql, applied, files);
  if (other !== undefined)
    return {
      findings: [error("version", `the database is of something else: it has ${other}`, OF_SOMETHING_ELSE)],
      missing: [],
    };
  if (applied.size === 0)
    return {
      findings: [error("version", "the database has no store", "Create one: npm run deploy, or npx supabase db push")],
      missing: [],
    };
  const found = difference(applied, files);
  const { version, isBeyond } = versionOfHistory(applied.keys(), releases());
  if (found || version === undefined)
    return {
      findings: [
        error(
          "version",
          `the database has a version that this folder does not know: ${found ?? "none of its releases is complete"}`,
          OTHER_VERSION,
        ),
      ],
      missing: [],
    };
  const missing = [...files.keys()].filter((each) => !applied.has(each)).sort();
  const from = isBeyond ? (missing.length === 0 ? to : `a state between ${version} and ${to}`) : version;
  return {
    findings: [
      ok("version", missing.length === 0 ? `the database has ${to}` : `from ${from} to ${to}, which is supported`),
      ...(missing.length === 0 ? [] : [ok("migrations", `to be applied: ${missing.join(", ")}`)]),
      ...unreleasedFindings(missing),
    ],
    missing,
  };
}

/** A migration waits for its locks behind transactions that began long ago. @param age how old those are that count */
export async function transactionFinding(sql: postgres.Sql, age = "1 minute"): Promise<Finding<string>> {
  const rows = await sql<{ who: string }[]>`
    select format('process %s of %s (%s) since %s UTC', a.pid, a.usename, a.state, to_char(a.xact_start at time zone 'UTC', 'YYYY-MM-DD HH24:MI')) as who
    from pg_stat_activity as a
    where a.datname = current_database() and a.backend_type = 'client backend' and a.xact_start < now() - ${age}::interval and a.pid <> pg_backend_pid()
    union all
    select format('prepared transaction %s', p.gid) from pg_prepared_xacts as p where p.database = current_database()`;
  if (rows.length === 0) return ok("transactions", `none is older than ${age}`);
  return error(
    "transactions",
    `a migration would wait for ${rows.map(({ who }) => who).join(", ")}`,
    "Wait until they have ended, or end them: select pg_terminate_backend(<process>)",
  );
}

/** The running functions that do not have the version of this folder. @param url of the project */
async function otherFunctions(url: string): Promise<string[]> {
  const replies = await Promise.all(
    functionNames().map(async (name) => ({ name, ...(await request(`${url}/functions/v1/${name}/openapi.json`)) })),
  );
  return replies
    .map(({ name, body }) => ({ name, version: (body.info as { version?: string } | undefined)?.version ?? "unknown" }))
    .filter(({ version }) => version !== projectVersion())
    .map(({ name, version }) => `${name} (${version})`);
}

async function functionFinding(url: string, isMigrated: boolean): Promise<Finding<string>> {
  const others = (await otherFunctions(url)).join(", ");
  if (others === "") return ok("functions", `all have ${projectVersion()}`);
  if (!isMigrated) return ok("functions", `to be deployed after the database: ${others}`);
  return warning(
    "functions",
    `they have another version than the database: ${others}`,
    "An update was interrupted. Run it: it goes on with the functions.",
  );
}

/** @param url of the project; undefined if only the database is known */
export async function examineUpgrade(url: string | undefined): Promise<UpgradeFindings> {
  const { findings, missing } = await withDatabase(async (sql) => {
    const version = await versionFindings(sql);
    if (version.missing.length === 0) return version;
    return {
      ...version,
      findings: [...version.findings, await transactionFinding(sql), ...(await archivedFindings(sql))],
    };
  });
  const isKnown = !findings.some(({ severity }) => severity === "error");
  return {
    findings: [
      ...findings,
      ...(url !== undefined && isKnown ? [await functionFinding(url, missing.length === 0)] : []),
    ],
    missing,
  };
}

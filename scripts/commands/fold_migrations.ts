import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { keepLineBreaks } from "../generate/line_breaks.ts";
import { manifestChanges } from "../generate/manifest.ts";
import { monthlyTables, monthsOf, rowDifference } from "../generate/row_difference.ts";
import { commentDifference, schemaDifference } from "../generate/schema_difference.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { projectVersion } from "../ground/project_version.ts";
import { step } from "../ground/progress.ts";
import { ownerUrl } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { migrationText, nextMigrationVersion } from "../postgres/migrations.ts";
import {
  dropsAfterwards,
  GENERATED,
  isGenerated,
  isReleased,
  releasedMigrations,
  requireReleasedMigrations,
  unreleasedMigrations,
} from "../postgres/releases.ts";
import { runSqlFiles } from "../postgres/platform.ts";
import { buildFromSource } from "../postgres/source_database.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

const command = describeCommand({
  usage: "npm run migration:fold",
  summary: `Writes the generated migrations of the unreleased version anew: what sql/ changes in the tables, functions, policies, grants, comments and the
manifest, and in a second file the rows that it adds. Migrations by hand (npm run migration:new) are kept: those before the generated ones are taken into account, and those after
them that say in their first line that they drop what is no longer used.
A local store with the previous migrations then needs \`npm start -- --reset\`.`,
});

/**
 * What is written stays here until it was applied, so that a failure or an interruption leaves the former migrations,
 * and shows what failed.
 */
const written = join(projectRoot, ".local/fold");

/** A folder with some of the migrations, for the Supabase CLI. */
async function withMigrations<T>(names: string[], work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "store-migrations-"));
  try {
    mkdirSync(join(folder, "supabase/migrations"), { recursive: true });
    cpSync(join(projectRoot, "supabase/config.toml"), join(folder, "supabase/config.toml"));
    cpSync(join(projectRoot, "supabase/templates"), join(folder, "supabase/templates"), { recursive: true });
    for (const name of names) copyFileSync(join(migrationsFolder, name), join(folder, "supabase/migrations", name));
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const joined = (parts: string[]) => parts.filter((part) => part !== "").join("\n\n");

/** Writes a generated migration, unless it does nothing. */
function write(file: string, statements: string): void {
  if (statements !== "") writeFileSync(file, `${GENERATED}\n${migrationText(statements)}`);
}

/**
 * Writes the difference between sql/ and a database, to which it is applied to find what the difference lacks.
 * @param from the database of the migrations before
 * @param to the database from sql/
 */
async function writeDifference(from: string, to: string, files: { schema: string; rows: string }): Promise<void> {
  await step("Line breaks of functions that are otherwise the same", () => keepLineBreaks(from, to));
  const manifest = await step("Difference of the manifest", () => manifestChanges(from, to));
  const [known, monthly] = await Promise.all([monthlyTables(from), monthlyTables(to)]);
  const schema = await step("Difference of the schema", () => schemaDifference(from, to));
  write(files.schema, schema);
  await step("The database with this difference", () => runSqlFiles(from, schema === "" ? [] : [files.schema]));
  write(files.schema, joined([schema, await commentDifference(from, to), manifest]));
  const rows = await step("Difference of the rows", () => rowDifference(from, to));
  write(files.rows, joined([rows, monthsOf(monthly.filter((name) => !known.includes(name)))]));
}

async function fold(): Promise<void> {
  const version = projectVersion();
  requireReleasedMigrations();
  const unreleased = unreleasedMigrations();
  const former = unreleased.filter(isGenerated);
  const byHand = unreleased.filter((name) => !former.includes(name));
  // The number stays, so that migrations by hand stay before or after it.
  const number = former[0]?.slice(0, 14) ?? nextMigrationVersion();
  const nameOf = (offset: bigint, suffix: string) =>
    `${BigInt(number) + offset}_version_${version.replaceAll(".", "_")}${suffix}.sql`;
  const names = { schema: nameOf(0n, ""), rows: nameOf(1n, "_rows") };
  const before = byHand.filter((name) => name < number);
  await withMigrations([...releasedMigrations(), ...before], (folder) =>
    withTemporaryDatabases(async (database, { platform, migrated }) => {
      const source = `${platform}_with_source`;
      await withConnection(superuserUrl(database.server, "postgres"), (sql) =>
        sql.unsafe(`create database "${source}" template "${platform}" owner postgres`),
      );
      await step("A database from sql/", () => buildFromSource(ownerUrl(database, source)));
      const dropping = byHand
        .filter((name) => name > number && dropsAfterwards(name))
        .map((name) => join(migrationsFolder, name));
      await runSqlFiles(ownerUrl(database, migrated), dropping);
      rmSync(written, { recursive: true, force: true });
      mkdirSync(written, { recursive: true });
      const files = { schema: join(written, names.schema), rows: join(written, names.rows) };
      await writeDifference(ownerUrl(database, migrated), ownerUrl(database, source), files);
      const changes = readdirSync(written);
      if (changes.length > 0 && isReleased(version))
        throw new Problem(
          `sql/ differs from version ${version}, which is released.`,
          `Set the next version (docs/releasing.md, "After the tag"), and run this command again.`,
        );
      for (const name of former) rmSync(join(migrationsFolder, name));
      for (const name of changes) renameSync(join(written, name), join(migrationsFolder, name));
    }, folder),
  );
  const lines = unreleasedMigrations().map((name) => `  ${name}${byHand.includes(name) ? ", by hand" : ""}`);
  console.log(
    lines.length === 0
      ? `${version} needs no migrations: the released ones create what sql/ describes.`
      : `The migrations of ${version}, in their order:
${lines.join("\n")}
Review what they drop, and what holds locks for long. Rows that sql/ changes or removes need a migration by hand.
\`npm test -- test/contract/migrations_match_source\` names what is missing.`,
  );
}

await runCommandLine(command, fold);

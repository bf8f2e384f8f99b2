import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { manifestChanges } from "../generate/manifest.ts";
import { rowDifference } from "../generate/row_difference.ts";
import { schemaDifference } from "../generate/schema_difference.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { projectVersion } from "../ground/project_version.ts";
import { step } from "../ground/progress.ts";
import { ownerUrl } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { migrationText, nextMigrationVersion } from "../postgres/migrations.ts";
import { GENERATED, isGenerated, releasedMigrations, releases, unreleasedMigrations } from "../postgres/releases.ts";
import { buildFromSource } from "../postgres/source_database.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

const command = describeCommand({
  usage: "npm run migration:fold",
  summary: `Writes the generated migrations of the unreleased version anew: what sql/ changes in the tables, functions, policies, grants, comments and the
manifest, and in a second file the rows that it adds. Migrations by hand (npm run migration:new) are kept: those before the generated ones are taken into account.
A local store with the previous migrations then needs \`npm start -- --reset\`.`,
});

/** What the generated migrations do; "" if nothing. */
interface Difference {
  schema: string;
  rows: string;
}

/** Compares sql/ with the database that some of the migrations create. @param names of the migrations */
async function differenceFrom(names: string[]): Promise<Difference> {
  const folder = mkdtempSync(join(tmpdir(), "store-migrations-"));
  try {
    mkdirSync(join(folder, "supabase/migrations"), { recursive: true });
    cpSync(join(projectRoot, "supabase/config.toml"), join(folder, "supabase/config.toml"));
    cpSync(join(projectRoot, "supabase/templates"), join(folder, "supabase/templates"), { recursive: true });
    for (const name of names) copyFileSync(join(migrationsFolder, name), join(folder, "supabase/migrations", name));
    return await withTemporaryDatabases(async (database, { platform, migrated }) => {
      const source = `${platform}_with_source`;
      await withConnection(superuserUrl(database.server, "postgres"), (sql) =>
        sql.unsafe(`create database "${source}" template "${platform}" owner postgres`),
      );
      await step("A database from sql/", () => buildFromSource(ownerUrl(database, source)));
      const [from, to] = [ownerUrl(database, migrated), ownerUrl(database, source)];
      const rows = await step("Difference of the rows", () => rowDifference(from, to));
      const manifest = await step("Difference of the manifest", () => manifestChanges(from, to));
      const schema = await step("Difference of the schema", () => schemaDifference(from, to));
      return { schema: [schema, manifest].filter((part) => part !== "").join("\n\n"), rows };
    }, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the migrations that the difference needs, and removes the former ones. */
async function fold(): Promise<void> {
  const version = projectVersion();
  const unreleased = unreleasedMigrations();
  const former = unreleased.filter(isGenerated);
  // The number stays, so that migrations by hand stay before or after it.
  const number = former[0]?.slice(0, 14) ?? nextMigrationVersion();
  const before = unreleased.filter((name) => !isGenerated(name) && name < number);
  const { schema, rows } = await differenceFrom([...releasedMigrations(), ...before]);
  for (const name of former) rmSync(join(migrationsFolder, name));
  if (schema + rows === "") return console.log("The migrations match sql/. Nothing was written.");
  if (releases().some((release) => release.version === version))
    throw new Problem(`sql/ differs from version ${version}, which is released.`, "Set the next version in package.json first.");
  const files = [
    { suffix: "", statements: schema },
    { suffix: "_rows", statements: rows },
  ].map(({ suffix, statements }, index) => ({
    name: `${BigInt(number) + BigInt(index)}_version_${version.replaceAll(/\W/g, "_")}${suffix}.sql`,
    statements,
  }));
  for (const { name, statements } of files.filter(({ statements }) => statements !== "")) {
    writeFileSync(join(migrationsFolder, name), `${GENERATED}\n${migrationText(statements)}`);
    console.log(`Written: supabase/migrations/${name}`);
  }
  const after = readdirSync(migrationsFolder).filter((name) => unreleased.includes(name) && name > number && !former.includes(name));
  console.log(`Applied before: ${before.join(", ") || "no migration by hand"}. After: ${after.join(", ") || "none"}.
Review them: what the difference drops, and what holds locks for long. Rows that sql/ changes or removes need a migration by hand; \`npm test -- test/contract/migrations_match_source\` names what is missing.`);
}

await runCommandLine(command, fold);

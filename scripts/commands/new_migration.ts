import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { migrationsFolder } from "../ground/paths.ts";
import { projectVersion } from "../ground/project_version.ts";
import { migrationText, nextMigrationVersion } from "../postgres/migrations.ts";
import { isGenerated, requireUnreleased, unreleasedMigrations } from "../postgres/releases.ts";

function snakeCase(name: string): string {
  if (!/^[a-z0-9_]+$/.test(name)) throw new InvalidArgumentError("It must be in snake_case.");
  return name;
}

const command = describeCommand({
  usage: "npm run migration:new --",
  summary: `Creates a migration for statements by hand, which the difference between sql/ and the migrations cannot express: rows, jobs, renamed objects,
indexes that are built concurrently.`,
})
  .argument("<name>", "what the migration does, in snake_case", snakeCase)
  .option(
    "--before",
    "apply it before the generated migration (npm run migration:fold), which then has only what is left",
  );

/** The number before the generated migration and before those by hand that precede it not. */
function numberBefore(generated: string): string {
  const taken = new Set(unreleasedMigrations().map((name) => name.slice(0, 14)));
  let number = BigInt(generated.slice(0, 14)) - 1n;
  while (taken.has(String(number))) number -= 1n;
  return String(number);
}

function createMigration(name: string, { before }: { before?: boolean }): void {
  requireUnreleased(projectVersion());
  const generated = unreleasedMigrations().find(isGenerated);
  const number = before && generated ? numberBefore(generated) : nextMigrationVersion();
  const file = `${number}_${name}.sql`;
  writeFileSync(join(migrationsFolder, file), migrationText("-- The statements."), { flag: "wx" });
  console.log(`Written: supabase/migrations/${file}`);
}

await runCommandLine(command, createMigration);

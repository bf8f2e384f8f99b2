import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { ownerUrl } from "../postgres/database.ts";
import { superuserUrl, withConnection } from "../postgres/database_server.ts";
import { manifestChanges } from "../generate/manifest.ts";
import { migrationText, runSupabaseCli } from "../postgres/migrations.ts";
import { migrationsFolder } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { lastLines } from "../ground/run_command.ts";
import { buildFromSource } from "../postgres/source_database.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

function snakeCase(name: string): string {
  if (!/^[a-z0-9_]+$/.test(name)) throw new InvalidArgumentError("It must be in snake_case.");
  return name;
}

const command = describeCommand({
  usage: "npm run migration:new --",
  summary: "Writes the difference between sql/ and the migrations as a new file in supabase/migrations/.",
}).argument("<name>", "what the migration does, in snake_case", snakeCase);

/** The current UTC time as 14 digits, or the version after the last migration if that is later. */
function nextVersion(): string {
  const now = new Date().toISOString().replace(/\D/g, "").slice(0, 14);
  const last =
    readdirSync(migrationsFolder)
      .map((name) => name.slice(0, 14))
      .sort()
      .at(-1) ?? "";
  return now > last ? now : String(BigInt(last) + 1n);
}

/** The statements that change one database into another. They are read from a file, because the CLI prints its notices beside them. */
async function difference(from: string, to: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "store-difference-"));
  const file = join(folder, "difference.sql");
  try {
    const { code, output } = await runSupabaseCli(["db", "diff", "--from", from, "--to", to, "--output", file]);
    if (code !== 0)
      throw new Problem(`The databases could not be compared:\n${lastLines(output)}`, "Fix the reported error and try again.");
    return existsSync(file) ? readFileSync(file, "utf8").trim() : "";
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeMigration(name: string): Promise<void> {
  const sql = await withTemporaryDatabases(async (database, { platform, migrated }) => {
    const source = `${platform}_with_source`;
    await withConnection(superuserUrl(database.server, "postgres"), (sql) =>
      sql.unsafe(`create database "${source}" template "${platform}" owner postgres`),
    );
    await step("A database from sql/", () => buildFromSource(ownerUrl(database, source)));
    const [from, to] = [ownerUrl(database, migrated), ownerUrl(database, source)];
    const changes = await step("Difference", () => difference(from, to));
    const manifest = await step("Difference of the manifest", () => manifestChanges(from, to));
    return [changes, manifest].filter((part) => part !== "").join("\n\n");
  });
  if (sql === "") return console.log("The migrations already match sql/. Nothing was written.");
  const file = join(migrationsFolder, `${nextVersion()}_${name}.sql`);
  writeFileSync(file, migrationText(sql), { flag: "wx" });
  console.log(
    `Written: ${file}\nReview it before you commit it. The difference does not include rows (settings, cron jobs): add the statements for them by hand. \`npm test\` compares rows, too.`,
  );
}

await runCommandLine(command, writeMigration);

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { manifestFile } from "../generate/manifest.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { sourceFiles } from "../postgres/source_database.ts";

const command = describeCommand({
  usage: "npm run migration:fold",
  summary: `Replaces all migrations with a first migration of the unreleased version 0.1.0, generated from sql/. The manifest is kept, for
\`npm run gen\` to replace. A local store with the previous
migrations then needs \`npm start -- --reset\`.`,
});

const scheduleSource = "16_operation/8_schedule.sql";

/** Concatenates the files, each preceded by its path. */
function concatenate(introduction: string, files: string[]): string {
  const parts = files.map((file) => `-- ${relative(projectRoot, file)}\n${readFileSync(file, "utf8")}`);
  return [introduction, ...parts].join("\n");
}

function fold(): void {
  const files = sourceFiles();
  const isSchedule = (file: string) => file.endsWith(scheduleSource);
  mkdirSync(migrationsFolder, { recursive: true });
  for (const file of readdirSync(migrationsFolder).map((name) => join(migrationsFolder, name))) if (file !== manifestFile) rmSync(file);
  writeFileSync(
    join(migrationsFolder, "20261120000000_initial_schema.sql"),
    concatenate(
      "-- Generated from sql/ by `npm run migration:fold`: the files in path order, the schedule excepted.\nset check_function_bodies = off;\n",
      files.filter((file) => !isSchedule(file)),
    ),
  );
  writeFileSync(
    join(migrationsFolder, "20261120000100_schedule.sql"),
    concatenate(
      "-- Generated from sql/ by `npm run migration:fold`. A migration of its own, because pg_cron may miss jobs that are added in one\n-- transaction with much else.\n",
      files.filter(isSchedule),
    ),
  );
  console.log("Written: supabase/migrations, two files. `npm run gen` writes the third, the manifest.");
}

await runCommandLine(command, fold);

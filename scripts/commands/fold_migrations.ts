import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { projectRoot } from "../stack/paths.ts";
import { printError, Problem } from "../stack/problem.ts";
import { sourceFiles } from "../stack/source_database.ts";

const help = `npm run migration:fold

Writes all of sql/ as the first migration of the unreleased version 0.1.0, in place of every migration there is. A local store
that was made before it needs \`npm start -- --reset\`.`;

const folder = join(projectRoot, "supabase/migrations");
const scheduleSource = "99_initial_state/schedule.sql";

/** The files as one text, each under its path. */
function concatenate(introduction: string, files: string[]): string {
  const parts = files.map((file) => `-- ${relative(projectRoot, file)}\n${readFileSync(file, "utf8")}`);
  return [introduction, ...parts].join("\n");
}

function main(args: string[]): void {
  if (args.includes("--help") || args.includes("-h")) return console.log(help);
  if (args.length > 0) throw new Problem(`There is no argument ${args[0]}.`, help);
  const files = sourceFiles();
  const isSchedule = (file: string) => file.endsWith(scheduleSource);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
  writeFileSync(
    join(folder, "20261120000000_initial_schema.sql"),
    concatenate(
      "-- Generated from sql/ by `npm run migration:fold`: the files in path order, the schedule excepted.\nset check_function_bodies = off;\n",
      files.filter((file) => !isSchedule(file)),
    ),
  );
  writeFileSync(
    join(folder, "20261120000100_schedule.sql"),
    concatenate(
      "-- Generated from sql/ by `npm run migration:fold`. A migration of its own, because pg_cron may miss jobs that are added in one\n-- transaction with much else.\n",
      files.filter(isSchedule),
    ),
  );
  console.log("Written: supabase/migrations, two files");
}

try {
  main(process.argv.slice(2));
} catch (error) {
  printError(error);
  process.exitCode = 1;
}

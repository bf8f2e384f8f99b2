import { readdirSync } from "node:fs";
import { join } from "node:path";
import { deno, functionFiles, functionNames } from "../stack/functions.ts";
import { migrationsFolder, projectRoot } from "../stack/paths.ts";

/** A program that reads the source and exits with 0 if it finds nothing wrong. */
export interface Check {
  /** What is checked, and by which program. */
  label: string;
  command: string;
  args: string[];
}

const inModules = (path: string) => join(projectRoot, "node_modules", path);

/** The checks of types. */
export function typeChecks(): Check[] {
  const tsc = inModules("typescript/bin/tsc");
  return [
    { label: "scripts and tests (tsc)", command: process.execPath, args: [tsc, "-p", projectRoot] },
    { label: "console (tsc)", command: process.execPath, args: [tsc, "-p", join(projectRoot, "console")] },
    ...functionNames().map((name) => ({ label: `functions/${name} (deno check)`, command: deno, args: ["check", "--quiet", ...functionFiles(name)] })),
  ];
}

/**
 * The rules of squawk that say nothing about migrations that begin with an empty database: nobody waits for their locks. Their columns of
 * type integer and smallint count places, units and levels; every id is a bigint.
 */
const rulesOfChanges = ["require-lock-timeout", "require-statement-timeout", "prefer-bigint-over-int", "prefer-bigint-over-smallint"];

/** The linters of migrations: of the first, which is `sql/`, and of those that change what is there. */
export function lintersOfMigrations(files: string[]): Check[] {
  const squawk = [inModules("squawk-cli/js/bin/squawk"), "--config", join(projectRoot, ".squawk.toml")];
  const first = files.filter((file) => file.includes("/20261120"));
  const later = files.filter((file) => !first.includes(file));
  return [
    { label: "first migration (squawk)", command: process.execPath, args: [...squawk, `--exclude=${rulesOfChanges.join(",")}`, ...first] },
    { label: "later migrations (squawk)", command: process.execPath, args: [...squawk, ...later] },
  ].filter((_, index) => (index === 0 ? first : later).length > 0);
}

/** The linters. docs/decisions/0028 says why these. */
export function linters(): Check[] {
  const node = (label: string, program: string, ...args: string[]) => ({ label, command: process.execPath, args: [inModules(program), ...args] });
  return [
    node(
      "TypeScript (eslint)", "eslint/bin/eslint.js", "--max-warnings=0",
      "--cache", "--cache-strategy=content", `--cache-location=${join(projectRoot, ".local/eslint")}/`, projectRoot,
    ),
    node("what nobody uses (knip)", "knip/bin/knip.js", "--no-progress"),
    { label: "edge functions (deno lint)", command: deno, args: ["lint", "--quiet", join(projectRoot, "functions")] },
    ...lintersOfMigrations(readdirSync(migrationsFolder).sort().map((name) => join(migrationsFolder, name))),
    node("OpenAPI documents (redocly)", "@redocly/cli/bin/cli.js", "lint", "api", "adminapi"),
  ];
}

import { basename, join } from "node:path";
import { deno } from "../stack/functions.ts";
import { migrationsFolder, projectRoot } from "../ground/paths.ts";
import { migrationFiles, releases } from "../postgres/releases.ts";

/** A program that checks the source and exits with 0 if it finds no error. */
export interface Check {
  /** What is checked, and the program. */
  label: string;
  command: string;
  args: string[];
}

const inModules = (path: string) => join(projectRoot, "node_modules", path);

/**
 * The type check of a project. Its result is kept, so that the next one reads again only what has changed. Several
 * threads would each check the types that files share, at twice the processor time, of which the tests beside it have
 * none to spare.
 */
function typeCheck(label: string, folder: string): Check {
  const kept = [
    "--incremental",
    "--tsBuildInfoFile",
    join(projectRoot, ".local/types", `${label.replaceAll(" ", "_")}.tsbuildinfo`),
  ];
  return {
    label: `${label} (tsc)`,
    command: process.execPath,
    args: [inModules("typescript7/bin/tsc"), "-p", folder, "--singleThreaded", ...kept],
  };
}

/** The type checks. */
export function typeChecks(): Check[] {
  return [
    typeCheck("scripts and tests", projectRoot),
    typeCheck("console", join(projectRoot, "apps/console")),
    typeCheck("h5", join(projectRoot, "apps/h5")),
    typeCheck("mini program", join(projectRoot, "apps/mini")),
  ];
}

/**
 * Rules of squawk that do not apply: columns of type integer and smallint count places, units and levels, while every
 * id is a bigint; every table has its primary key from the beginning; a domain is created before the columns that have
 * it.
 */
const rulesNotApplied = [
  "prefer-bigint-over-int",
  "prefer-bigint-over-smallint",
  "adding-serial-primary-key-field",
  "ban-create-domain-with-constraint",
];
/** Nor do these apply to migrations of an empty database: no transaction waits for their locks. */
const rulesForLaterMigrations = ["require-lock-timeout", "require-statement-timeout"];

/**
 * The linters of migrations: those of the first release have fewer rules than later ones, which change existing tables.
 */
export function lintersOfMigrations(files: string[]): Check[] {
  const squawk = (exclude: string[]) => [
    inModules("squawk-cli/js/bin/squawk"),
    "--config",
    join(projectRoot, ".squawk.toml"),
    `--exclude=${exclude.join(",")}`,
  ];
  const ofFirstRelease = Object.keys(releases()[0]!.migrations);
  const first = files.filter((file) => ofFirstRelease.includes(basename(file)));
  const later = files.filter((file) => !first.includes(file));
  return [
    {
      label: "first migration (squawk)",
      command: process.execPath,
      args: [...squawk([...rulesNotApplied, ...rulesForLaterMigrations]), ...first],
    },
    { label: "later migrations (squawk)", command: process.execPath, args: [...squawk(rulesNotApplied), ...later] },
  ].filter((_, index) => (index === 0 ? first : later).length > 0);
}

/** The linters. docs/decisions/0028 gives the reasons. */
export function linters(): Check[] {
  const node = (label: string, program: string, ...args: string[]) => ({
    label,
    command: process.execPath,
    args: [inModules(program), ...args],
  });
  return [
    node("TypeScript (oxlint)", "oxlint/bin/oxlint", projectRoot),
    node("format of TypeScript (oxfmt)", "oxfmt/bin/oxfmt", "--check", projectRoot),
    node("unused files and exports (knip)", "knip/bin/knip.js", "--no-progress"),
    { label: "edge functions (deno lint)", command: deno, args: ["lint", "--quiet", join(projectRoot, "functions")] },
    ...lintersOfMigrations(migrationFiles().map((name) => join(migrationsFolder, name))),
    node("OpenAPI documents (redocly)", "@redocly/cli/bin/cli.js", "lint", "api", "adminapi"),
  ];
}

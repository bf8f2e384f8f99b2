import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apt, aptProblem } from "../ground/debian_packages.ts";
import { pathFolders } from "../ground/path_folders.ts";
import { Problem } from "../ground/problem.ts";
import type { ShowDetail } from "../ground/progress.ts";
import { lastLines, runCommand } from "../ground/run_command.ts";
import type { PostgresKind } from "../ground/state.ts";

/** A Postgres server of this machine. */
export interface PostgresInstall {
  kind: PostgresKind;
  /** The folder of initdb, pg_ctl and postgres. */
  bin: string;
  major: number;
}

export const minimumMajor = 15;
const debianFolder = "/usr/lib/postgresql";
const requiredExtensions = ["pg_cron", "pgtap"];

function configValue(bin: string, flag: string): string {
  return spawnSync(join(bin, "pg_config"), [flag], { encoding: "utf8" }).stdout?.trim() ?? "";
}

/** The folders of the programs of all installed versions. */
function binaryFolders(): string[] {
  const debian = existsSync(debianFolder)
    ? readdirSync(debianFolder).map((major) => join(debianFolder, major, "bin"))
    : [];
  const onPath = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return [...new Set([...debian, ...(onPath ? [onPath] : [])])].filter((bin) => existsSync(join(bin, "pg_config")));
}

const extensionFolder = (bin: string) => join(configValue(bin, "--sharedir"), "extension");

function hasExtension(bin: string, extension: string): boolean {
  return existsSync(join(extensionFolder(bin), `${extension}.control`));
}

/** Whether pg_prove can run, which runs the tests with psql. */
export function hasPgProve(): boolean {
  return ["pg_prove", "psql"].every((program) => spawnSync(program, ["--version"]).status === 0);
}

/** All suitable installations, oldest first. */
function installations(): PostgresInstall[] {
  return binaryFolders()
    .filter(
      (bin) => existsSync(join(bin, "initdb")) && requiredExtensions.every((extension) => hasExtension(bin, extension)),
    )
    .map((bin): PostgresInstall => ({
      kind: "installed",
      bin,
      major: Number(configValue(bin, "--version").match(/(\d+)/)?.[1] ?? 0),
    }))
    .filter(({ major }) => major >= minimumMajor)
    .sort((a, b) => a.major - b.major);
}

/** Finds a suitable installation: of the wanted version if possible, otherwise the oldest. */
export function findInstall(wantedMajor?: number): PostgresInstall | undefined {
  const found = hasPgProve() ? installations() : [];
  return found.find(({ major }) => major === wantedMajor) ?? found[0];
}

/**
 * The file that creates the functions of pgTAP in a database of any version of Postgres. Undefined if pgTAP is not
 * installed.
 */
export function pgTapFile(): string | undefined {
  const files = binaryFolders()
    .map(extensionFolder)
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder)
        .filter((name) => /^pgtap--\d+(\.\d+)*\.sql$/.test(name))
        .map((name) => join(folder, name)),
    );
  return files.sort().at(-1);
}

/** Prevents Debian's package from creating and starting its default cluster. */
async function withoutMainCluster<T>(work: () => Promise<T>): Promise<T> {
  const setting = "/etc/postgresql-common/createcluster.d/no-main-cluster.conf";
  if (existsSync(setting)) return work();
  mkdirSync(dirname(setting), { recursive: true });
  writeFileSync(setting, "create_main_cluster = false\n");
  try {
    return await work();
  } finally {
    rmSync(setting);
  }
}

/** Installs Postgres with the required extensions from Debian's packages. @throws Problem if they cannot be had */
export async function installFromDebian(show: ShowDetail): Promise<void> {
  const updateOutput = await apt(["update"], show);
  // The distribution packages the extensions only for its default version of Postgres.
  const { output } = await runCommand("apt-cache", ["depends", "postgresql"]);
  const major = Number(output.match(/Depends: postgresql-(\d+)/)?.[1] ?? 0);
  // apt-get update exits with 0 even if it could not download package lists.
  if (major === 0) throw aptProblem(`apt has no package postgresql:\n${lastLines(updateOutput)}`);
  if (major < minimumMajor) {
    throw new Problem(
      `This distribution has Postgres ${major}, but ${minimumMajor} or newer is required.`,
      "Add the package source of the PostgreSQL project (https://wiki.postgresql.org/wiki/Apt) and run the command again.",
    );
  }
  const packages = ["", "-cron", "-pgtap", "-plpgsql-check"].map((suffix) => `postgresql-${major}${suffix}`);
  await withoutMainCluster(() =>
    apt(["install", "--no-install-recommends", ...packages, "libtap-parser-sourcehandler-pgtap-perl"], show),
  );
}

/**
 * Finds a client program of Postgres.
 * @param serverMajor the version of the server. pg_dump rejects a server that is newer than itself
 * @returns its folder; undefined if there is none
 */
export function clientFolder(program: "pg_dump" | "pgbench" | "psql", serverMajor = 0): string | undefined {
  const majorOf = (folder: string) =>
    Number(spawnSync(join(folder, program), ["--version"], { encoding: "utf8" }).stdout?.match(/(\d+)/)?.[1] ?? 0);
  return [...binaryFolders(), ...pathFolders()].find(
    (folder) => existsSync(join(folder, program)) && majorOf(folder) >= serverMajor,
  );
}

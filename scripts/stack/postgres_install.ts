import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apt, aptProblem, canInstallPackages } from "./debian_packages.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";
import { lastLines, runCommand } from "./run_command.ts";

/** The client programs of Postgres: psql and pg_dump. */
export interface PostgresClient {
  /** Their folder. */
  bin: string;
}

/** A Postgres on this machine that has everything we need; its folder holds initdb and postgres too. */
export interface PostgresInstall extends PostgresClient {
  major: number;
}

const oldestMajor = 15;
const debianFolder = "/usr/lib/postgresql";
const requiredExtensions = ["pg_cron", "pgtap"];

function configValue(bin: string, flag: string): string {
  return spawnSync(join(bin, "pg_config"), [flag], { encoding: "utf8" }).stdout?.trim() ?? "";
}

function binaryFolders(): string[] {
  const debian = existsSync(debianFolder) ? readdirSync(debianFolder).map((major) => join(debianFolder, major, "bin")) : [];
  const onPath = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" }).stdout?.trim();
  return [...new Set([...debian, ...(onPath ? [onPath] : [])])].filter((bin) => existsSync(join(bin, "initdb")) && existsSync(join(bin, "pg_config")));
}

function hasExtension(bin: string, extension: string): boolean {
  return existsSync(join(configValue(bin, "--sharedir"), "extension", `${extension}.control`));
}

function hasPgProve(): boolean {
  return spawnSync("pg_prove", ["--version"]).status === 0;
}

/** All usable installations, oldest first. */
function installations(): PostgresInstall[] {
  return binaryFolders()
    .filter((bin) => requiredExtensions.every((extension) => hasExtension(bin, extension)))
    .map((bin) => ({ bin, major: Number(configValue(bin, "--version").match(/(\d+)/)?.[1] ?? 0) }))
    .filter(({ major }) => major >= oldestMajor)
    .sort((a, b) => a.major - b.major);
}

/** A complete installation, if there is one: of the wanted version where possible, else the oldest. */
export function findInstall(wantedMajor?: number): PostgresInstall | undefined {
  const found = hasPgProve() ? installations() : [];
  return found.find(({ major }) => major === wantedMajor) ?? found[0];
}

function whatToInstall(): Problem {
  return new Problem(
    `No Postgres ${oldestMajor} or newer with ${requiredExtensions.join(", ")} and pg_prove was found on this machine.`,
    [
      "Do one of these:",
      "  - on Debian or Ubuntu, run the command once as root, it installs them; or by hand:",
      "    apt-get install postgresql-15 postgresql-15-cron postgresql-15-pgtap postgresql-15-plpgsql-check libtap-parser-sourcehandler-pgtap-perl",
      "  - give a server that has them, by a superuser who is not called postgres: DATABASE_URL=postgresql://... npm start",
      "  - where Docker runs, use Supabase's own stack: npx supabase start",
    ].join("\n"),
  );
}

/** Keeps Debian's package from starting a cluster of its own, which nobody here needs. */
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

async function installFromDebian(show: ShowDetail): Promise<void> {
  const updateOutput = await apt(["update"], show);
  // The distribution's own version is the one whose extensions it has as packages.
  const { output } = await runCommand("apt-cache", ["depends", "postgresql"]);
  const major = Number(output.match(/Depends: postgresql-(\d+)/)?.[1] ?? 0);
  // apt-get update counts lists that it could not fetch as a success.
  if (major === 0) throw aptProblem(`apt offers no package postgresql:\n${lastLines(updateOutput)}`);
  if (major < oldestMajor) {
    throw new Problem(
      `This distribution offers Postgres ${major}; ${oldestMajor} or newer is needed.`,
      "Add the package source of the PostgreSQL project (https://wiki.postgresql.org/wiki/Apt) and run the command again.",
    );
  }
  const packages = ["", "-cron", "-pgtap", "-plpgsql-check"].map((suffix) => `postgresql-${major}${suffix}`);
  await withoutMainCluster(() => apt(["install", "--no-install-recommends", ...packages, "libtap-parser-sourcehandler-pgtap-perl"], show));
}

/**
 * Finds Postgres with its extensions, and installs it first where that is possible: as root on Debian or Ubuntu.
 * @param wantedMajor the version that existing data was made by, if there is any
 * @throws Problem that says what to install
 */
export async function providePostgres(show: ShowDetail, wantedMajor?: number): Promise<PostgresInstall> {
  const present = findInstall(wantedMajor);
  if (present) return present;
  if (!canInstallPackages()) throw whatToInstall();

  await installFromDebian(show);
  const installed = findInstall(wantedMajor);
  if (!installed) throw whatToInstall();
  return installed;
}

/** The client programs alone, for a server that is not ours. @throws Problem when psql is missing */
export function findPostgresClient(): PostgresClient {
  const path = (process.env.PATH ?? "").split(":").filter(Boolean);
  const bin = [...binaryFolders(), ...path].find((directory) => existsSync(join(directory, "psql")));
  if (!bin) throw new Problem("psql was not found on this machine.", "Install the client programs of Postgres, on Debian: apt-get install postgresql-client");
  return { bin };
}

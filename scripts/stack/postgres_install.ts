import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { apt, aptProblem, canInstallPackages } from "./debian_packages.ts";
import { Problem } from "./problem.ts";
import type { ShowDetail } from "./progress.ts";
import { lastLines, runCommand } from "./run_command.ts";

/** The client programs of Postgres: psql and pg_dump. */
export interface PostgresClient {
  /** The folder of the programs. */
  bin: string;
}

/** A Postgres installation on this machine with all required extensions. Its folder also has initdb and postgres. */
export interface PostgresInstall extends PostgresClient {
  major: number;
}

const minimumMajor = 15;
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

/** All suitable installations, oldest first. */
function installations(): PostgresInstall[] {
  return binaryFolders()
    .filter((bin) => requiredExtensions.every((extension) => hasExtension(bin, extension)))
    .map((bin) => ({ bin, major: Number(configValue(bin, "--version").match(/(\d+)/)?.[1] ?? 0) }))
    .filter(({ major }) => major >= minimumMajor)
    .sort((a, b) => a.major - b.major);
}

/** Finds a suitable installation: of the wanted version if possible, otherwise the oldest. */
export function findInstall(wantedMajor?: number): PostgresInstall | undefined {
  const found = hasPgProve() ? installations() : [];
  return found.find(({ major }) => major === wantedMajor) ?? found[0];
}

function installationProblem(): Problem {
  return new Problem(
    `No Postgres ${minimumMajor} or newer with ${requiredExtensions.join(", ")} and pg_prove was found on this machine.`,
    [
      "Choose one of these options:",
      "  - on Debian or Ubuntu, run the command once as root, which installs them, or install them by hand:",
      "    apt-get install postgresql-15 postgresql-15-cron postgresql-15-pgtap postgresql-15-plpgsql-check libtap-parser-sourcehandler-pgtap-perl",
      "  - use a server that has them, with a superuser that is not called postgres: DATABASE_URL=postgresql://... npm start",
      "  - if you have Docker, use the stack of the Supabase CLI: npx supabase start",
    ].join("\n"),
  );
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

async function installFromDebian(show: ShowDetail): Promise<void> {
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
  await withoutMainCluster(() => apt(["install", "--no-install-recommends", ...packages, "libtap-parser-sourcehandler-pgtap-perl"], show));
}

/**
 * Finds Postgres with the required extensions. Installs it if it is missing and can be installed: as root on Debian or Ubuntu.
 * @param wantedMajor the major version that created the existing data, if there are any
 * @throws Problem that says what to install
 */
export async function ensurePostgres(show: ShowDetail, wantedMajor?: number): Promise<PostgresInstall> {
  const present = findInstall(wantedMajor);
  if (present) return present;
  if (!canInstallPackages()) throw installationProblem();

  await installFromDebian(show);
  const installed = findInstall(wantedMajor);
  if (!installed) throw installationProblem();
  return installed;
}

/** Finds the client programs, for a server of DATABASE_URL. @throws Problem if psql is missing */
export function findPostgresClient(): PostgresClient {
  const path = (process.env.PATH ?? "").split(":").filter(Boolean);
  const bin = [...binaryFolders(), ...path].find((directory) => existsSync(join(directory, "psql")));
  if (!bin) throw new Problem("psql was not found on this machine.", "Install the client programs of Postgres, on Debian: apt-get install postgresql-client");
  return { bin };
}

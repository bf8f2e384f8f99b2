import { existsSync } from "node:fs";
import { join } from "node:path";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import { findInstall, type PostgresInstall } from "../postgres/install.ts";
import type { ShowDetail } from "../ground/progress.ts";

const program = "/usr/bin/pg_autoctl";

/**
 * Finds pg_auto_failover for a server.
 * @returns the path of its program; undefined if the program or its extension is not installed
 */
export function findFailoverManager({ bin, major }: Pick<PostgresInstall, "bin" | "major">): string | undefined {
  const extension = join("/usr/share/postgresql", String(major), "extension/pgautofailover.control");
  return bin.startsWith("/usr/lib/postgresql/") && existsSync(program) && existsSync(extension) ? program : undefined;
}

/** Installs pg_auto_failover from Debian's packages for the installed server, if it is missing and can be installed. */
export async function ensureFailoverManager(show: ShowDetail): Promise<void> {
  const install = findInstall();
  if (!install || findFailoverManager(install) || !canInstallPackages()) return;
  await apt(["update"], show);
  await apt(
    ["install", "--no-install-recommends", "pg-auto-failover-cli", `postgresql-${install.major}-auto-failover`],
    show,
  );
}

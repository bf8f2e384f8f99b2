import { existsSync } from "node:fs";
import { join } from "node:path";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import { pathFolders } from "../ground/path_folders.ts";
import type { ShowDetail } from "../ground/progress.ts";

/** Programs of others that judge the store in the long form of the tests, and their packages. */
const packages = { hledger: "hledger", ledger: "ledger", "bean-check": "beancount", sqlsmith: "sqlsmith" };

export const hasJudges = (): boolean =>
  Object.keys(packages).every((program) => pathFolders().some((folder) => existsSync(join(folder, program))));

/** Installs them as root on Debian or Ubuntu. @throws Problem if apt fails */
export async function ensureJudges(show: ShowDetail): Promise<void> {
  if (hasJudges() || !canInstallPackages()) return;
  await apt(["update"], show);
  await apt(["install", "--no-install-recommends", ...Object.values(packages)], show);
}

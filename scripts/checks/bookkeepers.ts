import { spawnSync } from "node:child_process";
import { apt, canInstallPackages } from "../ground/debian_packages.ts";
import type { ShowDetail } from "../ground/progress.ts";

const packages = { hledger: "hledger", ledger: "ledger", "bean-check": "beancount" };

/** Whether the programs of bookkeeping are there that check journals. */
export const hasBookkeepers = (): boolean =>
  Object.keys(packages).every((program) => spawnSync(program, ["--version"], { stdio: "ignore" }).error === undefined);

/** Installs them as root on Debian or Ubuntu. @throws Problem if apt fails */
export async function ensureBookkeepers(show: ShowDetail): Promise<void> {
  if (hasBookkeepers() || !canInstallPackages()) return;
  await apt(["update"], show);
  await apt(["install", "--no-install-recommends", ...Object.values(packages)], show);
}

import { canInstallPackages } from "../ground/debian_packages.ts";
import { embeddedInstall } from "./embedded.ts";
import { findInstall, installFromDebian, minimumMajor, type PostgresInstall } from "./install.ts";
import type { PostgresKind } from "../ground/state.ts";
import { Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";

/** The server that created existing data. */
export interface DataOrigin {
  kind: PostgresKind;
  major: number;
}

/** The kind of server that STORE_POSTGRES selects. @throws Problem if the value is unknown */
function demandedPostgres(): PostgresKind | undefined {
  const text = process.env.STORE_POSTGRES ?? "";
  if (text === "" || text === "installed" || text === "embedded") return text === "" ? undefined : text;
  throw new Problem(
    `STORE_POSTGRES=${text} is not a kind of Postgres server.`,
    "Set STORE_POSTGRES to installed (with pg_cron and pgTAP) or embedded (of npm), or unset it: then an installed server is preferred.",
  );
}

/** Finds any server of this machine, for programs that work with data of every version. */
export function anyInstall(): PostgresInstall | undefined {
  return findInstall() ?? embeddedInstall();
}

/** The advice where the wanted server is missing. @param first an option that depends on what is wanted */
function options(first: string): string {
  return [
    "Choose one of these options:",
    `  - ${first}`,
    "  - on Debian or Ubuntu, run the command once as root, which installs Postgres, or install it by hand:",
    "    apt-get install postgresql-15 postgresql-15-cron postgresql-15-pgtap postgresql-15-plpgsql-check libtap-parser-sourcehandler-pgtap-perl",
    "  - use a server that has them, with a superuser that is not called postgres: DATABASE_URL=postgresql://... npm start",
    "  - if you have Docker, use the stack of the Supabase CLI: npx supabase start",
  ].join("\n");
}

/** The kind of server to use, and why it is the embedded one. */
export interface Preference {
  kind: PostgresKind;
  /** Whether only this kind can be used. */
  isDemanded: boolean;
  reason: string;
}

/**
 * Decides which kind of server to use: the one that STORE_POSTGRES selects, or the one that created the data.
 * Otherwise, an installed one, or the embedded one where none is installed and none can be.
 * @param data the server that created the existing data, if there are any
 */
export function preferredPostgres(data?: DataOrigin): Preference {
  const demanded = demandedPostgres();
  if (demanded) return { kind: demanded, isDemanded: true, reason: "STORE_POSTGRES selects it" };
  if (data?.kind === "embedded") return { kind: "embedded", isDemanded: true, reason: "it created the existing data" };
  const kind = findInstall() || canInstallPackages() ? "installed" : "embedded";
  return {
    kind,
    isDemanded: false,
    reason: "this machine has no Postgres with pg_cron and pgTAP, and only root on Debian or Ubuntu can install one",
  };
}

/**
 * Finds Postgres with the required extensions, or installs it as root on Debian or Ubuntu.
 * @throws Problem that says what to install
 */
async function ensureInstalled(show: (text: string) => void, data?: DataOrigin): Promise<PostgresInstall> {
  const present = findInstall(data?.major);
  if (present) return present;
  if (canInstallPackages()) await installFromDebian(show);
  const installed = findInstall(data?.major);
  if (installed) return installed;
  throw new Problem(
    `No Postgres ${minimumMajor} or newer with pg_cron, pgTAP and pg_prove was found on this machine.`,
    options("unset STORE_POSTGRES if it is set: the embedded Postgres of npm then runs the store"),
  );
}

/** @throws Problem that says what to install */
function requireEmbedded(): PostgresInstall {
  const install = embeddedInstall();
  if (install) return install;
  throw new Problem(
    "The embedded Postgres of npm is not installed, or there is none for this machine.",
    options("install the packages again, with optional dependencies and install scripts: rm -r node_modules && npm ci"),
  );
}

/**
 * Finds or installs the server to use. Where Debian's packages cannot be had, this is the embedded Postgres, and a line
 * says so.
 * @param data the server that created the existing data, if there are any
 * @throws Problem that says what to install
 */
export async function choosePostgres(data?: DataOrigin): Promise<PostgresInstall> {
  const { kind, isDemanded, ...preference } = preferredPostgres(data);
  let { reason } = preference;
  if (kind === "installed") {
    try {
      return await step("Postgres with pg_cron and pgTAP", (show) => ensureInstalled(show, data));
    } catch (error) {
      if (isDemanded || !(error instanceof Problem) || !embeddedInstall()) throw error;
      reason = `no other could be installed (${error.message.split("\n")[0]!.replace(/[:.]$/, "")})`;
    }
  }
  const install = await step("The embedded Postgres of npm", () => Promise.resolve(requireEmbedded()));
  console.log(`    Postgres ${install.major} of npm is used, because ${reason}. It has no pg_cron.`);
  return install;
}

import { administrators } from "../administrators/administrators.ts";
import { withDatabase } from "../command_line/database.ts";
import { Problem } from "../ground/problem.ts";
import { authSettings, siteAddresses } from "./auth_step.ts";
import { extensions, migrations, password, readVault, worker } from "./database_steps.ts";
import type { Platform } from "./platform.ts";
import { administrator, functions, secrets, storeEnv } from "./platform_steps.ts";
import { sites } from "./sites.ts";
import type { Step } from "./step.ts";
import type { Ask, Target } from "./target.ts";

/** Whether somebody can sign in to the console. */
const hasAdministrator = () =>
  withDatabase(async (sql) => {
    const [store] = await sql<{ here: boolean }[]>`select to_regclass('app.administrators') is not null as here`;
    return store!.here && (await administrators(sql)).some(({ may_act }) => may_act);
  });

const EMAIL = "STORE_ADMINISTRATOR, the email address of the first administrator";

/** @returns undefined if there is an administrator @throws Problem if there is none, and nobody says who it is */
async function firstAdministrator({ administrator: given, dryRun }: Given, ask: Ask): Promise<string | undefined> {
  if (await hasAdministrator()) return undefined;
  const said = given ?? (process.env.STORE_ADMINISTRATOR || undefined);
  if (said === undefined && dryRun) return "<your email address>";
  const email = said ?? (await ask?.(EMAIL)) ?? "";
  if (!/^[^\s@]+@[^\s@]+$/.test(email))
    throw new Problem("STORE_ADMINISTRATOR is missing, or is no email address.", `Set ${EMAIL}.`);
  return email;
}

/**
 * What the person who deploys may say in place of the environment: the email address of the first administrator, and
 * where the sites are; and whether it is a dry run.
 */
export interface Given {
  administrator?: string;
  h5?: string;
  console?: string;
  /** Whether the steps are only shown. Nobody then has to say who the administrator is. */
  dryRun?: boolean;
}

/** The steps of a deployment in their order. */
export async function stepsOf(target: Target, platform: Platform, given: Given, ask: Ask): Promise<Step[]> {
  const [addresses, vault] = [await siteAddresses(given), await readVault()];
  const first = await firstAdministrator(given, ask);
  return [
    extensions,
    migrations(target),
    storeEnv(target, platform, vault),
    password(platform),
    secrets(target, platform, vault),
    functions(target),
    worker(target),
    sites(target, platform),
    authSettings(target, platform, addresses),
    administrator(target, platform, first, ask !== undefined),
  ];
}

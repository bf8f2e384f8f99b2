import { resolve } from "node:path";
import { Option } from "commander";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { databaseAddress } from "../command_line/database.ts";
import { withoutPassword } from "../deploy/database_steps.ts";
import { readPlatform } from "../deploy/platform.ts";
import { runOurs } from "../deploy/platform_steps.ts";
import { asker, readTarget, type Target } from "../deploy/target.ts";
import { examineUpgrade } from "../deploy/upgrade_findings.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { step, style } from "../ground/progress.ts";
import { applyMigrations } from "../postgres/migrations.ts";

const command = describeCommand({
  usage: "npm run upgrade --",
  summary: `Updates a store to the version of this folder: the database first, then the functions and the sites. It shows first from which version the
update begins, what it would do and what is in its way, and refuses a database whose version it does not know. Run it again after an interruption.`,
  notes: `DATABASE_URL  the database (role postgres), in place of that of the running local stack. With --project, the other variables of \`npm run deploy\`

Without --project, only the database is updated. docs/upgrading.md says what follows by hand.
Exit status: 0 updated, or nothing is in the way, 1 something is in the way, 2 the update failed: the message says what to do.`,
})
  .option("--check", "only say what the update would do, and what is in its way")
  .option("--project <ref>", "the reference of a project of Supabase, whose functions and sites are updated, too")
  .option("--url <URL>", "the address of a project that has a domain of its own")
  .addOption(
    new Option("--sites <folder>", "the folder that gets apps/console/dist and apps/h5/dist").default(
      projectRoot,
      "this folder",
    ),
  )
  .option("--yes", "ask nothing, as in CI");

interface Options {
  check?: boolean;
  project?: string;
  url?: string;
  sites: string;
  yes?: boolean;
}

const marks = { ok: style.good("✓"), hint: "–", skipped: "–", warning: style.bad("!"), error: style.bad("✗") };

/** @returns the migrations to apply; undefined if something is in the way */
async function examine(url: string | undefined): Promise<string[] | undefined> {
  const { findings, missing } = await examineUpgrade(url);
  for (const { check, severity, message, hint } of findings) {
    console.log(`  ${marks[severity]} ${check}: ${message}`);
    if (hint) console.log(style.dim(`      ${hint}`));
  }
  return findings.some(({ severity }) => severity === "error") ? undefined : missing;
}

/**
 * Applies the migrations again and again until each gets its locks, so that requests are served between the attempts.
 */
async function updateDatabase(): Promise<void> {
  const { address, password } = withoutPassword(databaseAddress());
  const advice =
    "A migration is applied as a whole or not at all. Correct what the message names, and run the command again.";
  await step("Database", (show) =>
    applyMigrations(address, advice, {
      env: { PGPASSWORD: password },
      onRetry: (attempt) => show(`attempt ${attempt} did not get its locks, or was interrupted`),
    }),
  );
}

async function upgrade({ check = false, project, url, sites, yes = false }: Options): Promise<number> {
  const ask = asker(yes);
  const target: Target | undefined =
    project === undefined ? undefined : await readTarget(project, url, resolve(sites), ask);
  // What would stop the deployment must not stop it after the database.
  if (target) await readPlatform(target.ref);
  const missing = await examine(target?.url);
  if (missing === undefined) {
    console.log("\nThe update cannot begin. Nothing was changed.");
    return 1;
  }
  if (check) return 0;
  if (!yes && !/^y(es)?$/i.test((await ask?.("\nBegin? (y/n)")) ?? ""))
    throw new Problem(
      "Nothing was changed.",
      ask ? "Run the command again at any time." : "Without a terminal, --yes begins.",
    );
  if (missing.length > 0) await updateDatabase();
  if (target === undefined) {
    console.log("The database is up to date. Deploy the functions next, then the sites: docs/upgrading.md.");
    return 0;
  }
  const args = [
    "--project",
    target.ref,
    ...(url === undefined ? [] : ["--url", url]),
    "--sites",
    target.sites,
    "--yes",
  ];
  const { code } = await runOurs("deploy", args, {}, console.log);
  return code;
}

await runCommandLine(command, upgrade, 2);

import { resolve } from "node:path";
import { Option } from "commander";
import { describeCommand, runCommandLine } from "../command_line/command_line.ts";
import { type Given, stepsOf } from "../deploy/deployment.ts";
import { readPlatform } from "../deploy/platform.ts";
import { runOurs } from "../deploy/platform_steps.ts";
import { SMOKE_TEST, smokeTest } from "../deploy/smoke_test.ts";
import type { Step } from "../deploy/step.ts";
import { readStoreEnv } from "../deploy/store_env.ts";
import { type Ask, asker, readTarget, type Target } from "../deploy/target.ts";
import { projectRoot } from "../ground/paths.ts";
import { printError, Problem } from "../ground/problem.ts";
import { step, style } from "../ground/progress.ts";

const command = describeCommand({
  usage: "npm run deploy --",
  summary: `Deploys the store of this folder to a project of Supabase: extensions, migrations, password of the functions, secrets, functions, calls of the
worker, sites, settings of Auth, first administrator. It shows first what is left to do, with the commands that do the same by hand, and asks before it begins. In the
end, the doctor examines the project, and a smoke test tries the store as its members use it, and removes what it has made. Run it again after a failure, an interruption
or an update: it does what is left.`,
  notes: `DATABASE_URL           the database of the project (role postgres, session pooler)
STORE_DB_CA            the certificate of the authority of the database, in PEM
SUPABASE_ACCESS_TOKEN  in place of \`npx supabase login\`
STORE_ADMINISTRATOR    the email address of the first administrator
STORE_H5_URL           the address of the H5 app, to which links of mails lead. By default, the share link URL of the store
STORE_CONSOLE_URL      the address of the console, to which links of its mails lead
STORE_CONSOLE_CONFIG   what config.json of the console has besides, as JSON
STORE_H5_CONFIG        what config.json of the H5 app has besides, as JSON

The file store.env in this folder has the secrets of the functions. The command makes those that are missing, and shows none.
Exit status: 0 deployed, 1 the doctor found errors or the smoke test failed, 2 the deployment failed: the message says what to do.`,
})
  .option("--project <ref>", "the reference of the project, 20 letters")
  .option("--url <URL>", "the address of a project that has a domain of its own")
  .option("--administrator <email>", "in place of STORE_ADMINISTRATOR")
  .option("--h5 <URL>", "in place of STORE_H5_URL")
  .option("--console <URL>", "in place of STORE_CONSOLE_URL")
  .addOption(
    new Option("--sites <folder>", "the folder that gets apps/console/dist and apps/h5/dist").default(
      projectRoot,
      "this folder",
    ),
  )
  .option("--no-smoke-test", "leave the smoke test out")
  .option(
    "--paid-purchase",
    "let the smoke test pay an order, too, which stays in the books: only in a store without orders",
  )
  .option("--dry-run", "show what is left to do, and change nothing")
  .option("--yes", "ask nothing, as in CI");

interface Options extends Given {
  project?: string;
  url?: string;
  sites: string;
  smokeTest: boolean;
  paidPurchase?: boolean;
  yes?: boolean;
}

/** Shows what is left to do, and how to do it by hand. @returns the number of steps that are left */
async function showPlan(steps: Step[]): Promise<number> {
  let count = 0;
  for (const each of steps) {
    const task = await each.left();
    console.log(task === undefined ? `  ${style.good("✓")} ${each.name}` : `  – ${each.name}: ${task}`);
    if (task === undefined) continue;
    count += 1;
    for (const line of each.byHand) console.log(style.dim(`      ${line}`));
  }
  return count;
}

/** @throws Problem unless the user agrees */
async function confirm(isAgreed: boolean, ask: Ask, question = "Begin?"): Promise<void> {
  if (isAgreed || /^y(es)?$/i.test((await ask?.(`\n${question} (y/n)`)) ?? "")) return;
  throw new Problem(
    "Nothing was changed.",
    ask ? "Run the command again at any time." : "Without a terminal, --yes begins.",
  );
}

/** @returns whether the store works for its members */
async function tryStore({ ref, url }: Target, isBuying: boolean): Promise<boolean> {
  console.log("\nThe smoke test tries the store:\n");
  try {
    // The sites have needed the first key before, the first administrator perhaps the second one.
    const { publishableKey, secretKey } = await readPlatform(ref);
    if (publishableKey === undefined || secretKey === undefined)
      throw new Problem(
        "The smoke test needs a publishable and a secret key of the project.",
        "Create them (Dashboard, Settings, API Keys), and run the command again.",
      );
    await smokeTest({ ref, url, publishableKey, secretKey }, isBuying);
    return true;
  } catch (error) {
    printError(error);
    return false;
  }
}

async function deploy(options: Options): Promise<number> {
  const { project, url, sites, smokeTest: isTried, paidPurchase = false, dryRun = false, yes = false } = options;
  if (project === undefined) throw new Problem("Which project?", "Example: npm run deploy -- --project <ref>");
  const ask = asker(yes);
  const target = await readTarget(project, url, resolve(sites), ask);
  const steps = await stepsOf(target, await readPlatform(target.ref), options, ask);
  console.log(`What is left to do for ${target.ref}:\n`);
  const count = await showPlan(steps);
  console.log(`\nEach time: the doctor${isTried ? `, and a smoke test: ${SMOKE_TEST}` : ""}.`);
  if (paidPurchase) console.log("The member also buys a product. The order, paid and refunded, stays in the books.");
  if (dryRun) return 0;
  if (paidPurchase && count === 0) await confirm(yes, ask, "Buy?");
  if (count > 0) {
    await confirm(yes, ask);
    console.log();
    // What is left may follow from the steps before, so each is asked again.
    for (const each of steps) if ((await each.left()) !== undefined) await step(each.name, (show) => each.run(show));
  }
  console.log("\nThe doctor examines the project:\n");
  const args = ["--project", target.ref, ...(url === undefined ? [] : ["--url", url])];
  const { STORE_DB_URL } = readStoreEnv();
  const { code } = await runOurs("doctor", args, { ...(STORE_DB_URL && { STORE_DB_URL }) }, console.log);
  const works = !isTried || (await tryStore(target, paidPurchase));
  return code !== 0 || works ? code : 1;
}

await runCommandLine(command, deploy, 2);

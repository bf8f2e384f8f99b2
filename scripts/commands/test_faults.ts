import { Option } from "commander";
import { BREAKS, type Break } from "../faults/breaks.ts";
import { FAULTS } from "../faults/injector.ts";
import { describeReport, isClean } from "../faults/report.ts";
import { type FaultOptions, runFaults } from "../faults/run_faults.ts";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { ensurePooler } from "../scale/pooler.ts";
import { step } from "../ground/progress.ts";

const count = wholeNumber(1_000_000);

const command = describeCommand({
  usage: "npm run test:faults --",
  summary: `Runs a random workload over HTTP on a stack of its own and injects faults: ${Object.values(FAULTS).join("; ")}; a clock that moves over
missed days, and over midnight while jobs run; and a lock that outlasts crashes. Then the scheduled jobs end what is left, and everything is compared: every acknowledged write is there, nothing
happened twice, app.reconcile() finds nothing, and the reference model arrives at the same state.`,
  notes: `npm run test:faults -- --minutes 5                      five minutes of faults, and about two more
npm run test:faults -- --kills 2000 --crashes 200      until there were so many
npm run test:faults -- --break idempotency             with a mechanism removed: must end with status 1

It needs PgBouncer, and installs it as root on Debian.
The seed repeats the choices, not the moments at which faults hit.
Exit status: 0 nothing lost, double or wrong; 1 otherwise; 2 the run failed.`,
})
  .option("--minutes <n>", "how long faults are injected (default 2)", wholeNumber(10_000))
  .option(
    "--kills <n>",
    "inject faults for longer, until there were as many kills of sessions, jobs, servers and functions",
    count,
  )
  .option("--crashes <n>", "inject faults for longer, until the server has recovered from as many crashes", count)
  .option("--seed <n>", "the seed of workload and faults (default: a new one)", wholeNumber(2 ** 31))
  .addOption(
    new Option(
      "--break <mechanism>",
      Object.entries(BREAKS)
        .map(([name, { what }]) => `${name}: ${what}`)
        .join("; "),
    ).choices(Object.keys(BREAKS)),
  )
  .option("--json", "print the report as JSON");

interface Options extends Partial<Pick<FaultOptions, "minutes" | "kills" | "crashes" | "seed">> {
  break?: Break;
  json?: boolean;
}

async function testFaults({
  minutes = 2,
  kills = 0,
  crashes = 0,
  seed = 1 + (Date.now() % 2 ** 31),
  break: breaks,
  json,
}: Options): Promise<number> {
  const run = (show: (text: string) => void) => runFaults({ minutes, kills, crashes, seed, breaks, show });
  if (json) console.log = console.error;
  // Three kinds of faults need it. A run without them would look complete.
  await step("PgBouncer", ensurePooler);
  const report = await step("Faults", run);
  if (json) process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else console.log(describeReport(report));
  return isClean(report) ? 0 : 1;
}

await runCommandLine(command, testFaults, 2);

import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Argument, InvalidArgumentError, Option } from "commander";
import { BenchServer } from "../bench/bench_server.ts";
import { drawCapacity } from "../bench/capacity/chart.ts";
import { drawGrowth, drawRatios } from "../bench/charts.ts";
import { requireValgrind } from "../bench/instructions.ts";
import { printReport, type Result } from "../bench/report.ts";
import { type Bench, full, quick, tiny, type Workload } from "../bench/workload.ts";
import { h5, requireDemoStack } from "../bench/workloads/h5.ts";
import { instructions } from "../bench/workloads/instructions.ts";
import { workloads } from "../bench/workloads/index.ts";
import { type Measured, measuredFile, readMeasured } from "../scale/capacity/measured.ts";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { printError, Problem } from "../ground/problem.ts";
import { step } from "../ground/progress.ts";
import { withTemporaryDatabases } from "../postgres/temporary_databases.ts";

const count = wholeNumber(100_000);

/** Parses the sizes of the stores of the workload capacity. */
function sizes(text: string): number[] {
  const members = text
    .split(",")
    .map(wholeNumber(10_000_000))
    .sort((a, b) => a - b);
  if (members[0]! < 1000) throw new InvalidArgumentError("Each size must be at least 1000.");
  return members;
}

const command = describeCommand({
  usage: "npm run bench --",
  summary: `Measures the store on a database server of its own and compares each workload with a baseline of the same run. Both sides take turns;
the result is the median of the rounds' ratios. A baseline that writes is one prepared statement without logic. Over HTTP, the baseline
is Hono with token verification and one bare statement. Run nothing else on the machine.`,
  notes: "Exit status: 0 if measured, whatever the result; 2 if the measurement failed.",
})
  .addArgument(
    new Argument("[workload...]", "the workloads to measure (default: all but instructions and h5)").choices(
      workloads.map(({ name }) => name),
    ),
  )
  .option("--full", "use the sizes that the aims are stated for (about an hour) instead of small ones (a few minutes)")
  .addOption(
    new Option("--tiny", "run each workload once with very little data, to see that it works").conflicts("full"),
  )
  .option(
    "--members <n>",
    "members of every store, at most 1,000,000 (default: depends on the workload)",
    wholeNumber(1_000_000),
  )
  .option("--rounds <n>", "rounds per side (default 5)", count)
  .option(
    "--transactions <n>",
    `transactions per client and round (default ${quick.transactions}, with --full ${full.transactions})`,
    count,
  )
  .option(
    "--batches <n>",
    `batches of settlements per round (default ${quick.batches}, with --full ${full.batches})`,
    count,
  )
  .option(
    "--requests <n>",
    `HTTP requests per round, all clients together (default ${quick.requests}, with --full ${full.requests})`,
    count,
  )
  .option("--clients <n>", `connections (default ${quick.clients})`, count)
  .option(
    "--charts",
    "draw docs/charts from the results: the ratios and their aims, and the cost of an order as the store grows",
  )
  .option(
    "--capacity [sizes]",
    `measure the workload capacity with these members, separated by commas (default: ${full.capacity.join(",")}), and keep the result for npm run capacity`,
    sizes,
  )
  .option(
    "--instructions",
    "also run the workload instructions, which only runs if it is asked for: it counts the instructions of single statements, which hardly vary, and needs valgrind",
  )
  .option("--json", "print the results as JSON, and progress on standard error")
  .option("--list", "list the workloads");

const charts = join(import.meta.dirname, "../../docs/charts");

interface Options {
  full?: boolean;
  tiny?: boolean;
  members?: number;
  rounds?: number;
  transactions?: number;
  batches?: number;
  requests?: number;
  clients?: number;
  charts?: boolean;
  capacity?: number[] | true;
  instructions?: boolean;
  json?: boolean;
  list?: boolean;
}

/**
 * Keeps what `npm run capacity` reads, and draws it once there are enough sizes for its curves. What the same machine
 * has measured of other sizes stays, and if one of them is larger, so do the points by depth, direct members and shared
 * row.
 */
function keepMeasured(latest: Measured): void {
  const before = existsSync(measuredFile) ? readMeasured() : latest;
  const earlier = JSON.stringify(before.machine) === JSON.stringify(latest.machine) ? before : latest;
  const others = earlier.stores.filter(({ members }) => latest.stores.every((store) => store.members !== members));
  const stores = [...latest.stores, ...others].sort((a, b) => a.members - b.members);
  const { depths, fan_outs, rows } = others.includes(stores.at(-1)!) ? earlier : latest;
  const measured: Measured = {
    large: earlier.large,
    ...latest,
    depths,
    fan_outs,
    rows,
    stores,
    reference: Math.min(...stores.map(({ reference }) => reference)),
  };
  writeFileSync(measuredFile, `${JSON.stringify(measured, null, 2)}\n`);
  if (measured.stores.length >= 3) writeFileSync(join(charts, "capacity.svg"), drawCapacity(measured));
}

function drawCharts(results: Result[]): void {
  mkdirSync(charts, { recursive: true });
  writeFileSync(join(charts, "ratios.svg"), drawRatios(results));
  writeFileSync(join(charts, "growth.svg"), drawGrowth(results));
}

async function measure(
  chosen: string[],
  {
    full: isFull,
    tiny: isTiny,
    members,
    charts: isDrawn,
    capacity,
    instructions: isCounted,
    json,
    list,
    ...given
  }: Options,
): Promise<void> {
  if (list)
    return printTable(
      ["workload", "what"],
      workloads.map(({ name, title }) => [name, title]),
    );
  if (process.env.DATABASE_URL)
    throw new Problem(
      "The benchmark starts its own server and cannot use DATABASE_URL.",
      "Unset DATABASE_URL and run it again.",
    );

  const isWanted = ({ name }: Workload) =>
    chosen.includes(name) ||
    (name === instructions.name ? isCounted === true : chosen.length === 0 && name !== h5.name);
  const wanted = workloads.filter(isWanted);
  if (wanted.includes(instructions)) requireValgrind();
  if (wanted.includes(h5)) requireDemoStack();

  const failed: string[] = [];
  const stated = isFull ? full : isTiny ? tiny : quick;
  const size = {
    ...stated,
    ...(members && { tree: members, members: stated.members.map(() => members), capacity: [members], beyond: members }),
    ...(capacity && { capacity: capacity === true ? full.capacity : capacity }),
    ...given,
  };
  const saveCapacity = capacity ? keepMeasured : undefined;
  // Keeps progress messages out of the JSON output.
  if (json) console.log = console.error;
  const results = await withTemporaryDatabases(async (database, { migrated }) => {
    const server = await BenchServer.configure(database, migrated);
    const done: Result[] = [];
    for (const workload of wanted) {
      const comparisons = await step(workload.title, (show) =>
        workload.run({ server, size, show, saveCapacity } satisfies Bench),
      ).catch((error: unknown) => {
        failed.push(workload.name);
        printError(error);
      });
      if (!comparisons) continue;
      const result = { workload: workload.name, title: workload.title, comparisons };
      done.push(result);
      if (!json) printReport(result);
    }
    return done;
  });
  if (isDrawn) drawCharts(results);
  if (json) process.stdout.write(`${JSON.stringify({ size, results }, null, 2)}\n`);
  // What was measured before is worth too much to be lost.
  if (failed.length > 0)
    throw new Problem(
      `Not measured: ${failed.join(", ")}.`,
      "The reasons are above. Name these workloads to measure them alone.",
    );
}

await runCommandLine(command, measure, 2);

import { parseArgs } from "node:util";
import { BenchServer } from "../../test/bench/bench_server.ts";
import { printReport } from "../../test/bench/report.ts";
import { type Bench, full, quick } from "../../test/bench/workload.ts";
import { workloads } from "../../test/bench/workloads/index.ts";
import { printTable } from "../console/table.ts";
import { withTemporaryDatabases } from "../stack/database.ts";
import { Problem, printError } from "../stack/problem.ts";
import { step } from "../stack/progress.ts";

const help = `npm run bench [-- workload ...] [-- options]

Measures the store on a database server of its own, each workload beside a baseline of the same run: both by turns, the
median of the rounds' ratios counts. Every baseline that writes is one prepared statement without logic; over HTTP, the baseline
is Hono with a token and one bare statement. Nothing else should run on the machine.

  --full             the sizes that the aims are stated for (about an hour); unless given, small ones (a few minutes)
  --rounds n         rounds of each side (default 5)
  --transactions n   of each client in a round (default ${quick.transactions}, with --full ${full.transactions})
  --batches n        batches of settlements in a round (default ${quick.batches}, with --full ${full.batches})
  --requests n       of all clients together in a round over HTTP (default ${quick.requests}, with --full ${full.requests})
  --clients n        connections (default ${quick.clients})
  --json             print the results as JSON, and progress on the standard error stream only
  --list             name the workloads
  --help             show this

Exit status: 0 measured, whatever came out; 2 could not be measured.`;

function positive(option: string, text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > 100_000) throw new Problem(`--${option} ${text} is not a number from 1 to 100000.`, "Correct the option and run the command again.");
  return number;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      full: { type: "boolean" }, rounds: { type: "string" }, transactions: { type: "string" }, batches: { type: "string" }, requests: { type: "string" }, clients: { type: "string" },
      json: { type: "boolean" }, list: { type: "boolean" }, help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  if (values.list) {
    printTable(["workload", "what"], workloads.map(({ name, title }) => [name, title]));
    return 0;
  }
  const unknown = positionals.filter((name) => !workloads.some((workload) => workload.name === name));
  if (unknown.length > 0) throw new Problem(`There is no workload ${unknown.join(", ")}.`, `There are: ${workloads.map(({ name }) => name).join(", ")}.`);
  if (process.env.DATABASE_URL) throw new Problem("The benchmark needs a server of its own, and DATABASE_URL names another one.", "Run it without DATABASE_URL.");

  const base = values.full ? full : quick;
  const size = {
    ...base,
    rounds: positive("rounds", values.rounds, base.rounds),
    transactions: positive("transactions", values.transactions, base.transactions),
    batches: positive("batches", values.batches, base.batches),
    requests: positive("requests", values.requests, base.requests),
    clients: positive("clients", values.clients, base.clients),
  };
  // Progress goes where it does not mix with the results.
  if (values.json) console.log = console.error;
  const results = await withTemporaryDatabases(async (database, { migrated }) => {
    const server = await BenchServer.configure(database, migrated);
    const done = [];
    for (const workload of workloads.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
      const comparisons = await step(workload.title, (show) => workload.run({ server, size, show } satisfies Bench));
      const result = { workload: workload.name, title: workload.title, comparisons };
      done.push(result);
      if (!values.json) printReport(result);
    }
    return done;
  });
  if (values.json) process.stdout.write(`${JSON.stringify({ size, results }, null, 2)}\n`);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  printError(error);
  return 2;
});

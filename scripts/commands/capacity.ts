import { InvalidArgumentError } from "commander";
import { type Capacity, capacityOf, type Plan, usualPlan } from "../scale/capacity/costs.ts";
import { type Measured, readMeasured } from "../scale/capacity/measured.ts";
import { checkModel, fitModel, fitWithout } from "../scale/capacity/model.ts";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { printTable } from "../command_line/table.ts";
import { Problem } from "../ground/problem.ts";

/** Ten times the people on earth would be a mistake; so would more orders than that. */
const most = 10_000_000_000;

/** Parses an option that is a number, not necessarily whole. */
function numberBetween(least: number, greatest: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (!/^\d+(\.\d+)?$/.test(text) || number < least || number > greatest)
      throw new InvalidArgumentError(`It must be a number from ${least} to ${greatest}.`);
    return number;
  };
}

/** Parses a number of members or orders that may be zero. */
function count(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${most}.`);
  return Number(text);
}

const usual = usualPlan(100_000);

const command = describeCommand({
  usage: "npm run capacity --",
  summary: `Computes what a store of a size needs: processors, disk, log and the length of the nightly jobs, and what limits it first, if all members
are below one root. The costs are measured (scripts/scale/capacity/measured.json, by npm run bench -- capacity --capacity) and fitted as functions of the size.`,
  notes: `Example: npm run capacity -- --members 100000000 --orders-per-day 1000000

Exit status: 0 if the store fits one server of the given limits, 1 if it does not, 2 if nothing could be computed.`,
})
  .option("--members <n>", "members", wholeNumber(most), usual.members)
  .option("--orders-per-day <n>", "paid orders with queue goods on a day (default: 1 % of the members)", count)
  .option("--members-with-points <n>", "members with frozen points, who get a release each day (default: all)", count)
  .option("--peak <x>", "orders of the busiest second, as a multiple of the mean", numberBetween(1, 1000), usual.peak)
  .option("--depth <x>", "mean number of ancestors (default: that of a random tree)", numberBetween(0, 100_000))
  .option(
    "--hottest-share <x>",
    "largest share of the orders that write the row of one member; 1 is a root that every order pays or counts for",
    numberBetween(0, 1),
    usual.hottestShare,
  )
  .option("--months <n>", "months of the bill and the release log", wholeNumber(1200), usual.months)
  .option("--compacted-months <n>", "of these, months whose releases are compacted", count, usual.compactedMonths)
  .option("--hours <x>", "hours in which each nightly job has to end", numberBetween(0.1, 24), usual.nightHours)
  .option(
    "--night-sessions <n>",
    "sessions of each nightly job (setting night_sessions)",
    wholeNumber(8),
    usual.nightSessions,
  )
  .option(
    "--checkpoint <x>",
    "minutes between two checkpoints of the server",
    numberBetween(0.5, 1440),
    usual.checkpointMinutes,
  )
  .option("--load <x>", "share of the processors that may be in use at the peak", numberBetween(0.05, 1), usual.load)
  .option("--cores <n>", "processors of the largest server that you would use", wholeNumber(10_000), usual.cores)
  .option("--disk <x>", "terabytes of its disk", numberBetween(0.01, 100_000), usual.diskTerabytes)
  .option("--disk-speed <x>", "megabytes per second that its disk writes", numberBetween(1, 1_000_000), usual.diskSpeed)
  .option("--json", "print the result as JSON");

interface Options {
  members: number;
  ordersPerDay?: number;
  membersWithPoints?: number;
  peak: number;
  depth?: number;
  hottestShare: number;
  months: number;
  compactedMonths: number;
  hours: number;
  nightSessions: number;
  checkpoint: number;
  load: number;
  cores: number;
  disk: number;
  diskSpeed: number;
  json?: boolean;
}

function planOf({
  members,
  ordersPerDay,
  membersWithPoints = members,
  peak,
  depth,
  hottestShare,
  months,
  compactedMonths,
  hours,
  nightSessions,
  checkpoint,
  load,
  cores,
  disk,
  diskSpeed,
}: Options): Plan {
  if (membersWithPoints > members)
    throw new Problem(
      "There are more members with points than members.",
      "Give --members-with-points a number of at most --members.",
    );
  if (compactedMonths > months)
    throw new Problem(
      "There are more compacted months than months.",
      "Give --compacted-months a number of at most --months.",
    );
  if (depth !== undefined && depth >= members)
    throw new Problem("No member has as many ancestors as the store has members.", "Give --depth a smaller number.");
  return {
    members,
    ordersPerDay: ordersPerDay ?? usualPlan(members).ordersPerDay,
    membersWithPoints,
    peak,
    depth,
    hottestShare,
    months,
    compactedMonths,
    nightHours: hours,
    nightSessions,
    checkpointMinutes: checkpoint,
    load,
    cores,
    diskTerabytes: disk,
    diskSpeed,
  };
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const three = (value: number) => (value >= 1000 ? whole.format(value) : String(Number(value.toPrecision(3))));
const scaled = (value: number, units: [string, number][]) => {
  const [name, size] = units.find(([, least]) => value >= least) ?? units.at(-1)!;
  return `${three(value / size)} ${name}`;
};
const bytes = (value: number) =>
  scaled(value, [
    ["TB", 1e12],
    ["GB", 1e9],
    ["MB", 1e6],
    ["kB", 1e3],
  ]);
const seconds = (value: number) =>
  scaled(value, [
    ["h", 3600],
    ["min", 60],
    ["s", 1],
  ]);
const percent = (value: number) =>
  `${value >= 0.1 ? whole.format(value * 100) : Number((value * 100).toPrecision(2))} %`;

/** The largest measured size, and how far a model that has not seen it is away from it. */
function checkLargest(measured: Measured) {
  const largest = measured.stores.at(-1)!;
  const checks = checkModel(fitWithout(measured, largest.members), largest, measured);
  const worst = checks.reduce((most, check) => (Math.abs(check.deviation) > Math.abs(most.deviation) ? check : most));
  return { members: largest.members, worst };
}

function print(plan: Plan, result: Capacity, measured: Measured): void {
  const { machine } = measured;
  const { members: size, worst } = checkLargest(measured);
  const ofSessions =
    plan.nightSessions === 1
      ? "processor time of its session"
      : `processor time of each of its ${plan.nightSessions} sessions`;
  console.log(
    `\n${whole.format(plan.members)} members below one root, ${whole.format(plan.ordersPerDay)} orders a day, ${whole.format(plan.membersWithPoints)} members with frozen points\n`,
  );
  printTable(
    ["", "needs", ""],
    [
      ["orders", `${three(result.ordersPerSecond)}/s`, `${three(result.ordersPerSecond * plan.peak)}/s at the peak`],
      [
        "processors for the orders",
        three(result.cores.orders),
        `at the peak, ${percent(plan.load)} in use; placed ${three(result.order.place / 1000)} ms, paid ${three(result.order.pay / 1000)}, settled ${three(result.order.settle / 1000)}, teams ${three(result.order.team / 1000)}`,
      ],
      ["processors of the server", whole.format(result.cores.recommended), "without those for reads"],
      [
        "disk",
        bytes(result.disk.total),
        `after ${plan.months} months: members ${bytes(result.disk.members)}, orders ${bytes(result.disk.orders)}, their bill ${bytes(result.disk.bill)}, events ${bytes(result.disk.events)}, releases ${bytes(result.disk.releases)}`,
      ],
      [
        "log",
        `${bytes(result.log.total)} a day`,
        `orders ${bytes(result.log.orders)}, releases ${bytes(result.log.releases)}; at most ${bytes(result.log.peak)}/s`,
      ],
      ["daily release", seconds(result.jobs.release), ofSessions],
      ["nightly reconciliation", seconds(result.jobs.reconcile), `${ofSessions}; months are closed`],
      ["sums of the teams", percent(result.jobs.team), "of one session at the peak"],
    ].map(([name, value, note]) => [name!, value!, note!]),
  );
  console.log("\nWhat limits it first\n");
  printTable(
    ["", "share", ""],
    result.limits.map(({ name, share, remedy }) => [name, percent(share), share > 1 ? remedy : ""]),
  );
  console.log(`
Assumptions: ${percent(plan.hottestShare)} of the orders write the row of one member; ${plan.depth === undefined ? "a random tree" : `${plan.depth} ancestors`}; a checkpoint every ${plan.checkpointMinutes} minutes; a server
with at most ${plan.cores} processors, ${plan.diskTerabytes} TB and ${plan.diskSpeed} MB/s; ${plan.nightHours} hours for each nightly job. Processors are those of the measured machine.
Not included: reads and edge functions, accounts of Auth, payment attempts, withdrawals, files of the log and of backups, and reading from a
disk what does not fit in memory.
Measured on ${measured.date} (${machine.processor}, ${machine.cores} cores, ${machine.memory_gb} GB, Postgres ${machine.postgres}) with ${measured.stores.map(({ members }) => whole.format(members)).join(", ")} members.
Fitted without ${whole.format(size)} members, the model differs from what was measured there by at most ${percent(Math.abs(worst.deviation))} (${worst.quantity}).`);
}

function capacity(options: Options): number {
  const plan = planOf(options);
  const measured = readMeasured();
  const result = capacityOf(fitModel(measured), plan);
  const fits = result.limits.every(({ share }) => share <= 1);
  if (options.json)
    console.log(
      JSON.stringify({ plan, result, fits, measured: measured.date, check: checkLargest(measured) }, null, 2),
    );
  else print(plan, result, measured);
  return fits ? 0 : 1;
}

await runCommandLine(command, capacity, 2);

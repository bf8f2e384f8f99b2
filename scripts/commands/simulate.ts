import { existsSync, readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";
import { bar, step } from "../ground/progress.ts";

/** Parses an option whose value is JSON or the name of a JSON file. */
function json(text: string): object {
  try {
    return JSON.parse(existsSync(text) ? readFileSync(text, "utf8") : text) as object;
  } catch {
    throw new InvalidArgumentError("It is neither JSON nor a JSON file. Put JSON in single quotes.");
  }
}

const command = describeCommand({
  usage: "npm run simulate --",
  summary: `Replays the orders of a past period under a draft plan or draft levels, with the store's own functions, and shows what would have been
paid beside what was paid. It changes nothing and blocks no payment or settlement.`,
  notes: `Example: npm run simulate -- --plan '{"people_per_cycle": 2, "tier_ratios": [0.1, 0.2]}'

DATABASE_URL   the database to work on (default: the running local stack)

Exit status: 0 simulated, 2 the simulation failed.`,
})
  .option("--plan <json>", "settings that differ from the plan in force, as JSON or a JSON file", json)
  .option("--levels <json>", "all level settings, as JSON or a JSON file", json)
  .option("--days <n>", "replay the last n business days, including today", wholeNumber(10_000), 30)
  .option("--max <n>", "replay at most n orders", wholeNumber(9_999_999), 20_000)
  .option("--top <n>", "show the n members who would have earned most", wholeNumber(9_999_999), 20)
  .option("--json", "print the report as JSON");

interface Options {
  plan?: object;
  levels?: object;
  days: number;
  max: number;
  top: number;
  json?: boolean;
}

interface Side {
  commission: string;
  points: number;
  payout_share: number | null;
  highest_order: { order_id: number; commission: string } | null;
}

interface Report {
  orders: number;
  revenue: string;
  totals: { paid?: Side; simulated?: Side };
  depths: { depth: number | null; commission: string; points: number; paid_commission: string; paid_points: number }[];
  members: {
    uid: number;
    nickname: string;
    commission: string;
    points: number;
    paid_commission: string;
    paid_points: number;
  }[];
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
const cents = new Intl.NumberFormat("en", { minimumFractionDigits: 2 });
const count = (value: number) => whole.format(value);
// Formatted from a string, so that no amount is converted to a floating-point number.
const money = (value: string) => cents.format(value as Intl.StringNumericLiteral);
const share = (side: Side | undefined) =>
  side?.payout_share == null ? "" : `${(side.payout_share * 100).toFixed(2)} %`;
const highest = (side: Side | undefined) =>
  side?.highest_order ? `${money(side.highest_order.commission)} (${side.highest_order.order_id})` : "";

function printReport({ orders, revenue, totals: { paid, simulated }, depths, members }: Report): void {
  console.log(`\n${count(orders)} orders with queue goods, revenue ${money(revenue)}\n`);
  printTable(
    ["", "paid", "simulated"],
    [
      ["commission", money(paid?.commission ?? "0"), money(simulated?.commission ?? "0")],
      ["share of revenue", share(paid), share(simulated)],
      ["points", count(paid?.points ?? 0), count(simulated?.points ?? 0)],
      ["highest single order", highest(paid), highest(simulated)],
    ],
    1,
  );
  console.log("");
  printTable(
    ["depth", "commission", "was paid", "points", "were given"],
    depths.map(({ depth, commission, paid_commission, points, paid_points }) => [
      depth === null ? "no longer below" : String(depth),
      money(commission),
      money(paid_commission),
      count(points),
      count(paid_points),
    ]),
    1,
  );
  console.log("");
  printTable(
    ["uid", "member", "commission", "was paid", "points", "were given"],
    members.map((member) => [
      String(member.uid),
      member.nickname,
      money(member.commission),
      money(member.paid_commission),
      count(member.points),
      count(member.paid_points),
    ]),
    2,
  );
}

async function simulate({ plan, levels, days, max, top, json: asJson }: Options): Promise<void> {
  const replay = (show: (text: string) => void) =>
    withDatabase(
      async (sql) => {
        // The same business days as the overview of the console.
        const [row] = await sql`
          select app.simulate(${sql.json((plan ?? null) as never)}, ${sql.json((levels ?? null) as never)},
            (app.business_day(now()) - ${days - 1}::integer)::timestamp at time zone s.time_zone, now(), ${max}, ${top}) as report
          from app.settings as s`;
        return row?.report as Report;
      },
      (notice) => {
        const [, done, total] = notice.match(/^replayed (\d+) of (\d+)$/) ?? [];
        if (total) show(bar(Number(done), Number(total), "orders"));
      },
    );
  const report = asJson ? await replay(() => undefined) : await step("Replaying the orders", replay);
  if (asJson) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
}

await runCommandLine(command, simulate, 2);

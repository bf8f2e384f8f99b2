import { existsSync, readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { withDatabase } from "../console/database.ts";
import { printTable } from "../console/table.ts";
import { Problem, printError } from "../stack/problem.ts";
import { bar, step } from "../stack/progress.ts";

const help = `npm run simulate -- [options]

Replays the real orders of a past period under a draft plan or draft levels, with the store's own functions, and shows
what would have been paid beside what was. Nothing is changed, and no payment or settlement waits for it.

  --plan JSON     settings that differ from the plan in force, or a file that holds them
                  e.g. '{"people_per_cycle": 2, "tier_ratios": [0.1, 0.2]}'
  --levels JSON   the level settings as a whole, or a file that holds them
  --days N        the last N days (30)
  --max N         replay at most N orders (20000)
  --top N         show the N members who would have earned most (20)
  --json          print the report as JSON
  --help          show this

  DATABASE_URL   the database to work on (default: the running local stack)`;

interface Side {
  commission: string;
  points: number;
  payout_share: number | null;
  highest_order: { order_id: number; commission: string };
}

interface Report {
  orders: number;
  revenue: string;
  totals: { paid?: Side; simulated?: Side };
  members: { uid: number; nickname: string; commission: string; points: number; paid_commission: string; paid_points: number }[];
}

/** @throws Problem when it is no JSON, or no whole number for a count */
function readJson(option: string, text: string | undefined): object | null {
  if (text === undefined) return null;
  try {
    return JSON.parse(existsSync(text) ? readFileSync(text, "utf8") : text);
  } catch {
    throw new Problem(`--${option} is neither JSON nor a file that holds JSON.`, "Put the JSON in single quotes; --help shows an example.");
  }
}

function readCount(option: string, text: string): number {
  if (!/^[1-9]\d{0,6}$/.test(text)) throw new Problem(`--${option} must be a whole number above 0.`, "See --help.");
  return Number(text);
}

const share = (side: Side | undefined) => (side?.payout_share == null ? "" : `${(side.payout_share * 100).toFixed(2)} %`);

function printReport({ orders, revenue, totals: { paid, simulated }, members }: Report): void {
  console.log(`\n${orders} orders with queue goods, revenue ${revenue}\n`);
  printTable(
    ["", "paid", "simulated"],
    [
      ["commission", paid?.commission ?? "0.00", simulated?.commission ?? "0.00"],
      ["share of revenue", share(paid), share(simulated)],
      ["points", String(paid?.points ?? 0), String(simulated?.points ?? 0)],
      ["highest single order", paid ? `${paid.highest_order.commission} (${paid.highest_order.order_id})` : "", simulated ? `${simulated.highest_order.commission} (${simulated.highest_order.order_id})` : ""],
    ],
    1,
  );
  console.log("");
  printTable(
    ["uid", "member", "commission", "was paid", "points", "were given"],
    members.map((member) => [String(member.uid), member.nickname, member.commission, member.paid_commission, String(member.points), String(member.paid_points)]),
    2,
  );
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      plan: { type: "string" }, levels: { type: "string" }, days: { type: "string", default: "30" }, max: { type: "string", default: "20000" },
      top: { type: "string", default: "20" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(help);
    return 0;
  }
  const plan = readJson("plan", values.plan);
  const levels = readJson("levels", values.levels);
  const [days, max, top] = [readCount("days", values.days), readCount("max", values.max), readCount("top", values.top)];

  const replay = (show: (text: string) => void) =>
    withDatabase(
      async (sql) => {
        const [row] = await sql`
          select app.simulate(${sql.json(plan as never)}, ${sql.json(levels as never)}, now() - ${days} * interval '1 day', now(), ${max}, ${top}) as report`;
        return row?.report as Report;
      },
      (notice) => {
        const [, done, total] = notice.match(/^replayed (\d+) of (\d+)$/) ?? [];
        if (total) show(bar(Number(done), Number(total), "orders"));
      },
    );
  const report = values.json ? await replay(() => undefined) : await step("Replaying the orders", replay);
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else printReport(report);
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  printError(error);
  return 2;
});

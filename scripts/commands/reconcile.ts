import { describeCommand, runCommandLine, wholeNumber } from "../command_line/command_line.ts";
import { withDatabase } from "../command_line/database.ts";
import { printTable } from "../command_line/table.ts";

const command = describeCommand({
  usage: "npm run reconcile --",
  summary:
    "Recomputes every balance, count, place, release and refund from its records and reports differences. Read-only, except with --adjust.",
  notes: `Before batches were stored, orders could be settled together and out of the sequence of their payments. --sequence lists these orders, and for
each member what was paid too little or, with a minus, too much. It replays everything since the first of them. What was booked stays as it is.

DATABASE_URL   the database to reconcile (default: the running local stack)

Exit status: 0 no differences, 1 differences found, 2 reconciliation failed.`,
})
  .option("--sequence", "list what was settled out of the sequence of payments, instead of all other checks")
  .option("--adjust", "with --sequence: adjust the balances of the members by the differences")
  .option("--max <n>", "with --sequence: replay at most n orders (default: 20000)", wholeNumber(9_999_999))
  .option("--json", "print the findings as JSON");

interface Options {
  sequence?: boolean;
  adjust?: boolean;
  max?: number;
  json?: boolean;
}

interface Finding {
  check_name: string;
  subject: string;
  expected: string;
  actual: string;
}

interface Sequence {
  orders: { order_id: string; settled_at: string; position: string; paid_position: string }[];
  members: { uid: string; nickname: string; commission: string; points: string }[];
  adjustments: { id: string; uid: string; state: string }[];
}

async function reconcile(json: boolean): Promise<number> {
  const findings = await withDatabase(async (sql) => [...(await sql<Finding[]>`select * from app.reconcile()`)]);
  if (json) console.log(JSON.stringify(findings, null, 2));
  else if (findings.length === 0)
    console.log("Every balance equals its bill, every count its orders, every release its log.");
  else
    printTable(
      ["check", "subject", "expected", "actual"],
      findings.map((finding) => [finding.check_name, finding.subject, finding.expected, finding.actual]),
    );
  return findings.length === 0 ? 0 : 1;
}

async function checkSequence({ adjust = false, max = 20_000, json = false }: Options): Promise<number> {
  const found = await withDatabase(async (sql): Promise<Sequence> => ({
    orders: [
      ...(await sql<
        Sequence["orders"]
      >`select p.order_id, app.utc(p.settled_at) as settled_at, p.position, p.paid_position from app.paid_positions() as p order by p.position`),
    ],
    members: [
      ...(await sql<
        Sequence["members"]
      >`select d.uid, d.nickname, d.commission, trim_scale(d.points) as points from app.sequence_differences(${max}) as d`),
    ],
    adjustments: adjust
      ? [...(await sql<Sequence["adjustments"]>`select a.id, a.uid, a.state from app.adjust_sequence(${max}) as a`)]
      : [],
  }));
  if (json) console.log(JSON.stringify(found, null, 2));
  else if (found.orders.length === 0) console.log("All orders were settled in the sequence of their payments.");
  else {
    printTable(
      ["order", "settled", "position", "by payment"],
      found.orders.map((order) => [order.order_id, order.settled_at, order.position, order.paid_position]),
      2,
    );
    console.log(found.members.length === 0 ? "\nNobody is paid otherwise, or it is adjusted already." : "");
    if (found.members.length > 0)
      printTable(
        ["uid", "member", "commission", "points"],
        found.members.map((member) => [member.uid, member.nickname, member.commission, member.points]),
        2,
      );
    if (adjust)
      for (const { id, uid, state } of found.adjustments) console.log(`Adjustment ${id} of member ${uid}: ${state}`);
    else if (found.members.length > 0)
      console.log("\nRun the command with --adjust to adjust the balances by these amounts.");
  }
  return found.members.length === 0 || adjust ? 0 : 1;
}

await runCommandLine(
  command,
  (options: Options) => {
    if (options.adjust && !options.sequence) command.error("--adjust needs --sequence.");
    if (options.max !== undefined && !options.sequence) command.error("--max needs --sequence.");
    return options.sequence ? checkSequence(options) : reconcile(options.json ?? false);
  },
  2,
);

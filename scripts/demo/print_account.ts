import type postgres from "postgres";
import { printTable } from "../command_line/table.ts";
import { openConnection } from "../ground/open_connection.ts";

type Row = Record<string, string | number | null>;

const number = new Intl.NumberFormat("en", { maximumFractionDigits: 4 });
const money = new Intl.NumberFormat("en", { minimumFractionDigits: 2 });

async function printSums(sql: postgres.Sql): Promise<void> {
  const [sums] = await sql<Row[]>`
    select
      (select count(*) from app.users) as members,
      (select count(*) from app.orders) as orders,
      (select count(*) from app.orders where paid_at is not null) as paid,
      (select count(*) from app.orders where paid_at is not null and has_queue_goods) as queue,
      (select coalesce(sum(pay_price), 0) from app.orders where paid_at is not null) as revenue,
      (select coalesce(sum(total_brokerage), 0) from app.user_balances) as commission,
      (select coalesce(sum(total_points_earned), 0) from app.user_balances) as earned,
      (select coalesce(sum(release_points), 0) from app.releases('-infinity', 'infinity')) as released,
      (select coalesce(sum(frozen_points), 0) from app.user_balances) as frozen,
      (select coalesce(sum(available_points), 0) from app.user_balances) as available,
      (select count(*) from app.release_runs where finished_at is not null) as days`;
  const line = (name: string, value: string) => console.log(`  ${name.padEnd(18)}${value}`);
  line("Members", number.format(Number(sums?.members)));
  line(
    "Orders",
    `${number.format(Number(sums?.orders))}, of which ${number.format(Number(sums?.paid))} paid, ${number.format(Number(sums?.queue))} of them with queue goods`,
  );
  line("Revenue", money.format(Number(sums?.revenue)));
  line("Commission paid", money.format(Number(sums?.commission)));
  line(
    "Points granted",
    `${number.format(Number(sums?.earned))} after refunds; now ${number.format(Number(sums?.frozen))} are frozen and ${number.format(Number(sums?.available))} available`,
  );
  line("Points released", `${number.format(Number(sums?.released))} in ${sums?.days} daily releases`);
}

async function printEarners(sql: postgres.Sql): Promise<void> {
  const rows = await sql<Row[]>`
    select u.uid, u.nickname, l.name, b.total_brokerage, b.total_points_earned, b.available_points
    from app.user_balances as b
    join app.users as u on u.uid = b.uid
    join app.agent_levels as l on l.grade = u.agent_level
    order by b.total_brokerage desc, b.uid limit 5`;
  console.log("\nWho earned most");
  printTable(
    ["uid", "member", "level", "commission", "points granted", "available"],
    rows.map((row) => [
      String(row.uid),
      String(row.nickname),
      String(row.name),
      money.format(Number(row.total_brokerage)),
      number.format(Number(row.total_points_earned)),
      number.format(Number(row.available_points)),
    ]),
    3,
  );
}

/**
 * Prints the first orders of one referrer, including the beginning of a new cycle, so that base x ratio can be checked
 * by hand.
 */
async function printCycle(sql: postgres.Sql): Promise<void> {
  const rows = await sql<Row[]>`
    with one as (
      select s.earner_uid as uid from app.settlements as s
      where s.earner_uid is not null and s.place_freed_at is null
      group by s.earner_uid having count(*) >= 4 order by s.earner_uid limit 1
    )
    select s.earner_uid, s.order_id, s.uid, s.cycle_no, s.place, s.base, trim_scale(s.ratio) as ratio, s.commission
    from app.settlements as s join one on one.uid = s.earner_uid
    where s.place_freed_at is null
    order by s.cycle_no, s.place limit 4`;
  if (rows.length === 0) return;
  console.log(`\nThe first cycle of member ${rows[0]?.earner_uid}, and how it begins again`);
  printTable(
    ["order", "buyer", "cycle", "place", "base", "x ratio", "= commission"],
    rows.map((row) => [
      String(row.order_id),
      String(row.uid),
      String(row.cycle_no),
      String(row.place),
      money.format(Number(row.base)),
      String(row.ratio),
      money.format(Number(row.commission)),
    ]),
    0,
  );
}

async function printReconciliation(sql: postgres.Sql): Promise<void> {
  const findings = await sql<Row[]>`select * from app.reconcile() limit 20`;
  if (findings.length === 0) {
    console.log("\nreconcile(): every balance equals its bill, every count its orders, every release its log.");
    return;
  }
  console.log("\nreconcile() found differences (all of them: select * from app.reconcile()):");
  printTable(
    ["check", "subject", "expected", "actual"],
    findings.map((row) => [String(row.check_name), String(row.subject), String(row.expected), String(row.actual)]),
    4,
  );
}

/** Prints a summary of the store: orders, payments, points, releases, and the result of the reconciliation. */
export async function printAccount(databaseUrl: string): Promise<void> {
  const sql = openConnection(databaseUrl, { max: 1 });
  try {
    console.log("\nThe store so far");
    await printSums(sql);
    await printEarners(sql);
    await printCycle(sql);
    await printReconciliation(sql);
  } finally {
    await sql.end();
  }
}

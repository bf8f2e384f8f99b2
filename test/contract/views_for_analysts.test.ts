import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { PERSONAL } from "../support/personal_columns.ts";

/**
 * The views with their columns, which tools outside the store depend on. A line may be added at the end of a view; none
 * may change.
 */
const VIEWS: Record<string, string[]> = {
  bill: [
    "bill_id bigint",
    "uid bigint",
    "type text",
    "source text",
    "order_id bigint",
    "withdrawal_id bigint",
    "commission numeric(14,2)",
    "frozen_points numeric(18,4)",
    "available_points numeric(18,4)",
    "basis numeric(18,4)",
    "rate numeric(18,5)",
    "level smallint",
    "reverses_bill_id bigint",
    "booked_at timestamp with time zone",
    "booked_day date",
  ],
  commissions: [
    "bill_id bigint",
    "uid bigint",
    "order_id bigint",
    "type text",
    "commission numeric(14,2)",
    "basis numeric(18,4)",
    "rate numeric(18,5)",
    "reverses_bill_id bigint",
    "booked_at timestamp with time zone",
    "booked_day date",
  ],
  days: [
    "day date",
    "orders integer",
    "queue_orders integer",
    "paid numeric(16,2)",
    "refunded numeric(16,2)",
    "queue_revenue numeric(16,2)",
    "commission numeric(16,2)",
    "points_frozen numeric(20,4)",
    "members integer",
  ],
  members: [
    "uid bigint",
    "referrer_uid bigint",
    "level smallint",
    "level_name text",
    "level_is_held boolean",
    "no_assess boolean",
    "joined_at timestamp with time zone",
    "joined_day date",
    "commission_balance numeric(14,2)",
    "frozen_points numeric(18,4)",
    "available_points numeric(18,4)",
    "commission_earned numeric(14,2)",
    "points_earned numeric(18,4)",
    "left_at timestamp with time zone",
    "commission_held numeric(14,2)",
  ],
  months: [
    "month date",
    "begins_at timestamp with time zone",
    "ends_at timestamp with time zone",
    "closed_at timestamp with time zone",
    "sums jsonb",
  ],
  order_lines: [
    "line_id bigint",
    "order_id bigint",
    "product_id bigint",
    "title text",
    "price numeric(14,2)",
    "quantity integer",
    "discount numeric(14,2)",
    "paid_by_points numeric(14,2)",
    "points numeric(18,4)",
    "paid numeric(14,2)",
    "is_queue_goods boolean",
    "refunded_quantity integer",
    "conceded numeric(14,2)",
  ],
  orders: [
    "order_id bigint",
    "order_no text",
    "uid bigint",
    "referrer_uid bigint",
    "state text",
    "placed_at timestamp with time zone",
    "paid_at timestamp with time zone",
    "paid_day date",
    "shipped_at timestamp with time zone",
    "received_at timestamp with time zone",
    "cancelled_at timestamp with time zone",
    "is_expired boolean",
    "total_price numeric(14,2)",
    "discount numeric(14,2)",
    "freight numeric(14,2)",
    "paid_by_points numeric(14,2)",
    "points_spent numeric(18,4)",
    "pay_price numeric(14,2)",
    "refunded numeric(14,2)",
    "pay_type text",
    "has_queue_goods boolean",
    "queue_base numeric(14,2)",
    "queue_units integer",
    "plan_version integer",
    "is_imported boolean",
  ],
  payments: [
    "payment_id bigint",
    "order_id bigint",
    "provider text",
    "method text",
    "state text",
    "amount numeric(14,2)",
    "began_at timestamp with time zone",
    "ended_at timestamp with time zone",
  ],
  points_by_day: [
    "day date",
    "type text",
    "source text",
    "bill_rows bigint",
    "frozen_points numeric",
    "available_points numeric",
  ],
  products: [
    "product_id bigint",
    "title text",
    "price numeric(14,2)",
    "freight numeric(14,2)",
    "is_queue_goods boolean",
    "is_on_sale boolean",
    "is_deleted boolean",
    "stock bigint",
    "category_id bigint",
    "category text",
    "added_at timestamp with time zone",
  ],
  refunds: [
    "refund_id bigint",
    "order_id bigint",
    "state text",
    "amount numeric(14,2)",
    "points numeric(18,4)",
    "requested_at timestamp with time zone",
    "decided_at timestamp with time zone",
    "decided_day date",
    "units_asked integer",
    "units integer",
    "freight numeric(14,2)",
  ],
  releases: [
    "day date",
    "members integer",
    "points numeric(18,4)",
    "started_at timestamp with time zone",
    "finished_at timestamp with time zone",
  ],
  withdrawals: [
    "withdrawal_id bigint",
    "withdrawal_no text",
    "uid bigint",
    "method text",
    "amount numeric(14,2)",
    "fee numeric(14,2)",
    "tax numeric(14,2)",
    "state text",
    "batch_id bigint",
    "requested_at timestamp with time zone",
    "approved_at timestamp with time zone",
    "ended_at timestamp with time zone",
    "ended_day date",
    "held_accepted numeric(14,2)",
  ],
};

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
afterAll(async () => {
  await sql.end();
  await clone.drop();
});

describe("the views for analysts", () => {
  // Guarantee privacy/analysts-read: Analysts read no personal data and no table, and the columns that they read stay
  // By: views of the owner for one role, sql/16_insight/views_for_analysts.sql (decision 0143)
  it("have the columns that are documented here", async () => {
    const rows = await sql<{ view: string; columns: string[] }[]>`
      select c.relname::text as view, array_agg(format('%s %s', a.attname, format_type(a.atttypid, a.atttypmod)) order by a.attnum) as columns
      from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'report'::regnamespace group by c.relname`;
    expect(Object.fromEntries(rows.map(({ view, columns }) => [view, columns]))).toEqual(VIEWS);
  });

  it("say what each of them and each column is", async () => {
    const silent = await sql`
      select c.relname, a.attname from pg_class as c join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0
      where c.relnamespace = 'report'::regnamespace and (obj_description(c.oid, 'pg_class') is null or col_description(c.oid, a.attnum) is null)`;
    expect([...silent]).toEqual([]);
  });

  // Guarantee privacy/analysts-read
  it("show no column with personal data", async () => {
    const read = await sql<{ column: string }[]>`
      select distinct format('%s.%s', a.attrelid::regclass, a.attname) as column
      from pg_rewrite as r join pg_class as c on c.oid = r.ev_class
      join pg_depend as d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass and d.refobjsubid > 0
      join pg_attribute as a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
      where c.relnamespace = 'report'::regnamespace and d.refobjid <> c.oid`;
    const columns = read.map(({ column }) => column);
    expect(columns).toContain("app.users.spread_uid");
    expect(columns.filter((column) => PERSONAL.includes(column))).toEqual([]);
    // A whole row would have every column, and is no dependency on any. Runs of releases have nothing personal.
    const [whole] = await sql`
      select count(*) as count from pg_views
      where schemaname = 'report' and replace(definition, 'report.releases_of_run(c.*)', '') ~* 'to_json|row_to_json|hstore|[.][*]'`;
    expect(Number(whole!.count)).toBe(0);
  });
});

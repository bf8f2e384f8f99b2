import type postgres from "postgres";
import { CAUSELESS, UNTOLD } from "./events.ts";
import type { Acknowledged, Kind } from "./workload.ts";

/** For each kind of write, what must be in the database. `a` is a row of what was acknowledged. */
const EFFECTS: Record<Kind, string> = {
  sign_up: "select from app.users as u where u.uid = a.id and u.spread_uid is not distinct from a.uid",
  order:
    "select from app.orders as o where o.id = a.id and o.remark = a.key and o.uid = a.uid and o.pay_price = a.amount",
  cancel: "select from app.orders as o where o.id = a.id and o.state = 'cancelled'",
  pay_offline: "select from app.orders as o where o.id = a.id and o.pay_type = 'offline' and o.pay_ref = a.key",
  pay_provider:
    "select from app.orders as o join app.payment_attempts as p on p.order_id = o.id where o.id = a.id and o.paid_at is not null and p.attempt_no = a.key and p.state = 'paid'",
  deliver:
    "select from app.orders as o where o.id = a.id and o.state in ('delivered', 'received') and exists (select from app.parcels as p where p.order_id = o.id)",
  receive: "select from app.orders as o where o.id = a.id and o.state = 'received'",
  request_refund: "select from app.refunds as r where r.id = a.id and r.reason = a.key",
  refuse_refund: "select from app.refunds as r where r.id = a.id and r.state = 'refused'",
  refund: "select from app.refunds as r where r.id = a.id and r.refund_ref = a.key and app.is_paid_back(r.state)",
  account: "select from app.payout_accounts as p where p.id = a.id and p.uid = a.uid",
  withdraw: "select from app.withdrawals as w where w.id = a.id and w.uid = a.uid and w.amount = a.amount",
  approve: "select from app.withdrawals as w where w.id = a.id and w.state in ('approved', 'paying', 'paid')",
  paid: "select from app.withdrawals as w where w.id = a.id and w.state = 'paid'",
  refuse: "select from app.withdrawals as w where w.id = a.id and w.state = 'refused'",
  adjust:
    "select from app.adjustments as d where d.id = a.id and d.uid = a.uid and d.reason = a.key and d.brokerage_delta = a.amount",
  approve_adjustment: "select from app.adjustments as d where d.id = a.id and d.state = 'booked'",
  refuse_adjustment: "select from app.adjustments as d where d.id = a.id and d.state = 'refused'",
  plan: "select from app.commission_plans as p where p.version = a.id",
};

/** Effects that a request can have twice, or without a response that says so. Each query returns one text for each. */
const DOUBLES = [
  "select 'order ' || o.id from app.orders as o where o.remark <> '' and not exists (select from acknowledged as a where a.kind = 'order' and a.id = o.id)",
  "select 'refund ' || r.id from app.refunds as r where r.refund_ref is not null and not exists (select from acknowledged as a where a.kind = 'refund' and a.id = r.id)",
  "select 'refund request ' || r.id from app.refunds as r where r.decided_position is distinct from r.position and not exists (select from acknowledged as a where a.kind = 'request_refund' and a.id = r.id)",
  "select 'withdrawal ' || w.id from app.withdrawals as w where not exists (select from acknowledged as a where a.kind = 'withdraw' and a.id = w.id)",
  "select 'adjustment ' || d.id from app.adjustments as d where not exists (select from acknowledged as a where a.kind = 'adjust' and a.id = d.id)",
  "select 'bill of adjustment ' || b.adjustment_id from app.user_bill as b where b.adjustment_id is not null group by b.adjustment_id having count(*) > 1",
  "select 'plan ' || p.version from app.commission_plans as p where p.created_by is not null and not exists (select from acknowledged as a where a.kind = 'plan' and a.id = p.version)",
  "select 'settlement of order ' || s.order_id from app.settlements as s group by s.order_id having count(*) > 1",
  "select 'parcel of order ' || p.order_id from app.parcels as p group by p.order_id having count(*) > 1",
  "select 'commission of order ' || b.order_id from app.user_bill as b where b.type = 'brokerage' group by b.order_id having count(*) > 1",
  "select 'points of order ' || b.order_id || ' for ' || b.uid || ' from ' || b.source from app.user_bill as b where b.type = 'frozen_points_brokerage' group by b.order_id, b.uid, b.source having count(*) > 1",
  "select 'release of ' || l.uid || ' on ' || l.release_date from app.points_release_log as l group by l.uid, l.release_date having count(*) > 1",
  `select 'bill of the releases of ' || uid from (
    select b.uid, 1 as bill, 0 as log from app.user_bill as b where b.type = 'frozen_points_release' union all select l.uid, 0, 1 from app.points_release_log as l
  ) as r group by uid having sum(bill) <> sum(log)`,
];

/** What the final state lacks although it was acknowledged or is due. */
const MISSING = [
  `select 'settlement of order ' || o.id from app.orders as o join app.commission_plans as p on p.version = o.plan_version
    where o.has_queue_goods and (p.brokerage_timing = 'on_pay' or o.received_at is not null) and not exists (select from app.settlements as s where s.order_id = o.id)`,
  "select 'release of ' || r.release_date from app.release_runs as r where r.finished_at is null",
  `select 'release of ' || d.day::date from (select min(r.release_date) as first from app.release_runs as r) as f,
    generate_series(f.first, app.business_day(now()), interval '1 day') as d (day) where not exists (select from app.release_runs as r where r.release_date = d.day::date)`,
];

export interface Result {
  lost: string[];
  double: string[];
}

/** Compares what was acknowledged with the final state of the store. */
export async function compareAcknowledged(sql: postgres.Sql, acknowledged: Acknowledged[]): Promise<Result> {
  await sql`create temporary table acknowledged (kind text, key text, id bigint, uid bigint, amount numeric)`;
  await sql`insert into acknowledged select r.* from jsonb_to_recordset(${sql.json(acknowledged as never)}) as r (kind text, key text, id bigint, uid bigint, amount numeric)`;
  await sql`create index on acknowledged (kind, id)`;
  const texts = async (query: string) => (await sql.unsafe(query)).map((row) => String(Object.values(row)[0]));
  const lost: string[] = [];
  for (const [kind, effect] of Object.entries(EFFECTS)) {
    lost.push(
      ...(await texts(
        `select a.kind || ' ' || a.key || ' ' || a.id from acknowledged as a where a.kind = '${kind}' and not exists (${effect})`,
      )),
    );
  }
  for (const query of [...MISSING, ...UNTOLD]) lost.push(...(await texts(query)));
  const double: string[] = [];
  for (const query of [...DOUBLES, ...CAUSELESS]) double.push(...(await texts(query)));
  await sql`drop table acknowledged`;
  return { lost, double };
}

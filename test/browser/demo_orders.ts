import type postgres from "postgres";

/** A paid order of one unit of queue goods whose buyer's referrer earns a commission on it. */
export async function commissionedOrder(sql: postgres.Sql) {
  const [row] = await sql`
    select s.order_id, s.earner_uid, s.commission, s.place, s.cycle_no
    from app.settlements as s join app.orders as o on o.id = s.order_id
    where s.commission > 0 and o.refund_status = 0 and o.queue_units = 1
      and s.cycle_no = (select max(c.cycle_no) from app.settlements as c where c.earner_uid = s.earner_uid)
      and not exists (select from app.order_lines as l where l.order_id = o.id and not l.is_queue_goods)
    order by s.order_id desc limit 1`;
  return row!;
}

/** An unpaid order of queue goods whose buyer's referrer may earn. */
export async function unpaidOrder(sql: postgres.Sql) {
  const [row] = await sql`
    select o.id, o.referrer_uid from app.orders as o
    where o.state = 'unpaid' and o.queue_base > 0 and o.referrer_uid is not null
    order by o.id desc limit 1`;
  if (row) return { id: Number(row.id), referrer: Number(row.referrer_uid) };
  throw new Error("The demo month has no unpaid order of queue goods left.");
}

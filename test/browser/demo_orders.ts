import type postgres from "postgres";

/** An amount as the English pages show it. */
export const shownAmount = (value: string | number) =>
  Number(value).toLocaleString("en-GB", { minimumFractionDigits: 2 });

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

/** A new paid order of three units of member 10007. @returns its id, and what refunds units of it */
export async function orderOfThree(sql: postgres.Sql) {
  const [product] =
    await sql`select id from app.products where not is_queue_goods and stock is null and is_show and not is_del order by id limit 1`;
  const [order] =
    await sql`select (app.create_order(10007, ${sql.json([{ product_id: Number(product!.id), quantity: 3 }])}, null)).id`;
  const id = Number(order!.id);
  await sql`select app.pay_order(${id}, 'test', ${`three-${id}`}, null)`;
  const [line] = await sql`select id from app.order_lines where order_id = ${id}`;
  const refund = (quantity: number) =>
    sql`select app.refund_order(${id}, ${sql.json([{ line_id: Number(line!.id), quantity }])}, null, null)`;
  return { id, refund };
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

/** A day of the demo month with orders and refunds, and what was paid and refunded on it. */
export async function busyDay(
  sql: postgres.Sql,
): Promise<{ day: string; orders: number; paid: number; refunded: number; returned: number }> {
  const [row] = await sql`
    select d.day::text, d.orders, d.paid, f.refunded, f.returned
    from (
      select (o.paid_at at time zone 'Asia/Shanghai')::date as day, count(*)::int as orders, sum(o.pay_price * 100)::int as paid
      from app.orders as o where o.paid_at is not null group by 1
    ) as d
    join (
      select (r.decided_at at time zone 'Asia/Shanghai')::date as day, sum(r.amount * 100)::int as refunded, count(distinct r.order_id)::int as returned
      from app.refunds as r where app.is_paid_back(r.state) group by 1
    ) as f on f.day = d.day
    where d.day < (now() at time zone 'Asia/Shanghai')::date
    order by f.returned desc, d.day
    limit 1`;
  return row as never;
}

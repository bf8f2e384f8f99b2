import type postgres from "postgres";
import type { Folder } from "./folder.ts";
import { paidOrder } from "./orders.ts";

/** An order of the member whose goods the store has asked for. */
async function returningOrder(sql: postgres.Sql): Promise<string> {
  const [known] = await sql<{ order_id: string }[]>`
    select r.order_id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = 10007 and r.state = 'requested' and r.return_asked_at is not null`;
  if (known) return known.order_id;
  const [order] = await sql`
    select id, coalesce(received_at + interval '1 hour', now()) as at from app.orders where uid = 10007 and state in ('delivered', 'received') and refund_status = 0 order by id limit 1`;
  const address = {
    name: "退货组",
    phone: "0755 2660 0000",
    region: ["广东省", "深圳市", "南山区"],
    street: "科技园 4 号门",
  };
  await sql`select app.set_settings(${sql.json({ return_address: address })}, now())`;
  await sql`select app.request_refund(${order!.id}, null, 'Too small', ${order!.at})`;
  await sql`select app.request_return(${order!.id}, now())`;
  return order!.id as string;
}

export const refunds: Folder = {
  member: async (sql) => {
    const returning = await returningOrder(sql);
    return {
      refund: `/orders/${await paidOrder(sql)}/refund`,
      returning_order: `/orders/${returning}`,
      return: `/orders/${returning}/return`,
    };
  },
};

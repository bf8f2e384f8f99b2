import type { Folder } from "./folder.ts";
import { paidOrder } from "./orders.ts";

export const payments: Folder = {
  member: async (sql) => {
    const [unpaid] = await sql`
      select (app.create_order(10007, jsonb_build_array(jsonb_build_object('product_id', p.id, 'quantity', 1)), now())).id
      from app.products as p where not p.is_queue_goods and p.stock is null order by p.id limit 1`;
    return { paid: `/orders/${await paidOrder(sql)}/paid`, not_paid: `/orders/${unpaid!.id}/paid` };
  },
};

import { expect, it } from "vitest";
import { backdate } from "../journal/store.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { check, editRows, rowsOf, withBundle } from "./bundles.ts";

interface Refunded {
  refunds: { lines: { quantity: number; concession: number }[] }[];
}

it("decides a settlement again from the amounts that were paid back before it, while the goods were kept", async () => {
  const database = await cloneDatabase();
  const sql = connect(database.url);
  try {
    await backdate(sql);
    await sql`call app.ensure_month_partitions('2025-03-01', '2025-06-30')`;
    let minutes = 0;
    const now = () => new Date(Date.parse("2025-03-10T10:00:00+08:00") + 60_000 * minutes++);
    const join = async (under: number | null) => {
      const at = now();
      const [account] =
        await sql`insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (${at}, gen_random_uuid(), ${sql.json({ spread: under })}) returning id`;
      const [user] = await sql`
        update app.users set add_time = ${at}, spread_time = case when spread_uid is not null then ${at}::timestamptz end where auth_id = ${account!.id} returning uid::integer`;
      return user!.uid as number;
    };
    const [product] =
      await sql`insert into app.products (title, price, is_queue_goods) values ('Goods', 33.33, true) returning id::integer`;
    const buy = async (uid: number) => {
      const items = sql.json([{ product_id: product!.id as number, quantity: 3 }]);
      const [order] = await sql`select (app.create_order(${uid}, ${items}, ${now()})).id::integer as id`;
      await sql`select from app.pay_order(${order!.id}, 'test', ${`paid-${order!.id}`}, ${now()})`;
      return order!.id as number;
    };
    const refund = async (order: number, what: { quantity: number } | { amount: string }) => {
      const [line] = await sql`select id::integer from app.order_lines where order_id = ${order}`;
      await sql`select from app.refund_order(${order}, ${sql.json([{ line_id: line!.id as number, ...what }])}, null, ${now()})`;
    };
    const settle = (order: number) => sql`select from app.settle_order(${order}, ${now()})`;

    const referrer = await join(null);
    await settle(await buy(referrer));
    const order = await buy(await join(referrer));
    await refund(order, { amount: "10.00" });
    await refund(order, { quantity: 1 });
    await refund(order, { amount: "1.00" });
    await settle(order);
    await refund(order, { amount: "0.50" });
    await settle(await buy(await join(referrer)));

    const [settlement] = await sql`select base, commission from app.settlements where order_id = ${order}`;
    // 2 x (33.33 - 10.00 / 3) - 1.00 = 58.993...
    expect(settlement).toEqual({ base: "58.99", commission: "11.79" });
    await withBundle(sql, "2025-03", undefined, async (folder) => {
      expect(await check(folder)).toMatchObject({ findings: [], differences: [], settlements: 3 });
      const concessions = rowsOf<Refunded>(folder, "orders.jsonl").flatMap(({ refunds }) =>
        refunds.flatMap(({ lines }) => lines.map(({ concession }) => concession)),
      );
      expect(concessions).toEqual([10, 0, 1, 0.5]);
      // Without one of them, another base comes out.
      editRows<Refunded>(folder, "orders.jsonl", (rows) =>
        rows.map((row) => ({
          ...row,
          refunds: row.refunds.map((one) => ({
            ...one,
            lines: one.lines.map((line) => ({ ...line, concession: line.concession === 1 ? 0 : line.concession })),
          })),
        })),
      );
      const { differences } = await check(folder);
      expect(differences.map(({ subject }) => subject)).toContain(`order ${order}`);
    });
  } finally {
    await sql.end();
    await database.drop();
  }
});

import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, rolledBack } from "../support/index.ts";

// What other shops could not pay back, or paid back wrongly. Each test names its sources. The default plan: 3 places at
// 0.2 / 0.3 / 0.5, direct.

let clone: ClonedDatabase;
let sql: postgres.Sql;
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
  await sql`call app.ensure_month_partitions('2025-03-01', '2025-06-30')`;
});
afterAll(async () => {
  await sql?.end();
  await clone?.drop();
});

interface Goods {
  price: string;
  quantity?: number;
  freight?: string;
  discount?: string;
  isQueueGoods?: boolean;
}
interface Named {
  lines?: ({ line: number; quantity: number } | { line: number; amount: string })[];
  amount?: string;
  freight?: string;
}

/** A store with one referrer who can earn. Every step comes a minute after the one before. */
class Shop {
  private at = Date.parse("2025-03-10T10:00:00+08:00");
  private referrer: number | undefined;
  constructor(readonly tx: postgres.Sql | postgres.TransactionSql) {}

  private now(): Date {
    this.at += 60_000;
    return new Date(this.at);
  }
  private async join(under: number | null): Promise<number> {
    const [account] = await this.tx`
      insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (${this.now()}, gen_random_uuid(), ${this.tx.json({ spread: under })}) returning id`;
    const [user] = await this
      .tx`update app.users set add_time = ${this.now()} where auth_id = ${account!.id} returning uid::integer`;
    return user!.uid as number;
  }
  private async order(uid: number, goods: Goods[]): Promise<number> {
    const items: { product_id: number; quantity: number; discount: string }[] = [];
    for (const { price, quantity = 1, freight = "0.00", discount = "0.00", isQueueGoods = false } of goods) {
      const [row] = await this
        .tx`insert into app.products (title, price, freight, is_queue_goods) values ('Goods', ${price}, ${freight}, ${isQueueGoods}) returning id::integer`;
      items.push({ product_id: row!.id as number, quantity, discount });
    }
    const [order] = await this
      .tx`select (app.create_order(${uid}, ${this.tx.json(items)}, ${this.now()})).id::integer as id`;
    await this.tx`select from app.pay_order(${order!.id}, 'test', ${`paid-${order!.id}`}, ${this.now()})`;
    await this
      .tx`select from app.settle_order(${order!.id}, ${this.now()}) where (select has_queue_goods from app.orders where id = ${order!.id})`;
    return order!.id as number;
  }

  /** A paid order of a member below the referrer. */
  async buy(...goods: Goods[]): Promise<number> {
    if (this.referrer === undefined) {
      this.referrer = await this.join(null);
      await this.order(this.referrer, [{ price: "1.00", isQueueGoods: true }]);
    }
    return this.order(await this.join(this.referrer), goods);
  }
  async ship(order: number): Promise<void> {
    await this.tx`select from app.deliver_order(${order}, ${this.now()})`;
  }
  /** @returns what was paid back, or the code of the refusal */
  async refund(order: number, { lines, amount, freight }: Named = {}): Promise<string> {
    const ids = (await this.tx`select id::integer from app.order_lines where order_id = ${order} order by id`).map(
      ({ id }) => id as number,
    );
    const named = lines?.map(({ line, ...what }) => ({ line_id: ids[line - 1]!, ...what }));
    try {
      return await rolledBackOnError(this.tx, async () => {
        const [refund] = await this.tx`
          select amount from app.refund_order(${order}, ${named ? this.tx.json(named) : null}, null, ${this.now()}, ${amount ?? null}, ${freight ?? null})`;
        return refund!.amount as string;
      });
    } catch (error) {
      return (error as Error).message;
    }
  }
  async state(order: number) {
    const [row] = await this.tx`
      select o.refund_status as status, o.queue_base as base, b.brokerage_price as commission, (select sum(r.amount) from app.refunds as r where r.order_id = o.id) as paid_back
      from app.orders as o, app.user_balances as b where o.id = ${order} and b.uid = ${this.referrer!}`;
    return row!;
  }
}

/** Keeps the transaction usable after a step that is refused. */
async function rolledBackOnError<T>(tx: postgres.Sql | postgres.TransactionSql, step: () => Promise<T>): Promise<T> {
  await tx`savepoint step`;
  try {
    return await step();
  } catch (error) {
    await tx`rollback to savepoint step`;
    throw error;
  }
}

/** Runs a test in a store of its own, and at its end expects that everything adds up there. */
const inShop = (work: (shop: Shop) => Promise<void>) => () =>
  rolledBack(sql, async (tx) => {
    await work(new Shop(tx));
    expect(await tx`select * from app.reconcile()`).toEqual([]);
  });

describe("a refund", { concurrent: false }, () => {
  // medusajs/medusa#13066, vendurehq/vendure#989, multivendorx#886, craftcms/commerce#215, spree/spree#10099: the
  // freight stayed with the shop.
  it(
    "of an order that was never shipped pays everything back, with its freight",
    inShop(async (shop) => {
      const order = await shop.buy({ price: "100.00", quantity: 2, freight: "12.00" });
      expect(await shop.refund(order)).toBe("224.00");
      expect(await shop.state(order)).toMatchObject({ status: 2 });
    }),
  );
  // thirtybees/thirtybees#1077, magento/magento2#2385: the freight could not follow the goods, or was in the way of a
  // second refund.
  it(
    "of the freight may come before, between and after those of goods, and never twice",
    inShop(async (shop) => {
      const order = await shop.buy({ price: "30.00", quantity: 2, freight: "4.00" });
      await shop.ship(order);
      expect(await shop.refund(order, { lines: [{ line: 1, quantity: 1 }], freight: "5.00" })).toBe("35.00");
      expect(await shop.refund(order, { lines: [{ line: 1, quantity: 1 }] })).toBe("30.00");
      expect(await shop.refund(order, { lines: [], freight: "3.01" })).toBe("refund_exceeds_order");
      expect(await shop.refund(order, { lines: [], freight: "3.00" })).toBe("3.00");
      expect(await shop.refund(order, { lines: [], freight: "0.01" })).toBe("refund_exceeds_order");
    }),
  );
  // Adyen/adyen-prestashop#147: the freight was added to an amount that had it already.
  it(
    "of an amount pays exactly that amount",
    inShop(async (shop) => {
      const order = await shop.buy({ price: "39.99", freight: "7.50" });
      expect(await shop.refund(order, { amount: "39.99" })).toBe("39.99");
      expect(await shop.refund(order, { lines: [], freight: "7.50" })).toBe("7.50");
    }),
  );
  // bagisto/bagisto#4241, magento/magento2#34144: 50.00 of an order of 1000.00, whose goods are kept.
  it(
    "of an amount keeps the goods, and commission follows what is left",
    inShop(async (shop) => {
      const order = await shop.buy({ price: "600.00", isQueueGoods: true }, { price: "400.00" });
      expect(await shop.state(order)).toMatchObject({ base: "600.00", commission: "120.00" });
      expect(await shop.refund(order, { amount: "50.00" })).toBe("50.00");
      expect(await shop.state(order)).toMatchObject({ status: 3, base: "570.00", commission: "114.00" });
      expect(await shop.refund(order, { lines: [{ line: 1, quantity: 1 }] })).toBe("570.00");
      expect(await shop.state(order)).toMatchObject({ base: "0.00", commission: "0.00" });
      expect(await shop.refund(order)).toBe("380.00");
    }),
  );
  // AffiliateWP/AffiliateWP#541: a base with a discount, freight, and other goods beside it.
  it(
    "takes back no commission with other goods, and pays 117.00 of 117.00 back",
    inShop(async (shop) => {
      const order = await shop.buy(
        { price: "59.00", discount: "20.00", freight: "10.00", isQueueGoods: true },
        { price: "30.00", quantity: 2, freight: "4.00" },
      );
      expect(await shop.state(order)).toMatchObject({ base: "39.00", commission: "7.80" });
      expect(await shop.refund(order, { lines: [{ line: 2, quantity: 2 }] })).toBe("60.00");
      expect(await shop.state(order)).toMatchObject({ base: "39.00", commission: "7.80" });
      expect(await shop.refund(order)).toBe("57.00");
      expect(await shop.state(order)).toMatchObject({
        status: 2,
        base: "0.00",
        commission: "0.00",
        paid_back: "117.00",
      });
    }),
  );
  // akira-io/laravel-sisp#282, craftcms/commerce#3213, polarsource/polar#13770: parts that do not add up leave a rest
  // that nobody can pay back.
  // Guarantee money/refund-everything
  it.each([
    ["100.00", ["33.33", "33.33", "33.34"]],
    ["61.00", ["32.00", "9.00", "8.00", "3.00", "6.00", "3.00"]],
  ])("of %s in parts leaves nothing", (price, parts) =>
    inShop(async (shop) => {
      const order = await shop.buy(
        { price: (Number(price) / 2).toFixed(2) },
        { price: (Number(price) / 2).toFixed(2) },
      );
      for (const amount of parts) expect(await shop.refund(order, { amount })).toBe(amount);
      expect(await shop.state(order)).toMatchObject({ status: 2, paid_back: price });
      expect(await shop.refund(order)).toBe("refund_exceeds_order");
    })(),
  );
  // OpenMage/magento-lts#4396, solidusio/solidus#512: parts of an order with a discount paid back other sums than the
  // whole.
  it(
    "of parts of an order with a discount pays back what the whole would",
    inShop(async (shop) => {
      const order = await shop.buy(
        { price: "6.00", quantity: 3, discount: "1.00" },
        { price: "4.00", discount: "0.40" },
      );
      const paid = [
        await shop.refund(order, { lines: [{ line: 1, quantity: 1 }] }),
        await shop.refund(order, { lines: [{ line: 1, amount: "1.00" }] }),
        await shop.refund(order, { lines: [{ line: 1, quantity: 1 }] }),
        await shop.refund(order),
      ];
      expect(paid).toEqual(["5.67", "1.00", "5.17", "8.76"]);
      expect(await shop.state(order)).toMatchObject({ paid_back: "20.60" });
    }),
  );
});

describe("refunds that leave the same goods and the same concessions", { concurrent: false }, () => {
  const units: Named = { lines: [{ line: 1, quantity: 1 }] };
  const tea: Named = { lines: [{ line: 2, quantity: 2 }] };
  const amount = (line: number, of: string): Named => ({ lines: [{ line, amount: of }] });
  // Guarantee money/refund-everything: Units, amounts and freight that were paid for an order can be paid back in any
  // sequence, completely and never more
  // By: one exact computation for each line, app.line_left; app.check_refund_items and app.refund_freight
  it.each<[string, Named[]][]>([
    [
      ["one after the other", [amount(1, "10.01"), amount(2, "0.05"), amount(1, "3.33"), units, tea, units]],
      ["in another sequence", [amount(2, "0.05"), tea, amount(1, "3.33"), amount(1, "10.01"), units, units]],
      [
        "at once",
        [
          {
            lines: [
              { line: 1, amount: "13.34" },
              { line: 2, amount: "0.05" },
            ],
          },
          {
            lines: [
              { line: 1, quantity: 2 },
              { line: 2, quantity: 2 },
            ],
          },
        ],
      ],
    ],
  ])("leave the same sums", (...ways) =>
    inShop(async (shop) => {
      const states: { base: string; paid_back: string; status: number }[] = [];
      for (const [, refunds] of ways) {
        const order = await shop.buy(
          { price: "33.33", quantity: 7, isQueueGoods: true },
          { price: "9.99", quantity: 3, discount: "0.01" },
        );
        for (const refund of refunds) expect(await shop.refund(order, refund)).toMatch(/^\d+\.\d\d$/);
        const { base, paid_back, status } = await shop.state(order);
        states.push({ base, paid_back, status });
      }
      // 5 of 7 units: 5 x (33.33 - 13.34 / 7).
      expect(states).toEqual(ways.map(() => ({ base: "157.12", paid_back: states[0]!.paid_back, status: 3 })));
    })(),
  );
});

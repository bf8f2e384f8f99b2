import type { SupabaseClient } from "@supabase/supabase-js";
import { write } from "../../kit/amounts.ts";
import type { Event, Result, Row, Start } from "../../kit/format.ts";
import { settleFromClient } from "../../scripts/bench/naive/settle_from_client.ts";
import type { Adapter } from "./serve_adapter.ts";

type Values = Record<string, unknown>;

/** As much of the client of Supabase as the naive settlement uses, on rows in memory. */
class Query implements PromiseLike<{ data: Values[]; error: null }> {
  private filters: [string, unknown][] = [];
  private values: Values | undefined;
  private most = Infinity;
  constructor(private readonly rows: Values[]) {}
  select = () => this;
  order = () => this;
  eq(column: string, value: unknown): this {
    this.filters.push([column, value]);
    return this;
  }
  limit(most: number): this {
    this.most = most;
    return this;
  }
  update(values: Values): this {
    this.values = values;
    return this;
  }
  insert(values: Values): Promise<{ data: Values[]; error: null }> {
    this.rows.push(values);
    return Promise.resolve({ data: [], error: null });
  }
  then: PromiseLike<{ data: Values[]; error: null }>["then"] = (...handlers) => {
    const found = this.rows
      .filter((row) => this.filters.every(([column, value]) => row[column] === value))
      .slice(0, this.most);
    for (const row of found) Object.assign(row, this.values);
    return Promise.resolve({ data: found.map((row) => ({ ...row })), error: null }).then(...handlers);
  };
}

/**
 * Drives the settlement that a client without the engine would write (`scripts/bench/naive`): it knows orders, places
 * and points, and nothing else.
 */
export class NaiveAdapter implements Adapter {
  readonly about = { name: "a naive settlement", time: "ignored" } as const;
  private tables: Record<"members" | "orders" | "bill" | "levels", Values[]> = {
    members: [],
    orders: [],
    bill: [],
    levels: [],
  };
  private names: string[] = [];
  private orderNames: string[] = [];
  private products: Start["products"] = {};
  private readonly client = {
    from: (table: keyof typeof this.tables) => new Query(this.tables[table]),
  } as unknown as SupabaseClient;

  async start({ members, levels, products }: Start): Promise<void> {
    this.names = Object.keys(members);
    this.orderNames = [];
    this.products = products;
    this.tables = {
      members: Object.entries(members).map(([name, referrer]) => ({
        ...{ agent_level: 0, brokerage: 0, frozen_points: 0, umbrella_orders: 0, direct_orders: 0 },
        uid: this.numberOf(name),
        spread_uid: referrer === null ? null : this.numberOf(referrer),
      })),
      orders: [],
      bill: [],
      levels: levels.map(({ grade, direct_points: direct, umbrella_points: umbrella, tasks }) => ({
        ...{ grade, direct_points: Number(direct), umbrella_points: Number(umbrella) },
        direct_target: tasks.direct_orders ?? null,
        umbrella_target: tasks.umbrella_orders ?? null,
      })),
    };
  }

  async happen(event: Event): Promise<boolean> {
    const order = "order" in event ? this.tables.orders[this.orderNames.indexOf(event.order)] : undefined;
    if (event.do === "order") {
      this.orderNames.push(event.order);
      const prices = event.lines.map(({ product, units }) => {
        const { price, is_queue_goods: isQueueGoods } = this.products[product]!;
        return isQueueGoods ? Number(price) * units : 0;
      });
      const base = prices.reduce((one, other) => one + other);
      this.tables.orders.push({ id: this.orderNames.length, uid: this.numberOf(event.buyer), base, state: "unpaid" });
    } else if (event.do === "pay") {
      order!.state = "paid";
      await settleFromClient(this.client, order!.id as number);
    } else if (event.do === "set_level") {
      this.tables.members[this.numberOf(event.member) - 1]!.agent_level = event.grade;
    }
    return false;
  }

  async result(): Promise<Result> {
    const cents = (amount: unknown) => BigInt(Math.round(Number(amount) * 100));
    const points = (amount: unknown) => write(cents(amount) * 100n, "points");
    const bill: Result["bill"] = {};
    const settlements: Result["settlements"] = {};
    for (const { uid, order_id: id, type, brokerage, points: granted, place } of this.tables.bill) {
      const [member, order] = [this.names[(uid as number) - 1]!, this.orderNames[(id as number) - 1]!];
      const rows: Row[] = (bill[member] ??= []);
      const row = { type: "frozen_points_brokerage" as const, order, frozen: points(granted) };
      if (type === "commission") {
        rows.push({ type: "brokerage", order, money: write(cents(brokerage), "money") }, { ...row, source: "cycle" });
        settlements[order] = { earner: member, reason: null, cycle: null, place: (place as number) + 1, rate: null };
      } else rows.push({ ...row, source: "direct" });
    }
    const members = this.tables.members.map(
      ({ uid, agent_level: level, brokerage, frozen_points: frozen }): [string, Result["members"][string]] => [
        this.names[(uid as number) - 1]!,
        {
          level: level as number,
          money: write(cents(brokerage), "money"),
          withdrawable: "0.00",
          frozen: points(frozen),
          available: "0",
          total_points_earned: points(frozen),
        },
      ],
    );
    return { bill, settlements, refunds: {}, members: Object.fromEntries(members), owed: "0.00" };
  }

  private numberOf = (name: string) => this.names.indexOf(name) + 1;
}

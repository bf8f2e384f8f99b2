import { readFileSync } from "node:fs";
import type postgres from "postgres";
import type { Event, Level, Plan, Result, Start } from "../../kit/format.ts";
import { connect } from "../support/index.ts";
import type { Adapter } from "./serve_adapter.ts";

const TEST_KIT = readFileSync(new URL("../property/test_kit.sql", import.meta.url), "utf8");
const RESULT = readFileSync(new URL("result.sql", import.meta.url), "utf8");
/** Before the first event. */
const BEGINNING = "2026-01-01T00:00:00Z";

/** Drives the engine in a database of its own. Its functions get the times of the events. */
export class StoreAdapter implements Adapter {
  readonly about = { name: "this store", time: "set" } as const;
  private readonly sql: postgres.Sql;
  private uids = new Map<string, string>();
  private products = new Map<string, string>();
  private orders = new Map<string, string>();
  private withdrawals = new Map<string, string>();
  private now = BEGINNING;

  /** @param commits false: each store is a transaction, and rolled back by the next one. Payments at the same moment need a store that commits, and a database for each */
  constructor(
    private readonly url: string,
    private readonly commits: boolean,
  ) {
    this.sql = connect(url);
  }

  /** A function of the engine that is replaced in each store. */
  change = "";

  /** Adds what the tests need to the database. */
  async prepare(): Promise<void> {
    await this.sql.unsafe(TEST_KIT);
    await this.sql`call app.ensure_month_partitions('2026-03-01', '2026-04-30')`;
    await this.sql.unsafe(
      `update app.settings set lifecycle_from = '2026-01-01', withdrawal_minimum = 0.01, withdrawal_fee_rate = 0, withdrawal_methods = '{bank}', refund_window_days = 0`,
    );
    if (!this.commits) await this.sql.unsafe("begin");
  }

  end = () => this.sql.end();

  async start({ terms, plan, levels, products, members }: Start): Promise<void> {
    if (!this.commits) await this.sql.unsafe("rollback; begin");
    if (this.change) await this.sql.unsafe(this.change);
    for (const names of [this.uids, this.products, this.orders, this.withdrawals]) names.clear();
    this.now = BEGINNING;
    const { sql, now } = this;
    await sql`select app.set_points_terms(${terms.points_rate}, ${terms.points_max_share}), app.create_plan(${asJson(planOf(plan))}::text::jsonb, null, ${now}),
      app.set_agent_levels(${asJson(levels.map(levelOf))}::text::jsonb, null, ${now})`;
    for (const [name, { price, is_queue_goods: isQueueGoods }] of Object.entries(products)) {
      const [product] =
        await sql`insert into app.products (title, price, is_queue_goods, is_show) values (${name}, ${price}, ${isQueueGoods}, true) returning id`;
      this.products.set(name, product!.id as string);
    }
    for (const [name, referrer] of Object.entries(members)) {
      const data = referrer === null ? {} : { spread: this.uids.get(referrer) };
      const [account] = await sql`
        insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (now(), gen_random_uuid(), ${asJson(data)}::text::jsonb) returning id`;
      const [user] = await sql`select uid from app.users where auth_id = ${account!.id as string}`;
      this.uids.set(name, user!.uid as string);
    }
  }

  async happen(event: Event): Promise<boolean> {
    this.now = event.at;
    const at = `'${event.at}'::timestamptz`;
    const orderId = "order" in event ? this.orders.get(event.order)! : "";
    const uid = "member" in event ? this.uids.get(event.member)! : "";
    switch (event.do) {
      case "order": {
        const items = event.lines.map(({ product, units, discount }) => ({
          product_id: Number(this.products.get(product)),
          quantity: units,
          discount,
        }));
        const call = `app.create_order(${this.uids.get(event.buyer)}, '${asJson(items)}', ${at}, p_use_points => ${event.use_points ?? "null"})`;
        return this.create(this.orders, event.order, call);
      }
      case "pay":
        return this.call(`app.pay_order(${orderId}, 'test', '${event.order}', ${at})`);
      case "together":
        return this.payTogether(event.orders, at);
      case "settle":
        if (!event.orders) return this.call(`app.run_settlement_jobs(1000, ${at})`);
        return this.call(
          `app.settle_orders(array(select o from app.orders as o where o.id in (${event.orders.map((order) => this.orders.get(order)!).join()})), ${at})`,
        );
      case "refer":
        return this.call(`app.bind_spread(${uid}, ${this.uids.get(event.referrer)}, ${at})`);
      case "cancel":
        return this.call(`app.cancel_order(${orderId}, ${at})`);
      case "receive":
        return this.call(`app.confirm_receipt(${orderId}, ${at})`);
      case "request_refund":
        return this.call(`app.request_refund(${orderId}, null, 'test', ${at})`);
      case "refuse_refund":
        return this.call(`app.refuse_refund(${orderId}, ${at})`);
      case "refund":
        return this.call(`app.refund_order(${orderId}, ${linesOf(orderId, event.lines)}, null, ${at})`);
      case "change_plan":
        return this.call(`app.create_plan('${asJson(planOf(event.plan))}', null, ${at})`);
      case "change_levels":
        return this.call(`app.set_agent_levels('${asJson(event.levels.map(levelOf))}', null, ${at})`);
      case "set_level":
        return this.call(`app.set_agent_level(${uid}, ${event.grade}::smallint, null, ${at}, ${event.hold})`);
      case "set_no_assess":
        return this.call(`app.set_no_assess(${uid}, ${event.no_assess}, null, ${at})`);
      case "release":
        return this.call(`test_kit.release(${event.day ? `'${event.day}'` : "null"}::date, ${at})`);
      case "request_withdrawal": {
        const account = `(select id from app.add_payout_account(${uid}, 'bank', 'Payee', '13800000000', 'Bank', ${at}))`;
        return this.create(
          this.withdrawals,
          event.withdrawal,
          `app.request_withdrawal(${uid}, ${event.amount}, 'bank', ${account}, ${at}, null)`,
        );
      }
      case "end_withdrawal": {
        const id = this.withdrawals.get(event.withdrawal)!;
        if (event.state !== "refused" && (await this.call(`app.approve_withdrawal(app.lock_withdrawal(${id}), ${at})`))) return true;
        return this.call(`test_kit.end_withdrawal(${id}, '${event.state}', ${at})`);
      }
      case "adjust":
        return this.call(`app.create_adjustment(${uid}, ${event.money}, ${event.frozen}, ${event.available}, 'test', null::uuid, ${at})`);
    }
  }

  async result(): Promise<Result> {
    const [row] = await this.sql.unsafe(RESULT, [this.now]);
    const { bill, settlements, members, owed } = row!.result;
    const name = (names: Map<string, string>, id: unknown) => [...names].find(([, each]) => each === String(id))?.[0] ?? String(id);
    const named = <Value>(names: Map<string, string>, values: Record<string, Value>) =>
      Object.entries(values).map(([id, value]): [string, Value] => [name(names, id), value]);
    const rows = named(this.uids, bill as Record<string, { order?: number }[]>).map(([member, each]) => [
      member,
      each.map(({ order, ...row }) => ({ ...row, ...(order !== undefined && { order: name(this.orders, order) }) })),
    ]);
    const settled = named(this.orders, settlements as Record<string, { earner: number | null }>).map(([order, each]) => [
      order,
      { ...each, earner: each.earner === null ? null : name(this.uids, each.earner) },
    ]);
    return {
      bill: Object.fromEntries(rows),
      settlements: Object.fromEntries(settled),
      members: Object.fromEntries(named(this.uids, members)),
      owed,
    };
  }

  /** @returns whether the store has refused it, by one of its own errors. @throws Error for any other error */
  private async call(call: string): Promise<boolean> {
    return (await this.attempt(`select ${call} is null`)).startsWith("error:");
  }

  private async create(names: Map<string, string>, name: string, call: string): Promise<boolean> {
    const outcome = await this.attempt(`select c.id from ${call} as c`);
    if (outcome.startsWith("value:")) names.set(name, outcome.slice("value:".length));
    return outcome.startsWith("error:");
  }

  private async attempt(statement: string): Promise<string> {
    const [row] = await this.sql`select test_kit.attempt(${statement}) as outcome`;
    const outcome = row!.outcome as string;
    if (outcome.startsWith("error:") && !/^error:[a-z_]+$/.test(outcome)) throw new Error(`${statement}: ${outcome}`);
    return outcome;
  }

  /** Each order over a connection of its own: first all payments, then all settlements. */
  private async payTogether(orders: string[], at: string): Promise<boolean> {
    if (!this.commits) throw new Error("Payments at the same moment need a store that commits.");
    const sessions = orders.map(() => connect(this.url));
    try {
      const ids = orders.map((order) => this.orders.get(order)!);
      await Promise.all(
        sessions.map((session, index) => session.unsafe(`select app.pay_order(${ids[index]}, 'test', '${orders[index]}', ${at})`)),
      );
      await Promise.all(sessions.map((session, index) => session.unsafe(`select app.settle_order(${ids[index]}, ${at})`)));
      return false;
    } finally {
      await Promise.all(sessions.map((session) => session.end()));
    }
  }
}

const asJson = (value: unknown) => JSON.stringify(value);

/** Ratios and points are numbers in the settings of the store. */
function planOf({ tier_ratios: ratios, points_per_brokerage: points, payout_cap: cap, minimum_base: minimum, ...plan }: Partial<Plan>) {
  const number = (text: string | undefined) => (text === undefined ? undefined : Number(text));
  return {
    ...plan,
    tier_ratios: ratios?.map(Number),
    points_per_brokerage: number(points),
    payout_cap: number(cap),
    minimum_base: number(minimum),
  };
}

const levelOf = ({ direct_points: direct, umbrella_points: umbrella, ...level }: Level) => ({
  ...level,
  name: `Grade ${level.grade}`,
  name_zh: `${level.grade} 级`,
  direct_points: Number(direct),
  umbrella_points: Number(umbrella),
  is_active: true,
});

function linesOf(orderId: string, lines: { line: number; units: number }[] | undefined): string {
  if (lines === undefined) return "null::jsonb";
  const each = lines.map(
    ({ line, units }) =>
      `jsonb_build_object('line_id', (select id from app.order_lines where order_id = ${orderId} order by id offset ${line - 1} limit 1), 'quantity', ${units})`,
  );
  return `jsonb_build_array(${each.join()})`;
}

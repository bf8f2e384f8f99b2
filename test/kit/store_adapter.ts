import { readFileSync } from "node:fs";
import type postgres from "postgres";
import type { Event, Level, Plan, Result, Start } from "../../kit/format.ts";
import { DatabaseStore, prepareDatabase } from "../../scripts/histories/database_store.ts";
import type { Action, LevelSetting, PlanChange } from "../../scripts/model/actions.ts";
import { connect } from "../support/index.ts";
import type { Adapter } from "./serve_adapter.ts";

const RESULT = readFileSync(new URL("result.sql", import.meta.url), "utf8");
/** Before the first event. */
const BEGINNING = "2026-01-01T00:00:00Z";
/** No month is compacted, so all rows may stand in the default partition. */
const WITHOUT_MONTHS = "9999-12-31";

/** Drives the engine in a database of its own. Its functions get the times of the events. */
export class StoreAdapter implements Adapter {
  readonly about = { name: "this store", time: "set" } as const;
  private readonly sql: postgres.Sql;
  private store: DatabaseStore;
  /** Members, orders and withdrawals in the sequence in which they were made: `store` numbers them from 1. */
  private members: string[] = [];
  private orders: string[] = [];
  private withdrawals: string[] = [];
  private products = new Map<string, number>();
  private now = BEGINNING;

  /**
   * @param commits false: each store is a transaction, and rolled back by the next one. Payments at the same moment
   * need a store that commits, and a database for each
   */
  constructor(
    private readonly url: string,
    private readonly commits: boolean,
  ) {
    this.sql = connect(url);
    this.store = new DatabaseStore(this.sql, commits, undefined, WITHOUT_MONTHS);
  }

  /** A function of the engine that is replaced in each store. */
  change = "";

  /** Adds what the tests need to the database. */
  async prepare(): Promise<void> {
    await prepareDatabase(this.sql);
    if (!this.commits) await this.sql.unsafe("begin");
  }

  end = () => this.sql.end();

  async start({ terms, plan, levels, products, members }: Start): Promise<void> {
    if (!this.commits) await this.sql.unsafe("rollback; begin");
    if (this.change) await this.sql.unsafe(this.change);
    this.store = new DatabaseStore(this.sql, this.commits, undefined, WITHOUT_MONTHS);
    for (const names of [this.members, this.orders, this.withdrawals]) names.length = 0;
    this.now = BEGINNING;
    await this.act({ do: "points_terms", rate: terms.points_rate, maxShare: terms.points_max_share });
    await this.act({ do: "plan", plan: planOf(plan) });
    await this.act({ do: "levels", levels: levels.map(levelOf) });
    await this.sql`update app.settings set refund_window_days = ${terms.refund_window_days}`;
    for (const [name, { price, freight, is_queue_goods: isQueueGoods }] of Object.entries(products)) {
      const [product] = await this.sql<{ id: number }[]>`
        insert into app.products (title, price, freight, is_queue_goods, is_show)
        values (${name}, ${price}, ${freight}, ${isQueueGoods}, true) returning id::integer`;
      this.products.set(name, product!.id);
    }
    for (const [name, referrer] of Object.entries(members)) {
      await this.act({ do: "sign_up", under: referrer === null ? 0 : this.member(referrer) });
      this.members.push(name);
    }
  }

  async happen(event: Event): Promise<boolean> {
    this.now = event.at;
    if (event.do === "together") return this.payTogether(event.orders);
    if (event.do === "settle" && event.orders) throw new Error("No vector settles some of the orders that wait.");
    if (event.do === "end_withdrawal" && event.state !== "refused") {
      const withdrawal = this.withdrawals.indexOf(event.withdrawal) + 1;
      if (await this.act({ do: "advance_withdrawal", withdrawal, state: "approved", ...heldOf(event) })) return true;
    }
    const isRefused = await this.act(this.actionOf(event), event.do === "release" ? event.day : undefined);
    if (!isRefused && event.do === "order") this.orders.push(event.order);
    if (!isRefused && event.do === "request_withdrawal") this.withdrawals.push(event.withdrawal);
    return isRefused;
  }

  private actionOf(event: Exclude<Event, { do: "together" }>): Action {
    const order = "order" in event ? this.orders.indexOf(event.order) + 1 : 0;
    const member = "member" in event ? this.member(event.member) : 0;
    switch (event.do) {
      case "order": {
        const items = event.lines.map(({ product, units, discount }) => ({
          product: this.products.get(product)!,
          quantity: units,
          ...(discount !== undefined && { discount }),
        }));
        return {
          do: "create",
          buyer: this.member(event.buyer),
          items,
          ...(event.use_points !== undefined && { usePoints: event.use_points }),
        };
      }
      case "pay":
        return { do: "pay", order, ref: event.order };
      case "settle":
        return { do: "run_jobs", limit: 1000 };
      case "refund": {
        const lines = event.lines?.map((each) => ("units" in each ? quantityOf(each) : each)) ?? null;
        const { amount, freight, answers_request: answersRequest } = event;
        return {
          ...{ do: "refund", order, lines, ref: null },
          ...(amount !== undefined && { amount }),
          ...(freight !== undefined && { freight }),
          ...(answersRequest !== undefined && { answersRequest }),
        };
      }
      case "request_refund":
        return { do: "request_refund", order, lines: event.lines?.map(quantityOf) ?? null };
      case "ship":
        return { do: "deliver", order };
      case "cancel":
      case "receive":
      case "refuse_refund":
      case "take_back_refund":
        return { do: event.do, order };
      case "change_plan":
        return { do: "plan", plan: planOf(event.plan) };
      case "change_levels":
        return { do: "levels", levels: event.levels.map(levelOf) };
      case "set_level":
        return { do: "set_level", member, grade: event.grade, hold: event.hold };
      case "refer":
        return { do: "bind", member, under: this.member(event.referrer) };
      case "set_referrer":
        return { do: "set_referrer", member, under: this.member(event.referrer) };
      case "leave":
        return { do: "leave", member, isDeletion: event.asked };
      case "set_no_assess":
        return { do: "no_assess", member, value: event.no_assess };
      case "release":
        return { do: "release", daysFromToday: null };
      case "request_withdrawal":
        return { do: "withdraw", member, amount: event.amount, method: "bank" };
      case "end_withdrawal":
        return {
          do: "end_withdrawal",
          withdrawal: this.withdrawals.indexOf(event.withdrawal) + 1,
          state: event.state,
          ...heldOf(event),
        };
      case "adjust":
        return {
          do: "adjust",
          member,
          brokerage: event.money,
          frozen: event.frozen,
          available: event.available,
          by: 0,
        };
    }
  }

  /**
   * @param day the day that a release names
   * @returns whether the store has refused it, by one of its own errors.
   * @throws Error for any other error
   */
  private async act(action: Action, day?: string): Promise<boolean> {
    const outcome = await this.store.apply(action, Date.parse(this.now), day ?? null);
    if (outcome === "ok" || outcome === "left" || /^\d+$/.test(outcome)) return false;
    if (/^[a-z_]+$/.test(outcome)) return true;
    throw new Error(`${JSON.stringify(action)}: ${outcome}`);
  }

  private member = (name: string): number => this.members.indexOf(name) + 1;

  async result(): Promise<Result> {
    const [row] = await this.sql.unsafe(RESULT, [this.now]);
    const { bill, settlements, refunds, members, owed } = row!.result;
    const [nameOfMember, nameOfOrder] = [
      namesOf(await this.uids(), this.members),
      namesOf(await this.orderIds(), this.orders),
    ];
    const rows = Object.entries(bill as Record<string, { order?: number }[]>).map(([uid, each]) => [
      nameOfMember(uid),
      each.map(({ order, ...rest }) => ({ ...rest, ...(order !== undefined && { order: nameOfOrder(order) }) })),
    ]);
    const settled = Object.entries(settlements as Record<string, { earner: number | null }>).map(([order, each]) => [
      nameOfOrder(order),
      { ...each, earner: each.earner === null ? null : nameOfMember(each.earner) },
    ]);
    return {
      bill: Object.fromEntries(rows),
      settlements: Object.fromEntries(settled),
      refunds: Object.fromEntries(Object.entries(refunds as object).map(([order, each]) => [nameOfOrder(order), each])),
      members: Object.fromEntries(Object.entries(members as object).map(([uid, each]) => [nameOfMember(uid), each])),
      owed,
    };
  }

  private uids = async () =>
    (await this.sql<{ id: string }[]>`select u.uid as id from app.users as u order by u.uid`).map(({ id }) => id);
  private orderIds = async () =>
    (await this.sql<{ id: string }[]>`select o.id from app.orders as o order by o.id`).map(({ id }) => id);

  /** Each order over a connection of its own: first all payments, then all settlements. */
  private async payTogether(orders: string[]): Promise<boolean> {
    if (!this.commits) throw new Error("Payments at the same moment need a store that commits.");
    const ids = await this.orderIds();
    const sessions = orders.map((name) => ({ name, id: ids[this.orders.indexOf(name)]!, sql: connect(this.url) }));
    try {
      await Promise.all(
        sessions.map(({ name, id, sql }) => sql`select app.pay_order(${id}, 'test', ${name}, ${this.now})`),
      );
      await Promise.all(sessions.map(({ id, sql }) => sql`select app.settle_order(${id}, ${this.now})`));
      return false;
    } finally {
      await Promise.all(sessions.map(({ sql }) => sql.end()));
    }
  }
}

/** The names of what was made in this sequence, by ids in the same sequence. */
const namesOf = (ids: string[], names: string[]) => (id: unknown) => names[ids.indexOf(String(id))] ?? String(id);

const quantityOf = ({ line, units }: { line: number; units: number }) => ({ line, quantity: units });
const heldOf = ({ held }: { held?: string | undefined }) => (held === undefined ? {} : { held });

function planOf(plan: Partial<Plan>): PlanChange {
  const named = {
    peoplePerCycle: plan.people_per_cycle,
    tierRatios: plan.tier_ratios,
    scope: plan.brokerage_scope,
    timing: plan.brokerage_timing,
    pointsPerBrokerage: plan.points_per_brokerage,
    maxDepth: plan.max_depth,
    payoutCap: plan.payout_cap,
    minimumBase: plan.minimum_base,
    holdingDays: plan.holding_days,
  };
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

const levelOf = ({
  grade,
  direct_points: directPoints,
  umbrella_points: umbrellaPoints,
  tasks,
}: Level): LevelSetting => ({
  grade,
  directPoints,
  umbrellaPoints,
  isActive: true,
  tasks,
});

import type postgres from "postgres";
import { type ClonedDatabase, cloneDatabase, connect } from "../../support/index.ts";
import type { Item } from "./events.ts";
import {
  describeGrant,
  describePoints,
  describeSettlement,
  type Grant,
  type PaidByPoints,
  type Settlement,
  describeRequest,
  type Request,
} from "./results.ts";

const FLAGSHIP_PRICE = "3600.00";

/** A separate store with named members and numbered orders. It reports the changes since the last call. */
export class Store {
  private readonly clone: ClonedDatabase;
  private readonly sql: postgres.Sql;
  private readonly uids = new Map<string, string>();
  private readonly orderIds = new Map<string, string>();
  private readonly seen = new Set<string>();
  /** Withdrawals and cancellations that the store has rejected since the last call of `changes`. */
  private readonly rejected: string[] = [];
  /** The time of the current row: noon of its day in Shanghai, plus one minute per row. */
  private now = new Date(0);
  private rowsPlayed = 0;

  private constructor(clone: ClonedDatabase) {
    this.clone = clone;
    this.sql = connect(clone.url);
  }

  static async open(): Promise<Store> {
    return new Store(await cloneDatabase());
  }

  async close(): Promise<void> {
    await this.sql.end();
    await this.clone.drop();
  }

  beginRow(day: number): void {
    this.rowsPlayed += 1;
    this.now = new Date(Date.UTC(2026, 2, day, 4, this.rowsPlayed));
  }

  async join(name: string, referrer: string | undefined, level: number | undefined): Promise<void> {
    if (this.uids.has(name)) throw new Error(`${name} joined before.`);
    const data = referrer ? { spread: this.uid(referrer) } : {};
    const [account] = await this.sql`
      insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (now(), gen_random_uuid(), ${this.sql.json(data)}) returning id`;
    const [user] = await this.sql`select uid from app.users where auth_id = ${account!.id}`;
    this.uids.set(name, user!.uid);
    await this.sql`insert into app.wechat_accounts (appid, openid, auth_id) values ('app', ${name}, ${account!.id})`;
    if (level !== undefined)
      await this.sql`select from app.set_agent_level(${user!.uid}, ${level}::smallint, null, ${this.now})`;
  }

  async place(order: string, buyer: string, quantity: number, price = FLAGSHIP_PRICE): Promise<void> {
    if (this.orderIds.has(order)) throw new Error(`Order ${order} was placed before.`);
    const [product] = await this
      .sql`insert into app.products (title, price, is_queue_goods) values ('Flagship', ${price}, true) returning id`;
    const items = this.sql.json([{ product_id: product!.id, quantity }]);
    const [row] = await this.sql`select o.id from app.create_order(${this.uid(buyer)}, ${items}, ${this.now}) as o`;
    this.orderIds.set(order, row!.id);
  }

  /** @param points the most points to use */
  async placeWithPoints(order: string, buyer: string, items: Item[], points: string): Promise<void> {
    if (this.orderIds.has(order)) throw new Error(`Order ${order} was placed before.`);
    const products = await Promise.all(
      items.map(
        async ({ goods, price }) =>
          (
            await this.sql`
      insert into app.products (title, price, is_queue_goods) values (${goods ?? "Flagship"}, ${price ?? FLAGSHIP_PRICE}, ${goods === undefined}) returning id`
          )[0]!.id,
      ),
    );
    const json = this.sql.json(items.map(({ quantity }, index) => ({ product_id: products[index], quantity })));
    const [row] = await this
      .sql`select o.id from app.create_order(${this.uid(buyer)}, ${json}, ${this.now}, p_use_points => ${points}) as o`;
    this.orderIds.set(order, row!.id);
  }

  async cancel(order: string): Promise<void> {
    await this.sql`select from app.cancel_order(${this.orderId(order)}, ${this.now})`;
  }

  async changePointsTerms(rate: string, maxShare: string): Promise<void> {
    await this
      .sql`select app.set_settings(${this.sql.json({ points_rate: Number(rate), points_max_share: Number(maxShare) })}, now())`;
  }

  async changeRefundWindow(days: number): Promise<void> {
    await this.sql`update app.settings set refund_window_days = ${days}`;
  }

  async pay(order: string): Promise<void> {
    await this
      .sql`select from app.pay_order(${this.orderId(order)}, 'test', ${`payment of order ${order}`}, ${this.now})`;
    await this.sql`select from app.run_settlement_jobs(50, ${this.now})`;
  }

  async receive(order: string): Promise<void> {
    await this.sql`select from app.confirm_receipt(${this.orderId(order)}, ${this.now})`;
  }

  /** @param quantity the number of units; undefined for all that are left */
  async requestRefund(order: string, quantity?: number): Promise<void> {
    const id = this.orderId(order);
    await this.sql`
      select from app.request_refund(${id}, (
        select jsonb_agg(jsonb_build_object('line_id', l.id, 'quantity', ${quantity ?? null}::integer))
        from app.order_lines as l where l.order_id = ${id} and ${quantity !== undefined}
      ), '', ${this.now})`;
  }

  async takeBackRefund(order: string): Promise<void> {
    await this.sql`select from app.take_back_refund(${this.orderId(order)}, ${this.now})`;
  }

  async refuseRefund(order: string): Promise<void> {
    await this.sql`select from app.refuse_refund(${this.orderId(order)}, ${this.now})`;
  }

  /**
   * @param quantity the number of units; undefined for all that are left.
   * @param goods of an order with several lines
   */
  async refund(
    order: string,
    quantity: number | undefined,
    goods?: string,
    answersRequest: boolean | null = null,
  ): Promise<void> {
    const id = this.orderId(order);
    await this.sql`
      select from app.refund_order(${id}, (
        select jsonb_build_array(jsonb_build_object('line_id', l.id, 'quantity', ${quantity ?? null}::integer))
        from app.order_lines as l where l.order_id = ${id} and ${quantity !== undefined} and l.title = coalesce(${goods ?? null}, l.title)
      ), null, ${this.now}, p_answers_request => ${answersRequest})`;
  }

  async setLevel(name: string, level: number, isHeld: boolean): Promise<void> {
    await this
      .sql`select from app.set_agent_level(${this.uid(name)}, ${level}::smallint, null, ${this.now}, ${isHeld})`;
  }

  async endHold(name: string): Promise<void> {
    await this
      .sql`select app.set_agent_level(u.uid, u.agent_level, null, ${this.now}, false) from app.users as u where u.uid = ${this.uid(name)}`;
  }

  async setNoAssess(name: string, isSet: boolean): Promise<void> {
    await this.sql`select from app.set_no_assess(${this.uid(name)}, ${isSet}, null, ${this.now})`;
  }

  async refer(name: string, referrer: string): Promise<void> {
    await this.sql`select from app.bind_spread(${this.uid(name)}, ${this.uid(referrer)}, ${this.now})`;
  }

  /** @param goods undefined: of the order as a whole */
  async refundAmount(order: string, amount: string, goods?: string): Promise<void> {
    const id = this.orderId(order);
    await this.sql`
      select from app.refund_order(${id}, (
        select jsonb_build_array(jsonb_build_object('line_id', l.id, 'amount', ${amount}::text))
        from app.order_lines as l where l.order_id = ${id} and l.title = ${goods ?? null}
      ), null, ${this.now}, ${goods === undefined ? amount : null})`;
  }

  async changePlan(plan: Record<string, string | number | number[]>): Promise<void> {
    await this.sql`select from app.create_plan(${this.sql.json(plan)}, null, ${this.now})`;
  }

  async release(): Promise<void> {
    await this.sql`call app.release_frozen_points(null, ${this.now})`;
  }

  /** Adjusts the balances of a member by an administrator, beside whom there is a second one. */
  async adjust(name: string, money: string, frozen: string, available: string): Promise<void> {
    const [maker] = [await this.administrator(), await this.administrator()];
    await this
      .sql`select from app.create_adjustment(${this.uid(name)}, ${money}, ${frozen}, ${available}, 'Test', ${maker}, ${this.now})`;
  }

  async approveAdjustment(): Promise<void> {
    await this.sql`
      select app.decide_adjustment(a.id, 'booked', ${await this.administrator()}, ${this.now}) is null from app.adjustments as a where a.state = 'waiting'`;
  }

  /** @returns the account of a new administrator */
  private async administrator(): Promise<string> {
    const [account] = await this
      .sql`insert into auth.users (email_confirmed_at, id, email) values (now(), gen_random_uuid(), gen_random_uuid() || '@example.com') returning id`;
    await this.sql`select app.add_administrator(${account!.id})`;
    return account!.id as string;
  }

  /** Deletes an account that its member asked to delete a week ago. */
  async deleteAccount(name: string): Promise<void> {
    const uid = this.uid(name);
    await this.sql`
      insert into app.account_deletions (uid, auth_id, asked_at, due_at, brokerage, frozen_points, available_points)
      select u.uid, u.auth_id, ${this.now}::timestamptz - interval '7 days', ${this.now}, 0, 0, 0 from app.users as u where u.uid = ${uid}`;
    const [row] = await this.sql`select app.delete_account_if_due(${uid}, ${this.now}) as is_deleted`;
    if (!row!.is_deleted) fail(`The account of ${name} cannot be deleted yet.`);
  }

  /** Removes an account as the Auth server does, on the day of the row. */
  async removeAccount(name: string): Promise<void> {
    const uid = this.uid(name);
    await this.sql.begin(async (sql) => {
      await sql`select app.lock_structure()`;
      await sql`select app.mark_as_left(${uid}, ${this.now})`;
      await sql`delete from auth.users where id = (select u.auth_id from app.users as u where u.uid = ${uid})`;
    });
  }

  async changeFee(rate: string): Promise<void> {
    await this.sql`select app.set_settings(${this.sql.json({ withdrawal_fee_rate: Number(rate) })}, now())`;
  }

  async withdraw(name: string, amount: string, method: "bank" | "wechat"): Promise<void> {
    const uid = this.uid(name);
    await this.sql`select app.set_settings('{"withdrawal_methods": ["bank", "wechat"]}', now())`;
    const before = await this.sql`select app.withdrawable(${uid}, ${this.now}) as amount`;
    try {
      await this.sql`
        select from app.request_withdrawal(${uid}, ${amount}, ${method}, (
          select a.id from app.add_payout_account(${uid}, 'bank', ${name}, '6222021234567894', 'Bank', ${this.now}) as a where ${method === "bank"}
        ), ${this.now})`;
    } catch (error) {
      if ((error as Error).message !== "withdrawal_exceeds_balance") throw error;
      this.rejected.push(`${name}: cannot withdraw ${amount}, only ${before[0]!.amount}`);
    }
  }

  async endWithdrawal(name: string, state: "paid" | "refused"): Promise<void> {
    if (state === "paid") await this.approveWithdrawal(name);
    const { id } = await this.lastWithdrawal(name);
    await this
      .sql`select from app.move_withdrawal(app.lock_withdrawal(${id}), ${state}, ${this.now}, ${state === "paid" ? null : "No"})`;
  }

  /** @param held what refund requests hold of it, which the administrator accepts */
  async approveWithdrawal(name: string, held?: string): Promise<void> {
    const { id, amount } = await this.lastWithdrawal(name);
    try {
      await this
        .sql`select from app.approve_withdrawal(app.lock_withdrawal(${id}), ${this.now}, null, ${held ?? null})`;
    } catch (error) {
      if ((error as Error).message !== "held_by_refunds") throw error;
      const [row] = await this
        .sql`select app.held_of_withdrawal(w, ${this.now}) as held from app.withdrawals as w where w.id = ${id}`;
      this.rejected.push(`${name}: withdrawal of ${amount} is not approved, ${row!.held} is held`);
    }
  }

  /** Begins a run of the worker, which then receives no response. */
  async requestTransfer(name: string): Promise<void> {
    const { withdrawal_no } = await this.lastWithdrawal(name);
    await this.sql`select app.begin_transfer(${withdrawal_no}, 'merchant', ${this.now})`;
  }

  async reportTransfer(name: string, state: string): Promise<void> {
    const { withdrawal_no } = await this.lastWithdrawal(name);
    await this.sql`select from app.record_transfer_state(${withdrawal_no}, ${state}, null, null, null, ${this.now})`;
  }

  async cancelTransfer(name: string): Promise<void> {
    const { id, net_amount } = await this.lastWithdrawal(name);
    try {
      await this.sql`select app.cancel_transfer(app.lock_withdrawal(${id}), ${this.now})`;
    } catch (error) {
      if ((error as Error).message !== "withdrawal_state_conflict") throw error;
      this.rejected.push(`${name}: transfer of ${net_amount} cannot be cancelled`);
    }
  }

  private async lastWithdrawal(
    name: string,
  ): Promise<{ id: string; withdrawal_no: string; amount: string; net_amount: string }> {
    const [withdrawal] = await this.sql<{ id: string; withdrawal_no: string; amount: string; net_amount: string }[]>`
      select id, withdrawal_no, amount, amount - fee as net_amount from app.withdrawals where uid = ${this.uid(name)} order by id desc limit 1`;
    return withdrawal ?? fail(`${name} has not withdrawn anything.`);
  }

  /** All changes since the last call, one sentence each, including findings of reconcile(). */
  async changes(): Promise<string[]> {
    const settlements = await this.sql<Settlement[]>`select * from app.settlements order by order_id`;
    const bill = await this.sql<Grant[]>`
      select l.*, l.granted::text, w.fee, w.amount - w.fee as net_amount from (
        select b.*, coalesce(o.brokerage_delta + o.frozen_delta, b.brokerage_delta + b.frozen_delta)
          + coalesce(sum(b.brokerage_delta + b.frozen_delta + b.available_delta) filter (where b.reverses_id is not null) over (
            partition by b.reverses_id order by b.id
          ), 0) as granted
        from app.user_bill as b left join app.user_bill as o on o.id = b.reverses_id
      ) as l left join app.withdrawals as w on w.id = l.withdrawal_id order by l.id`;
    const paidByPoints = await this.sql<PaidByPoints[]>`
      select o.id, o.pay_price, jsonb_object_agg(l.title, l.paid_by_points::text order by l.id) filter (where l.paid_by_points > 0) as lines
      from app.orders as o join app.order_lines as l on l.order_id = o.id where o.points_spent > 0 group by o.id order by o.id`;
    const transfers = await this.sql`
      select id, uid, amount - fee as net_amount, coalesce(transfer_state, state) as state from app.withdrawals
      where method = 'wechat' and state <> 'requested' order by id`;
    const levels = await this.sql`select * from app.level_changes where from_level <> to_level order by id`;
    const requests = await this.sql<Request[]>`
      select r.id, r.order_id, r.state, sum(l.asked) as asked, sum(l.quantity) as units from app.refunds as r join app.refund_lines as l on l.refund_id = r.id
      where l.asked is not null group by r.id order by r.id`;
    const findings = await this.sql`select * from app.reconcile()`;
    return [
      ...bill
        .filter(({ id }) => this.isNew(`bill ${id}`))
        .map((row) => {
          const settlement = settlements.find(
            ({ order_id, earner_uid }) => order_id === row.order_id && earner_uid === row.uid,
          );
          return describeGrant(this.name(row.uid), row, settlement);
        }),
      ...paidByPoints
        .filter(({ id }) => this.isNew(`order ${id}`))
        .map((row) => describePoints(this.number(row.id), row)),
      ...settlements
        .filter(
          (row) =>
            this.isNew(`settlement ${row.order_id}`) &&
            !bill.some((b) => b.order_id === row.order_id && b.type === "brokerage"),
        )
        .map((row) => describeSettlement(row.earner_uid && this.name(row.earner_uid), this.number(row.order_id), row)),
      ...settlements
        .filter((row) => row.place_freed_at && this.isNew(`freed ${row.order_id}`))
        .map((row) => `${this.name(row.earner_uid)}: place ${row.place} of cycle ${row.cycle_no} is free again`),
      ...transfers
        .filter(({ id, state }) => this.isNew(`transfer ${id} ${state}`))
        .map(({ uid, net_amount, state }) => `${this.name(uid)}: transfer of ${net_amount}, state ${state}`),
      ...levels
        .filter(({ id }) => this.isNew(`level ${id}`))
        .map((row) => `${this.name(row.uid)}: level ${row.from_level} to ${row.to_level}`),
      ...requests
        .filter(({ id, state, units }) => this.isNew(`request ${id} ${state} ${units}`))
        .map((row) => describeRequest(this.number(row.order_id), row)),
      ...this.rejected.splice(0),
      ...findings.map((row) => `reconcile() finds ${JSON.stringify(row)}`),
    ];
  }

  async balances(name: string): Promise<string> {
    const [row] = await this.sql`
      select brokerage_price, trim_scale(frozen_points) as frozen, trim_scale(available_points) as available
      from app.user_balances where uid = ${this.uid(name)}`;
    return `${name} has ${row!.brokerage_price}, ${row!.frozen} frozen, ${row!.available} available`;
  }

  async withdrawable(name: string): Promise<string> {
    const [row] = await this.sql`
      select c.withdrawable, c.held_by_refunds as held, b.brokerage_price - c.withdrawable - c.held_by_refunds as maturing
      from app.user_balances as b cross join lateral app.commission_parts(b.uid, ${this.now}) as c where b.uid = ${this.uid(name)}`;
    return `${name} can withdraw ${row!.withdrawable}${row!.held === "0.00" ? "" : `, ${row!.held} is held`}, ${row!.maturing} is maturing`;
  }

  /** Members who have received or lost anything so far. */
  async paidMembers(): Promise<string[]> {
    return (await this.sql`select distinct uid from app.user_bill`).map(({ uid }) => this.name(uid));
  }

  private isNew(key: string): boolean {
    return !this.seen.has(key) && Boolean(this.seen.add(key));
  }

  private uid(name: string): string {
    return this.uids.get(name) ?? fail(`${name} has not joined.`);
  }

  private name(uid: string | null): string {
    return [...this.uids].find(([, known]) => known === uid)?.[0] ?? fail(`Nobody has uid ${uid}.`);
  }

  private orderId(order: string): string {
    return this.orderIds.get(order) ?? fail(`There is no order ${order}.`);
  }

  private number(id: string): string {
    return [...this.orderIds].find(([, known]) => known === id)?.[0] ?? fail(`No order has id ${id}.`);
  }
}

function fail(message: string): never {
  throw new Error(message);
}

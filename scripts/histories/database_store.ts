import { readFileSync } from "node:fs";
import type postgres from "postgres";
import { LIMITS } from "../model/adjustments.ts";
import type { Told } from "../model/events.ts";
import { PLANNER_SETTINGS, type PlannerSetting } from "../testing/planner.ts";
import type { Action, LevelSetting, NamedRefund, PlanChange, RefundLine } from "../model/actions.ts";
import { shortest, type Snapshot } from "../model/snapshot.ts";
import { PRODUCTS, REFUND_WINDOW } from "../model/store.ts";
import { hasWechat, TRANSFER_LIMITS } from "../model/transfer_terms.ts";
import { TERMS } from "../model/withdrawals.ts";

const SNAPSHOT = readFileSync(new URL("snapshot.sql", import.meta.url), "utf8");
const TEST_KIT = readFileSync(new URL("test_kit.sql", import.meta.url), "utf8");
const UNKNOWN_ID = "999999999";
/**
 * Most histories end in their first four months. Every statement that reads the bill is planned for all months that
 * there are.
 */
const PREPARED_UNTIL = "2025-06-30";
const MONTH_MS = 31 * 24 * 3600 * 1000;

/** A connection, inside or outside of a transaction. */
export type Connection = Pick<postgres.Sql, "unsafe">;

/** Adds the products and the test's own functions to a fresh database; committed, once per database. */
export async function prepareDatabase(sql: postgres.Sql): Promise<void> {
  await sql.unsafe(TEST_KIT);
  await sql`call app.ensure_month_partitions('2025-03-01', ${PREPARED_UNTIL})`;
  await sql`
    update app.settings
    set lifecycle_from = '2025-01-01', first_order_minutes = 129600, withdrawal_minimum = ${TERMS.minimum}, withdrawal_fee_rate = ${TERMS.feeRate}, withdrawal_methods = ${TERMS.methods},
      transfer_minimum = ${TRANSFER_LIMITS.minimum}, transfer_maximum = ${TRANSFER_LIMITS.maximum}, transfer_name_from = ${TRANSFER_LIMITS.nameFrom},
      adjustment_limit_money = ${LIMITS.money}, adjustment_limit_points = ${LIMITS.points},
      refund_window_days = ${REFUND_WINDOW}`;
  for (const product of PRODUCTS) {
    await sql`
      insert into app.products (title, price, freight, is_queue_goods, is_show, stock)
      values ('Product', ${product.price}, ${product.freight}, ${product.isQueueGoods}, ${product.isOnSale}, ${product.stock})`;
  }
}

interface Receipt {
  uid: number;
  commission: string;
  points: number;
}

/** What a member can withdraw, and whether the list of debts has the member. */
interface Withdrawable {
  amount: string;
  isDebtor: boolean;
}

/** The amounts paid in a period, in total and per member. */
export interface Paid {
  total: string;
  members: Record<string, string>;
}

/** The preview of a refund, or of the refusal of a request, and the newest bill row and change of a level before it. */
export interface Foreseen {
  order: string;
  newestBillId: string;
  newestLevelChangeId: string;
  /** The refusal of a request reverses nothing. */
  effects: { status?: number; reversals?: unknown[]; counts: Record<string, unknown>; rises: unknown[] };
}

/** Executes the model's actions in a prepared database. It maps the model's numbers to ids. */
export class DatabaseStore {
  private readonly uids: string[] = [];
  private readonly orderIds: string[] = [];
  private readonly withdrawalIds: string[] = [];
  private readonly sql: Connection;
  private readonly commits: boolean;
  private readonly nights: Connection | undefined;
  private nightSessions = 1;
  private preparedUntil: string;

  /**
   * @param commits whether the connection is outside of a transaction, so that the real release procedure can run
   * @param nights connections for the further sessions of a night. Without them, one session releases all ranges
   * @param preparedUntil the last day of the months that have partitions, or for which none are made
   */
  constructor(sql: Connection, commits: boolean, nights?: Connection, preparedUntil = PREPARED_UNTIL) {
    this.sql = sql;
    this.commits = commits;
    this.nights = nights;
    this.preparedUntil = preparedUntil;
  }

  /**
   * Executes one action at a given time.
   * @param now milliseconds
   * @param day the business day of a release, null for all that are missed
   * @returns "ok", the code of the error that rolled it back, or the number of executed jobs
   */
  async apply(action: Action, now: number, day: string | null): Promise<string> {
    await this.prepareMonths(now);
    const at = `${quote(new Date(now).toISOString())}::timestamptz`;
    switch (action.do) {
      case "sign_up":
        return this.signUp(action, at);
      case "create":
        return this.createOrder(action, at);
      case "release":
        return this.release(day, at);
      case "wait":
      case "compact":
      case "expand":
        return "ok";
      case "withdraw":
        return this.withdraw(action, at);
      case "adjust":
        return this.adjust(action, at);
      case "batch":
        return this.attempt(
          `select b.withdrawals || ' of ' || (b.amount * 100)::bigint
          from app.create_withdrawal_batch(${quote(action.method)}, null, null, null, ${at}, p_held_by_refunds => ${action.held ?? "null"}) as b`,
          true,
        );
      case "transfer_state":
        return this.attempt(
          `select (app.record_transfer_state(${this.withdrawalNo(action.withdrawal)}, ${quote(action.state)}, null, null, 'package', ${at})).state`,
          true,
        );
      case "notify_transfer":
        return this.attempt(this.notificationOf(action, at), true);
      case "leave":
        return this.attempt(`select test_kit.leave(${this.uid(action.member)}, ${action.isDeletion}, ${at})`, true);
      case "sum_teams":
        return this.sumTeams(action.limit);
      case "planner":
        return this.choosePlans(action.off);
      case "night_sessions":
        this.nightSessions = action.count;
        await this.sql.unsafe(`update app.settings set night_sessions = ${action.count}`);
        return "ok";
      case "break_settlements": {
        const ids = action.orders.map((order) => this.orderId(order)).join();
        return this.attempt(`select set_config('test_kit.broken_orders', '{${ids}}', false)`, false);
      }
      case "open_attempt":
        return this.attempt(
          `select split_part((r.attempt).attempt_no, '-', 2) || case when r.must_close then ' is to be closed' else '' end
        from app.open_attempt(${this.orderId(action.order)}, ${quote(action.provider)}, ${quote(action.method)}, null, ${at}) as r`,
          true,
        );
      case "attempt_state":
        return this.attempt(
          `select concat_ws(' ', (r.attempt).state, r.outcome)
        from app.record_attempt_state(${this.attemptNo(action)}, ${quote(action.state)}, ${this.attemptRef(action)}, ${this.price(action.order)}, 'CNY', ${action.accepted}, ${at}) as r`,
          true,
        );
      case "notify":
        return this.attempt(
          `select r.outcome from app.record_payment_notification(
          coalesce((select provider from app.payment_attempts where attempt_no = ${this.attemptNo(action)}), 'local'), 'event', 'payment', null, ${this.attemptNo(action)},
          ${this.attemptRef(action)}, ${this.price(action.order)}, 'CNY', ${at}
        ) as r`,
          true,
        );
      case "expire":
        return this.job("cancelled", "expire", "expire_orders", at);
      case "receive_delivered":
        return this.job("received", "receive_delivered", "receive_delivered_orders", at);
      case "write_due_events":
        await this.sql.unsafe(
          this.commits ? `call app.write_due_events(${at})` : `select test_kit.write_due_events(${at})`,
        );
        return "ok";
      case "run_jobs":
        return this.attempt(`select app.run_settlement_jobs(${action.limit}, ${at})`, true);
      default:
        return this.attempt(`select ${this.callOf(action, at)} is null`, false);
    }
  }

  /** Makes the partitions until the next month, as the store does before it begins. */
  private async prepareMonths(now: number): Promise<void> {
    const needed = new Date(now + MONTH_MS).toISOString().slice(0, 10);
    if (needed <= this.preparedUntil) return;
    await this.sql.unsafe(
      `select app.create_month_partition(t.name, m.month::date)
      from unnest(app.monthly_tables()) as t (name)
      cross join generate_series(date_trunc('month', ${quote(this.preparedUntil)}::timestamp), ${quote(needed)}::timestamp, '1 month') as m (month)`,
    );
    this.preparedUntil = needed;
  }

  /**
   * Compacts what can be compacted, or expands all of it.
   * @returns the compacted months.
   * @throws Error if a reconciliation finds anything then
   */
  async changeMonths(what: "compact" | "expand", now: number): Promise<string[]> {
    const [row] =
      what === "expand"
        ? await this.sql.unsafe("select test_kit.expand() as changed")
        : await this.sql.unsafe("select test_kit.compact($1::timestamptz) as changed", [new Date(now).toISOString()]);
    const { compacted, findings } = row!.changed;
    if (findings.length > 0) throw new Error(`after ${what}: ${JSON.stringify(findings)}`);
    return compacted;
  }

  /**
   * Previews a refund or a refusal, and returns the preview with the newest rows.
   * @returns undefined if the preview is rejected
   */
  async previewRefund(
    action: Extract<Action, { do: "refund" | "refuse_refund" }>,
    now: number,
  ): Promise<Foreseen | undefined> {
    const [newest] = await this.sql.unsafe(
      "select (select coalesce(max(id), 0) from app.user_bill) as bill, (select coalesce(max(id), 0) from app.level_changes) as level_change",
    );
    const order = this.orderId(action.order);
    const at = `${quote(new Date(now).toISOString())}::timestamptz`;
    const preview = await this.attempt(
      action.do === "refuse_refund"
        ? `select app.preview_refusal(${order})`
        : `select app.preview_refund(${order}, ${this.lines(action.order, action.lines)}, ${at}${this.namedBesides(action)})`,
      true,
    );
    if (!preview.startsWith("{")) return undefined;
    const { reversals, refund_status: status, counts, rises } = JSON.parse(preview);
    return {
      order,
      newestBillId: newest!.bill,
      newestLevelChangeId: newest!.level_change,
      effects: {
        ...(action.do === "refund" && {
          status,
          reversals: reversals.map((row: Record<string, unknown>) => ({ ...row, id: null })),
        }),
        counts: Object.fromEntries(counts.map((count: { uid: number; after: unknown }) => [count.uid, count.after])),
        rises,
      },
    };
  }

  /** The effects of a refund or of a refusal, in the format of its preview. A replayed refund has no effects. */
  async effectsSince({ order, newestBillId, newestLevelChangeId, effects }: Foreseen): Promise<Foreseen["effects"]> {
    const [row] = await this.sql.unsafe(
      `select
        (select refund_status from app.orders where id = $1) as status,
        coalesce((
          select jsonb_agg(app.bill_json(b) || '{"id": null, "adjustment_id": null}' order by b.id) from app.user_bill as b
          where b.id > $2 and (
            b.order_id = $1 and (b.reverses_id is not null or b.type = 'points_returned')
            -- What somebody gave up and a refund takes back.
            or b.type = 'adjustment' and greatest(b.brokerage_delta, b.frozen_delta, b.available_delta) > 0
          )
        ), '[]') as reversals,
        coalesce((
          select jsonb_object_agg(b.uid, jsonb_build_object(
            'direct_orders', b.direct_orders, 'umbrella_orders', b.umbrella_orders,
            'direct_members', b.direct_members, 'umbrella_members', b.umbrella_members
          ))
          from app.user_balances as b where b.uid = any (array(select jsonb_object_keys($3::text::jsonb)::bigint))
        ), '{}') as counts,
        coalesce((
          select jsonb_agg(jsonb_build_object('uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level) order by c.uid)
          from (
            select l.uid, min(l.from_level) as from_level, max(l.to_level) as to_level from app.level_changes as l
            where l.order_id = $1 and l.cause = 'refund' and l.id > $4 group by l.uid
          ) as c
        ), '[]') as rises`,
      [order, newestBillId, JSON.stringify(effects.counts), newestLevelChangeId],
    );
    return Object.fromEntries(Object.keys(effects).map((key) => [key, row![key]])) as unknown as Foreseen["effects"];
  }

  /** What each member can withdraw. Fails unless both invariants of docs/money.md hold for every member. */
  async withdrawable(now: number): Promise<Withdrawable[]> {
    const rows = await this.sql.unsafe(
      `select * from test_kit.accounts($1::timestamptz)`,
      [new Date(now).toISOString()],
      {
        prepare: true,
      },
    );
    for (const { uid, commission, commission_found: commissionFound, points, points_found: pointsFound } of rows) {
      if (commission !== commissionFound)
        throw new Error(`uid ${uid} was given a commission of ${commission}, but ${commissionFound} is accounted for`);
      if (points !== pointsFound)
        throw new Error(`uid ${uid} was given ${points} points, but ${pointsFound} are accounted for`);
    }
    return rows.map(({ withdrawable, is_debtor: isDebtor }) => ({ amount: withdrawable, isDebtor }));
  }

  /** Members for whom the simulation of all orders since a time differs from what they were paid. */
  async simulationDifferences(from: number): Promise<unknown[]> {
    const [row] = await this.sql.unsafe(
      "select app.simulate(null, null, $1::timestamptz, '2999-01-01T00:00:00Z', 20000, 10000) -> 'members' as members",
      [new Date(from).toISOString()],
    );
    return row!.members.filter(
      (member: Record<string, unknown>) =>
        member.commission !== member.paid_commission || member.points !== member.paid_points,
    );
  }

  /**
   * The forecasts of app.you_would_earn that differ from what an order then pays, for the members with most places and
   * two products.
   */
  async wrongForecasts(now: number): Promise<unknown[]> {
    const rows = await this.sql.unsafe(
      `select m.uid, p.product, f.foretold, f.paid
      from (
        select b.uid from app.user_balances as b join app.users as u using (uid) where u.left_at is null order by b.total_places desc, b.uid limit 2
      ) as m
      cross join (values (1), (3)) as p (product)
      cross join lateral test_kit.foretell(m.uid, p.product, $1::timestamptz) as f`,
      [new Date(now).toISOString()],
    );
    return rows.filter(
      ({ foretold, paid }) => foretold.commission !== paid.commission || foretold.points !== paid.points,
    );
  }

  /** Takes over a database that others have filled. The numbers of the model are the positions of the ids. */
  adopt(uids: string[], orderIds: string[], withdrawalIds: string[]): void {
    this.uids.push(...uids);
    this.orderIds.push(...orderIds);
    this.withdrawalIds.push(...withdrawalIds);
  }

  /** A copy of the mapping of members and orders, for another continuation of the history. */
  copy(): DatabaseStore {
    const copy = new DatabaseStore(this.sql, this.commits);
    copy.uids.push(...this.uids);
    copy.orderIds.push(...this.orderIds);
    copy.withdrawalIds.push(...this.withdrawalIds);
    return copy;
  }

  /** Simulates all orders since a time under a draft. @returns "rejected" if the draft is rejected */
  async simulateDraft(
    plan: PlanChange | null,
    levels: LevelSetting[] | null,
    from: number,
  ): Promise<Paid | "rejected"> {
    const outcome = await this.attempt(
      `select app.simulate(${draftJson(plan, levels)}, ${quote(new Date(from).toISOString())}::timestamptz, '2999-01-01T00:00:00Z', 20000, 10000)`,
      true,
    );
    if (!outcome.startsWith("{")) return "rejected";
    const { totals, members } = JSON.parse(outcome);
    return this.paid(members, totals.simulated);
  }

  /** Puts a draft in force. @returns whether the store accepts it */
  async putInForce(plan: PlanChange | null, levels: LevelSetting[] | null, now: number): Promise<boolean> {
    const at = `${quote(new Date(now).toISOString())}::timestamptz`;
    const outcomes = [
      ...(plan ? [await this.attempt(`select ${this.callOf({ do: "plan", plan }, at)} is null`, false)] : []),
      ...(levels ? [await this.attempt(`select ${this.callOf({ do: "levels", levels }, at)} is null`, false)] : []),
    ];
    return outcomes.every((outcome) => outcome === "ok");
  }

  /** The amounts paid for orders settled since a time, less reversals. */
  async paidSince(from: number): Promise<Paid> {
    const [row] = await this.sql.unsafe(
      `with paid as (
        select l.uid, sum(l.brokerage_delta) as commission, sum(l.frozen_delta + l.available_delta) as points
        from app.settlements as s join app.user_bill as l on l.order_id = s.order_id
        where s.settled_at >= $1::timestamptz and l.source <> 'checkout'
        group by l.uid
      )
      select
        coalesce((select jsonb_agg(jsonb_build_object('uid', p.uid, 'commission', p.commission::text, 'points', trim_scale(p.points))) from paid as p), '[]') as members,
        (select jsonb_build_object('commission', coalesce(sum(p.commission), 0.00)::text, 'points', trim_scale(coalesce(sum(p.points), 0))) from paid as p) as totals`,
      [new Date(from).toISOString()],
    );
    return this.paid(row!.members, row!.totals);
  }

  private paid(members: Receipt[], totals: Omit<Receipt, "uid"> | undefined): Paid {
    const receipts = members
      .filter(({ commission, points }) => Number(commission) !== 0 || points !== 0)
      .map(({ uid, commission, points }): [string, string] => [
        `member ${this.uids.indexOf(String(uid)) + 1}`,
        `${commission} and ${points} points`,
      ]);
    return {
      total: `${totals?.commission ?? "0.00"} and ${totals?.points ?? 0} points`,
      members: Object.fromEntries(receipts.sort(([a], [b]) => a.localeCompare(b))),
    };
  }

  /** The closed branches, with how many members are above them, and the orders that have paid above. */
  async closedBranches(): Promise<{ head: number; above: number; canMove: boolean; paidAbove: number[] }[]> {
    const rows = await this.sql.unsafe(
      "select c.uid, c.above, 'corrected_referrer' = any (c.opened_by) as can_move, array(select o from app.orders_that_paid_above(c.uid) as o order by o)::text[] as orders from app.closed_branches(0) as c order by c.uid",
    );
    return rows.map(({ uid, above, can_move, orders }) => ({
      head: this.uids.indexOf(String(uid)) + 1,
      above,
      canMove: can_move,
      paidAbove: (orders as string[]).map((id) => this.orderIds.indexOf(id) + 1),
    }));
  }

  /** What the books and the events state differently. */
  async eventDifferences(): Promise<unknown[]> {
    return this.sql.unsafe("select * from app.compare_events('-infinity', 'infinity')");
  }

  /** All events, in the order of reading, with the numbers of the model. */
  async told(): Promise<Told[]> {
    const rows = await this.sql.unsafe(
      `select e.type, e.subject, e.subject_id, e.uid, e.payload, e.cause, case e.cause when 'order' then e.cause_id when 'refund' then test_kit.rank(e.cause_id) end as cause_id,
        test_kit.rank((e.payload ->> 'refund_id')::bigint) as refund
      from app.events as e order by e.era, e.xid, e.id`,
    );
    const adjustments = (await this.sql.unsafe("select id from app.adjustments order by id")).map(
      ({ id }) => id as string,
    );
    const number = (ids: string[], id: string) => ids.indexOf(id) + 1;
    const ids: Record<string, string[]> = {
      member: this.uids,
      order: this.orderIds,
      withdrawal: this.withdrawalIds,
      adjustment: adjustments,
    };
    return rows.map(({ type, subject, subject_id: id, uid, payload, cause, cause_id: causeId, refund }) => ({
      type,
      subject: ids[subject] ? number(ids[subject], id) : Number(id),
      member: uid === null ? null : number(this.uids, uid),
      payload: refund === null ? payload : { ...payload, refund_id: refund },
      cause:
        cause === "order"
          ? `order ${number(this.orderIds, causeId)}`
          : cause === "refund"
            ? `refund ${causeId}`
            : cause,
    }));
  }

  /**
   * What the store says of an instant about the first members and its liabilities, in the form of the model, or the
   * code of its error.
   */
  async asOf(instant: number, members: number) {
    const at = `${quote(new Date(instant).toISOString())}::timestamptz`;
    const outcome = await this.attempt(
      `select jsonb_build_object(
        'liabilities', app.liabilities_json(t.at, t.at),
        'members', (select jsonb_agg(app.member_json(m.uid, t.at, t.at) order by m.ordinality) from unnest('{${this.uids.slice(0, members).join()}}'::bigint[]) with ordinality as m (uid))
      )
      from app.past_time(${at}, 'infinity') as t (at)`,
      true,
    );
    if (!outcome.startsWith("{")) return outcome;
    const plans = (await this.sql.unsafe("select version from app.commission_plans order by version")).map(
      ({ version }) => version,
    );
    const { liabilities, members: pages } = JSON.parse(outcome);
    const { points, ...money } = liabilities;
    const { release, ...totals } = points;
    return {
      liabilities: { ...money, points: totals, releasing: release.members },
      members: (pages ?? []).map((page: Record<string, never>) => {
        const {
          spread_uid,
          agent_level,
          level_is_held,
          no_assess,
          brokerage_price,
          frozen_points,
          available_points,
          total_points_earned,
        } = page;
        const { progress, accounts } = page as never as { progress: { plan_version: number }; accounts: object };
        return {
          spread_uid: spread_uid === null ? 0 : this.uids.indexOf(String(spread_uid)) + 1,
          ...{
            agent_level,
            level_is_held,
            no_assess,
            brokerage_price,
            frozen_points,
            available_points,
            total_points_earned,
          },
          progress: { ...progress, plan_version: plans.indexOf(progress.plan_version) },
          accounts,
        };
      }),
    };
  }

  /** What the store says of an instant about a member who came later. */
  async asOfBefore(instant: number, member: number): Promise<string> {
    return this.attempt(
      `select app.member_json(${this.uid(member)}, ${quote(new Date(instant).toISOString())}, now())`,
      true,
    );
  }

  async snapshot(): Promise<Snapshot> {
    await this.sumTeams(1000);
    const [row] = await this.sql.unsafe(SNAPSHOT, [], { prepare: true });
    const found = row!.snapshot;
    const plans = (await this.sql.unsafe("select version from app.commission_plans order by version")).map(
      ({ version }) => version,
    );
    const plan = (version: number | null) => (version === null ? null : plans.indexOf(version));
    const member = (uid: number | null) => (uid === null ? 0 : this.uids.indexOf(String(uid)) + 1);
    const order = (id: number | null) => (id === null ? null : this.orderIds.indexOf(String(id)) + 1);
    for (const each of found.members ?? []) {
      const billIds = each.bill.map((bill: { id: number }) => bill.id);
      each.referrer = member(each.referrer);
      each.cyclePlan = plan(each.cyclePlan);
      for (const change of each.levelChanges) change.order = order(change.order);
      for (const bill of each.bill) {
        bill.reverses = bill.reverses === null ? null : billIds.indexOf(bill.reverses) + 1;
        bill.order = order(bill.order);
        bill.basis = bill.basis && shortest(bill.basis);
        bill.rate = bill.rate && shortest(bill.rate);
        delete bill.id;
      }
    }
    for (const each of found.withdrawals ?? []) each.member = member(each.member);
    for (const each of found.withholdings ?? []) {
      each.withdrawal = this.withdrawalIds.indexOf(String(each.withdrawal)) + 1;
      each.member = member(each.member);
    }
    for (const each of found.adjustments ?? []) {
      each.member = member(each.member);
      each.createdBy = member(each.createdBy);
      each.decidedBy = each.state === "waiting" ? null : member(each.decidedBy);
    }
    for (const each of found.orders ?? []) {
      each.referrer = member(each.referrer);
      each.plan = plan(each.plan);
      if (!each.settlement) continue;
      each.settlement.earner = member(each.settlement.earner);
      each.settlement.cyclePlan = plan(each.settlement.cyclePlan);
    }
    return {
      members: found.members ?? [],
      orders: found.orders ?? [],
      releaseDays: found.releaseDays ?? [],
      withdrawals: found.withdrawals ?? [],
      withholdings: found.withholdings ?? [],
      adjustments: found.adjustments ?? [],
      stock: found.stock,
      findings: found.findings ?? [],
    };
  }

  private callOf(action: Action, at: string): string {
    switch (action.do) {
      case "points_terms":
        return `app.set_settings('{"points_rate": ${action.rate}, "points_max_share": ${action.maxShare}}', now())`;
      case "bind":
        return `app.bind_spread(${this.uid(action.member)}, ${this.uid(action.under)}, ${at})`;
      case "set_referrer":
        return `app.set_spread(${this.uid(action.member)}, ${this.uid(action.under)}, 'Test', null, ${at})`;
      case "pay":
        return `app.pay_order(${this.orderId(action.order)}, 'test', ${quote(action.ref)}, ${at})`;
      case "cancel":
        return `app.cancel_order(${this.orderId(action.order)}, ${at})`;
      case "deliver":
        return `app.deliver_order(${this.orderId(action.order)}, ${at})`;
      case "receive":
        return `app.confirm_receipt(${this.orderId(action.order)}, ${at})`;
      case "settle":
        return `app.settle_order(${this.orderId(action.order)}, ${at})`;
      case "request_refund":
        return `app.request_refund(${this.orderId(action.order)}, ${this.lines(action.order, action.lines)}, 'test', ${at})`;
      case "refuse_refund":
        return `app.refuse_refund(${this.orderId(action.order)}, ${at})`;
      case "take_back_refund":
        return `app.take_back_refund(${this.orderId(action.order)}, ${at})`;
      case "refund": {
        const ref = action.ref === null ? "null" : quote(action.ref);
        return `app.refund_order(${this.orderId(action.order)}, ${this.lines(action.order, action.lines)}, ${ref}, ${at}${this.namedBesides(action)})`;
      }
      case "plan":
        return `app.create_plan(${json(planJson(action.plan))}, null, ${at})`;
      case "levels":
        return `app.set_agent_levels(${json(action.levels.map(levelJson))}, null, ${at})`;
      case "set_level":
        return `app.set_agent_level(${this.uid(action.member)}, ${action.grade}::smallint, null, ${at}, ${action.hold})`;
      case "no_assess":
        return `app.set_no_assess(${this.uid(action.member)}, ${action.value}, null, ${at})`;
      case "advance_withdrawal":
        return action.state === "approved"
          ? `app.approve_withdrawal(${this.locked(action.withdrawal)}, ${at}, p_held_by_refunds => ${action.held ?? "null"})`
          : `app.move_withdrawal(${this.locked(action.withdrawal)}, 'paying', ${at}, p_held_by_refunds => ${action.held ?? "null"})`;
      case "end_withdrawal":
        return `test_kit.end_withdrawal(${this.withdrawalId(action.withdrawal)}, ${quote(action.state)}, ${at}, ${action.held ?? "null"})`;
      case "begin_transfer":
        return `app.begin_transfer(${this.withdrawalNo(action.withdrawal)}, 'merchant', ${at})`;
      case "cancel_transfer":
        return `app.cancel_transfer(${this.locked(action.withdrawal)}, ${at})`;
      case "tax_method":
        return `app.set_settings('{"tax_method": "${action.method}"}', now())`;
      case "allow_tax":
        return `app.allow_tax(${this.uid(action.member)}, to_char(app.business_day(${at}), 'YYYY-MM'), ${action.exempt}, ${action.other}, ${action.relief}, 'Test', null, ${at})`;
      case "administrator":
        return `app.add_administrator(${this.account(action.member)}, '{finance}')`;
      case "decide_adjustment":
        return `app.decide_adjustment(${this.adjustmentId(action.adjustment)}, ${quote(action.state)}, ${this.account(action.by)}::uuid, ${at})`;
      default:
        throw new Error(`No call for ${action.do}.`);
    }
  }

  private async sumTeams(limit: number): Promise<string> {
    await this.sql.unsafe(`do $$ begin while app.sum_team_changes(${limit}) loop end loop; end $$`);
    return "ok";
  }

  private async choosePlans(off: PlannerSetting[]): Promise<string> {
    const settings = PLANNER_SETTINGS.map((name) => `set ${name} = ${off.includes(name) ? "off" : "on"}`);
    await this.sql.unsafe([...settings, "discard plans"].join(";"));
    return "ok";
  }

  private async signUp({ under, opening }: Extract<Action, { do: "sign_up" }>, at: string): Promise<string> {
    const data = under === 0 ? {} : { spread: this.uid(under) };
    const [row] = await this.sql.unsafe(
      `insert into auth.users (email_confirmed_at, id, raw_user_meta_data) values (now(), gen_random_uuid(), ${json(data)}) returning id`,
    );
    const [user] = await this.sql.unsafe("select uid from app.users where auth_id = $1", [row!.id], { prepare: true });
    this.uids.push(user!.uid);
    await this.sql.unsafe(
      `update app.users set add_time = ${at}, spread_time = case when spread_uid is not null then ${at} end where uid = ${user!.uid}`,
    );
    if (under !== 0) await this.sql.unsafe(`select test_kit.backdate_event('member.referred', ${user!.uid}, ${at})`);
    if (hasWechat(this.uids.length))
      await this.sql.unsafe("insert into app.wechat_accounts (appid, openid, auth_id) values ('app', $1, $2)", [
        `openid ${user!.uid}`,
        row!.id,
      ]);
    if (opening) {
      const entry = `(${user!.uid}, 'opening_balance', 'import', ${opening.brokerage}, ${opening.frozen}, ${opening.available}, null, null, null, null, null, null, null, null)`;
      await this.sql.unsafe(`select from app.book_entries(array[${entry}::app.bill_entry], '{}', '{}', ${at})`);
    }
    return "ok";
  }

  private async createOrder(action: Extract<Action, { do: "create" }>, at: string): Promise<string> {
    const items = action.items.map(({ product, quantity, discount }) => ({ product_id: product, quantity, discount }));
    const outcome = await this.attempt(
      `select o.id from app.create_order(${this.uid(action.buyer)}, ${json(items)}, ${at}, p_use_points => ${action.usePoints ?? "null"}) as o`,
      true,
    );
    if (!/^\d+$/.test(outcome)) return outcome;
    this.orderIds.push(outcome);
    return "ok";
  }

  private async withdraw(
    { member, amount, method, isNamed }: Extract<Action, { do: "withdraw" }>,
    at: string,
  ): Promise<string> {
    const uid = this.uid(member);
    const account =
      method === "wechat"
        ? "null"
        : `(
      select a.id from app.users as u, app.add_payout_account(u.uid, '${method}', 'Payee', '13800000000', ${method === "bank" ? "'Bank'" : "null"}, ${at}) as a where u.uid = ${uid}
    )`;
    const outcome = await this.attempt(
      `select w.id from app.request_withdrawal(${uid}, ${amount}, ${quote(method)}, ${account}, ${at}, ${isNamed ? "'Payee'" : "null"}) as w`,
      true,
    );
    if (!/^\d+$/.test(outcome)) return outcome;
    this.withdrawalIds.push(outcome);
    return "ok";
  }

  private async adjust(
    { member, brokerage, frozen, available, by }: Extract<Action, { do: "adjust" }>,
    at: string,
  ): Promise<string> {
    const outcome = await this.attempt(
      `select a.id from app.create_adjustment(${this.uid(member)}, ${brokerage}, ${frozen}, ${available}, 'test', ${this.account(by)}::uuid, ${at}) as a`,
      true,
    );
    return /^\d+$/.test(outcome) ? "ok" : outcome;
  }

  private async release(day: string | null, at: string): Promise<string> {
    const date = day === null ? "null::date" : `${quote(day)}::date`;
    if (!this.commits) return this.attempt(`select test_kit.release(${date}, ${at})`, false);
    const others = this.nights ? Array.from({ length: this.nightSessions - 1 }, () => this.nights!) : [];
    // Small chunks, so that the sessions take turns.
    const night = [this.sql, ...others].map((sql) =>
      sql.unsafe(`call app.release_frozen_points(${date}, ${at}, 2)`).then(
        () => "ok",
        (error: unknown) => (error as Error).message,
      ),
    );
    return [...new Set(await Promise.all(night))].join();
  }

  /** Runs a scheduled job. @returns how many orders got into a state */
  private async job(state: string, kit: string, procedure: string, at: string): Promise<string> {
    const count = async () =>
      Number((await this.sql.unsafe(`select count(*) from app.orders where state = '${state}'`))[0]!.count);
    const before = await count();
    await this.sql.unsafe(this.commits ? `call app.${procedure}(${at})` : `select test_kit.${kit}(${at})`);
    return String((await count()) - before);
  }

  private attemptNo({ order, attempt }: { order: number; attempt: number }): string {
    return `coalesce((select order_no from app.orders where id = ${this.orderId(order)}), 'none') || '-${attempt}'`;
  }

  private attemptRef({ order, attempt }: { order: number; attempt: number }): string {
    return `coalesce((select provider from app.payment_attempts where attempt_no = ${this.attemptNo({ order, attempt })}), '') || ' ${order}-${attempt}'`;
  }

  private price(order: number): string {
    return `(select pay_price from app.orders where id = ${this.orderId(order)})`;
  }

  private async attempt(statement: string, wantsValue: boolean): Promise<string> {
    const [row] = await this.sql.unsafe("select test_kit.attempt($1) as outcome", [statement], { prepare: true });
    const outcome = row!.outcome as string;
    if (outcome.startsWith("error:")) return outcome.slice("error:".length);
    return wantsValue ? outcome.slice("value:".length) : "ok";
  }

  private uid(member: number): string {
    return this.uids[member - 1] ?? UNKNOWN_ID;
  }

  private orderId(order: number): string {
    return this.orderIds[order - 1] ?? UNKNOWN_ID;
  }

  private withdrawalId(withdrawal: number): string {
    return this.withdrawalIds[withdrawal - 1] ?? UNKNOWN_ID;
  }

  private withdrawalNo(withdrawal: number): string {
    return `(select w.withdrawal_no from app.withdrawals as w where w.id = ${this.withdrawalId(withdrawal)})`;
  }

  /** A withdrawal that is locked, as the functions of administrators lock it. */
  private locked(withdrawal: number): string {
    return `app.lock_withdrawal(${this.withdrawalId(withdrawal)})`;
  }

  private notificationOf(
    { withdrawal, state, differs }: Extract<Action, { do: "notify_transfer" }>,
    at: string,
  ): string {
    const net = `(select app.net_amount(w) from app.withdrawals as w where w.id = ${this.withdrawalId(withdrawal)})`;
    const openid =
      differs === "payee"
        ? "'another'"
        : `(select t.openid from app.transfers as t where t.withdrawal_id = ${this.withdrawalId(withdrawal)})`;
    return `select concat_ws(' ', r.outcome, r.reason) from app.record_transfer_notification(
      'wechat', 'event', coalesce(${this.withdrawalNo(withdrawal)}, 'none'), ${openid}, coalesce(${net}, 1.00) ${differs === "amount" ? "+ 0.01" : ""}, ${quote(state)}, null, null, ${at}
    ) as r`;
  }

  /** The store makes adjustments, too, when members leave. */
  private adjustmentId(adjustment: number): string {
    if (adjustment === 0) return UNKNOWN_ID;
    return `coalesce((select a.id from app.adjustments as a order by a.id offset ${adjustment - 1} limit 1), ${UNKNOWN_ID})`;
  }

  /** The id of the Auth account of a member, as text. */
  private account(member: number): string {
    return member === 0 ? "null" : `(select auth_id::text from app.users where uid = ${this.uid(member)})`;
  }

  private lines(order: number, lines: RefundLine[] | null): string {
    if (lines === null) return "null::jsonb";
    const each = lines.map(({ line, ...named }) => {
      const id = `(select id from app.order_lines where order_id = ${this.orderId(order)} order by id offset ${line - 1} limit 1)`;
      const what = "quantity" in named ? `'quantity', ${named.quantity}` : `'amount', ${quote(named.amount)}`;
      return `jsonb_build_object('line_id', ${line === 0 ? UNKNOWN_ID : id}, ${what})`;
    });
    return `jsonb_build_array(${each.join()})`;
  }

  /** What a refund names besides lines. */
  private namedBesides({ amount, freight, answersRequest }: NamedRefund): string {
    const named = [
      ...(amount === undefined ? [] : [`p_amount => ${amount}`]),
      ...(freight === undefined ? [] : [`p_freight => ${freight}`]),
      ...(answersRequest === undefined ? [] : [`p_answers_request => ${answersRequest}`]),
    ];
    return named.map((each) => `, ${each}`).join("");
  }
}

function planJson(plan: PlanChange) {
  return {
    people_per_cycle: plan.peoplePerCycle ?? plan.tierRatios?.length,
    tier_ratios: plan.tierRatios?.map(Number),
    brokerage_scope: plan.scope,
    brokerage_timing: plan.timing,
    points_per_brokerage: plan.pointsPerBrokerage === undefined ? undefined : Number(plan.pointsPerBrokerage),
    max_depth: plan.maxDepth,
    payout_cap: plan.payoutCap === undefined ? undefined : Number(plan.payoutCap),
    minimum_base: plan.minimumBase === undefined ? undefined : Number(plan.minimumBase),
    holding_days: plan.holdingDays,
  };
}

function levelJson(level: LevelSetting) {
  return {
    grade: level.grade,
    name: `Grade ${level.grade}`,
    name_zh: `${level.grade} 级`,
    direct_points: Number(level.directPoints),
    umbrella_points: Number(level.umbrellaPoints),
    is_active: level.isActive,
    tasks: level.tasks,
  };
}

function draftJson(plan: PlanChange | null, levels: LevelSetting[] | null): string {
  return `${plan ? json(planJson(plan)) : "null"}, ${levels ? json(levels.map(levelJson)) : "null"}`;
}

function json(value: unknown): string {
  return `${quote(JSON.stringify(value))}::jsonb`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

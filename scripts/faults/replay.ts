import type postgres from "postgres";
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "../../kit/rules/plans.ts";
import { applyToModel } from "../model/apply.ts";
import type { Action, Item, NamedRefund, RequestLines, WithdrawalMethod } from "../model/actions.ts";
import { money, points, ratio } from "../model/amounts.ts";
import { hasToRelease, releaseMember } from "../model/release.ts";
import { snapshotOfModel } from "../model/snapshot.ts";
import type { Order } from "../model/state.ts";
import { Store } from "../model/store.ts";
import { DatabaseStore } from "../histories/database_store.ts";
import type { Zone } from "./clock.ts";

/** More points than anybody has. */
const ALL_POINTS = "99999999";

/** A store without later sign-ups: it finds a member's upline, downline and orders without reading all of them. */
class StoreOfKnownMembers extends Store {
  private readonly uplines = new Map<number, number[]>();
  private readonly downlines = new Map<number, number[]>();
  private readonly ordersByBuyer = new Map<number, Order[]>();
  private known = 0;

  override upline(number: number): number[] {
    const upline = this.uplines.get(number) ?? super.upline(number);
    this.uplines.set(number, upline);
    return upline;
  }

  override below(number: number): number[] {
    if (this.downlines.size === 0)
      this.members.forEach((_, index) =>
        this.upline(index + 1).forEach((above) => add(this.downlines, above, index + 1)),
      );
    return this.downlines.get(number) ?? [];
  }

  override ordersOf(buyer: number): Order[] {
    for (; this.known < this.orders.length; this.known += 1)
      add(this.ordersByBuyer, this.orders[this.known]!.buyer, this.orders[this.known]!);
    return this.ordersByBuyer.get(buyer) ?? [];
  }
}

function add<Item>(lists: Map<number, Item[]>, key: number, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

interface Event {
  /**
   * Seconds since 1970 with microseconds: writes that depend on each other have times in the sequence of their locks.
   */
  at: string;
  position: string | null;
  what:
    | "create"
    | "cancel"
    | "pay"
    | "deliver"
    | "receive"
    | "settle"
    | "request"
    | "refuse"
    | "take_back"
    | "refund"
    | "withdraw"
    | "approve"
    | "end"
    | "adjust"
    | "decide"
    | "release"
    | "begin_day"
    | "end_day";
  id: string;
  more: Details;
}

/** What an event needs besides its id; only its own fields are set. */
interface Details {
  uid: number;
  key: string;
  items: Item[];
  ref: string;
  lines: NamedRefund["lines"];
  asked: RequestLines;
  freight: string;
  answers: boolean;
  amount: string;
  method: WithdrawalMethod;
  state: "paid" | "refused" | "failed" | "booked";
  day: string;
  plan: number;
  brokerage: string;
  frozen: string;
  available: string;
  by: number;
}

/** All events that the store has recorded, in the sequence in which they took effect. */
const EVENTS = `
  select extract(epoch from e.at)::text as at, e.position, e.what, e.id, e.more
  from (
    select o.add_time as at, null::bigint as position, 'create' as what, o.id::text as id, jsonb_build_object(
      'uid', o.uid, 'key', o.remark,
      'items', (select jsonb_agg(jsonb_build_object('product', l.product_id, 'quantity', l.quantity) order by l.id) from app.order_lines as l where l.order_id = o.id)
    ) as more from app.orders as o
    union all select o.cancelled_at, null, 'cancel', o.id::text, '{}' from app.orders as o where o.cancelled_at is not null
    -- What costs nothing is paid when it is placed.
    union all select o.paid_at, null, 'pay', o.id::text, jsonb_build_object('ref', o.pay_ref, 'plan', o.plan_version) from app.orders as o
      where o.paid_at is not null and o.pay_type <> 'free'
    union all select o.delivered_at, null, 'deliver', o.id::text, '{}' from app.orders as o where o.delivered_at is not null
    -- A receipt that settles is dated before it has the locks of the settlement.
    union all select case when p.brokerage_timing = 'confirm' then greatest(o.received_at, s.settled_at) else o.received_at end, null, 'receive', o.id::text, '{}'
      from app.orders as o join app.commission_plans as p on p.version = o.plan_version left join app.settlements as s on s.order_id = o.id
      where o.received_at is not null
    -- An order that is refunded before its settlement is settled by the refund.
    -- Orders that one call settled have the same time. Their sequence is that of their payments, not the stored one, which is tested.
    union all select s.settled_at, min(s.position) over (partition by s.settled_at) + row_number() over (partition by s.settled_at order by o.paid_at, o.id), 'settle',
      s.order_id::text, '{}' from app.settlements as s join app.orders as o on o.id = s.order_id where s.state = 'settled'
    union all select r.created_at, r.position, 'request', r.order_id::text, jsonb_build_object('asked', n.asked)
      from app.refunds as r cross join lateral (${linesOf("r")}) as n where r.decided_position is distinct from r.position
    union all select r.decided_at, r.decided_position, case r.state when 'refused' then 'refuse' else 'take_back' end, r.order_id::text, '{}' from app.refunds as r
      where r.state in ('refused', 'taken_back')
    -- A request of which other refunds have taken all that it asked for ends with the last of them.
    union all select r.decided_at, r.decided_position, 'refund', r.order_id::text, jsonb_build_object(
        'ref', r.refund_ref, 'lines', case when r.names_units then n.lines end, 'freight', r.freight::text, 'answers', r.decided_position <> r.position
      )
      from app.refunds as r cross join lateral (${linesOf("r")}) as n
      where r.state = 'refunded' or (r.state = 'partly_refunded' and exists (select from app.refund_lines as l where l.refund_id = r.id and l.quantity > 0))
    union all select w.add_time, null, 'withdraw', w.id::text, jsonb_build_object('uid', w.uid, 'amount', w.amount::text, 'method', w.method) from app.withdrawals as w
    union all select w.approved_at, null, 'approve', w.id::text, '{}' from app.withdrawals as w where w.approved_at is not null
    union all select w.ended_at, null, 'end', w.id::text, jsonb_build_object('state', w.state) from app.withdrawals as w where w.ended_at is not null
    union all select a.add_time, null, 'adjust', a.id::text, jsonb_build_object('uid', a.uid, 'by', (select u.uid from app.users as u where u.auth_id = a.created_by),
      'brokerage', a.brokerage_delta::text, 'frozen', a.frozen_delta::text, 'available', a.available_delta::text) from app.adjustments as a
    -- Within the limits, whoever makes an adjustment has decided it.
    union all select a.decided_at, null, 'decide', a.id::text, jsonb_build_object('state', a.state, 'by', (select u.uid from app.users as u where u.auth_id = a.decided_by))
      from app.adjustments as a where a.decided_by <> a.created_by
    union all select l.add_time, l.id, 'release', l.uid::text, jsonb_build_object('day', l.release_date) from app.points_release_log as l
    union all select r.started_at, null, 'begin_day', '', jsonb_build_object('day', r.release_date) from app.release_runs as r
    union all select r.finished_at, null, 'end_day', '', jsonb_build_object('day', r.release_date) from app.release_runs as r where r.finished_at is not null
  ) as e
  order by e.at, e.position nulls first, e.id::text`;

function linesOf(refund: string): string {
  return `select
      coalesce(jsonb_agg(jsonb_build_object('line', p.number, 'quantity', coalesce(l.asked, l.quantity)) order by p.number) filter (where coalesce(l.asked, l.quantity) > 0), '[]') as asked,
      coalesce(jsonb_agg(case when l.concession > 0 then jsonb_build_object('line', p.number, 'amount', l.concession::text)
        else jsonb_build_object('line', p.number, 'quantity', l.quantity) end order by p.number) filter (where l.quantity > 0 or l.concession > 0), '[]') as lines
    from app.refund_lines as l
    join (select o.id, row_number() over (partition by o.order_id order by o.id) as number from app.order_lines as o where o.order_id = ${refund}.order_id) as p on p.id = l.line_id
    where l.refund_id = ${refund}.id`;
}

/**
 * Replays everything that the store has recorded in the reference model.
 * @param withPoints the remarks of orders that were placed with as many points as possible
 * @param zones the time zones of the store, oldest first
 * @returns what differs, at most a few lines
 */
export async function compareWithModel(sql: postgres.Sql, withPoints: Set<string>, zones: Zone[]): Promise<string[]> {
  const model = new StoreOfKnownMembers();
  const uids = (await sql`select uid from app.users order by uid`).map(({ uid }) => String(uid));
  const member = (uid: unknown) => uids.indexOf(String(uid)) + 1;
  for (const { spread_uid } of await sql`select spread_uid from app.users order by uid`)
    applyToModel(model, { do: "sign_up", under: member(spread_uid) });
  for (const {
    uid,
  } of await sql`select u.uid from app.users as u join app.administrators as a on a.auth_id = u.auth_id`)
    model.administrators.add(member(uid));
  const versions = await readPlans(sql, model);
  model.refundWindow = (await sql`select refund_window_days from app.settings`)[0]!.refund_window_days;
  applyToModel(model, { do: "points_terms", rate: "0.01", maxShare: "0.5" });

  const differences: string[] = [];
  const [orderIds, withdrawalIds, adjustmentIds]: [string[], string[], string[]] = [[], [], []];
  const due = new Map<string, number[]>();
  for (const { at, what, id, more } of await sql.unsafe<Event[]>(EVENTS)) {
    model.now = Number(at) * 1000;
    model.zone = zones.findLast(({ from }) => from <= model.now)!.offset * 1000;
    const order = orderIds.indexOf(id) + 1;
    const withdrawal = withdrawalIds.indexOf(id) + 1;
    const perform = (action: Action) => {
      const outcome = applyToModel(model, action);
      if (outcome !== "ok")
        differences.push(`${what} ${id} at ${new Date(model.now).toISOString()}: the model says ${outcome}`);
    };
    switch (what) {
      case "create":
        orderIds.push(id);
        perform({
          do: "create",
          buyer: member(more.uid),
          items: more.items,
          ...(withPoints.has(more.key) && { usePoints: ALL_POINTS }),
        });
        break;
      case "cancel":
        perform({ do: "cancel", order });
        break;
      case "pay": {
        // A payment takes the newest plan that it sees, which another transaction may have replaced before the
        // payment's own time.
        const later = model.plans.splice(versions.indexOf(more.plan) + 1);
        perform({ do: "pay", order, ref: more.ref });
        model.plans.push(...later);
        break;
      }
      case "deliver":
        perform({ do: "deliver", order });
        break;
      case "receive":
        perform({ do: "receive", order });
        break;
      case "settle":
        perform({ do: "settle", order });
        break;
      case "request":
        perform({ do: "request_refund", order, lines: more.asked });
        break;
      case "refuse":
        perform({ do: "refuse_refund", order });
        break;
      case "take_back":
        perform({ do: "take_back_refund", order });
        break;
      case "refund":
        perform({
          do: "refund",
          order,
          lines: more.lines,
          freight: more.freight,
          answersRequest: more.answers,
          ref: more.ref,
        });
        break;
      case "withdraw":
        withdrawalIds.push(id);
        perform({ do: "withdraw", member: member(more.uid), amount: more.amount, method: more.method });
        break;
      case "approve":
        perform({ do: "advance_withdrawal", withdrawal, state: "approved" });
        break;
      case "end":
        perform({ do: "end_withdrawal", withdrawal, state: more.state as "paid" });
        break;
      case "adjust":
        adjustmentIds.push(id);
        perform({
          do: "adjust",
          member: member(more.uid),
          brokerage: more.brokerage,
          frozen: more.frozen,
          available: more.available,
          by: member(more.by),
        });
        break;
      case "decide":
        perform({
          do: "decide_adjustment",
          adjustment: adjustmentIds.indexOf(id) + 1,
          state: more.state as "booked",
          by: member(more.by),
        });
        break;
      case "release":
        if (model.member(member(id)).releases.some(({ day }) => day === more.day))
          differences.push(`uid ${id} was released twice on ${more.day}`);
        releaseMember(model, member(id), more.day);
        break;
      case "begin_day":
        due.set(
          more.day,
          uids.map((_, index) => index + 1).filter((number) => hasToRelease(model, number, more.day)),
        );
        break;
      case "end_day":
        model.releaseDays.add(more.day);
        for (const number of due.get(more.day) ?? []) {
          const isReleased = model.member(number).releases.some(({ day }) => day === more.day);
          if (!isReleased && hasToRelease(model, number, more.day))
            differences.push(`uid ${uids[number - 1]!} was not released on ${more.day}`);
        }
    }
  }
  return [...differences, ...(await compareSnapshots(sql, model, uids, orderIds, withdrawalIds, adjustmentIds))].slice(
    0,
    20,
  );
}

/** Gives the model all plans of the store: the first is its own. @returns their versions */
async function readPlans(sql: postgres.Sql, model: Store): Promise<number[]> {
  const plans =
    await sql`select p.*, to_jsonb(p.tier_ratios::text[]) as ratios from app.commission_plans as p order by p.version`;
  model.plans.splice(
    0,
    model.plans.length,
    ...plans.map((plan): Plan => ({
      peoplePerCycle: plan.people_per_cycle,
      tierRatios: plan.ratios.map(ratio),
      scope: plan.brokerage_scope,
      timing: plan.brokerage_timing,
      pointsPerBrokerage: points(plan.points_per_brokerage),
      maxDepth: plan.max_depth,
      payoutCap: ratio(plan.payout_cap),
      minimumBase: money(plan.minimum_base),
      holdingDays: plan.holding_days,
    })),
  );
  return plans.map(({ version }) => version);
}

async function compareSnapshots(
  sql: postgres.Sql,
  model: Store,
  uids: string[],
  orderIds: string[],
  withdrawalIds: string[],
  adjustmentIds: string[],
): Promise<string[]> {
  const database = new DatabaseStore(sql, true);
  database.adopt(uids, orderIds, withdrawalIds);
  const found = await database.snapshot();
  // The database numbers by id, the model by time.
  const byTime = <Row>(rows: Row[], ids: string[]): Row[] => {
    const sorted = [...ids].sort((one, other) => Number(one) - Number(other));
    return ids.map((id) => rows[sorted.indexOf(id)]!);
  };
  const actual = {
    ...found,
    orders: withoutAttempts(byTime(found.orders, orderIds)),
    withdrawals: byTime(found.withdrawals, withdrawalIds),
    adjustments: byTime(found.adjustments, adjustmentIds),
  };
  const modelled = snapshotOfModel(model);
  return difference("", actual, { ...modelled, orders: withoutAttempts(modelled.orders) });
}

/** The model does not know the attempts to pay: only what paid. */
const withoutAttempts = <Row extends { attempts: unknown }>(orders: Row[]) =>
  orders.map((order) => ({ ...order, attempts: [] }));

function difference(path: string, database: unknown, model: unknown): string[] {
  if (isDeepStrictEqual(database, model)) return [];
  const areObjects = [database, model].every((value) => typeof value === "object" && value !== null);
  if (!areObjects)
    return [`${path}: ${JSON.stringify(database)} in the database, ${JSON.stringify(model)} in the model`];
  const keys = new Set([...Object.keys(database as object), ...Object.keys(model as object)]);
  return [...keys].flatMap((key) =>
    difference(`${path}/${key}`, (database as Record<string, unknown>)[key], (model as Record<string, unknown>)[key]),
  );
}

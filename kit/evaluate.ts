// What must follow from the events of a vector. The rules are those of rules/, written without a look at any engine.
import { least, read, sum, write } from "./amounts.ts";
import type { Event, Result, Row, Start } from "./format.ts";
import { type Booked, History, type Order } from "./history.ts";
import { givesToWhoGaveUp, leave } from "./leave.ts";
import { bookPoints, endRequest, refund, request } from "./refund.ts";
import { Refused, refuseIf } from "./refused.ts";
import { releaseOf } from "./rules/balances.ts";
import { daysFrom } from "./rules/days.ts";
import { endsHold } from "./rules/levels.ts";
import {
  hasQueueGoods,
  isBelowMinimum,
  isRefundedWhole,
  type Line,
  moneyLeft,
  paidByPoints,
  pointsLeft,
} from "./rules/orders.ts";
import { levelsOf } from "./rules/plans.ts";
import { andRaise, raise, settle } from "./settle.ts";

/** Milliseconds with a fraction: `Date` has no microseconds, by which payments can differ. */
function instantOf(at: string): number {
  const [, micros = ""] = /\.\d{3}(\d{1,3})/.exec(at) ?? [];
  return Date.parse(at) + Number(micros.padEnd(3, "0")) / 1000;
}

/** Lets the events happen. @returns what has happened then, and whether each event is refused, by position */
export function replay(start: Start, events: Iterable<Event>): { history: History; refused: boolean[] } {
  const history = new History(start);
  const refused: boolean[] = [];
  for (const event of events) {
    history.now = instantOf(event.at);
    try {
      happen(history, event);
      refused.push(false);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.push(true);
    }
  }
  return { history, refused };
}

/**
 * Computes what must follow.
 * @returns the result, and whether each event is refused, by position
 */
export function evaluate(start: Start, events: Event[]): { result: Result; refused: boolean[] } {
  const { history, refused } = replay(start, events);
  return { result: resultOf(history), refused };
}

function happen(history: History, event: Event): void {
  switch (event.do) {
    case "order":
      return placeOrder(history, event);
    case "pay":
      return pay(history, history.order(event.order));
    case "together":
      for (const name of event.orders) pay(history, history.order(name));
      return settleWaiting(history);
    case "settle":
      return settleWaiting(history, event.orders);
    case "cancel":
      return cancel(history, history.order(event.order));
    case "ship":
      return ship(history.order(event.order));
    case "receive":
      return receive(history, history.order(event.order));
    case "request_refund":
      return request(history, history.order(event.order), event.lines);
    case "refuse_refund":
      return endRequest(history, history.order(event.order), "refused");
    case "take_back_refund":
      return endRequest(history, history.order(event.order), "taken_back");
    case "refund":
      return refund(history, history.order(event.order), event);
    case "change_plan":
      return history.changePlan(event.plan);
    case "change_levels":
      history.levels = levelsOf(event.levels);
      return;
    case "set_level":
      return setLevel(history, event);
    case "refer":
      return refer(history, event);
    case "set_referrer":
      return setReferrer(history, event);
    case "leave":
      return leave(history, event.member, event.asked);
    case "set_no_assess":
      return andRaise(history, event.member, () => {
        history.member(event.member).noAssess = event.no_assess;
      });
    case "release":
      return release(history, event.day);
    case "request_withdrawal":
      return requestWithdrawal(history, event);
    case "end_withdrawal":
      return endWithdrawal(history, event);
    case "adjust": {
      const row = { member: event.member, type: "adjustment" as const, source: undefined, order: null };
      const [money, frozen, available] = [
        read(event.money, "money"),
        read(event.frozen, "points"),
        read(event.available, "points"),
      ];
      refuseIf(history.balance(event.member, "frozen") + frozen < 0n);
      refuseIf(givesToWhoGaveUp(history, event.member, { money, frozen, available }));
      return history.book({ ...row, money, frozen, available });
    }
  }
}

function placeOrder(history: History, event: Extract<Event, { do: "order" }>): void {
  const lines = event.lines.map(({ product, units, discount }): Line => {
    const { price, is_queue_goods: isQueueGoods } = history.start.products[product]!;
    const paid = read(price, "money") * BigInt(units) - read(discount ?? "0", "money");
    return { isQueueGoods, units, left: units, paid, points: 0n, concessions: [] };
  });
  const freight = sum(
    event.lines.map(({ product, units }) => read(history.start.products[product]!.freight, "money") * BigInt(units)),
  );
  const { buyer, order: name } = event;
  const { referrer } = history.member(buyer);
  payByPoints(history, buyer, lines, read(event.use_points ?? "0", "points"));
  const isFree = freight + moneyLeft(lines) === 0n;
  const order: Order = {
    name,
    number: history.orders.size,
    buyer,
    referrer,
    lines,
    isFree,
    freightLeft: freight,
    isCancelled: false,
    paidAt: null,
    receivedAt: null,
    plan: null,
    isBelowMinimum: false,
    isShipped: false,
    refunds: [],
    settlement: null,
    grants: [],
  };
  history.place(order);
  bookPoints(history, order, -pointsLeft(lines));
  if (isFree) pay(history, order);
}

/** At most what the buyer has and wants to use. */
function payByPoints(history: History, buyer: string, lines: Line[], wanted: bigint): void {
  const { points_rate: named, points_max_share: maxShare } = history.start.terms;
  const rate = read(named, "money");
  const points = least(wanted, history.balance(buyer, "available"));
  const shares = paidByPoints(lines, points, rate, read(maxShare, "ratio"));
  for (const [index, line] of lines.entries()) {
    line.points = shares[index]! * rate;
    line.paid -= shares[index]!;
  }
}

/** The plan in force now is that of the order. A later payment of what costs nothing changes nothing. */
function pay(history: History, order: Order): void {
  if (order.isFree && order.paidAt !== null) return;
  refuseIf(order.paidAt !== null || order.isCancelled);
  order.paidAt = history.now;
  order.plan = history.plan;
  order.isBelowMinimum = isBelowMinimum(order.lines, history.plan.minimumBase);
}

/** Under on_pay, in the sequence of payments, and of orders that were paid at the same moment (R2, R10). */
function settleWaiting(history: History, names?: string[]): void {
  const orders = names ? names.map(history.order) : [...history.orders.values()];
  const waiting = orders.filter(
    (order) => order.plan?.timing === "on_pay" && hasQueueGoods(order.lines) && order.settlement === null,
  );
  for (const order of waiting.sort((one, other) => one.paidAt! - other.paidAt! || one.number - other.number))
    settle(history, order);
}

function cancel(history: History, order: Order): void {
  refuseIf(order.paidAt !== null);
  if (!order.isCancelled) bookPoints(history, order, pointsLeft(order.lines));
  order.isCancelled = true;
}

function ship(order: Order): void {
  refuseIf(!order.isShipped && (order.paidAt === null || isRefundedWhole(order.lines)));
  order.isShipped = true;
}

/** Under confirm, an order is settled with its receipt (R2, R3). */
function receive(history: History, order: Order): void {
  if (order.receivedAt !== null) return;
  refuseIf(order.paidAt === null || isRefundedWhole(order.lines));
  if (order.plan!.timing === "confirm" && hasQueueGoods(order.lines) && order.settlement === null)
    settle(history, order);
  order.receivedAt = history.now;
}

function setLevel(history: History, { member: name, grade, hold }: Extract<Event, { do: "set_level" }>): void {
  const member = history.member(name);
  const isFreed = endsHold(member, grade, hold);
  Object.assign(member, { level: grade, isHeld: hold });
  if (isFreed) raise(history, name);
}

/** Who gets a referrer brings their orders, and those below them. */
function refer(history: History, { member: name, referrer }: Extract<Event, { do: "refer" }>): void {
  refuseIf(history.member(referrer).left !== null);
  andRaise(history, name, () => correct(history, name, referrer));
}

/** Orders that wait and name a referrer get the new one. Those that were placed without one pay nobody. */
function correct(history: History, name: string, referrer: string): void {
  history.member(name).referrer = referrer;
  for (const order of history.orders.values())
    if (order.buyer === name && order.referrer !== null && order.settlement === null) order.referrer = referrer;
}

/** Neither in a ring nor below somebody who left, and only while no order of the member, or below, is settled. */
function setReferrer(history: History, { member: name, referrer }: Extract<Event, { do: "set_referrer" }>): void {
  if (history.member(name).referrer === referrer) return;
  const isBelow = (other: string) => other === name || history.above(other).includes(name);
  refuseIf(history.member(referrer).left !== null || isBelow(referrer));
  refuseIf([...history.orders.values()].some(({ buyer, settlement }) => settlement !== null && isBelow(buyer)));
  correct(history, name, referrer);
}

function release(history: History, named: string | undefined): void {
  const today = history.day(history.now);
  refuseIf(named !== undefined && named > today);
  if (named === undefined) history.firstDay ??= today;
  for (const day of named ? [named] : daysFrom(history.firstDay!, today)) {
    if (history.releasedDays.has(day)) continue;
    history.releasedDays.add(day);
    for (const [member, { left }] of history.members) {
      if (left) continue;
      const released = releaseOf(history.releaseBase(member, day));
      const row = { member, type: "frozen_points_release" as const, source: undefined, order: null, money: 0n };
      if (released > 0n) history.book({ ...row, frozen: -released, available: released });
    }
  }
}

function requestWithdrawal(history: History, event: Extract<Event, { do: "request_withdrawal" }>): void {
  const { member, withdrawal } = event;
  const amount = read(event.amount, "money");
  refuseIf([...history.withdrawals.values()].some((each) => each.member === member && each.state === "open"));
  refuseIf(amount <= 0n || amount > history.account(member).withdrawable);
  history.withdrawals.set(withdrawal, { member, amount, state: "open" });
  history.book({
    member,
    type: "withdrawal",
    source: undefined,
    order: null,
    money: -amount,
    frozen: 0n,
    available: 0n,
  });
}

/** What is not paid returns as a whole. What open refund requests hold of it is paid only if the amount is repeated. */
function endWithdrawal(history: History, event: Extract<Event, { do: "end_withdrawal" }>): void {
  const withdrawal = history.withdrawals.get(event.withdrawal)!;
  refuseIf(withdrawal.state !== "open");
  const held = least(withdrawal.amount, history.account(withdrawal.member).withdrawn);
  refuseIf(event.state !== "refused" && held > 0n && event.held !== write(held, "money"));
  withdrawal.state = event.state === "paid" ? "paid" : "returned";
  const { member, amount } = withdrawal;
  if (event.state !== "paid")
    history.book({
      member,
      type: "withdrawal_returned",
      source: undefined,
      order: null,
      money: amount,
      frozen: 0n,
      available: 0n,
    });
}

function resultOf(history: History): Result {
  const reserved = (name: string) =>
    sum(
      [...history.withdrawals.values()]
        .filter(({ member, state }) => member === name && state === "open")
        .map(({ amount }) => amount),
    );
  const bill: Result["bill"] = {};
  for (const booked of history.bill) (bill[booked.member] ??= []).push(rowOf(booked));
  const owed = [...history.members.keys()].map((name) => {
    const money = history.balance(name, "money");
    return (money > 0n ? money : 0n) + reserved(name);
  });
  return {
    bill,
    settlements: Object.fromEntries(
      [...history.orders.values()]
        .filter(({ settlement }) => settlement)
        .map((order) => [order.name, settlementOf(order)]),
    ),
    refunds: Object.fromEntries(
      [...history.orders.values()]
        .filter(({ refunds }) => refunds.length > 0)
        .map(({ name, refunds }) => [name, refunds.map(refundOf)]),
    ),
    members: Object.fromEntries([...history.members.keys()].map((name) => [name, memberOf(history, name)])),
    owed: write(sum(owed), "money"),
  };
}

function rowOf({ type, source, order, money, frozen, available }: Booked): Row {
  return {
    type,
    ...(source && { source }),
    ...(order && { order: order.name }),
    ...(money !== 0n && { money: write(money, "money") }),
    ...(frozen !== 0n && { frozen: write(frozen, "points") }),
    ...(available !== 0n && { available: write(available, "points") }),
  };
}

function settlementOf({ settlement }: Order): Result["settlements"][string] {
  const { earner, reason, cycle, place, rate } = settlement!;
  return { earner, reason, cycle, place, rate: rate === null ? null : write(rate, "ratio") };
}

const refundOf = ({ state, paidBack }: Order["refunds"][number]) => ({ state, paid_back: write(paidBack, "money") });

function memberOf(history: History, name: string): Result["members"][string] {
  const money = history.balance(name, "money");
  const { withdrawable, held } = history.account(name);
  const granted = history.rows(name).filter(({ type }) => /^frozen_points_(brokerage|reversal)$/.test(type));
  return {
    level: history.member(name).level,
    money: write(money, "money"),
    withdrawable: write(withdrawable, "money"),
    ...(held > 0n && { held_by_refunds: write(held, "money") }),
    frozen: write(history.balance(name, "frozen"), "points"),
    available: write(history.balance(name, "available"), "points"),
    total_points_earned: write(sum(granted.map(({ frozen, available }) => frozen + available)), "points"),
  };
}

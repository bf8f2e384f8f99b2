import { least } from "../../kit/amounts.ts";
import { releaseOf } from "../../kit/rules/balances.ts";
import type { Plan } from "../../kit/rules/plans.ts";
import { isEligible } from "../../kit/rules/settlement.ts";
import { account, commissionMaturesAt } from "./accounts.ts";
import { asMoney, asRatio } from "./amounts.ts";
import { copyOf } from "./branches.ts";
import { asNumber } from "./events.ts";
import type { BillRow } from "./state.ts";
import { pointsLeft, type Store } from "./store.ts";
import { withheldOf } from "./tax.ts";
import { isOpen } from "./withdrawals.ts";

const sum = <Item>(items: readonly Item[], amountOf: (item: Item) => bigint) =>
  items.reduce((total, item) => total + amountOf(item), 0n);
const atLeastZero = (amount: bigint) => (amount > 0n ? amount : 0n);

/** The states of a store, each as it was when time moved on. */
export class Recording {
  private readonly states: Store[] = [];

  record(store: Store): void {
    this.states.push(copyOf(store));
  }

  /** The times at which something may have happened, in milliseconds. */
  get times(): number[] {
    return this.states.map(({ now }) => now);
  }

  /** The store at an instant, with all that had happened before it; undefined before the first state. */
  at(instant: number): Store | undefined {
    const state = this.states.findLast(({ now }) => now < instant);
    return state && Object.assign(copyOf(state), { now: instant });
  }
}

/** A member as the page of the member shows them. Plans are indexes, and the referrer is the number of a member. */
export function memberAsOf(store: Store, number: number) {
  const member = store.member(number);
  const opening = member.bill.find(({ type }) => type === "opening_balance");
  const [openingBrokerage, openingPoints] = [
    opening?.brokerage ?? 0n,
    opening ? opening.frozen + opening.available : 0n,
  ];
  const adjustments = store.adjustments.filter((each) => each.member === number && each.state === "booked");
  const withdrawals = store.withdrawals.filter((each) => each.member === number);
  const { withdrawable, maturing, held } = account(store, number);
  const earned = (row: BillRow) => ["frozen_points_brokerage", "frozen_points_reversal"].includes(row.type);
  const commission = sum(member.bill, (row) => (row.source === "cycle" ? row.brokerage : 0n));
  const points = sum(member.bill.filter(earned), (row) => row.frozen + row.available);
  return {
    spread_uid: member.referrer,
    agent_level: member.level,
    level_is_held: member.isHeld,
    no_assess: member.noAssess,
    brokerage_price: asMoney(member.brokerage),
    frozen_points: asNumber(member.frozen),
    available_points: asNumber(member.available),
    total_points_earned: asNumber(openingPoints + points),
    progress: progressAsOf(store, number, openingBrokerage + commission),
    accounts: {
      commission: {
        opening: asMoney(openingBrokerage),
        earned: asMoney(commission),
        adjusted: asMoney(sum(adjustments, ({ brokerage }) => brokerage)),
        withdrawable: asMoney(withdrawable),
        maturing: asMoney(maturing),
        held_by_refunds: asMoney(held),
        reserved: asMoney(sum(withdrawals.filter(isOpen), ({ amount }) => amount)),
        paid: asMoney(
          sum(
            withdrawals.filter(({ state }) => state === "paid"),
            ({ amount }) => amount,
          ),
        ),
      },
      points: {
        opening: asNumber(openingPoints),
        earned: asNumber(points),
        adjusted: asNumber(sum(adjustments, (each) => each.frozen + each.available)),
        frozen: asNumber(member.frozen),
        available: asNumber(member.available),
        spent: asNumber(
          sum(
            store.orders.filter(({ buyer }) => buyer === number),
            pointsLeft,
          ),
        ),
      },
    },
  };
}

function progressAsOf(store: Store, number: number, totalBrokerage: bigint) {
  const { cycles } = store.member(number);
  const inForce = store.plans.length - 1;
  const last = cycles.at(-1);
  const open = last?.places.includes(null) ? last : undefined;
  const planInForce = store.plan(inForce);
  const plan = open ? store.plan(open.plan) : planInForce;
  const places = open?.places ?? Array<null>(plan.peoplePerCycle).fill(null);
  const taken = places.filter((order) => order !== null).length;
  const ratios = plan.tierRatios.map((ratio) => Number(asRatio(least(ratio, plan.payoutCap, planInForce.payoutCap))));
  return {
    plan_version: open ? open.plan : inForce,
    people_per_cycle: plan.peoplePerCycle,
    tier_ratios: ratios,
    brokerage_scope: planInForce.scope satisfies Plan["scope"],
    brokerage_timing: planInForce.timing,
    eligible: isEligible(store.member(number).left !== null, store.ordersOf(number), Infinity),
    cycle_no: cycles.length + (open ? 0 : 1),
    cycle_current: taken,
    cycle_remaining: plan.peoplePerCycle - taken,
    next_ratio: ratios[places.indexOf(null)]!,
    total_places: cycles.flatMap((cycle) => cycle.places).filter((order) => order !== null).length,
    total_brokerage: asMoney(totalBrokerage),
  };
}

/** What the store owes its members, without the forecast of releases. */
export function liabilitiesAsOf(store: Store) {
  const numbers = store.members.map((_, index) => index + 1);
  const open = store.withdrawals.filter(isOpen);
  const accounts = numbers.map((number) => account(store, number));
  const can = accounts.map(({ withdrawable }) => withdrawable);
  const balances = store.members.map(({ brokerage }) => brokerage);
  const waiting = store.orders.flatMap((order) => {
    const commission = order.grants.find(({ kind }) => kind === "commission");
    const left = commission && !store.member(commission.member).left ? commission.remaining : 0n;
    return left > 0n && commissionMaturesAt(store, order) > store.now ? [{ order, left }] : [];
  });
  const days = new Map<string, bigint>();
  for (const { order, left } of waiting.filter(({ order }) => order.receivedAt !== null)) {
    const day = new Date(commissionMaturesAt(store, order) + store.zone).toISOString().slice(0, 10);
    days.set(day, (days.get(day) ?? 0n) + left);
  }
  const debts = sum(can, (amount) => atLeastZero(-amount));
  const uncovered = sum(balances, (amount) => atLeastZero(-amount));
  const reserved = sum(open, ({ amount }) => amount);
  const gone = store.members.filter(({ left }) => left);
  const here = store.members.filter(({ left }) => !left);
  const { month, withheld, lastMonth } = withheldOf(store);
  return {
    as_of: new Date(store.now).toISOString(),
    owed: asMoney(sum(balances, atLeastZero) + reserved),
    withdrawable: asMoney(
      sum(
        can.filter((_, index) => !store.members[index]!.left),
        atLeastZero,
      ),
    ),
    maturing: asMoney(sum(waiting, ({ left }) => left)),
    maturing_after_receipt: asMoney(
      sum(
        waiting.filter(({ order }) => order.receivedAt === null),
        ({ left }) => left,
      ),
    ),
    held_by_refunds: asMoney(sum(accounts, ({ held }) => held)),
    left: {
      members: gone.filter(({ brokerage, frozen, available }) => brokerage > 0n || frozen > 0n || available > 0n)
        .length,
      commission: asMoney(sum(gone, ({ brokerage }) => atLeastZero(brokerage))),
      frozen_points: asNumber(sum(gone, ({ frozen }) => frozen)),
      available_points: asNumber(sum(gone, ({ available }) => atLeastZero(available))),
    },
    reserved: asMoney(reserved),
    debts: asMoney(debts),
    debts_covered: asMoney(debts - uncovered),
    debts_uncovered: asMoney(uncovered),
    members_in_debt: can.filter((amount) => amount < 0n).length,
    matures: [...days].sort().map(([date, amount]) => ({ date, amount: asMoney(amount) })),
    tax: { month, withheld: asMoney(withheld), withheld_last_month: asMoney(lastMonth) },
    points: {
      frozen: asNumber(sum(here, ({ frozen }) => frozen)),
      available: asNumber(sum(here, ({ available }) => atLeastZero(available))),
      negative: asNumber(sum(store.members, ({ available }) => atLeastZero(-available))),
      members_below_zero: store.members.filter(({ available }) => available < 0n).length,
    },
    // The first day of the forecast, which rounds each member's points.
    releasing: here.filter(({ frozen }) => releaseOf(frozen) > 0n).length,
  };
}

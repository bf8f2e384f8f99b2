import { format } from "../../kit/amounts.ts";
import { baseOf, unitsOf } from "../../kit/rules/orders.ts";
import { commissionMaturesAt } from "./accounts.ts";
import { asMoney, asPoints, asRatio } from "./amounts.ts";
import type { BillRow, Member, Order, Refund } from "./state.ts";
import { isPaid, pointsLeft, refundStatus, type Store } from "./store.ts";
import { TAXABLE_DECIMALS } from "./tax.ts";

const asTime = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Removes trailing zeros: basis and rate are stored with more decimals than they have. */
export const shortest = <Text extends string | null>(text: Text) =>
  text?.includes(".") ? text.replace(/\.?0+$/, "") : text;

/** All compared data, in the format in which the database is read. */
export function snapshotOfModel(store: Store) {
  return {
    members: store.members.map((member, index) => memberView(store, member, index + 1)),
    orders: store.orders.map((order, index) => orderView(store, order, index + 1)),
    releaseDays: [...store.releaseDays].sort().map((day) => {
      const releases = store.members.flatMap((member) => member.releases.filter((release) => release.day === day));
      return {
        day,
        users: releases.length,
        points: asPoints(releases.reduce((sum, { released }) => sum + released, 0n)),
        isFinished: true,
      };
    }),
    withdrawals: store.withdrawals.map(
      ({ amount, fee, tax, transfer, requestedAt: _, approvedHold: _hold, ...each }) => ({
        ...each,
        amount: asMoney(amount),
        fee: asMoney(fee),
        tax: asMoney(tax),
        transfer: transfer && {
          ...transfer,
          firstAskedAt: asTime(transfer.firstAskedAt),
          askedAt: asTime(transfer.askedAt),
        },
      }),
    ),
    withholdings: store.withholdings.map(({ income, taxable, tax, ...each }) => ({
      ...each,
      income: asMoney(income),
      taxable: shortest(format(taxable, TAXABLE_DECIMALS)),
      tax: asMoney(tax),
    })),
    adjustments: store.adjustments.map(({ brokerage, frozen, available, ...each }) => ({
      ...each,
      brokerage: asMoney(brokerage),
      frozen: asPoints(frozen),
      available: asPoints(available),
    })),
    stock: store.products.map((product) => product.stock),
    findings: [] as unknown[],
  };
}

/** The format in which the model and the database are compared. */
export type Snapshot = ReturnType<typeof snapshotOfModel>;

function memberView(store: Store, member: Member, number: number) {
  const cycle = member.cycles.at(-1);
  const earned = member.bill.filter(({ type }) =>
    ["frozen_points_brokerage", "frozen_points_reversal", "opening_balance"].includes(type),
  );
  const opening = member.bill[0]?.type === "opening_balance" ? member.bill[0].brokerage : 0n;
  return {
    referrer: member.referrer,
    hasLeft: member.left !== null,
    level: member.level,
    isHeld: member.isHeld,
    noAssess: member.noAssess,
    brokerage: asMoney(member.brokerage),
    frozen: asPoints(member.frozen),
    available: asPoints(member.available),
    totalEarned: asPoints(earned.reduce((sum, row) => sum + row.frozen + row.available, 0n)),
    totalBrokerage: asMoney(opening + commissionSince(member, 0)),
    totalPlaces: member.cycles.flatMap((each) => each.places).filter((order) => order !== null).length,
    cycleNo: member.cycles.length,
    cyclePlan: cycle?.plan ?? null,
    cycleIsOpen: cycle?.places.includes(null) ?? false,
    ownOrders: store.countedOrders(number),
    // Nothing is counted for members who cannot rise.
    counters: member.level >= store.topGrade() ? null : store.counters(number),
    team: store.team(number),
    bill: member.bill.map((row) => ({ ...billView(row), commissionSince: asMoney(commissionSince(member, row.at)) })),
    levelChanges: member.levelChanges,
    releases: member.releases.map(({ day, before, released }) => ({
      day,
      before: asPoints(before),
      released: asPoints(released),
      after: asPoints(before - released),
    })),
  };
}

function commissionSince(member: Member, at: number): bigint {
  return member.bill.reduce((sum, row) => sum + (row.at >= at && row.source === "cycle" ? row.brokerage : 0n), 0n);
}

function billView(row: BillRow) {
  return {
    type: row.type,
    source: row.source,
    brokerage: asMoney(row.brokerage),
    frozen: asPoints(row.frozen),
    available: asPoints(row.available),
    brokerageAfter: asMoney(row.brokerageAfter),
    frozenAfter: asPoints(row.frozenAfter),
    availableAfter: asPoints(row.availableAfter),
    order: row.order,
    basis: row.basis && shortest(row.basis),
    rate: row.rate && shortest(row.rate),
    level: row.level,
    passedOn: row.passedOn === null ? null : asPoints(row.passedOn),
    reverses: row.reverses,
  };
}

function orderView(store: Store, order: Order, number: number) {
  const { settlement } = order;
  const job = store.jobs.get(number);
  return {
    state: order.state,
    attempts: order.attempts.map(({ provider, state, endedAt }) => ({
      provider,
      state,
      endedAt: endedAt === null ? null : new Date(endedAt).toISOString(),
    })),
    referrer: order.referrer,
    refundStatus: isPaid(order) ? refundStatus(order) : 0,
    lines: order.lines.map(({ paid, paidByPoints, points }) => [
      asMoney(paid),
      asMoney(paidByPoints),
      asPoints(points),
    ]),
    pointsLeft: asPoints(pointsLeft(order)),
    queueBase: asMoney(baseOf(order.lines)),
    queueUnits: unitsOf(order.lines),
    plan: order.plan,
    settlement: settlement && {
      state: settlement.state,
      base: asMoney(settlement.base),
      units: settlement.units,
      reason: settlement.reason,
      earner: settlement.earner,
      cycleNo: settlement.cycleNo,
      place: settlement.place,
      placeIsFreed: settlement.placeIsFreed,
      cyclePlan: settlement.cyclePlan,
      ratio: settlement.ratio === null ? null : asRatio(settlement.ratio),
      rate: settlement.rate === null ? null : asRatio(settlement.rate),
      commission: asMoney(settlement.commission),
      commissionPoints: asPoints(settlement.commissionPoints),
      maturity: settlement.commission === 0n ? null : maturityView(store, order),
    },
    refunds: order.refunds.map(refundView),
    job: job
      ? {
          attempts: job.attempts,
          isDead: job.isDead,
          runAfter: job.isDead ? null : new Date(job.runAfter).toISOString(),
        }
      : null,
  };
}

/**
 * For each line that is asked for or paid back: its position, the units, the units that were asked for, and the
 * concession.
 */
function refundView({ state, ref, asked, parts, amount, freight, points }: Refund) {
  const numbers = [...new Set([...parts, ...asked].map(({ line }) => line))].sort((one, other) => one - other);
  const lineView = (number: number) => {
    const part = parts.find(({ line }) => line === number);
    return [
      number,
      part?.units ?? 0,
      asked.find(({ line }) => line === number)?.units ?? null,
      asMoney(part?.amount ?? 0n),
    ];
  };
  return {
    state,
    ref,
    amount: asMoney(amount),
    freight: asMoney(freight),
    points: asPoints(points),
    lines: numbers.map(lineView),
  };
}

/** What is left of the commission of an order, and when it matures. */
function maturityView(store: Store, order: Order) {
  return {
    left: asMoney(order.grants.find(({ kind }) => kind === "commission")!.remaining),
    at: order.receivedAt === null ? null : asTime(commissionMaturesAt(store, order)),
  };
}

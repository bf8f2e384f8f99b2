// The state of the model. Members and orders are numbered from 1 in the order of their creation; 0 is nobody.
// Money is in cents, points in 1/10000, ratios in 1/100000, times in milliseconds.

import type { Balances } from "../../kit/rules/balances.ts";
import type { Line, Order as OrderOfRules, Refund as RefundOfRules } from "../../kit/rules/orders.ts";
import type { Level as LevelOfRules } from "../../kit/rules/plans.ts";
import type { Part } from "../../kit/rules/refunds.ts";
import type { Grant as GrantOfRules } from "../../kit/rules/settlement.ts";
import type { TaxMethod, TransferState, WithdrawalMethod } from "./actions.ts";

export interface Level extends LevelOfRules {
  isActive: boolean;
}

export interface Product {
  price: bigint;
  isQueueGoods: boolean;
  isOnSale: boolean;
  /** Units that can still be ordered; null: unlimited. */
  stock: number | null;
}

export interface Cycle {
  /** Index into the plans. */
  plan: number;
  /** The order on each place; null for a free place. */
  places: (number | null)[];
}

/**
 * What has raised a member: a settlement, a refund or the answer to a request for one, an order that counts again, a
 * new member below, or the end of a hold.
 */
export type RiseCause = "order" | "refund" | "assess" | "refer" | "hold";

export interface LevelChange {
  from: number;
  to: number;
  order: number | null;
  /** Null: an administrator has set the level. */
  cause: RiseCause | null;
}

export interface Release {
  day: string;
  before: bigint;
  released: bigint;
}

/**
 * How a member left. What was given up and has not been given back since is kept: only who asked for the deletion gives
 * up anything.
 */
export interface Leaving {
  isDeletion: boolean;
  forfeit: Balances;
}

export interface Member {
  left: Leaving | null;
  referrer: number;
  level: number;
  /** Whether the level is held. */
  isHeld: boolean;
  noAssess: boolean;
  brokerage: bigint;
  frozen: bigint;
  available: bigint;
  cycles: Cycle[];
  bill: BillRow[];
  levelChanges: LevelChange[];
  releases: Release[];
}

export type BillType =
  | "opening_balance"
  | "brokerage"
  | "brokerage_reversal"
  | "frozen_points_brokerage"
  | "frozen_points_reversal"
  | "frozen_points_release"
  | "points_spent"
  | "points_returned"
  | "withdrawal"
  | "withdrawal_returned"
  | "adjustment";

/** A grant or reversal before it is booked. Basis and rate have different units and are strings. */
export interface BillEntry {
  type: BillType;
  source: "cycle" | "direct" | "umbrella" | "release" | "checkout" | "withdrawal" | "adjustment" | "import";
  brokerage: bigint;
  frozen: bigint;
  available: bigint;
  order: number | null;
  /** Null for a row that is not basis x rate. */
  basis: string | null;
  rate: string | null;
  level: number | null;
  passedOn: bigint | null;
  /** Position of the reversed row in the member's own bill. */
  reverses: number | null;
}

export interface BillRow extends BillEntry {
  at: number;
  brokerageAfter: bigint;
  frozenAfter: bigint;
  availableAfter: bigint;
}

/** A grant of an order, stored so that it can be recomputed for the rest of the order. */
export interface Grant extends GrantOfRules {
  member: number;
  /** The amount that is still granted. */
  remaining: bigint;
  billPosition: number;
}

export interface Settlement {
  state: "settled" | "refunded";
  base: bigint;
  units: number;
  reason: string | null;
  earner: number;
  cycleNo: number | null;
  place: number | null;
  placeIsFreed: boolean;
  cyclePlan: number | null;
  ratio: bigint | null;
  /** The ratio, or the lower of the two caps. */
  rate: bigint | null;
  commission: bigint;
  commissionPoints: bigint;
  settledAt: number;
}

export interface OrderLine extends Line {
  product: number;
  paidByPoints: bigint;
}

export interface Refund extends RefundOfRules {
  /** What the caller named, as text: a repeated reference must name the same. */
  named: string;
  ref: string | null;
  /** Whether it is a request of a time at which the order had paid something that it could hold. */
  isAfterSettlement: boolean;
  /** What was paid back; of a request that was not granted, what it asks for. */
  parts: Part[];
  /** Freight included. */
  amount: bigint;
  freight: bigint;
  points: bigint;
}

/** An attempt to pay at a provider. Attempts of an order are numbered from 1. */
export interface Attempt {
  provider: string;
  method: string;
  state: "open" | "closed" | "paid";
  openedAt: number;
  expiresAt: number;
  endedAt: number | null;
}

export interface Order extends OrderOfRules {
  createdAt: number;
  deliveredAt: number | null;
  attempts: Attempt[];
  buyer: number;
  referrer: number;
  state: "unpaid" | "paid" | "delivered" | "received" | "cancelled";
  lines: OrderLine[];
  plan: number | null;
  payRef: string | null;
  freight: bigint;
  refunds: Refund[];
  settlement: Settlement | null;
  grants: Grant[];
}

/** The transfer of a withdrawal to WeChat. */
export interface Transfer {
  /** Whether the name of the member is kept: from an amount on, until the withdrawal ends. */
  isNamed: boolean;
  /** The first and the last run of the worker that could request it. */
  firstAskedAt: number | null;
  askedAt: number | null;
  isCancelled: boolean;
  /** What WeChat last reported. */
  state: TransferState | null;
  /** Whether the outbox has a call, with which the worker asks WeChat. */
  hasCall: boolean;
}

export interface Withdrawal {
  member: number;
  amount: bigint;
  fee: bigint;
  tax: bigint;
  method: WithdrawalMethod;
  state: "requested" | "approved" | "paying" | "paid" | "refused" | "failed" | "cancelled";
  isInBatch: boolean;
  /** What open refund requests held of it when it was approved all the same. */
  approvedHold: bigint;
  transfer: Transfer | null;
  requestedAt: number;
}

/** The tax of a withdrawal that became paying. taxable: in hundredths of a cent. */
export interface Withholding {
  withdrawal: number;
  member: number;
  method: TaxMethod;
  month: string;
  months: number;
  income: bigint;
  taxable: bigint;
  tax: bigint;
  isReversed: boolean;
}

/** What lessens the tax of a member in a month. */
export interface Allowance {
  member: number;
  month: string;
  exempt: bigint;
  other: bigint;
  relief: bigint;
}

export interface Adjustment {
  member: number;
  brokerage: bigint;
  frozen: bigint;
  available: bigint;
  state: "waiting" | "booked" | "refused";
  /** The administrator who made it, and the one who decided it; 0 is the owner of the database. */
  createdBy: number;
  decidedBy: number | null;
}

export interface Job {
  attempts: number;
  runAfter: number;
  isDead: boolean;
}

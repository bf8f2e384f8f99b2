import type { Level } from "../../kit/format.ts";
import type { PlannerSetting } from "../testing/planner.ts";

// The actions on the store. Amounts are decimal strings. Members, orders and products are numbered from 1; 0 is one
// that does not exist.

export interface Item {
  product: number;
  quantity: number;
  discount?: string;
}

/** A new plan. Omitted settings keep their values. */
export interface PlanChange {
  tierRatios?: string[];
  /** Set only to differ from the number of ratios. */
  peoplePerCycle?: number;
  scope?: "direct" | "umbrella";
  timing?: "on_pay" | "confirm";
  pointsPerBrokerage?: string;
  maxDepth?: number | null;
  payoutCap?: string;
  minimumBase?: string;
  holdingDays?: number;
}

export interface LevelSetting {
  grade: number;
  directPoints: string;
  umbrellaPoints: string;
  isActive: boolean;
  tasks: Level["tasks"];
}

export interface Opening {
  brokerage: string;
  frozen: string;
  available: string;
}

export type Provider = "local" | "wechat";

/** How tax is withheld of payouts. */
export type TaxMethod = "none" | "cumulative" | "per_month" | "per_payment";

export type WithdrawalMethod = "bank" | "alipay" | "wechat";

/** What WeChat can report about a transfer that it knows. */
export const TRANSFER_STATES = [
  "accepted",
  "confirming",
  "transferring",
  "cancelling",
  "succeeded",
  "failed",
  "cancelled",
] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** The units that a request names; null: all that is left. */
export type RequestLines = { line: number; quantity: number }[] | null;

/** What a refund names of a line: units, or an amount while the goods are kept. */
export type RefundLine = { line: number; quantity: number } | { line: number; amount: string };
export type RefundLines = RefundLine[] | null;

/**
 * What a refund names: lines, or an amount for the order as a whole; nothing: what the open request asks for, else all
 * that is left.
 */
export interface NamedRefund {
  lines: RefundLines;
  amount?: string;
  /** Omitted: what is left of it with the last unit before the shipment, else nothing. */
  freight?: string;
  /** Omitted: whether it has a line of the open request. */
  answersRequest?: boolean;
}

export type Action =
  /** opening: the balances that an imported member brings. */
  | { do: "sign_up"; under: number; opening?: Opening }
  | { do: "bind"; member: number; under: number }
  /** An administrator sets or corrects the referrer. */
  | { do: "set_referrer"; member: number; under: number }
  /** The member leaves: by a deletion that was asked for a week ago, or because somebody removes the account. */
  | { do: "leave"; member: number; isDeletion: boolean }
  /** usePoints: the most points to use. */
  | { do: "create"; buyer: number; items: Item[]; usePoints?: string }
  /** How many points pay 1.00, and the greatest share of a price that they can pay. */
  | { do: "points_terms"; rate: string; maxShare: string }
  | { do: "pay"; order: number; ref: string }
  | { do: "cancel"; order: number }
  /** Starts a payment at a provider, or continues the open one. */
  | { do: "open_attempt"; order: number; provider: Provider; method: "local" | "h5" }
  /** The provider returns the state of an attempt. `accepted`: it has accepted a request to close it. */
  | {
      do: "attempt_state";
      order: number;
      attempt: number;
      state: "open" | "closed" | "unknown" | "paid";
      accepted: boolean;
    }
  /** The provider reports that an attempt was paid: too early, too late or twice. */
  | { do: "notify"; order: number; attempt: number }
  | { do: "expire" }
  | { do: "receive_delivered" }
  /** The scheduled job tells what time has caused. */
  | { do: "write_due_events" }
  | { do: "deliver"; order: number }
  | { do: "receive"; order: number }
  | { do: "run_jobs"; limit: number }
  | { do: "settle"; order: number }
  | { do: "request_refund"; order: number; lines: RequestLines }
  | { do: "refuse_refund"; order: number }
  /** The buyer takes the open request back. */
  | { do: "take_back_refund"; order: number }
  | ({ do: "refund"; order: number; ref: string | null } & NamedRefund)
  | { do: "plan"; plan: PlanChange }
  | { do: "levels"; levels: LevelSetting[] }
  | { do: "set_level"; member: number; grade: number; hold: boolean | null }
  | { do: "no_assess"; member: number; value: boolean }
  | { do: "release"; daysFromToday: number | null }
  /** From now on, the settlement of exactly these orders fails. */
  | { do: "break_settlements"; orders: number[] }
  /** Adds all queued changes to the team totals, in batches of `limit`. */
  | { do: "sum_teams"; limit: number }
  /** Closes the months that are over, proves and compacts them; or expands all of them again. */
  | { do: "compact" | "expand" }
  | { do: "wait"; minutes: number }
  /** From now on, Postgres avoids these kinds of plans. No rule depends on them. */
  | { do: "planner"; off: PlannerSetting[] }
  /** From now on, a day is released by so many sessions at the same time. No rule depends on it. */
  | { do: "night_sessions"; count: number }
  /** isNamed: the member states their full name, which WeChat needs for large amounts. */
  | { do: "withdraw"; member: number; amount: string; method: WithdrawalMethod; isNamed?: boolean }
  /** held: the amount that open refund requests hold of it, as the caller repeats it. */
  | { do: "advance_withdrawal"; withdrawal: number; state: "approved" | "paying"; held?: string }
  | { do: "end_withdrawal"; withdrawal: number; state: "paid" | "refused" | "failed" | "cancelled"; held?: string }
  /** Begins a run of the worker for a transfer: from now on, WeChat may have been told to pay. */
  | { do: "begin_transfer"; withdrawal: number }
  /**
   * The worker records what WeChat reports about a transfer. unknown: WeChat does not know it, or its response was
   * lost.
   */
  | { do: "transfer_state"; withdrawal: number; state: TransferState | "unknown" }
  /** WeChat notifies the store of the end of a transfer. differs: what is not that of the withdrawal. */
  | { do: "notify_transfer"; withdrawal: number; state: TransferState; differs: "amount" | "payee" | null }
  /** An administrator has WeChat cancel a transfer that the member has not confirmed. */
  | { do: "cancel_transfer"; withdrawal: number }
  /** Puts all approved withdrawals of a method into a batch. */
  | { do: "batch"; method: WithdrawalMethod; held?: string }
  /** How tax is withheld from now on. */
  | { do: "tax_method"; method: TaxMethod }
  /** Records what lessens the tax of a member in the present month. */
  | { do: "allow_tax"; member: number; exempt: string; other: string; relief: string }
  /** Makes a member an administrator with the role finance. */
  | { do: "administrator"; member: number }
  /** Corrects the balances of a member. by: an administrator, or 0 for the owner of the database. */
  | { do: "adjust"; member: number; brokerage: string; frozen: string; available: string; by: number }
  | { do: "decide_adjustment"; adjustment: number; state: "booked" | "refused"; by: number };

import type { Action, Opening } from "./actions.ts";
import { createAdjustment, decideAdjustment } from "./adjustments.ts";
import { money, points } from "./amounts.ts";
import { cancelOrder, confirmReceipt, createOrder, deliverOrder, payOrder, runJobs } from "./orders.ts";
import { expireOrders, notify, openAttempt, receiveDelivered, recordAttemptState } from "./payments.ts";
import { bind, setReferrer } from "./referrers.ts";
import { endRequest, refund, requestRefund } from "./refunds.ts";
import { release } from "./release.ts";
import { settle } from "./settlement.ts";
import { createPlan, setLevel, setLevels, setNoAssess, setPointsTerms } from "./settings.ts";
import { leave } from "./leavers.ts";
import { Rejected, type Store } from "./store.ts";
import { writeDueEvents } from "./due_events.ts";
import { allowTax, setTaxMethod } from "./tax.ts";
import { beginTransfer, cancelTransfer, notifyOfTransfer, recordTransferState } from "./transfers.ts";
import { advanceWithdrawal, createBatch, endWithdrawal, requestWithdrawal } from "./withdrawals.ts";

/** Applies an action to the model. @returns "ok", the error code, or what the action returns */
export function applyToModel(store: Store, action: Action): string {
  try {
    return String(store.attempt(() => perform(store, action)) ?? "ok");
  } catch (error) {
    if (error instanceof Rejected) return error.message;
    throw error;
  }
}

function perform(store: Store, action: Action): number | string | void {
  switch (action.do) {
    case "sign_up":
      return signUp(store, action.under, action.opening);
    case "bind":
      return bind(store, action.member, action.under);
    case "set_referrer":
      return setReferrer(store, action.member, action.under);
    case "leave":
      return leave(store, action.member, action.isDeletion);
    case "create":
      return createOrder(store, action.buyer, action.items, action.usePoints);
    case "points_terms":
      return setPointsTerms(store, action.rate, action.maxShare);
    case "pay":
      return payOrder(store, action.order, action.ref);
    case "cancel":
      return cancelOrder(store, action.order);
    case "open_attempt":
      return openAttempt(store, action.order, action.provider, action.method);
    case "attempt_state":
      return recordAttemptState(store, action.order, action.attempt, action.state, action.accepted);
    case "notify":
      return notify(store, action.order, action.attempt);
    case "expire":
      return expireOrders(store);
    case "receive_delivered":
      return receiveDelivered(store);
    case "write_due_events":
      return writeDueEvents(store);
    case "deliver":
      return deliverOrder(store, action.order);
    case "receive":
      return confirmReceipt(store, action.order);
    case "run_jobs":
      return runJobs(store, action.limit);
    case "settle":
      return settle(store, action.order);
    case "request_refund":
      return requestRefund(store, action.order, action.lines);
    case "refuse_refund":
      return endRequest(store, action.order, "refused");
    case "take_back_refund":
      return endRequest(store, action.order, "taken_back");
    case "refund":
      return refund(store, action.order, action);
    case "plan":
      return createPlan(store, action.plan);
    case "levels":
      return setLevels(store, action.levels);
    case "set_level":
      return setLevel(store, action.member, action.grade, action.hold);
    case "no_assess":
      return setNoAssess(store, action.member, action.value);
    case "release":
      return release(store, action.daysFromToday);
    case "break_settlements":
      store.broken = action.orders;
      return;
    case "planner":
    case "night_sessions":
      return;
    // The model counts teams when they are compared.
    case "sum_teams":
      return;
    // The store chooses the months (run_history.ts).
    case "compact":
    case "expand":
      return;
    case "wait":
      return store.wait(action.minutes);
    case "withdraw":
      return requestWithdrawal(store, action);
    case "advance_withdrawal":
      return advanceWithdrawal(store, action.withdrawal, action.state, action.held);
    case "end_withdrawal":
      return endWithdrawal(store, action.withdrawal, action.state, action.held);
    case "begin_transfer":
      return beginTransfer(store, action.withdrawal);
    case "transfer_state":
      return recordTransferState(store, action.withdrawal, action.state);
    case "notify_transfer":
      return notifyOfTransfer(store, action.withdrawal, action.state, action.differs);
    case "cancel_transfer":
      return cancelTransfer(store, action.withdrawal);
    case "batch":
      return createBatch(store, action.method, action.held);
    case "tax_method":
      return setTaxMethod(store, action.method);
    case "allow_tax":
      return allowTax(store, action.member, action.exempt, action.other, action.relief);
    case "administrator":
      store.member(action.member);
      store.administrators.add(action.member);
      return;
    case "adjust":
      return createAdjustment(store, action);
    case "decide_adjustment":
      return decideAdjustment(store, action.adjustment, action.state, action.by);
  }
}

/** An invalid share link, or that of somebody who left, does not prevent a sign-up. */
function signUp(store: Store, under: number, opening?: Opening): void {
  store.members.push({
    left: null,
    referrer: store.members[under - 1]?.left === null ? under : 0,
    level: 0,
    isHeld: false,
    noAssess: false,
    brokerage: 0n,
    frozen: 0n,
    available: 0n,
    cycles: [],
    bill: [],
    levelChanges: [],
    releases: [],
  });
  const { referrer } = store.members.at(-1)!;
  if (referrer !== 0) store.tell("member.referred", store.members.length, referrer, {}, "member");
  if (!opening) return;
  store.book(store.members.length, {
    type: "opening_balance",
    source: "import",
    brokerage: money(opening.brokerage),
    frozen: points(opening.frozen),
    available: points(opening.available),
    order: null,
    basis: null,
    rate: null,
    level: null,
    passedOn: null,
    reverses: null,
  });
}

import { account, heldOf } from "./accounts.ts";
import type { Action, WithdrawalMethod } from "./actions.ts";
import { asMoney, isTooFine, money } from "./amounts.ts";
import { forfeit } from "./leavers.ts";
import type { Withdrawal } from "./state.ts";
import { reject, type Store } from "./store.ts";
import { isTaxed, reverseTax, withholdTax } from "./tax.ts";
import { canBeTransferred, endsByHand, newTransfer } from "./transfer_terms.ts";

/** The settings of the database under test. The fee rate is in 1/1000. */
export const TERMS = { minimum: "1.00", feeRate: "0.006", methods: ["bank", "wechat"] as WithdrawalMethod[] };
const FEE_PER_MILLE = 6n;

export const isOpen = ({ state }: Withdrawal) => state === "requested" || state === "approved" || state === "paying";

/**
 * A step towards a payment is refused while a refund request holds what is paid, unless the caller repeats the amount.
 * @returns the amount
 */
function checkHold(store: Store, withdrawals: Withdrawal[], repeated: string | undefined): bigint {
  const held = withdrawals.reduce((sum, each) => sum + heldOf(store, each), 0n);
  if (held > 0n && (repeated === undefined || money(repeated) !== held)) reject("held_by_refunds");
  return held;
}

export function requestWithdrawal(
  store: Store,
  { member: number, amount: text, method, isNamed = false }: Extract<Action, { do: "withdraw" }>,
): void {
  store.member(number);
  if (!TERMS.methods.includes(method) || isTooFine(text, "money") || money(text) < money(TERMS.minimum))
    reject("invalid_argument");
  const amount = money(text);
  const fee = (amount * FEE_PER_MILLE) / 1000n;
  if (method === "wechat" ? !canBeTransferred(amount - fee, isNamed) : isNamed) reject("invalid_argument");
  if (store.withdrawals.some((each) => each.member === number && isOpen(each))) reject("withdrawal_open");
  if (amount > account(store, number).withdrawable) reject("withdrawal_exceeds_balance");
  const transfer = method === "wechat" ? newTransfer(number, amount - fee) : null;
  store.withdrawals.push({
    member: number,
    amount,
    fee,
    tax: 0n,
    method,
    state: "requested",
    isInBatch: false,
    approvedHold: 0n,
    transfer,
    requestedAt: store.now,
  });
  tellState(store, store.withdrawals.at(-1)!);
  book(store, number, "withdrawal", -amount);
}

/** From its approval on, the worker asks WeChat about a transfer. */
export function advanceWithdrawal(store: Store, number: number, state: "approved" | "paying", held?: string): void {
  const withdrawal = find(store, number);
  if (withdrawal.state !== state && withdrawal.state !== (state === "approved" ? "requested" : "approved"))
    reject("withdrawal_state_conflict");
  const isNew = withdrawal.state !== state;
  // Somebody can accept later what is held then.
  const asks = isNew || (state === "approved" && held !== undefined);
  const accepted = asks ? checkHold(store, [withdrawal], held) : withdrawal.approvedHold;
  if (state === "approved") withdrawal.approvedHold = accepted;
  withdrawal.state = state;
  if (state === "paying" && isNew) withholdTax(store, withdrawal);
  if (state === "approved" && isNew) tellState(store, withdrawal);
  if (withdrawal.transfer) withdrawal.transfer.hasCall = true;
}

type EndState = "paid" | "refused" | "failed" | "cancelled";

/**
 * An administrator records how a withdrawal ended, or its member cancels it. While WeChat can say how a transfer ended,
 * they cannot.
 */
export function endWithdrawal(store: Store, number: number, state: EndState, held?: string): void {
  const withdrawal = find(store, number);
  const { transfer } = withdrawal;
  if (
    transfer &&
    state !== "refused" &&
    ["approved", "paying"].includes(withdrawal.state) &&
    !endsByHand(transfer, store.now)
  )
    reject("withdrawal_state_conflict");
  end(store, withdrawal, state, held);
}

/** What is not paid returns to the balance as a whole. */
export function end(store: Store, withdrawal: Withdrawal, state: EndState, held?: string): void {
  if (withdrawal.state === state) return;
  const before = {
    refused: ["requested", "approved"],
    cancelled: ["requested"],
    paid: ["approved", "paying"],
    failed: ["approved", "paying"],
  }[state];
  if (!before.includes(withdrawal.state)) reject("withdrawal_state_conflict");
  if (state === "paid" && withdrawal.state === "approved" && isTaxed(store)) reject("withdrawal_state_conflict");
  if (state === "paid" && withdrawal.state === "approved") checkHold(store, [withdrawal], held);
  withdrawal.state = state;
  tellState(store, withdrawal);
  if (withdrawal.transfer) Object.assign(withdrawal.transfer, { hasCall: false, isNamed: false });
  if (state === "paid") return;
  reverseTax(store, withdrawal);
  book(store, withdrawal.member, "withdrawal_returned", withdrawal.amount);
  forfeit(store, withdrawal.member);
}

/** @returns the number of withdrawals in the batch, and what the bank pays, in cents */
export function createBatch(store: Store, method: WithdrawalMethod, held?: string): string {
  if (method === "wechat") reject("invalid_argument");
  const approved = store.withdrawals.filter((each) => each.state === "approved" && each.method === method);
  if (approved.length === 0) reject("withdrawal_state_conflict");
  checkHold(store, approved, held);
  for (const each of approved) {
    Object.assign(each, { state: "paying", isInBatch: true });
    withholdTax(store, each);
  }
  return `${approved.length} of ${approved.reduce((sum, { amount, fee, tax }) => sum + amount - fee - tax, 0n)}`;
}

export function find(store: Store, number: number): Withdrawal {
  return store.withdrawals[number - 1] ?? reject("withdrawal_not_found");
}

function tellState(store: Store, withdrawal: Withdrawal): void {
  const { amount, fee, tax, method, state, member } = withdrawal;
  const payload = { amount: asMoney(amount), fee: asMoney(fee), tax: asMoney(tax), method };
  store.tell(`withdrawal.${state}`, store.withdrawals.indexOf(withdrawal) + 1, member, payload);
}

function book(store: Store, number: number, type: "withdrawal" | "withdrawal_returned", amount: bigint): void {
  store.book(number, {
    type,
    source: "withdrawal",
    brokerage: amount,
    frozen: 0n,
    available: 0n,
    order: null,
    basis: null,
    rate: null,
    level: null,
    passedOn: null,
    reverses: null,
  });
}

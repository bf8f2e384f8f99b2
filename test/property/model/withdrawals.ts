import type { WithdrawalMethod } from "./actions.ts";
import { MONEY_DECIMALS, money } from "./amounts.ts";
import type { Withdrawal } from "./state.ts";
import { DAY, refuse, type Store } from "./store.ts";

/** The settings of the database under test. The fee rate is in 1/1000. */
export const TERMS = { minimum: "1.00", feeRate: "0.006", methods: ["bank", "alipay"] as WithdrawalMethod[] };
const FEE_PER_MILLE = 6n;

const isOpen = ({ state }: Withdrawal) => state === "requested" || state === "approved" || state === "paying";

/** The commission of a member that has not matured, summed from the orders: received at least `holdingDays` of their plan ago, and settled. */
function maturing(store: Store, number: number): bigint {
  return store.orders.reduce((sum, order) => {
    const commission = order.grants.find(({ kind, member }) => kind === "commission" && member === number);
    if (!commission) return sum;
    const from = Math.max(order.receivedAt ?? Infinity, order.settlement!.settledAt);
    return from + store.plan(order.plan!).holdingDays * DAY <= store.now ? sum : sum + commission.remaining;
  }, 0n);
}

/** What a member can withdraw: granted less reversed, less reserved and paid, less maturing. */
export function withdrawable(store: Store, number: number): bigint {
  const earned = store.member(number).bill.reduce((sum, { type, brokerage }) => type === "brokerage" || type === "brokerage_reversal" ? sum + brokerage : sum, 0n);
  const out = store.withdrawals.reduce((sum, each) => each.member === number && (isOpen(each) || each.state === "paid") ? sum + each.amount : sum, 0n);
  return earned - out - maturing(store, number);
}

export function requestWithdrawal(store: Store, number: number, text: string, method: WithdrawalMethod): void {
  store.member(number);
  if (!TERMS.methods.includes(method) || (text.split(".")[1]?.length ?? 0) > MONEY_DECIMALS || money(text) < money(TERMS.minimum)) refuse("invalid_argument");
  const amount = money(text);
  if (store.withdrawals.some((each) => each.member === number && isOpen(each))) refuse("withdrawal_open");
  if (amount > withdrawable(store, number)) refuse("withdrawal_exceeds_balance");
  store.withdrawals.push({ member: number, amount, fee: (amount * FEE_PER_MILLE) / 1000n, method, state: "requested", isInBatch: false });
  book(store, number, "withdrawal", -amount);
}

export function advanceWithdrawal(store: Store, number: number, state: "approved" | "paying"): void {
  const withdrawal = find(store, number);
  if (withdrawal.state === state) return;
  if (withdrawal.state !== (state === "approved" ? "requested" : "approved")) refuse("withdrawal_state_conflict");
  withdrawal.state = state;
}

/** What is refused or fails returns to the balance as a whole. */
export function endWithdrawal(store: Store, number: number, state: "paid" | "refused" | "failed"): void {
  const withdrawal = find(store, number);
  if (withdrawal.state === state) return;
  const before = state === "refused" ? ["requested", "approved"] : ["approved", "paying"];
  if (!before.includes(withdrawal.state)) refuse("withdrawal_state_conflict");
  withdrawal.state = state;
  if (state !== "paid") book(store, withdrawal.member, "withdrawal_returned", withdrawal.amount);
}

/** @returns the number of withdrawals in the batch, and what the bank pays, in cents */
export function createBatch(store: Store, method: WithdrawalMethod): string {
  if (method === "wechat") refuse("invalid_argument");
  const approved = store.withdrawals.filter((each) => each.state === "approved" && each.method === method);
  if (approved.length === 0) refuse("withdrawal_state_conflict");
  for (const each of approved) Object.assign(each, { state: "paying", isInBatch: true });
  return `${approved.length} of ${approved.reduce((sum, { amount, fee }) => sum + amount - fee, 0n)}`;
}

function find(store: Store, number: number): Withdrawal {
  return store.withdrawals[number - 1] ?? refuse("withdrawal_not_found");
}

function book(store: Store, number: number, type: "withdrawal" | "withdrawal_returned", amount: bigint): void {
  store.book(number, {
    type, source: "withdrawal", brokerage: amount, frozen: 0n, available: 0n, order: null, basis: null, rate: null, level: null, passedOn: null, reverses: null,
  });
}

import { heldOf } from "./accounts.ts";
import type { TransferState } from "./actions.ts";
import type { Transfer } from "./state.ts";
import { reject, type Store } from "./store.ts";
import { withholdTax } from "./tax.ts";
import { DAY } from "./time.ts";
import { end, find } from "./withdrawals.ts";

const HOUR = DAY / 24;

/** A transfer that was cancelled is not requested again, nor one that WeChat may have forgotten. */
export function beginTransfer(store: Store, number: number): void {
  const withdrawal = find(store, number);
  const transfer = withdrawal.transfer ?? reject("withdrawal_not_found");
  if (withdrawal.state !== "approved" && withdrawal.state !== "paying") return;
  // Nobody repeats an amount to the worker: what was approved although it was held, is paid.
  if (withdrawal.state === "approved" && heldOf(store, withdrawal) > withdrawal.approvedHold) return;
  if (withdrawal.state === "approved") withholdTax(store, withdrawal);
  withdrawal.state = "paying";
  if (transfer.isCancelled || mayBeForgotten(transfer, store.now)) return;
  transfer.askedAt = store.now;
  transfer.firstAskedAt ??= store.now;
}

/** Only an end that WeChat reports ends a withdrawal. Unknown is not failed. @returns the state of the withdrawal */
export function recordTransferState(store: Store, number: number, reported: TransferState | "unknown"): string {
  const withdrawal = find(store, number);
  const transfer = withdrawal.transfer ?? reject("withdrawal_not_found");
  if (withdrawal.state !== "paying") return withdrawal.state;
  if (reported === "unknown" && !wasNeverTransferred(transfer, store.now)) return withdrawal.state;
  transfer.state = reported === "unknown" ? "cancelled" : reported;
  if (transfer.state === "succeeded") end(store, withdrawal, "paid");
  else if (transfer.state === "failed" || transfer.state === "cancelled") end(store, withdrawal, "failed");
  return withdrawal.state;
}

/** A day earlier than an administrator can end it. */
const mayBeForgotten = ({ firstAskedAt }: Transfer, now: number) =>
  firstAskedAt !== null && firstAskedAt <= now - 29 * DAY;

/** WeChat never reported it, had an hour for the last request, and cannot have forgotten the transfer. */
function wasNeverTransferred(transfer: Transfer, now: number): boolean {
  const { isCancelled, state, askedAt } = transfer;
  if (!isCancelled || state !== null) return false;
  return askedAt === null || (askedAt <= now - HOUR && !mayBeForgotten(transfer, now));
}

/** @returns the outcome of the notification */
export function notifyOfTransfer(
  store: Store,
  number: number,
  state: TransferState,
  differs: "amount" | "payee" | null,
): string {
  if (!store.withdrawals[number - 1]?.transfer) return "ignored transfer_unknown";
  if (differs) return `refused ${differs}_differs`;
  const recorded = recordTransferState(store, number, state);
  const end = { succeeded: "paid", failed: "failed", cancelled: "failed" }[state as string] ?? recorded;
  return recorded === end ? `transfer ${state}` : "refused state_differs";
}

/** It stays open until WeChat reports how it ended. */
export function cancelTransfer(store: Store, number: number): void {
  const { state, transfer } = find(store, number);
  if (!transfer || state !== "paying" || transfer.state === "transferring") reject("withdrawal_state_conflict");
  transfer.isCancelled = true;
  transfer.hasCall = true;
}

// What members can withdraw.
import { least } from "../../kit/amounts.ts";
import { accountOf, isInDoubt, maturesAt } from "../../kit/rules/balances.ts";
import type { Order, Withdrawal } from "./state.ts";
import type { Store } from "./store.ts";

/** What a member can withdraw, and what of the money they cannot. */
export function account(store: Store, number: number): ReturnType<typeof accountOf> {
  const { brokerage, left } = store.member(number);
  const commissions = store.orders.flatMap((order) =>
    order.grants
      .filter(({ kind, member }) => kind === "commission" && member === number)
      .map(({ remaining }) => ({
        left: remaining,
        maturesAt: commissionMaturesAt(store, order),
        isInDoubt: isInDoubt(order),
      })),
  );
  return accountOf(brokerage, left !== null, commissions, store.now);
}

/** When the commission of a settled order matures; never, if the order is never received. */
export const commissionMaturesAt = (store: Store, order: Order): number =>
  maturesAt(order, store.plan(order.plan!).holdingDays);

/** What open requests hold of a withdrawal. */
export const heldOf = (store: Store, { member, amount }: Withdrawal): bigint =>
  least(amount, account(store, member).withdrawn);

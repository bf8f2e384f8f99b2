import { isInDoubt } from "../../kit/rules/balances.ts";
import { commissionMaturesAt } from "./accounts.ts";
import { asMoney } from "./amounts.ts";
import { expiresAt } from "./payments.ts";
import type { Store } from "./store.ts";
import { MINUTE } from "./time.ts";

const NOTICE = 10 * MINUTE;

/**
 * Tells what time has caused since the last call: commission of which something is left and that can be withdrawn,
 * because it has matured and no refund request holds it, and orders that are about to expire.
 */
export function writeDueEvents(store: Store): void {
  const matured = store.orders
    .flatMap((order, index) => {
      const commission = order.grants.find(({ kind }) => kind === "commission");
      if (!commission || isInDoubt(order)) return [];
      return [{ number: index + 1, commission, at: commissionMaturesAt(store, order) }];
    })
    .filter(({ number, at }) => at <= store.now && !store.announced.has(number))
    .sort((one, other) => one.at - other.at || one.number - other.number);
  for (const { number, commission } of matured) {
    store.announced.add(number);
    if (commission.remaining > 0n && !store.member(commission.member).left)
      store.tell("commission.matured", number, commission.member, { amount: asMoney(commission.remaining) });
  }
  store.orders.forEach((order, index) => {
    const at = expiresAt(order);
    if (order.state !== "unpaid" || at <= store.now || at > store.now + NOTICE || store.reminded.has(index + 1)) return;
    store.reminded.add(index + 1);
    store.tell("order.expiring", index + 1, order.buyer, { expires_at: new Date(at).toISOString() });
  });
}

import fc from "fast-check";
import type { Order } from "../model/state.ts";
import type { Store } from "../model/store.ts";

/** Picks an existing item; 0 picks the newest. A few of the highest numbers pick one that does not exist. */
export const pick = fc.nat(199);
const isMissing = (picked: number) => picked >= 198;

export function pickFrom(picked: number, count: number): number {
  return isMissing(picked) || count === 0 ? 0 : count - (picked % count);
}

/** Usually picks an order for which the step is valid, sometimes any order. */
export function pickOrder(picked: number, store: Store, makesSense: (order: Order, number: number) => boolean): number {
  const sensible = store.orders.flatMap((order, index) => (makesSense(order, index + 1) ? [index + 1] : []));
  return picked % 5 === 4 || sensible.length === 0
    ? pickFrom(picked, store.orders.length)
    : sensible.at(-1 - (picked % sensible.length))!;
}

export const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);

import type { DemoMember } from "./company.ts";
import type { Random } from "./random.ts";

export const dayCount = 30;
export const orderCount = 3000;
export const queueGoods = 3;
const productCount = 40;

/** An event. `at` is in milliseconds from the beginning of the month; `order`, `buyer` and products are indexes. */
export type Action = { at: number; order: number } & (
  | { kind: "order"; buyer: number; items: { product: number; quantity: number }[] }
  | { kind: "pay"; pay_type: "wechat" | "offline" }
  | { kind: "deliver" | "receive" | "cancel" | "request_refund" }
  | { kind: "refund"; all: boolean }
  | { kind: "pay_in_wechat" }
  | { kind: "withdraw"; buyer: number | null; method: "bank" | "alipay" }
);

export const minute = 60_000;
export const day = 24 * 60 * minute;

function makeItems(random: Random): { product: number; quantity: number }[] {
  const quantity = () => (random.chance(0.88) ? 1 : 2 + random.below(3));
  if (random.chance(0.45)) {
    const flagship = { product: random.below(queueGoods), quantity: quantity() };
    return random.chance(0.2)
      ? [flagship, { product: queueGoods + random.below(productCount - queueGoods), quantity: quantity() }]
      : [flagship];
  }
  const first = queueGoods + random.below(productCount - queueGoods - 1);
  return random.chance(0.3)
    ? [
        { product: first, quantity: quantity() },
        { product: first + 1, quantity: 1 },
      ]
    : [{ product: first, quantity: quantity() }];
}

function makeOrder(random: Random, order: number, members: DemoMember[]): Action[] {
  const orderDay = Math.floor((order / orderCount) * dayCount);
  const at = orderDay * day + Math.floor(random.next() * 0.97 * day);
  // Members join in the order of their indexes. The buyer joined on an earlier day.
  const joined = members.findIndex((member) => member.day >= orderDay);
  const buyer = random.below(joined === -1 ? members.length : joined);
  const actions: Action[] = [{ at, order, kind: "order", buyer, items: makeItems(random) }];
  if (random.chance(0.05)) return actions;
  if (random.chance(0.03)) return [...actions, { at: at + 40 * minute, order, kind: "cancel" }];

  const paidAt = at + 1 + Math.floor(random.next() * 25 * minute);
  const payment: Action = { at: paidAt, order, kind: "pay", pay_type: random.chance(0.8) ? "wechat" : "offline" };
  actions.push(payment);
  // Providers repeat their notifications.
  if (random.chance(0.05)) actions.push({ ...payment, at: paidAt + 15_000 });
  if (random.chance(0.02)) {
    const askedAt = paidAt + Math.floor(random.next() * 4 * day);
    return [
      ...actions,
      { at: askedAt, order, kind: "request_refund" },
      { at: askedAt + Math.floor(random.next() * day), order, kind: "refund", all: random.chance(0.7) },
    ];
  }
  const deliveredAt = paidAt + Math.floor((0.3 + random.next()) * day);
  if (random.chance(0.95)) actions.push({ at: deliveredAt, order, kind: "deliver" });
  if (random.chance(0.85))
    actions.push({ at: deliveredAt + Math.floor((2 + random.next() * 4) * day), order, kind: "receive" });
  return actions;
}

/**
 * Creates the events of the month by day, with some given ones, each day sorted by time. Events after the month are
 * omitted.
 */
export function makeMonth(random: Random, members: DemoMember[], given: Action[]): Action[][] {
  const actions = [
    ...Array.from({ length: orderCount }, (_, order) => makeOrder(random, order, members)).flat(),
    ...given,
  ];
  const days: Action[][] = Array.from({ length: dayCount }, () => []);
  for (const action of actions) days[Math.floor(action.at / day)]?.push(action);
  for (const actionsOfDay of days) actionsOfDay.sort((a, b) => a.at - b.at || a.order - b.order);
  return days;
}

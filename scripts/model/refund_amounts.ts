// What a refund pays back: units, amounts of lines, an amount for the order as a whole, freight, and points.
import type { NamedRefund, RefundLine, RequestLines } from "./actions.ts";
import { money, MONEY_DECIMALS } from "./amounts.ts";
import { amountLeft, spread } from "./rules.ts";
import type { Order, OrderLine, Part, Units } from "./state.ts";
import { isPaidBack, leftOf, openRequest, reject } from "./store.ts";

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export const unitsOf = (units: Units): number => units.reduce((total, { quantity }) => total + quantity, 0);

/** The units that are named, else all that are left. */
export function checkedUnits(order: Order, lines: RequestLines): Units {
  if (lines === null) {
    const all = unitsLeft(order);
    return all.length > 0 ? all : reject("refund_exceeds_order");
  }
  if (lines.length === 0 || lines.some(({ quantity }) => quantity < 1)) reject("invalid_argument");
  if (new Set(lines.map(({ line }) => line)).size < lines.length) reject("invalid_argument");
  if (lines.some(({ line, quantity }) => quantity > (order.lines[line - 1]?.unitsLeft ?? 0)))
    reject("refund_exceeds_order");
  return lines;
}

function unitsLeft(order: Order): Units {
  return order.lines
    .map((line, index) => ({ line: index + 1, quantity: line.unitsLeft }))
    .filter(({ quantity }) => quantity > 0);
}

/** What is left of the units that a request asks for. */
export function leftToGrant(order: Order, asked: Units): Units {
  return asked
    .map(({ line, quantity }) => ({ line, quantity: Math.min(quantity, order.lines[line - 1]!.unitsLeft) }))
    .filter(({ quantity }) => quantity > 0);
}

/** Units or concessions of lines. None are named for freight alone. */
export function partsOf(order: Order, { lines, amount, freight, answersRequest }: NamedRefund): Part[] {
  if (lines !== null && amount !== undefined) reject("invalid_argument");
  if (amount !== undefined) return shareOut(order, amount);
  if (lines !== null) return lines.length === 0 ? [] : namedParts(order, lines);
  const asked = answersRequest === false ? undefined : openRequest(order)?.asked;
  const units = asked ? leftToGrant(order, asked) : unitsLeft(order);
  if (units.length === 0 && money(freight ?? "0") === 0n) reject("refund_exceeds_order");
  return units.map((each) => ({ ...each, concession: 0n }));
}

const hasPartsOfCent = (text: string) => (text.split(".")[1]?.length ?? 0) > MONEY_DECIMALS;

function amountOf(text: string): bigint {
  if (hasPartsOfCent(text) || money(text) <= 0n) reject("invalid_argument");
  return money(text);
}

function namedParts(order: Order, lines: RefundLine[]): Part[] {
  const units = lines.flatMap((each) => ("quantity" in each ? [each] : []));
  const amounts = lines.flatMap((each) =>
    "amount" in each ? [{ line: each.line, concession: amountOf(each.amount) }] : [],
  );
  if (new Set(lines.map(({ line }) => line)).size < lines.length) reject("invalid_argument");
  if (units.length > 0) checkedUnits(order, units);
  if (amounts.some(({ line, concession }) => concession > mostConceded(order.lines[line - 1])))
    reject("refund_exceeds_order");
  return lines
    .map((each) =>
      "quantity" in each
        ? { ...each, concession: 0n }
        : { line: each.line, quantity: 0, concession: amountOf(each.amount) },
    )
    .sort((one, other) => one.line - other.line);
}

/** A cent of queue goods is left, so that an order that was paid back does not keep its units. */
function mostConceded(line: OrderLine | undefined): bigint {
  if (!line) return 0n;
  return leftOf(line) - (line.isQueueGoods ? 1n : 0n);
}

/**
 * An amount for the order as a whole, spread over what is left of its lines. All that is left is all units. If a line
 * of queue goods would keep nothing, it is spread over what is left without the cents that these lines keep.
 */
function shareOut(order: Order, text: string): Part[] {
  const amount = money(text);
  if (hasPartsOfCent(text)) reject("invalid_argument");
  if (amount === 0n) return [];
  const lefts = order.lines.map((line) => leftOf(line));
  if (amount === sum(lefts)) return unitsLeft(order).map((each) => ({ ...each, concession: 0n }));
  const most = order.lines.map((line) => (leftOf(line) > 0n ? mostConceded(line) : 0n));
  if (amount > sum(most)) reject("refund_exceeds_order");
  const shares = spread(amount, lefts);
  const fits = shares.every((share, index) => share <= most[index]!);
  return (fits ? shares : spread(amount, most))
    .map((concession, index) => ({ line: index + 1, quantity: 0, concession }))
    .filter(({ concession }) => concession > 0n);
}

/** Without an amount, freight is paid back with the last unit before the shipment: all that is left of it. */
export function freightOf(order: Order, parts: Part[], named?: string): bigint {
  const left = order.freight - sum(order.refunds.filter(isPaidBack).map(({ freight }) => freight));
  if (named !== undefined) {
    if (money(named) > left) reject("refund_exceeds_order");
    return money(named);
  }
  const takesAll = parts.length > 0 && unitsOf(parts) === unitsOf(unitsLeft(order));
  return takesAll && unitsOf(parts) > 0 && order.state === "paid" ? left : 0n;
}

/** The money that parts of an order pay back, without freight. */
export function costOf(order: Order, parts: Part[]): bigint {
  return sum(
    parts.map(({ line: number, quantity, concession }) => {
      const line = order.lines[number - 1]!;
      return leftOf(line) - leftOf(line, line.unitsLeft - quantity) + concession;
    }),
  );
}

/** The points that units return to the buyer. An amount returns none. */
export function pointsOf(order: Order, parts: Part[]): bigint {
  return sum(
    parts.map(({ line, quantity }) => {
      const { points, quantity: bought, unitsLeft: left } = order.lines[line - 1]!;
      return amountLeft(points, bought, left) - amountLeft(points, bought, left - quantity);
    }),
  );
}

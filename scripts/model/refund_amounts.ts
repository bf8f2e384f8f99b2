// What a refund pays back: units, amounts of lines, an amount for the order as a whole, freight, and points.
import { sum } from "../../kit/amounts.ts";
import type { Units } from "../../kit/rules/orders.ts";
import {
  defaultFreight,
  defaultUnits,
  exceedsLeft,
  mostConceded,
  type Part,
  partsOf,
  shareOut,
  unitsLeft,
} from "../../kit/rules/refunds.ts";
import type { NamedRefund, RefundLine, RequestLines } from "./actions.ts";
import { isTooFine, money } from "./amounts.ts";
import type { Order } from "./state.ts";
import { isPaidBack, reject } from "./store.ts";

/** The units that are named, else all that are left. */
export function checkedUnits(order: Order, named: RequestLines): Units[] {
  if (named === null) {
    const all = unitsLeft(order.lines);
    return all.length > 0 ? all : reject("refund_exceeds_order");
  }
  const asked = named.map(({ line, quantity }) => ({ line, units: quantity }));
  if (asked.length === 0 || asked.some(({ units }) => units < 1)) reject("invalid_argument");
  requireOnce(asked);
  if (exceedsLeft(order.lines, asked)) reject("refund_exceeds_order");
  return asked;
}

function requireOnce(lines: { line: number }[]): void {
  if (new Set(lines.map(({ line }) => line)).size < lines.length) reject("invalid_argument");
}

/** Units or concessions of lines. None are named for freight alone. */
export function namedParts(order: Order, { lines, amount, freight, answersRequest }: NamedRefund): Part[] {
  if (lines !== null && amount !== undefined) reject("invalid_argument");
  if (amount !== undefined) {
    if (isTooFine(amount, "money")) reject("invalid_argument");
    return shareOut(order.lines, money(amount)) ?? reject("refund_exceeds_order");
  }
  if (lines !== null) return partsOfLines(order, lines);
  const units = defaultUnits(order, answersRequest);
  if (units.length === 0 && money(freight ?? "0") === 0n) reject("refund_exceeds_order");
  return partsOf(units);
}

function partsOfLines(order: Order, lines: RefundLine[]): Part[] {
  const units = lines.flatMap((each) => ("quantity" in each ? [each] : []));
  const amounts = lines.flatMap((each) => ("amount" in each ? [concession(each)] : []));
  requireOnce(lines);
  const parts = units.length > 0 ? partsOf(checkedUnits(order, units)) : [];
  if (amounts.some(({ line, amount }) => amount > most(order, line))) reject("refund_exceeds_order");
  return [...parts, ...amounts].sort((one, other) => one.line - other.line);
}

function concession({ line, amount: text }: Extract<RefundLine, { amount: string }>): Part {
  if (isTooFine(text, "money") || money(text) <= 0n) reject("invalid_argument");
  return { line, units: 0, amount: money(text) };
}

function most(order: Order, number: number): bigint {
  const line = order.lines[number - 1];
  return line ? mostConceded(line) : 0n;
}

/** The freight that is named, or that is paid back without a name. */
export function freightOf(order: Order, parts: Part[], named?: string): bigint {
  const left = order.freight - sum(order.refunds.filter(isPaidBack).map(({ freight }) => freight));
  if (named === undefined) return defaultFreight(order.lines, parts, left, order.state !== "paid");
  return money(named) > left ? reject("refund_exceeds_order") : money(named);
}

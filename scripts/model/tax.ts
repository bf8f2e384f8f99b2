import { decimals } from "../../kit/amounts.ts";
import { money } from "./amounts.ts";
import type { TaxMethod } from "./actions.ts";
import type { Withdrawal } from "./state.ts";
import { reject, type Store } from "./store.ts";
import { TRANSFER_LIMITS } from "./transfer_terms.ts";

/**
 * The tables of the database under test (test_kit.sql), which fit the small amounts of histories. Percentages; amounts
 * in cents; a later version of a method replaces an earlier one from its day on.
 */
const rules: {
  method: TaxMethod;
  from: string;
  share: bigint;
  flat: bigint;
  flatUntil: bigint;
  monthly: bigint;
  brackets: Bracket[];
}[] = [
  {
    method: "cumulative",
    from: "2025-03-02",
    share: 20n,
    flat: 0n,
    flatUntil: 0n,
    monthly: money("50.00"),
    brackets: bracketsOf("first"),
  },
  {
    method: "cumulative",
    from: "2025-03-20",
    share: 10n,
    flat: 0n,
    flatUntil: 0n,
    monthly: money("70.00"),
    brackets: bracketsOf("later"),
  },
  {
    method: "per_month",
    from: "2025-01-01",
    share: 20n,
    flat: money("8.00"),
    flatUntil: money("40.00"),
    monthly: 0n,
    brackets: bracketsOf("labour"),
  },
  {
    method: "per_payment",
    from: "2025-01-01",
    share: 20n,
    flat: money("8.00"),
    flatUntil: money("40.00"),
    monthly: 0n,
    brackets: bracketsOf("labour"),
  },
];

interface Bracket {
  above: bigint;
  rate: bigint;
  quick: bigint;
}

function bracketsOf(name: "first" | "later" | "labour"): Bracket[] {
  const bracket = (above: string, rate: bigint, quick: string): Bracket => ({
    above: money(above),
    rate,
    quick: money(quick),
  });
  return {
    first: [bracket("0.00", 3n, "0.00"), bracket("360.00", 10n, "25.20"), bracket("1440.00", 20n, "169.20")],
    later: [bracket("0.00", 5n, "0.00"), bracket("500.00", 15n, "50.00")],
    labour: [bracket("0.00", 20n, "0.00"), bracket("200.00", 30n, "20.00"), bracket("500.00", 40n, "70.00")],
  }[name];
}

const sum = (amounts: bigint[]) => amounts.reduce((total, amount) => total + amount, 0n);

export function setTaxMethod(store: Store, method: TaxMethod): void {
  store.taxMethod = method;
}

/** What an administrator records for the present month. */
export function allowTax(store: Store, number: number, exempt: string, other: string, relief: string): void {
  store.member(number);
  const allowance = {
    member: number,
    month: monthOf(store),
    exempt: money(exempt),
    other: money(other),
    relief: money(relief),
  };
  if (![allowance.exempt, allowance.other, allowance.relief].some((amount) => amount !== 0n))
    reject("invalid_argument");
  const all = [
    ...store.allowances.filter((each) => each.member === number && each.month === allowance.month),
    allowance,
  ];
  if ((["exempt", "other", "relief"] as const).some((name) => sum(all.map((each) => each[name])) < 0n))
    reject("invalid_argument");
  store.allowances.push(allowance);
}

const monthOf = (store: Store) => store.businessDay().slice(0, 7);

/** The month before one of the same year. */
const monthBefore = (month: string) => `${month.slice(0, 5)}${String(Number(month.slice(5)) - 1).padStart(2, "0")}`;

/** Whether a withdrawal is taxed when it becomes paying: its method has a table for the day. */
const rulesOf = (store: Store) =>
  rules.findLast(({ method, from }) => method === store.taxMethod && from <= store.businessDay());

/** Fixes the tax of a withdrawal that becomes paying. */
export function withholdTax(store: Store, withdrawal: Withdrawal): void {
  const rule = rulesOf(store);
  if (!rule) return;
  const { method } = rule;
  const month = monthOf(store);
  const others = store.withholdings.filter(
    (each) => each.member === withdrawal.member && each.method === method && !each.isReversed,
  );
  let first = month;
  if (method === "cumulative")
    while (others.some((each) => each.month === monthBefore(first))) first = monthBefore(first);
  const isTogether = (each: { month: string }) => each.month >= first && each.month <= month;
  const together = method === "per_payment" ? [] : others.filter(isTogether);
  const allowed =
    method === "cumulative"
      ? store.allowances.filter((each) => each.member === withdrawal.member && isTogether(each))
      : [];
  const months = Number(month.slice(5)) - Number(first.slice(5)) + 1;
  const income = sum(together.map((each) => each.income)) + withdrawal.amount;
  // In hundredths of a cent.
  const expenses = income <= rule.flatUntil ? 100n * (income < rule.flat ? income : rule.flat) : income * rule.share;
  const deductions = rule.monthly * BigInt(months) + sum(allowed.map(({ exempt, other }) => exempt + other));
  const rest = 100n * (income - deductions) - expenses;
  const taxable = rest < 0n ? 0n : rest;
  const { rate, quick } = rule.brackets.findLast(({ above }) => above === 0n || 100n * above < taxable)!;
  const due = taxable * rate - 10_000n * (quick + sum(allowed.map(({ relief }) => relief)));
  const least = money(withdrawal.method === "wechat" ? TRANSFER_LIMITS.minimum : "0.01");
  const most = withdrawal.amount - withdrawal.fee - least;
  const open = due / 10_000n - sum(together.map((each) => each.tax));
  const tax = open > most ? most : open;
  withdrawal.tax = tax < 0n ? 0n : tax;
  store.withholdings.push({
    withdrawal: store.withdrawals.indexOf(withdrawal) + 1,
    member: withdrawal.member,
    method,
    month,
    months,
    income: withdrawal.amount,
    taxable,
    tax: withdrawal.tax,
    isReversed: false,
  });
}

/** What was not paid has no tax. */
export function reverseTax(store: Store, withdrawal: Withdrawal): void {
  const number = store.withdrawals.indexOf(withdrawal) + 1;
  for (const each of store.withholdings) if (each.withdrawal === number) each.isReversed = true;
}

/** The month of a store, and what was withheld in it and in the one before, also in the year before. */
export function withheldOf(store: Store): { month: string; withheld: bigint; lastMonth: bigint } {
  const month = monthOf(store);
  const last = month.endsWith("-01") ? `${Number(month.slice(0, 4)) - 1}-12` : monthBefore(month);
  const withheldIn = (each: string) =>
    sum(store.withholdings.filter((row) => row.month === each && !row.isReversed).map(({ tax }) => tax));
  return { month, withheld: withheldIn(month), lastMonth: withheldIn(last) };
}

/** With tax on, nothing is paid whose tax is not fixed. */
export const isTaxed = (store: Store) => store.taxMethod !== "none";

/** The decimals of what is taxable: hundredths of a cent. */
export const TAXABLE_DECIMALS = decimals.money + 2;

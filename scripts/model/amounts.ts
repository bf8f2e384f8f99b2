// Amounts are integers in their smallest unit, so all arithmetic is exact.
import { decimals, format, read, type Unit } from "../../kit/amounts.ts";

export const money = (text: string): bigint => read(text, "money");
export const points = (text: string): bigint => read(text, "points");
export const ratio = (text: string): bigint => read(text, "ratio");

/** With all decimals, as Postgres has them. */
export const asMoney = (amount: bigint): string => format(amount, decimals.money);
export const asPoints = (amount: bigint): string => format(amount, decimals.points);
export const asRatio = (amount: bigint): string => format(amount, decimals.ratio);

/** Whether a text has more decimals than its unit. */
export const isTooFine = (text: string, unit: Unit): boolean => (text.split(".")[1]?.length ?? 0) > decimals[unit];

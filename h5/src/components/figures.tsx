import { useTranslation } from "react-i18next";
import { languageTag } from "../../../web/language_tag.ts";
import styles from "./figures.module.css";

/** Formats an amount from its decimal digits, without a conversion to a floating-point number. */
function numberFormat(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  return new Intl.NumberFormat(languageTag(), options);
}

const currency = { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" } as const;

export const formatMoney = (value: string) => numberFormat(currency).format(value as unknown as number);
export const formatPoints = (value: number) => numberFormat({ maximumFractionDigits: 4 }).format(value);
export const formatCount = (value: number) => numberFormat({}).format(value);
export const formatShare = (value: number) => numberFormat({ style: "percent", maximumFractionDigits: 3 }).format(value);

/** An amount of money. */
export function Money({ value, signed }: { value: string; signed?: boolean }) {
  useTranslation("common");
  return (
    <span className="figures">
      {signed && !value.startsWith("-") ? "+" : ""}
      {formatMoney(value)}
    </span>
  );
}

/** An amount of money as a price, with the integer part emphasized. */
export function Price({ value, size = "price" }: { value: string; size?: "price" | "medium" | "large" }) {
  useTranslation("common");
  const parts = numberFormat(currency).formatToParts(value as unknown as number);
  const isSmall = (type: string) => ["currency", "decimal", "fraction"].includes(type);
  return (
    <span className={styles[size]}>
      {parts.map(({ type, value: text }, at) => (isSmall(type) ? <small key={at}>{text}</small> : text))}
    </span>
  );
}

/** Points: up to four decimals. */
export function Points({ value, signed }: { value: number; signed?: boolean }) {
  useTranslation("common");
  return (
    <span className="figures">
      {signed && value > 0 ? "+" : ""}
      {formatPoints(value)}
    </span>
  );
}

import { useTranslation } from "react-i18next";
import { languageTag } from "../../../shared/language_tag.ts";

type Amount = string | number | null | undefined;

/** Formats an amount from its decimal digits, without a conversion to a floating-point number. */
function format(value: string | number, options: Intl.NumberFormatOptions): string {
  return new Intl.NumberFormat(languageTag(), options).format(value as number);
}

export const formatMoney = (value: string | number) =>
  format(value, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
/** Formats money in the currency of the store. */
export const formatCurrency = (value: string | number) =>
  format(value, { style: "currency", currency: "CNY", currencyDisplay: "narrowSymbol" });
export const formatPoints = (value: string | number) => format(value, { maximumFractionDigits: 4 });
export const formatCount = (value: number) => format(value, {});
/** Formats the size of a file. */
export const formatSize = (bytes: number) =>
  bytes < 1_000_000
    ? format(bytes / 1000, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 })
    : format(bytes / 1_000_000, {
        style: "unit",
        unit: "megabyte",
        minimumFractionDigits: 1,
        maximumFractionDigits: 1,
      });
export const formatShare = (value: number) => format(value, { style: "percent", maximumFractionDigits: 3 });

function Figures({
  value,
  write,
  signed,
}: {
  value: Amount;
  write: (value: string | number) => string;
  signed?: boolean;
}) {
  useTranslation("common");
  if (value === null || value === undefined) return <span className="figures">–</span>;
  const isNegative = Number(value) < 0;
  return (
    <span className={isNegative ? "figures figures-negative" : "figures"}>
      {signed && Number(value) > 0 ? "+" : ""}
      {write(value)}
    </span>
  );
}

/** An amount of money with two decimals and tabular digits. */
export function Money({ value, signed }: { value: Amount; signed?: boolean }) {
  return <Figures value={value} write={formatMoney} signed={signed} />;
}

/** An amount of money with its currency, for places without a column header. */
export function Currency({ value }: { value: Amount }) {
  return <Figures value={value} write={formatCurrency} />;
}

/** Points: up to four decimals. */
export function Points({ value, signed }: { value: Amount; signed?: boolean }) {
  return <Figures value={value} write={formatPoints} signed={signed} />;
}

/** A whole number. */
export function Count({ value }: { value: number | null | undefined }) {
  return <Figures value={value} write={(count) => formatCount(Number(count))} />;
}

/** A fraction as a percentage. */
export function Share({ value }: { value: number | null | undefined }) {
  return <Figures value={value} write={(share) => formatShare(Number(share))} />;
}

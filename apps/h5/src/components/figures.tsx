import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatMoney, formatNumber, formatShare } from "../../../../functions/_shared/words/figures.ts";
import { classes } from "./classes.ts";
import styles from "./figures.module.css";

export { formatMoney, formatNumber, formatShare };

/** An amount of money. */
export function Money({ value, signed }: { value: string; signed?: boolean }) {
  useTranslation("common");
  return <span className="figures">{formatMoney(value, signed ? "+" : "")}</span>;
}

/** An amount of money as a price, with the integer part emphasized. */
export function Price({ value, size = "price" }: { value: string; size?: "price" | "medium" | "large" }) {
  useTranslation("common");
  const [, sign, whole, decimals] = /^(\D+)([\d,]+)(.*)$/.exec(formatMoney(value))!;
  return (
    <span className={styles[size]}>
      <small>{sign}</small>
      {whole}
      <small>{decimals}</small>
    </span>
  );
}

/** Points with two decimals, rounded down; a tap shows all four. */
export function BriefPoints({ value, signed }: { value: number; signed?: boolean }) {
  useTranslation("common");
  const [isWhole, setWhole] = useState(false);
  const whole = formatNumber(value, signed ? "+" : "");
  const brief = whole.replace(/(\.\d\d)\d+$/, "$1");
  if (brief === whole) return <span className="figures">{whole}</span>;
  return (
    <button
      type="button"
      className={classes("figures", styles.brief)}
      aria-expanded={isWhole}
      onClick={() => setWhole(!isWhole)}
    >
      {isWhole ? whole : brief}
    </button>
  );
}

/** Points: up to four decimals. */
export function Points({ value, signed }: { value: number; signed?: boolean }) {
  useTranslation("common");
  return <span className="figures">{formatNumber(value, signed ? "+" : "")}</span>;
}

import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./amount_row.module.css";
import { classes } from "./classes.ts";

interface AmountRowProps {
  title: ReactNode;
  /** The page that the title opens. */
  to?: string;
  amounts: ReactNode;
  /** Below the title. */
  children: ReactNode;
}

/** A row of a list with amounts at its end. */
export function AmountRow({ title, to, amounts, children }: AmountRowProps) {
  return (
    <li className={styles.row}>
      {to === undefined ? (
        <span className={styles.title}>{title}</span>
      ) : (
        <Link className={styles.title} to={to}>
          {title}
        </Link>
      )}
      <span className={styles.amounts}>{amounts}</span>
      {children}
    </li>
  );
}

/** The weak last lines of a row, whose parts are not broken. */
export function RowDetails({ children }: { children: ReactNode }) {
  return <span className={classes("weak", styles.details)}>{children}</span>;
}

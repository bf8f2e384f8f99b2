import type { ReactNode } from "react";
import { classes } from "./classes.ts";
import styles from "./entry.module.css";
import layout from "../../../shared/member_styles/layout.module.css";

/** An address or an account: whose it is, its number, and the rest below. */
export function EntryText({ name, number, children }: { name: string; number: string; children: ReactNode }) {
  return (
    <span className={styles.text}>
      <span className={styles.who}>
        <strong>{name}</strong> <span className="figures">{number}</span>
      </span>
      <span>{children}</span>
    </span>
  );
}

/** An entry in the list of all. @param action at the end of the row */
export function EntryRow({ action, children }: { action: ReactNode; children: ReactNode }) {
  return (
    <li className={classes(layout.card, styles.row)}>
      <span className={layout.grow}>{children}</span>
      {action}
    </li>
  );
}

/** An entry of which one is chosen. */
export function EntryOption({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <button type="button" className={styles.option} aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  );
}

import type { ReactNode } from "react";
import styles from "./lines.module.css";

/** A list of things in a card, with lines between them. */
export function Lines({ children }: { children: ReactNode }) {
  return <ul className={styles.lines}>{children}</ul>;
}

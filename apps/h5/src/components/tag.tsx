import type { ReactNode } from "react";
import styles from "./tag.module.css";

/** A short text that marks something. */
export function Tag({ look = "tag", children }: { look?: "tag" | "brand" | "warm"; children: ReactNode }) {
  return <span className={styles[look]}>{children}</span>;
}

/** Several tags. */
export function Tags({ children }: { children: ReactNode }) {
  return <span className={styles.tags}>{children}</span>;
}

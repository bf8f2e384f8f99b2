import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** A description list. Entries without a value are left out. @param ruled below a line, apart from what is above */
export function Facts({ items, ruled = false }: { items: [name: string, value: ReactNode][]; ruled?: boolean }) {
  const known = items.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "");
  if (known.length === 0) return null;
  return (
    <dl className={ruled ? styles.ruled : styles.facts}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

import type { ReactNode } from "react";
import styles from "./balance_card.module.css";

/** A card in the main colour with what a member owns. */
export function BalanceCard({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.card} aria-label={label}>
      {children}
    </section>
  );
}

/** The main sum of such a card. */
export function MainBalance({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <p className={styles.name}>{name}</p>
      <p className={styles.total}>{children}</p>
    </>
  );
}

/** The other sums of such a card. */
export function Balances({ items }: { items: [name: string, value: ReactNode][] }) {
  return (
    <dl className={styles.balances}>
      {items.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

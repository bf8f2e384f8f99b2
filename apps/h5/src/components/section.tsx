import { type ReactNode, useId } from "react";
import layout from "../../../shared/member_styles/layout.module.css";
import styles from "../../../shared/member_styles/section.module.css";

/** A part of a page with its heading. */
export function Section({ title, extra, children }: { title: string; extra?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={layout.card} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {extra}
      </div>
      {children}
    </section>
  );
}

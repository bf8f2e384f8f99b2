import type { ReactNode } from "react";
import { Picture } from "./picture.tsx";
import styles from "./pictured.module.css";

/** A line about a product, behind its small picture. */
export function Pictured({ image, children }: { image: string | null; children: ReactNode }) {
  return (
    <span className={styles.pictured}>
      <span className={styles.thumbnail}>
        <Picture src={image ?? undefined} alt="" />
      </span>
      <span className={styles.content}>{children}</span>
    </span>
  );
}

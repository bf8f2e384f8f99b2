import type { ReactNode } from "react";
import styles from "./notice_box.module.css";

interface NoticeBoxProps {
  /** `status` is announced when it appears. */
  role: "status" | "note";
  title?: string;
  children: ReactNode;
}

/** What a member has to know now. */
export function NoticeBox({ role, title, children }: NoticeBoxProps) {
  return (
    <div className={styles.box} role={role}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}

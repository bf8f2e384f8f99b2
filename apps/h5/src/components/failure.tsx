import { CircleAlert } from "lucide-react";
import type { ReactNode, Ref } from "react";
import styles from "./failure.module.css";

interface FailureProps {
  title: string;
  children: ReactNode;
  ref?: Ref<HTMLDivElement>;
}

/** What has failed, as a title, and what to do next. */
export function Failure({ title, children, ref }: FailureProps) {
  return (
    <div className={styles.box} role="alert" ref={ref}>
      <CircleAlert size={20} aria-hidden />
      <div>
        <strong>{title}</strong>
        {children}
      </div>
    </div>
  );
}

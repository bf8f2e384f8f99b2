import { Inbox } from "lucide-react";
import styles from "./empty.module.css";
import { LinkButton } from "./link_button.tsx";

interface EmptyProps {
  text: string;
  action?: { to: string; label: string };
}

/** Shown instead of an empty list, with an action if there is one. */
export function Empty({ text, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.picture}>
        <Inbox size={40} strokeWidth={1.4} aria-hidden />
      </span>
      <p>{text}</p>
      {action && <LinkButton to={action.to}>{action.label}</LinkButton>}
    </div>
  );
}

import { useEffect, useSyncExternalStore } from "react";
import styles from "./notices.module.css";

const listeners = new Set<() => void>();
let notice: { text: string } | undefined;

function become(next: typeof notice): void {
  notice = next;
  for (const listener of listeners) listener();
}

/** Shows a notice after an action. */
export function notify(text: string): void {
  become({ text });
}

const shownFor = 3000;

/** The live region of the notices, which screen readers announce. */
export function Notices() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => notice,
  );
  useEffect(() => {
    if (!shown) return undefined;
    const timer = setTimeout(() => become(undefined), shownFor);
    return () => clearTimeout(timer);
  }, [shown]);
  return (
    <div className={styles.notices} role="status">
      {shown && <span className={styles.notice}>{shown.text}</span>}
    </div>
  );
}

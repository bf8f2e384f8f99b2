import { Copy } from "lucide-react";
import { copyText } from "./copy_text.ts";
import styles from "./copyable.module.css";
import { IconButton } from "./icon_button.tsx";

/** A text with a button that copies it. @param label of the button */
export function Copyable({ text, label }: { text: string; label: string }) {
  return (
    <span className={styles.copyable}>
      {text}
      <IconButton label={label} icon={Copy} size={16} onClick={() => void copyText(text)} />
    </span>
  );
}

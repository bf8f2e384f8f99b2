import { type ReactNode, useId } from "react";
import styles from "./file_button.module.css";

interface FileButtonProps {
  disabled: boolean;
  /** Whether several files can be chosen at once. */
  multiple?: boolean;
  onChoose: (files: FileList | null) => void;
  children: ReactNode;
}

/** Lets the member choose pictures, or take one with the camera. */
export function FileButton({ disabled, multiple, onChoose, children }: FileButtonProps) {
  const id = useId();
  return (
    <span className={styles.choice}>
      <label className={styles.button} htmlFor={id}>
        {children}
      </label>
      <input
        id={id}
        className={styles.input}
        type="file"
        accept="image/*"
        multiple={multiple}
        disabled={disabled}
        onChange={({ target }) => {
          onChoose(target.files);
          // The same file can be chosen again after a failure.
          target.value = "";
        }}
      />
    </span>
  );
}

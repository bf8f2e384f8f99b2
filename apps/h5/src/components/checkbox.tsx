import { Checkbox as LibraryCheckbox } from "antd-mobile";
import type { ReactNode } from "react";
import styles from "./checkbox.module.css";

interface CheckboxProps {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}

/** A checkbox of the component library, which the keyboard and screen readers can reach, too. */
export function Checkbox({ checked, onChange, disabled = false, children }: CheckboxProps) {
  return (
    <LibraryCheckbox className={styles.checkbox} checked={checked} disabled={disabled} onChange={onChange}>
      {children}
    </LibraryCheckbox>
  );
}

import { Minus, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "./icon_button.tsx";
import styles from "./quantity.module.css";

interface QuantityProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** A number of units with buttons that add and remove one. */
export function Quantity({ label, value, min = 1, max, onChange }: QuantityProps) {
  const { t } = useTranslation("common");
  const [typed, setTyped] = useState<string>();
  const bound = (next: number) => Math.min(Math.max(next, min), max);
  return (
    <div className={styles.quantity} role="group" aria-label={label}>
      <IconButton
        label={t("fewer")}
        icon={Minus}
        size={18}
        disabled={value <= min}
        onClick={() => onChange(bound(value - 1))}
      />
      <input
        aria-label={label}
        inputMode="numeric"
        value={typed ?? String(value)}
        onChange={({ target }) => {
          setTyped(target.value);
          if (/^\d{1,4}$/.test(target.value)) onChange(bound(Number(target.value)));
        }}
        onBlur={() => setTyped(undefined)}
      />
      <IconButton
        label={t("more")}
        icon={Plus}
        size={18}
        disabled={value >= max}
        onClick={() => onChange(bound(value + 1))}
      />
    </div>
  );
}

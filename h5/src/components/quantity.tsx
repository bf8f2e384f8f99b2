import { Minus, Plus } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";

interface QuantityProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  onChange: (value: number) => void;
}

/** A number of units with buttons that add and remove one. The buttons of the component library's stepper have no accessible names. */
export function Quantity({ label, value, min = 1, max, onChange }: QuantityProps) {
  const { t } = useTranslation("common");
  const id = useId();
  const [typed, setTyped] = useState<string>();
  const bound = (next: number) => Math.min(Math.max(next, min), max);
  return (
    <div className="quantity" role="group" aria-label={label}>
      <button
        type="button"
        className="icon-button"
        aria-label={t("fewer")}
        disabled={value <= min}
        onClick={() => onChange(bound(value - 1))}
      >
        <Minus size={18} aria-hidden />
      </button>
      <input
        id={id}
        aria-label={label}
        inputMode="numeric"
        value={typed ?? String(value)}
        onChange={({ target }) => {
          setTyped(target.value);
          if (/^\d{1,4}$/.test(target.value)) onChange(bound(Number(target.value)));
        }}
        onBlur={() => setTyped(undefined)}
      />
      <button
        type="button"
        className="icon-button"
        aria-label={t("more")}
        disabled={value >= max}
        onClick={() => onChange(bound(value + 1))}
      >
        <Plus size={18} aria-hidden />
      </button>
    </div>
  );
}

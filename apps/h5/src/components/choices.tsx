import styles from "./choices.module.css";

interface ChoicesProps<Value extends string> {
  label: string;
  values: readonly Value[];
  /** Undefined if none is chosen yet. */
  value: Value | undefined;
  nameOf: (value: Value) => string;
  onChange: (value: Value) => void;
  /** In several rows, where a row that scrolls has no room. */
  wraps?: boolean;
}

/** A row of buttons of which one is selected, to filter a list. */
export function Choices<Value extends string>({
  label,
  values,
  value,
  nameOf,
  onChange,
  wraps = false,
}: ChoicesProps<Value>) {
  return (
    <div className={wraps ? styles.wrapping : styles.choices} role="group" aria-label={label}>
      {values.map((each) => (
        <button key={each} type="button" aria-pressed={each === value} onClick={() => onChange(each)}>
          {nameOf(each)}
        </button>
      ))}
    </div>
  );
}

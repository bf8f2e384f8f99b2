import { type ComponentProps, useId } from "react";
import styles from "./field.module.css";

interface FieldProps {
  label: string;
  hint?: string | undefined;
  error?: string | undefined;
}

function useParts({ hint, error }: FieldProps) {
  const id = useId();
  const parts = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(" ");
  return { id, described: { "aria-invalid": error !== undefined, ...(parts && { "aria-describedby": parts }) } };
}

function Frame({ id, label, hint, error, children }: FieldProps & { id: string; children: React.ReactNode }) {
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children}
      {hint && (
        <p className={styles.hint} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error && (
        <p className={styles.error} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** A text field of one line with its label and its error, which screen readers read with it. */
export function TextField({ label, hint, error, ...input }: FieldProps & ComponentProps<"input">) {
  const { id, described } = useParts({ label, hint, error });
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input id={id} className={styles.input} {...described} {...input} />
    </Frame>
  );
}

/** A text field of several lines. */
export function TextArea({ label, hint, error, ...input }: FieldProps & ComponentProps<"textarea">) {
  const { id, described } = useParts({ label, hint, error });
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea id={id} className={styles.input} rows={3} {...described} {...input} />
    </Frame>
  );
}

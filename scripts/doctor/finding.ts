/** The result of one check of the doctor. */
export interface Finding {
  check: string;
  /** `hint`: there may be nothing to do. `skipped`: the doctor could not check it. It is not a success. */
  severity: "ok" | "hint" | "warning" | "error" | "skipped";
  message: string;
  /** How to fix it, or how to let the doctor check it; empty if all is well. */
  hint: string;
}

export const ok = (check: string, message: string): Finding => ({ check, severity: "ok", message, hint: "" });
export const warning = (check: string, message: string, hint: string): Finding => ({
  check,
  severity: "warning",
  message,
  hint,
});
export const error = (check: string, message: string, hint: string): Finding => ({
  check,
  severity: "error",
  message,
  hint,
});
export const skipped = (check: string, message: string, hint: string): Finding => ({
  check,
  severity: "skipped",
  message,
  hint,
});

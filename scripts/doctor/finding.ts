import type { Check } from "./points.ts";

/** The result of one check. Those of the doctor have a place in its list. */
export interface Finding<Name extends string = Check> {
  check: Name;
  /** `hint`: there may be nothing to do. `skipped`: the doctor could not check it. It is not a success. */
  severity: "ok" | "hint" | "warning" | "error" | "skipped";
  message: string;
  /** How to fix it, or how to let the doctor check it; empty if all is well. */
  hint: string;
}

const finding =
  (severity: Finding["severity"]) =>
  <Name extends string>(check: Name, message: string, hint: string): Finding<Name> => ({
    check,
    severity,
    message,
    hint,
  });

export const ok = <Name extends string>(check: Name, message: string) => finding("ok")(check, message, "");
export const hint = finding("hint");
export const warning = finding("warning");
export const error = finding("error");
export const skipped = finding("skipped");

import { step } from "../stack/progress.ts";
import type { Check } from "./checks.ts";

/** What a group of checks came to. */
export interface Outcome {
  passed: number;
  failed: number;
}

/**
 * Runs checks one after the other; each counts as one test.
 * @param run runs one of them and returns its exit status
 */
export async function runChecks(checks: Check[], run: (check: Check) => Promise<number>): Promise<Outcome> {
  let failed = 0;
  for (const check of checks) {
    await step(check.label, async () => {
      if ((await run(check)) !== 0) throw new Error(check.label);
    }).catch(() => {
      failed += 1;
    });
  }
  return { passed: checks.length - failed, failed };
}

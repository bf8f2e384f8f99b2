import type { SuiteAPI, TestAPI, TestContext, TestOptions } from "vitest";

declare module "vitest" {
  interface TaskMeta {
    /**
     * Why a test or a suite is skipped, or what a test left out, a reason for each. `npm test` names them at its end.
     */
    skipped?: string[];
  }
}

interface Declare {
  (name: string, body: (context: TestContext) => unknown): void;
  (name: string, options: TestOptions, body: (context: TestContext) => unknown): void;
}

/**
 * Skips tests for a reason that `npm test` names. No test is skipped in another way.
 * @param api `it` or `describe`
 * @param reason undefined if they run
 */
export function skipFor(api: TestAPI | SuiteAPI, reason: string | undefined): Declare {
  if (reason === undefined) return api as Declare;
  return (name: string, ...rest: unknown[]) => {
    const body = rest.pop();
    const [options] = rest as TestOptions[];
    (api.skip as (...args: unknown[]) => void)(name, { ...options, meta: { skipped: [reason] } }, body);
  };
}

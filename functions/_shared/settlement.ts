import { inBackground } from "./background.ts";

/** Starts the settlement of waiting jobs in the background. */
export type Settle = () => void;

/**
 * Runs at most one settlement at a time in an instance; each run settles all waiting jobs. If an order is paid during a run, another run
 * follows it.
 * @param run settles the waiting jobs
 */
export function createSettlement(run: () => Promise<unknown>): Settle {
  let running = false;
  let again = false;
  return () => {
    again = true;
    if (running) return;
    running = true;
    inBackground("settlement", async () => {
      try {
        while (again) {
          again = false;
          await run();
        }
      } finally {
        running = false;
      }
    });
  };
}

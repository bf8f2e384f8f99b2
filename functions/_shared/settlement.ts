import { inBackground } from "./background.ts";

/** Starts the settlement of what waits, after the answer has gone out. */
export type Settle = () => void;

/**
 * One settlement at a time in an instance: it takes everything that waits. What is paid while one runs is settled by one more after it.
 * @param run settles what waits
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

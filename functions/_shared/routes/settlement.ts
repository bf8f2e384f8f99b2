import { inBackground } from "../ground/background.ts";

/** Starts the settlement of waiting jobs in the background. */
export type Settle = () => void;

/** How long an instance goes on at once. Then the next payment goes on, or the scheduled job. */
const TURN_MS = 10_000;
/** How long it waits for others that have locked all orders that are due. */
const PAUSE_MS = 100;

/**
 * Settles in the background, at most once at a time in an instance, until nothing is due or another instance settles.
 * If an order is paid meanwhile, it looks again.
 * @param settleBatch settles one batch of waiting jobs and returns how many it handled, or null if nothing is due or
 * others settle (app.lead_settlement)
 */
export function createSettlement(settleBatch: () => Promise<number | null>): Settle {
  let running = false;
  let again = false;
  return () => {
    again = true;
    if (running) return;
    running = true;
    inBackground("settlement", async () => {
      const end = performance.now() + TURN_MS;
      try {
        while (again && performance.now() < end) {
          again = false;
          const handled = await settleBatch();
          // Others may have left their orders to this instance until its batch was committed, even an empty one.
          if (handled !== null) again = true;
          if (handled === 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
        }
      } finally {
        running = false;
      }
    });
  };
}

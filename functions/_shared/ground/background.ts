import { log } from "./log.ts";

/** Exists only in Supabase's edge runtime, where it keeps the instance alive until the work is done. */
interface EdgeRuntime {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Runs work after the response is sent. There is no guarantee that the work completes: a scheduled job must repeat
 * whatever fails or is interrupted here.
 */
export function inBackground(name: string, work: () => Promise<unknown>): void {
  const running = work().catch((error: unknown) => {
    log("error", "background work failed", { work: name, error: String(error) });
  });
  (globalThis as { EdgeRuntime?: EdgeRuntime }).EdgeRuntime?.waitUntil(running);
}

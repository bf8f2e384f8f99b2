/** Present in Supabase's edge runtime only: keeps the instance alive until the work is done. */
interface EdgeRuntime {
  waitUntil(work: Promise<unknown>): void;
}

/**
 * Runs work after the answer has gone out. Whatever fails or is cut off here must be picked up by a scheduled job:
 * this is a head start, not a promise.
 */
export function inBackground(name: string, work: () => Promise<unknown>): void {
  const running = work().catch((error: unknown) => {
    console.error(JSON.stringify({ level: "error", msg: "background work failed", work: name, error: String(error) }));
  });
  (globalThis as { EdgeRuntime?: EdgeRuntime }).EdgeRuntime?.waitUntil(running);
}

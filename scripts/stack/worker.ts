import { setTimeout as pause } from "node:timers/promises";
import { WORKER_SECRET } from "../../functions/_shared/routes/worker_call.ts";
import { host } from "../ground/ports.ts";

const PAUSE_MS = 1000;
const DEADLINE_MS = 30_000;

/**
 * Calls the edge function `worker` every second, in place of pg_cron with pg_net, which Debian does not have.
 * @returns a function that stops it
 */
export function startWorkerCalls(port: number, secret: string): () => Promise<void> {
  const stop = new AbortController();
  const call = async () => {
    const response = await fetch(`http://${host}:${port}/worker/run`, {
      method: "POST",
      headers: { [WORKER_SECRET]: secret },
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    await response.body?.cancel();
  };
  void (async () => {
    while (!stop.signal.aborted) {
      // A worker that does not respond is restarted and reported by the stack.
      await call().catch(() => {});
      await pause(PAUSE_MS, undefined, { signal: stop.signal }).catch(() => {});
    }
  })();
  return () => {
    stop.abort();
    return Promise.resolve();
  };
}

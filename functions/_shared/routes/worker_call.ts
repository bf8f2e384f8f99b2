import { inBackground } from "../ground/background.ts";
import type { Environment } from "../ground/env.ts";

/** The request header with the secret of the worker. */
export const WORKER_SECRET = "x-worker-secret";

/** Calls the worker in the background. */
export type Work = () => void;

const DEADLINE_MS = 30_000;

/** Creates the call of the worker. Without the secret it does nothing, and the outbox waits for the scheduled job. */
export function createWork(env: Environment): Work {
  const secret = env.get("STORE_WORKER_SECRET");
  if (!secret) return () => {};
  const url = `${env.get("STORE_FUNCTIONS_URL") || `${env.get("SUPABASE_URL")}/functions/v1`}/worker/run`;
  return () =>
    inBackground("worker", async () => {
      const response = await fetch(url, {
        method: "POST",
        headers: { [WORKER_SECRET]: secret },
        signal: AbortSignal.timeout(DEADLINE_MS),
      });
      await response.body?.cancel();
    });
}

import { setTimeout as pause } from "node:timers/promises";
import type { Random } from "../demo/random.ts";
import type { FaultStack } from "./stack.ts";

/** Sessions of this name are killed in the middle of their jobs. */
export const JOBS_BY_HAND = "jobs by hand";

/** What an operator may run at any time, also beside pg_cron. Small batches have many ends. */
const jobs = [
  "call app.drain_settlement_jobs()",
  "call app.drain_settlement_jobs()",
  "call app.release_frozen_points(null, null, 3)",
  "call app.release_frozen_points(null, null, 3)",
  "call app.sum_team_totals()",
  "call app.continue_unfinished_runs()",
  "call app.expire_orders()",
  "call app.delete_due_accounts()",
  "call app.write_due_events()",
  "call app.tell_notices()",
  "call app.write_deliveries()",
];

/** Runs a job, which may be killed, or find the server down. */
export async function runJob(stack: FaultStack, job: string): Promise<void> {
  const sql = stack.connect("owner", JOBS_BY_HAND);
  await sql.unsafe(job).catch(() => undefined);
  await sql.end({ timeout: 1 });
}

/**
 * Runs jobs beside pg_cron, which starts them only once a minute, so that there is always one to kill.
 * @returns a function that stops it
 */
export function startJobsByHand(stack: FaultStack, random: Random): () => Promise<void> {
  let isOver = false;
  const running = (async () => {
    while (!isOver) {
      await runJob(stack, random.pick(jobs));
      await pause(random.below(400));
    }
  })();
  return async () => {
    isOver = true;
    await running;
  };
}

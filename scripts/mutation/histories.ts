import fc from "fast-check";
import type postgres from "postgres";
import { history, type Step } from "../histories/history.ts";
import { runHistory } from "../histories/run_history.ts";
import { rolledBack } from "../testing/clone_database.ts";
import { type Failure, failureOf } from "./pgtap.ts";

/** The same random histories for every mutant. */
export function fixedHistories(seed: number, count: number): Step[][] {
  return fc.sample(history, { seed, numRuns: count });
}

/** Whether the store differs from the reference model in one of the histories, each of which is rolled back. */
export async function runHistories(sql: postgres.Sql, histories: Step[][]): Promise<Failure> {
  for (const [index, steps] of histories.entries()) {
    try {
      await rolledBack(sql, (transaction) => runHistory(transaction, steps, false));
    } catch (error) {
      const cause = (error as Error).cause ?? error;
      const { reason, detail } = failureOf(cause);
      return {
        reason: (cause as { code?: string }).code === "ERR_ASSERTION" ? "failed" : reason,
        detail: `history ${index + 1}: ${detail}`.slice(0, 200),
      };
    }
  }
  return undefined;
}

/** The same with the real procedures, which commit. @param sql of a prepared database that is dropped afterwards */
export async function runCommittedHistory(sql: postgres.Sql, steps: Step[]): Promise<Failure> {
  try {
    await runHistory(sql, steps, true);
    return undefined;
  } catch (error) {
    return { ...failureOf((error as Error).cause ?? error), reason: "failed" };
  }
}

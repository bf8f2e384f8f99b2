import type { Connections } from "./connections.ts";
import { problemFromDatabase, stateOf } from "./database_problem.ts";
import { describeRequest, log } from "../ground/log.ts";

/**
 * The header with the log position of the primary: in responses of writes, and in later requests of the same client.
 */
export const STORE_POSITION = "Store-Position";

/**
 * The position after all others, for a write whose position is unknown: no standby has replayed it, so the primary
 * answers.
 */
export const LAST_POSITION = "FFFFFFFF-FFFFFFFF/FFFFFFFF";

/** How old an answer of a standby may be. In a quiet store, the primary answers instead (app.has_replayed). */
const MAX_AGE = "10 seconds";
/** How long a standby that did not answer is left alone. Then one request tries it again. */
const PAUSE_MS = 5_000;

const READ_AS_CALLER =
  "select app.read_as_caller($1::text::jsonb, $2, $3::text::jsonb, $4, $5, $6::interval)::text as result";

/** A read that a standby may answer. */
export interface StandbyRead {
  /** The claims and arguments are JSON texts. */
  claims: string;
  functionName: string;
  args: string;
  requestId: string | null;
  /**
   * The position that the standby must have replayed. The database checks it: any other text counts as not replayed.
   */
  position: string | null;
}

/** Asks the standby. @returns the result as JSON text; undefined if the primary must answer */
export type AskStandby = (read: StandbyRead, caller: string) => Promise<string | undefined>;

/**
 * Asks a standby for reads that may be a moment old. It never fails: a standby that is behind, on an older timeline,
 * promoted or gone does not answer, and neither does one on which the call fails, because what is missing there may
 * exist on the primary.
 */
export function createStandby(connections: Connections, prepare: boolean): AskStandby {
  let askAgainAt = 0;

  return async ({ claims, functionName, args, requestId, position }, caller) => {
    if (performance.now() < askAgainAt) return undefined;
    // After a failure, only this request tries it again.
    if (askAgainAt > 0) askAgainAt = performance.now() + PAUSE_MS;
    try {
      const values = [claims, functionName, args, requestId, position, MAX_AGE];
      const [row] = await connections.run((sql) => sql.unsafe(READ_AS_CALLER, values, { prepare }), { caller });
      askAgainAt = 0;
      const result = (row?.result ?? undefined) as string | undefined;
      if (result !== undefined) describeRequest({ standby: true });
      return result;
    } catch (error) {
      const { code } = problemFromDatabase(error);
      if (code !== "database_unavailable" && code !== "database_timeout") return undefined;
      if (askAgainAt === 0)
        log("warning", "the standby does not answer, so the primary does", {
          sqlstate: stateOf(error) || undefined,
          error: String(error),
        });
      askAgainAt = performance.now() + PAUSE_MS;
      return undefined;
    }
  };
}

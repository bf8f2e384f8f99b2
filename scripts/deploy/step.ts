import type { ShowDetail } from "../ground/progress.ts";

/**
 * A step of a deployment. What it has done before is not done again, so a deployment that was interrupted goes on where
 * it was.
 */
export interface Step {
  name: string;
  /** Commands and statements that do the same by hand. They name secrets, but do not contain them. */
  byHand: string[];
  /**
   * What is left to do; undefined if nothing is. It asks the project and keeps no record of its own.
   * @throws Problem if the step cannot be done
   */
  left(): Promise<string | undefined>;
  run(show: ShowDetail): Promise<void>;
}

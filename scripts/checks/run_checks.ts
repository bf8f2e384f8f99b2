import { setPriority } from "node:os";
import { execa } from "execa";
import { denoEnvironment } from "../stack/functions.ts";
import { projectRoot } from "../ground/paths.ts";
import { step } from "../ground/progress.ts";
import type { Check } from "./checks.ts";

/**
 * Disables network access and telemetry. Forces colours where the terminal has them, because the output is captured and
 * printed later.
 */
const environment = {
  ...denoEnvironment,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  // The compiler and the linter in Go collect garbage at five times what is in use instead of twice: a third of their
  // processor time.
  GOGC: "400",
  [process.stdout.isTTY && !process.env.NO_COLOR ? "FORCE_COLOR" : "NO_COLOR"]: "1",
};

/** The result of a group of checks. */
export interface Outcome {
  passed: number;
  failed: number;
  /** What failed and why, a text of some lines for each. They are repeated at the end of a run. */
  failures: string[];
  /**
   * What failed first and passed when it was repeated, each with its whole first failure. Only CI repeats tests, those
   * of `test/support/repetition.ts`.
   */
  repeated: string[];
  /** What was skipped, each with the reason. */
  skipped: string[];
  /** Where the time went: the seconds of each group, such as `test/api`. Groups run side by side. */
  seconds: Record<string, number>;
}

const linesOfFailure = 12;

/**
 * The text of a failure for the end of a run: its name and the reason.
 * @param most how many lines of the reason it has. The output of the run has all lines of what failed, and none of what
 * passed when it was repeated
 */
export function describeFailure(name: string, reason: string, most = linesOfFailure): string {
  const lines = reason.trim().split("\n");
  const rest = lines.length - most;
  return [
    name,
    ...lines.slice(0, most).map((line) => `    ${line}`),
    ...(rest > 0 ? [`    … ${rest} more lines above`] : []),
  ].join("\n");
}

/** The exit code and output of a check. */
interface Ended {
  code: number;
  output: string;
  seconds: number;
}

/** A check that runs or waits for the previous one. */
export interface StartedCheck {
  label: string;
  ended: Promise<Ended>;
}

/**
 * Starts checks in the background, one after the other.
 * @param cancelSignal terminates the running check and skips the others
 * @param priority of their processes (os.constants.priority), by default that of this one
 */
export function startChecks(checks: Check[], cancelSignal?: AbortSignal, priority?: number): StartedCheck[] {
  let before: Promise<unknown> = Promise.resolve();
  return checks.map(({ label, command, args }) => {
    const ended = before.then(async (): Promise<Ended> => {
      if (cancelSignal?.aborted) return { code: 1, output: "Interrupted.", seconds: 0 };
      const since = performance.now();
      const running = execa(command, args, {
        cwd: projectRoot,
        env: environment,
        stdin: "ignore",
        all: true,
        reject: false,
        ...(cancelSignal && { cancelSignal }),
      });
      if (priority !== undefined && running.pid !== undefined) setPriority(running.pid, priority);
      const { exitCode, all } = await running;
      return { code: exitCode ?? 1, output: all, seconds: (performance.now() - since) / 1000 };
    });
    before = ended;
    return { label, ended };
  });
}

/** Waits for checks and prints the result of each, with its output if it failed. Each check counts as one test. */
export async function reportChecks(checks: StartedCheck[]): Promise<Outcome> {
  const failures: string[] = [];
  const times: Record<string, number> = {};
  for (const { label, ended } of checks) {
    await step(label, async () => {
      const { code, output, seconds } = await ended;
      times[label] = seconds;
      if (code !== 0) throw new Error(output);
    }).catch((error: unknown) => {
      const { message } = error as Error;
      failures.push(describeFailure(label, message));
      console.log(`\n${message}\n`);
    });
  }
  return {
    passed: checks.length - failures.length,
    failed: failures.length,
    failures,
    repeated: [],
    skipped: [],
    seconds: times,
  };
}

import { execa } from "execa";
import { denoEnvironment } from "../stack/functions.ts";
import { projectRoot } from "../stack/paths.ts";
import { step } from "../stack/progress.ts";
import type { Check } from "./checks.ts";

/** Nothing asks the network or reports to anybody; what is printed later is coloured as if it were printed at once. */
const environment = {
  ...denoEnvironment,
  REDOCLY_TELEMETRY: "off",
  REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  [process.stdout.isTTY && !process.env.NO_COLOR ? "FORCE_COLOR" : "NO_COLOR"]: "1",
};

/** What a group of checks came to. */
export interface Outcome {
  passed: number;
  failed: number;
}

/** How a check ended, and what it printed. */
interface Ended {
  code: number;
  output: string;
}

/** A check that has begun or waits for the one before it. */
interface StartedCheck {
  label: string;
  ended: Promise<Ended>;
}

/**
 * Begins checks, one after the other, in the background.
 * @param cancelSignal ends the check that runs, and begins no other
 */
export function startChecks(checks: Check[], cancelSignal?: AbortSignal): StartedCheck[] {
  let before: Promise<unknown> = Promise.resolve();
  return checks.map(({ label, command, args }) => {
    const ended = before.then(async (): Promise<Ended> => {
      if (cancelSignal?.aborted) return { code: 1, output: "Interrupted." };
      const { exitCode, all } = await execa(command, args, { cwd: projectRoot, env: environment, stdin: "ignore", all: true, reject: false, ...(cancelSignal && { cancelSignal }) });
      return { code: exitCode ?? 1, output: all };
    });
    before = ended;
    return { label, ended };
  });
}

/** Waits for checks and shows how each ended, with what it printed if it found something. Each counts as one test. */
export async function reportChecks(checks: StartedCheck[]): Promise<Outcome> {
  let failed = 0;
  for (const { label, ended } of checks) {
    await step(label, async () => {
      const { code, output } = await ended;
      if (code !== 0) throw new Error(output);
    }).catch((error: unknown) => {
      failed += 1;
      console.log(`\n${(error as Error).message}\n`);
    });
  }
  return { passed: checks.length - failed, failed };
}

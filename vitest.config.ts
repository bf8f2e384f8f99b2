import { defineConfig } from "vitest/config";
import LongestFirst from "./test/support/longest_first.ts";
import { LONGEST_WAIT_MS } from "./test/support/longest_wait.ts";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    reporters: ["default", "./test/support/outcome_reporter.ts"],
    // Every file has its own databases, and tests spend most of the time waiting for Postgres.
    pool: "forks",
    // Files share the modules that a worker has loaded, instead of loading them again. What a test replaces is restored after it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // More workers only delay each other on two processors: ten files of pages, stacks and commands took 340 s with four and 289 s with two.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    // CI repeats failed tests of some folders once. The run names them at its end, with their first failure.
    runner: "./test/support/repetition.ts",
    // Far more than the slowest machine needs, so that only what hangs is ended. LONGEST_WAIT_MS ends a wait earlier and says for what.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: LONGEST_WAIT_MS } },
  },
});

import { defineConfig } from "vitest/config";
import ProcessesFirst from "./test/support/processes_first.ts";
import { LONGEST_WAIT_MS } from "./test/support/longest_wait.ts";

const oneAfterTheOther = (name: string, groupOrder: number) => ({
  extends: true as const,
  test: { name, include: [`test/**/*.${name}.test.ts`], fileParallelism: false, sequence: { groupOrder } },
});

export default defineConfig({
  test: {
    // The name of a file says when it runs. If filters name files of several projects, those that run one file after
    // the other come last (groupOrder).
    projects: [
      { extends: true, test: { name: "checks", include: ["test/**/!(*.ci|*.waits|*.alone).test.ts"] } },
      // Only with --all and in the long form: pages, commands and ways to run a store that guard no promise of
      // docs/guarantees.md.
      { extends: true, test: { name: "ci", include: ["test/**/*.ci.test.ts"] } },
      // They mostly wait, for a minute of the schedule or until a limit of time is reached. A complete run runs them
      // beside all others.
      oneAfterTheOther("waits", 1),
      // How long something takes at most, or what comes first under load. A complete run runs them after all others.
      oneAfterTheOther("alone", 2),
    ],
    setupFiles: ["test/support/setup.ts"],
    reporters: ["default", "./test/support/outcome_reporter.ts"],
    // Every file has its own databases, and tests spend most of the time waiting for Postgres.
    pool: "forks",
    // Files share the modules that a worker has loaded, instead of loading them again. What a test replaces is restored
    // after it.
    isolate: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    // More workers only delay each other on two processors: ten files of pages, stacks and commands took 340 s with
    // four and 289 s with two.
    maxWorkers: 3,
    sequence: { sequencer: ProcessesFirst },
    // CI repeats failed tests of some folders once. The run names them at its end, with their first failure.
    runner: "./test/support/repetition.ts",
    // Far more than the slowest machine needs, so that only what hangs is ended. LONGEST_WAIT_MS ends a wait earlier
    // and says for what.
    testTimeout: 900_000,
    hookTimeout: 900_000,
    expect: { poll: { timeout: LONGEST_WAIT_MS } },
  },
});

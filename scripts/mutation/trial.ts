import type { Step } from "../histories/history.ts";
import type { Choice, ChosenTest } from "./choice.ts";
import { runCommittedHistory, runHistories } from "./histories.ts";
import type { Laboratory } from "./laboratory.ts";
import type { Mutant } from "./mutants.ts";
import { type Failure, runPgTap } from "./pgtap.ts";
import type { Result } from "./results.ts";
import type { SessionTests } from "./session_tests.ts";

/** A pgTAP file may take several times as long as without a mutant. */
const limitOf = ({ milliseconds }: { milliseconds: number }) => Math.max(10_000, 8 * milliseconds);
/** The most files that only call the function: after random histories, they notice little. */
const distantFiles = 30;
const filesWithSessions = 6;

export interface Trial {
  laboratory: Laboratory;
  choice: Choice;
  /** What runs after pgTAP. */
  more?: { histories: Step[][]; sessions: SessionTests };
}

/** Runs a pgTAP file on the mutant. */
async function tryPgTap({ tests }: Laboratory, test: ChosenTest): Promise<Failure> {
  await tests.unsafe(`set statement_timeout = ${limitOf(test)}`);
  return (await runPgTap(tests, test)).failure;
}

/** Tests in the sequence in which they are likely to notice the mutant. */
function* testsOf(
  mutant: Mutant,
  { laboratory, choice, more }: Trial,
): Generator<{ name: string; run: () => Promise<Failure> }> {
  const isLock = mutant.operator === "lock";
  const files = choice.pgTap(mutant);
  const pgTap = (chosen: ChosenTest[]) =>
    chosen.map((test) => ({ name: test.path, run: () => tryPgTap(laboratory, test) }));
  yield* pgTap(files.filter(({ isNear }) => isNear));
  // A missing lock does not show in one session, but for the few files that look at locks.
  if (!isLock && more) yield { name: "test/property", run: () => runHistories(laboratory.histories, more.histories) };
  if (!isLock) yield* pgTap(files.filter(({ isNear }) => !isNear).slice(0, distantFiles));
  if (!more) return;
  const { histories, sessions } = more;
  if (!choice.needsSessions(mutant)) return;
  for (const [index, steps] of (isLock ? [] : histories.slice(0, 2)).entries()) {
    yield {
      name: `test/property, committed history ${index + 1}`,
      run: () => laboratory.withPreparedDatabase(mutant.text, (sql) => runCommittedHistory(sql, steps)),
    };
  }
  for (const file of choice.sessionTests(mutant).slice(0, filesWithSessions)) {
    yield { name: file, run: () => laboratory.withDatabase(mutant.text, (name) => sessions.run(file, name)) };
  }
}

/** Tries a mutant: runs tests until one of them fails. */
export async function tryMutant(mutant: Mutant, trial: Trial, show: (test: string) => void): Promise<Result> {
  const started = performance.now();
  let tests = 0;
  const end = (result: Pick<Result, "outcome"> & Partial<Result>): Result => ({
    key: mutant.key,
    tests,
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
    ...result,
  });
  try {
    const invalid = await trial.laboratory.apply(mutant.of, mutant.text);
    if (invalid !== undefined) return end({ outcome: "invalid", detail: invalid });
    for (const { name, run } of testsOf(mutant, trial)) {
      show(name);
      tests += 1;
      const failure = await run();
      if (failure) return end({ outcome: "killed", by: name, ...failure });
    }
    return end({ outcome: "survived" });
  } finally {
    await trial.laboratory.undo();
  }
}

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../ground/paths.ts";
import type { Measured } from "./baseline.ts";
import { allFunctions, calledBy, callersOf, type SqlFunction } from "./engine.ts";
import type { Mutant } from "./mutants.ts";
import type { PgTapFile } from "./pgtap.ts";

/** A pgTAP file that can notice a mutant, and its duration without one. */
export interface ChosenTest extends PgTapFile {
  milliseconds: number;
  /** Whether it names the function of the mutant. The others only call the function. */
  isNear: boolean;
}

/** The files whose sessions show that a lock is missing. */
const sessionFolder = "test/concurrency";
/** Files in which a lock is missed only after minutes, or which do not lock balances or orders. */
const otherSessions = /^(article|time_limits|partitions)/;

/** What a function contains that goes on without a lock that it did not get. */
const triesLocks = /pg_try_advisory|lock_not_available/;

/** Chooses the tests that can notice a mutant. */
export class Choice {
  private readonly functions = allFunctions();
  private readonly callers = callersOf(this.functions);
  private readonly called = new Map<string, string[]>();
  private readonly sessions = readdirSync(join(projectRoot, sessionFolder))
    .filter((name) => name.endsWith(".test.ts") && !otherSessions.test(name))
    .map((name) => ({
      path: `${sessionFolder}/${name}`,
      called: calledBy(readFileSync(join(projectRoot, sessionFolder, name), "utf8")),
    }));

  constructor(
    private readonly tests: PgTapFile[],
    private readonly measured: Measured[],
  ) {
    const byName = new Map(this.functions.map((each) => [each.name, each]));
    for (const { path, called } of measured)
      this.called.set(path, [
        ...new Set([...called, ...called.flatMap((name) => this.inlinedInto(byName.get(name), byName))]),
      ]);
  }

  /** The functions that Postgres may have put into a function. */
  private inlinedInto(caller: SqlFunction | undefined, byName: Map<string, SqlFunction>): string[] {
    if (!caller) return [];
    const inlined = calledBy(caller.text).filter((name) => name !== caller.name && byName.get(name)?.mayBeInlined);
    return [...inlined, ...inlined.flatMap((name) => this.inlinedInto(byName.get(name), byName))];
  }

  /**
   * The pgTAP files that run the function of a mutant: first those named after it, then those that name it, each by
   * duration.
   */
  pgTap({ of }: Mutant): ChosenTest[] {
    const distance = ({ path, text }: PgTapFile) =>
      path.includes(`/${of.name}/`) ? 0 : text.includes(`app.${of.name}(`) ? 1 : 2;
    return this.tests
      .flatMap((test) => {
        const measured = this.measured.find(({ path }) => path === test.path);
        if (!measured || measured.failure || !(this.called.get(test.path)?.includes(of.name) || distance(test) < 2))
          return [];
        return [{ ...test, milliseconds: measured.milliseconds, distance: distance(test), isNear: distance(test) < 2 }];
      })
      .sort((a, b) => a.distance - b.distance || a.milliseconds - b.milliseconds);
  }

  /** Whether only several sessions, or a procedure that commits, show a difference. */
  needsSessions({ of, operator }: Mutant): boolean {
    return operator === "lock" || this.procedures.has(of.name) || triesLocks.test(of.text);
  }

  private readonly procedures = new Set(
    this.functions.filter(({ isProcedure }) => isProcedure).flatMap(({ name, text }) => [name, ...calledBy(text)]),
  );

  /** The tests with several sessions that call the function of a mutant, directly before indirectly. */
  sessionTests({ of }: Mutant): string[] {
    const distances = new Map([[of.name, 0]]);
    for (let names = [of.name], distance = 1; names.length > 0 && distance <= 4; distance += 1) {
      names = [...new Set(names.flatMap((name) => this.callers.get(name) ?? []))].filter(
        (name) => !distances.has(name),
      );
      for (const name of names) distances.set(name, distance);
    }
    const near = ({ called }: { called: string[] }) =>
      Math.min(...called.map((name) => distances.get(name) ?? Infinity));
    return this.sessions
      .filter((file) => near(file) < Infinity)
      .sort((a, b) => near(a) - near(b))
      .map(({ path }) => path);
  }
}

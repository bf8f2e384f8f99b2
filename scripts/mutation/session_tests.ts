import { join } from "node:path";
import { execa } from "execa";
import type { TestContext } from "../testing/context.ts";
import { type Database, ownerUrl } from "../postgres/database.ts";
import { projectRoot } from "../ground/paths.ts";
import type { TemplateDatabases } from "../postgres/template_databases.ts";
import type { Failure } from "./pgtap.ts";

const vitest = join(projectRoot, "node_modules/vitest/vitest.mjs");
const shortestLimit = 60_000;

/** Runs files of test/concurrency, whose tests clone a template database. */
export class SessionTests {
  private readonly durations = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly templates: TemplateDatabases,
  ) {}

  /**
   * Runs a file.
   * @param template the database that its tests clone: that of the mutant
   * @returns undefined too if the file fails without a mutant
   */
  async run(file: string, template: string): Promise<Failure> {
    if (!this.durations.has(file)) this.durations.set(file, await this.measure(file));
    const usual = this.durations.get(file)!;
    return usual === Infinity ? undefined : this.runOn(file, template, Math.max(shortestLimit, 4 * usual));
  }

  /** The duration of a file without a mutant; infinite if it fails. */
  private async measure(file: string): Promise<number> {
    const started = performance.now();
    const failure = await this.runOn(file, this.templates.migrated, 10 * shortestLimit);
    if (failure) console.log(`\n  ${file} is left out, because it fails without a mutant: ${failure.detail}`);
    return failure ? Infinity : performance.now() - started;
  }

  private async runOn(file: string, template: string, limit: number): Promise<Failure> {
    const context = {
      stack: { database_url: ownerUrl(this.database, "postgres") },
      templates: { ...this.templates, migrated: template },
      clonePrefix: `${this.templates.migrated}_clone`,
      missing: [],
    } as unknown as TestContext;
    const { exitCode, timedOut, all } = await execa(
      process.execPath,
      [vitest, "run", file, "--bail=1", "--reporter=default", `--testTimeout=${Math.round(limit / 2)}`],
      {
        cwd: projectRoot,
        env: { STORE_TEST_CONTEXT: JSON.stringify(context), SEED: "20261120", NO_COLOR: "1" },
        stdin: "ignore",
        all: true,
        reject: false,
        timeout: limit,
        forceKillAfterDelay: 2_000,
      },
    );
    if (exitCode === 0) return undefined;
    const detail = all.match(/^.*(?:FAIL|×) .*$/m)?.[0].trim() ?? all.trim().split("\n").at(-1) ?? "";
    return { reason: timedOut || /Test timed out/.test(all) ? "timeout" : "failed", detail: detail.slice(0, 200) };
  }
}

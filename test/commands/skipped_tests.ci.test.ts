import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  describeSkipped,
  describeSkippedTests,
  describeTotals,
  groups,
  type Group,
} from "../../scripts/checks/missing_tools.ts";
import { pgTapOutcome } from "../../scripts/checks/pgtap.ts";
import { embeddedInstall } from "../../scripts/postgres/embedded.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { barePath } from "../stack/bare_path.ts";
import { skipFor } from "../support/index.ts";
import { outcomeOf } from "./outcome.ts";

describe("npm test on a machine that lacks something", () => {
  it("names each group that it skips", () => {
    const all = Object.keys(groups) as Group[];
    const lines = describeSkipped(all).split("\n");
    expect(lines).toHaveLength(all.length + 1);
    expect(lines[0]).toContain("do not count as passed");
    for (const name of ["pgTAP", "pg_cron", "plpgsql_check", "pages"])
      expect(lines.filter((line) => line.startsWith(`  - ${name}: `))).toHaveLength(1);
    expect(describeSkipped([])).toBe("");
  });

  it("counts skipped groups in its last line, and only there", () => {
    expect(describeTotals(7, 0, [])).toBe("7 passed, 0 failed");
    expect(describeTotals(7, 0, ["pgtap"])).toBe("7 passed, 0 failed, 1 group skipped");
    expect(describeTotals(0, 1, ["pgtap", "browser"])).toBe("0 passed, 1 failed, 2 groups skipped");
  });

  skipFor(it, embeddedInstall() === undefined ? "npm has no Postgres for this machine" : undefined)(
    "passes no test of pgTAP without pg_prove, and a run in which nothing was tested fails",
    async () => {
      const bare = barePath();
      const env = { PATH: bare.path, STORE_POSTGRES: "embedded", DATABASE_URL: "", NO_COLOR: "1" };
      const { code, output } = await runCommand(
        process.execPath,
        [join(projectRoot, "scripts/bootstrap.mjs"), "commands/test.ts", "supabase/tests/rules"],
        { cwd: projectRoot, env },
      );
      bare.remove();
      expect(output).toContain(`  - ${groups.pgtap}`);
      expect(output).toMatch(/^0 passed, 0 failed, 2 groups skipped/m);
      expect(code).toBe(1);
    },
  );
});

describe("a skipped test", () => {
  const file = `import { describe, it } from "vitest";
import { skipFor } from "../support/skip.ts";
skipFor(describe, "this machine lacks a thing")("a suite", { concurrent: false }, () => {
  it("is skipped with its suite", () => { throw new Error("It runs."); });
  describe("an inner suite", () => it("is skipped with the outer one", () => undefined));
});
skipFor(it, "only the long form runs it")("is skipped alone", () => undefined);
skipFor(it, undefined)("runs", () => undefined);
skipFor(it, undefined)("runs with a part left out", ({ task }) => { task.meta.skipped = ["a part, which needs a thing"]; });`;
  const named = [
    "test/api/a.test.ts > a suite > is skipped with its suite: this machine lacks a thing",
    "test/api/a.test.ts > a suite > an inner suite > is skipped with the outer one: this machine lacks a thing",
    "test/api/a.test.ts > is skipped alone: only the long form runs it",
    "test/api/a.test.ts > runs with a part left out: a part, which needs a thing",
  ];

  it("is named with its reason, and does not count as passed", async () => {
    expect(await outcomeOf({ "test/api/a.test.ts": file })).toMatchObject({
      passed: 2,
      failed: 0,
      skipped: named,
      exitCode: 0,
    });
    expect(describeSkippedTests(named).split("\n")).toEqual([
      expect.stringContaining("do not count as passed"),
      ...named.map((text) => `  - ${text}`),
    ]);
  });

  it("is not named for being left out by -t", async () => {
    const other = `import { it } from "vitest"; it("other", () => undefined); it("runs", () => undefined);`;
    expect(await outcomeOf({ "test/api/b.test.ts": other }, {}, ["-t", "runs"])).toMatchObject({
      passed: 1,
      failed: 0,
      skipped: [],
    });
  });

  it("of pgTAP is named with its file and reason", () => {
    const output = `supabase/tests/schedule/a.test.sql .. ok
supabase/tests/schedule/b.test.sql ..
ok 1 # SKIP pg_cron is not in this database
ok 2 # SKIP pg_cron is not in this database
ok
Files=2, Tests=7, 1 wallclock secs`;
    expect(pgTapOutcome("pgTAP", { code: 0, output })).toEqual({
      passed: 5,
      failed: 0,
      failures: [],
      repeated: [],
      skipped: ["pgTAP: supabase/tests/schedule/b.test.sql: pg_cron is not in this database"],
      seconds: { pgTAP: 1 },
    });
  });

  it("has a reason: no test is skipped in another way", () => {
    const folder = join(projectRoot, "test");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && name !== join("support", "skip.ts"),
    );
    expect(
      files.filter((name) =>
        /\b(it|test|describe)\.(skip|skipIf|runIf|todo)\b|\.skip\(/.test(readFileSync(join(folder, name), "utf8")),
      ),
    ).toEqual([]);
  });
});

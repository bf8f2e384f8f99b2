import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeSkipped, describeTotals, groups, type Group } from "../../scripts/checks/missing_tools.ts";
import { embeddedInstall } from "../../scripts/stack/embedded_postgres.ts";
import { projectRoot } from "../../scripts/stack/paths.ts";
import { runCommand } from "../../scripts/stack/run_command.ts";
import { barePath } from "../stack/bare_path.ts";

describe("npm test on a machine that lacks something", () => {
  it("names each group that it skips", () => {
    const all = Object.keys(groups) as Group[];
    const lines = describeSkipped(all).split("\n");
    expect(lines).toHaveLength(all.length + 1);
    expect(lines[0]).toContain("do not count as passed");
    for (const name of ["pgTAP", "pg_cron", "plpgsql_check", "pages"]) expect(lines.filter((line) => line.startsWith(`  - ${name}: `))).toHaveLength(1);
    expect(describeSkipped([])).toBe("");
  });

  it("counts skipped groups in its last line, and only there", () => {
    expect(describeTotals(7, 0, [])).toBe("7 passed, 0 failed");
    expect(describeTotals(7, 0, ["pgtap"])).toBe("7 passed, 0 failed, 1 group skipped");
    expect(describeTotals(0, 1, ["pgtap", "browser"])).toBe("0 passed, 1 failed, 2 groups skipped");
  });

  it.skipIf(embeddedInstall() === undefined)("passes no test of pgTAP without pg_prove, and a run in which nothing was tested fails", async () => {
    const bare = barePath();
    const env = { PATH: bare.path, STORE_POSTGRES: "embedded", DATABASE_URL: "", NO_COLOR: "1" };
    const { code, output } = await runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), "commands/test.ts", "test/db/rules"], { cwd: projectRoot, env });
    bare.remove();
    expect(output).toContain(`  - ${groups.pgtap}`);
    expect(output).toMatch(/^0 passed, 0 failed, 2 groups skipped/m);
    expect(code).toBe(1);
  });
});

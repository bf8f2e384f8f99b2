import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "../../scripts/checks/run_checks.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";

/** Runs vitest with the settings of this project on files of tests. @param files their texts by their paths */
export async function outcomeOf(
  files: Record<string, string>,
  environment: Record<string, string> = {},
  args: string[] = [],
): Promise<Outcome & { exitCode: number }> {
  const root = mkdtempSync(join(tmpdir(), "outcome-of-tests-"));
  for (const name of ["node_modules", "scripts", "package.json"])
    symlinkSync(join(projectRoot, name), join(root, name));
  writeFileSync(
    join(root, "vitest.config.ts"),
    `export { default } from ${JSON.stringify(join(projectRoot, "vitest.config.ts"))};`,
  );
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(root, file, ".."), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  symlinkSync(join(projectRoot, "test/support"), join(root, "test/support"));
  const env = { STORE_TEST_OUTCOME: join(root, "outcome.json"), STORE_TEST_CONTEXT: "", NO_COLOR: "1", ...environment };
  const { code } = await runCommand(
    process.execPath,
    [join(projectRoot, "node_modules/vitest/vitest.mjs"), "run", ...args],
    {
      cwd: root,
      env,
    },
  );
  const outcome = JSON.parse(readFileSync(env.STORE_TEST_OUTCOME, "utf8")) as Outcome;
  rmSync(root, { recursive: true });
  return { ...outcome, exitCode: code };
}

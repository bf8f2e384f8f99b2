import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { lintersOfMigrations } from "../../scripts/checks/checks.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";

const folder = mkdtempSync(join(tmpdir(), "store-migrations-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the linter on a migration after the first one. */
async function lint(sql: string): Promise<{ code: number; output: string }> {
  const file = join(folder, "20270101000000_later.sql");
  writeFileSync(file, sql);
  const { command, args } = lintersOfMigrations([file]).at(-1)!;
  return runCommand(command, args);
}

describe("a migration after the first", () => {
  it.each([
    ["adding-required-field", "alter table app.orders add column note text not null;"],
    ["require-concurrent-index-creation", "create index orders_by_note on app.orders (note);"],
    ["changing-column-type", "alter table app.orders alter column id type numeric;"],
    ["require-lock-timeout", "alter table app.orders add column note text;"],
  ])("is rejected by %s", async (rule, sql) => {
    const { code, output } = await lint(sql);
    expect([code, output]).toEqual([1, expect.stringContaining(rule)]);
  });

  it("is accepted if it limits its lock waits and rewrites no table", async () => {
    const { code, output } = await lint(
      "set lock_timeout = '2s';\nset statement_timeout = '10s';\nalter table app.orders add column note text;\n",
    );
    expect(code, output).toBe(0);
  });
});

import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { lintersOfMigrations } from "../../scripts/checks/checks.ts";
import { migrationText, runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { Problem } from "../../scripts/ground/problem.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { eventually } from "../../scripts/testing/command.ts";
import { migratingStore } from "./migrating_store.ts";

const { folder, store, addMigration, apply, timesRecorded, startWorkload } = migratingStore();

/**
 * Releases a copy of the project, and writes the migration of its next version to those of the folder.
 * @returns the name of the file
 */
async function writeMigration(change: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "store-copy-"));
  const manifest = readFileSync(join(projectRoot, "package.json"), "utf8");
  const setVersion = (version: string) =>
    writeFileSync(join(copy, "package.json"), JSON.stringify({ ...JSON.parse(manifest), version }));
  const run = async (command: string) => {
    const { code, output } = await runCommand(
      process.execPath,
      [join(copy, "scripts/bootstrap.mjs"), `commands/${command}`],
      {
        cwd: copy,
        env: { DATABASE_URL: "", NO_COLOR: "1" },
      },
    );
    expect(code, output).toBe(0);
  };
  try {
    for (const part of [
      "patches",
      "scripts",
      "sql",
      "functions/_shared",
      "package-lock.json",
      "supabase/config.toml",
      "supabase/templates",
      "supabase/migrations",
      "supabase/releases.json",
    ])
      cpSync(join(projectRoot, part), join(copy, part), { recursive: true });
    symlinkSync(join(projectRoot, "node_modules"), join(copy, "node_modules"));
    setVersion("998.0.0");
    await run("freeze_migrations.ts");
    setVersion("999.0.0");
    writeFileSync(join(copy, "sql/22_health/later.sql"), change);
    await run("fold_migrations.ts");
    const file = readdirSync(join(copy, "supabase/migrations")).find((each) => each.endsWith("_version_999_0_0.sql"))!;
    copyFileSync(join(copy, "supabase/migrations", file), join(folder, "supabase/migrations", file));
    return file;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

it("the first migration says what a database lacks that is no Supabase project", async () => {
  const name = `${new URL(store().url).pathname.slice(1)}_bare`;
  await store().sql.unsafe(`create database "${name}" template template0`);
  try {
    const { code, output } = await runSupabaseCli(
      ["db", "push", "--db-url", store().url.replace(/[^/]+$/, name)],
      {},
      folder,
    );
    expect([code, output]).toEqual([1, expect.stringContaining("This database lacks what a Supabase project brings")]);
  } finally {
    await store().sql.unsafe(`drop database "${name}" with (force)`);
  }
});

// The tests run in order, because each migration is later than the one before.
describe("a later migration", { concurrent: false }, () => {
  it("that migration:fold wrote is pushed by the Supabase CLI without stopping the workload, fails behind an old transaction, and can be pushed again", async () => {
    const file = await writeMigration("alter table app.order_lines add column gift_note text;");
    const version = file.slice(0, 14);
    const { command, args } = lintersOfMigrations([join(folder, "supabase/migrations", file)]).at(-1)!;
    expect(await runCommand(command, args)).toMatchObject({ code: 0 });
    const push = () => runSupabaseCli(["db", "push", "--db-url", store().url], {}, folder);
    const hasColumn = async () =>
      (
        await store()
          .sql`select from information_schema.columns where table_schema = 'app' and table_name = 'order_lines' and column_name = 'gift_note'`
      ).length === 1;
    const workload = startWorkload(4);
    const holder = store().connection();
    await holder.unsafe("begin; select from app.order_lines limit 1");
    await eventually(() => workload.orders() > 4);

    const failed = await push();
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("lock timeout")]);
    expect([await hasColumn(), await timesRecorded(version)]).toEqual([false, 0]);
    const before = workload.orders();
    await eventually(() => workload.orders() > before + 4);

    await holder.unsafe("commit");
    await holder.end();
    expect(await push()).toMatchObject({ code: 0 });
    expect([await hasColumn(), await timesRecorded(version)]).toEqual([true, 1]);
    await workload.stop();
    expect(await store().findings()).toEqual([]);
  });

  it("that builds an index concurrently, outside a transaction, has these limits, too", async () => {
    addMigration(
      "20261231000000",
      migrationText(
        "drop index concurrently if exists app.later_idx;\ncreate index concurrently later_idx on app.orders (id);",
      ),
    );
    const push = () => runSupabaseCli(["db", "push", "--db-url", store().url], {}, folder);
    const holder = store().connection();
    await holder.unsafe("begin; update app.orders set uid = uid where false");
    const failed = await push();
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("lock timeout")]);
    await holder.unsafe("commit");
    await holder.end();
    const { code, output } = await push();
    expect(code, output).toBe(0);
  });

  it("that never gets its lock is reported, with the query that finds the session that holds it", async () => {
    addMigration("20270103000000", "alter table app.products add column later text;");
    const holder = store().connection();
    await holder.unsafe("begin; select from app.products limit 1");
    const error = await apply({ maxAttempts: 2 }).then(
      () => undefined,
      (thrown: unknown) => thrown as Problem,
    );
    expect(error).toBeInstanceOf(Problem);
    expect([error!.message, error!.advice]).toEqual([
      expect.stringMatching(/in 2 attempts:(.|\n)*lock timeout/),
      expect.stringContaining("from pg_stat_activity where xact_start <"),
    ]);
    await holder.unsafe("commit");
    await holder.end();
    expect(await apply()).toBe(true);
  });

  it("that is wrong is tried once", async () => {
    addMigration("20270104000000", "alter table app.no_such_table add column later text;");
    let retries = 0;
    await expect(apply({ onRetry: () => (retries += 1) })).rejects.toThrow(/could not be applied:(.|\n)*no_such_table/);
    expect(retries).toBe(0);
    expect(await timesRecorded("20270104000000")).toBe(0);
  });
});

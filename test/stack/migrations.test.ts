import { copyFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lintersOfMigrations } from "../../scripts/checks/checks.ts";
import { applyMigrations, migrationText, runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { Problem } from "../../scripts/ground/problem.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { Store } from "../concurrency/store.ts";
import { eventually } from "./command.ts";

const folder = mkdtempSync(join(tmpdir(), "store-migrations-"));
let store: Store;
beforeAll(async () => {
  cpSync(join(projectRoot, "supabase"), join(folder, "supabase"), { recursive: true, filter: (path) => !path.includes("functions") });
  store = await Store.open();
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** Adds a migration to those of the project. */
function addMigration(version: string, sql: string): void {
  writeFileSync(join(folder, `supabase/migrations/${version}_later.sql`), sql);
}

const apply = (options: { maxAttempts?: number; onRetry?: (attempt: number) => void } = {}) =>
  applyMigrations(store.url, "Fix the migration.", { folder, ...options });

const timesRecorded = async (version: string) => {
  const [row] = await store.sql`select count(*)::integer as times from supabase_migrations.schema_migrations where version = ${version}`;
  return row!.times as number;
};

/** Members who order, pay and are settled until `stop`. */
function startWorkload(members: number): { orders: () => number; stop: () => Promise<void> } {
  let running = true;
  let orders = 0;
  const work = Array.from({ length: members }, async () => {
    const uid = await store.reporter();
    while (running) {
      await store.settle(await store.buy(uid));
      orders += 1;
    }
  });
  return {
    orders: () => orders,
    stop: async () => {
      running = false;
      await Promise.all(work);
    },
  };
}

/** Releases a copy of the project, and writes the migration of its next version to those of the folder. @returns the name of the file */
async function writeMigration(change: string): Promise<string> {
  const copy = mkdtempSync(join(tmpdir(), "store-copy-"));
  const manifest = readFileSync(join(projectRoot, "package.json"), "utf8");
  const setVersion = (version: string) => writeFileSync(join(copy, "package.json"), JSON.stringify({ ...JSON.parse(manifest), version }));
  const run = async (command: string) => {
    const { code, output } = await runCommand(process.execPath, [join(copy, "scripts/bootstrap.mjs"), `commands/${command}`], {
      cwd: copy,
      env: { DATABASE_URL: "", NO_COLOR: "1" },
    });
    expect(code, output).toBe(0);
  };
  try {
    for (const part of [
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
    writeFileSync(join(copy, "sql/16_operation/9_later.sql"), change);
    await run("fold_migrations.ts");
    const file = readdirSync(join(copy, "supabase/migrations")).find((each) => each.endsWith("_version_999_0_0.sql"))!;
    copyFileSync(join(copy, "supabase/migrations", file), join(folder, "supabase/migrations", file));
    return file;
  } finally {
    rmSync(copy, { recursive: true });
  }
}

it("the first migration says what a database lacks that is no Supabase project", async () => {
  const name = `${new URL(store.url).pathname.slice(1)}_bare`;
  await store.sql.unsafe(`create database "${name}" template template0`);
  try {
    const { code, output } = await runSupabaseCli(["db", "push", "--db-url", store.url.replace(/[^/]+$/, name)], {}, folder);
    expect([code, output]).toEqual([1, expect.stringContaining("This database lacks what a Supabase project brings")]);
  } finally {
    await store.sql.unsafe(`drop database "${name}" with (force)`);
  }
});

// The tests run in order, because each migration is later than the one before.
describe("a later migration", { concurrent: false }, () => {
  it(
    "that migration:fold wrote is pushed by the Supabase CLI without stopping the workload, fails behind an old transaction, and can be pushed again",
    { timeout: 300_000 },
    async () => {
      const file = await writeMigration("alter table app.order_lines add column gift_note text;");
      const version = file.slice(0, 14);
      const { command, args } = lintersOfMigrations([join(folder, "supabase/migrations", file)]).at(-1)!;
      expect(await runCommand(command, args)).toMatchObject({ code: 0 });
      const push = () => runSupabaseCli(["db", "push", "--db-url", store.url], {}, folder);
      const hasColumn = async () =>
        (
          await store.sql`select from information_schema.columns where table_schema = 'app' and table_name = 'order_lines' and column_name = 'gift_note'`
        ).length === 1;
      const workload = startWorkload(4);
      const holder = store.connection();
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
      expect(await store.findings()).toEqual([]);
    },
  );

  it("that builds an index concurrently, outside a transaction, has these limits, too", async () => {
    addMigration(
      "20261231000000",
      migrationText("drop index concurrently if exists app.later_idx;\ncreate index concurrently later_idx on app.orders (id);"),
    );
    const push = () => runSupabaseCli(["db", "push", "--db-url", store.url], {}, folder);
    const holder = store.connection();
    await holder.unsafe("begin; update app.orders set uid = uid where false");
    const failed = await push();
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("lock timeout")]);
    await holder.unsafe("commit");
    await holder.end();
    const { code, output } = await push();
    expect(code, output).toBe(0);
  });

  it("waits for the lock of an old transaction without stopping the workload, and is applied when that ends", async () => {
    addMigration("20270101000000", "alter table app.orders add constraint later check (id > 0) not valid;");
    const workload = startWorkload(4);
    const holder = store.connection();
    await holder.unsafe("begin; select from app.orders limit 1");
    await eventually(() => workload.orders() > 4);

    let attempts = 0;
    let ordersBetween = 0;
    const applied = apply({
      onRetry: () => {
        attempts += 1;
        ordersBetween = workload.orders();
      },
    });
    // Orders are settled between two attempts, because each of them waits for its lock for a second at most.
    await eventually(() => attempts >= 2 && workload.orders() > ordersBetween + 4);
    expect(await store.sql`select from pg_constraint where conrelid = 'app.orders'::regclass and conname = 'later'`).toHaveLength(0);

    await holder.unsafe("commit");
    expect(await applied).toBe(true);
    await holder.end();
    await workload.stop();
    expect(await store.sql`select from pg_constraint where conrelid = 'app.orders'::regclass and conname = 'later'`).toHaveLength(1);
    expect(await timesRecorded("20270101000000")).toBe(1);
    expect(await store.findings()).toEqual([]);
  });

  it("whose backend is terminated in the middle leaves nothing behind and is applied again", async () => {
    await store.sql`create table public.hold as select 1 as row`;
    addMigration(
      "20270102000000",
      `
      create table app.half_done (id bigint);
      update app.users set nickname = 'Changed by half a migration';
      do $$ begin while exists (select from public.hold) loop perform pg_sleep(0.05); end loop; end $$;
      create table app.all_done (id bigint);`,
    );
    const before = [...(await store.sql`select uid, nickname from app.users order by uid`)];
    const inTheMiddle = async () =>
      (await store.sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`)[0]?.pid as
        | number
        | undefined;
    const tables = () => store.sql`select relname from pg_class where relname in ('half_done', 'all_done') order by relname`;

    const applied = apply();
    await eventually(async () => (await inTheMiddle()) !== undefined);
    const first = (await inTheMiddle())!;
    await store.sql`select pg_terminate_backend(${first}::integer)`;
    await eventually(async () => ![undefined, first].includes(await inTheMiddle()));
    expect(await tables()).toHaveLength(0);
    expect([...(await store.sql`select uid, nickname from app.users order by uid`)]).toEqual(before);
    expect(await timesRecorded("20270102000000")).toBe(0);

    await store.sql`delete from public.hold`;
    expect(await applied).toBe(true);
    expect(await tables()).toHaveLength(2);
    expect(await timesRecorded("20270102000000")).toBe(1);
    expect(await store.findings()).toEqual([]);
  });

  it("that never gets its lock is reported, with the query that finds the session that holds it", async () => {
    addMigration("20270103000000", "alter table app.products add column later text;");
    const holder = store.connection();
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

import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { Store } from "../concurrency/store.ts";

/** A store, and the migrations of the project in a folder to which tests add later ones: for the tests of one file. */
export function migratingStore() {
  const folder = mkdtempSync(join(tmpdir(), "store-migrations-"));
  let opened: Store;
  beforeAll(async () => {
    cpSync(join(projectRoot, "supabase"), join(folder, "supabase"), {
      recursive: true,
      filter: (path) => !path.includes("functions"),
    });
    opened = await Store.open();
  });
  afterAll(async () => {
    await opened.close();
    rmSync(folder, { recursive: true });
  });

  const store = () => opened;

  /** Adds a migration to those of the project. */
  function addMigration(version: string, sql: string): void {
    writeFileSync(join(folder, `supabase/migrations/${version}_later.sql`), sql);
  }

  const apply = (options: { maxAttempts?: number; onRetry?: (attempt: number) => void } = {}) =>
    applyMigrations(store().url, "Fix the migration.", { folder, ...options });

  const timesRecorded = async (version: string) => {
    const [row] = await store()
      .sql`select count(*)::integer as times from supabase_migrations.schema_migrations where version = ${version}`;
    return row!.times as number;
  };

  /** Members who order, pay and are settled until `stop`. */
  function startWorkload(members: number): { orders: () => number; stop: () => Promise<void> } {
    let running = true;
    let orders = 0;
    const work = Array.from({ length: members }, async () => {
      const uid = await store().reporter();
      while (running) {
        await store().settle(await store().buy(uid));
        orders += 1;
        await pause(20);
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

  return { folder, store, addMigration, apply, timesRecorded, startWorkload };
}

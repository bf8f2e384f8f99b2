import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { loadDemo } from "../../scripts/demo/load_demo.ts";
import { Random } from "../../scripts/demo/random.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { withTemporaryPlace } from "../../scripts/postgres/temporary_place.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { seed, skipFor } from "../support/index.ts";
import { compareAcknowledged } from "../../scripts/faults/checks.ts";
import { Requests } from "../../scripts/faults/requests.ts";
import { FaultStack } from "../../scripts/faults/stack.ts";
import { Workload } from "../../scripts/faults/workload.ts";

const HOT_TABLES = [
  "orders",
  "order_lines",
  "users",
  "user_balances",
  "settlements",
  "commission_plans",
  "products",
  "refunds",
  "withdrawals",
  "adjustments",
];

/** What later migrations do. The pause is the time that a longer one holds its locks. */
const EXAMPLES = {
  columns: `set lock_timeout = '1s'; ${HOT_TABLES.map((table) => `alter table app.${table} add column later text;`).join(" ")} select pg_sleep(0.5);`,
  constraint: "set lock_timeout = '1s'; alter table app.orders add constraint later check (later is null) not valid;",
  validation: "alter table app.orders validate constraint later;",
  table:
    "set lock_timeout = '1s'; create table app.order_notes (order_id bigint primary key references app.orders (id), uid bigint not null references app.users (uid));",
};
/** Between two migrations. */
const USE_MS = 2000;

const folder = mkdtempSync(join(tmpdir(), "store-later-migrations-"));

beforeAll(() => {
  cpSync(join(projectRoot, "supabase"), join(folder, "supabase"), {
    recursive: true,
    filter: (path) => !path.includes("functions"),
  });
});
afterAll(() => rmSync(folder, { recursive: true }));

skipFor(describe, lacking("linux"))("a store with the demo month", () => {
  it("serves its members while later migrations are applied", async () => {
    await withTemporaryPlace(async (place) => {
      const stack = await FaultStack.start(place, { migrations: folder });
      try {
        // The demo store has the terms of a new store.
        await stack.with(
          (sql) =>
            sql`update app.settings set withdrawal_methods = default, withdrawal_minimum = default, withdrawal_fee_rate = default`,
          "owner",
        );
        await loadDemo(
          stack.ownerUrl,
          { supabaseUrl: stack.addresses.gateway, secretKey: stack.addresses.secretKey },
          () => undefined,
        );
        // What time causes is told by a job of the next minute.
        await stack.with(
          (sql) => expect.poll(async () => (await compareAcknowledged(sql, [])).lost).toEqual([]),
          "owner",
        );
        const requests = new Requests(new Random(seed()));
        const workload = new Workload(stack, requests, new Random(seed() + 1));
        await workload.prepare();
        workload.start();
        for (const [index, [name, sql]] of Object.entries(EXAMPLES).entries()) {
          await pause(USE_MS);
          writeFileSync(join(folder, `supabase/migrations/2999010100000${index}_${name}.sql`), sql);
          const before = workload.acknowledged.length;
          expect(await applyMigrations(stack.ownerUrl, "Fix the migration.", { folder }), name).toBe(true);
          await expect.poll(() => workload.acknowledged.length).toBeGreaterThan(before + 5);
        }
        await workload.stop();
        expect(requests.unexpected).toEqual([]);
        await stack.with(async (sql) => {
          await sql`call app.drain_settlement_jobs()`;
          await sql`call app.release_frozen_points()`;
          await expect.poll(async () => (await compareAcknowledged(sql, workload.acknowledged)).lost).toEqual([]);
          expect([...(await sql`select * from app.reconcile()`)]).toEqual([]);
        }, "owner");
      } finally {
        await stack.stop();
      }
    });
  });
});

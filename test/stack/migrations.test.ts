import { describe, expect, it } from "vitest";
import { eventually } from "../../scripts/testing/command.ts";
import { migratingStore } from "./migrating_store.ts";

const { store, addMigration, apply, timesRecorded, startWorkload } = migratingStore();

// The tests run in order, because each migration is later than the one before.
describe("a later migration", { concurrent: false }, () => {
  // Guarantee operation/migrations-in-use: A migration does not stop the store
  // By: lock timeout and retries, scripts/postgres/migrations.ts
  it("waits for the lock of an old transaction without stopping the workload, and is applied when that ends", async () => {
    addMigration("20270101000000", "alter table app.orders add constraint later check (id > 0) not valid;");
    const workload = startWorkload(4);
    const holder = store().connection();
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
    expect(
      await store().sql`select from pg_constraint where conrelid = 'app.orders'::regclass and conname = 'later'`,
    ).toHaveLength(0);

    await holder.unsafe("commit");
    expect(await applied).toBe(true);
    await holder.end();
    await workload.stop();
    expect(
      await store().sql`select from pg_constraint where conrelid = 'app.orders'::regclass and conname = 'later'`,
    ).toHaveLength(1);
    expect(await timesRecorded("20270101000000")).toBe(1);
    expect(await store().findings()).toEqual([]);
  });

  // Guarantee operation/migrations-interrupted: An interrupted migration leaves nothing behind
  // By: one transaction, scripts/postgres/migrations.ts
  it("whose backend is terminated in the middle leaves nothing behind and is applied again", async () => {
    await store().sql`create table public.hold as select 1 as row`;
    addMigration(
      "20270102000000",
      `
      create table app.half_done (id bigint);
      update app.users set nickname = 'Changed by half a migration';
      do $$ begin while exists (select from public.hold) loop perform pg_sleep(0.05); end loop; end $$;
      create table app.all_done (id bigint);`,
    );
    const before = [...(await store().sql`select uid, nickname from app.users order by uid`)];
    const inTheMiddle = async () =>
      (
        await store()
          .sql`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`
      )[0]?.pid as number | undefined;
    const tables = () =>
      store().sql`select relname from pg_class where relname in ('half_done', 'all_done') order by relname`;

    const applied = apply();
    await eventually(async () => (await inTheMiddle()) !== undefined);
    const first = (await inTheMiddle())!;
    await store().sql`select pg_terminate_backend(${first}::integer)`;
    await eventually(async () => ![undefined, first].includes(await inTheMiddle()));
    expect(await tables()).toHaveLength(0);
    expect([...(await store().sql`select uid, nickname from app.users order by uid`)]).toEqual(before);
    expect(await timesRecorded("20270102000000")).toBe(0);

    await store().sql`delete from public.hold`;
    expect(await applied).toBe(true);
    expect(await tables()).toHaveLength(2);
    expect(await timesRecorded("20270102000000")).toBe(1);
    expect(await store().findings()).toEqual([]);
  });
});

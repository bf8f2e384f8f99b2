import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { createSettlement } from "../../functions/_shared/routes/settlement.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { openUntypedDatabase } from "../../scripts/testing/untyped_database.ts";

let clone: ClonedDatabase;
let owner: ReturnType<typeof connect>;
let observer: ReturnType<typeof connect>;

beforeAll(async () => {
  clone = await cloneDatabase();
  [owner, observer] = [connect(clone.url), connect(clone.url)];
  await owner.unsafe(`
    create table app.contended as select 0 as runs;
    grant select, update on app.contended to service_role;
    create function api.settle_slowly() returns jsonb language sql as $$ update app.contended set runs = runs + 1; select 'null'::jsonb $$;
    create function api.pay() returns jsonb language sql as $$ select 'true'::jsonb $$;
    grant execute on function api.settle_slowly() to service_role;
    grant execute on function api.pay() to anon;
  `);
});

afterAll(async () => {
  await Promise.all([owner?.end(), observer?.end()]);
  await clone?.drop();
});

it("a settlement that waits for a lock delays no request, never runs twice at once, and runs again for orders paid meanwhile", async () => {
  const database = openUntypedDatabase({ url: clone.url, pool: 1, prepare: false, applicationName: "paying" });
  const settle = createSettlement(async () => JSON.parse(await database.callInBackground("settle_slowly", {})) as null);
  const waiting = async () => {
    const [row] = await observer`select count(*)::integer as n from pg_stat_activity
      where application_name = 'paying' and datname = current_database() and wait_event_type = 'Lock'`;
    return row!.n;
  };
  await owner.begin(async (transaction) => {
    await transaction`select from app.contended for update`;
    settle();
    await vi.waitFor(async () => expect(await waiting()).toBe(1));
    for (let payment = 0; payment < 20; payment += 1) {
      await database.callAsCaller({}, "pay", {});
      settle();
    }
    expect(await waiting()).toBe(1);
  });
  const runs = async () => (await observer`select runs from app.contended`)[0]!.runs;
  await vi.waitFor(async () => expect(await runs()).toBe(2));
  // The next payment starts a new settlement.
  settle();
  await vi.waitFor(async () => expect(await runs()).toBe(3));
});

it("after a failed settlement, the next payment starts a new one", async () => {
  const outcomes = [Promise.reject(new Error("the lock timeout")), Promise.resolve(null)];
  const run = vi.fn(() => outcomes.shift()!);
  const settle = createSettlement(run);
  settle();
  await vi.waitFor(() => {
    settle();
    expect(run).toHaveBeenCalledTimes(2);
  });
});

it("an instance that has settled, or tried to, looks again until nothing is left to do", async () => {
  const batches = [50, 0, 3, null];
  const settleBatch = vi.fn(() => Promise.resolve(batches.shift()!));
  createSettlement(settleBatch)();
  await vi.waitFor(() => expect(batches).toEqual([]));
  // Without a payment, there is no fifth.
  await new Promise((resolve) => setImmediate(resolve));
  expect(settleBatch).toHaveBeenCalledTimes(4);
});

it("an instance leaves the rest to others after ten seconds", async () => {
  vi.useFakeTimers();
  try {
    const settleBatch = vi.fn(async () => {
      await vi.advanceTimersByTimeAsync(4_000);
      return 50;
    });
    createSettlement(settleBatch)();
    await vi.waitFor(() => expect(settleBatch).toHaveBeenCalledTimes(3));
    await vi.advanceTimersByTimeAsync(4_000);
    expect(settleBatch).toHaveBeenCalledTimes(3);
  } finally {
    vi.useRealTimers();
  }
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

const job = async (order: number) =>
  (await store.sql`select state, attempts, last_error from app.settlement_jobs where order_id = ${order}`)[0];
/** Makes a postponed job due again. */
const makeDue = (order: number) =>
  store.sql`update app.settlement_jobs set run_after = clock_timestamp() where order_id = ${order}`;

/** Runs `meanwhile` while another transaction holds a lock, which it releases afterwards. */
async function whileHeld(
  lock: (holder: Store["sql"]) => PromiseLike<unknown>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const holder = store.connection();
  try {
    await holder`begin`;
    await lock(holder);
    await meanwhile();
  } finally {
    await holder`rollback`;
    await holder.end();
  }
}
const holdBalance = (uid: number) => (holder: Store["sql"]) =>
  holder`select from app.user_balances where uid = ${uid} for update`;
const holdStructure = (holder: Store["sql"]) => holder`select app.lock_structure()`;

const workers: [string, (sql: Store["sql"]) => Promise<unknown>][] = [
  [
    "the sweep",
    async (sql) => {
      await sql`call app.drain_settlement_jobs()`;
    },
  ],
  [
    "the background of a payment",
    async (sql) => {
      await sql`select api.lead_settlement()`;
    },
  ],
];

describe.each(workers)("%s", (_name, run) => {
  it("settles other orders while a member's row is locked, and that member's orders afterwards, without counting an attempt", async () => {
    const [held, free] = [await store.reporter(), await store.reporter()];
    const waiting = await store.buy(await store.signUp(held));
    const other = await store.buy(await store.signUp(free));
    await whileHeld(holdBalance(held), async () => {
      await run(store.sql);
      expect(await job(other)).toBeUndefined();
      expect(await job(waiting)).toEqual({
        state: "waiting",
        attempts: 0,
        last_error: expect.stringMatching(/^55P03: /),
      });
    });
    await makeDue(waiting);
    await run(store.sql);
    expect(await store.balances(held)).toMatchObject({ brokerage_price: "720.00", total_places: 1 });
    expect(await store.findings()).toEqual([]);
  });

  it("defers all jobs while the structure lock is held exclusively", async () => {
    const order = await store.buy(await store.signUp(await store.reporter()));
    await whileHeld(holdStructure, async () => {
      await run(store.sql);
      expect(await job(order)).toEqual({ state: "waiting", attempts: 0, last_error: null });
    });
    await run(store.sql);
    expect(await job(order)).toBeUndefined();
  });

  it("does not block setting a level or receiving an order while its batch waits for a row", async () => {
    const held = await store.reporter();
    const order = await store.buy(await store.signUp(held));
    const member = await store.signUp();
    await whileHeld(holdBalance(held), async () => {
      const worker = store.connection();
      const settling = run(worker);
      await store.untilWaiting(1);
      await store.sql`select app.set_agent_level(${member}, 1::smallint, null, clock_timestamp())`;
      await store.sql`select from app.confirm_receipt(${order}, clock_timestamp())`;
      await settling;
      await worker.end();
    });
    expect((await store.sql`select state from app.orders where id = ${order}`)[0]).toEqual({ state: "received" });
    await makeDue(order);
    await run(store.sql);
    expect(await store.balances(held)).toMatchObject({ brokerage_price: "720.00" });
  });
});

describe("an error unrelated to the order", () => {
  // Guarantee faults/attempts: A full disk or a busy row does not use up the attempts of a settlement
  // By: app.postpone_job
  it("such as a full disk never counts as an attempt, and the job is settled afterwards", async () => {
    const referrer = await store.reporter();
    const order = await store.buy(await store.signUp(referrer));
    await store.sql.unsafe(`
      create function public.disk_is_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger disk_is_full before insert on app.user_bill for each row execute function public.disk_is_full()`);
    for (let time = 0; time < 9; time++) {
      await makeDue(order);
      await store.sql`call app.drain_settlement_jobs()`;
    }
    expect(await job(order)).toEqual({
      state: "waiting",
      attempts: 0,
      last_error: "53100: could not extend file: No space left on device",
    });
    await store.sql.unsafe("drop trigger disk_is_full on app.user_bill");
    await makeDue(order);
    await store.sql`call app.drain_settlement_jobs()`;
    expect(await store.balances(referrer)).toMatchObject({ brokerage_price: "720.00" });
  });
});

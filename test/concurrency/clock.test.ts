import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
let unpaid: number;

const lastHeartbeat = (at: Date) => store.sql`update app.clock set trusted_at = ${at}`;
const clock = async () =>
  (await store.sql`select app.health_json(clock_timestamp()) as health`)[0]!.health as {
    clock: string;
    status: string;
  };
const finishedDays = async () =>
  (await store.sql`select count(*)::int as days from app.release_runs where finished_at is not null`)[0]!
    .days as number;
const unpaidState = async () =>
  (await store.sql`select state from app.orders where id = ${unpaid}`)[0]!.state as string;
/** An edge function reports its time, so many days behind that of the database. */
const report = async (behind: number) =>
  (
    await store.sql`select app.as_service('report_clock', jsonb_build_object('p_clock', clock_timestamp() - ${behind} * interval '1 day')) as answer`
  )[0]!.answer.clock as string;
/** What the scheduler runs within ten minutes. */
async function runJobs(): Promise<void> {
  await store.sql`call app.drain_settlement_jobs()`;
  await store.sql`call app.expire_orders()`;
  await store.sql`call app.continue_unfinished_runs()`;
}

// Ten days ago: an order that earned points, the first release, an order that nobody pays, and the last heartbeat.
beforeEach(async () => {
  store = await Store.open();
  const at = new Date(Date.now() - 10 * 86_400_000);
  await store.sql`update app.settings set lifecycle_from = ${at}`;
  const uid = await store.signUp();
  for (const buyer of [uid, await store.signUp(uid)]) {
    const order = await store.order(buyer, 1, at);
    await store.sql`select from app.pay_order(${order}, 'test', ${`test-${order}`}, ${at})`;
    await store.sql`select from app.settle_order(${order}, ${at})`;
  }
  await store.sql`call app.release_frozen_points(null, ${at})`;
  unpaid = await store.order(uid, 1, at);
  await lastHeartbeat(at);
});
afterEach(() => store.close());

describe("a clock that is ten days ahead", () => {
  beforeEach(async () => {
    await store.sql`call app.release_frozen_points()`;
    await runJobs();
  });

  // Guarantee money/release-clock: A clock that jumps forward releases no day until a second clock agrees; then missed
  // days are made up
  // By: the last heartbeat, app.clock_state
  it("releases no day and lets no order expire, and health says so, however often jobs run", async () => {
    await runJobs();
    expect([await finishedDays(), await unpaidState(), await clock()]).toEqual([
      1,
      "unpaid",
      expect.objectContaining({ clock: "doubtful", status: "degraded" }),
    ]);
    expect(
      await store.sql`select from app.user_bill where add_time > clock_timestamp() - interval '5 days'`,
    ).toHaveLength(0);
  });

  it("deletes no record that is not old enough by the time that was trusted", async () => {
    const [eight, ninetyTwo] = [8, 92].map((days) => new Date(Date.now() - days * 86_400_000));
    await store.sql`insert into auth.users (id, email, created_at) values (gen_random_uuid(), 'nobody@example.com', ${eight!})`;
    await store.sql`insert into app.reconcile_runs (started_at, finished_at, findings) values (${ninetyTwo!}, ${ninetyTwo!}, 0)`;
    const left = async () =>
      (
        await store.sql`select (select count(*)::int from auth.users where email = 'nobody@example.com') as accounts,
          (select count(*)::int from app.reconcile_runs where started_at = ${ninetyTwo!}) as runs`
      )[0];
    const purge = async () => {
      await store.sql`select app.purge_unconfirmed_accounts()`;
      await store.sql`call app.purge_old_records()`;
    };
    await purge();
    expect(await left()).toEqual({ accounts: 1, runs: 1 });
    await report(0);
    await purge();
    expect(await left()).toEqual({ accounts: 0, runs: 0 });
  });

  it("stays doubtful when a second clock disagrees, and is right again when it is corrected", async () => {
    expect(await report(10)).toBe("doubtful");
    await runJobs();
    expect(await finishedDays()).toBe(1);
    // The time of the server is right again: as late as the last heartbeat.
    await lastHeartbeat(new Date());
    expect([await report(0), await clock()]).toEqual(["ok", expect.objectContaining({ clock: "ok", status: "ok" })]);
  });

  // Guarantee money/release-clock
  it("was right if the store was off: once a second clock agrees, the jobs make up every day by themselves", async () => {
    expect(await report(0)).toBe("ok");
    await runJobs();
    expect([await finishedDays(), await unpaidState(), await store.findings()]).toEqual([11, "cancelled", []]);
  });

  it("was right if the owner of the store says so, even if a second clock disagrees", async () => {
    await report(1);
    await store.sql`select app.confirm_clock()`;
    expect(await report(1)).toBe("differs");
    await runJobs();
    expect([await finishedDays(), await store.findings()]).toEqual([11, []]);
  });
});

describe("a clock", () => {
  it("that is a few hours ahead since the last run releases as usual", async () => {
    await lastHeartbeat(new Date(Date.now() - 5 * 3_600_000));
    await runJobs();
    expect(await clock()).toMatchObject({ clock: "ok" });
    expect(
      await store.sql`select from app.clock where trusted_at > clock_timestamp() - interval '1 minute'`,
    ).toHaveLength(1);
  });

  it("that a second clock has found wrong degrades the store until one agrees", async () => {
    await report(0);
    expect([await report(1), await clock()]).toEqual(["differs", expect.objectContaining({ status: "degraded" })]);
    expect(await report(0)).toBe("ok");
  });

  it("that was ahead and trusted is measured again from the time at which a second clock agrees", async () => {
    await lastHeartbeat(new Date(Date.now() + 10 * 86_400_000));
    await report(0);
    expect(await store.sql`select from app.clock where trusted_at <= clock_timestamp()`).toHaveLength(1);
  });
});

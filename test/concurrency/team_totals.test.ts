import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

type Sql = Store["sql"];
const sum = (sql: Sql) => sql`call app.sum_team_totals()`;
const rejections = (results: PromiseSettledResult<unknown>[]) =>
  results.filter((result) => result.status === "rejected").map((result) => result.reason);
const queued = async () => Number((await store.sql`select count(*) from app.team_changes`)[0]?.count);

/** The team totals of a member: direct members and orders, umbrella members and orders. */
async function team(uid: number): Promise<number[]> {
  const [row] =
    await store.sql`select direct_members, direct_orders, umbrella_members, umbrella_orders from app.team_totals where uid = ${uid}`;
  return row ? Object.values(row) : [];
}

describe("the job that sums team totals", () => {
  it("adds every change once while several runs, sign-ups, payments, settlements, refunds and bindings are concurrent", async () => {
    const top = await store.reporter();
    const heads = await Promise.all(Array.from({ length: 3 }, () => store.reporter(top)));
    const loner = await store.reporter();
    await store.reporter(loner);
    const [unpaid, waiting, settled] = await Promise.all([
      Promise.all(heads.map((head) => store.order(head))),
      Promise.all(heads.map((head) => store.buy(head, 2))),
      Promise.all(heads.map((head) => store.buy(head))),
    ]);
    for (const id of settled) await store.settle(id);
    const deadlocks = await store.deadlocks();
    const results = await store.together<unknown>([
      ...Array.from({ length: 4 }, () => sum),
      ...heads.map((head) => () => store.signUp(head)),
      ...unpaid.map(
        (id) => (sql: Sql) => sql`select from app.pay_order(${id}, 'test', ${`raced-${id}`}, clock_timestamp())`,
      ),
      ...waiting.map((id) => (sql: Sql) => sql`select from app.settle_order(${id}, clock_timestamp())`),
      ...settled.map((id) => (sql: Sql) => sql`select from app.refund_order(${id}, null, null, clock_timestamp())`),
      (sql) => sql`select app.bind_spread(${loner}, ${heads[0]!}, clock_timestamp())`,
      ...Array.from({ length: 2 }, () => sum),
    ]);
    expect(rejections(results)).toEqual([]);
    await sum(store.sql);
    expect(await queued()).toBe(0);
    // Three heads and a sign-up below each, the loner and the member below the loner. Each head has three orders that
    // are left.
    expect(await team(top)).toEqual([3, 9, 8, 11]);
    expect(await store.findings()).toEqual([]);
    expect(await store.deadlocks()).toBe(deadlocks);
  });

  it("ends immediately while another run is active", async () => {
    const holder = store.connection();
    await store.signUp(await store.signUp());
    await holder`begin`;
    await holder`select app.sum_team_changes()`;
    await store.signUp(await store.signUp());
    await sum(store.sql);
    expect(await queued()).toBeGreaterThan(0);
    await holder`commit`;
    await holder.end();
    await sum(store.sql);
    expect(await queued()).toBe(0);
    expect(await store.findings()).toEqual([]);
  });

  it("loses and repeats nothing if it is killed half-way", async () => {
    const top = await store.signUp();
    for (let count = 0; count < 3; count += 1) await store.reporter(top);
    const before = await queued();
    // The job waits for this lock when it adds its row for the member.
    const holder = store.connection();
    await holder`begin`;
    await holder`select from app.users where uid = ${top} for update`;
    const job = store.connection();
    const [backend] = await job`select pg_backend_pid() as pid`;
    const killed = sum(job).then(
      () => "done",
      () => "killed",
    );
    await store.untilWaiting(1);
    await store.sql`select pg_terminate_backend(${backend?.pid})`;
    expect(await killed).toBe("killed");
    await holder`rollback`;
    await Promise.all([holder.end(), job.end({ timeout: 0 })]);
    expect(await queued()).toBe(before);
    await sum(store.sql);
    expect(await team(top)).toEqual([3, 3, 3, 3]);
    expect(await store.findings()).toEqual([]);
  });

  it("adds a change that is committed after later ones", async () => {
    const top = await store.signUp();
    const late = store.connection();
    await late`begin`;
    await late`insert into auth.users (email_confirmed_at, id, email, raw_user_meta_data) values (now(), gen_random_uuid(), gen_random_uuid() || '@example.com', ${late.json({ spread: top })})`;
    await store.signUp(top);
    await sum(store.sql);
    expect(await team(top)).toEqual([1, 0, 1, 0]);
    await late`commit`;
    await late.end();
    await sum(store.sql);
    expect(await team(top)).toEqual([2, 0, 2, 0]);
    expect(await store.findings()).toEqual([]);
  });

  it("rebuilds while members sign up and the scheduled run is due", async () => {
    const top = await store.reporter();
    const results = await store.together<unknown>([
      (sql) => sql`select app.rebuild_team_totals()`,
      ...Array.from({ length: 4 }, () => () => store.reporter(top)),
      sum,
      sum,
    ]);
    expect(rejections(results)).toEqual([]);
    await sum(store.sql);
    expect(await team(top)).toEqual([4, 4, 4, 4]);
    expect(await store.findings()).toEqual([]);
  });
});

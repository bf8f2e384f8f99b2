import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

let store: Store;

beforeAll(async () => {
  store = await Store.open();
  await store.sql`select app.create_month_partition('admin_actions', m::date) from unnest('{2020-03-01, 2020-04-01}'::date[]) as m`;
  await store.sql`
    insert into app.admin_actions (function, target_type, to_value, add_time)
    select 'try_it', 'settings', '{}', m from unnest('{2020-03-05, 2020-04-05}'::timestamptz[]) as m`;
});
afterAll(() => store.close());

const drop = (sql: Store["sql"], month: string) =>
  sql`select app.drop_actions(m.month, d.row_count, d.digest) as dropped from (select ${month}::date as month) as m cross join lateral app.digest_of_actions(m.month) as d`;

describe("a month of the action log that is dropped", { concurrent: false }, () => {
  // Guarantee money/actions-read: A list of actions that is read while a month is dropped is complete, or has to be
  // repeated
  // By: a lock, or a repetition, app.hold_actions
  it("is not missing in a list that waited for it: the list is to be repeated", async () => {
    const dropper = store.connection();
    await dropper`begin`;
    await drop(dropper, "2020-03-01");
    const read = () => Promise.resolve(store.sql`select app.reach_actions(null) as dropped_until`);
    const reading = read().then(
      () => "read",
      (error: Error & { code?: string }) => error.code,
    );
    await store.untilWaiting(1);
    await dropper`commit`;
    await dropper.end();
    expect(await reading).toBe("40001");
    expect([...(await read())]).toEqual([{ dropped_until: new Date("2020-04-01") }]);
  });

  it("waits for a long read of it, and nobody waits for it meanwhile", async () => {
    const reader = store.connection();
    await reader`begin`;
    await reader`select count(*) from app.admin_actions where add_time < '2020-05-01'`;
    const dropping = Promise.resolve(drop(store.sql, "2020-04-01"));
    await store.untilPausing();
    await store.sql`insert into app.admin_actions (function, target_type, to_value, add_time) values ('try_it', 'settings', '{}', now())`;
    await reader`commit`;
    await reader.end();
    expect([...(await dropping)]).toEqual([{ dropped: true }]);
  });
});

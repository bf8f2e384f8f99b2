import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { messages } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** The number of the imported member in the previous system. */
let oldUid = 1000;
/** The member of the sign-up, five days old. */
let uid: number;

beforeEach(async () => {
  uid = await store.signUp();
  oldUid++;
  await store.sql`update app.users set add_time = clock_timestamp() - interval '5 days' where uid = ${uid}`;
  await store.sql`
    with member as (insert into app.users (nickname, add_time) values ('Imported', clock_timestamp() - interval '9 days') returning uid),
      balances as (insert into app.user_balances (uid) select uid from member)
    insert into app.imported_members (uid, old_uid, imported_at) select uid, ${oldUid}, clock_timestamp() from member`;
  await store.sql`delete from app.day_sums`;
});

/** The claim of the imported member, which deletes the member of the sign-up. */
const claim = (sql: postgres.Sql) => sql`select app.claim_for(${uid}, ${oldUid}) as refused`;
const sum = (sql: postgres.Sql) => sql`select app.sum_next_days(clock_timestamp(), 100)`;

/** The members who joined five days ago, by the sums and by the members themselves. */
async function joined() {
  const [row] = await store.sql`
    select s.members as summed, (select count(*)::int from app.users as u where u.add_time >= s.begins_at and u.add_time < s.ends_at) as counted
    from app.day_sums as s where s.day = app.business_day(clock_timestamp() - interval '5 days')`;
  return row;
}

describe("the sum of a day", () => {
  // Guarantee reports/days
  it("counts no member whom a claim deletes while the day is being summed", async () => {
    const summer = store.connection();
    await summer`begin`;
    await sum(summer);
    const claimed = Promise.allSettled([claim(store.sql)]);
    await store.untilWaiting(1);
    await summer`commit`;
    await summer.end();
    expect(messages(await claimed)).toEqual([]);
    expect(await joined()).toEqual({ summed: 0, counted: 0 });
  });

  // Guarantee reports/days
  it("waits for a claim that deletes a member", async () => {
    const claimer = store.connection();
    await claimer`begin`;
    expect(await claim(claimer)).toEqual([{ refused: null }]);
    const summed = Promise.allSettled([sum(store.sql)]);
    await store.untilWaiting(1);
    await claimer`commit`;
    await claimer.end();
    expect(messages(await summed)).toEqual([]);
    expect(await joined()).toEqual({ summed: 0, counted: 0 });
  });
});

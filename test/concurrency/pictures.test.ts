import { afterAll, beforeAll, expect, it } from "vitest";
import { messages } from "./earners.ts";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** A picture that nothing has shown for eight days, and its address. */
async function unusedPicture(): Promise<{ id: string; address: string }> {
  const [row] = await store.sql`
    insert into app.pictures (id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, unused_since, add_time)
    values (gen_random_uuid(), gen_random_uuid(), 'store', 'stored', 'image/jpeg', 8, 8, 8, 8, 900, 900, now() - interval '8 days', now() - interval '9 days')
    returning id`;
  return { id: row!.id, address: `https://example.com/storage/v1/object/public/pictures/${row!.id}/large.jpg` };
}

const show = (sql: typeof store.sql, address: string) => sql`update app.products set images = array[${address}]`;
const retire = (sql: typeof store.sql) => sql`select app.retire_pictures(now(), 100) as removed`;
const stateOf = async (id: string) => (await store.sql`select state from app.pictures where id = ${id}`)[0]!.state;

// Guarantee access/pictures-kept
it("a picture that a transaction is about to show is not removed", async () => {
  const { id, address } = await unusedPicture();
  const other = store.connection();
  try {
    await other.begin(async (sql) => {
      await show(sql as never, address);
      expect((await retire(store.sql))[0]!.removed).toBe(0);
    });
    expect((await retire(store.sql))[0]!.removed).toBe(0);
    expect(await stateOf(id)).toBe("stored");
  } finally {
    await other.end();
  }
});

it("what would show a picture that is being removed waits, and is rejected", async () => {
  const { id, address } = await unusedPicture();
  const other = store.connection();
  try {
    let shown: Promise<PromiseSettledResult<unknown>[]> | undefined;
    await other.begin(async (sql) => {
      expect((await retire(sql as never))[0]!.removed).toBe(1);
      shown = Promise.allSettled([show(store.sql, address)]);
      await store.untilWaiting(1);
    });
    expect(messages((await shown!) as never)).toEqual(["invalid_argument"]);
    expect(await stateOf(id)).toBe("removing");
  } finally {
    await other.end();
  }
});

// Guarantee access/pictures-kept
it("whichever comes first, a product never shows a picture that is removed", async () => {
  for (let round = 0; round < 10; round += 1) {
    const { id, address } = await unusedPicture();
    await store.together([(sql) => show(sql, address) as Promise<unknown>, (sql) => retire(sql) as Promise<unknown>]);
    const [product] = await store.sql`select images from app.products`;
    if ((product!.images as string[]).includes(address)) expect(await stateOf(id)).toBe("stored");
  }
  expect(await store.deadlocks()).toBe(0);
});

/** A picture that a member has uploaded, of which WeChat will tell by its id. */
async function uploaded(uid: number, kind: "avatar" | "refund"): Promise<{ id: string; address: string }> {
  const [row] = await store.sql`
    insert into app.pictures (id, owner, kind, state, media_type, width, height, small_width, small_height, bytes, small_bytes, trace_ids, add_time)
    select i.id, u.auth_id, ${kind}, 'stored', 'image/jpeg', 8, 8, 8, 8, 900, 900, array[i.id::text], now()
    from app.users as u cross join (select gen_random_uuid() as id) as i where u.uid = ${uid} returning id`;
  return { id: row!.id, address: `https://example.com/storage/v1/object/public/pictures/${row!.id}/small.jpg` };
}

it("whichever comes first, no member shows a picture that WeChat refuses, and two messages count once", async () => {
  const uid = await store.signUp();
  const tell = (id: string) => (sql: typeof store.sql) =>
    sql`select api.record_picture_check(${id}, 'risky')` as Promise<unknown>;
  for (let round = 0; round < 10; round += 1) {
    const { id, address } = await uploaded(uid, "avatar");
    await store.together([
      (sql) => sql`update app.users set avatar = ${address} where uid = ${uid}` as Promise<unknown>,
      tell(id),
      tell(id),
    ]);
    const [member] = await store.sql`select avatar from app.users where uid = ${uid}`;
    expect([member!.avatar, await stateOf(id)]).toEqual([null, "removing"]);
  }
  expect(await store.sql`select from app.events where uid = ${uid} and type = 'profile.avatar_removed'`).toHaveLength(
    10,
  );
  expect(await store.deadlocks()).toBe(0);
});

it("of two requests that name the same picture at the same time, one gets it", async () => {
  const uid = await store.signUp();
  const { id } = await uploaded(uid, "refund");
  const orders = [await store.buy(uid), await store.buy(uid)];
  const results = await store.together(
    orders.map(
      (order) => (sql) =>
        sql`
          select app.add_pictures_to_refund(r.id, ${sql.json([id])}, u.auth_id)
          from app.users as u cross join lateral app.request_refund(${order}, null, '', null) as r where u.uid = ${uid}`,
    ),
  );
  expect(messages(results as never)).toEqual(["invalid_argument"]);
  expect(await store.sql`select from app.refunds`).toHaveLength(1);
});

import type postgres from "postgres";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
  await store.sql`insert into app.function_settings (project_url, functions_url, variables, reported_at) values ('https://x.supabase.co', 'https://x.supabase.co/functions/v1', '{STORE_SMTP_URL}', now())
    on conflict (id) do update set variables = excluded.variables`;
  await store.sql`call app.tell_notices()`;
});
afterAll(() => store.close());

const patience = { interval: 200 };

const ship = (sql: postgres.Sql | postgres.TransactionSql, uid: number, order: number) =>
  sql`select app.write_event('order.shipped', ${order}, ${uid}, '{}', clock_timestamp())`;
const unread = async (uid: number) => (await store.sql`select app.count_unread(${uid}) as unread`)[0]!.unread as number;
const told = async () =>
  (await store.sql`select key from app.outbox where lane = 'messages' order by key`).map(({ key }) => key as string);

// Guarantee notices/unread: A notice that a member has not had before them stays unread, whatever commits when, and
// whichever device marks
// By: the snapshot of the reading, app.read_all_notices
it("a notice whose transaction is open while all others are marked as read is not marked, and its message is not missed", async () => {
  const uid = await store.signUp();
  await store.sql`select app.choose_notices(${uid}, '{"inbox": ["orders"], "email": ["orders"], "wechat": []}', 'en')`;
  const connection = store.connection();
  await connection.begin(async (transaction) => {
    await ship(transaction, uid, 1);
    await ship(store.sql, uid, 2);
    const [row] = await store.sql`select app.inbox_json(${uid}, null, 20) ->> 'seen' as seen`;
    expect(await unread(uid)).toBe(1);
    await store.sql`select app.read_all_notices(${uid}, ${row!.seen as string})`;
    expect(await unread(uid)).toBe(0);
    await store.sql`call app.tell_notices()`;
    // What was committed waits for what began before it.
    expect(await told()).toEqual([]);
  });
  await connection.end();
  expect(await unread(uid)).toBe(1);
  await vi.waitFor(async () => {
    await store.sql`call app.tell_notices()`;
    expect(await told()).toHaveLength(2);
  }, patience);
});

// Guarantee notices/unread
it("two devices that read at once, one by one and all, leave nothing unread and nothing read that came later", async () => {
  const uid = await store.signUp();
  for (let order = 1; order <= 6; order += 1) await ship(store.sql, uid, order);
  const [row] = await store.sql`
    select l ->> 'seen' as seen, array(select n ->> 'id' from jsonb_array_elements(l -> 'list') as n) as ids from app.inbox_json(${uid}, null, 20) as l`;
  const { seen, ids } = row as unknown as { seen: string; ids: string[] };
  const results = await store.together([
    (sql) => sql`select app.read_all_notices(${uid}, ${seen})`,
    (sql) => sql`select app.read_all_notices(${uid}, ${seen})`,
    ...[...ids, ...ids].map(
      (id) => (sql: postgres.Sql) => sql`select app.read_notice(${uid}, ${id}, clock_timestamp())`,
    ),
    (sql) => ship(sql, uid, 7),
  ]);
  expect(results.map(({ status }) => status)).toEqual(results.map(() => "fulfilled"));
  expect(await unread(uid)).toBe(1);
  expect(await store.deadlocks()).toBe(0);
});

// Guarantee notices/told-once
it("jobs that tell at the same time write each message once", async () => {
  await store.sql`delete from app.outbox`;
  const uids = await Promise.all(Array.from({ length: 5 }, () => store.signUp()));
  for (const uid of uids) {
    await store.sql`select app.choose_notices(${uid}, '{"inbox": [], "email": ["orders"], "wechat": []}', 'en')`;
    await ship(store.sql, uid, 1);
  }
  await vi.waitFor(async () => {
    const results = await store.together(
      Array.from({ length: 6 }, () => (sql: postgres.Sql) => sql`select app.tell_members(clock_timestamp(), 2)`),
    );
    expect(results.map(({ status }) => status)).toEqual(results.map(() => "fulfilled"));
    expect(await told()).toHaveLength(5);
  }, patience);
  await store.sql`delete from app.outbox`;
  await store.sql`call app.tell_notices()`;
  expect(await told()).toEqual([]);
});

it("a member who agrees to several messages while others of theirs are told does not deadlock with the job", async () => {
  const uid = await store.signUp();
  await store.sql`insert into app.message_templates (type, template_id, data) values
    ('order.received', 'a', '{"thing1": "title"}'), ('order.shipped', 'b', '{"thing1": "title"}')`;
  const agree = (sql: postgres.Sql) => sql`select app.add_consents(${uid}, '{"a": "accept", "b": "accept"}')`;
  await agree(store.sql);
  // The consents that the job takes are in the other order than those that the member gives.
  await ship(store.sql, uid, 1);
  await store.sql`select app.write_event('order.received', 1, ${uid}, '{}', clock_timestamp())`;
  await vi.waitFor(async () => {
    const [row] = await store.sql`select count(*)::int as told from app.events_after(
      (select era from app.told_events), (select xid from app.told_events), (select event_id from app.told_events), 10)`;
    expect(row!.told).toBe(2);
  }, patience);
  const [blocker, member, job] = [store.connection(), store.connection(), store.connection()];
  const ends: Promise<unknown>[] = [];
  await blocker.begin(async (transaction) => {
    await transaction`select from app.message_consents where uid = ${uid} and template_id = 'a' for update`;
    ends.push(agree(member).execute());
    await store.untilWaiting(1);
    ends.push(job`select app.tell_members(clock_timestamp(), 1000)`.execute());
    await store.untilWaiting(2);
  });
  expect((await Promise.allSettled(ends)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  await Promise.all([blocker, member, job].map((sql) => sql.end()));
  expect((await told()).filter((key) => key.endsWith(`_${uid}`))).toHaveLength(2);
});

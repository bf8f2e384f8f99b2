import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Store } from "./store.ts";

let store: Store;
beforeAll(async () => {
  store = await Store.open();
});
afterAll(() => store.close());

/** Open transactions of other tests, which share the server, hold the reading of events up. */
const patience = { interval: 200 };

async function makeWebhook(name: string): Promise<number> {
  const [row] = await store.sql`
    insert into app.webhooks (url, description, types, salt, salted_at, created_by, created_at)
    values ('https://erp.example.com', ${name}, '{order.shipped}', repeat('0', 32), now(), gen_random_uuid(), now()) returning id`;
  return Number(row!.id);
}

const follow = () => store.sql`select app.follow_events(clock_timestamp(), 1000)`.execute();

it("a webhook that is made while events are followed gets those that are committed after it", async () => {
  const former = await makeWebhook("former");
  await follow();
  const [writer, administrator] = [store.connection(), store.connection()];
  let following: ReturnType<typeof follow>;
  let made = 0;
  await administrator.begin(async (locking) => {
    await writer.begin(async (writing) => {
      await writing`select app.write_event('order.shipped', 1, null, '{}', clock_timestamp(), 'job')`;
      await locking`select app.lock_webhook(${former})`;
      following = follow();
      await vi.waitFor(async () => {
        const waiting =
          await store.sql`select from pg_stat_activity as a where a.datname = current_database() and a.wait_event_type = 'Lock' and a.query ~ 'follow_events'`;
        expect(waiting.length).toBe(1);
      }, patience);
      made = await makeWebhook("made");
    });
  });
  await following!;
  await Promise.all([writer.end(), administrator.end()]);
  await vi.waitFor(async () => {
    await follow();
    const written =
      await store.sql`select d.webhook_id::integer as webhook from app.webhook_deliveries as d order by d.webhook_id`;
    expect(written.map(({ webhook }) => webhook)).toEqual([former, made]);
  }, patience);
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "./store.ts";

const MONTH = "2025-03-01";
let store: Store;

beforeAll(async () => {
  store = await Store.open();
  await store.sql`call app.ensure_month_partitions('2025-03-01', '2025-04-01')`;
  const referrer = await store.signUp();
  for (const [buyer, day] of [
    [referrer, "01"],
    [await store.signUp(referrer), "02"],
    [await store.signUp(referrer), "14"],
  ] as const) {
    const at = new Date(`2025-03-${day}T00:00:00Z`);
    const id = await store.order(buyer, 1, at);
    await store.sql`select from app.pay_order(${id}, 'test', ${`compaction-${id}`}, ${at})`;
    await store.sql`select from app.settle_order(${id}, ${at})`;
    for (let next = Number(day) + 1; next <= (day === "14" ? 31 : 13) && day !== "01"; next++) {
      const date = `2025-03-${String(next).padStart(2, "0")}`;
      await store.sql`call app.release_frozen_points(${date}::date, ${`${date}T01:00:00Z`}::timestamptz)`;
    }
  }
  for (const month of ["2025-03", "2025-04"]) await store.sql`select from app.close_month(${month}, null)`;
  await store.sql`
    insert into app.month_seals (month, row_count, root, public_key, signature, sealed_at)
    values (${MONTH}, 0, sha256(''), sha256(''), sha256('') || sha256(''), now())`;
});
afterAll(() => store.close());

/** The rows of the bill and of the release log, as their digests. */
async function rows(sql: Store["sql"] = store.sql) {
  return [
    ...(await sql`
      select t.name, d.* from (values ('bill', 'app.bill(''-infinity'', ''infinity'')'), ('log', 'app.releases(''-infinity'', ''infinity'')')) as t (name, rows)
      cross join lateral app.digest_of_rows('select * from ' || t.rows) as d order by t.name`),
  ];
}

const runs = async () =>
  (await store.sql`select count(*)::integer as runs from app.compacted_releases`)[0]!.runs as number;
const compact = (sql: Store["sql"]) => sql`call app.compact_month(${MONTH})`;
const expand = (sql: Store["sql"]) => sql`call app.expand_month(${MONTH})`;
const steps = {
  compact: ["prepare_compaction", "build_compaction", "check_parts", "exchange_compacted"],
  expand: ["build_expansion", "check_parts", "exchange_expanded"],
};
const run = (sql: Store["sql"], step: string) => sql.unsafe(`select app.${step}('${MONTH}')`);

/** Kills a connection. The driver may wait forever for the end of a connection that the server has terminated. */
async function kill(connection: Store["sql"], pid: number) {
  await store.sql`select pg_terminate_backend(${pid})`;
  await connection.end({ timeout: 1 });
}

describe("a month", () => {
  // Guarantee money/month-compaction-killed: Compacting or expanding a month that is killed at any step loses and
  // repeats no row
  // By: each step is a transaction, and only the last one exchanges what is read, app.exchange_parts
  it("has the same rows whichever step is killed, and the next call goes on from there", async () => {
    const before = await rows();
    for (const [name, all] of Object.entries(steps)) {
      for (const step of all) {
        const victim = store.connection();
        await victim`begin`;
        const [self] = await victim`select pg_backend_pid() as pid`;
        await run(victim, step);
        await kill(victim, self!.pid as number);
        expect(await rows(), `${step} killed`).toEqual(before);
        await run(store.sql, step);
        expect(await rows(), step).toEqual(before);
        await run(store.sql, step).catch((error: Error) => expect(error.message).toBe("invalid_argument"));
        expect(await rows(), `${step} repeated`).toEqual(before);
      }
      expect((await runs()) > 0, name).toBe(name === "compact");
    }
  });

  // Guarantee money/month-compaction-killed
  it("is compacted, and expanded, by procedures that are killed at any moment and called again", async () => {
    const before = await rows();
    for (const [call, isCompacted] of [
      [compact, true],
      [expand, false],
    ] as const) {
      for (let wait = 20, isDone = false; !isDone; wait *= 2) {
        const victim = store.connection();
        const [self] = await victim`select pg_backend_pid() as pid`;
        const outcome = Promise.resolve(call(victim)).then(
          () => "done",
          () => "killed",
        );
        const ended = await Promise.race([
          outcome,
          new Promise<string>((resolve) => setTimeout(() => resolve("late"), wait)),
        ]);
        isDone = ended === "done";
        await kill(victim, self!.pid as number);
        expect(await rows()).toEqual(before);
        // Killed after its last step: expanding again would find nothing compacted.
        if ((await runs()) > 0 === isCompacted) isDone = true;
      }
    }
  });

  it("waits for a late release of one of its days to begin, and is not compacted while that is unfinished", async () => {
    const releaser = store.connection();
    await releaser`begin`;
    await releaser`select app.reject_compacted_release('2025-03-02')`;
    const preparing = run(store.sql, "prepare_compaction").then(
      () => "prepared",
      (error: Error) => error.message,
    );
    await store.untilPausing();
    await releaser`select app.begin_release('2025-03-02', true, now())`;
    await releaser`commit`;
    expect(await preparing).toBe("invalid_argument");
    await releaser`select app.end_release('2025-03-02', 0, now())`;
    await releaser.end();
  });

  // Guarantee money/month-compaction-read: A read shows the whole month while it is being compacted or expanded
  // By: the exchange waits for older transactions and locks what is read, app.exchange_parts
  it("waits for a transaction that began before it was built, which reads all rows", async () => {
    const before = await rows();
    const reader = store.connection();
    await reader`begin isolation level repeatable read`;
    await reader`select from app.settings`;
    for (const step of steps.compact.slice(0, 3)) await run(store.sql, step);
    const exchanging = run(store.sql, "exchange_compacted").then((done) => done[0]!.exchange_compacted as boolean);
    await store.untilPausing();
    expect(await rows(reader)).toEqual(before);
    await reader`commit`;
    await reader.end();
    expect(await exchanging).toBe(true);
    expect(await rows()).toEqual(before);
  });

  // Guarantee money/month-compaction-read
  it("is shown whole by a read that waited while it was expanded, and while it was compacted", async () => {
    const before = await rows();
    for (const [first, last] of [
      [steps.expand.slice(0, 2), "exchange_expanded"],
      [steps.compact.slice(0, 3), "exchange_compacted"],
    ] as const) {
      for (const step of first) await run(store.sql, step);
      const worker = store.connection();
      await worker`begin`;
      await run(worker, last);
      const reading = rows();
      await store.untilWaiting(1);
      await worker`commit`;
      await worker.end();
      expect(await reading, last).toEqual(before);
    }
  });

  it("that is compacted takes no late release, is in order, and is dropped nowhere by the job that compacts", async () => {
    const late = Promise.resolve(
      store.sql`call app.release_frozen_points('2025-03-01'::date, '2025-04-30Z'::timestamptz)`,
    );
    await expect(late).rejects.toThrow("month_compacted");
    await store.sql`update app.compacted_months set compacted_at = now() - app.original_days() * interval '1 day' - interval '1 hour'`;
    const before = await rows();
    const reader = store.connection();
    await reader`begin`;
    await reader`select from app.users`;
    const job = Promise.resolve(store.sql`call app.compact_due_months()`);
    await store.untilPausing();
    await reader`commit`;
    await reader.end();
    await job;
    expect([
      ...(await store.sql`select relname from pg_class where relnamespace = 'compacted'::regnamespace and relkind = 'r'`),
    ]).toEqual([]);
    expect(await rows()).toEqual(before);
    expect(await store.findings()).toEqual([]);
  });
});

import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "../concurrency/store.ts";
import { run } from "./run.ts";

const [secret, key] = [randomBytes(32).toString("hex"), randomBytes(32).toString("hex")];
let store: Store;

/** Frozen points that are released for a week of a month that is closed and sealed. */
beforeAll(async () => {
  store = await Store.open();
  await store.sql`call app.ensure_month_partitions('2025-03-01', '2025-03-01')`;
  const uid = await store.signUp();
  await store.sql`
    insert into app.user_bill (uid, type, source, frozen_delta, brokerage_after, frozen_after, available_after, add_time)
    values (${uid}, 'opening_balance', 'import', 5000, 0, 5000, 0, '2025-03-02')`;
  await store.sql`update app.user_balances set frozen_points = 5000, total_points_earned = 5000 where uid = ${uid}`;
  for (const day of ["03", "04", "05", "06", "07", "08", "09"])
    await store.sql`call app.release_frozen_points(${`2025-03-${day}`}::date, ${`2025-03-${day}T01:00:00Z`}::timestamptz)`;
  await store.sql`select from app.close_month('2025-03', null)`;
});
afterAll(() => store.close());

const environment = () => ({
  DATABASE_URL: store.url,
  STORE_SEAL_SECRET: secret,
  STORE_SEAL_KEY: key,
  STORE_SEAL_FORMER_KEY: "",
});
const expand = (month: string) => run("expand", ["--month", month], environment());
const released = async () => [
  ...(await store.sql`select count(*) as stored from app.user_bill where source = 'release'`),
  ...(await store.sql`select count(*) as rows from app.bill('2025-03-01', '2025-04-01') where source = 'release'`),
];

describe("npm run expand", { concurrent: false }, () => {
  it("restores the rows of a compacted month, whose seal is good before and after", async () => {
    expect(await run("seal", [], environment())).toMatchObject({ code: 0 });
    await store.sql`call app.compact_month('2025-03-01')`;
    const verified = { code: 0, output: expect.stringContaining("2025-03: 8 rows as sealed.") };
    expect([await released(), await run("verify_seal", ["--month", "2025-03"], environment())]).toEqual([
      [{ stored: "0" }, { rows: "7" }],
      expect.objectContaining(verified),
    ]);
    expect(await expand("2025-03")).toMatchObject({
      code: 0,
      output: expect.stringContaining("2025-03 has all its rows again."),
    });
    expect([await released(), await run("verify_seal", ["--month", "2025-03"], environment())]).toEqual([
      [{ stored: "7" }, { rows: "7" }],
      expect.objectContaining(verified),
    ]);
  });

  it("gives up what was begun and not finished, and says what to do about what is in the way", async () => {
    await store.sql`select app.prepare_compaction('2025-03-01')`;
    expect(await expand("2025-03")).toMatchObject({ code: 0 });
    expect([...(await store.sql`select from app.compacted_months`)]).toEqual([]);
    await store.sql`call app.compact_month('2025-03-01')`;
    const [month] = await store.sql`select bill_digest from app.compacted_months`;
    await store.sql`update app.compacted_months set bill_digest = 0`;
    expect(await expand("2025-03")).toMatchObject({
      code: 2,
      output: expect.stringContaining("compare them with a backup") as string,
    });
    await store.sql`update app.compacted_months set bill_digest = ${month!.bill_digest as string}`;
    const reader = store.connection();
    await reader`begin`;
    await reader`select from app.users`;
    expect(await expand("2025-03")).toMatchObject({
      code: 2,
      output: expect.stringContaining("Run the command again") as string,
    });
    await reader`commit`;
    await reader.end();
    expect(await expand("2025-03")).toMatchObject({ code: 0 });
    expect(await released()).toEqual([{ stored: "7" }, { rows: "7" }]);
  });

  it("says of a month that is not compacted, or none, what is wrong", async () => {
    expect(await expand("2025-03")).toMatchObject({
      code: 2,
      output: expect.stringContaining("The releases of 2025-03 are not compacted."),
    });
    expect(await run("expand", [], environment())).toMatchObject({
      code: 2,
      output: expect.stringContaining("Name it with --month."),
    });
    expect(await expand("2025-13")).toMatchObject({ code: 2, output: expect.stringContaining("2025-13") });
  });
});

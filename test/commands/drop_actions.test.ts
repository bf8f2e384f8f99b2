import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Store } from "../concurrency/store.ts";
import { run } from "./run.ts";

let store: Store;
let folder: string;

beforeAll(async () => {
  store = await Store.open();
  folder = mkdtempSync(join(tmpdir(), "store-actions-"));
  await store.sql`select app.create_month_partition('admin_actions', m::date) from unnest('{2020-03-01, 2020-04-01}'::date[]) as m`;
  // More than the chunk in which the lines are read, and a line separator that JSON does not escape.
  await store.sql`
    insert into app.admin_actions (function, target_type, target_id, to_value, add_time)
    select 'set_carrier', 'carrier', n::text, jsonb_build_object('name', '一' || chr(8232) || n), '2020-03-01Z'::timestamptz + n * interval '10 minutes'
    from generate_series(1, 1500) as n`;
});
afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const drop = (...args: string[]) => run("drop_actions", args, { DATABASE_URL: store.url });
const remaining = async () =>
  (await store.sql`select count(*)::integer as n from app.admin_actions where add_time < '2020-04-01Z'`)[0]!
    .n as number;
const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest();

describe("npm run actions:drop", { concurrent: false }, () => {
  // Guarantee money/actions-dropped
  it("drops nothing if the file does not have exactly the actions of the month", async () => {
    const path = join(folder, "wrong.jsonl");
    writeFileSync(path, "{}\n");
    expect(await drop("--month", "2020-03", "--file", path)).toMatchObject({
      code: 2,
      output: expect.stringContaining("are not those that were exported"),
    });
    expect([await remaining(), readFileSync(path, "utf8")]).toEqual([1500, "{}\n"]);
  });

  it("writes each action as a line of JSON, drops the month, and keeps the number and the digest by which the file is checked", async () => {
    const path = join(folder, "actions.jsonl");
    expect(await drop("--month", "2020-03", "--file", path)).toMatchObject({
      code: 0,
      output: expect.stringContaining("1500 actions are in"),
    });
    const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
    expect([lines.length, JSON.parse(lines[0]!), await remaining(), existsSync(`${path}.part`)]).toMatchObject([
      1500,
      {
        function: "set_carrier",
        target_id: "1",
        to_value: { name: "一\u20281" },
        add_time: "2020-03-01T00:10:00+00:00",
      },
      0,
      false,
    ]);
    const digest = sha256(Buffer.concat(lines.map(sha256))).toString("hex");
    expect([
      ...(await store.sql`select to_char(month, 'YYYY-MM') as month, row_count, digest from app.dropped_actions`),
    ]).toEqual([{ month: "2020-03", row_count: "1500", digest }]);
    expect(await drop("--month", "2020-03", "--file", path)).toMatchObject({
      code: 0,
      output: expect.stringContaining("were dropped before"),
    });
  });

  it("takes the file of a call that was cut", async () => {
    const path = join(folder, "cut.jsonl");
    writeFileSync(path, "");
    expect(await drop("--month", "2020-04", "--file", path)).toMatchObject({
      code: 0,
      output: expect.stringContaining("0 actions are in"),
    });
  });

  it("says why a month cannot be dropped", async () => {
    expect(await drop()).toMatchObject({ code: 2, output: expect.stringContaining("Name it with --month") });
    expect(await drop("--month", "2020-05")).toMatchObject({
      code: 2,
      output: expect.stringContaining("it has no partition of its own"),
    });
    expect(await drop("--month", "2020-13")).toMatchObject({
      code: 2,
      output: expect.stringContaining("A month is written as 2026-10"),
    });
  });
});

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { openUntypedDatabase, type UntypedDatabase } from "../../scripts/testing/untyped_database.ts";
import { type CuttingProxy, MESSAGE, startCuttingProxy } from "../../scripts/testing/cutting_proxy.ts";

let clone: ClonedDatabase;
let owner: ReturnType<typeof connect>;
let proxy: CuttingProxy;

beforeAll(async () => {
  clone = await cloneDatabase();
  owner = connect(clone.url);
  await owner.unsafe(`
    create table app.written (id integer);
    grant insert on app.written to anon, service_role;
    create function api.write_and_echo(p_value integer) returns jsonb language plpgsql as $$
    begin
      insert into app.written values (p_value);
      return jsonb_build_object('value', p_value);
    end $$;
    create function api.reject(p_value integer) returns jsonb language plpgsql as $$
    begin
      raise exception 'order_already_paid' using errcode = 'PT409', detail = 'Order ' || p_value || ' is paid.';
    end $$;
    grant execute on function api.write_and_echo(integer), api.reject(integer) to anon, service_role;
  `);
  proxy = await startCuttingProxy(clone.url);
});

afterAll(async () => {
  await proxy?.stop();
  await owner?.end();
  await clone?.drop();
});

const ways = {
  callAsCaller: (database: UntypedDatabase, name: string, value: number) =>
    database.callAsCaller({}, name, { p_value: value }),
  callAsService: (database: UntypedDatabase, name: string, value: number) =>
    database.callAsService(name, { p_value: value }),
};

describe.each([
  ["callAsCaller", false],
  ["callAsCaller", true],
  ["callAsService", false],
  ["callAsService", true],
] as const)("%s over a connection that is lost (prepared: %s)", (way, prepare) => {
  const call = ways[way];
  let database: UntypedDatabase;

  // One connection, so that the next statement uses the replacement of the lost one.
  beforeEach(async () => {
    await owner`truncate app.written`;
    database = openUntypedDatabase({ url: proxy.url, pool: 1, prepare, applicationName: "test" });
    await call(database, "write_and_echo", 1);
  });

  it("after the row of a result returns database_unavailable, and the next statement gets its own result", async () => {
    proxy.cutAfter(MESSAGE.row);
    await expect(call(database, "write_and_echo", 2)).rejects.toMatchObject({ code: "database_unavailable" });
    for (const value of [3, 4]) expect(JSON.parse(await call(database, "write_and_echo", value))).toEqual({ value });
  });

  // Guarantee faults/connection-failed: A failed connection never gives a request the result of another
  // By: functions/_shared/database/connections.ts
  it("gives the waiting statements their own results", async () => {
    proxy.cutAfter(MESSAGE.row);
    const [lost, ...others] = await Promise.allSettled(
      [2, 3, 4].map((value) => call(database, "write_and_echo", value)),
    );
    expect(lost).toMatchObject({ status: "rejected", reason: { code: "database_unavailable" } });
    expect(others.map((other) => (other.status === "fulfilled" ? JSON.parse(other.value) : other.reason))).toEqual([
      { value: 3 },
      { value: 4 },
    ]);
  });

  it("after an error does not report that error to the next statement", async () => {
    proxy.cutAfter(MESSAGE.error);
    await expect(call(database, "reject", 2)).rejects.toMatchObject({ code: "database_unavailable" });
    expect(JSON.parse(await call(database, "write_and_echo", 3))).toEqual({ value: 3 });
    expect(await owner`select id from app.written order by id`).toEqual([{ id: 1 }, { id: 3 }]);
  });
});

describe("a connection that stops responding", () => {
  it("is replaced when the deadline of a request passes", async () => {
    const database = openUntypedDatabase({
      url: proxy.url,
      pool: 1,
      prepare: false,
      applicationName: "test",
      deadlineMs: 3_000,
    });
    expect(JSON.parse(await database.callAsCaller({}, "write_and_echo", { p_value: 1 }))).toEqual({ value: 1 });
    proxy.silence();
    await expect(database.callAsCaller({}, "write_and_echo", { p_value: 2 })).rejects.toMatchObject({
      code: "database_timeout",
    });
    expect(JSON.parse(await database.callAsCaller({}, "write_and_echo", { p_value: 3 }))).toEqual({ value: 3 });
  });
});

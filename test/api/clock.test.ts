import type postgres from "postgres";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { cloneDatabase, type ClonedDatabase, connect, type EdgeFunction, serveEdgeFunction } from "../support/index.ts";

const SECRET = "the secret of the worker in this test";

let clone: ClonedDatabase;
let sql: postgres.Sql;
let served: EdgeFunction | undefined;

const state = async () => (await sql`select app.clock_state(clock_timestamp()) as state`)[0]!.state as string;

// A store that was off for ten days, or a clock that is ten days ahead: the database alone cannot tell.
beforeAll(async () => {
  clone = await cloneDatabase();
  sql = connect(clone.url);
});
beforeEach(async () => {
  await sql`insert into app.clock (trusted_at) values (now() - interval '10 days') on conflict (id) do update set trusted_at = excluded.trusted_at, differs_by = null`;
  expect(await state()).toBe("doubtful");
});
afterAll(async () => {
  await served?.stop();
  await sql?.end();
  await clone?.drop();
});

describe("a database whose clock is doubtful trusts it again", () => {
  it("when the worker is called, which compares its own", async () => {
    served = await serveEdgeFunction("worker", clone.url, { STORE_WORKER_SECRET: SECRET });
    const response = await fetch(`${served.base}/worker/run`, {
      method: "POST",
      headers: { "x-worker-secret": SECRET },
    });
    expect([response.status, await state()]).toEqual([200, "ok"]);
    await served.stop();
  });

  it("when the edge function api starts", async () => {
    served = await serveEdgeFunction("api", clone.url, {});
    await fetch(`${served.base}/api/health`);
    await vi.waitFor(async () => expect(await state()).toBe("ok"));
  });
});

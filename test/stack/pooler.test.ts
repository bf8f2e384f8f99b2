import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Problem } from "../../functions/_shared/responses/problem.ts";
import { withDatabase } from "../../scripts/command_line/database.ts";
import type { Part } from "../../scripts/ground/part.ts";
import { findPooler, startPooler } from "../../scripts/scale/pooler.ts";
import { Running } from "../../scripts/ground/running.ts";
import { makeServerDirectory, serverUser } from "../../scripts/ground/server_user.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { type CuttingProxy, startCuttingProxy } from "../../scripts/testing/cutting_proxy.ts";
import { cloneDatabase, type ClonedDatabase, connect, skipFor } from "../support/index.ts";
import { openUntypedDatabase } from "../../scripts/testing/untyped_database.ts";

// PgBouncer of its own, so that it can be stopped. `npm test -- --pooler test/api` runs the tests of the API through
// that of the stack.
const MEMBER = { sub: "5f1f8a4e-6f0b-4c68-9c6c-0d6c5b7a9e11", role: "authenticated" };
const CALLS = 60;

let clone: ClonedDatabase;
let owner: ReturnType<typeof connect>;
let pooled: string;
let pooler: Part;
/** Between PgBouncer and the server. */
let proxy: CuttingProxy;
const folder = mkdtempSync(join(tmpdir(), "pooler-"));
const running = new Running();

/** Starts PgBouncer in front of the server of the clone. */
async function start(): Promise<void> {
  proxy = await startCuttingProxy(clone.url);
  running.addStop(() => proxy.stop());
  const url = new URL(proxy.url);
  const directory = join(folder, "files");
  makeServerDirectory(directory, serverUser());
  const started = await startPooler(
    {
      program: findPooler()!,
      server: { host: url.hostname, port: Number(url.port) },
      passwords: { [url.username]: decodeURIComponent(url.password) },
      database: url.pathname.slice(1),
      files: join(directory, "pooler"),
      logFile: join(folder, "pgbouncer.log"),
    },
    running,
  );
  url.port = String(started.port);
  [pooled, pooler] = [url.href, started.part];
}

skipFor(describe, lacking("pgbouncer"))("a pooler in transaction mode", () => {
  beforeAll(async () => {
    // The server's user must enter the folder.
    makeServerDirectory(folder, serverUser());
    clone = await cloneDatabase();
    owner = connect(clone.url);
    await owner.unsafe(`
      create function api.who() returns jsonb language sql as $$
        select jsonb_build_object('user', current_user, 'sub', auth.uid(), 'backend', pg_backend_pid())
      $$;
      create function api.wait() returns jsonb language plpgsql as $$
        begin perform pg_sleep(30); return '"late"'; end
      $$;
      create function api.lock_number_one() returns jsonb language sql as $$
        select to_jsonb(pg_try_advisory_xact_lock(1))
      $$;
      grant execute on function api.who(), api.wait(), api.lock_number_one() to anon, authenticated;
    `);
    await start();
  });
  afterAll(async () => {
    await running.stop();
    await owner?.end();
    await clone?.drop();
    rmSync(folder, { recursive: true });
  });

  // Guarantee faults/pooler: A request needs no session: it works through a pooler in transaction mode
  // By: one statement for each request (decision 0005)
  it.each([false, true])(
    "runs each call as its own caller, and leaves role and claims to no other client (prepared: %s)",
    async (prepare) => {
      // More connections of clients than PgBouncer makes to the server.
      const databases = Array.from({ length: 15 }, () =>
        openUntypedDatabase({ url: pooled, pool: 2, prepare, applicationName: "test" }),
      );
      const calls = await Promise.all(
        Array.from({ length: CALLS }, async (_, index) => {
          const claims = index % 2 === 0 ? MEMBER : {};
          const who = JSON.parse(
            await databases[index % databases.length]!.callAsCaller(claims, "who", {}, { id: `request-${index}` }),
          ) as { user: string; sub: string | null; backend: number };
          expect(who).toMatchObject(
            index % 2 === 0 ? { user: "authenticated", sub: MEMBER.sub } : { user: "anon", sub: null },
          );
          return who.backend;
        }),
      );
      expect(new Set(calls).size).toBeLessThanOrEqual(20);
      const plain = connect(pooled, { prepare: false, fetch_types: false });
      const [left] =
        await plain`select current_user as user, coalesce(current_setting('request.jwt.claims', true), '') as claims, coalesce(current_setting('store.request_id', true), '') as request`;
      await plain.end();
      expect(left).toEqual({ user: new URL(pooled).username, claims: "", request: "" });
    },
  );

  it("keeps the advisory locks of a call until its end, and not longer", async () => {
    const database = openUntypedDatabase({ url: pooled, pool: 4, prepare: false, applicationName: "test" });
    for (let round = 0; round < 10; round += 1)
      expect(await database.callAsCaller({}, "lock_number_one", {})).toBe("true");
    expect(
      await owner`select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    ).toEqual([]);
  });

  it("is refused by the commands, whose time limits and locks belong to a session, before they set anything", async () => {
    vi.stubEnv("DATABASE_URL", pooled);
    await expect(withDatabase((sql) => sql`select 1`)).rejects.toThrow("pooler in transaction mode");
    vi.unstubAllEnvs();
    const plain = connect(pooled, { prepare: false, fetch_types: false });
    const [setting] = await plain`show statement_timeout`;
    await plain.end();
    expect(setting).toEqual((await owner`show statement_timeout`)[0]);
  });

  // Guarantee faults/connection-failed
  it("that loses the server is database_unavailable, and the next statement gets its own result", async () => {
    const database = openUntypedDatabase({ url: pooled, pool: 1, prepare: false, applicationName: "test" });
    const outcome = (name: string) =>
      database.callAsCaller({}, name, {}).then(JSON.parse, (error: Problem) => error.code);
    const getsItsOwn = async () =>
      expect([await outcome("who"), await outcome("who")]).toMatchObject([{ user: "anon" }, { user: "anon" }]);
    await getsItsOwn();
    for (let round = 0; round < 3; round += 1) {
      const lost = outcome("wait");
      const waits = () =>
        owner`select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
      await vi.waitFor(async () => expect(await waits()).toHaveLength(1));
      proxy.cutAll();
      expect(await lost).toBe("database_unavailable");
      await getsItsOwn();
      await owner`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    }
  });

  it("that is gone is database_unavailable, and the functions connect again when it is back", async () => {
    const database = openUntypedDatabase({ url: pooled, pool: 1, prepare: false, applicationName: "test" });
    await database.callAsCaller({}, "who", {});
    await pooler.endProcess();
    await expect(database.callAsCaller({}, "who", {})).rejects.toMatchObject({ code: "database_unavailable" });
    await pooler.restart();
    expect(JSON.parse(await database.callAsCaller({}, "who", {}))).toMatchObject({ user: "anon" });
  });
});

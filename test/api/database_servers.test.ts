import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SignJWT } from "jose";
import type postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { addressesOf, checkAddress } from "../../functions/_shared/ground/database_address.ts";
import { tlsFor } from "../../functions/_shared/ground/tls.ts";
import { examineFunctionDatabase } from "../../scripts/doctor/database_findings.ts";
import { openConnection } from "../../scripts/ground/open_connection.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, type EdgeFunction, serveEdgeFunction, skipFor, stack } from "../support/index.ts";
import { childPids, kill } from "../../scripts/testing/processes.ts";
import { type ReplicatedServer, ReplicatedStore } from "../support/replicated_store.ts";
import { openUntypedDatabase } from "../../scripts/testing/untyped_database.ts";

const install = findInstall();

describe("an address with several servers", () => {
  it("is one address for each, with the same role, database and settings", () => {
    expect(addressesOf("postgresql://store_api:a,b%40@one.example:5433,two.example/postgres?sslmode=require")).toEqual([
      "postgresql://store_api:a,b%40@one.example:5433/postgres?sslmode=require",
      "postgresql://store_api:a,b%40@two.example/postgres?sslmode=require",
    ]);
    expect(addressesOf("postgresql://127.0.0.1/postgres")).toEqual(["postgresql://127.0.0.1/postgres"]);
  });

  it("is encrypted by the rule of each server, which must prove its own name", () => {
    const tls = addressesOf("postgresql://127.0.0.1:5432,one.example,two.example/postgres").map((address) =>
      tlsFor(address, undefined),
    );
    expect(tls).toEqual([false, { host: "one.example" }, { host: "two.example" }]);
  });

  it.each([
    ["postgresql://one.example,two.example:many/postgres", "STORE_DB_URL is not an address."],
    ["postgresql://one.example,/postgres", "STORE_DB_URL names no server."],
    ["postgresql://one.example,two.example/postgres?target_session_attrs=read-write", "it must be primary"],
  ])("is rejected when the function starts, if it is wrong: %s", (address, message) => {
    expect(() => checkAddress("STORE_DB_URL", address)).toThrow(message);
  });
});

skipFor(describe, install === undefined ? "this machine has no installed Postgres" : lacking("linux"))(
  "a store with a synchronous standby",
  { concurrent: false },
  () => {
    let store: ReplicatedStore;
    let standby: ReplicatedServer;

    beforeAll(async () => {
      store = await ReplicatedStore.start(install!);
      standby = await store.addStandby();
      await store.requireConfirmation();
    });
    afterAll(() => store?.stop());

    describe("that is gone: a write whose commit waits for it", () => {
      let api: EdgeFunction;
      let sql: postgres.Sql;
      let buyer: string;

      beforeAll(async () => {
        api = await serveEdgeFunction("api", store.primary.url("store_api"), {});
        sql = connect(store.primary.superuserUrl);
        await sql`insert into app.products (title, price, is_queue_goods) values ('Tea', 10, false)`;
        const [account] =
          await sql`insert into auth.users (email_confirmed_at, id, email) values (now(), gen_random_uuid(), 'buyer@example.com') returning id`;
        const { supabase_url, jwt_secret } = stack();
        buyer = await new SignJWT({
          sub: account!.id,
          role: "authenticated",
          aud: "authenticated",
          iss: `${supabase_url}/auth/v1`,
        })
          .setProtectedHeader({ alg: "HS256" })
          .setExpirationTime("1h")
          .sign(new TextEncoder().encode(jwt_secret));
      });
      afterAll(async () => {
        await sql?.end();
        await api?.stop();
      });

      beforeEach(() => standby.freeze());
      afterEach(() => standby.thaw());

      async function order(key: string) {
        const [product] = await sql`select id from app.products`;
        const response = await fetch(`${api.base}/api/order`, {
          method: "POST",
          headers: { authorization: `Bearer ${buyer}`, "content-type": "application/json", "idempotency-key": key },
          body: JSON.stringify({ items: [{ product_id: Number(product!.id), quantity: 1 }] }),
        });
        return {
          status: response.status,
          retryAfter: response.headers.get("retry-after"),
          body: (await response.json()) as { id?: number; code?: string },
        };
      }

      /** The process of the database whose commit waits for the standby. @param statement a part of what it executes */
      const untilWaiting = (statement = "app.as_caller") =>
        vi.waitFor(async () => {
          const rows = await sql<
            { pid: number }[]
          >`select pid from pg_stat_activity where wait_event = 'SyncRep' and query like ${`%${statement}%`} and pid <> pg_backend_pid()`;
          expect(rows).toHaveLength(1);
          return rows[0]!.pid;
        });

      const orders = async () => (await sql`select from app.orders`).length;

      // Guarantee faults/commit-unconfirmed: A write that its synchronous standby has not confirmed is never answered
      // as success. Once it is confirmed, a repetition gets the first response
      // By: the server's warning is an unknown outcome (decision 0061),
      // functions/_shared/database/unconfirmed_commit.ts; a repetition waits, too, app.find_response
      it.each(["pg_cancel_backend", "pg_terminate_backend"])(
        "is not answered as success after %s, and its repetition gets the first response, once the standby has confirmed it",
        async (end) => {
          const [key, before] = [crypto.randomUUID(), await orders()];
          const first = order(key);
          await sql.unsafe(`select ${end}(${await untilWaiting()})`);
          expect(await first).toMatchObject({ status: 503, retryAfter: "5", body: { code: "database_unavailable" } });
          // The order is committed on the primary. It could still be lost with it, so the repetition waits, too.
          expect(await orders()).toBe(before + 1);
          const again = order(key);
          await untilWaiting();
          standby.thaw();
          const { status, body } = await again;
          expect(status).toBe(201);
          expect(await sql`select id::integer from app.orders order by id desc limit 1`).toEqual([{ id: body.id }]);
          expect(await order(key)).toMatchObject({ status: 201, body: { id: body.id } });
          expect(await orders()).toBe(before + 1);
        },
      );

      it("is reported by the commands of the project", async () => {
        const warn = vi.spyOn(console, "error").mockImplementation(() => undefined);
        const command = openConnection(store.primary.url());
        const written = command`insert into app.products (title, price) values ('Coffee', 1)`.execute();
        await sql`select pg_cancel_backend(${await untilWaiting("insert into app.products")})`;
        await written;
        await command.end();
        expect(warn.mock.calls).toEqual([
          [expect.stringContaining("a synchronous standby has not confirmed a commit")],
        ]);
        warn.mockRestore();
      });

      // Guarantee faults/commit-unconfirmed
      it("is not answered as success when its deadline passes. Nobody sees it until the standby has confirmed it", async () => {
        const before = await orders();
        const [account] = await sql`select id from auth.users`;
        const [product] = await sql`select id from app.products`;
        const database = openUntypedDatabase({
          url: store.primary.url("store_api"),
          pool: 1,
          prepare: false,
          applicationName: "test",
          deadlineMs: 1000,
        });
        const place = database.callAsCaller({ sub: account!.id, role: "authenticated" }, "create_order", {
          p_items: [{ product_id: Number(product!.id), quantity: 1 }],
        });
        await expect(place).rejects.toMatchObject({ code: "database_timeout" });
        await untilWaiting();
        expect(await orders()).toBe(before);
        standby.thaw();
        await vi.waitFor(async () => expect(await orders()).toBe(before + 1));
      });
    });

    describe("whose functions know both servers", () => {
      beforeAll(async () => {
        const owner = connect(store.primary.url());
        await owner.unsafe(`
        create table app.written (key text);
        grant insert on app.written to anon;
        create function api.write(p_key text) returns jsonb language plpgsql as $$
        begin
          insert into app.written values (p_key);
          return jsonb_build_object('server', inet_server_port());
        end $$;
        create function api.read_server() returns jsonb language sql as $$ select jsonb_build_object('server', inet_server_port()) $$;
        grant execute on function api.write(text), api.read_server() to anon;
      `);
        await owner.unsafe(readFileSync(join(projectRoot, "sql/from_the_catalogue/entry_points.sql"), "utf8"));
        await owner.end();
      });

      /** The address for the functions with these ports, in this order. */
      const addressOf = (ports: number[]) =>
        store.primary
          .url("store_api")
          .replace(`127.0.0.1:${store.primary.server.port}`, ports.map((port) => `127.0.0.1:${port}`).join());
      const open = (ports: number[], pool = 1) =>
        openUntypedDatabase({ url: addressOf(ports), pool, prepare: false, applicationName: "test" });
      const write = async (database: ReturnType<typeof open>) =>
        JSON.parse(await database.callAsCaller({}, "write", { p_key: "key" })) as { server: number };

      it("reads and writes on the primary, wherever it is in the address and whatever does not answer", async () => {
        const [primary, other, closed] = [store.primary.server.port, standby.server.port, await freePort()];
        for (const ports of [
          [primary, other],
          [other, primary],
          [closed, other, primary],
        ]) {
          const database = open(ports);
          expect(await write(database)).toEqual({ server: primary });
          expect(JSON.parse(await database.callAsCaller({}, "read_server", {}, { writes: false }))).toEqual({
            server: primary,
          });
        }
      });

      it("is unavailable at once if no server is the primary", async () => {
        const begun = Date.now();
        await expect(write(open([standby.server.port, await freePort()]))).rejects.toMatchObject({
          code: "database_unavailable",
        });
        expect(Date.now() - begun).toBeLessThan(5_000);
      });

      it("are examined by the doctor, which signs in at each and expects one to be the primary", async () => {
        const examine = async (ports: number[]) =>
          (await examineFunctionDatabase(addressOf(ports))).map(({ severity, message }) => `${severity} ${message}`);
        const [primary, other, closed] = [store.primary.server.port, standby.server.port, await freePort()];
        expect(await examine([primary, other])).toEqual([
          `ok store_api signs in at 127.0.0.1:${primary}`,
          `ok store_api signs in at 127.0.0.1:${other}, a standby`,
        ]);
        expect(await examine([other, closed])).toEqual([
          `ok store_api signs in at 127.0.0.1:${other}, a standby`,
          expect.stringMatching(`^error store_api cannot use the database at 127.0.0.1:${closed}`),
          "error no server of STORE_DB_URL that answers is the primary",
        ]);
      });

      // Guarantee faults/failover
      it("goes on at the promoted standby, although the former primary keeps its connections open and does not answer", async () => {
        const ports = [store.primary.server.port, standby.server.port];
        const [database, idle] = [open(ports, 4), open(ports, 4)];
        const read = async (from: typeof database) =>
          JSON.parse(await from.callAsCaller({}, "read_server", {}, { writes: false })) as { server: number };
        for (const each of [database, idle]) await Promise.all([1, 2, 3, 4].map(() => read(each)));
        store.primary.freeze();
        const begun = Date.now();
        const [interrupted, reads] = [write(database), [1, 2, 3].map(() => read(database))];
        interrupted.catch(() => undefined);
        const owner = connect(standby.superuserUrl);
        await owner`select pg_promote()`;
        await owner`alter system reset synchronous_standby_names`;
        await owner`select pg_reload_conf()`;
        await vi.waitUntil(
          async () => (await owner`show synchronous_standby_names`)[0]!.synchronous_standby_names === "",
        );
        // Reads are repeated at the new primary. Nobody knows whether the write was committed.
        expect(await Promise.all(reads)).toEqual(Array.from({ length: 3 }, () => ({ server: standby.server.port })));
        await expect(interrupted).rejects.toMatchObject({ code: "database_unavailable" });
        expect(await write(database)).toEqual({ server: standby.server.port });
        expect(Date.now() - begun).toBeLessThan(10_000);
        await owner.end();

        // Every connection of the other instance leads to the former primary, which ends now.
        store.primary.thaw();
        const { pid } = store.primary.part;
        [pid, ...childPids(pid)].forEach(kill);
        await store.primary.part.exited;
        expect(await Promise.all([1, 2, 3, 4].map(() => read(idle)))).toEqual(
          Array.from({ length: 4 }, () => ({ server: standby.server.port })),
        );
        expect(await write(idle)).toEqual({ server: standby.server.port });
      });
    });
  },
);

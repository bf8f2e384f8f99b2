import { randomBytes, randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { decodeJwt, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { adminRoutes, createAdminApp } from "../../functions/adminapi/app.ts";
import { apiRoutes, createApiApp } from "../../functions/api/app.ts";
import { createService } from "../../functions/_shared/routes/service.ts";
import { LAST_POSITION } from "../../functions/_shared/database/standby.ts";
import { type Database, ownerUrl, startNewDatabase } from "../../scripts/postgres/database.ts";
import { databaseUrl, superuserUrl } from "../../scripts/postgres/database_server.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import type { Part } from "../../scripts/ground/part.ts";
import { StackPlace } from "../../scripts/ground/paths.ts";
import { createPlatformRoles, preparePlatform } from "../../scripts/postgres/platform.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { Running } from "../../scripts/ground/running.ts";
import { makeServerDirectory, serverUser } from "../../scripts/ground/server_user.ts";
import { startStandby } from "../../scripts/scale/standby.ts";
import { passwordOf } from "../../scripts/ground/state.ts";
import { connect, skipFor } from "../support/index.ts";

// A primary and a streaming standby of its own, because the standby is stopped and promoted.
const install = findInstall();
const place = new StackPlace(mkdtempSync(join(tmpdir(), "standby-")));
const running = new Running();
const jwtSecret = randomBytes(32).toString("hex");
const FIRST = "00000001-00000000/00000001";

let database: Database;
let standby: Part;
let standbyPort: number;
let owner: ReturnType<typeof connect>;
let api: ReturnType<typeof createApiApp>;
let adminapi: ReturnType<typeof createAdminApp>;
let product: number;
let [member, other, admin] = ["", "", ""];

interface Reply {
  status: number;
  // deno-lint-ignore no-explicit-any
  body: any;
  position: string | null;
  from: "standby" | "primary";
}

/** Calls an edge function in this process. Its line in the log says who has answered. */
async function call(
  method: string,
  path: string,
  { token, position, json }: { token?: string; position?: string | null; json?: unknown } = {},
): Promise<Reply> {
  const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
  try {
    const headers = {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(typeof position === "string" && { "store-position": position }),
      ...(json !== undefined && { "content-type": "application/json" }),
    };
    const app = path.startsWith("/adminapi/") ? adminapi : api;
    const response = await app.request(path, {
      method,
      headers,
      ...(json !== undefined && { body: JSON.stringify(json) }),
    });
    const text = await response.text();
    const line = lines.mock.calls
      .map(([each]) => JSON.parse(String(each)) as { msg: string; standby?: true })
      .findLast(({ msg }) => msg === "request");
    const body: unknown = response.headers.get("content-type")?.includes("json") ? JSON.parse(text) : text;
    return {
      status: response.status,
      body,
      position: response.headers.get("store-position"),
      from: line?.standby ? "standby" : "primary",
    };
  } finally {
    lines.mockRestore();
  }
}

const placeOrder = (token = member) =>
  call("POST", "/api/order", { token, json: { items: [{ product_id: product, quantity: 1 }] } });
const cancelOrder = (id: number, token = member) => call("PUT", `/api/order/${id}/cancel`, { token });
const orders = (position?: string | null, token = member) =>
  call("GET", "/api/order", { token, ...(position !== undefined && { position }) });
const idsOf = ({ body }: Reply) => (body.list as { id: number }[]).map(({ id }) => id);

/** A standby answers only if its last commit is recent. */
const touch = () => owner`update app.settings set updated_at = clock_timestamp()`;

/** Waits until the standby answers a client that knows everything written so far. */
async function caughtUp(): Promise<string> {
  await touch();
  const [row] = await owner`select app.log_position() as position`;
  const position = row!.position as string;
  await expect.poll(async () => (await touch(), (await orders(position)).from)).toBe("standby");
  return position;
}

const onStandby = (role: "superuser" | "store_api") => {
  const server = { ...database.server, port: standbyPort };
  return connect(
    role === "superuser"
      ? superuserUrl(server, database.name)
      : databaseUrl(server, role, passwordOf(database.state, role), database.name),
  );
};

/** Runs work while the standby receives the log, but does not replay it. */
async function whilePaused(work: () => Promise<void>): Promise<void> {
  const sql = onStandby("superuser");
  await sql`select pg_wal_replay_pause()`;
  await expect
    .poll(async () => (await sql`select pg_get_wal_replay_pause_state() as state`)[0]!.state as string)
    .toBe("paused");
  try {
    await work();
  } finally {
    await sql`select pg_wal_replay_resume()`;
    await sql.end();
  }
}

async function makeStandby(): Promise<void> {
  standby = await startStandby(
    {
      place,
      install: install!,
      primary: database.server,
      data: `${database.state.data_directory}.standby`,
      port: standbyPort,
    },
    running,
  );
}

async function account(role: "authenticated" | "store_admin"): Promise<string> {
  const [id, email] = [randomUUID(), `${randomUUID()}@example.com`];
  await owner`insert into auth.users (email_confirmed_at, id, email) values (now(), ${id}, ${email})`;
  if (role === "store_admin") await owner`select app.add_administrator(${email})`;
  return new SignJWT({ iss: "http://127.0.0.1:9/auth/v1", sub: id, role, aud: "authenticated" })
    .setProtectedHeader({ alg: "HS256" })
    .setExpirationTime("4h")
    .sign(new TextEncoder().encode(jwtSecret));
}

skipFor(describe, install === undefined ? "this machine has no installed Postgres" : undefined)(
  "reads with a standby",
  { concurrent: false },
  () => {
    beforeAll(async () => {
      makeServerDirectory(place.directory, serverUser());
      mkdirSync(place.logs);
      database = await startNewDatabase(place, install!, await freePort(), running);
      await createPlatformRoles(database);
      await preparePlatform(database, database.name, { schedules: true, forTests: false });
      const url = ownerUrl(database, database.name);
      await applyMigrations(url, "Fix the migration.");
      owner = connect(url);
      await owner.unsafe(`alter role store_api password '${passwordOf(database.state, "store_api")}'`);
      [member, other, admin] = [
        await account("authenticated"),
        await account("authenticated"),
        await account("store_admin"),
      ];
      const [row] =
        await owner`insert into app.products (title, price, is_queue_goods) values ('Package', 3600, true) returning id::integer`;
      product = row!.id as number;
      standbyPort = await freePort();
      await makeStandby();
      const at = (port: number) =>
        databaseUrl({ ...database.server, port }, "store_api", passwordOf(database.state, "store_api"), database.name);
      const service = (name: string) =>
        createService(
          name,
          new Map([
            ["STORE_DB_URL", at(database.server.port)],
            ["STORE_DB_READ_URL", at(standbyPort)],
            ["SUPABASE_URL", "http://127.0.0.1:9"],
            ["STORE_JWT_SECRET", jwtSecret],
          ]),
        );
      api = createApiApp(service("api"));
      adminapi = createAdminApp(service("adminapi"));
    });
    afterAll(async () => {
      await owner?.end();
      await running.stop();
      rmSync(place.directory, { recursive: true, force: true });
    });

    it("every route that declares it is answered by the standby", async () => {
      const { id } = (await placeOrder()).body as { id: number };
      const [{ uid }] = (await owner`select uid::integer from app.orders where id = ${id}`) as unknown as [
        { uid: number },
      ];
      const [article] = await owner`
        with category as (insert into app.article_categories (title) values ('For members') returning id)
        insert into app.articles (cid, title, content) select id, 'Read me', '<p>Text</p>' from category returning id::integer`;
      const position = await caughtUp();
      const required: Record<string, string> = {
        month: new Date().toISOString().slice(0, 7),
        kind: "sign_up_burst",
        part: "bill",
        text: "Owner",
        quarter: "2026-Q1",
        from: "2026-01-01T00:00:00Z",
        to: "2026-01-02T00:00:00Z",
      };
      for (const route of [...apiRoutes, ...adminRoutes].filter((each) => each.standby)) {
        const path = route.path
          .replace("{uid}", String(uid))
          .replace("{id}", String(route.path === "/api/article/{id}" ? article!.id : product));
        const query = new URLSearchParams(
          Object.entries(required).filter(
            ([name]) => name in route.request.query.shape && !route.request.query.safeParse({}).success,
          ),
        );
        await touch();
        const reply = await call("GET", `${path}?${query}`, {
          token: route.auth === "admin" ? admin : member,
          position,
        });
        // The store has no bill yet.
        const status = route.path === "/adminapi/bill/{id}" ? 404 : 200;
        expect([path, reply.status, reply.from]).toEqual([path, status, "standby"]);
      }
      await cancelOrder(id);
    });

    describe.each(["standby", "primary"] as const)("when the %s answers", (who) => {
      /** Lets the standby replay what the client knows, or not. */
      const meanwhile = (work: () => Promise<void>) => (who === "primary" ? whilePaused(work) : work());
      const read = async (position: string | null) => {
        if (who === "primary") return orders(position);
        await expect.poll(async () => (await touch(), (await orders(position)).from)).toBe("standby");
        return orders(position);
      };

      // Guarantee faults/standby-own-writes: A member reads their own writes, also where a standby answers lists
      // By: no standby is asked that has not replayed the write, app.read_as_caller
      it("a member reads their own writes", async () => {
        await caughtUp();
        await meanwhile(async () => {
          for (let round = 0; round < 15; round += 1) {
            const placed = await placeOrder();
            expect([placed.status, placed.position]).toEqual([
              201,
              expect.stringMatching(/^00000001-[0-9A-F]{8}\/[0-9A-F]{8}$/),
            ]);
            const list = await read(placed.position);
            expect([list.from, idsOf(list).includes(placed.body.id as number)]).toEqual([who, true]);
            const cancelled = await cancelOrder(placed.body.id as number);
            expect(cancelled.position! > placed.position!).toBe(true);
            const after = await read(cancelled.position);
            const states = (after.body.list as { id: number; state: string }[])
              .filter(({ id }) => id === placed.body.id)
              .map(({ state }) => state);
            expect([after.from, states]).toEqual([who, ["cancelled"]]);
          }
        });
        await caughtUp();
      });
    });

    // Guarantee faults/standby-own-writes
    it("a standby that is behind answers only those who have not seen more", async () => {
      const known = await caughtUp();
      await whilePaused(async () => {
        const placed = await placeOrder();
        expect(await orders(placed.position)).toMatchObject({ status: 200, from: "primary" });
        expect(idsOf(await orders(placed.position))).toContain(placed.body.id);
        // A moment old.
        for (const position of [undefined, known]) {
          const stale = await orders(position);
          expect([stale.from, idsOf(stale).includes(placed.body.id as number)]).toEqual(["standby", false]);
        }
        await cancelOrder(placed.body.id as number);
      });
      await caughtUp();
    });

    it("what is missing on a standby that is behind is looked up on the primary", async () => {
      await caughtUp();
      await whilePaused(async () => {
        const [row] =
          await owner`insert into app.products (title, price, is_queue_goods) values ('New', 1, false) returning id::integer`;
        expect(await call("GET", `/api/product/${row!.id as number}`)).toMatchObject({
          status: 200,
          body: { title: "New" },
          from: "primary",
        });
      });
      expect(await call("GET", "/api/product/999999999")).toMatchObject({ status: 404, from: "primary" });
    });

    // Guarantee faults/standby-age
    it("a standby without recent commits is not asked", async () => {
      await caughtUp();
      const sql = onStandby("superuser");
      const [age] =
        await sql`select app.has_replayed(null, '1 hour') as an_hour, app.has_replayed(null, '0 seconds') as nothing, app.has_replayed(null, null) as unknown`;
      await sql.end();
      expect(age).toEqual({ an_hour: true, nothing: false, unknown: false });
    });

    // Guarantee faults/standby-age: An answer of a standby is at most ten seconds old
    // By: the time of the last commit that it has replayed, app.has_replayed
    it("an answer of a standby that receives commits late is at most ten seconds old", async () => {
      await caughtUp();
      await whilePaused(async () => {
        const pausedAt = performance.now();
        /** How long ago replay stopped when each request was sent that the standby has answered. */
        const ages: number[] = [];
        for (let from = "standby"; from === "standby";) {
          await touch();
          const age = performance.now() - pausedAt;
          ({ from } = await orders());
          if (from === "standby") ages.push(age);
          if (age > 20_000) break;
        }
        expect(Math.max(...ages)).toBeGreaterThan(5_000);
        expect(Math.max(...ages)).toBeLessThanOrEqual(10_000);
      });
      await caughtUp();
    });

    it.each([
      ["of the future", LAST_POSITION],
      ["of a later timeline", "00000002-00000000/00000001"],
      ["that is empty", ""],
      ["in another format", "00000001-0/1"],
      ["with more text", `${FIRST} or true`],
      ["that is SQL", "' or 1 = 1 --"],
      ["that is too long", "F".repeat(4000)],
      ["in another alphabet", "é"],
    ])("the primary answers a client that sends a position %s", async (_, position) => {
      await caughtUp();
      expect(await orders(position)).toMatchObject({ status: 200, from: "primary" });
    });

    it("a position of the past is no secret and no harm", async () => {
      await caughtUp();
      expect(await orders(FIRST)).toMatchObject({ status: 200, from: "standby" });
    });

    // Guarantee access/standby: A standby shows nothing that the primary would not
    // By: the same functions, roles and policies, app.read_as_caller
    it("the standby shows nothing that the primary would not", async () => {
      const { id } = (await placeOrder()).body as { id: number };
      const position = await caughtUp();
      expect(idsOf(await orders(position))).toContain(id);
      expect(idsOf(await orders(position, other))).toEqual([]);
      expect(await call("GET", "/api/order", { position })).toMatchObject({ status: 401 });
      expect(await call("GET", "/adminapi/order", { token: member, position })).toMatchObject({ status: 403 });
      const sql = onStandby("store_api");
      const read = (claims: object, name: string, args = {}) =>
        sql`
      select app.read_as_caller(${JSON.stringify(claims)}::text::jsonb, ${name}, ${JSON.stringify(args)}::text::jsonb, null, null, '1 hour')`.then(
          () => "answered",
          (error: Error) => error.message,
        );
      expect(await sql`select from app.orders`.catch((error: Error) => error.message)).toContain("permission denied");
      for (const role of ["service_role", "postgres", "supabase_admin"])
        expect(await read({ role }, "get_orders")).toBe("forbidden");
      expect(await read({ role: "anon" }, "admin_get_orders")).toContain("permission denied");
      expect(await read({ role: "store_admin", sub: randomUUID() }, "admin_get_orders")).toBe("forbidden");
      // Not even what the owner of the order could write on the primary.
      expect(
        await read({ role: "authenticated", sub: decodeJwt(member).sub }, "cancel_order", { p_order_id: id }),
      ).toContain("read-only transaction");
      expect(await read({ role: "authenticated", sub: randomUUID() }, "get_order", { p_id: id })).toBe(
        "unauthenticated",
      );
      await sql.end();
      await cancelOrder(id);
    });

    it("a response of a write has a position, and one that refuses it has none", async () => {
      expect(await placeOrder()).toMatchObject({ status: 201, position: expect.any(String) });
      expect(await call("POST", "/api/order", { token: member, json: { items: [] } })).toMatchObject({
        status: 422,
        position: null,
      });
      expect(await orders()).toMatchObject({ position: null });
    });

    it("a server that keeps its control file from the store has its events, and a standby that answers nobody who knows a position", async () => {
      const position = await caughtUp();
      const [superuser, reader] = [connect(superuserUrl(database.server, database.name)), onStandby("store_api")];
      const controlFile = "pg_control_system(), pg_control_checkpoint(), pg_control_recovery()";
      const replayed = async () => (
        await touch(),
        (await reader`select app.has_replayed(${position}, '1 hour') as it`)[0]!.it as boolean
      );
      const feed = async () => {
        const { body } = await call("GET", "/adminapi/events?limit=1000", { token: admin });
        return (body.list as { type: string; subject_id: number }[]).map(
          ({ type, subject_id }) => `${type} ${subject_id}`,
        );
      };
      expect(await replayed()).toBe(true);
      await superuser.unsafe(`revoke execute on function ${controlFile} from public`);
      await expect.poll(replayed).toBe(false);
      const told: string[] = [];
      const tell = async () => {
        const { id } = (await placeOrder()).body as { id: number };
        expect(await cancelOrder(id)).toMatchObject({ status: 200 });
        told.push(`order.cancelled ${id}`);
      };
      await tell();
      await expect.poll(feed).toEqual(expect.arrayContaining(told));
      await superuser.unsafe(`grant execute on function ${controlFile} to public`);
      await tell();
      await expect.poll(async () => (await feed()).slice(-2)).toEqual(told);
      await expect.poll(replayed).toBe(true);
      await Promise.all([superuser.end(), reader.end()]);
    });

    // Guarantee faults/standby-gone: A standby that is gone or was promoted costs no request
    // By: the primary answers, functions/_shared/database/standby.ts
    it("a standby that is gone costs no request, and is asked again when it is back", async () => {
      await caughtUp();
      const warnings = vi.spyOn(console, "error").mockImplementation(() => undefined);
      await standby.endProcess();
      for (let round = 0; round < 5; round += 1) expect(await orders()).toMatchObject({ status: 200, from: "primary" });
      expect(warnings.mock.calls.filter(([line]) => String(line).includes("the standby does not answer"))).toHaveLength(
        1,
      );
      warnings.mockRestore();
      await standby.restart();
      await caughtUp();
    });

    // Guarantee faults/standby-gone
    it("a standby that was promoted is not asked, until it is made again", async () => {
      await caughtUp();
      const sql = onStandby("superuser");
      await sql`select pg_promote()`;
      await sql`insert into app.products (title, price, is_queue_goods) values ('On another timeline', 1, false)`;
      await sql.end();
      await touch();
      const list = await call("GET", "/api/product");
      expect([list.from, JSON.stringify(list.body).includes("On another timeline")]).toEqual(["primary", false]);
      const placed = await placeOrder();
      expect(idsOf(await orders(placed.position))).toContain(placed.body.id);
      await standby.stop();
      await makeStandby();
      await caughtUp();
      expect(idsOf(await orders(placed.position))).toContain(placed.body.id);
    });
  },
);

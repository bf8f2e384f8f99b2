import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createApiApp } from "../../functions/api/app.ts";
import { createService } from "../../functions/_shared/routes/service.ts";
import { problemFromDatabase } from "../../functions/_shared/database/database_problem.ts";
import { LAST_POSITION } from "../../functions/_shared/database/standby.ts";
import { testContext } from "../../scripts/testing/context.ts";
import { HMAC_PAYMENTS } from "../support/hmac_payments.ts";
import { cloneDatabase, connect } from "../support/index.ts";
import { openUntypedDatabase } from "../../scripts/testing/untyped_database.ts";

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe("without a database", () => {
  it("the service responds that it is not available, with Retry-After", async () => {
    const app = createApiApp(
      createService(
        "api",
        new Map([
          ["STORE_DB_URL", `postgres://store_api:x@127.0.0.1:${await closedPort()}/postgres`],
          ["SUPABASE_URL", "http://127.0.0.1:9"],
        ]),
      ),
    );
    const response = await app.request("/api/health");
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("5");
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ code: "database_unavailable" });
    expect(text).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|store_api/);
  });

  // What Postgres says while it lets somebody in: fields with a NUL after each.
  const fatal = (code: string) =>
    ["SFATAL", "VFATAL", `C${code}`, "Mcould not write init file", ""].map((field) => `${field}\0`).join("");
  // Guarantee faults/connection-refused: A failure to connect to the database is answered as such, and never as an
  // internal error
  // By: whatever the server reports as fatal and whatever the system reports,
  // functions/_shared/database/database_problem.ts
  it.each([
    ["a disk that is full", fatal("XX000")],
    ["a disk that fails", fatal("58030")],
    ["a configuration that is damaged", fatal("F0000")],
    ["a new version of the protocol", fatal("0A000")],
  ])(
    "the service responds that it is not available if a server refuses the connection: %s",
    async (_reason, message) => {
      const server = createServer((socket) =>
        socket.once("data", () => {
          const length = Buffer.alloc(4);
          length.writeInt32BE(4 + Buffer.byteLength(message));
          socket.end(Buffer.concat([Buffer.from("E"), length, Buffer.from(message)]));
        }),
      );
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      const app = createApiApp(
        createService(
          "api",
          new Map([
            ["STORE_DB_URL", `postgres://store_api:x@127.0.0.1:${port}/postgres?sslmode=disable`],
            ["SUPABASE_URL", "http://127.0.0.1:9"],
          ]),
        ),
      );
      for (const path of ["/api/health", "/api/product"]) {
        const response = await app.request(path);
        expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
        const text = await response.text();
        expect(JSON.parse(text)).toMatchObject({ code: "database_unavailable" });
        expect(text).not.toMatch(/init file/);
      }
      server.close();
    },
  );

  it.each([
    "ENETUNREACH",
    "EADDRNOTAVAIL",
    "EMFILE",
    "EAI_AGAIN",
    "ECONNREFUSED",
    "ECONNRESET",
    "EHOSTUNREACH",
    "ENOTFOUND",
    "EPIPE",
    "ETIMEDOUT",
  ])("the service responds that it is not available if the system reports %s", (code) =>
    expect(problemFromDatabase(Object.assign(new Error(code), { code })).code).toBe("database_unavailable"),
  );

  it("what is misused in the program itself is an internal error", () => {
    for (const code of ["ERR_INVALID_ARG_TYPE", "UNDEFINED_VALUE"])
      expect(problemFromDatabase(Object.assign(new Error(code), { code })).code).toBe("internal_error");
  });

  it("a position that cannot be read is the last of all, which no standby has", async () => {
    const address = `postgres://store_api:x@127.0.0.1:${await closedPort()}/postgres`;
    const { database } = createService(
      "api",
      new Map([
        ["STORE_DB_URL", address],
        ["STORE_DB_READ_URL", address],
        ["SUPABASE_URL", "http://127.0.0.1:9"],
      ]),
    );
    expect(await database.position()).toBe(LAST_POSITION);
  });

  it("the service does not start without its settings, and names the missing one", () => {
    expect(() => createService("api", new Map())).toThrow(/^Set STORE_DB_URL to /);
    expect(() => createService("api", new Map([["STORE_DB_POOL", "many"]]))).toThrow("STORE_DB_POOL");
    for (const address of ["standby:5432", "https://standby/postgres", "postgres://store_api:a/b#c@standby/postgres"]) {
      expect(() =>
        createService(
          "api",
          new Map([
            ["STORE_DB_URL", "postgres://primary/postgres"],
            ["STORE_DB_READ_URL", address],
          ]),
        ),
      ).toThrow("STORE_DB_READ_URL");
    }
  });
});

describe("a database in trouble", () => {
  let clone: Awaited<ReturnType<typeof cloneDatabase>>;
  let owner: ReturnType<typeof connect>;

  beforeAll(async () => {
    clone = await cloneDatabase();
    owner = connect(clone.url);
    await owner.unsafe(`
      create sequence api.attempts;
      create function api.lose_race(p_times integer) returns jsonb language plpgsql as $$
      begin
        if nextval('api.attempts') <= p_times then
          raise exception 'lost' using errcode = '40001';
        end if;
        return jsonb_build_object('attempts', currval('api.attempts'));
      end $$;
      create function api.raise_state(p_state text) returns jsonb language plpgsql as $$
      begin
        raise exception 'secret internals' using errcode = p_state, detail = 'more secrets';
      end $$;
      create function api.dawdle() returns jsonb language sql as $$ select to_jsonb(pg_sleep(10)::text) $$;
      create table app.contended as select 1 as id;
      grant select, update on app.contended to anon;
      create function api.contend() returns jsonb language sql as $$ select to_jsonb(c) from app.contended as c for update $$;
      create function api.exact() returns jsonb language sql as $$
        select '{"points": 12345678901234.1234, "nothing": null}'::jsonb
      $$;
      create function api.nothing() returns jsonb language sql as $$ select null::jsonb $$;
      create function api.echo(p_value jsonb, p_text text default 'default') returns jsonb language sql as $$
        select jsonb_build_object('value', p_value, 'text', p_text, 'user', current_user, 'sub', auth.uid())
      $$;
      grant execute on function api.lose_race(integer), api.raise_state(text), api.exact(), api.nothing(), api.dawdle(), api.contend(), api.echo(jsonb, text)
        to anon, authenticated, service_role;
      grant usage on sequence api.attempts to anon;
    `);
  });

  afterAll(async () => {
    await owner.end();
    await clone.drop();
  });

  const open = (prepare = false, pool = 2) =>
    openUntypedDatabase({ url: clone.url, pool, prepare, applicationName: "test" });

  it("retries a statement after a serialization failure, at most three times", async () => {
    const database = open();
    await owner`alter sequence api.attempts restart`;
    expect(JSON.parse(await database.callAsCaller({}, "lose_race", { p_times: 3 }))).toEqual({ attempts: 4 });
    await owner`alter sequence api.attempts restart`;
    await expect(database.callAsCaller({}, "lose_race", { p_times: 4 })).rejects.toMatchObject({
      code: "database_busy",
    });
  });

  // Guarantee operation/migrations-requests: Requests are served while migrations change their tables
  // By: the statement is repeated, functions/_shared/database/database_problem.ts
  it("repeats a statement during which a migration added a column to a row that a function returns", async () => {
    await owner.unsafe(`
      create function app.find_contended() returns app.contended language plpgsql as $$
      declare v_row app.contended;
      begin
        select c.* into v_row from app.contended as c;
        return v_row;
      end $$;
      create function api.find_contended() returns jsonb language plpgsql as $$
      begin
        return (select to_jsonb(c) from app.find_contended() as c);
      end $$;
      grant execute on function app.find_contended(), api.find_contended() to anon;
    `);
    const database = openUntypedDatabase({ url: clone.url, pool: 1, prepare: false, applicationName: "test" });
    const find = () => database.callAsCaller({}, "find_contended", {}).then(JSON.parse);
    // From then on, the session knows the columns.
    expect(await find()).toEqual({ id: 1 });
    let during: Promise<unknown> | undefined;
    await owner.begin(async (transaction) => {
      await transaction`alter table app.contended add column later text`;
      during = find();
      await expect
        .poll(async () => {
          await transaction`select pg_stat_clear_snapshot()`;
          return transaction`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        })
        .toHaveLength(1);
    });
    expect(await during).toEqual({ id: 1, later: null });
    await owner`alter table app.contended drop column later`;
  });

  it.each([
    ["40P01", "database_busy"],
    ["40000", "database_busy"],
    ["40003", "database_unavailable"],
    ["53100", "storage_full"],
    ["53200", "database_busy"],
    ["25006", "storage_full"],
    ["57P01", "database_unavailable"],
    ["55P03", "database_busy"],
    ["53300", "database_busy"],
    ["57014", "database_timeout"],
    ["57P03", "database_unavailable"],
    ["42501", "forbidden"],
    ["22P02", "invalid_argument"],
    ["23505", "internal_error"],
    ["XX000", "internal_error"],
    ["PT404", "internal_error"],
  ])("turns SQLSTATE %s into %s and tells nothing of its own text", async (state, code) => {
    const problem = await open()
      .callAsCaller({}, "raise_state", { p_state: state })
      .then(
        () => undefined,
        (error) => error,
      );
    expect(problem).toMatchObject({ code });
    expect(problem.detail).toBeUndefined();
  });

  const impatient = (setting: string) =>
    openUntypedDatabase({ url: `${clone.url}?${setting}=100`, pool: 1, prepare: false, applicationName: "test" });

  it("returns database_timeout if a statement takes too long", async () => {
    await expect(impatient("statement_timeout").callAsCaller({}, "dawdle", {})).rejects.toMatchObject({
      code: "database_timeout",
    });
  });

  it("returns database_busy if another transaction holds the row", async () => {
    await owner.begin(async (transaction) => {
      await transaction`select from app.contended for update`;
      await expect(impatient("lock_timeout").callAsCaller({}, "contend", {})).rejects.toMatchObject({
        code: "database_busy",
      });
    });
  });

  it("gets a longer Retry-After when it is read-only than when it is busy", async () => {
    // Hosted Supabase switches a database to read-only before its disk is full.
    const app = createApiApp(
      createService(
        "api",
        new Map([
          ["STORE_DB_URL", `${clone.url}?default_transaction_read_only=on`],
          ["SUPABASE_URL", "http://127.0.0.1:9"],
          ...Object.entries(HMAC_PAYMENTS),
        ]),
      ),
    );
    const response = await app.request("/api/pay/notify/hmac", { method: "POST", body: "{}" });
    expect([response.status, response.headers.get("retry-after"), await response.json()]).toEqual([
      503,
      "120",
      { code: "FAIL", message: "storage_full" },
    ]);
    expect((await app.request("/api/product")).status).toBe(200);
  });

  // Guarantee faults/connection-again: The functions connect again when the database is back
  // By: functions/_shared/database/connections.ts
  it("is reconnected to when it is available again", async () => {
    const database = open();
    await database.callAsCaller({}, "exact", {});
    await owner`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'test' and datname = current_database()`;
    await vi.waitFor(() => database.callAsCaller({}, "exact", {}));
  });

  it("returns results exactly as the database wrote them", async () => {
    expect(await open().callAsCaller({}, "exact", {})).toBe('{"points": 12345678901234.1234, "nothing": null}');
    expect(await open().callAsCaller({}, "nothing", {})).toBe("null");
  });

  it.each(["canary-beside-nul \0", "canary-beside-half-a-pair \ud800", "canary-beside-a-backslash \\\udfff"])(
    "rejects a text that Postgres cannot store without logging it: %j",
    async (text) => {
      await expect(open().callAsCaller({}, "echo", { p_value: { text } })).rejects.toMatchObject({
        code: "invalid_argument",
      });
      await expect(open().callAsService("echo", { p_value: { [text]: 1 } })).rejects.toMatchObject({
        code: "invalid_argument",
      });
      const { postgresLog } = testContext();
      if (postgresLog) expect(readFileSync(postgresLog, "utf8")).not.toContain("canary-beside");
    },
  );

  it("passes on a text that only looks like it", async () => {
    expect(JSON.parse(await open().callAsCaller({}, "echo", { p_value: ["\\ud800 \\u0000 😀"] }))).toMatchObject({
      value: ["\\ud800 \\u0000 😀"],
    });
  });

  it.each([false, true])("passes arguments unchanged (prepared: %s)", async (prepare) => {
    const value = [{ a: 'it\'s \\ "quoted" $1 %L 中文' }, 1.5, null, true];
    const claims = { sub: "5f1f8a4e-6f0b-4c68-9c6c-0d6c5b7a9e11", role: "authenticated" };
    const database = open(prepare);
    for (let round = 0; round < 2; round += 1) {
      expect(JSON.parse(await database.callAsCaller(claims, "echo", { p_value: value, p_text: undefined }))).toEqual({
        value,
        text: "default",
        user: "authenticated",
        sub: claims.sub,
      });
    }
    expect(JSON.parse(await database.callAsService("echo", { p_value: 1 }))).toMatchObject({
      user: "service_role",
      sub: null,
    });
  });

  it.each([false, true])(
    "runs a call on a free connection while another call waits (prepared: %s)",
    async (prepare) => {
      // Visitors leave one connection to members.
      const database = open(prepare, 3);
      const exact = () => database.callAsCaller({}, "exact", {});
      // Both connections of visitors have prepared the statement now.
      await Promise.all([exact(), exact(), exact(), exact()]);
      let waiting: Promise<string> | undefined;
      await owner.begin(async (transaction) => {
        await transaction`select from app.contended for update`;
        waiting = database.callAsCaller({}, "contend", {});
        await Promise.all(Array.from({ length: 20 }, exact));
      });
      expect(JSON.parse(await waiting!)).toEqual({ id: 1 });
    },
  );

  it("never leaks the caller into the next call", async () => {
    const database = openUntypedDatabase({ url: clone.url, pool: 1, prepare: false, applicationName: "test" });
    const claims = { sub: "5f1f8a4e-6f0b-4c68-9c6c-0d6c5b7a9e11", role: "authenticated" };
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const signedIn = index % 2 === 0;
        const echo = JSON.parse(await database.callAsCaller(signedIn ? claims : {}, "echo", { p_value: index }));
        expect(echo).toMatchObject({
          value: index,
          user: signedIn ? "authenticated" : "anon",
          sub: signedIn ? claims.sub : null,
        });
      }),
    );
  });

  it("rejects every role that is not allowed in a token", async () => {
    for (const role of ["service_role", "postgres", "supabase_admin", "store_api"]) {
      await expect(open().callAsCaller({ role }, "exact", {})).rejects.toMatchObject({ code: "forbidden" });
    }
  });
});

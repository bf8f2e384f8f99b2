import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createApiApp } from "../../functions/api/app.ts";
import { createSchemaGuard, isServed } from "../../functions/_shared/database/schema.ts";
import { createService } from "../../functions/_shared/routes/service.ts";
import { SERVED } from "../../functions/_shared/ground/version.ts";
import { type ClonedDatabase, cloneDatabase, connect } from "../support/index.ts";
import { addressForFunctions } from "../../scripts/testing/stack.ts";

it.each([
  [SERVED.from, true],
  [SERVED.from.replace(/\d+$/, "12"), true],
  ["0.9.0", false],
  ["0.10.0", false],
  [SERVED.before, false],
])("a schema of version %s is served: %s", (version, served) => expect(isServed(version)).toBe(served));

describe("an edge function", () => {
  let clone: ClonedDatabase;
  let owner: ReturnType<typeof connect>;
  let app: ReturnType<typeof createApiApp>;
  const get = async (path: string, language = "en") => {
    const response = await app.request(path, { headers: { "accept-language": language } });
    return {
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: (await response.json()) as object,
    };
  };
  const refused = {
    status: 503,
    retryAfter: "30",
    body: { code: "schema_not_served", title: "The store is being updated" },
  };

  beforeAll(async () => {
    clone = await cloneDatabase();
    owner = connect(clone.url);
  });
  afterAll(async () => {
    await owner.end();
    await clone.drop();
  });
  beforeEach(async () => {
    await owner`delete from app.schema_versions where version <> ${SERVED.from}`;
    app = createApiApp(
      createService(
        "api",
        new Map([
          ["STORE_DB_URL", addressForFunctions(clone.url)],
          ["SUPABASE_URL", "http://127.0.0.1:9"],
        ]),
      ),
    );
  });

  it("says the version of the schema, and that it serves it", async () => {
    expect(await get("/api/health")).toMatchObject({
      status: 200,
      body: { schema_version: SERVED.from, schema: "served" },
    });
    expect(await get("/api/product")).toMatchObject({ status: 200 });
  });

  // Guarantee operation/schema-version: Functions refuse a schema that they do not serve, and the health says so
  // By: functions/_shared/database/schema.ts
  it("refuses a schema that it does not serve, in both languages, and its health says so", async () => {
    await owner`insert into app.schema_versions (version) values (${SERVED.before})`;
    expect(await get("/api/product")).toMatchObject(refused);
    expect(await get("/api/product", "zh")).toMatchObject({ body: { title: "商城正在升级" } });
    expect(await get("/api/health")).toMatchObject({
      status: 200,
      body: { status: "degraded", schema_version: SERVED.before, schema: "not_served" },
    });
  });

  it("serves again some seconds after an update", async () => {
    await owner`insert into app.schema_versions (version) values (${SERVED.before})`;
    expect(await get("/api/product")).toMatchObject(refused);
    await owner`delete from app.schema_versions where version = ${SERVED.before}`;
    await vi.waitFor(async () => expect(await get("/api/product")).toMatchObject({ status: 200 }), { interval: 200 });
  });

  it("refuses when a call fails because the schema has become another", async () => {
    expect(await get("/api/product")).toMatchObject({ status: 200 });
    await owner.unsafe("alter schema entry rename to other");
    try {
      // What fails in a schema that is served is a bug.
      expect(await get("/api/product")).toMatchObject({ status: 500 });
      await owner`insert into app.schema_versions (version) values (${SERVED.before})`;
      const log = vi.spyOn(console, "error");
      expect(await get("/api/product")).toMatchObject(refused);
      expect(log.mock.calls.join("\n")).toContain('"code":"schema_not_served","sqlstate":"3F000"');
    } finally {
      await owner.unsafe("alter schema other rename to entry");
    }
  });

  it("takes a database that does not say its version for one of 0.9.0", async () => {
    await owner.unsafe("alter function app.schema_version() rename to other_version");
    try {
      expect(await get("/api/product")).toMatchObject(refused);
      expect(await get("/api/product", "zh")).toMatchObject({ status: 503 });
    } finally {
      await owner.unsafe("alter function app.other_version() rename to schema_version");
    }
  });
});

describe("the schema is asked for", () => {
  it("once for many requests, and again beside them after half a minute", async () => {
    vi.useFakeTimers();
    try {
      const ask = vi.fn(() => Promise.resolve(SERVED.from));
      const guard = createSchemaGuard(ask);
      await Promise.all(Array.from({ length: 20 }, async () => guard.admit()));
      expect(ask).toHaveBeenCalledTimes(1);
      expect(guard.admit()).toBeUndefined();
      vi.advanceTimersByTime(31_000);
      expect([guard.admit(), guard.admit()]).toEqual([undefined, undefined]);
      expect(ask).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it("again by the next request if the database did not answer", async () => {
    const ask = vi
      .fn<() => Promise<string>>()
      .mockRejectedValueOnce(new Error("no answer"))
      .mockResolvedValue(SERVED.from);
    const guard = createSchemaGuard(ask);
    await expect(guard.admit()).rejects.toThrow("no answer");
    await guard.admit();
    expect(ask).toHaveBeenCalledTimes(2);
  });
});

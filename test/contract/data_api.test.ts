import { readFileSync } from "node:fs";
import { join } from "node:path";
import { App } from "@supabase/lite";
import { createPostgresConnection } from "@supabase/lite/postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type ClonedDatabase, cloneDatabase, connect, stack } from "../support/index.ts";

const clones: Record<"platform" | "migrated", ClonedDatabase> = {} as never;
beforeAll(async () => {
  for (const template of ["platform", "migrated"] as const) clones[template] = await cloneDatabase(template);
});
afterAll(async () => {
  for (const clone of Object.values(clones)) await clone.drop();
});

/** The schemas that supabase/config.toml exposes. */
function exposedSchemas(): string[] {
  const config = readFileSync(join(projectRoot, "supabase/config.toml"), "utf8");
  return JSON.parse(/^schemas = (\[.*\])$/m.exec(config)![1]!) as string[];
}

/** The tables, functions and types in these schemas, and the tables in publications. */
async function objects(url: string, schemas: string[]): Promise<string[]> {
  const sql = connect(url);
  const rows = await sql`
    select 'relation ' || c.oid::regclass as name from pg_class as c where c.relnamespace::regnamespace::text = any (${schemas})
    union all select 'function ' || p.oid::regprocedure from pg_proc as p where p.pronamespace::regnamespace::text = any (${schemas})
    union all select 'type ' || t.oid::regtype from pg_type as t where t.typnamespace::regnamespace::text = any (${schemas})
    union all select format('published %s.%s', p.schemaname, p.tablename) from pg_publication_tables as p
    order by name`;
  await sql.end();
  return rows.map(({ name }) => name as string);
}

describe("the Data API", () => {
  // Guarantee access/data-api: The Data API shows nothing of the store
  // By: its two schemas, supabase/config.toml, have nothing of the store
  it("has no schema of the store in its settings", () => {
    expect(exposedSchemas()).toEqual(["public", "graphql_public"]);
  });

  // Guarantee access/data-api
  it("has the same objects before and after the migrations", async () => {
    const [before, after] = [
      await objects(clones.platform.url, exposedSchemas()),
      await objects(clones.migrated.url, exposedSchemas()),
    ];
    expect(after).toEqual(before);
    // The query finds what it should.
    expect((await objects(clones.migrated.url, ["api"])).length).toBeGreaterThan(100);
  });

  // Guarantee access/data-api
  it("finds no table and no function of the store, also if a request names its schema", async () => {
    const sql = connect(clones.migrated.url);
    await sql.unsafe("create table public.chosen as select 1 as id; grant select on public.chosen to anon");
    const { publishable_key, secret_key, jwt_secret } = stack();
    const app = new App({
      connection: createPostgresConnection({
        url: clones.migrated.url,
        postgresOptions: { max: 2, onnotice: () => undefined },
      }),
      api: { schemas: exposedSchemas() },
      auth: { enabled: true, jwt_secret, publishable_key, secret_key, site_url: "http://127.0.0.1" },
      db: { migrations: { enabled: false } },
    });
    await app.init();
    const status = async (method: string, path: string, schema?: string) => {
      const headers = {
        apikey: publishable_key,
        "content-type": "application/json",
        ...(schema && { "accept-profile": schema, "content-profile": schema }),
      };
      return (
        await app.fetch(
          new Request(`http://127.0.0.1/rest/v1/${path}`, {
            method,
            headers,
            ...(method === "POST" && { body: "{}" }),
          }),
        )
      ).status;
    };
    expect(await status("GET", "chosen")).toBe(200);
    expect(await status("GET", "chosen", "public")).toBe(200);
    // Without a schema, and in that of the store, which is not an exposed one.
    for (const table of ["settings", "products", "orders", "users"])
      expect([table, await status("GET", table), await status("GET", table, "app")]).toEqual([table, 404, 406]);
    for (const name of ["get_health", "get_articles", "pay_order"])
      expect([name, await status("POST", `rpc/${name}`), await status("POST", `rpc/${name}`, "api")]).toEqual([
        name,
        404,
        406,
      ]);
    await app.connection.close();
    await sql.end();
  });
});

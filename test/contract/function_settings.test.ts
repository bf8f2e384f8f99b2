import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { VARIABLES } from "../../functions/_shared/database/report_settings.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { type ClonedDatabase, cloneDatabase, connect, serveEdgeFunction } from "../support/index.ts";
import { routine } from "../../scripts/structure/sql_source.ts";

describe("the variables of the edge functions", () => {
  it("that are reported are those that the configuration check knows, and are documented", () => {
    const sql = ["app.verify_function_settings", "app.verify_real_names"].map((name) => routine(name).statement).join();
    const readme = readFileSync(join(projectRoot, "functions/README.md"), "utf8");
    expect([...new Set(sql.match(/\bSTORE_\w+/g))].sort()).toEqual([...VARIABLES].sort());
    for (const name of VARIABLES) expect(readme).toContain(`\`${name}\``);
  });
});

describe("an edge function that starts", () => {
  let clone: ClonedDatabase;
  let sql: ReturnType<typeof connect>;
  beforeAll(async () => {
    clone = await cloneDatabase();
    sql = connect(clone.url);
  });
  afterAll(async () => {
    await sql.end();
    await clone.drop();
  });

  it("reports its settings to the configuration check, without their values", async () => {
    const settings = {
      SUPABASE_URL: "https://project.supabase.co",
      STORE_WECHAT_MINI_APPID: "wx00000000000000aa",
      STORE_WECHAT_MINI_SECRET: "not to be reported",
    };
    const api = await serveEdgeFunction("api", clone.url, settings);
    const findings = async () =>
      (await sql`select subject from app.verify_function_settings() where severity = 'ok'`).map(
        ({ subject }) => subject as string,
      );
    await expect.poll(findings).toEqual(["edge functions", "WeChat mini program"]);
    const [reported] = await sql`select * from app.function_settings`;
    for (const value of [settings.STORE_WECHAT_MINI_APPID, settings.STORE_WECHAT_MINI_SECRET])
      expect(JSON.stringify(reported)).not.toContain(value);
    await api.stop();
  });

  it("does not start with half of the settings of a feature, and the configuration check says which are missing", async () => {
    await expect(serveEdgeFunction("api", clone.url, { STORE_WECHAT_H5_APPID: "wx00000000000000bb" })).rejects.toThrow(
      "STORE_WECHAT_H5_SECRET",
    );
    expect(await sql`select subject, message from app.verify_function_settings() where severity = 'error'`).toEqual([
      { subject: "WeChat on web pages", message: "not set: STORE_WECHAT_H5_SECRET" },
    ]);
  });
});

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { type CommandPlace, newCommandPlace } from "../../scripts/testing/command.ts";
import { connect } from "../support/index.ts";

// Docker is not everywhere, so a stack of this project is described as that of the Supabase CLI.
let under: CommandPlace;
let beside: CommandPlace;
/** What the CLI would say of it. */
let status: Record<string, string>;
beforeAll(async () => {
  under = await newCommandPlace();
  beside = await newCommandPlace();
  expect((await under.run("start", "--no-demo", "--detach")).code).toBe(0);
  const { supabase_url, database_url, publishable_key, secret_key, jwt_secret } = readStackFile(under.place)!;
  status = {
    API_URL: supabase_url,
    DB_URL: database_url,
    PUBLISHABLE_KEY: publishable_key,
    SECRET_KEY: secret_key,
    JWT_SECRET: jwt_secret,
  };
});
afterAll(async () => {
  for (const place of [beside, under]) {
    await place.run("stop");
    await place.remove();
  }
});

/** Writes what the Supabase CLI says of its stack, as `-o json` or `-o env`. */
function writeStatus(values: Record<string, string>, form: "json" | "env" = "json"): string {
  const file = join(under.place.directory, `status.${form}`);
  const lines = Object.entries(values).map(([name, value]) => `${name}="${value}"\n`);
  writeFileSync(file, form === "json" ? JSON.stringify(values) : lines.join(""));
  return file;
}

describe("npm start -- --supabase", () => {
  it.each([
    [
      "lacks something",
      { API_URL: "http://127.0.0.1:1", JWT_SECRET: "secret" },
      "lacks DB_URL, PUBLISHABLE_KEY, SECRET_KEY.",
    ],
    [
      "is that of another machine",
      {
        API_URL: "https://x.example.com",
        DB_URL: "postgresql://postgres:p@127.0.0.1:1/postgres",
        ANON_KEY: "a",
        SERVICE_ROLE_KEY: "s",
        JWT_SECRET: "j",
      },
      "https://x.example.com is not on this machine.",
    ],
    [
      "is that of a stack that has stopped",
      {
        API_URL: "http://127.0.0.1:1",
        DB_URL: "postgresql://postgres:p@127.0.0.1:1/postgres",
        ANON_KEY: "a",
        SERVICE_ROLE_KEY: "s",
        JWT_SECRET: "j",
      },
      "The database of the Supabase CLI, 127.0.0.1:1, cannot be used",
    ],
  ])("says so if a status %s", async (_what, values, message) => {
    const { code, output } = await beside.run("start", "--supabase", writeStatus(values));
    expect(output).toContain(message);
    expect(code).toBe(1);
  });

  it("asks the CLI for its native stack, too, and says that none runs", async () => {
    Object.assign(beside.environment, { SUPABASE_EXPERIMENTAL_STACK: "1" });
    const { code, output } = await beside.run("start", "--supabase");
    delete beside.environment.SUPABASE_EXPERIMENTAL_STACK;
    expect(output).toContain("The Supabase CLI knows of no running stack:\nNo managed stack exists");
    expect(code).toBe(1);
  });

  it("serves functions and sites beside the database, Auth and Storage of another stack", async () => {
    const started = await beside.run("start", "--supabase", writeStatus(status), "--detach");
    expect(started.code, started.output).toBe(0);

    const { supabase_url: gateway, functions_url, console_url, publishable_key, users } = readStackFile(beside.place)!;
    expect(gateway).not.toBe(status.API_URL);
    const { email, password } = users.find(({ uid }) => uid !== null)!;
    const session = await fetch(`${gateway}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: publishable_key, "content-type": "application/json" },
      body: JSON.stringify({ email, password }),
    });
    const { access_token } = (await session.json()) as { access_token: string };
    const member = await fetch(`${functions_url}/api/user`, { headers: { authorization: `Bearer ${access_token}` } });
    expect([member.status, await member.json()]).toMatchObject([200, { uid: expect.any(Number) }]);
    expect((await fetch(console_url)).status).toBe(200);
    expect((await (await fetch(`${console_url}config.json`)).json()) as object).toMatchObject({ publishable_key });
  });
});

describe("npm test -- --supabase", () => {
  const test = (...args: string[]) =>
    runCommand(process.execPath, [join(projectRoot, "scripts/bootstrap.mjs"), "commands/test.ts", ...args], {
      env: { NO_COLOR: "1", DATABASE_URL: "", STORE_TEST_CONTEXT: undefined, STORE_TEST_OUTCOME: undefined },
    });

  it.each([
    ["lacks something", 'API_URL="http://127.0.0.1:1"\n', "lacks DB_URL, PUBLISHABLE_KEY, SECRET_KEY."],
    ["is something else", "supabase local development setup is running.\n", "has neither JSON nor variables."],
  ])("says what to do if the file %s", async (_what, text, problem) => {
    const file = join(under.place.directory, "wrong.env");
    writeFileSync(file, text);
    const { code, output } = await test("--supabase", file, "api/saved_views");
    expect(output).toContain(`${file} ${problem}`);
    expect(output).toContain("`npx supabase st");
    expect(code).toBe(1);
  });

  it("names what to run instead of tests that need a stack of their own", async () => {
    const { code, output } = await test("--supabase", writeStatus(status, "env"), "contract/sql_style");
    expect(output).toContain("No test of contract/sql_style runs with --supabase.");
    expect(code).toBe(1);
  });

  it("runs the tests of the API on another stack, and says how many files it leaves out", async () => {
    const { code, output } = await test(
      "--supabase",
      writeStatus(status, "env"),
      ...["orders", "saved_views", "refund_pictures", "auth_second_factor", "quotas"].map((name) => `test/api/${name}`),
    );
    expect(output).toMatch(/^[1-9]\d+ passed, 0 failed {2}/m);
    expect(output).toContain("  - 1: they copy databases, for which a superuser has to make a template");
    expect(code, output).toBe(0);
    const sql = connect(status.DB_URL!);
    const [{ orders }] = (await sql`select count(*)::integer as orders from app.orders`) as unknown as [
      { orders: number },
    ];
    await sql.end();
    expect(orders).toBeGreaterThan(0);
  });
});

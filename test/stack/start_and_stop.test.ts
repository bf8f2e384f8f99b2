import { chmodSync, existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Owner } from "../../scripts/ground/owner.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { readStackFile } from "../../scripts/ground/stack_file.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { connect, skipFor } from "../support/index.ts";
import { childrenOf, type CommandPlace, eventually, newCommandPlace } from "../../scripts/testing/command.ts";

let at: CommandPlace;
beforeAll(async () => {
  at = await newCommandPlace();
  // Like a checkout below the home of root: if another user runs the server, the data are elsewhere.
  chmodSync(at.place.directory, 0o700);
  // What a user has set for other programs (denoland/deno#28385, test/field/environment.test.ts).
  Object.assign(at.environment, {
    HTTP_PROXY: "http://127.0.0.1:9",
    https_proxy: "http://127.0.0.1:9",
    PGSSLMODE: "verify-full",
    PGOPTIONS: "-c search_path=elsewhere",
    PGPORT: "9",
    PGTARGETSESSIONATTRS: "standby",
    NODE_OPTIONS: "",
  });
});
afterAll(async () => {
  await at.run("stop");
  await at.remove();
});

const info = () => readStackFile(at.place)!;

async function shareAddress(): Promise<string> {
  const sql = connect(info().database_url);
  const [settings] = await sql`select h5_share_url from app.settings`;
  await sql.end();
  return settings!.h5_share_url;
}

// The tests run in order. Each starts from the state that the previous one left.
describe("the commands start and stop", { concurrent: false }, () => {
  it("a port that is in use is named, with the variable that changes it", async () => {
    const other = createServer().listen(Number(at.environment.PORT), "127.0.0.1");
    const { code, output } = await at.run("start", "--no-demo");
    other.close();
    expect(output).toContain(`Port ${at.environment.PORT} is in use`);
    expect(output).toContain("PORT=");
    expect(code).toBe(1);
  });

  it("the first start sets everything up and writes stack.json", async () => {
    const { code, output } = await at.run("start", "--no-demo", "--detach");
    expect(code, output).toBe(0);
    expect(info()).toMatchObject({ supabase_url: `http://127.0.0.1:${at.environment.PORT}`, users: [] });
    expect(output).toContain("npm run admin -- add you@example.com");
    expect(output).toContain(info().console_url);
    const health = await fetch(`${info().functions_url}/api/health`);
    expect(health.status).toBe(200);
  });

  // Guarantee faults/start
  skipFor(it, lacking("linux"))(
    "no process of the stack knows a variable of another database, and only edge functions know proxies",
    () => {
      const owner = JSON.parse(readFileSync(at.place.ownerFile, "utf8")) as Owner;
      // Whatever builds the sites is no part.
      const children = childrenOf(owner.pid).filter(({ command }) => !command.includes("esbuild"));
      const parts = children.map(({ pid, command }) => ({
        command,
        names: readFileSync(`/proc/${pid}/environ`, "utf8"),
      }));
      expect(parts.length).toBeGreaterThan(8);
      for (const { command, names } of parts) {
        expect(names).not.toMatch(/(^|\0)(PG[A-Z]+|DATABASE_URL|NODE_OPTIONS)=/);
        if (command.includes("/deno")) expect(names).toMatch(/(^|\0)NO_PROXY=127\.0\.0\.1,localhost,::1\0/);
        else expect(names).not.toMatch(/(^|\0)https?_proxy=/i);
      }
    },
  );

  it("the owner of the migrations is not a superuser", async () => {
    const sql = connect(info().database_url);
    const [role] =
      await sql`select current_user as name, rolsuper, rolbypassrls from pg_roles where rolname = current_user`;
    await sql.end();
    expect(role).toEqual({ name: "postgres", rolsuper: false, rolbypassrls: true });
  });

  it("the server compiles no query, like that of Supabase", async () => {
    const sql = connect(info().database_url);
    expect(await sql`show jit`).toEqual([{ jit: "off" }]);
    await sql.end();
  });

  it("an unknown path returns a problem document", async () => {
    const response = await fetch(`${info().supabase_url}/rest/v1/users`);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/problem+json"]);
  });

  it("a second start reports that the stack is running, and its address", async () => {
    const { code, output } = await at.run("start");
    expect([code, output.includes(info().supabase_url)]).toEqual([0, true]);
  });

  it("a second start applies the migrations that are new, and says that the functions run as they were started", async () => {
    const sql = connect(info().database_url);
    try {
      expect((await at.run("start")).output).toContain("There were no new migrations.");
      // The last migrations, from the one on that adds the row of its version, are not applied yet, as far as the
      // database knows.
      const last = await sql<{ version: string }[]>`
        delete from supabase_migrations.schema_migrations
        where version >= (select max(version) from supabase_migrations.schema_migrations where name like 'version_%_rows')
        returning version`;
      expect(last.length).toBeGreaterThan(0);
      const [added] = await sql`delete from app.schema_versions where version = app.schema_version() returning version`;
      const { code, output } = await at.run("start");
      expect([code, output]).toEqual([0, expect.stringMatching(/New migrations were applied(.|\n)*npm stop/)]);
      const versions = last.map(({ version }) => version);
      expect(
        await sql`select from supabase_migrations.schema_migrations where version = any (${versions})`,
      ).toHaveLength(last.length);
      expect([...(await sql`select app.schema_version() as version`)]).toEqual([added]);
    } finally {
      await sql.end();
    }
  });

  it("a second start rejects a database of other migrations and changes nothing", async () => {
    const sql = connect(info().database_url);
    const [applied] = await sql<
      { version: string; statements: string[] }[]
    >`select version, statements from supabase_migrations.schema_migrations order by version desc limit 1`;
    const { version, statements } = applied!;
    try {
      await sql`update supabase_migrations.schema_migrations set statements = array['select 1'] where version = ${version}`;
      const { code, output } = await at.run("start");
      expect([code, output]).toEqual([1, expect.stringContaining(`${version} has changed since it was applied`)]);
    } finally {
      await sql`update supabase_migrations.schema_migrations set statements = ${statements} where version = ${version}`;
      await sql.end();
      expect(await at.run("start")).toMatchObject({ code: 0 });
    }
  });

  it("--reset of a running stack is rejected", async () => {
    const { code, output } = await at.run("start", "--reset");
    expect([code, output.includes("npm stop")]).toEqual([1, true]);
  });

  it("npm stop keeps the data and removes stack.json; the share address is updated to the new port", async () => {
    const before = connect(info().database_url);
    await before`create schema kept`;
    await before.end();
    expect(await shareAddress()).toBe(`${info().supabase_url}/h5`);
    await at.run("stop");
    expect(existsSync(at.place.stackFile)).toBe(false);

    at.environment.PORT = String(await freePort());
    expect((await at.run("start", "--detach")).code).toBe(0);
    expect(await shareAddress()).toBe(`http://127.0.0.1:${at.environment.PORT}/h5`);
    const after = connect(info().database_url);
    expect(await after`select 1 from pg_namespace where nspname = 'kept'`).toHaveLength(1);
    await after.end();
  });

  skipFor(it, lacking("linux"))(
    "a stack that was killed leaves no processes behind, and the next start uses its data",
    async () => {
      const { pid } = JSON.parse(readFileSync(at.place.ownerFile, "utf8")) as Owner;
      const parts = childrenOf(pid);
      expect(parts.length).toBeGreaterThanOrEqual(4);
      process.kill(pid, "SIGKILL");
      await eventually(() => parts.every((part) => !existsSync(`/proc/${part.pid}/exe`)));
      const { code, output } = await at.run("start", "--detach");
      expect(code, output).toBe(0);
      expect(output).toContain("The stack is up.");
    },
  );

  it("stopping a stopped stack is not an error", async () => {
    expect((await at.run("stop")).output, readFileSync(at.place.logFile("start"), "utf8")).toContain("Stopped.");
    expect(await at.run("stop")).toMatchObject({ code: 0, output: "The stack is not running.\n" });
  });
});

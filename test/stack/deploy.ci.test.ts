import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { parseEnv } from "node:util";
import type postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { functionNames, sourceHash } from "../../scripts/generate/function_bundles.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { projectVersion } from "../../scripts/ground/project_version.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { Running } from "../../scripts/ground/running.ts";
import { passwordOf } from "../../scripts/ground/state.ts";
import { removeData } from "../../scripts/postgres/cluster.ts";
import { anyInstall } from "../../scripts/postgres/choice.ts";
import { type Database, ownerUrl, startNewDatabase } from "../../scripts/postgres/database.ts";
import { superuserUrl } from "../../scripts/postgres/database_server.ts";
import { migrationFiles } from "../../scripts/postgres/releases.ts";
import { createPlatformRoles, preparePlatform } from "../../scripts/postgres/platform.ts";
import { lacking } from "../../scripts/testing/context.ts";
import { type FakePlatform, startFakePlatform } from "../support/fake_platform.ts";
import { connect, skipFor } from "../support/index.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";
import { run } from "../commands/run.ts";

// A store is deployed by the real Supabase CLI to a plain database and a fake of the platform. Each step fails once,
// and what can be interrupted is killed at its worst moment. Each test begins where the one before has left the
// deployment.

// Each test runs the command several times, perhaps beside much else.
vi.setConfig({ testTimeout: 600_000 });

/** A step of the plan that is left to do. */
const stepsLeft = /^ {2}– \w/m;

const place = newPlace("store-deploy-");
const sites = join(place.directory, "sites");
const running = new Running();
const install = anyInstall();
let database: Database;
let platform: FakePlatform;
let superuser: postgres.Sql;
/** What no output and no arguments may contain. */
const secrets: string[] = [];
/** The secrets of the functions that the platform has, and the functions that run there. */
const stored = new Map<string, string>();
const deployed = new Set<string>();
let isHealthy = false;
/** The request that gets no success: it is refused, or the deployment is killed before it gets a response. */
let obstacle: { route: string; isReached?: () => void; after?: number } | undefined;

const project = (path: string) => `/v1/projects/${"a".repeat(20)}${path}`;
const digest = (text: string) => createHash("sha256").update(text).digest("hex");

const responses: Record<
  string,
  (query: URLSearchParams, body: string) => [number, unknown] | Promise<[number, unknown]>
> = {
  [`GET ${project("/secrets")}`]: () => [
    200,
    [...stored].map(([name, value]) => ({ name, value: digest(value), updated_at: "2026-01-01T00:00:00Z" })),
  ],
  [`POST ${project("/secrets")}`]: (_query, body) => {
    for (const { name, value } of JSON.parse(body) as { name: string; value: string }[]) stored.set(name, value);
    return [201, {}];
  },
  [`GET ${project("/functions")}`]: () => [200, []],
  [`POST ${project("/functions/deploy")}`]: (query) => {
    const slug = query.get("slug")!;
    deployed.add(slug);
    return [
      201,
      { id: slug, slug, name: slug, status: "ACTIVE", version: 1, created_at: 1, updated_at: 1, verify_jwt: false },
    ];
  },
  "POST /auth/v1/admin/users": async (_query, body) => {
    const { email, role } = JSON.parse(body) as { email: string; role: string };
    const [account] = await superuser<{ id: string }[]>`
      insert into auth.users (id, email, role, email_confirmed_at) values (gen_random_uuid(), ${email}, ${role}, now()) returning id`;
    return [200, account];
  },
  "POST /auth/v1/token": () => [200, { access_token: "token-of-the-member" }],
  "GET /functions/v1/api/user": async () => [200, await testMember()],
  "GET /functions/v1/api/product": () => [200, { list: [], count: 0 }],
  "GET /functions/v1/api/user/deletion": () => [200, { forfeit: {} }],
  "POST /functions/v1/api/user/deletion": () => [200, {}],
  "DELETE /auth/v1/admin/users/id": async () => {
    await superuser`delete from auth.users where id = (select m.auth_id from app.users as m where m.uid = ${(await testMember()).uid})`;
    return [200, {}];
  },
  "GET /auth/v1/.well-known/jwks.json": () => [200, { keys: [{}] }],
  "GET /functions/v1/api/sign/required_article": () => [200, null],
  "GET /functions/v1/api/health": () => [200, { status: isHealthy ? "ok" : "degraded" }],
  "POST /functions/v1/worker/run": () => [401, { code: "unauthenticated" }],
};

/** The member of the smoke test. */
const testMember = async () =>
  (
    await superuser<{ uid: number }[]>`
      select m.uid::integer from app.users as m join auth.users as a on a.id = m.auth_id where a.email like 'smoke-test+%'`
  )[0]!;

beforeAll(async () => {
  database = await startNewDatabase(place, install!, await freePort(), running);
  await createPlatformRoles(database);
  await preparePlatform(database, "postgres", { schedules: true, forTests: false });
  superuser = connect(superuserUrl(database.server, "postgres"));
  platform = await startFakePlatform();
  platform.publicKeys = [{ name: "default", type: "secret", api_key: "sb_secret_of_the_project" }];
  secrets.push(
    passwordOf(database.state, "postgres"),
    "sb_secret_of_the_project",
    platform.environment.SUPABASE_ACCESS_TOKEN!,
  );
  platform.answer = async ({ route: asked, query, body }) => {
    const route = asked.replace(/[\da-f]{8}(?:-[\da-f]+){4}$/, "id");
    const isObstacle = obstacle?.route === route && (obstacle.after ?? 0) <= deployed.size;
    if (isObstacle && !obstacle!.isReached) return [500, { message: "not today" }];
    const response = await responses[route]?.(query, body);
    if (isObstacle) {
      obstacle!.isReached!();
      await new Promise(() => undefined);
    }
    for (const name of deployed)
      platform.responses.set(`/functions/v1/${name}/openapi.json`, {
        status: 200,
        body: { openapi: "3.1.0", info: { version: projectVersion() } },
        headers: { "x-store-source": sourceHash() },
      });
    return response!;
  };
});
afterAll(async () => {
  platform.stop();
  await superuser.end();
  await running.stop();
  await removeData(place, install);
  rmSync(place.directory, { recursive: true, force: true });
});

const options = () => ["--project", platform.ref, "--url", platform.address, "--sites", sites, "--yes"];
const environment = () => ({
  ...platform.environment,
  DATABASE_URL: ownerUrl(database, "postgres"),
  STORE_ADMINISTRATOR: "first@example.com",
  STORE_H5_URL: "https://shop.example.com/",
  STORE_CONSOLE_URL: "https://admin.example.com",
  STORE_H5_CONFIG: '{"payment_provider": "wechat"}',
  CI: "1",
});
const storeEnv = () => join(platform.environment.SUPABASE_WORKDIR!, "store.env");

function expectNoSecret(output: string): void {
  if (existsSync(storeEnv()))
    secrets.push(...Object.values(parseEnv(readFileSync(storeEnv(), "utf8")) as Record<string, string>));
  for (const secret of secrets) expect(output).not.toContain(secret);
}

/** Runs the command to its end. */
async function deploy(...further: string[]): Promise<{ code: number; output: string }> {
  const { code, output } = await run("deploy", [...options(), ...further], environment());
  expectNoSecret(output);
  return { code, output };
}

/** The arguments of all processes of a group, which every user of the machine can read. */
const argumentsOf = (group: number) =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        return Number(stat.slice(stat.lastIndexOf(")")).split(" ")[3]) === group
          ? [readFileSync(`/proc/${pid}/cmdline`, "utf8")]
          : [];
      } catch {
        return [];
      }
    })
    .join("\n");

/** Runs the command until a moment, then kills it with all that it has started. */
async function deployUntil(moment: Promise<unknown>): Promise<void> {
  const child = spawn(
    process.execPath,
    [join(projectRoot, "scripts/bootstrap.mjs"), "commands/deploy.ts", ...options()],
    {
      cwd: projectRoot,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, STORE_TEST_CONTEXT: undefined, NO_COLOR: "1", ...environment() },
    },
  );
  const ended = once(child, "close");
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
  const reached = await Promise.race([moment.then(() => true), ended.then(() => false)]);
  const seen = argumentsOf(child.pid!);
  if (reached) process.kill(-child.pid!, "SIGKILL");
  await ended;
  expect(reached, output).toBe(true);
  expectNoSecret(seen);
  expectNoSecret(output);
}

/**
 * The moment at which a request has had its effect, but has no response.
 * @param after the number of functions that are deployed before
 */
const hanging = (route: string, after?: number) =>
  new Promise<void>((resolve) => {
    obstacle = { route, isReached: resolve, ...(after !== undefined && { after }) };
  });

async function refusing(route: string, work: () => Promise<void>): Promise<void> {
  obstacle = { route };
  await work();
  obstacle = undefined;
}

const until = async (condition: () => boolean | Promise<boolean>) => {
  while (!(await condition())) await wait(20);
};

/** The versions of the migrations that the database has. */
const migrated = async () =>
  (
    await superuser<{ version: string }[]>`select version from supabase_migrations.schema_migrations order by version`
  ).map(({ version }) => version);

skipFor(describe, lacking("linux"))("npm run deploy", () => {
  it("says what is missing where nobody can be asked, and whose database it will not touch", async () => {
    const without = async (changes: Record<string, string>) =>
      (await run("deploy", options(), { ...environment(), ...changes })).output;
    expect(await without({ DATABASE_URL: "" })).toContain("DATABASE_URL is missing.");
    expect(await without({ STORE_ADMINISTRATOR: "" })).toContain("STORE_ADMINISTRATOR is missing");
    expect(await without({ STORE_H5_URL: "http://127.0.0.1:54321/h5" })).toContain(
      "STORE_H5_URL is http://127.0.0.1:54321/h5, which is",
    );
    const refused = await without({ SUPABASE_ACCESS_TOKEN: `sbp_${"1".repeat(40)}` });
    expect(refused).toContain("npx supabase login");
    expect(refused).not.toContain('"_tag"');
    const other = environment().DATABASE_URL.replace("postgres:", `postgres.${"b".repeat(20)}:`);
    expect(await without({ DATABASE_URL: other })).toContain(
      "names the project bbbbbbbbbbbbbbbbbbbb, not aaaaaaaaaaaaaaaaaaaa",
    );
    const hosted = await run("deploy", ["--project", platform.ref, "--yes"], environment());
    expect([hosted.code, hosted.output]).toEqual([2, expect.stringContaining("DATABASE_URL names no project")]);
    writeFileSync(storeEnv(), `STORE_DB_URL=postgresql://store_api.${"b".repeat(20)}:secret@127.0.0.1:1/postgres\n`);
    expect(await without({})).toContain(
      "STORE_DB_URL in store.env names the project bbbbbbbbbbbbbbbbbbbb, not aaaaaaaaaaaaaaaaaaaa",
    );
    rmSync(storeEnv());
  });

  it("asks for the address of the database on a terminal, and does not show what is entered", async () => {
    const command = [process.execPath, "scripts/bootstrap.mjs", "commands/deploy.ts", "--project", platform.ref].join(
      " ",
    );
    const child = spawn("script", ["--quiet", "--return", "--command", command, "/dev/null"], {
      cwd: projectRoot,
      env: { ...process.env, STORE_TEST_CONTEXT: undefined, CI: undefined, NO_COLOR: "1", DATABASE_URL: "" },
    });
    const ended = once(child, "close");
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (output += data));
    await until(() => output.includes("DATABASE_URL, the address"));
    child.stdin.write("postgresql://someone:not-to-be-shown@127.0.0.1:1/postgres\r");
    expect(await ended).toEqual([2, null]);
    expect(output).toContain("DATABASE_URL names the role someone.");
    expect(output).not.toContain("not-to-be-shown");
  });

  it("shows what is left to do and how to do it by hand, and changes nothing", async () => {
    const { code, output } = await deploy("--dry-run");
    expect(code, output).toBe(0);
    for (const line of [
      "npx supabase db push --remote=",
      "npx supabase secrets set --remote=",
      "npm run functions:deploy",
      "npx supabase config push --remote=",
      "npm run admin -- add first@example.com",
      "Each time: the doctor, and a smoke test: test orders that are rolled back",
    ])
      expect(output).toContain(line);
    expect([existsSync(storeEnv()), existsSync(sites), stored.size, deployed.size]).toEqual([false, false, 0, 0]);
    const anonymous = await run("deploy", [...options(), "--dry-run"], { ...environment(), STORE_ADMINISTRATOR: "" });
    expect([anonymous.code, anonymous.output]).toEqual([
      0,
      expect.stringContaining("admin -- add <your email address>"),
    ]);
  });

  it("stops at an extension that cannot be enabled", async () => {
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringContaining("pg_net cannot be enabled")]);
    // What a project has of pg_net and Vault.
    await superuser.unsafe(`
      create schema net; create schema vault; grant usage on schema net, vault to postgres;
      create table vault.secrets (id uuid primary key default gen_random_uuid(), name text unique, decrypted_secret text);
      create view vault.decrypted_secrets as select * from vault.secrets;
      grant select, insert, update on all tables in schema vault to postgres;
      create function vault.create_secret(new_secret text, new_name text) returns uuid language sql as $$
        insert into vault.secrets (name, decrypted_secret) values (new_name, new_secret) returning id $$;
      create function vault.update_secret(secret_id uuid, new_secret text) returns void language sql as $$
        update vault.secrets set decrypted_secret = new_secret where id = secret_id $$`);
  });

  it("stops at a migration that fails, of which nothing remains", async () => {
    await superuser.unsafe(`
      create schema obstacle; grant usage on schema obstacle to public;
      create function obstacle.obstruct() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
      create function obstacle.place() returns event_trigger language plpgsql as $$
        begin
          if to_regclass('app.manifest') is not null and not exists (select from pg_trigger where tgname = 'obstacle') then
            create trigger obstacle before insert on app.manifest for each statement execute function obstacle.obstruct();
          end if;
        end $$;
      create event trigger obstacle on ddl_command_end when tag in ('CREATE TABLE') execute function obstacle.place()`);
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringContaining("The migrations were not applied:")]);
    expect(output).toContain("not today");
    expect(await migrated()).toEqual(["20261120000000", "20261120000100"]);
  });

  it("goes on after it was killed in a migration", async () => {
    await superuser.unsafe(`
      drop event trigger obstacle;
      create or replace function obstacle.obstruct() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return null; end $$`);
    const sleeping = () =>
      superuser<
        { pid: number }[]
      >`select pid from pg_stat_activity where wait_event = 'PgSleep' and usename = 'postgres'`;
    await deployUntil(until(async () => (await sleeping()).length > 0));
    for (const { pid } of await sleeping()) await superuser`select pg_terminate_backend(${pid}, 10000)`;
    expect(await migrated()).toHaveLength(2);
    await superuser.unsafe("drop schema obstacle cascade");
    // The next step fails. Before the last migration, those that alter the role would.
    await superuser.unsafe(`
      create function public.obstruct() returns trigger security definer language plpgsql as $$
        begin alter role store_api superuser; return null; end $$;
      create trigger obstacle after insert on supabase_migrations.schema_migrations
        for each row when (new.version = '${basename(migrationFiles().at(-1)!).slice(0, 14)}') execute function public.obstruct()`);
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringMatching(/✓ Migrations[^]*✗ Password of the functions/)]);
    expect(await migrated()).toHaveLength(migrationFiles().length);
    await superuser.unsafe("alter role store_api nosuperuser; drop function public.obstruct cascade");
  });

  it("stops if the secrets are refused, which are in a file that only its owner can read", async () => {
    await refusing(`POST ${project("/secrets")}`, async () => {
      const { code, output } = await deploy();
      expect([code, output]).toEqual([
        2,
        expect.stringMatching(/✓ Password of the functions[^]*The secrets were not set:/),
      ]);
    });
    expect(statSync(storeEnv()).mode & 0o777).toBe(0o600);
    const functionsSql = connect((parseEnv(readFileSync(storeEnv(), "utf8")) as Record<string, string>).STORE_DB_URL!);
    expect(await functionsSql`select session_user as role`).toEqual([{ role: "store_api" }]);
    await functionsSql.end();
  });

  it("makes no secret anew after it was killed while it set them", async () => {
    const before = readFileSync(storeEnv(), "utf8");
    await deployUntil(hanging(`POST ${project("/secrets")}`));
    obstacle = undefined;
    await refusing(`POST ${project("/functions/deploy")}`, async () => {
      const { code, output } = await deploy();
      expect([code, output]).toEqual([2, expect.stringContaining("The functions were not deployed:")]);
      expect(output).toContain("✓ Secrets of the functions\n");
    });
    expect(readFileSync(storeEnv(), "utf8")).toBe(before);
    expect(Object.fromEntries(stored)).toEqual(parseEnv(before));
  });

  it("deploys the rest of the functions after it was killed among them", async () => {
    await deployUntil(hanging(`POST ${project("/functions/deploy")}`, 2));
    obstacle = undefined;
    await superuser.unsafe("alter function vault.create_secret rename to absent");
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringMatching(/✓ Functions[^]*✗ Calls of the worker/)]);
    await superuser.unsafe("alter function vault.absent rename to create_secret");
    expect([...deployed].sort()).toEqual(functionNames().sort());
  });

  it("puts the address and the secret of the worker into Vault, and stops without a key for the sites", async () => {
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringContaining("The project has no publishable key for the sites.")]);
    expect(await superuser`select name, decrypted_secret from vault.secrets order by name`).toEqual([
      { name: "store_worker_secret", decrypted_secret: stored.get("STORE_WORKER_SECRET") },
      { name: "store_worker_url", decrypted_secret: `${platform.address}/functions/v1/worker/run` },
    ]);
    platform.publicKeys.push({ name: "default", type: "publishable", api_key: "sb_publishable_x" });
  });

  it("builds the second site after it was killed between them, and stops if the settings of Auth are refused", async () => {
    const page = (site: string) => existsSync(join(sites, site, "dist/index.html"));
    await deployUntil(until(() => page("apps/console")));
    await refusing(`PATCH ${project("/config/auth")}`, async () => {
      const { code, output } = await deploy();
      expect([code, output]).toEqual([2, expect.stringMatching(/✓ Sites[^]*The settings of Auth were not set:/)]);
    });
    const store = { supabase_url: platform.address, publishable_key: "sb_publishable_x" };
    const config = (site: string) => JSON.parse(readFileSync(join(sites, site, "dist/config.json"), "utf8")) as object;
    expect([page("apps/console"), page("apps/h5"), config("apps/console"), config("apps/h5")]).toEqual([
      true,
      true,
      store,
      { payment_provider: "wechat", ...store },
    ]);
  });

  it("gives Auth the addresses of the sites, and stops without an account", async () => {
    expect(platform.auth).toMatchObject({ site_url: "http://localhost:3000", mailer_subjects_recovery: null });
    await refusing("POST /auth/v1/admin/users", async () => {
      const { code, output } = await deploy();
      expect([code, output]).toEqual([
        2,
        expect.stringMatching(/✓ Settings of Auth[^]*There is no administrator yet:/),
      ]);
    });
    expect(platform.auth).toMatchObject({
      site_url: "https://shop.example.com",
      uri_allow_list: "https://shop.example.com/**,https://admin.example.com/**",
      mailer_subjects_recovery: "设置新密码 · Set a new password",
      mfa_totp_verify_enabled: true,
    });
  });

  it("makes the account an administrator after it was killed between the two", async () => {
    await deployUntil(hanging("POST /auth/v1/admin/users"));
    obstacle = undefined;
    expect(await superuser`select from app.administrators`).toHaveLength(0);
    const { code, output } = await deploy();
    // All is done, and the doctor finds what does not work yet.
    expect([code, output]).toEqual([1, expect.stringContaining("the background work is degraded")]);
    expect(
      await superuser`select u.email from app.administrators as a join auth.users as u on u.id = a.auth_id`,
    ).toEqual([{ email: "first@example.com" }]);
  });

  it("does nothing where nothing is left to do, and ends with the examination of the doctor", async () => {
    isHealthy = true;
    const { code, output } = await deploy();
    expect(code, output).toBe(0);
    expect(output).not.toMatch(stepsLeft);
    expect(output).toContain(", 0 errors");
    expect(output).toMatch(/✓ Nothing of it is left that counts[^]*Left out: the order \(no product with a price/);
  });

  const testAccounts = () => superuser`select from auth.users where email like 'smoke-test+%'`;

  it("names the part of the smoke test that failed, what came back and what to do, and leaves no account", async () => {
    await refusing("GET /functions/v1/api/user", async () => {
      const { code, output } = await deploy();
      expect([code, output]).toEqual([
        1,
        expect.stringContaining(
          "The smoke test failed. It reads the first article, its own page and the products: GET /functions/v1/api/user was answered 500: not today\nSee the log of the service: Dashboard, Edge Functions, Logs.",
        ),
      ]);
    });
    expect(await testAccounts()).toHaveLength(0);
  });

  it("removes what a smoke test has left that was killed, and leaves it out if asked to", async () => {
    await deployUntil(hanging("GET /functions/v1/api/user"));
    obstacle = undefined;
    expect(await testAccounts()).toHaveLength(1);
    const without = await deploy("--no-smoke-test");
    expect([without.code, without.output]).toEqual([0, expect.not.stringContaining("A confirmed account is created")]);
    const { code, output } = await deploy();
    expect([code, output]).toEqual([0, expect.stringContaining("An interrupted smoke test had left 1 accounts")]);
    expect(await testAccounts()).toHaveLength(0);
  });

  it("needs no store.env where the platform and Vault have the secrets", async () => {
    rmSync(storeEnv());
    const { code, output } = await deploy("--dry-run");
    expect([code, output]).toEqual([0, expect.not.stringMatching(stepsLeft)]);
  });

  it("goes on with the functions where an update of the database was interrupted", async () => {
    const upgrade = (...further: string[]) => run("upgrade", [...options(), ...further], environment());
    deployed.delete("api");
    platform.responses.set("/functions/v1/api/openapi.json", {
      status: 200,
      body: { openapi: "3.1.0", info: { version: "0.9.0" } },
      headers: { "x-store-source": "other" },
    });
    expect(await upgrade("--check")).toMatchObject({
      code: 0,
      output: expect.stringContaining("they have another version than the database: api (0.9.0)") as string,
    });
    expect(deployed).not.toContain("api");
    const { code, output } = await upgrade();
    expectNoSecret(output);
    expect([code, output]).toEqual([0, expect.stringContaining("✓ Functions")]);
    expect(deployed).toContain("api");
    expect(await upgrade("--check")).toMatchObject({
      code: 0,
      output: expect.stringContaining(`all have ${projectVersion()}`) as string,
    });
  });

  it("refuses a database that another version has migrated", async () => {
    await superuser`update supabase_migrations.schema_migrations set statements = statements || array['select 1'] where version = '20261120000000'`;
    const { code, output } = await deploy();
    expect([code, output]).toEqual([2, expect.stringContaining("The database was migrated by another version")]);
  });
});

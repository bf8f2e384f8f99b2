import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { PNG } from "pngjs";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readSettings } from "../../functions/_shared/ground/env.ts";
import { tlsFor } from "../../functions/_shared/ground/tls.ts";
import { BINARY_URL, functionNames } from "../../scripts/generate/function_bundles.ts";
import { importMap } from "../../scripts/generate/import_map.ts";
import { outsideEnvironment, partEnvironment } from "../../scripts/ground/environment.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { lastLines, runCommand } from "../../scripts/ground/run_command.ts";
import { Running } from "../../scripts/ground/running.ts";
import { databaseUrl, superuserUrl, withConnection } from "../../scripts/postgres/database_server.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { runSupabaseCli } from "../../scripts/postgres/migrations.ts";
import { passwordOf, type State } from "../../scripts/ground/state.ts";
import { deno, denoEnvironment } from "../../scripts/stack/functions.ts";
import { call, signUp } from "../api/client.ts";
import { textOf } from "../api/qr_code.ts";
import { connect, skipFor, stack } from "../support/index.ts";
import { newServerPlace, startStore } from "../support/replicated_store.ts";

// What an engineer types who knows Supabase, on a clone after `npm ci`. Docker is not needed here: the Supabase CLI works
// on a Postgres with the platform of the local stack, and Deno serves the committed entry points with the variables that
// the CLI gives them. A job of the workflow runs the commands themselves.

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const config = parse(read("supabase/config.toml")) as {
  db: { seed: { enabled: boolean; sql_paths: string[] } };
  functions: Record<string, { entrypoint: string; import_map: string; static_files?: string[] }>;
};
const variables = parseEnv(read("supabase/functions/.env")) as Record<string, string>;
const PASSWORD = decodeURIComponent(new URL(variables.STORE_DB_URL!).password);
const PUBLISHED_SECRET = variables.STORE_JWT_SECRET!;

/** The arguments with which Deno takes packages from the import map of a function alone. */
const withImportMap = (name: string) => [
  "--no-check",
  "--node-modules-dir=none",
  "--no-lock",
  "--allow-all",
  "--config",
  join(projectRoot, "supabase", config.functions[name]!.import_map),
];
/** Deno loads the packages of the import map once, as the runtime of the CLI does. */
const forPackages = { ...partEnvironment(denoEnvironment), ...outsideEnvironment(/^npm_config_/i) };

describe("supabase functions serve", () => {
  const running = new Running();
  afterAll(() => running.stop());

  /** Serves a function as the CLI does, from its entry point in supabase/config.toml. @returns its address */
  async function serve(name: string): Promise<string> {
    const { entrypoint } = config.functions[name]!;
    const port = await freePort();
    const args = ["serve", ...withImportMap(name), "--host", "127.0.0.1", "--port", String(port), entrypoint];
    const child = spawn(deno, args, {
      cwd: join(projectRoot, "supabase"),
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...forPackages,
        SUPABASE_URL: stack().supabase_url,
        SUPABASE_ANON_KEY: stack().publishable_key,
        SUPABASE_SERVICE_ROLE_KEY: stack().secret_key,
        SUPABASE_DB_URL: "postgresql://postgres:postgres@db:5432/postgres",
        ...variables,
        // The store of this run stands for the one of the CLI: its addresses and its secrets.
        STORE_DB_URL: `${stack().database_url}${new URL(variables.STORE_DB_URL!).search}`,
        STORE_JWT_SECRET: stack().jwt_secret,
        STORE_JWT_ISSUER: `${stack().supabase_url}/auth/v1`,
        STORE_FUNCTIONS_URL: stack().functions_url,
      },
    });
    let said = "";
    child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    running.addStop(async () => void child.kill());
    const address = `http://127.0.0.1:${port}`;
    await expect
      .poll(() => {
        if (child.exitCode !== null) throw new Error(said);
        return fetch(address).then(
          () => true,
          () => false,
        );
      })
      .toBe(true);
    return address;
  }

  it("finds a committed entry point for each function, and the packages of package-lock.json", async () => {
    expect(Object.keys(config.functions).sort()).toEqual(functionNames().sort());
    for (const [name, { entrypoint }] of Object.entries(config.functions))
      expect(read(join("supabase", entrypoint))).toContain(`"../../../functions/${name}/index.ts"`);
    const { path, content } = await importMap();
    expect(readFileSync(path, "utf8") === content, `${path} is out of date; run: npm run gen`).toBe(true);
  });

  it("gives the functions variables that they take, without TLS, which the database of the CLI does not have", () => {
    const settings = readSettings(new Map([["SUPABASE_URL", "http://kong:8000"], ...Object.entries(variables)]));
    expect(settings.jwtSecret).toBe(PUBLISHED_SECRET);
    expect(tlsFor(settings.databaseUrl, undefined)).toBe(false);
    // Members and administrators open these addresses. Within the containers, the stack has other names.
    for (const name of ["STORE_FUNCTIONS_URL", "STORE_JWT_ISSUER"])
      expect(variables[name]).toMatch(/^http:\/\/127\.0\.0\.1:54321\//);
  });

  it.each([
    ["api", "/api/product", 200],
    ["adminapi", "/adminapi/system/metadata", 401],
    ["mcp", "/mcp", 405],
    ["picture", "/picture/store", 405],
    ["worker", "/worker/run", 405],
  ])("serves %s from its sources: %s is answered with %i", async (name, path, status) => {
    const response = await fetch(`${await serve(name)}${path}`);
    expect([response.status, await response.text()]).toEqual([status, expect.any(String)]);
  });

  it("reads the files of a poster by their URL", async () => {
    const { token } = await signUp("Shares a poster");
    const { share_url, image_url } = (await call("GET", "/api/spread/poster", { token })).body;
    const response = await fetch(`${await serve("poster")}/poster/image/${image_url.split("/").at(-1)}`);
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "image/png"]);
    expect(textOf(PNG.sync.read(Buffer.from(await response.arrayBuffer())))).toBe(share_url);
  });

  it("reads the libraries of pictures by their URL", async () => {
    const folder = mkdtempSync(join(tmpdir(), "store-codecs-"));
    try {
      const module = (path: string) => JSON.stringify(`file://${join(projectRoot, "functions", path)}`);
      writeFileSync(
        join(folder, "codecs.ts"),
        `import { encodeJpeg, encodeWebp } from ${module("picture/codecs/encoders.ts")};
import { decodeJpeg } from ${module("picture/codecs/decode_jpeg.ts")};
import { decodeWebp } from ${module("_shared/pictures/decode_webp.ts")};
const pixels = { data: new Uint8ClampedArray(64 * 48 * 4).fill(255), width: 64, height: 48 };
const jpeg = await decodeJpeg(await encodeJpeg(pixels), 100);
const webp = await decodeWebp(await encodeWebp(pixels));
console.log([jpeg, webp].map(({ width, height }) => width + "x" + height).join());
`,
      );
      const { code, stdout, output } = await runCommand(
        deno,
        ["run", ...withImportMap("picture"), join(folder, "codecs.ts")],
        { cwd: folder, env: forPackages, extendEnv: false },
      );
      expect(code, lastLines(output)).toBe(0);
      expect(stdout.trim()).toBe("64x48,64x48");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it.each(functionNames())("finds every file that %s reads by its URL among its static files", (name) => {
    const used = [`functions/${name}`, "functions/_shared/pictures"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
        .filter((path) => path.endsWith(".ts"))
        .flatMap((path) =>
          [...read(join(folder, path)).matchAll(BINARY_URL)].map(([, target]) =>
            resolve(projectRoot, dirname(join(folder, path)), JSON.parse(target!) as string),
          ),
        ),
    );
    const files = config.functions[name]!.static_files;
    // Only these two functions use pictures.
    if (!["poster", "picture"].includes(name)) return expect(files).toBeUndefined();
    const patterns = files!.map((pattern) => resolve(projectRoot, "supabase", pattern));
    const isNamed = (path: string) =>
      patterns.some((pattern) =>
        pattern.includes("*")
          ? dirname(pattern) === dirname(path) && path.endsWith(pattern.slice(pattern.indexOf("*") + 1))
          : pattern === path,
      );
    expect(used.length).toBeGreaterThan(2);
    expect(used.filter((path) => !isNamed(path))).toEqual([]);
  });
});

describe("supabase db reset", () => {
  const install = findInstall();
  const running = new Running();
  let state: State;
  let url: string;
  let owner: string;
  const lacksInstall = install ? undefined : "this machine has no installed Postgres";

  beforeAll(async () => {
    if (!install) return;
    const started = await startStore(newServerPlace(), install, running, { schedules: false });
    state = started.state;
    owner = superuserUrl(started.cluster.server, "postgres");
    // As on the platform, whose owner of the store may drop extensions, too. `db reset` drops them.
    await withConnection(owner, async (sql) => {
      await sql`alter schema auth owner to supabase_admin`;
      await sql`drop extension if exists pg_cron cascade`;
    });
    url = databaseUrl(started.cluster.server, "postgres", passwordOf(state, "postgres"), "postgres");
  });
  afterAll(() => running.stop());

  const reset = async () => {
    const { code, output } = await runSupabaseCli(["db", "reset", `--remote=${url}`]);
    expect(code, lastLines(output)).toBe(0);
  };
  /** Whether store_api signs in with a password. */
  const signsIn = async (password: string) => {
    const address = new URL(url);
    address.username = "store_api";
    address.password = password;
    const sql = connect(address.href);
    try {
      await sql`select 1`;
      return true;
    } catch {
      return false;
    } finally {
      await sql.end();
    }
  };

  skipFor(it, lacksInstall)("leaves store_api its password in a database that is not the local one", async () => {
    await withConnection(owner, (sql) => sql`alter database postgres set "app.settings.jwt_secret" to 'of a project'`);
    await reset();
    expect([await signsIn(PASSWORD), await signsIn(passwordOf(state, "store_api"))]).toEqual([false, true]);
  });

  skipFor(it, lacksInstall)("gives store_api the password of the functions in the local one", async () => {
    await withConnection(owner, (sql) =>
      sql.unsafe(`alter database postgres set "app.settings.jwt_secret" to '${PUBLISHED_SECRET}'`),
    );
    await reset();
    expect([await signsIn(PASSWORD), await signsIn(passwordOf(state, "store_api"))]).toEqual([true, false]);
    // The store is as new: the seed brings no rows.
    const [row] = await withConnection(url, (sql) => sql`select count(*)::integer as members from app.users`);
    expect(row!.members).toBe(0);
  });
});

describe("supabase test db", () => {
  it("needs no file outside supabase/tests, so that the folder can be mounted alone", () => {
    const folder = join(projectRoot, "supabase/tests");
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.(p?sql)$/.test(name));
    const reads = files.flatMap((name) =>
      [...readFileSync(join(folder, name), "utf8").matchAll(/^\\(?:ir?|include(?:_relative)?|copy|o|!)\s+(\S+)/gm)].map(
        ([, target]) => resolve(folder, dirname(name), target!),
      ),
    );
    expect(reads.length).toBeGreaterThan(500);
    expect(reads.filter((path) => !path.startsWith(`${folder}/`))).toEqual([]);
  });
});

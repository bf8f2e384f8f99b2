import { spawnSync } from "node:child_process";
import { appendFileSync, chownSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { problemFromDatabase } from "../../functions/_shared/database/database_problem.ts";
import { tlsFor } from "../../functions/_shared/ground/tls.ts";
import { examineFunctionDatabase } from "../../scripts/doctor/database_findings.ts";
import { createCluster, removeData, startCluster } from "../../scripts/postgres/cluster.ts";
import { databaseUrl, superuserUrl, withConnection } from "../../scripts/postgres/database_server.ts";
import { applyMigrations } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { createPlatformRoles, preparePlatform } from "../../scripts/postgres/platform.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { Running } from "../../scripts/ground/running.ts";
import { serverUser } from "../../scripts/ground/server_user.ts";
import { newState, passwordOf } from "../../scripts/ground/state.ts";
import { run } from "../commands/run.ts";
import { connect, serveEdgeFunction, skipFor, stack } from "../support/index.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";

const install = findInstall();
// A server of DATABASE_URL cannot be reconfigured, and certificates are made by openssl.
const lacksTools =
  install === undefined || spawnSync("openssl", ["version"]).status !== 0
    ? "this machine lacks an installed Postgres, or openssl"
    : undefined;

describe("the address of the database", () => {
  it.each([
    [
      "a server elsewhere",
      "postgresql://aws-0-eu-central-1.pooler.supabase.com:6543/postgres",
      "aws-0-eu-central-1.pooler.supabase.com",
    ],
    [
      "a server elsewhere with sslmode=require",
      "postgresql://db.example.com/postgres?sslmode=require",
      "db.example.com",
    ],
    ["a server elsewhere with sslmode=prefer", "postgresql://db.example.com/postgres?sslmode=prefer", "db.example.com"],
    ["a server elsewhere with sslmode=disable", "postgresql://db.example.com/postgres?sslmode=disable", undefined],
    ["this machine", "postgresql://127.0.0.1:5432/postgres", undefined],
    ["this machine with sslmode=require", "postgresql://localhost:5432/postgres?sslmode=require", "localhost"],
  ])("decides whether the connection is encrypted: %s", (_name, url, host) => {
    expect(tlsFor(url, undefined)).toEqual(host !== undefined && { host });
    expect(tlsFor(url, "PEM")).toEqual(host !== undefined && { host, ca: "PEM" });
  });
});

it("is asked by one function of the commands, which opens all their connections", () => {
  const folder = join(projectRoot, "scripts");
  // The benchmark and what tests share reach servers of their own.
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(?!bench|testing).*\.ts$/.test(path),
  );
  expect(
    sources.filter((path) => /^import postgres from "postgres"/m.test(readFileSync(join(folder, path), "utf8"))),
  ).toEqual([join("ground", "open_connection.ts")]);
});

skipFor(describe, lacksTools)("a database that accepts only encrypted connections", () => {
  const place = newPlace("store-tls-");
  const running = new Running();
  const state = newState();
  let authority: string;
  let url: string;
  let superuser: string;

  beforeAll(async () => {
    mkdirSync(place.logs);
    state.data_directory = await createCluster(place, state, install!);
    const port = await freePort();
    const { server } = await startCluster(place, state, install!, port, running);
    const database = { server, kind: install!.kind, major: install!.major, name: "postgres", state };
    await createPlatformRoles(database);
    await preparePlatform(database, "postgres", { schedules: false, forTests: false });
    await applyMigrations(
      databaseUrl(server, "postgres", passwordOf(state, "postgres"), "postgres"),
      "Fix the migration.",
    );
    authority = certify(state.data_directory);
    writeFileSync(join(state.data_directory, "pg_hba.conf"), "hostssl all all 127.0.0.1/32 scram-sha-256\n");
    await withConnection(superuserUrl(server, "postgres"), async (sql) => {
      await sql.unsafe(`alter role store_api password '${passwordOf(state, "store_api")}'`);
      await sql.unsafe("alter system set ssl = on");
      await sql`select pg_reload_conf()`;
    });
    url = databaseUrl({ ...server, host: "localhost" }, "store_api", passwordOf(state, "store_api"), "postgres");
    superuser = superuserUrl({ ...server, host: "localhost" }, "postgres");
    await vi.waitFor(() => expect(withConnection(superuser, (sql) => sql`select 1`)).rejects.toThrow("no encryption"));
  });
  afterAll(async () => {
    await running.stop();
    await removeData(place, install);
    rmSync(place.directory, { recursive: true, force: true });
  });

  /** Creates an authority and a certificate of the server, signed by it. @returns the certificate of the authority */
  function certify(folder: string): string {
    const path = (name: string) => join(folder, name);
    const openssl = (...args: string[]) => {
      const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" });
      expect(status, stderr).toBe(0);
    };
    const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    openssl(
      "req",
      "-x509",
      ...newKey,
      "-days",
      "2",
      "-subj",
      "/CN=authority",
      "-keyout",
      path("authority.key"),
      "-out",
      path("authority.crt"),
    );
    openssl("req", ...newKey, "-subj", "/CN=localhost", "-keyout", path("server.key"), "-out", path("server.csr"));
    appendFileSync(path("server.ext"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n");
    openssl(
      "x509",
      "-req",
      "-in",
      path("server.csr"),
      "-CA",
      path("authority.crt"),
      "-CAkey",
      path("authority.key"),
      "-CAcreateserial",
      "-days",
      "2",
      "-extfile",
      path("server.ext"),
      "-out",
      path("server.crt"),
    );
    const { account } = serverUser();
    if (account) for (const name of ["server.key", "server.crt"]) chownSync(path(name), account.uid, account.gid);
    return readFileSync(path("authority.crt"), "utf8");
  }

  /** Requests products from an edge function with this database. */
  async function products(databaseUrl: string, settings: Record<string, string> = {}) {
    const api = await serveEdgeFunction("api", databaseUrl, settings);
    try {
      const response = await fetch(`${api.base}/api/product`);
      return { status: response.status, code: (await response.json()).code };
    } finally {
      await api.stop();
    }
  }

  it("serves requests over TLS if its certificate is known, written in one line or several", async () => {
    for (const pem of [authority, authority.replaceAll("\n", "\\n")]) {
      expect(await products(`${url}?sslmode=require`, { STORE_DB_CA: pem })).toEqual({ status: 200, code: undefined });
    }
  });

  it("is reached by an encrypted connection", async () => {
    const sql = connect(`${url}?sslmode=require`, { ssl: { ca: authority } });
    expect(await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`).toEqual([{ ssl: true }]);
    await sql.end();
  });

  it("is reached by the commands by the same rule: only if its certificate is known", async () => {
    const environment = (more: Record<string, string>) => ({
      DATABASE_URL: `${url.replace("store_api:", "postgres:").replace(passwordOf(state, "store_api"), passwordOf(state, "postgres"))}?sslmode=require`,
      ...more,
    });
    expect(await run("reconcile", [], environment({ STORE_DB_CA: authority }))).toMatchObject({ code: 0 });
    expect(await run("reconcile", [], environment({ STORE_DB_CA: "" }))).toMatchObject({
      code: 2,
      output: expect.stringContaining("Set STORE_DB_CA"),
    });
  });

  it("refuses commands and the doctor without sslmode, and they say so instead of blaming password or role", async () => {
    const owner = url
      .replace("store_api:", "postgres:")
      .replace(passwordOf(state, "store_api"), passwordOf(state, "postgres"));
    expect(await run("reconcile", [], { DATABASE_URL: owner })).toMatchObject({
      code: 2,
      output: expect.stringContaining("put ?sslmode=require at the end of DATABASE_URL"),
    });
    expect(await examineFunctionDatabase(url)).toMatchObject([
      { severity: "error", hint: expect.stringContaining("put ?sslmode=require at the end of STORE_DB_URL") },
    ]);
  });

  it("is used by the doctor, which does not blame the password if a privilege or the store is missing", async () => {
    vi.stubEnv("STORE_DB_CA", authority);
    const examine = async (address: string) => (await examineFunctionDatabase(`${address}?sslmode=require`))[0];
    const change = (statement: string) =>
      withConnection(`${superuser}?sslmode=require`, (sql) => sql.unsafe(statement));
    try {
      expect(await examine(url)).toMatchObject({ severity: "ok" });
      await change("revoke execute on function app.as_caller(jsonb, text, jsonb, text, text) from store_api");
      expect(await examine(url)).toMatchObject({
        severity: "error",
        message: expect.stringContaining("permission denied"),
        hint: expect.stringContaining("A privilege is missing, not the password"),
      });
      expect(await examine(url.replace(/postgres$/, "template1"))).toMatchObject({
        severity: "error",
        hint: expect.stringContaining("Check that STORE_DB_URL names the database of the store"),
      });
      expect(await examine(url.replace(passwordOf(state, "store_api"), "wrong"))).toMatchObject({
        severity: "error",
        hint: expect.stringContaining("alter role store_api password"),
      });
    } finally {
      await change("grant execute on function app.as_caller(jsonb, text, jsonb, text, text) to store_api");
      vi.unstubAllEnvs();
    }
  });

  const unavailable = { status: 503, code: "database_unavailable" };

  it("is unavailable, not an internal error, if its certificate is unknown", async () => {
    expect(await products(`${url}?sslmode=require`)).toEqual(unavailable);
  });

  it("is unavailable if the certificate names another server", async () => {
    expect(
      await products(`${url.replace("localhost", "127.0.0.1")}?sslmode=require`, { STORE_DB_CA: authority }),
    ).toEqual(unavailable);
  });

  it("is unavailable, too, with the error that older versions of Deno have for an unknown certificate", () => {
    const error = Object.assign(new Error("invalid peer certificate: UnknownIssuer"), { name: "InvalidData" });
    expect(problemFromDatabase(error)).toMatchObject({ code: "database_unavailable" });
    expect(problemFromDatabase(new TypeError("a mistake"))).toMatchObject({ code: "internal_error" });
  });

  it("is unavailable without encryption", async () => {
    expect(await products(url)).toEqual(unavailable);
  });

  it("is unavailable with an authority that is no certificate", async () => {
    expect(await products(`${url}?sslmode=require`, { STORE_DB_CA: "nonsense" })).toEqual(unavailable);
  });

  it("is not sent a password without encryption, if it does not offer encryption", async () => {
    expect(await products(`${stack().database_url}?sslmode=require`)).toEqual(unavailable);
  });
});

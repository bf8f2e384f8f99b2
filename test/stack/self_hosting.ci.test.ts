import { spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { jwtVerify } from "jose";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuthApp } from "../../scripts/auth/app.ts";
import { buildFunctions } from "../../scripts/generate/function_bundles.ts";
import { denoCache, projectRoot } from "../../scripts/ground/paths.ts";
import { freePort } from "../../scripts/ground/ports.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { Running } from "../../scripts/ground/running.ts";
import { commandLine, makeServerDirectory, serverUser } from "../../scripts/ground/server_user.ts";
import { findInstall } from "../../scripts/postgres/install.ts";
import { deno, serveBundle } from "../../scripts/stack/functions.ts";
import { eventually } from "../../scripts/testing/command.ts";
import { newPlace } from "../../scripts/testing/new_place.ts";
import { connect, skipFor } from "../support/index.ts";

// Keeps true what docs/self_hosting says: its files, and the commands of its README, on a server that this test makes.
// The development Auth server creates the tables that Supabase Auth creates.

const folder = join(projectRoot, "docs/self_hosting");
const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const place = newPlace("own-server-").directory;
const settings = join(place, "etc");
afterAll(() => rmSync(place, { recursive: true, force: true }));

const env = (name: string) => parseEnv(readFileSync(join(settings, name), "utf8")) as Record<string, string>;
const has = (program: string) => spawnSync("which", [program]).status === 0;
const without = (program: string) => (has(program) ? undefined : `this machine lacks ${program}`);

/** Makes the settings as the README does. */
const makeSettings = () =>
  runCommand(process.execPath, [join(folder, "make_settings.mjs"), "shop.example.com", settings]);

beforeAll(async () => {
  const { code, output } = await makeSettings();
  expect(code, output).toBe(0);
});

describe("the settings", () => {
  it("are for root alone, have no placeholder left, and are never replaced", async () => {
    const names = readdirSync(join(folder, "settings")).sort();
    expect(readdirSync(settings).sort()).toEqual(names);
    for (const name of names) {
      expect(statSync(join(settings, name)).mode & 0o077, name).toBe(0);
      expect(readFileSync(join(settings, name), "utf8"), name).not.toMatch(/\{\{|undefined/);
    }
    const before = env("functions.env");
    expect(await makeSettings()).toMatchObject({ code: 1, output: expect.stringContaining("already has") as string });
    expect(env("functions.env")).toEqual(before);
  });

  it("have a secret key that Auth accepts, and that no function takes for a member", async () => {
    const { STORE_JWT_SECRET: secret, SUPABASE_SECRET_KEYS: keys } = env("functions.env");
    const { SUPABASE_SECRET_KEY: key } = env("commands.env");
    expect(JSON.parse(keys!)).toEqual({ default: key });
    expect(env("auth.env")).toMatchObject({ GOTRUE_JWT_SECRET: secret, GOTRUE_JWT_ADMIN_ROLES: "service_role" });
    const { payload } = await jwtVerify(key!, new TextEncoder().encode(secret));
    expect(payload).toMatchObject({ role: "service_role" });
    expect(payload).not.toHaveProperty("exp");
  });

  it("name only variables that functions/README.md describes", () => {
    const text = readFileSync(join(settings, "functions.env"), "utf8");
    const names = [...text.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(8);
    const table = read("functions/README.md").split("## Environment")[1]!;
    expect(names.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
  });

  it("give Auth the rules of supabase/config.toml, and its mails", () => {
    const { auth } = parse(read("supabase/config.toml")) as unknown as {
      auth: {
        minimum_password_length: number;
        enable_refresh_token_rotation: boolean;
        enable_anonymous_sign_ins: boolean;
        email: Record<"enable_confirmations" | "secure_password_change" | "double_confirm_changes", boolean> & {
          template: Record<string, { subject: string; content_path: string }>;
        };
        mfa: { totp: Record<"enroll_enabled" | "verify_enabled", boolean> };
        sms: { enable_confirmations: boolean };
      };
    };
    const given = env("auth.env");
    expect(given).toMatchObject({
      GOTRUE_PASSWORD_MIN_LENGTH: String(auth.minimum_password_length),
      GOTRUE_MAILER_AUTOCONFIRM: String(!auth.email.enable_confirmations),
      GOTRUE_SMS_AUTOCONFIRM: String(!auth.sms.enable_confirmations),
      GOTRUE_MAILER_SECURE_EMAIL_CHANGE_ENABLED: String(auth.email.double_confirm_changes),
      GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_REAUTHENTICATION: String(auth.email.secure_password_change),
      GOTRUE_SECURITY_REFRESH_TOKEN_ROTATION_ENABLED: String(auth.enable_refresh_token_rotation),
      GOTRUE_EXTERNAL_ANONYMOUS_USERS_ENABLED: String(auth.enable_anonymous_sign_ins),
      GOTRUE_MFA_TOTP_ENROLL_ENABLED: String(auth.mfa.totp.enroll_enabled),
      GOTRUE_MFA_TOTP_VERIFY_ENABLED: String(auth.mfa.totp.verify_enabled),
    });
    for (const [name, { subject, content_path: path }] of Object.entries(auth.email.template)) {
      expect(given[`GOTRUE_MAILER_SUBJECTS_${name.toUpperCase()}`]).toBe(subject);
      expect(given[`GOTRUE_MAILER_TEMPLATES_${name.toUpperCase()}`]).toBe(
        `https://shop.example.com/mails/${path.split("/").at(-1)!}`,
      );
    }
  });
});

describe("the files", () => {
  it("serve a function with the arguments of the local stack", () => {
    const script = readFileSync(join(folder, "serve.sh"), "utf8");
    const [, call] = /deno (serve [^]*?) "\/srv/.exec(script)!;
    const given = call!.replaceAll("\\\n", " ").split(/ +/);
    expect(given.filter((each) => !/^--allow-(?:read|write)=/.test(each))).toEqual(serveBundle);
  });

  it.each(["serve.sh", "update.sh"])("%s is a script that a shell can read", (name) => {
    const [, shell] = /^#!(\S+)/.exec(readFileSync(join(folder, name), "utf8"))!;
    expect(spawnSync(shell!, ["-n", join(folder, name)], { encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: "",
    });
  });

  skipFor(it, without("systemd-analyze"))("are units that systemd takes", async () => {
    const units = join(place, "units");
    mkdirSync(units);
    const names = readdirSync(join(folder, "systemd")).filter((name) => /\.(?:service|timer)$/.test(name));
    // The programs of the recipe are not on this machine.
    for (const name of names)
      writeFileSync(
        join(units, name),
        readFileSync(join(folder, "systemd", name), "utf8").replace(
          /^(Exec\w+=)(?:\/usr\/local\/lib\/store\/serve\.sh|\/usr\/bin\/podman)/gm,
          "$1/bin/true",
        ),
      );
    const given = names.map((name) => join(units, name.replace("@.", "@api.")));
    copyFileSync(join(units, "store-function@.service"), join(units, "store-function@api.service"));
    const { code, output } = await runCommand("systemd-analyze", ["verify", "--man=no", ...given]);
    expect([code, output]).toEqual([0, ""]);
  });

  skipFor(it, without("caddy"))("are a configuration that Caddy takes", async () => {
    const args = ["validate", "--adapter", "caddyfile", "--config", join(folder, "caddy/Caddyfile")];
    const { code, output } = await runCommand("caddy", args, { env: { STORE_DOMAIN: "shop.example.com" } });
    expect(code, output).toBe(0);
  });
});

const install = findInstall();
const cannotFollow =
  process.getuid?.() === 0 && process.platform === "linux" && install?.kind === "installed"
    ? undefined
    : "only root can follow docs/self_hosting/README.md, and it needs Postgres with pg_cron";

// Each test goes on with what the one before has started.
skipFor(describe, cannotFollow)("a server that follows the README", { concurrent: false }, () => {
  const running = new Running();
  const bin = install?.bin ?? "";
  const [data, sockets] = [join(place, "data"), join(place, "postgres")];
  const noted = join(place, "noted");
  let port: number;
  let script: string;
  let run: string;

  /** The lines of a section of the README that work on the database, for this server. */
  function commandsOf(section: number): string {
    const text = read("docs/self_hosting/README.md")
      .split(/^## /m)
      .find((each) => each.startsWith(`${section}. `))!;
    return [...text.matchAll(/^```\n(.*?)^```/gms)]
      .flatMap(([, block]) => block!.split("\n"))
      .filter((line) => !/^(?:systemctl|cp|curl|pg_createcluster|docs\/)/.test(line))
      .join("\n")
      .replaceAll("/etc/store", settings)
      .replaceAll("/opt/store", projectRoot)
      .replaceAll("127.0.0.1:5432", `127.0.0.1:${port}`);
  }

  /** Runs such lines. Each section goes on with the variables of the one before. */
  async function follow(...sections: number[]): Promise<string> {
    const commands = ["set -e", ...sections.map(commandsOf)].join("\n");
    const { code, output } = await runCommand("bash", ["-c", commands], {
      cwd: projectRoot,
      env: { PATH: `${bin}:${process.env.PATH}`, PGHOST: sockets, PGPORT: String(port), DATABASE_URL: "" },
    });
    expect(code, output).toBe(0);
    return output;
  }

  /** The address of a database in the settings, at the port of this server. */
  const address = (url: string) => url.replace("127.0.0.1:5432", `127.0.0.1:${port}`).replace(/\?.*/, "");

  /** Opens a connection as the owner of the store. */
  const openDatabase = () => connect(address(env("commands.env").DATABASE_URL!));

  beforeAll(async () => {
    port = await freePort();
    const user = serverUser();
    // Deno opens no socket below /dev, where the folders of tests may be.
    run = mkdtempSync("/tmp/store-run-");
    for (const each of [data, sockets]) expect(makeServerDirectory(each, user)).toBe(true);
    const options = /pg_createcluster 15 main (.*)$/m.exec(read("docs/self_hosting/README.md"))![1]!.split(" ");
    const given = options.filter((each) => each !== "--");
    const made = await runCommand(
      ...commandLine(
        join(bin, "initdb"),
        ["-D", data, "--auth-local=peer", "--auth-host=scram-sha-256", "--no-sync", ...given],
        "SIGTERM",
        user,
      ),
      { cwd: "/" },
    );
    expect(made.code, made.output).toBe(0);
    const own = `port = ${port}\nunix_socket_directories = '${sockets}'\nfsync = off\n`;
    appendFileSync(join(data, "postgresql.conf"), readFileSync(join(folder, "postgres/store.conf"), "utf8") + own);
    for (const name of ["pg_hba.conf", "pg_ident.conf"])
      writeFileSync(join(data, name), readFileSync(join(folder, "postgres", name), "utf8"));
    await running.startPart({
      name: "Postgres",
      command: join(bin, "postgres"),
      args: ["-D", data],
      logFile: join(place, "postgres.log"),
      isReady: async () => (await runCommand(join(bin, "pg_isready"), ["-h", sockets, "-p", String(port)])).code === 0,
      stopSignal: "SIGINT",
      user,
    });

    await follow(4);
    const auth = createAuthApp({
      databaseUrl: address(env("auth.env").GOTRUE_DB_DATABASE_URL!),
      jwtSecret: "unused-while-creating-tables",
      publishableKey: "unused",
      secretKey: "unused",
      siteUrl: "http://127.0.0.1",
    });
    await auth.ensureSystemSchema();
    await auth.connection.close();
    // Section 5 uses what section 4 has set, and may run twice.
    await follow(4, 5, 6);

    // The script, with the folders of this test in the place of those of the server.
    script = join(place, "serve.sh");
    const programs = join(place, "bin");
    for (const each of [join(run, "api"), programs]) mkdirSync(each);
    writeFileSync(
      script,
      readFileSync(join(folder, "serve.sh"), "utf8")
        .replaceAll("/run/store", run)
        .replaceAll("/usr/local/bin/deno", deno)
        .replaceAll("/srv/store/functions", await buildFunctions()),
    );
    writeFileSync(join(programs, "systemd-notify"), `#!/bin/sh\necho "$@" >> ${noted}\n`);
    for (const each of [script, join(programs, "systemd-notify")]) chmodSync(each, 0o755);
  });

  afterAll(async () => {
    for (const pid of pids()) if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
    await running.stop();
    rmSync(run, { recursive: true, force: true });
  });

  /** The processes that the script has reported to systemd. */
  const pids = () =>
    existsSync(noted)
      ? [...readFileSync(noted, "utf8").matchAll(/^--ready --pid=(\d+)$/gm)].map(([, pid]) => Number(pid))
      : [];

  const log = join(place, "api.log");
  const logged = () => readFileSync(log, "utf8");

  /**
   * Calls the script as systemd does. Its output goes to a file, because the process that it leaves keeps it.
   * @param main the process that serves now
   * @returns its exit code
   */
  const serve = async (args: string[], main?: number) => {
    const { code } = await runCommand("sh", ["-c", `"$0" "$@" >> ${log} 2>&1`, script, ...args], {
      env: {
        ...env("functions.env"),
        STORE_DB_URL: address(env("functions.env").STORE_DB_URL!),
        PATH: `${join(place, "bin")}:${process.env.PATH}`,
        DENO_DIR: denoCache,
        ...(main !== undefined && { MAINPID: String(main) }),
      },
      extendEnv: false,
    });
    return code;
  };

  /** Sends a request to the socket of the function. */
  const get = (path: string) =>
    new Promise<{ status: number; body: Record<string, unknown> }>((resolve, reject) => {
      request({ socketPath: join(run, "api/http"), path, agent: false }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part: string) => (text += part));
        response.on("end", () =>
          resolve({ status: response.statusCode!, body: JSON.parse(text) as Record<string, unknown> }),
        );
        response.on("error", reject);
      })
        .on("error", reject)
        .end();
    });

  it("has a store that is as the migrations created it, whose jobs pg_cron has", async () => {
    const sql = openDatabase();
    try {
      expect([...(await sql`select severity from app.verify_manifest()`)]).toEqual([{ severity: "ok" }]);
      const [jobs] = await sql<{ missing: number }[]>`
        select count(*)::integer as missing from app.scheduled_jobs as j
        where j.is_active and not exists (select from cron.job as c where c.jobname = j.name and c.active)`;
      expect(jobs).toEqual({ missing: 0 });
      const [owner] = await sql<{ is_superuser: string }[]>`select current_setting('is_superuser') as is_superuser`;
      expect(owner).toEqual({ is_superuser: "off" });
    } finally {
      await sql.end();
    }
  });

  it("replaces a function while it answers, without losing the request", async () => {
    const code = await serve(["start", "api"]);
    expect(code, logged()).toBe(0);
    const [first] = pids();
    expect(await get("/api/health")).toMatchObject({ status: 200, body: { schema: "served" } });

    const [sql, holder] = [openDatabase(), openDatabase()];
    const waiting = async () =>
      (await sql`select from pg_stat_activity where usename = 'store_api' and wait_event_type = 'Lock'`).length > 0;
    try {
      let answer: ReturnType<typeof get>;
      let replaced: ReturnType<typeof serve>;
      await holder.begin(async (transaction) => {
        await transaction`lock table app.products in access exclusive mode`;
        answer = get("/api/product");
        await eventually(waiting);
        replaced = serve(["start", "api"], first);
        await eventually(() => pids().length === 2);
        expect(await get("/api/health")).toMatchObject({ status: 200 });
        expect(existsSync(`/proc/${first}/exe`)).toBe(true);
      });
      expect(await answer!).toMatchObject({ status: 200 });
      const next = await replaced!;
      expect(next, logged()).toBe(0);
      await eventually(() => !existsSync(`/proc/${first}/exe`));
    } finally {
      await Promise.all([sql.end(), holder.end()]);
    }
  });

  it("keeps a function whose successor does not start, and ends it when it has nothing to answer", async () => {
    const [main] = pids().slice(-1);
    writeFileSync(join(settings, "functions.env"), "SUPABASE_URL=\n", { flag: "a" });
    expect(await serve(["start", "api"], main)).not.toBe(0);
    expect(await get("/api/health")).toMatchObject({ status: 200 });
    expect(await serve(["stop"], main), logged()).toBe(0);
    expect(existsSync(`/proc/${main}/exe`)).toBe(false);
  });
});

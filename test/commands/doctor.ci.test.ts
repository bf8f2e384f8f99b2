import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { Finding } from "../../scripts/doctor/finding.ts";
import { points } from "../../scripts/doctor/points.ts";
import { examineSites } from "../../scripts/doctor/site_findings.ts";
import { functionNames, sourceHash } from "../../scripts/generate/function_bundles.ts";
import { runSupabaseCli, supabaseCli } from "../../scripts/postgres/migrations.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { type ClonedDatabase, cloneDatabase, connect, stack } from "../support/index.ts";
import { type FakePlatform, startFakePlatform } from "../support/fake_platform.ts";
import { run } from "./run.ts";

let platform: FakePlatform;
/** A database of a new project, without migrations. */
let database: ClonedDatabase;

beforeAll(async () => {
  [platform, database] = await Promise.all([startFakePlatform(), cloneDatabase("platform")]);
});
afterAll(async () => {
  platform.stop();
  await database.drop();
});

/** Runs the doctor. The variables of this machine are left out. */
async function examine(
  args: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; findings: Finding[] }> {
  const nothing = { DATABASE_URL: "", STORE_DB_URL: "", SUPABASE_PUBLISHABLE_KEY: "" };
  const { code, stdout, output } = await run("doctor", [...args, "--json"], {
    ...nothing,
    ...platform.environment,
    ...environment,
  });
  expect(stdout, output).toMatch(/^\[/);
  return { code, findings: JSON.parse(stdout) as Finding[] };
}

/** Serves pages at the address of every interface of this machine. */
async function startSite(answer: (url: URL) => Response | Promise<Response>): Promise<{ base: string; stop(): void }> {
  const server = createServer((request, response) => {
    void (async () => {
      const reply = await answer(new URL(request.url!, "http://site"));
      response.writeHead(reply.status, Object.fromEntries(reply.headers)).end(await reply.text());
    })();
  }).listen(0, "0.0.0.0");
  await once(server, "listening");
  return { base: `http://0.0.0.0:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
}

/** The findings of a check, as `severity message → hint`. */
const of = (findings: Finding[], check: string) =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ severity, message, hint }) => `${severity} ${message}${hint ? ` → ${hint}` : ""}`);
const hosted = () => ["--project", platform.ref, "--url", platform.address];
/** The same gateway without a reference: the doctor does not start the Supabase CLI. */
const unhosted = () => ["--project", platform.address];
const asRole = (role: string, password: string, url = database.url) => {
  const address = new URL(url);
  Object.assign(address, { username: role, password });
  return address.href;
};

describe("npm run doctor, for a project that runs", () => {
  it("finds the functions, the keys that they take, the password, the roles and the migrations in order", async () => {
    const { supabase_url, database_url, publishable_key } = stack();
    const { findings } = await examine(["--project", supabase_url], {
      DATABASE_URL: database_url,
      SUPABASE_PUBLISHABLE_KEY: publishable_key,
    });
    expect(of(findings, "functions")).toEqual(functionNames().map((name) => `ok ${name} responds`));
    expect(of(findings, "keys")).toEqual(
      ["no key", "the publishable key as apikey", "the publishable key as bearer token"].map(
        (way) => `ok visitors with ${way} are served`,
      ),
    );
    for (const check of ["password", "roles", "migrations", "extension"])
      expect(of(findings, check), check).toEqual([expect.stringMatching(/^ok /)]);
    expect(of(findings, "worker")).toContain("ok worker rejects callers without its secret");
    expect(of(findings, "size")[0]).toMatch(/^ok [\d,]+ members, .* fits compute size Micro$/);
    expect(of(findings, "jobs").filter((text) => text.includes("not scheduled"))).toEqual([]);
  });
});

describe("npm run doctor, before a deployment", () => {
  it("reports a folder that is linked to no project, and is content after the real `supabase link`", async () => {
    expect(of((await examine(hosted())).findings, "link")).toEqual([
      `hint this folder is linked to no project → npx supabase link --project-ref ${platform.ref}`,
    ]);
    platform.publicKeys = [
      { name: "default", type: "publishable", api_key: "sb_publishable_x" },
      { name: "anon", type: "legacy", api_key: "ey.legacy.key" },
      { name: "default", type: "secret", api_key: "sb_secret_x" },
    ];
    const { SUPABASE_WORKDIR: folder, ...settings } = platform.environment;
    const { code, output } = await runCommand(
      process.execPath,
      [supabaseCli, "link", "--project-ref", platform.ref, "--workdir", folder!, "--yes", "--agent", "no"],
      { env: settings },
    );
    expect(code, output).toBe(0);
    expect(of((await examine(hosted())).findings, "link")).toEqual([`ok this folder is linked to ${platform.ref}`]);
    expect(of((await examine(["--project", "b".repeat(20), "--url", platform.address])).findings, "link")).toEqual([
      expect.stringContaining(`error this folder is linked to ${platform.ref}`),
    ]);
    platform.publicKeys = [];
  });

  it("says which secrets are missing, and which must not be there", async () => {
    expect(of((await examine(hosted())).findings, "secrets")).toEqual([
      expect.stringMatching(
        /^error STORE_DB_URL is missing.*→ In the file store.env: STORE_DB_URL=.*npx supabase secrets set --env-file store.env$/,
      ),
      expect.stringMatching(/^warning STORE_WORKER_SECRET is missing/),
    ]);
    const payments = async () => of((await examine(hosted())).findings, "payments");
    expect(await payments()).toEqual([expect.stringMatching(/^hint no payment provider is set up/)]);
    platform.secrets = [
      "STORE_DB_URL",
      "STORE_WORKER_SECRET",
      "STORE_WECHAT_MINI_APPID",
      "STORE_PAY_HMAC_SECRET",
      "STORE_LOCAL_PAYMENTS_URL",
    ];
    expect(of((await examine(hosted())).findings, "secrets")).toEqual([
      "ok STORE_DB_URL is set",
      "ok STORE_WORKER_SECRET is set",
      "error the mini program: STORE_WECHAT_MINI_SECRET missing → In the file store.env: STORE_WECHAT_MINI_SECRET=…   then: npx supabase secrets set --env-file store.env",
    ]);
    expect(await payments()).toEqual([
      "error STORE_LOCAL_PAYMENTS_URL: the payment provider of the local stack takes no money → npx supabase secrets unset STORE_LOCAL_PAYMENTS_URL",
      "ok a payment provider is set up",
    ]);
    platform.secrets = [];
  });

  it("counts what it could not look at as skipped, never as ok", async () => {
    const { code, findings } = await examine(hosted(), { SUPABASE_ACCESS_TOKEN: `sbp_${"1".repeat(40)}` });
    expect(code).toBe(1);
    for (const check of ["secrets", "database"])
      expect(of(findings, check), check).toEqual([expect.stringMatching(/^skipped .* → /)]);
  });

  it("reports a database without migrations, and then what the migrations do not do", async () => {
    const before = await examine(unhosted(), { DATABASE_URL: database.url });
    expect(of(before.findings, "migrations")).toEqual([
      expect.stringMatching(/^error \d+ of \d+ migrations are not applied: .* → npx supabase db push$/),
    ]);
    expect(of(before.findings, "extension")).toEqual([
      expect.stringMatching(/^error pg_cron is not enabled.*create extension pg_cron;/),
    ]);
    const pushed = await runSupabaseCli(["db", "push", `--remote=${database.url}`]);
    expect(pushed.code, pushed.output).toBe(0);
    const { code, findings } = await examine(unhosted(), { DATABASE_URL: database.url });
    expect(code).toBe(1);
    expect(of(findings, "migrations")).toEqual([expect.stringMatching(/^ok \d+ applied, none missing$/)]);
    expect(of(findings, "roles")).toEqual([expect.stringMatching(/^ok /)]);
    expect(of(findings, "administrators")).toEqual([
      "error nobody can sign in to the console → npm run admin -- add <email>",
    ]);
    expect(of(findings, "jobs")).toContainEqual(expect.stringMatching(/^error .*pg_cron/));
  });

  it("signs in with the address of the functions, and says how to mend a wrong password or role", async () => {
    const password = async (address: string) =>
      of((await examine(unhosted(), { STORE_DB_URL: address })).findings, "password")[0];
    expect(await password(asRole("store_api", "wrong"))).toMatch(
      /^error store_api cannot use the database .* → In the SQL editor: alter role store_api password/,
    );
    expect(await password(database.url)).toMatch(/^error STORE_DB_URL names the role postgres/);
    expect(await password("store")).toMatch(/^error STORE_DB_URL is not a database URL/);
  });

  it("compares migrations by their content, and names those that are missing or were applied with another one", async () => {
    const store = await cloneDatabase();
    const sql = connect(store.url);
    try {
      const [last] = await sql<{ version: string }[]>`
        delete from supabase_migrations.schema_migrations where version = (select max(version) from supabase_migrations.schema_migrations) returning version`;
      expect(of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "migrations")).toEqual([
        expect.stringMatching(new RegExp(`^error 1 of .* ${last!.version} → npm run upgrade -- --check$`)),
      ]);
      await sql`update supabase_migrations.schema_migrations set statements = statements || array['select 1'] where version = '20261120000000'`;
      expect(of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "migrations")).toEqual([
        expect.stringMatching(
          /^error 20261120000000 was applied with another content than in this folder.* → Check out the version that was deployed/,
        ),
      ]);
    } finally {
      await sql.end();
      await store.drop();
    }
  });

  it("reports a guarantee of the database that is switched off, with the statement that mends it", async () => {
    const store = await cloneDatabase();
    const sql = connect(store.url);
    try {
      await sql`alter table app.users disable row level security`;
      expect(of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "configuration")).toContainEqual(
        expect.stringMatching(
          /^error table app\.users: is now: no row-level security.* → Run as the owner of the store: alter table app\.users enable row level security$/,
        ),
      );
    } finally {
      await sql.end();
      await store.drop();
    }
  });

  it("reports a database that it cannot sign in to, and examines the rest", async () => {
    const { findings } = await examine(unhosted(), { DATABASE_URL: asRole("postgres", "wrong") });
    expect(of(findings, "database")).toEqual([
      expect.stringMatching(/^error .*password authentication failed.* → Correct the password in DATABASE_URL/),
    ]);
    expect(of(findings, "migrations")).toEqual(["skipped the database does not answer"]);
    expect(of(findings, "functions")).toHaveLength(functionNames().length);
  });

  it("opens a share link, and reports what a visitor would not see", async () => {
    const store = await cloneDatabase();
    const sql = connect(store.url);
    // Not a loopback address, which the configuration check reports; but one at which a server of this machine answers.
    let answer: (url: URL) => Response | Promise<Response>;
    const { base, stop } = await startSite((url) => answer(url));
    try {
      expect(of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "share address")).toContainEqual(
        expect.stringMatching(/^warning share page: leads to a local machine.* → Set the share link URL/),
      );
      const share = async (address: string) => {
        await sql`update app.settings set h5_share_url = ${address}`;
        return of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "share");
      };
      expect(await share("http://127.0.0.1:54321/h5")).toEqual([]);
      const withoutTls = expect.stringMatching(/^warning share links lead to .*, without TLS → /);
      const asked: string[] = [];
      answer = (url) => {
        asked.push(url.search);
        return new Response('<div id="first-shell"></div>');
      };
      expect(await share(`${base}/h5`)).toEqual([
        withoutTls,
        `ok share links lead to ${base}/h5, and open the H5 app with the member of the link`,
      ]);
      expect(asked).toEqual([expect.stringMatching(/^\?spread=\d+/)]);
      answer = () => new Response("Welcome to nginx");
      expect((await share(`${base}/h5`))[1]).toMatch(
        /^warning share links lead to .*, which is not the H5 app of this store → /,
      );
      answer = (url) =>
        url.pathname === "/new" ? new Response('<div id="first-shell"></div>') : Response.redirect(`${base}/new`);
      expect((await share(`${base}/h5`))[1]).toMatch(
        /^error share links lose their member: .*\/h5 leads to .*\/new → /,
      );
      answer = () => new Response("", { status: 404 });
      expect((await share(`${base}/h5`))[1]).toMatch(/^error share links lead to .*, which answers 404 → /);
      expect(await share("https://store.invalid/h5")).toEqual([
        expect.stringMatching(/^warning share links .* cannot be opened from here/),
      ]);
      expect(await share("https://shop.example.com/h5/#/")).toEqual([]);
      expect(of((await examine(unhosted(), { DATABASE_URL: store.url })).findings, "share address")).toContainEqual(
        "error share links: share links lose their member: https://shop.example.com/h5/#/ → Set the share link URL on the settings page of the console to https://shop.example.com/h5/",
      );
    } finally {
      stop();
      await sql.end();
      await store.drop();
    }
  });

  it("reports a project that cannot be reached", async () => {
    const { findings } = await examine(["--project", "https://store.invalid"]);
    expect(of(findings, "functions")).toEqual(
      functionNames().map((name) => expect.stringMatching(new RegExp(`^error ${name} cannot be reached`))),
    );
  });
});

describe("npm run doctor, after a deployment", () => {
  const respond = (status: number, body: object, source?: string) => {
    for (const name of functionNames())
      platform.responses.set(`/functions/v1/${name}/openapi.json`, {
        status,
        body,
        ...(source && { headers: { "x-store-source": source } }),
      });
  };
  const served = (extra: [string, { status: number; body: object; contentType?: string }][]) => {
    respond(200, { openapi: "3.1.0" });
    const problem = (status: number, code: string) => ({
      status,
      body: { code },
      contentType: "application/problem+json",
    });
    platform.responses.set("/functions/v1/api/sign/required_article", { status: 200, body: {} });
    platform.responses.set("/functions/v1/api/health", { status: 200, body: { status: "ok" } });
    platform.responses.set("/functions/v1/worker/run", problem(401, "unauthenticated"));
    for (const [path, reply] of extra) platform.responses.set(path, reply);
  };

  it.each([
    ["are not deployed", 404, { code: "NOT_FOUND" }, /is not deployed → npm run functions:deploy/],
    [
      "reject visitors at the gateway",
      401,
      { code: "UNAUTHORIZED_NO_AUTH_HEADER" },
      /verification of tokens by the gateway.* → npm run functions:deploy/,
    ],
    ["do not start", 503, { code: "BOOT_ERROR" }, /does not start \(status 503\) → See the log/],
  ])("says of functions that %s what to do", async (_what, status, body, message) => {
    respond(status, body);
    const { code, findings } = await examine(unhosted());
    expect(code).toBe(1);
    expect(of(findings, "functions")).toEqual(functionNames().map(() => expect.stringMatching(message)));
    platform.responses.clear();
  });

  it("advises no new password where a privilege is missing", async () => {
    served([
      [
        "/functions/v1/api/health",
        { status: 403, body: { code: "forbidden" }, contentType: "application/problem+json" },
      ],
    ]);
    const { findings } = await examine(unhosted());
    expect(of(findings, "privileges")).toEqual([
      expect.stringMatching(/^error .*a privilege of store_api is missing → A privilege is missing, not the password/),
    ]);
    expect(of(findings, "password")).toEqual([]);
    platform.responses.clear();
  });

  it("says that the functions do not reach the database, and that the older keys are rejected", async () => {
    const unavailable = {
      status: 503,
      body: { code: "database_unavailable" },
      contentType: "application/problem+json",
    };
    served([
      ["/functions/v1/api/health", unavailable],
      [
        "/functions/v1/api/sign/required_article",
        { status: 401, body: { code: "invalid_token" }, contentType: "application/problem+json" },
      ],
    ]);
    platform.publicKeys = [
      { name: "anon", type: "legacy", api_key: "ey.legacy.key" },
      { name: "default", type: "secret", api_key: "sb_secret_never_shown" },
    ];
    const { findings } = await examine(hosted());
    expect(of(findings, "password")).toEqual([
      expect.stringMatching(
        /^error the functions do not reach the database as store_api \(database_unavailable\) → In the SQL editor: alter role store_api password/,
      ),
    ]);
    expect(of(findings, "keys")).toContainEqual(
      expect.stringMatching(
        /^error visitors with the anon key as bearer token are rejected \(invalid_token\) → In the file store.env: STORE_JWT_SECRET=…/,
      ),
    );
    expect(JSON.stringify(findings)).not.toContain("sb_secret_never_shown");
    platform.responses.clear();
    platform.publicKeys = [];
  });

  it.each([
    ["of other sources", "0123456789abcdef"],
    ["of a version that does not say its sources", undefined],
  ])("reports bundles %s, with the command that builds and deploys them", async (_what, source) => {
    respond(200, { openapi: "3.1.0" }, source);
    expect(of((await examine(unhosted())).findings, "functions")).toEqual(
      functionNames().map(
        (name) =>
          `warning ${name} responds, but was built from other sources than those in this folder → npm run functions:deploy`,
      ),
    );
    respond(200, { openapi: "3.1.0" }, sourceHash());
    expect(of((await examine(unhosted())).findings, "functions")).toEqual(
      functionNames().map((name) => `ok ${name} responds`),
    );
    platform.responses.clear();
  });

  it("reports accounts that Auth does not confirm, by phone only if members can sign up by it", async () => {
    const signUp = async (external: object, settings: object) => {
      platform.responses.set("/auth/v1/settings", { status: 200, body: { external, ...settings } });
      return of((await examine(hosted())).findings, "sign-up");
    };
    expect(of((await examine(hosted())).findings, "sign-up")).toEqual([
      expect.stringMatching(/^skipped the settings of Auth could not be read/),
    ]);
    expect(await signUp({ email: true, phone: true }, { mailer_autoconfirm: true, phone_autoconfirm: true })).toEqual([
      expect.stringMatching(
        /^error Auth does not confirm phone numbers: whoever enters the number of an imported member gets that member → Dashboard/,
      ),
      expect.stringMatching(/^error Auth does not confirm email addresses: .* → Dashboard/),
    ]);
    expect(await signUp({ email: true, phone: false }, { mailer_autoconfirm: false, phone_autoconfirm: true })).toEqual(
      ["ok Auth confirms email addresses"],
    );
    platform.responses.clear();
  });

  it("reports a supabase/config.toml that would switch the confirmation of accounts off", async () => {
    const file = join(platform.environment.SUPABASE_WORKDIR!, "supabase/config.toml");
    const before = readFileSync(file, "utf8");
    const config = async (text: string) => {
      writeFileSync(file, `${before}\n${text}`);
      return of((await examine(unhosted())).findings, "config");
    };
    expect(await config("[auth.email]\nenable_confirmations = true\n[auth.sms]\nenable_signup = true\n")).toEqual([
      expect.stringMatching(
        /^warning supabase\/config.toml does not confirm phone numbers: .* → In supabase\/config.toml, section \[auth.sms\]/,
      ),
      "ok supabase/config.toml confirms email addresses",
      expect.stringMatching(/^warning supabase\/config.toml offers no second factor: /),
    ]);
    expect(
      await config(readFileSync(join(projectRoot, "supabase/config.toml"), "utf8").replace(/^project_id.*$/m, "")),
    ).toEqual(
      ["confirms phone numbers", "confirms email addresses", "offers a second factor"].map(
        (what) => `ok supabase/config.toml ${what}`,
      ),
    );
    writeFileSync(file, before);
  });

  it("reports links of mails that lead to the machine of whoever opens them, in the project and in supabase/config.toml", async () => {
    const addresses = async () => of((await examine(hosted())).findings, "addresses");
    expect(await addresses()).toEqual([
      expect.stringMatching(
        /^error links of mails lead to http:\/\/localhost:3000, .* → npm run deploy -- --project a{20} --h5 https:/,
      ),
    ]);
    Object.assign(platform.auth, {
      site_url: "https://shop.example.com",
      uri_allow_list: "https://shop.example.com/**,http://127.0.0.1:*/**",
    });
    expect(await addresses()).toEqual([
      "ok links of mails lead to https://shop.example.com",
      expect.stringMatching(/^warning links of mails may lead to .*: http:\/\/127\.0\.0\.1:\*\/\*\* → npm run deploy/),
    ]);
    platform.answer = ({ route }) => (route.includes("/config") ? [403, { message: "no permission" }] : undefined);
    expect(await addresses()).toEqual([
      expect.stringMatching(/^skipped the settings of Auth could not be read: .*npx supabase config push --help/),
    ]);
    delete platform.answer;

    const file = join(platform.environment.SUPABASE_WORKDIR!, "supabase/config.toml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `${before}\n[auth]\nsite_url = "http://127.0.0.1:54321"\n`);
    expect(of((await examine(unhosted())).findings, "config")).toContainEqual(
      expect.stringMatching(
        /^error supabase\/config.toml has http:\/\/127.0.0.1:54321: .* → In supabase\/config.toml, section \[auth\]: remove/,
      ),
    );
    writeFileSync(file, before);
  });

  it("says who sends the mails of Auth, and whether there is a backup", async () => {
    const found = async (check: string) => of((await examine(hosted())).findings, check);
    expect(await found("mails")).toEqual([
      expect.stringMatching(/^warning Supabase sends the mails of Auth: .* → Dashboard, Authentication, Emails, SMTP/),
    ]);
    expect(await found("backups")).toEqual([expect.stringMatching(/^warning the project has no backup → A plan/)]);
    platform.auth.smtp_host = "smtp.example.com";
    const inserted_at = new Date().toISOString();
    platform.backups.backups = [{ id: 1, is_physical_backup: true, status: "COMPLETED", inserted_at }];
    const { findings } = await examine(hosted());
    expect(of(findings, "mails")).toEqual(["ok smtp.example.com sends the mails of Auth"]);
    expect(of(findings, "backups")).toEqual([`ok the last one is of ${inserted_at}`]);
    platform.backups = { pitr_enabled: true, backups: [] };
    expect(await found("backups")).toEqual(["ok the project can be restored to any point in time"]);
  });

  it("opens the sites where Auth says that they are, and tells those of another project", async () => {
    const project = { ref: platform.ref, url: `https://${platform.ref}.supabase.co` };
    const [shop, admin, foreign] = [
      "https://shop.example.com",
      "https://admin.example.com",
      "https://other.example.com",
    ];
    const projects = new Map([
      [`${shop}/config.json`, project.url],
      [`${admin}/config.json`, project.url],
      [`${foreign}/config.json`, "https://store.invalid"],
    ]);
    vi.stubGlobal("fetch", (url: string) => {
      const supabase_url = projects.get(url);
      return Promise.resolve(supabase_url ? Response.json({ supabase_url }) : new Response("", { status: 404 }));
    });
    const sites = async (siteUrl: string, ...redirects: string[]) => {
      const auth = { siteUrl, redirects, passwordLength: 10, mailServer: undefined };
      return of(await examineSites(project, auth), "sites");
    };
    expect(await sites(shop, `${shop}/**`, `${admin}/**`, "store://sign-in")).toEqual([
      `ok the H5 app of this project is at ${shop}`,
      `ok the console of this project is at ${admin}`,
    ]);
    expect(await sites(foreign, `${foreign}/**`)).toEqual([
      expect.stringMatching(
        /^warning .* is not the H5 app of this project, but that of https:\/\/store.invalid → Upload/,
      ),
      expect.stringMatching(/^warning nobody has said where the console is → npm run deploy, with --h5 and --console/),
    ]);
    expect((await sites(shop, "https://nowhere.example.com/**"))[1]).toMatch(
      /^warning the console of this project is not at https:\/\/nowhere.example.com: it answers 404 for config.json/,
    );
    expect(await sites("http://localhost:3000")).toEqual([expect.stringMatching(/^skipped nobody has said/)]);
  });

  it("opens the sites of a server of one's own where the variables say that they are", async () => {
    const project = { ref: undefined, url: "https://shop.example.com" };
    const pages = ["/h5/config.json", "/console/config.json"].map((path) => project.url + path);
    vi.stubGlobal("fetch", (url: string) =>
      Promise.resolve(
        pages.includes(url) ? Response.json({ supabase_url: project.url }) : new Response("", { status: 404 }),
      ),
    );
    const sites = async (h5: string, console: string) => {
      vi.stubEnv("STORE_H5_URL", h5);
      vi.stubEnv("STORE_CONSOLE_URL", console);
      return of(await examineSites(project, undefined), "sites");
    };
    expect(await sites("", "")).toEqual([
      "skipped nobody has said where the sites are → Set STORE_H5_URL and STORE_CONSOLE_URL",
    ]);
    expect(await sites("https://shop.example.com/h5/", "https://shop.example.com/console/")).toEqual([
      "ok the H5 app of this project is at https://shop.example.com/h5/",
      "ok the console of this project is at https://shop.example.com/console/",
    ]);
    expect(await sites("https://shop.example.com/", "")).toEqual([
      expect.stringMatching(/^warning https:\/\/shop.example.com\/ is not the H5 app .* 404 for config.json → Upload/),
      "warning nobody has said where the console is → Set STORE_H5_URL and STORE_CONSOLE_URL",
    ]);
  });

  it("expects no pg_net on a server of one's own, but that something calls the worker", async () => {
    const store = await cloneDatabase();
    const sql = connect(store.url);
    const worker = async (project: string[]) =>
      of((await examine(project, { DATABASE_URL: store.url })).findings, "worker")[0];
    try {
      expect(await worker(unhosted())).toBe("ok no call waits for the worker, which is called without pg_net here");
      expect(await worker(hosted())).toMatch(/^warning pg_net is not enabled/);
      await sql`select app.add_to_outbox('transfer', '1', '{"withdrawal_id": 1}', now() - interval '4 minutes', now())`;
      expect(await worker(unhosted())).toMatch(/^ok /);
      await sql`update app.outbox set run_after = now() - interval '6 minutes'`;
      expect(await worker(unhosted())).toMatch(
        /^warning 1 calls have been due for more than five minutes: nothing calls the worker → Call it each minute/,
      );
    } finally {
      await sql.end();
      await store.drop();
    }
  });

  it("compares how tokens are signed with what the functions know", async () => {
    const jwks = "/auth/v1/.well-known/jwks.json";
    served([[jwks, { status: 200, body: { keys: [] } }]]);
    expect(of((await examine(hosted())).findings, "jwt")).toEqual([
      expect.stringMatching(/^error tokens are signed with the shared secret, which the functions do not have/),
    ]);
    platform.secrets = ["STORE_DB_URL", "STORE_JWT_SECRET"];
    expect(of((await examine(hosted())).findings, "jwt")).toEqual([
      "ok tokens are signed with the shared secret, which the functions have",
    ]);
    served([[jwks, { status: 200, body: { keys: [{ kty: "EC" }] } }]]);
    expect(of((await examine(unhosted())).findings, "jwt")).toEqual(["ok tokens are signed with a key of the project"]);
    platform.responses.clear();
    platform.secrets = [];
  });
});

describe("npm run doctor", () => {
  it.each([
    [["--project", "my project"], "neither the reference of a project"],
    [[], "Which project?"],
    [["--project", "a".repeat(20), "--url", "nowhere"], "neither the reference"],
  ])("rejects %j with status 2", async (args, message) => {
    const { code, output } = await run("doctor", args, { DATABASE_URL: "" });
    expect([code, output]).toEqual([2, expect.stringContaining(message)]);
  });

  it("answers each point of the list in its order, says what to do about each no, and counts", async () => {
    const { code, output } = await run("doctor", hosted(), {
      DATABASE_URL: "",
      STORE_DB_URL: "",
      ...platform.environment,
    });
    expect(code).toBe(1);
    const answered = [...output.matchAll(/^ {2}\S (yes|no|unknown) +\d {2}(.*)$/gm)];
    const titles = answered.map(([, , title]) => points.find((point) => title!.startsWith(point.title))?.title);
    expect(titles).toEqual(points.map(({ title }) => title));
    expect(output).toMatch(/^ {2}✓ yes {6}2 {2}The project runs$/m);
    expect(output).toMatch(
      /^ {2}✗ no {7}3 {2}Functions of this version$\n +adminapi is not deployed; .*\n +→ npm run functions/m,
    );
    expect(output).toMatch(/^ {2}\? unknown {2}3 {2}Migrations$/m);
    expect(output).toMatch(/^Unknown, because DATABASE_URL is not set\n {2}→ Set DATABASE_URL/m);
    const [yes, no, unknown] = ["yes", "no", "unknown"].map(
      (each) => answered.filter(([, answer]) => answer === each).length,
    );
    expect(output).toContain(`\n${yes} yes, ${no} no, ${unknown} unknown. Checks: `);
  });

  it("names the point of each finding as JSON", async () => {
    const { findings } = await examine(hosted());
    expect(findings).toContainEqual(expect.objectContaining({ point: "Backups", check: "backups" }));
  });
});

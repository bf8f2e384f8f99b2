import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { runAsUser } from "../../scripts/command_line/supabase_cli.ts";
import { authSettings, settingsOf, siteAddresses } from "../../scripts/deploy/auth_step.ts";
import type { Platform } from "../../scripts/deploy/platform.ts";
import type { Target } from "../../scripts/deploy/target.ts";
import { leadsToThisMachine, readHostedAuth } from "../../scripts/doctor/hosted_auth.ts";
import { git } from "../../scripts/ground/git.ts";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { runCommand } from "../../scripts/ground/run_command.ts";
import { npm, releaseClones } from "../commands/release_clones.ts";
import { type FakePlatform, startFakePlatform } from "../support/fake_platform.ts";

// What whoever takes over this repository meets first: a checkout that belongs to somebody else, and a CI of their own.

// actions/checkout#1048, actions/runner#2033, dorny/paths-filter#316: in a container job, the user of the machine has
// the folder, and root works in it.
describe("a checkout that belongs to another user", () => {
  const { clone } = releaseClones();
  /**
   * Without root, nobody can give files away. git has a switch for its own tests, with which every folder belongs to
   * somebody else.
   */
  const isRoot = process.getuid?.() === 0;

  it("is refused by git itself, and read by the commands of this project", async () => {
    const place = await clone();
    for (const name of ["GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM"]) vi.stubEnv(name, "/dev/null");
    if (isRoot)
      expect(await runCommand("chown", ["--recursive", "--no-dereference", "1001:1001", place])).toMatchObject({
        code: 0,
      });
    else vi.stubEnv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1");
    expect(await runCommand("git", ["rev-parse", "HEAD"], { cwd: place })).toMatchObject({
      code: 128,
      output: expect.stringContaining("dubious ownership"),
    });
    expect(await git(["rev-parse", "HEAD"], place)).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^[0-9a-f]{40}\n$/),
    });
    const { code, output } = await npm(place, "release", "--dry-run");
    expect([code, output]).toEqual([0, expect.stringContaining("RELEASE_NOTES.md")]);
  });

  it("is asked by nothing but the function that excepts it", () => {
    const sources = ["scripts", "test"].flatMap((folder) =>
      readdirSync(join(projectRoot, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => name.endsWith(".ts"))
        .map((name) => join(folder, name)),
    );
    const direct = sources.filter((file) =>
      /\b(?:runCommand|spawn|spawnSync|execa)\(\s*"git"/.test(readFileSync(join(projectRoot, file), "utf8")),
    );
    // The clones of release_clones.ts belong to whoever makes them.
    expect(direct.sort()).toEqual([
      "scripts/ground/git.ts",
      "test/commands/release_clones.ts",
      "test/field/adopters.test.ts",
    ]);
  });
});

// supabase/cli#3208, supabase/cli#3486: the settings of the local stack are pushed over those of a project, first of
// all the address of the site.
describe("the settings of Auth of a project", () => {
  let platform: FakePlatform;
  /** What a company has set in the Dashboard. */
  const own = {
    site_url: "https://shop.example.com/h5",
    uri_allow_list: "https://shop.example.com/h5/**,com.example.app://sign-in",
    smtp_host: "smtp.example.com",
    smtp_port: "465",
    smtp_user: "store",
    rate_limit_email_sent: 500,
    rate_limit_otp: 90,
    external_phone_enabled: true,
    external_email_enabled: false,
    security_captcha_enabled: true,
    security_captcha_provider: "turnstile",
    mfa_max_enrolled_factors: 4,
    password_min_length: 14,
    jwt_exp: 900,
    disable_signup: true,
  };

  beforeEach(async () => {
    platform = await startFakePlatform();
    for (const [name, value] of Object.entries(platform.environment)) vi.stubEnv(name, value);
  });
  afterEach(() => platform.stop());

  const step = async (given: { h5?: string; console?: string }) => {
    const auth = await readHostedAuth(platform.ref);
    if ("failure" in auth) throw new Error(auth.failure);
    return authSettings({ ref: platform.ref } as Target, { auth: auth.value } as Platform, {
      h5: given.h5,
      console: given.console,
    });
  };

  // Guarantee operation/deployment: No deployment points the links of mails to the reader's machine, or changes mail
  // server, limits and ways to sign in of a project
  // By: scripts/deploy/auth_step.ts; supabase/config.toml declares nothing that differs between projects
  it("stay what they are where `supabase config push` has nothing to say about them", async () => {
    Object.assign(platform.auth, own);
    const folder = mkdtempSync(join(tmpdir(), "store-config-"));
    try {
      cpSync(join(projectRoot, "supabase/config.toml"), join(folder, "supabase/config.toml"));
      cpSync(join(projectRoot, "supabase/templates"), join(folder, "supabase/templates"), { recursive: true });
      const { code, output } = await runAsUser(["config", "push", `--remote=${platform.ref}`, "--yes"], folder);
      expect([code, output]).toEqual([0, expect.stringContaining("Push config changes to Auth")]);
      const { password_min_length, ...others } = own;
      expect(platform.auth).toMatchObject({ ...others, mfa_totp_verify_enabled: true, mailer_autoconfirm: false });
      expect(password_min_length).toBeGreaterThan(10);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  // Guarantee operation/deployment
  it("follow from the addresses of its sites, and keep what the project has besides", async () => {
    Object.assign(platform.auth, own, {
      uri_allow_list: `${own.uri_allow_list},http://localhost:3000/**,http://127.0.0.1:*/**`,
    });
    const moved = await step({ h5: "https://new.example.com", console: "https://admin.example.com" });
    expect(await moved.left()).toMatch(/^set .*additional_redirect_urls.*site_url/);
    await moved.run(() => undefined);
    const { site_url: before, uri_allow_list: pages, ...others } = own;
    expect(platform.auth).toMatchObject({
      ...others,
      site_url: "https://new.example.com",
      uri_allow_list: `https://new.example.com/**,https://admin.example.com/**,${pages}`,
      mailer_subjects_invite: "管理后台邀请 · Invitation to the console",
      mfa_totp_enroll_enabled: true,
      mfa_totp_verify_enabled: true,
      sms_autoconfirm: false,
    });
    expect(before).not.toBe(platform.auth.site_url);
    expect(await moved.left()).toBeUndefined();
    expect(await (await step({})).left()).toBeUndefined();
  });

  it("wait for the addresses of the sites on a new project, and are otherwise complete", async () => {
    const early = await step({});
    await early.run(() => undefined);
    expect(platform.auth).toMatchObject({
      site_url: "http://localhost:3000",
      uri_allow_list: "",
      mfa_totp_verify_enabled: true,
    });
    expect(await early.left()).toBeUndefined();
  });

  const loopback = [
    "http://127.0.0.1:54321",
    "https://127.0.0.1/h5",
    "https://127.1",
    "http://localhost:3000/**",
    "https://LOCALHOST",
    "https://localhost./",
    "https://shop.localhost/h5",
    "http://localhost:*/**",
    "https://0.0.0.0",
    "https://[::1]:8443/",
    "https://[::ffff:127.0.0.1]/",
    "https://user@localhost/",
  ];

  // Guarantee operation/deployment
  it.each(loopback)("never lead to this machine: %s", async (address) => {
    expect(leadsToThisMachine(address)).toBe(true);
    await expect(siteAddresses({ h5: address })).rejects.toThrow("the machine of whoever opens a mail");
    vi.stubEnv("STORE_CONSOLE_URL", address);
    await expect(siteAddresses({ h5: "https://shop.example.com" })).rejects.toThrow("STORE_CONSOLE_URL is");
    const auth = { siteUrl: "", redirects: [], passwordLength: 0, mailServer: undefined };
    const settings = (lines: string) => () =>
      settingsOf(`[auth]\nminimum_password_length = 10\n${lines}`, auth, {
        h5: "https://shop.example.com",
        console: undefined,
      });
    expect(settings(`site_url = "${address}"`)).toThrow("supabase/config.toml leads the links of mails to");
    expect(settings(`additional_redirect_urls = ["https://shop.example.com/**", "${address}"]`)).toThrow(address);
  });

  it.each([
    "https://localhost.example.com",
    "https://127.0.0.1.example.com",
    "https://1270.example.com",
    "com.example.app://localhost-login",
  ])("may lead to a name that only looks so: %s", (address) => expect(leadsToThisMachine(address)).toBe(false));

  it.each([
    "shop.example.com",
    "http://shop.example.com",
    "https://shop.example.com/#/",
    "https://shop.example.com/?from=x",
    "https://*.example.com",
    "https://a.example.com,https://b.example.com",
  ])("have whole addresses: %s", (address) =>
    expect(siteAddresses({ h5: address })).rejects.toThrow("is no address of a site"),
  );
});

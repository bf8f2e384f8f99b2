import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { projectRoot } from "../../scripts/ground/paths.ts";
import { leastPassword } from "../../apps/shared/auth_failure.ts";

/** The settings by section, without comments. */
function settings(toml: string): Record<string, Record<string, string>> {
  let section: Record<string, string> = {};
  const sections: Record<string, Record<string, string>> = { "": section };
  for (const line of toml.split("\n").filter((each) => !each.startsWith("#"))) {
    const [, name] = line.match(/^\[(.+)\]$/) ?? [];
    if (name) section = sections[name] ??= {};
    const [, key, value] = line.match(/^(\w+) = (.+)$/) ?? [];
    if (key) section[key] = value!;
  }
  return sections;
}

it("supabase/config.toml requires confirmed email addresses and phone numbers, and rejects short passwords, and offers a second factor", () => {
  const toml = readFileSync(join(projectRoot, "supabase/config.toml"), "utf8");
  const { auth, "auth.email": email, "auth.sms": sms, "auth.mfa.totp": totp } = settings(toml);
  expect(Number(auth!.minimum_password_length)).toBeGreaterThanOrEqual(10);
  expect(auth).toMatchObject({ enable_anonymous_sign_ins: "false", enable_refresh_token_rotation: "true" });
  expect(email).toMatchObject({
    enable_confirmations: "true",
    secure_password_change: "true",
    double_confirm_changes: "true",
  });
  expect(sms).toMatchObject({ enable_confirmations: "true" });
  expect(totp).toEqual({ enroll_enabled: "true", verify_enabled: "true" });
  // What differs between projects stays as each has it: the CLI pushes only what the file declares.
  for (const name of ["site_url", "additional_redirect_urls", "enable_signup", "jwt_expiry"])
    expect(auth).not.toHaveProperty(name);
  for (const way of [email, sms]) expect(way).not.toHaveProperty("enabled");
  for (const section of ["auth.captcha", "auth.rate_limit", "auth.email.smtp"])
    expect(toml).toContain(`# [${section}]`);
});

it("the pages and the examples in docs/ ask for passwords as long as supabase/config.toml does", () => {
  const { auth } = settings(readFileSync(join(projectRoot, "supabase/config.toml"), "utf8"));
  expect(String(leastPassword)).toBe(auth!.minimum_password_length);
  const documents = readdirSync(join(projectRoot, "docs")).filter((name) => name.endsWith(".md"));
  const asked = documents.flatMap((name) => [
    ...readFileSync(join(projectRoot, "docs", name), "utf8").matchAll(/minlength="(\d+)"/g),
  ]);
  expect(asked.length).toBeGreaterThan(0);
  expect(asked.filter(([, length]) => length !== auth!.minimum_password_length).map(([text]) => text)).toEqual([]);
});

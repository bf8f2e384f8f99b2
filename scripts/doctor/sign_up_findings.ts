import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type TomlTable } from "smol-toml";
import { isLoopback } from "../../functions/_shared/ground/loopback.ts";
import { workdir } from "../command_line/supabase_cli.ts";
import { error, type Finding, ok, skipped, warning } from "./finding.ts";
import { leadsToThisMachine } from "./hosted_auth.ts";
import type { Project } from "./project.ts";
import { request } from "./request.ts";

/** The ways to sign up whose addresses Auth has to confirm, and what depends on that. */
const ways = [
  {
    provider: "phone",
    setting: "phone_autoconfirm",
    section: "auth.sms",
    what: "phone numbers",
    danger: "whoever enters the number of an imported member gets that member",
    fix: "Dashboard, Authentication, Sign In / Providers, Phone: switch on Enable phone confirmations",
  },
  {
    provider: "email",
    setting: "mailer_autoconfirm",
    section: "auth.email",
    what: "email addresses",
    danger: "anybody can create an account with the address of somebody else, such as an administrator",
    fix: "Dashboard, Authentication, Sign In / Providers: switch on Confirm email",
  },
];

/**
 * Examines whether Auth confirms the phone number and the email address of a new account, now and after
 * `supabase config push`.
 * @param publicKeys keys that clients send; the gateway of a hosted project rejects requests without one
 */
export async function examineSignUp(project: Project, publicKeys: ReadonlyMap<string, string>): Promise<Finding[]> {
  return [...(await authFindings(project, publicKeys)), ...configFindings()];
}

async function authFindings({ ref, url }: Project, publicKeys: ReadonlyMap<string, string>): Promise<Finding[]> {
  if (ref === undefined && isLoopback(url))
    return [skipped("sign-up", "the Auth server of a local stack confirms nothing", "")];
  const [key] = publicKeys.values();
  const { status, body } = await request(`${url}/auth/v1/settings`, key === undefined ? {} : { apikey: key });
  if (status !== 200) {
    return [
      skipped(
        "sign-up",
        `the settings of Auth could not be read (status ${status})`,
        key === undefined
          ? "Run `npx supabase login`, or set SUPABASE_PUBLISHABLE_KEY."
          : status === 401
            ? "SUPABASE_PUBLISHABLE_KEY is not a key of this project: copy it anew (Dashboard, Settings, API Keys)."
            : `Check the address: ${url}/auth/v1/settings`,
      ),
    ];
  }
  const offered = (body.external ?? {}) as Record<string, unknown>;
  return ways
    .filter(({ provider }) => offered[provider] === true)
    .map(({ setting, what, danger, fix }) =>
      body[setting] === false
        ? ok("sign-up", `Auth confirms ${what}`)
        : error("sign-up", `Auth does not confirm ${what}: ${danger}`, fix),
    );
}

/** The value of a setting. @param path its section and its name, with dots between */
const settingOf = (settings: TomlTable, path: string) =>
  path.split(".").reduce<unknown>((table, name) => (table as TomlTable | undefined)?.[name], settings);

/** `supabase config push` gives the project the settings of the file. */
function configFindings(): Finding[] {
  const file = join(workdir(), "supabase/config.toml");
  if (!existsSync(file)) return [];
  const settings = parse(readFileSync(file, "utf8"));
  /** Without the setting, the CLI takes `false`. */
  const isOn = (section: string, name: string) => settingOf(settings, `${section}.${name}`) === true;
  const confirmations = ways.map(({ section, what }) =>
    isOn(section, "enable_confirmations")
      ? ok("config", `supabase/config.toml confirms ${what}`)
      : warning(
          "config",
          `supabase/config.toml does not confirm ${what}: \`supabase config push\` would switch the confirmation off`,
          `In supabase/config.toml, section [${section}]: enable_confirmations = true`,
        ),
  );
  const offersSecondFactors = ["enroll_enabled", "verify_enabled"].every((name) => isOn("auth.mfa.totp", name));
  const addresses = ["auth.site_url", "auth.additional_redirect_urls"].flatMap(
    (path) => settingOf(settings, path) ?? [],
  ) as string[];
  const wrong = addresses.filter(leadsToThisMachine);
  return [
    ...confirmations,
    ...(wrong.length === 0
      ? []
      : [
          error(
            "config",
            `supabase/config.toml has ${wrong.join(", ")}: \`supabase config push\` would lead the links of mails to the machine of whoever opens them`,
            "In supabase/config.toml, section [auth]: remove site_url and additional_redirect_urls. `npm run deploy` knows the addresses",
          ),
        ]),
    offersSecondFactors
      ? ok("config", "supabase/config.toml offers a second factor")
      : warning(
          "config",
          "supabase/config.toml offers no second factor: `supabase config push` would switch it off for administrators",
          "In supabase/config.toml, section [auth.mfa.totp]: enroll_enabled = true and verify_enabled = true",
        ),
  ];
}

import { askSupabase, type CliResult, linkedProject } from "../command_line/supabase_cli.ts";
import { error, type Finding, ok, skipped, warning } from "./finding.ts";
import { DB_URL_EXAMPLE, secretHint } from "./hints.ts";
import { AUTH_PERMISSION, type HostedAuth, leadsToThisMachine, readHostedAuth } from "./hosted_auth.ts";
import type { Project } from "./project.ts";

/** The names of the secrets of the edge functions. */
export type SecretNames = ReadonlySet<string>;

/** What the platform knows about a hosted project. */
export interface Platform {
  findings: Finding[];
  /** undefined if the platform did not respond. */
  secrets: SecretNames | undefined;
  /** Keys that clients may have, by name. */
  publicKeys: Map<string, string>;
}

/** What to do if the platform does not know the user. */
export const LOGIN = "Run `npx supabase login`, or set SUPABASE_ACCESS_TOKEN (Dashboard, Account, Access Tokens).";

/** Settings of which either all or none are set. */
const GROUPS: Record<string, string[]> = {
  "the mini program": ["STORE_WECHAT_MINI_APPID", "STORE_WECHAT_MINI_SECRET"],
  "web pages in WeChat": ["STORE_WECHAT_H5_APPID", "STORE_WECHAT_H5_SECRET"],
  "WeChat Pay": [
    "STORE_WECHAT_PAY_MCHID",
    "STORE_WECHAT_PAY_APPIDS",
    "STORE_WECHAT_PAY_API_V3_KEY",
    "STORE_WECHAT_PAY_SERIAL",
    "STORE_WECHAT_PAY_PRIVATE_KEY",
    "STORE_WECHAT_PAY_PUBLIC_KEYS",
  ],
};

/** Asks the Supabase CLI about link, secrets, keys and addresses of a hosted project. */
export async function examinePlatform({ ref }: Project): Promise<Platform> {
  if (ref === undefined)
    return {
      findings: [skipped("link", "not a project of Supabase: there is no link, and no list of secrets", "")],
      secrets: undefined,
      publicKeys: new Map<string, string>(),
    };
  const [secrets, keys, auth] = await Promise.all([
    askSupabase<unknown>(["secrets", "list", `--remote=${ref}`]),
    askSupabase<unknown>(["projects", "api-keys", `--remote=${ref}`]),
    readHostedAuth(ref),
  ]);
  const names = "value" in secrets ? new Set(rowsOf(secrets.value).map(({ name }) => String(name))) : undefined;
  return {
    findings: [
      linkFinding(ref),
      ...("failure" in secrets
        ? [skipped("secrets", `the secrets could not be listed: ${secrets.failure}`, LOGIN)]
        : secretFindings(names!)),
      ...addressFindings(ref, auth),
    ],
    secrets: names,
    publicKeys: "value" in keys ? publicKeysOf(rowsOf(keys.value)) : new Map<string, string>(),
  };
}

type Row = Record<string, unknown>;

/** The rows of a result of the CLI: a list, or an object with a list. */
export function rowsOf(value: unknown): Row[] {
  if (Array.isArray(value)) return value as Row[];
  return (Object.values((value ?? {}) as Row).find(Array.isArray) as Row[] | undefined) ?? [];
}

/** The publishable keys and the older key `anon`. Secret keys are left out at once. */
function publicKeysOf(rows: Row[]): Map<string, string> {
  return new Map(
    rows
      .filter(({ name, type, api_key }) => (type === "publishable" || name === "anon") && typeof api_key === "string")
      .map(({ name, type, api_key }) => [
        type === "publishable" ? "publishable key" : `${String(name)} key`,
        api_key as string,
      ]),
  );
}

function linkFinding(ref: string): Finding {
  const linked = linkedProject();
  const link = `npx supabase link --project-ref ${ref}`;
  if (linked === ref) return ok("link", `this folder is linked to ${ref}`);
  return linked === undefined
    ? warning("link", "this folder is linked to no project", link)
    : error("link", `this folder is linked to ${linked}: migrations and functions would go there`, link);
}

/** Where the links of mails lead. */
function addressFindings(ref: string, auth: CliResult<HostedAuth>): Finding[] {
  if ("failure" in auth)
    return [skipped("addresses", `the settings of Auth could not be read: ${auth.failure}`, AUTH_PERMISSION)];
  const { siteUrl, redirects } = auth.value;
  const wrong = redirects.filter(leadsToThisMachine);
  const fix = `npm run deploy -- --project ${ref} --h5 https://<H5 app> --console https://<console>`;
  return [
    leadsToThisMachine(siteUrl)
      ? error(
          "addresses",
          `links of mails lead to ${siteUrl}, the machine of whoever opens them: nobody can confirm an address`,
          fix,
        )
      : ok("addresses", `links of mails lead to ${siteUrl}`),
    ...(wrong.length === 0
      ? []
      : [
          warning(
            "addresses",
            `links of mails may lead to the machine of whoever opens them: ${wrong.join(", ")}`,
            fix,
          ),
        ]),
  ];
}

function secretFindings(names: SecretNames): Finding[] {
  const local = [...names].filter((name) => name.startsWith("STORE_LOCAL_PAYMENTS_"));
  const groups = Object.entries(GROUPS).flatMap(([what, all]) => {
    const missing = all.filter((name) => !names.has(name));
    if (missing.length === all.length) return [];
    return missing.length === 0
      ? [ok("secrets", `${what}: complete`)]
      : [error("secrets", `${what}: ${missing.join(", ")} missing`, secretHint(...missing.map((name) => `${name}=…`)))];
  });
  const takesPayments = names.has("STORE_WECHAT_PAY_MCHID") || names.has("STORE_PAY_HMAC_SECRET");
  return [
    names.has("STORE_DB_URL")
      ? ok("secrets", "STORE_DB_URL is set")
      : error(
          "secrets",
          "STORE_DB_URL is missing: no function reaches the database",
          secretHint(`STORE_DB_URL=${DB_URL_EXAMPLE}`),
        ),
    names.has("STORE_WORKER_SECRET")
      ? ok("secrets", "STORE_WORKER_SECRET is set")
      : warning(
          "secrets",
          "STORE_WORKER_SECRET is missing: calls to payment providers wait, for example refunds",
          `${secretHint("STORE_WORKER_SECRET=<the output of openssl rand -hex 24>")}   # docs/operations.md, The worker`,
        ),
    ...(local.length > 0
      ? [
          error(
            "secrets",
            `${local.join(", ")}: the payment provider of the local stack takes no money`,
            `npx supabase secrets unset ${local.join(" ")}`,
          ),
        ]
      : []),
    ...groups,
    ...(takesPayments
      ? []
      : [
          warning(
            "secrets",
            "no payment provider is set up: an administrator has to record each payment",
            "docs/deploy.md, Payments",
          ),
        ]),
  ];
}

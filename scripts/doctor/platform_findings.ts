import { askSupabase, type CliResult, linkedProject } from "../command_line/supabase_cli.ts";
import { Problem } from "../ground/problem.ts";
import { error, type Finding, hint, ok, skipped, warning } from "./finding.ts";
import { DB_URL_EXAMPLE, secretHint } from "./hints.ts";
import { AUTH_PERMISSION, type HostedAuth, leadsToThisMachine, readHostedAuth } from "./hosted_auth.ts";
import type { Project } from "./project.ts";

/** The names of the secrets of the edge functions. */
export type SecretNames = ReadonlySet<string>;

/** What the platform knows about a hosted project. */
export interface Platform {
  findings: Finding[];
  /** undefined if the platform did not show them. */
  auth: HostedAuth | undefined;
  /** undefined if the platform did not respond. */
  secrets: SecretNames | undefined;
  /** Keys that clients may have, by name. */
  publicKeys: Map<string, string>;
}

/** What to do if the platform does not know the user. */
const LOGIN = "Run `npx supabase login`, or set SUPABASE_ACCESS_TOKEN (Dashboard, Account, Access Tokens).";

/** What to do if the platform did not answer as the Supabase CLI says. */
export function platformAdvice(failure: string): string {
  if (/Transport ?error/i.test(failure))
    return "Check the network connection of this machine, and https://status.supabase.com.";
  if (/privileges|Forbidden|\b40[34]\b/.test(failure))
    return `Check that the token is of an account, and with permissions, that may change this project. ${LOGIN}`;
  if (/Unauthorized|Invalid access token/.test(failure)) return `The token has expired, or is none. ${LOGIN}`;
  return LOGIN;
}

/** The state of a project in the words of the platform; undefined if the account has no such project. */
export async function projectState(ref: string): Promise<CliResult<string | undefined>> {
  const listed = await askSupabase<unknown>(["projects", "list"]);
  if ("failure" in listed) return listed;
  const found = rowsOf(listed.value).find((row) => row.ref === ref || row.id === ref);
  return { value: found && String(found.status) };
}

/** What is wrong with a project in this state. @returns undefined if nothing is */
export function problemOfState(ref: string, state: string | undefined): Problem | undefined {
  if (state === undefined)
    return new Problem(
      `The account has no project ${ref}.`,
      `Look for a typo (the reference is in the address of the project in the Dashboard), or sign in as an account that may change it: npx supabase login`,
    );
  if (/^(?:INACTIVE|PAUS)/.test(state))
    return new Problem(
      `The project ${ref} is paused.`,
      "Resume it in the Dashboard, which takes some minutes, and run the command again.",
    );
  if (state === "ACTIVE_HEALTHY" || state === "ACTIVE_UNHEALTHY") return undefined;
  return new Problem(`The project ${ref} is not ready: ${state}.`, "Wait until the Dashboard shows it as healthy.");
}

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

/** What `supabase backups list` prints. */
interface Backups {
  pitr_enabled?: boolean;
  backups?: { status: string; inserted_at: string }[];
}

/** Asks the Supabase CLI about state, link, secrets, keys, settings of Auth and backups of a hosted project. */
export async function examinePlatform({ ref }: Project): Promise<Platform> {
  if (ref === undefined)
    return {
      findings: (["project", "secrets", "payments", "addresses", "mails", "backups"] as const).map((check) =>
        skipped(check, "not a project of Supabase, so the platform was not asked", ""),
      ),
      auth: undefined,
      secrets: undefined,
      publicKeys: new Map<string, string>(),
    };
  const [state, secrets, keys, auth, backups] = await Promise.all([
    projectState(ref),
    askSupabase<unknown>(["secrets", "list", `--remote=${ref}`]),
    askSupabase<unknown>(["projects", "api-keys", `--remote=${ref}`]),
    readHostedAuth(ref),
    askSupabase<Backups>(["backups", "list", `--remote=${ref}`]),
  ]);
  const names = "value" in secrets ? new Set(rowsOf(secrets.value).map(({ name }) => String(name))) : undefined;
  return {
    findings: [
      stateFinding(ref, state),
      linkFinding(ref),
      ...("failure" in secrets
        ? [
            skipped("secrets", `the secrets could not be listed: ${secrets.failure}`, platformAdvice(secrets.failure)),
            skipped("payments", "the secrets could not be listed", ""),
          ]
        : secretFindings(names!)),
      ...addressFindings(ref, auth),
      backupFinding(backups),
    ],
    auth: "value" in auth ? auth.value : undefined,
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

function stateFinding(ref: string, state: CliResult<string | undefined>): Finding {
  if ("failure" in state)
    return skipped(
      "project",
      `the projects of the account could not be listed: ${state.failure}`,
      platformAdvice(state.failure),
    );
  const problem = problemOfState(ref, state.value);
  return problem ? error("project", problem.message, problem.advice) : ok("project", `${ref} runs`);
}

/** The commands of this project name the project. Only the calls of the CLI by hand need the link. */
function linkFinding(ref: string): Finding {
  const linked = linkedProject();
  const link = `npx supabase link --project-ref ${ref}`;
  if (linked === ref) return ok("link", `this folder is linked to ${ref}`);
  return linked === undefined
    ? hint("link", "this folder is linked to no project", link)
    : error("link", `this folder is linked to ${linked}: migrations and functions would go there`, link);
}

/** Who sends the mails, and where their links lead. */
function addressFindings(ref: string, auth: CliResult<HostedAuth>): Finding[] {
  if ("failure" in auth)
    return (["addresses", "mails"] as const).map((check) =>
      skipped(check, `the settings of Auth could not be read: ${auth.failure}`, AUTH_PERMISSION),
    );
  const { siteUrl, redirects, mailServer } = auth.value;
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
    mailServer === undefined
      ? warning(
          "mails",
          "Supabase sends the mails of Auth: a few an hour, and only to members of your organization",
          "Dashboard, Authentication, Emails, SMTP: a mail server of your own",
        )
      : ok("mails", `${mailServer} sends the mails of Auth`),
  ];
}

function backupFinding(listed: CliResult<Backups>): Finding {
  if ("failure" in listed)
    return skipped(
      "backups",
      `the backups could not be listed: ${listed.failure}`,
      "Dashboard, Database, Backups: see what the project has.",
    );
  const { pitr_enabled: hasRecovery = false, backups = [] } = listed.value;
  const last = backups
    .filter(({ status }) => status === "COMPLETED")
    .map(({ inserted_at }) => inserted_at)
    .sort()
    .at(-1);
  if (hasRecovery) return ok("backups", "the project can be restored to any point in time");
  if (last !== undefined) return ok("backups", `the last one is of ${last}`);
  return warning(
    "backups",
    "the project has no backup",
    "A plan with daily backups makes the first one within a day (Dashboard, Database, Backups). docs/operations.md, Backups",
  );
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
            "payments",
            `${local.join(", ")}: the payment provider of the local stack takes no money`,
            `npx supabase secrets unset ${local.join(" ")}`,
          ),
        ]
      : []),
    ...groups,
    takesPayments
      ? ok("payments", "a payment provider is set up")
      : hint(
          "payments",
          "no payment provider is set up: an administrator has to record each payment",
          "docs/deploy.md, Payments",
        ),
  ];
}

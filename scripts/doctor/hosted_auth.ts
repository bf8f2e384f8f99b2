import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify, type TomlTable } from "smol-toml";
import { askSupabase, type CliResult } from "../command_line/supabase_cli.ts";
import { projectRoot } from "../ground/paths.ts";

/** What the platform has of the settings of Auth that differ between projects. */
export interface HostedAuth {
  /** Where the links of mails lead, unless the site that asked for the mail is allowed. */
  siteUrl: string;
  /** The patterns of the pages to which links may lead. */
  redirects: string[];
  /** The fewest characters of a password, if more than six. */
  passwordLength: number;
  /** The mail server of the project's own, if it has one. */
  mailServer: string | undefined;
}

/** What a token of the Supabase CLI needs besides, if it may do only some things. */
export const AUTH_PERMISSION =
  "Run `npx supabase login`. A token with permissions (SUPABASE_ACCESS_TOKEN) needs those that `npx supabase config push --help` lists.";

/**
 * Lets the Supabase CLI work with these settings of Auth alone, in a folder of its own, with the mails of this project.
 */
export async function withAuthSettings<Result>(
  auth: TomlTable,
  work: (folder: string) => Promise<Result>,
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "store-auth-"));
  try {
    mkdirSync(join(folder, "supabase"));
    cpSync(join(projectRoot, "supabase/templates"), join(folder, "supabase/templates"), { recursive: true });
    writeFileSync(join(folder, "supabase/config.toml"), stringify({ project_id: "store", auth }), { mode: 0o600 });
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

interface Comparison {
  scope: { present: string[] };
  changes: { path: string[]; remote: unknown }[];
}

/** Asks the platform. The Supabase CLI only says what differs, so it compares with what no project has. */
export async function readHostedAuth(ref: string): Promise<CliResult<HostedAuth>> {
  const nowhere = "https://nowhere.invalid";
  const nobody = { user: "nobody", pass: "nothing", admin_email: "nobody@nowhere.invalid", sender_name: "nobody" };
  const smtp = { enabled: true, host: "nowhere.invalid", port: 1, ...nobody };
  const compared = await withAuthSettings(
    { site_url: nowhere, additional_redirect_urls: [nowhere], email: { smtp } },
    (folder) => askSupabase<Comparison>(["config", "diff", `--remote=${ref}`], folder),
  );
  if ("failure" in compared) return compared;
  const { scope, changes } = compared.value;
  if (!scope.present.includes("auth")) return { failure: "the platform does not show them to this account" };
  const remote = (name: string) => changes.find(({ path }) => path.join(".") === `auth.${name}`)?.remote;
  return {
    value: {
      siteUrl: (remote("site_url") ?? "") as string,
      redirects: (remote("additional_redirect_urls") ?? []) as string[],
      passwordLength: Number(remote("minimum_password_length") ?? 0),
      mailServer: (remote("email.smtp.host") ?? undefined) as string | undefined,
    },
  };
}

/**
 * Addresses, and patterns of them, that lead to the machine of whoever opens them: all forms of the loopback interface,
 * and of no address.
 */
const THIS_MACHINE =
  /^[a-z][a-z\d+.-]*:\/\/(?:[^/@]*@)?(?:(?:[^/:?#]*\.)?localhost|127(?:\.\d+){0,3}|0+(?:\.0+){0,3}|\[::1?\]|\[::ffff:(?:127\.|7f)[^\]]*\])\.?(?:[:/?#]|$)/i;

/**
 * Whether an address, or a pattern of addresses, leads to the machine of whoever opens it, which no link of a mail may.
 */
export const leadsToThisMachine = (address: string) => THIS_MACHINE.test(address);

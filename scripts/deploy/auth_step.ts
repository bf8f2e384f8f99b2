import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse, type TomlTable } from "smol-toml";
import { withDatabase } from "../command_line/database.ts";
import { runAsUser } from "../command_line/supabase_cli.ts";
import { AUTH_PERMISSION, type HostedAuth, leadsToThisMachine, withAuthSettings } from "../doctor/hosted_auth.ts";
import { projectRoot } from "../ground/paths.ts";
import { Problem } from "../ground/problem.ts";
import { lastLines } from "../ground/run_command.ts";
import type { Platform } from "./platform.ts";
import type { Step } from "./step.ts";
import type { Target } from "./target.ts";

/** Where the sites of a store are, if that is known. */
export interface SiteAddresses {
  h5: string | undefined;
  console: string | undefined;
}

/** @throws Problem unless the page of a mail's link can be there */
function requireAddress(name: string, address: string): string {
  if (leadsToThisMachine(address))
    throw new Problem(
      `${name} is ${address}, which is the machine of whoever opens a mail.`,
      `Set ${name} to the public address of the site.`,
    );
  if (!/^https:\/\/[^\s?#*,]+$/.test(address) || !URL.canParse(address))
    throw new Problem(`${name} is no address of a site: ${address}`, `Example: ${name}=https://shop.example.com`);
  return address.replace(/\/+$/, "");
}

/** The address that share links have: that of the H5 app. Until somebody sets it, it is that of the local stack. */
async function shareAddress(): Promise<string | undefined> {
  const address = await withDatabase(async (sql) => {
    const [store] = await sql<{ here: boolean }[]>`select to_regclass('app.settings') is not null as here`;
    if (!store!.here) return undefined;
    const [settings] = await sql<{ address: string }[]>`select h5_share_url as address from app.settings`;
    return settings?.address.replace(/[?#].*$/, "");
  });
  return address === undefined || leadsToThisMachine(address) ? undefined : requireAddress("Share link URL", address);
}

/** @param given by the options of the command, in place of the environment and of the settings of the store */
export async function siteAddresses(given: { h5?: string; console?: string }): Promise<SiteAddresses> {
  const read = (name: string, option: string | undefined) => {
    const address = option ?? process.env[name];
    return address ? requireAddress(name, address) : undefined;
  };
  return {
    h5: read("STORE_H5_URL", given.h5) ?? (await shareAddress()),
    console: read("STORE_CONSOLE_URL", given.console),
  };
}

/**
 * The settings of Auth of a project: those of supabase/config.toml, which are right for every project, with the
 * addresses of its sites. What a project has besides remains: pages to which links may lead, and longer passwords.
 * @throws Problem if the file has an address of this machine
 */
export function settingsOf(toml: string, hosted: HostedAuth, { h5, console: admin }: SiteAddresses): TomlTable {
  const { auth } = parse(toml) as {
    auth: TomlTable & { site_url?: string; additional_redirect_urls?: string[]; minimum_password_length: number };
  };
  const { site_url: stated, additional_redirect_urls: further = [] } = auth;
  const wrong = [...(stated === undefined ? [] : [stated]), ...further].find(leadsToThisMachine);
  if (wrong !== undefined)
    throw new Problem(
      `supabase/config.toml leads the links of mails to ${wrong}, which is the machine of whoever opens them.`,
      "Remove the address from the section [auth]: STORE_H5_URL and STORE_CONSOLE_URL say where the sites are.",
    );
  const pages = [h5, admin].flatMap((address) => (address === undefined ? [] : [`${address}/**`]));
  const siteUrl = h5 ?? stated;
  return {
    ...auth,
    ...(siteUrl !== undefined && { site_url: siteUrl }),
    additional_redirect_urls: [...new Set([...pages, ...further, ...hosted.redirects])].filter(
      (page) => !leadsToThisMachine(page),
    ),
    minimum_password_length: Math.max(auth.minimum_password_length, hosted.passwordLength),
  };
}

/** What the Supabase CLI says if it may not change a project before somebody agrees. */
const NEEDS_CONSENT = "HostedMutationConsentRequiredError";

/**
 * Makes the settings of Auth those of this store. The CLI leaves alone what the settings do not name, such as the mail
 * server and limits of the project.
 */
export function authSettings({ ref }: Target, { auth }: Platform, addresses: SiteAddresses): Step {
  const push = (...further: string[]) =>
    withAuthSettings(
      settingsOf(readFileSync(join(projectRoot, "supabase/config.toml"), "utf8"), auth, addresses),
      (folder) => runAsUser(["config", "push", `--remote=${ref}`, "--output-format", "json", ...further], folder),
    );
  const failure = (output: string) =>
    new Problem(`The settings of Auth were not set:\n${lastLines(output, 3)}`, AUTH_PERMISSION);
  return {
    name: "Settings of Auth",
    byHand: [
      `npx supabase config push --remote=${ref}`,
      "# Then, in the Dashboard, Authentication, URL Configuration: Site URL and Redirect URLs (docs/deploy.md, section 5)",
    ],
    async left() {
      const { code, output } = await push();
      if (code === 0) return undefined;
      if (!output.includes(NEEDS_CONSENT)) throw failure(output);
      return `set ${[...output.matchAll(/^auth\.(\S+) \[/gm)].map(([, name]) => name!).join(", ")}`;
    },
    async run() {
      const { code, output } = await push("--yes");
      if (code !== 0) throw failure(output);
    },
  };
}

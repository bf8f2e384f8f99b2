import { type Finding, ok, skipped, warning } from "./finding.ts";
import { type HostedAuth, leadsToThisMachine } from "./hosted_auth.ts";
import type { Project } from "./project.ts";
import { type Reply, request } from "./request.ts";

const UPLOAD =
  "Upload apps/h5/dist and apps/console/dist to their host, whole and after each deployment (docs/deploy.md, section 4)";

/** The folders of pages to which links of mails may lead, without the patterns at their ends. */
const pagesOf = (auth: HostedAuth | undefined) =>
  (auth?.redirects ?? [])
    .map((pattern) => pattern.replace(/\/?\*+$/, ""))
    .filter((page) => /^https?:\/\/[^*]+$/.test(page) && !leadsToThisMachine(page));

/** Asks a site for the configuration that it was deployed with. */
const configurationAt = (site: string) => request(`${site.replace(/\/+$/, "")}/config.json`);

/** Whether a site is of this project. Each has its address in its configuration. */
const isOf = ({ url, ref }: Project, { body }: Reply) =>
  body.supabase_url === url || (ref !== undefined && body.supabase_url === `https://${ref}.supabase.co`);

/**
 * Opens the two sites, where STORE_H5_URL and STORE_CONSOLE_URL or else the settings of Auth say that they are.
 * @param auth undefined if the platform did not show the settings
 */
export async function examineSites(project: Project, auth: HostedAuth | undefined): Promise<Finding[]> {
  const { STORE_H5_URL, STORE_CONSOLE_URL } = process.env;
  const shop = STORE_H5_URL || auth?.siteUrl;
  const say = auth === undefined ? "Set STORE_H5_URL and STORE_CONSOLE_URL" : "npm run deploy, with --h5 and --console";
  if (shop === undefined || leadsToThisMachine(shop))
    return [skipped("sites", "nobody has said where the sites are", say)];
  const others = STORE_CONSOLE_URL
    ? [STORE_CONSOLE_URL]
    : pagesOf(auth).filter((page) => page !== shop.replace(/\/+$/, ""));
  const [h5, ...rest] = await Promise.all([shop, ...others].map(configurationAt));
  const found = rest.findIndex((reply) => isOf(project, reply));
  return [
    isOf(project, h5!)
      ? ok("sites", `the H5 app of this project is at ${shop}`)
      : warning("sites", `${shop} is not the H5 app of this project${reasonOf(h5!)}`, UPLOAD),
    found === -1
      ? warning(
          "sites",
          others.length === 0
            ? "nobody has said where the console is"
            : `the console of this project is not at ${others.join(", ")}${others.length === 1 ? reasonOf(rest[0]!) : ""}`,
          others.length === 0 ? say : UPLOAD,
        )
      : ok("sites", `the console of this project is at ${others[found]!}`),
  ];
}

function reasonOf({ status, text, body }: Reply): string {
  if (status === 0) return `, or it cannot be opened from here: ${text}`;
  if (status !== 200) return `: it answers ${status} for config.json`;
  return typeof body.supabase_url === "string" ? `, but that of ${body.supabase_url}` : "";
}

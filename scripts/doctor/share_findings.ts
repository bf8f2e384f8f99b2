import type postgres from "postgres";
import { isLoopback } from "../../functions/_shared/ground/loopback.ts";
import { error, type Finding, ok, warning } from "./finding.ts";
import { DEADLINE_MS } from "./request.ts";

const SETTING = "In the console, Settings, Share link URL";

/**
 * Opens a share link as a visitor does. The configuration check reports a loopback address, and one that loses the
 * member of the link.
 */
export async function shareFindings(sql: postgres.Sql): Promise<Finding[]> {
  const [settings] = await sql<{ address: string; link: string | null }[]>`
    select s.h5_share_url as address, (select app.share_url(min(u.uid), null) from app.users as u) as link
    from app.settings as s where s.h5_share_url = app.share_address(s.h5_share_url)`;
  if (!settings || isLoopback(settings.address)) return [];
  const { address } = settings;
  const link = new URL(settings.link ?? address);
  // A store without members has no link yet.
  if (!settings.link) link.searchParams.set("spread", "1");
  const opened = await openedFinding(address, link);
  if (address.startsWith("https://")) return [opened];
  return [
    warning("share", `share links lead to ${address}, without TLS`, `${SETTING}: an address that begins with https://`),
    opened,
  ];
}

async function openedFinding(address: string, link: URL): Promise<Finding> {
  try {
    const response = await fetch(link, { signal: AbortSignal.timeout(DEADLINE_MS) });
    const text = await response.text();
    if (!response.ok)
      return error(
        "share",
        `share links lead to ${address}, which answers ${response.status}`,
        `${SETTING}: the address of the H5 app`,
      );
    if (new URL(response.url).search !== link.search)
      return error(
        "share",
        `share links lose their member: ${address} leads to ${response.url}`,
        `${SETTING}: the address that the browser shows at the end, or keep the query in the redirect`,
      );
    if (!text.includes('id="first-shell"'))
      return warning(
        "share",
        `share links lead to ${address}, which is not the H5 app of this store`,
        `${SETTING}: the address of the H5 app`,
      );
    return ok("share", `share links lead to ${address}, and open the H5 app with the member of the link`);
  } catch (cause) {
    return warning(
      "share",
      `share links lead to ${address}, which cannot be opened from here: ${String((cause as { cause?: unknown }).cause ?? cause)}`,
      `${SETTING}: an address that everyone can open`,
    );
  }
}

import { referrer, referrerCode } from "../../session/referrer.ts";
import { useIsMember } from "../../session/session_context.ts";
import { useApi, useHasSharePages } from "../../store/store.ts";

/** A share link of the store with the share code of its member, which says who invites (docs/decisions/0156). */
export const withShareCode = (shareUrl: string, code: string) => shareUrl.replace(/#|$/, `&share=${code}$&`);

/**
 * The address that opens a page of the app with the member as referrer; for a visitor, with the member who has invited
 * them.
 * @returns undefined until the member is known
 */
export function useShareLink(route: string): string | undefined {
  const isMember = useIsMember();
  const hasSharePages = useHasSharePages();
  const { data: me } = useApi("/api/user", {}, { enabled: isMember });
  if (isMember && !me) return undefined;
  const [uid, code] = me ? [me.uid, me.share_code] : [referrer(), referrerCode()];
  const search = uid === undefined ? "" : `?spread=${uid}${code === undefined ? "" : `&share=${code}`}`;
  const app = `${location.origin}${location.pathname}`;
  const product = /^\/products\/(\d+)$/.exec(route)?.[1];
  // The pages for whoever shows a preview of a link (docs/wechat_sharing.md): nobody reads what is behind #.
  if (hasSharePages && (route === "/" || product)) return `${app}p/${product ? `${product}/` : ""}${search}`;
  return `${app}${search}#${route}`;
}

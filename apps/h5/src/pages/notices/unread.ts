import { useIsMember } from "../../session/session_context.ts";
import { useApi } from "../../store/store.ts";

/**
 * How many notices the member has not read, as a badge shows it; undefined if there are none, or nobody is signed in.
 */
export function useUnread(): string | undefined {
  const isMember = useIsMember();
  const { data } = useApi("/api/notice/unread", {}, { enabled: isMember, refetchInterval: 60_000, staleTime: 30_000 });
  if (!isMember || !data?.unread) return undefined;
  return data.is_more ? `${data.unread - 1}+` : String(data.unread);
}

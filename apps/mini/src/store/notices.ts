import { api, ask } from "./store.ts";

/** The tab that leads to the notices. */
const tab = 3;

/** Shows on the tab how many notices were not read. @returns the number as it is shown; empty if there are none */
export async function showUnread(): Promise<string> {
  const { unread, is_more } = await ask(() => api.GET("/api/notice/unread"));
  const text = unread === 0 ? "" : is_more ? `${unread - 1}+` : String(unread);
  // A page that was opened by a link shows no tabs.
  await (text ? wx.setTabBarBadge({ index: tab, text }) : hideUnread()).catch(() => undefined);
  return text;
}

export const hideUnread = () => wx.removeTabBarBadge({ index: tab });

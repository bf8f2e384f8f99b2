// What WeChat does for pages: other pages, questions, and words that are shown for a moment.
import app from "./app.json";
import { texts } from "./texts/texts.ts";

const tabs = app.tabBar.list.map(({ pagePath }) => `/${pagePath}`);

/** Opens a page, on top of this one if it is not a tab. */
export const openPage = (url: string) => void (tabs.includes(url) ? wx.switchTab({ url }) : wx.navigateTo({ url }));

/** Asks before something that cannot be undone. WeChat takes four characters for a button. */
export async function isConfirmed(title: string, content: string): Promise<boolean> {
  const { confirm } = await wx.showModal({ title, content, confirmText: texts.mini.yes, cancelText: texts.mini.no });
  return confirm;
}

/** Whether the member has closed what WeChat showed. */
export const isCancelled = (error: unknown) => /cancel/.test((error as { errMsg?: string }).errMsg ?? "");

/** Says for a moment that something was done. */
export const notify = (title: string) => void wx.showToast({ title, icon: "none" });

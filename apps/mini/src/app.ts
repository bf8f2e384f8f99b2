import { showUnread } from "./store/notices.ts";
import { isMember, rememberReferrer } from "./store/store.ts";
import { language, texts } from "./texts/texts.ts";

App({
  // A share link has ?spread=<uid>. The code on a share poster has the scene spread=<uid>. Both can open a program that
  // is already running.
  onShow(options: WechatMiniprogram.App.LaunchShowOption) {
    const query: Record<string, string | undefined> = options.query;
    const [, ofCode] = /^spread(?:=|%3D)(\d+)$/i.exec(query.scene ?? "") ?? [];
    rememberReferrer(query.spread ?? ofCode);
    // What is not known is not shown.
    if (isMember()) void showUnread().catch(() => undefined);
  },

  onLaunch() {
    // app.json is in Chinese.
    const tabs = Object.values(texts.common.tabs);
    if (language !== "zh") tabs.forEach((text, index) => void wx.setTabBarItem({ index, text }));
  },
});

import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { type Language, languages } from "../../../../shared/languages.ts";
import type { OrderFilter } from "../../../../shared/order_filters.ts";
import { definePage, factsOf, type Tap } from "../../page.ts";
import { levelNames } from "../../store/levels.ts";
import { hideUnread, showUnread } from "../../store/notices.ts";
import { askedOrders } from "../../store/orders.ts";
import { api, ask, shop, signOut } from "../../store/store.ts";
import { fill, language, languageKey, texts } from "../../texts/texts.ts";
import { isConfirmed } from "../../wechat.ts";

const t = texts.members;
definePage(
  {
    title: t.title,
    texts: ["members", "bill", "cart", "system"],
    data: {
      nickname: "",
      avatar: "",
      about: "",
      withdrawable: "",
      unread: "",
      orders: [] as { id: OrderFilter; name: string; count: string }[],
      facts: [] as ReturnType<typeof factsOf>,
      contact: [] as ReturnType<typeof factsOf>,
      languages: Object.entries(languages).map(([id, name]) => ({ id, name })),
      language,
    },

    async load() {
      const [me, assets, open, unread, store, levels] = await Promise.all([
        ask(() => api.GET("/api/user")),
        ask(() => api.GET("/api/hjf/assets/overview")),
        ask(() => api.GET("/api/order/count")),
        showUnread(),
        ask(() => shop.GET("/api/system/metadata")),
        levelNames(),
      ]);
      return {
        nickname: me.nickname,
        avatar: me.avatar ?? "",
        about: [fill(t.uid, { uid: me.uid }), me.agent_level > 0 && levels.get(me.agent_level)]
          .filter(Boolean)
          .join(" · "),
        withdrawable: formatMoney(assets.withdrawable),
        orders: (
          [
            ["unpaid", open.unpaid],
            ["paid", open.paid],
            ["delivered", open.delivered],
            ["after_sales", open.refund_requested],
          ] as const
        ).map(([id, count]) => ({ id, name: texts.orders.filters[id], count: formatNumber(count) })),
        unread: unread && fill(t.unread, { unread }),
        facts: factsOf([
          [t.brokerage, formatMoney(assets.brokerage_price)],
          [t.frozenPoints, formatNumber(assets.frozen_points)],
          [t.availablePoints, formatNumber(assets.available_points)],
          [t.todayRelease, formatNumber(assets.today_release, "+")],
        ]),
        contact: factsOf([
          [texts.system.contact.phone, store.contact_phone],
          [texts.system.contact.wechat, store.contact_wechat],
          [texts.system.contact.hours, store.contact_hours],
        ]),
      };
    },
  },
  {
    /** Texts are read once, so the mini program starts again. */
    chooseLanguage({ currentTarget: { dataset } }: Tap<{ language: Language }>) {
      if (dataset.language === language) return;
      wx.setStorageSync(languageKey, dataset.language);
      wx.restartMiniProgram({ path: "/pages/me/me" });
    },

    openOrders({ currentTarget: { dataset } }: Tap<{ filter: OrderFilter }>) {
      askedOrders.filter = dataset.filter;
      void wx.switchTab({ url: "/pages/orders/orders" });
    },

    async leave() {
      if (!(await isConfirmed(t.signOut.title, ""))) return;
      signOut();
      void hideUnread();
      void wx.switchTab({ url: "/pages/shop/shop" });
    },
  },
);

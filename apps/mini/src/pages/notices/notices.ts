import type { Api } from "../../../../client/index.ts";
import { noticePlace, noticeText } from "../../../../../functions/_shared/notices/notice_texts.ts";
import { named } from "../../lists.ts";
import { definePage, type Tap } from "../../page.ts";
import { api, ask } from "../../store/store.ts";
import { clockText, dayText } from "../../texts/dates.ts";
import { language, texts } from "../../texts/texts.ts";
import { openPage } from "../../wechat.ts";

/** The page that a notice is about, by the beginning of its place in the H5 app. */
const pages: Record<string, (id: string) => string> = {
  orders: (id) => `/pages/order/order?id=${id}`,
  withdrawals: (id) => `/pages/withdrawal/withdrawal?id=${id}`,
  bill: () => "/pages/bill/bill",
  points: () => "/pages/points/points",
  team: () => "/pages/team/team",
  levels: () => "/pages/team/team",
  "real-name": () => "/pages/real_name/real_name",
  me: () => "/pages/me/me",
};

function rowOf(notice: Api["Notice"]) {
  const { title, text } = noticeText(notice, language);
  const [, place = "", id = ""] = noticePlace(notice).split("/");
  return {
    id: notice.id,
    title,
    text,
    day: dayText(notice.add_time),
    note: clockText(notice.add_time),
    isRead: notice.is_read,
    url: pages[place]!(id),
  };
}

/** What happened to the member. A notice that is opened is read. */
definePage(
  {
    title: texts.notices.title,
    texts: ["notices"],
    data: { unread: 0, /** Names what the first part of the list could show. */ seen: "" },

    async list(cursor) {
      const query = { limit: 30, ...(cursor !== undefined && { cursor }) };
      const reply = await ask(() => api.GET("/api/notice", { params: { query } }));
      if (cursor === undefined) this.setData({ unread: reply.unread, seen: reply.seen });
      return named(reply, rowOf);
    },
  },
  {
    open({ currentTarget: { dataset } }: Tap<{ id: string; url: string; read: boolean }>) {
      const path = { id: dataset.id };
      return this.act(async () => {
        if (!dataset.read)
          await this.write(["read", path], (key) => api.PUT("/api/notice/{id}/read", { params: { path }, ...key }));
        openPage(dataset.url);
      });
    },

    readAll() {
      return this.act(async () => {
        const body = { seen: this.data.seen };
        await this.write(["read all", body], (key) => api.PUT("/api/notice/read", { body, ...key }));
        await this.refreshList();
      });
    },
  },
);

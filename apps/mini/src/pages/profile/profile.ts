import { definePage, type Entered, factsOf } from "../../page.ts";
import { uploadPicture } from "../../store/pictures.ts";
import { api, ask } from "../../store/store.ts";
import { dayText } from "../../texts/dates.ts";
import { texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const t = texts.members.profile;

/** The nickname and the picture of the member. */
definePage(
  {
    title: t.title,
    texts: ["members"],
    data: { nickname: "", avatar: "", isUploading: false, facts: [] as ReturnType<typeof factsOf> },

    async load() {
      // What was typed and chosen is kept when the page is shown again.
      if (this.data.facts.length > 0) return {};
      const { nickname, avatar, uid, spread_uid, add_time } = await ask(() => api.GET("/api/user"));
      return {
        nickname,
        avatar: avatar ?? "",
        facts: factsOf([
          [t.number, String(uid)],
          [t.referrer, spread_uid === null ? t.nobody : String(spread_uid)],
          [t.joined, dayText(add_time)],
        ]),
      };
    },
  },
  {
    /** The member has chosen the picture that they have in WeChat, one of the album, or has taken one. */
    chooseAvatar({ detail }: { detail: { avatarUrl: string } }) {
      return this.act(async () => {
        this.setData({ isUploading: true });
        try {
          // The small file: an avatar is never shown larger.
          const { small_url } = await uploadPicture("avatar", detail.avatarUrl);
          this.setData({ avatar: small_url });
        } finally {
          this.setData({ isUploading: false });
        }
      });
    },

    removeAvatar() {
      this.setData({ avatar: "" });
    },

    save({ detail }: Entered<{ nickname: string }>) {
      return this.act(async () => {
        const body = { nickname: detail.value.nickname.trim(), avatar: this.data.avatar };
        await this.write(body, (key) => api.PUT("/api/user", { body, ...key }));
        notify(t.saved);
        void wx.navigateBack();
      });
    },
  },
);

import { definePage } from "../../page.ts";
import { ask, referrer, shop, signIn } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.mini.signIn;

/** The article that is read before signing in, if the store has one, and the sign-in with WeChat. */
definePage(
  {
    title: t.title,
    texts: ["articles"],
    data: { title: "", content: "", invitation: "" },

    async load() {
      const article = await ask(() => shop.GET("/api/sign/required_article"));
      const uid = referrer();
      return {
        title: article?.title ?? "",
        content: article?.content ?? "",
        invitation: uid ? fill(t.invited, { uid }) : "",
      };
    },
  },
  {
    enter() {
      return this.act(async () => {
        await signIn();
        void wx.navigateBack();
      });
    },
  },
);

import { definePage } from "../../page.ts";
import { Refused } from "../../store/failure.ts";
import { api, ask } from "../../store/store.ts";
import { texts } from "../../texts/texts.ts";
import { notify } from "../../wechat.ts";

const { saved, refused } = texts.mini.poster;

/** The file of a picture on the phone. */
function download(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    wx.downloadFile({
      url,
      success: ({ statusCode, tempFilePath }) =>
        statusCode === 200 ? resolve(tempFilePath) : reject(new Error(`Status ${statusCode}`)),
      fail: ({ errMsg }) => reject(new Error(errMsg)),
    });
  });
}

/** The member's poster and share link. */
definePage(
  {
    title: texts.posters.title,
    texts: ["posters"],
    data: { picture: "", link: "", needsPermission: false },

    async load() {
      const { image_url, share_url } = await ask(() => api.GET("/api/spread/poster"));
      return { picture: image_url, link: share_url };
    },

    share() {
      return { title: texts.posters.title, path: "/pages/shop/shop" };
    },
  },
  {
    save() {
      return this.act(async () => {
        const filePath = await download(this.data.picture);
        try {
          await wx.saveImageToPhotosAlbum({ filePath });
        } catch {
          // Once refused, the member is not asked again, except in the settings.
          this.setData({ needsPermission: true });
          throw new Refused(refused.title, refused.advice);
        }
        this.setData({ needsPermission: false });
        notify(saved);
      });
    },

    copyLink() {
      void wx.setClipboardData({ data: this.data.link });
    },
  },
);

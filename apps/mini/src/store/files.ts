import type { PageOf } from "../page.ts";
import { texts } from "../texts/texts.ts";
import { isCancelled } from "../wechat.ts";
import { Refused } from "./failure.ts";

const { notKept, notSent } = texts.mini.file;

/** The phone keeps one file, until the next one or until the member signs out. */
const place = `${wx.env.USER_DATA_PATH}/file`;

/** Keeps a file, which the button of `parts/file.wxml` sends. */
export function keepFile(data: string): Promise<void> {
  return new Promise((resolve, reject) => {
    wx.getFileSystemManager().writeFile({
      filePath: place,
      data,
      encoding: "utf8",
      success: () => resolve(),
      fail: () => reject(new Refused(notKept.title, notKept.advice)),
    });
  });
}

/** Removes the file, if there is one. */
export const removeFile = () => wx.getFileSystemManager().unlink({ filePath: place });

/** Handles the button of `parts/file.wxml`, on pages that have the name of a file. */
export const file = {
  sendFile(this: PageOf<{ file: string }>) {
    // WeChat asks to whom only directly after a tap, so nothing may be waited for before.
    return this.act(async () => {
      await wx.shareFileMessage({ filePath: place, fileName: this.data.file }).catch((error: unknown) => {
        if (!isCancelled(error)) throw new Refused(notSent.title, notSent.advice);
      });
    });
  },
};

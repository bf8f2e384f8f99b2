import { mostPictureBytes, type UploadedPictures } from "../../../client/pictures.ts";
import { texts } from "../texts/texts.ts";
import { isCancelled } from "../wechat.ts";
import { Refused } from "./failure.ts";
import { uploadContent } from "./store.ts";

/** Lets the member take a picture or choose some. @returns their files; none if the member has closed the album */
export async function choosePictures(most: number): Promise<string[]> {
  try {
    const { tempFiles } = await wx.chooseMedia({
      count: most,
      mediaType: ["image"],
      sourceType: ["album", "camera"],
      sizeType: ["compressed"],
    });
    return tempFiles.map(({ tempFilePath }) => tempFilePath);
  } catch (error) {
    if (isCancelled(error)) return [];
    const { title, advice } = texts.mini.pictures.refused;
    throw new Refused(title, advice);
  }
}

/**
 * Uploads the picture in a file of the phone.
 * @throws Refused if it is too large, StoreError if the store refuses it
 */
export async function uploadPicture<Kind extends keyof UploadedPictures>(
  kind: Kind,
  filePath: string,
): Promise<UploadedPictures[Kind]> {
  const content = await new Promise<ArrayBuffer>((resolve, reject) => {
    wx.getFileSystemManager().readFile({
      filePath,
      // Without an encoding, WeChat returns bytes.
      success: ({ data }) => resolve(data as ArrayBuffer),
      fail: ({ errMsg }) => reject(new Error(errMsg)),
    });
  });
  const { title, advice } = texts.common.failure.pictureTooLarge;
  if (content.byteLength > mostPictureBytes) throw new Refused(title, advice);
  return uploadContent(kind, content);
}

import { openPictureStorage, possibleNames } from "../_shared/pictures/picture_storage.ts";
import type { Work } from "./work.ts";

/** Removes the files of a picture that nothing shows. */
export const removePicture: Work = async (payload, { database, env }) => {
  const id = payload.picture_id as string;
  await openPictureStorage(env, payload.is_private ? "private" : "public").remove(possibleNames(id));
  await database.callAsService("forget_picture", { p_id: id });
  return "recorded";
};

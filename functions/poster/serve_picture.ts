import { answer } from "../_shared/answer.ts";
import { fromBase64, toBase64 } from "../_shared/base64.ts";
import { inBackground } from "../_shared/background.ts";
import { readInput } from "../_shared/read_input.ts";
import type { Route, RouteHandler } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";
import { createAvatars } from "./drawing/avatars.ts";
import { drawPoster } from "./drawing/draw_poster.ts";

type Stored = { image: string } | {
  image: null;
  uid: number;
  nickname: string;
  avatar: string | null;
  site_name: string;
  share_url: string;
  code: string | null;
};

/** A year; the address of a picture that changes is another one. */
const CACHE = "public, max-age=31536000, immutable";

/** Serves pictures of posters. Each is drawn when it is looked at for the first time, and kept. */
export function servePicture({ database, env }: Service, route: Route): RouteHandler {
  const fetchAvatar = createAvatars(env);

  return async (c) => {
    const { path } = await readInput(c, route);
    const token = (path as { file: string }).file.replace(/\.png$/, "");
    const stored = JSON.parse(await database.callAsService("get_poster_picture", { p_token: token })) as Stored;
    const image = stored.image === null
      ? await drawPoster({
        uid: stored.uid,
        nickname: stored.nickname,
        siteName: stored.site_name,
        shareUrl: stored.share_url,
        avatar: stored.avatar === null ? undefined : await fetchAvatar(stored.avatar),
        code: stored.code === null ? undefined : fromBase64(stored.code),
      })
      : fromBase64(stored.image);
    if (stored.image === null) {
      inBackground("save_poster_picture", () => database.callAsService("save_poster_picture", { p_token: token, p_image: toBase64(image) }));
    }
    return answer(c, image, 200, { "content-type": "image/png", "cache-control": CACHE });
  };
}

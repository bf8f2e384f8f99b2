import { respond } from "../_shared/respond.ts";
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

/** One year. A changed picture has a new address. */
const CACHE = "public, max-age=31536000, immutable";

/** Serves the pictures of posters. A picture is drawn on its first request and then stored. */
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
    return respond(c, image, 200, { "content-type": "image/png", "cache-control": CACHE });
  };
}

import { respond } from "../_shared/respond.ts";
import { fromBase64, toBase64 } from "../_shared/base64.ts";
import { inBackground } from "../_shared/background.ts";
import { readInput } from "../_shared/read_input.ts";
import type { Route, RouteHandler } from "../_shared/route.ts";
import type { Service } from "../_shared/service.ts";
import { fetchAvatar } from "./drawing/avatars.ts";
import { drawPoster } from "./drawing/draw_poster.ts";

type Bytes = Uint8Array<ArrayBuffer>;

interface Undrawn {
  image: null;
  uid: number;
  nickname: string;
  avatar: string | null;
  site_name: string;
  share_url: string;
  code: string | null;
}

type Stored = { image: string } | Undrawn;

/** One year. A changed picture has a new address. */
const CACHE = "public, max-age=31536000, immutable";

/** Serves the pictures of posters. A picture is drawn on its first request and then stored. */
export function servePicture({ database }: Service, route: Route): RouteHandler {
  /** The pictures that are being drawn or stored, so that requests at the same time draw one together. */
  const drawn = new Map<string, Promise<Bytes>>();

  async function draw({ code, ...poster }: Undrawn): Promise<Bytes> {
    return drawPoster({
      uid: poster.uid,
      nickname: poster.nickname,
      siteName: poster.site_name,
      shareUrl: poster.share_url,
      avatar: poster.avatar === null ? undefined : await fetchAvatar(poster.avatar),
      code: code === null ? undefined : fromBase64(code),
    });
  }

  function drawOnce(token: string, poster: Undrawn): Promise<Bytes> {
    const known = drawn.get(token);
    if (known) return known;
    const drawing = draw(poster);
    drawn.set(token, drawing);
    inBackground("save_poster_picture", async () => {
      try {
        await database.callForVisitor("save_poster_picture", { p_token: token, p_image: toBase64(await drawing) });
      } finally {
        drawn.delete(token);
      }
    });
    return drawing;
  }

  return async (c) => {
    const { path } = await readInput(c, route);
    const token = (path as { file: string }).file.replace(/\.png$/, "");
    const stored = JSON.parse(await database.callForVisitor("get_poster_picture", { p_token: token })) as Stored;
    const image = stored.image === null ? await drawOnce(token, stored) : fromBase64(stored.image);
    return respond(c, image, 200, { "content-type": "image/png", "cache-control": CACHE });
  };
}

import { z } from "@hono/zod-openapi";
import { respond } from "../_shared/responses/respond.ts";
import { fromBase64, toBase64 } from "../_shared/ground/base64.ts";
import { inBackground } from "../_shared/ground/background.ts";
import { readResult } from "../_shared/database/result.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readInput } from "../_shared/http/read_input.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import { posterDesign } from "../_shared/resources/products.ts";
import type { Service } from "../_shared/routes/service.ts";
import { thumbnailOf } from "../_shared/words/thumbnail.ts";
import { drawPoster } from "./drawing/draw_poster.ts";
import { fetchPicture } from "./drawing/fetch_picture.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** What `get_poster_picture` returns. */
const knownPicture = z.object({ image: z.string().nullable() });

/** What a poster shows: the result of `claim_drawing`. */
const undrawn = z.object({
  uid: z.int(),
  nickname: z.string(),
  avatar: z.string().nullable(),
  site_name: z.string(),
  share_url: z.string(),
  code: z.string().nullable(),
  design: posterDesign,
  product: z.object({ title: z.string(), price: z.string(), picture: z.string().nullable() }).nullable(),
});

/** One year. A changed picture has a new address. */
const CACHE = "public, max-age=31536000, immutable";

/**
 * How long a request waits before it looks again for a picture that another one draws, and how often: longer than a
 * drawing is claimed for (ten seconds).
 */
const [PAUSE_MS, LOOKS] = [250, 48];

const pictureAt = (address: string | null) => (address === null ? undefined : fetchPicture(thumbnailOf(address)));

/**
 * Serves the pictures of posters. A picture is drawn on its first request and then stored. Of several requests, in any
 * instance, one draws.
 */
export function servePicture({ database }: Service, route: Route): RouteHandler {
  async function draw({ code, ...poster }: z.infer<typeof undrawn>): Promise<Bytes> {
    return drawPoster({
      uid: poster.uid,
      nickname: poster.nickname,
      siteName: poster.site_name,
      shareUrl: poster.share_url,
      design: poster.design,
      // The poster of a product shows its picture, not that of the member.
      avatar: poster.product ? undefined : await pictureAt(poster.avatar),
      product: poster.product ? { ...poster.product, picture: await pictureAt(poster.product.picture) } : undefined,
      code: code === null ? undefined : fromBase64(code),
    });
  }

  async function findPicture(token: string): Promise<Bytes> {
    for (let look = 0; look < LOOKS; look += 1) {
      const { image } = readResult(
        knownPicture,
        await database.callForVisitor("get_poster_picture", { p_token: token }),
      );
      if (image !== null) return fromBase64(image);
      const poster = readResult(undrawn.nullable(), await database.callForVisitor("claim_drawing", { p_token: token }));
      if (poster) {
        const drawn = await draw(poster);
        inBackground("save_poster_picture", () =>
          database.callForVisitor("save_poster_picture", { p_token: token, p_image: toBase64(drawn) }),
        );
        return drawn;
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
    throw new Problem("database_busy");
  }

  return async (c) => {
    const { path } = await readInput(c, route);
    const image = await findPicture((path as { file: string }).file.replace(/\.png$/, ""));
    return respond(c, image, 200, { "content-type": "image/png", "cache-control": CACHE });
  };
}

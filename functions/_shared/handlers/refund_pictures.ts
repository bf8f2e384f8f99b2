import { z } from "@hono/zod-openapi";
import { readResult } from "../database/result.ts";
import { fileNames, LINK_SECONDS, openPictureStorage } from "../pictures/picture_storage.ts";
import { readInput } from "../http/read_input.ts";
import { respondJson } from "../responses/respond.ts";
import type { Route, RouteHandler } from "../routes/route.ts";
import type { Service } from "../routes/service.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** What `get_refund_pictures` and `admin_get_refund_pictures` return. */
const pictures = z.object({
  list: z.array(z.looseObject({ id: z.uuid(), media_type: z.enum(VALUE_LISTS["pictures.media_type"]) })),
  count: z.int(),
});

/**
 * Returns the pictures of the refunds of an order with links that are valid for some minutes. The database decides who
 * may have them.
 */
export function linkRefundPictures(service: Service, route: Route): RouteHandler {
  const storage = openPictureStorage(service.env, "private");

  return async (c, claims) => {
    const { path } = (await readInput(c, route)) as { path: { id: number } };
    const args = { p_order_id: path.id };
    const { list, count } = readResult(
      pictures,
      await service.database.callAsCaller(claims, route.calls, args, { id: c.get("requestId") }),
    );
    const names = list.map(({ id, media_type }) => fileNames(id, media_type));
    const links = await storage.sign(
      names.flatMap(({ large, small }) => [large, small]),
      LINK_SECONDS,
    );
    const linked = list.map(({ media_type: _, ...picture }, at) => ({
      ...picture,
      url: links[2 * at],
      small_url: links[2 * at + 1],
    }));
    return respondJson(c, JSON.stringify({ list: linked, count }));
  };
}

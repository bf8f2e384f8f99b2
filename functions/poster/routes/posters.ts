import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { servePicture } from "../serve_picture.ts";

/** The only name that a picture has: the poster's token. */
const file = z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.png$/, "Expected the file of an image_url.");

export const pictureRoutes = [
  defineRoute({
    method: "get",
    path: "/poster/image/{file}",
    auth: "public",
    tag: "Posters",
    summary: "The picture of a share poster",
    description: "What GET /api/spread/poster names as image_url. It never changes: a poster that does gets another address.",
    request: { path: z.strictObject({ file }) },
    answer: z.string().openapi({ format: "binary" }),
    media: "image/png",
    errors: ["poster_not_found"],
    calls: "get_poster_picture",
    handler: servePicture,
  }),
] as const;

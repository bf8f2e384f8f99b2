import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { servePicture } from "../serve_picture.ts";

/** The file name of a picture: the token of its poster. */
const file = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.png$/, "Expected the file name of an image_url.")
  .openapi({ example: "6f1c1c8e-3a5b-4a53-9b54-0d4a3f0c7d21.png" });

export const pictureRoutes = [
  defineRoute({
    method: "get",
    path: "/poster/image/{file}",
    auth: "public",
    tag: "Posters",
    summary: "The picture of a share poster",
    description:
      "The image_url of GET /api/spread/poster. The picture at an address never changes: a changed poster gets a new address.",
    request: { path: z.strictObject({ file }) },
    response: z.string().openapi({ format: "binary" }),
    media: "image/png",
    errors: ["poster_not_found", "too_many_requests"],
    calls: "get_poster_picture",
    handler: servePicture,
  }),
] as const;

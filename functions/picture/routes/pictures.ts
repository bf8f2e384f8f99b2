import { z } from "@hono/zod-openapi";
import type { ErrorCode } from "../../_shared/responses/error_registry.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { webAddress } from "../../_shared/resources/schemas.ts";
import { receivePicture } from "../receive_picture.ts";

const size = z.int().min(1).max(2048);

const sizes = { width: size.openapi({ description: "Of the large file." }), height: size };

const picture = z
  .strictObject({
    url: webAddress(512).openapi({
      description: "The large file, with at most 2,048 pixels on each side. The picture at an address never changes.",
    }),
    small_url: webAddress(512).openapi({
      description: "The small file, with at most 480 pixels on each side: for lists, and for an avatar.",
    }),
    ...sizes,
  })
  .openapi("UploadedPicture");

const link = webAddress(2000).openapi({ description: "Valid for five minutes, for whoever has it." });

const privatePicture = z
  .strictObject({
    id: z.uuid().openapi({ description: "With which `POST /api/order/{id}/refund` names the picture." }),
    url: link,
    small_url: link,
    ...sizes,
  })
  .openapi("PrivatePicture");

const file = z.string().openapi({ format: "binary", description: "A JPEG, PNG or WebP." });

/** What the routes share. */
const upload = {
  method: "post",
  tag: "Pictures",
  description:
    "Send the file as the body. It has at most 5 MB, 16 megapixels and 16,384 pixels on a side. Whatever is in the file besides the picture, such as the place where it was taken, is removed. " +
    "A picture that nothing shows for a week is deleted. Idempotency-Key is rejected: a repeated upload is another picture.",
  request: { body: file },
  takes: "image/*",
  status: 201,
  handler: receivePicture,
} as const;

const errors = ["picture_refused", "picture_not_stored"] satisfies ErrorCode[];

export const pictureRoutes = [
  defineRoute({
    ...upload,
    path: "/picture/avatar",
    auth: "user",
    summary: "Upload a picture of the member",
    errors: [...errors, "user_not_found", "too_many_requests"],
    response: picture,
    calls: "upload_avatar",
  }),
  defineRoute({
    ...upload,
    path: "/picture/refund",
    auth: "user",
    summary: "Upload a picture for a refund request",
    description: `${upload.description} The picture has no public address: its buyer and administrators see it by links of some minutes.`,
    response: privatePicture,
    errors: [...errors, "pictures_unavailable", "user_not_found", "too_many_requests"],
    calls: "upload_refund_picture",
  }),
  defineRoute({
    ...upload,
    path: "/picture/store",
    auth: "admin",
    summary: "Upload a picture for a product, an article, a banner or the logo",
    response: picture,
    errors,
    calls: "upload_picture",
  }),
] as const;

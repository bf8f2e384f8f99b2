import { z } from "@hono/zod-openapi";
import { readResult } from "../_shared/database/result.ts";
import { rejectKey } from "../_shared/routes/idempotency.ts";
import { fileNames, LINK_SECONDS, openPictureStorage } from "../_shared/pictures/picture_storage.ts";
import { Problem } from "../_shared/responses/problem.ts";
import { readBody } from "../_shared/http/read_body.ts";
import { respondJson } from "../_shared/responses/respond.ts";
import type { Route, RouteHandler } from "../_shared/routes/route.ts";
import type { Service } from "../_shared/routes/service.ts";
import { inspect } from "./inspect.ts";
import { processPicture } from "./process_picture.ts";

/** A slow phone needs a minute for five megabytes. Few can arrive at once, because they are kept in memory. */
const UPLOAD = { bytes: 5_000_000, waitMs: 90_000, pending: 8 };

/** What the first step of each upload returns. */
const begun = z.object({ id: z.uuid() });
/** What `finish_picture` returns. */
const finished = z.object({ stored: z.boolean() });

/**
 * Receives a picture: inspects the file, asks the database whether the caller may store it, draws it anew and stores
 * it. A picture whose files are not complete, because anything failed in between, is removed by the job that removes
 * unused ones.
 */
export function receivePicture({ database, env }: Service, route: Route): RouteHandler {
  // Only pictures of the store may have transparent parts: posters show avatars, and WeChat checks no WebP.
  const isOfMember = route.auth === "user";
  const isPrivate = route.calls === "upload_refund_picture";
  const storage = openPictureStorage(env, isPrivate ? "private" : "public");

  return async (c, claims) => {
    rejectKey(c);
    const bytes = await readBody(c, UPLOAD).catch(sayLimit);
    const inspected = inspect(bytes);
    const { id } = readResult(
      begun,
      await database.callAsCaller(claims, route.calls, {}, { id: c.get("requestId"), writes: true }),
    );
    const { mediaType, large, small } = await processPicture(bytes, inspected, isOfMember);
    const names = fileNames(id, mediaType);
    await Promise.all([
      storage.put(names.large, large.bytes, mediaType),
      storage.put(names.small, small.bytes, mediaType),
    ]);
    const recorded = await database.callAsService("finish_picture", {
      p_id: id,
      p_media_type: mediaType,
      p_width: large.width,
      p_height: large.height,
      p_small_width: small.width,
      p_small_height: small.height,
      p_bytes: large.bytes.length,
      p_small_bytes: small.bytes.length,
    });
    if (!readResult(finished, recorded).stored) throw new Problem("picture_not_stored");
    const both = [names.large, names.small];
    const [url, small_url] = isPrivate
      ? await storage.sign(both, LINK_SECONDS)
      : both.map((name) => storage.addressOf(name));
    const picture = { ...(isPrivate && { id }), url, small_url, width: large.width, height: large.height };
    return respondJson(c, JSON.stringify(picture), 201);
  };
}

function sayLimit(error: unknown): never {
  if (error instanceof Problem && error.code === "body_too_large")
    throw new Problem("body_too_large", { detail: "A picture has at most 5 MB." });
  throw error;
}

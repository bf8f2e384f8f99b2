import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * Headers of every response. They are a constant because setting them one by one in middleware took a tenth of the time
 * of a request. Any origin may read responses: callers authenticate with a token that browsers do
 * not send automatically.
 */
export const DEFAULT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-request-id,retry-after,store-position,www-authenticate",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pages of other origins embed the pictures.
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Creates every response of the edge functions. @param headers added to the default headers, or replacing them */
export function respond(
  c: Context,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  status: ContentfulStatusCode,
  headers: Record<string, string>,
): Response {
  return c.body(body, status, { ...DEFAULT_HEADERS, "x-request-id": c.get("requestId"), ...headers });
}

/**
 * Creates a JSON response.
 * @param text the serialized JSON, not a parsed value: parsing would lose digits of exact numbers
 */
export function respondJson(
  c: Context,
  text: string,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string> = {},
): Response {
  return respond(c, text, status, { "content-type": "application/json; charset=utf-8", ...headers });
}

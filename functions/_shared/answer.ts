import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";

/**
 * On every answer. Written down rather than set one by one by middleware afterwards, which took a tenth of the time of a
 * request (docs/performance.md). Any origin may read answers: callers prove themselves by a token that no browser adds by itself.
 */
const ALWAYS = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "x-request-id,retry-after,www-authenticate",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  // Pictures are shown by pages of other origins.
  "cross-origin-resource-policy": "cross-origin",
  "referrer-policy": "no-referrer",
  "strict-transport-security": "max-age=15552000; includeSubDomains",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** The one way to answer. @param headers more of them, or others in place of those that are always there */
export function answer(c: Context, body: string | Uint8Array<ArrayBuffer>, status: ContentfulStatusCode, headers: Record<string, string>): Response {
  return c.body(body, status, { ...ALWAYS, "x-request-id": c.get("requestId"), ...headers });
}

/** @param text JSON as it goes out: a parser would lose digits of exact numbers */
export function answerJson(c: Context, text: string, status: ContentfulStatusCode = 200, headers: Record<string, string> = {}): Response {
  return answer(c, text, status, { "content-type": "application/json; charset=utf-8", ...headers });
}

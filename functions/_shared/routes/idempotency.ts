import type { Context } from "hono";
import { Problem } from "../responses/problem.ts";
import type { Route } from "./route.ts";

/** The request header with the client's idempotency key. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

const VISIBLE = /^[!-~]{1,255}$/;

/** Whether a route accepts the header. All writes that are a single database call do. */
// oxlint-disable-next-line typescript/unbound-method -- only tests whether there is a handler
export function acceptsKey({ method, handler, records }: Route): boolean {
  return method !== "get" && !handler && !records;
}

/**
 * Rejects the header on a write that cannot be replayed, because its response contains a secret or depends on a code
 * that works once.
 * @throws Problem if the request has a key: ignoring the key would promise an idempotency that does not exist
 */
export function rejectKey(c: Context): void {
  if (c.req.header(IDEMPOTENCY_KEY) === undefined) return;
  throw new Problem("invalid_argument", {
    errors: [{ in: "header", pointer: `/${IDEMPOTENCY_KEY}`, detail: "This endpoint accepts no idempotency key." }],
  });
}

/**
 * The idempotency key of a request, if it has one.
 * @throws Problem if the key is invalid: ignoring it would let a retry repeat the write
 */
export function readKey(c: Context, route: Route): string | undefined {
  const key = acceptsKey(route) ? c.req.header(IDEMPOTENCY_KEY) : undefined;
  if (key === undefined || VISIBLE.test(key)) return key;
  throw new Problem("invalid_argument", {
    errors: [
      { in: "header", pointer: `/${IDEMPOTENCY_KEY}`, detail: "Expected 1 to 255 visible characters of ASCII." },
    ],
  });
}

import type { Context } from "hono";
import { Problem } from "./problem.ts";
import type { Route } from "./route.ts";

/** The header by which a client names one effect. */
export const IDEMPOTENCY_KEY = "Idempotency-Key";

const VISIBLE = /^[!-~]{1,255}$/;

/** Whether a route takes the header: every write that is one call of the database. */
// eslint-disable-next-line @typescript-eslint/unbound-method -- asks only whether there is a handler
export function takesKey({ method, handler }: Route): boolean {
  return method !== "get" && !handler;
}

/** The key of a request, where it has one. One that cannot be kept is refused: its sender relies on it. */
export function readKey(c: Context, route: Route): string | undefined {
  const key = takesKey(route) ? c.req.header(IDEMPOTENCY_KEY) : undefined;
  if (key === undefined || VISIBLE.test(key)) return key;
  throw new Problem("invalid_argument", {
    errors: [{ in: "header", pointer: `/${IDEMPOTENCY_KEY}`, detail: "Expected 1 to 255 visible characters of ASCII." }],
  });
}

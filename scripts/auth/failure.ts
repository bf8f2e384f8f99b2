import type { Context } from "hono";

/** A request that hosted Auth rejects. */
export class Failed extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** The response to a request that is rejected. @param error_code empty: hosted Auth has none */
export function failure(c: Context, status: number, error_code: string, msg: string): Response {
  return c.json({ code: status, ...(error_code && { error_code }), msg }, status as 400);
}

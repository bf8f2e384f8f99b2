import { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { readResult } from "../database/result.ts";
import type { Route } from "../routes/route.ts";

/** The order that the path of a request names. Anything that is not an id is left out, because the caller wrote it. */
export function orderInPath(c: Context, { path }: Route): string | undefined {
  const id = path.includes("/order/{id}") ? c.req.param("id") : undefined;
  return id !== undefined && /^\d{1,19}$/.test(id) ? id : undefined;
}

/** What is read of the result of `create_order`. */
const order = z.object({ id: z.int() });

/** The order that a request has placed. @param result the result of the database */
export function placedOrder({ calls }: Route, result: string): string | undefined {
  return calls === "create_order" ? String(readResult(order, result).id) : undefined;
}

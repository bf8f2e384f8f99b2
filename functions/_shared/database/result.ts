import type { z } from "@hono/zod-openapi";

/**
 * The result of a call, in the form that its function returns.
 * @throws ZodError if the database returns another form
 */
export function readResult<Schema extends z.ZodType>(schema: Schema, result: string): z.output<Schema> {
  return schema.parse(JSON.parse(result));
}

import { z } from "@hono/zod-openapi";
import { id } from "./schemas.ts";

/** Who made a change. Null means the store itself. */
export const actor = z
  .strictObject({
    auth_id: z.uuid(),
    uid: id.nullable(),
    nickname: z.string().nullable(),
  })
  .nullable()
  .openapi("Actor", { description: "The administrator who made a change. Null means the store itself." });

import { z } from "@hono/zod-openapi";
import { id } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** Who made a change. Null means the store itself. */
export const actor = z
  .strictObject({
    auth_id: z.uuid(),
    uid: id.nullable(),
    nickname: z.string().nullable(),
  })
  .nullable()
  .openapi("Actor", {
    description: bilingual(
      "The administrator who made a change. Null means the store itself.",
      "进行变更的管理员；null 表示商城自动进行。",
    ),
  });

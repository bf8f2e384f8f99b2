import { z } from "@hono/zod-openapi";
import { id, money, time } from "../schemas.ts";

/** A product as everybody sees it. */
export const productFields = z.strictObject({
  id,
  title: z.string(),
  price: money,
  freight: money.openapi({ description: "Per unit." }),
  is_queue_goods: z.boolean().openapi({ description: "Takes part in cycle commission." }),
  is_show: z.boolean().openapi({ description: "On sale." }),
  add_time: time,
});

import { z } from "@hono/zod-openapi";
import { id, money, points, time } from "./schemas.ts";
import { unearned } from "./settlement.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

/** The picture of a product in a list. */
export const firstImage = z.string().nullable().openapi({ description: "The first picture of the product, as it is now; null: none." });

/** The designs of posters. */
export const posterDesign = z.enum(VALUE_LISTS["products.poster_design"]);
export type PosterDesign = z.infer<typeof posterDesign>;

/** The public fields of a product. */
export const productFields = z.strictObject({
  id,
  title: z.string(),
  price: money,
  freight: money.openapi({ description: "Per unit." }),
  is_queue_goods: z.boolean().openapi({ description: "Orders of this product pay commission and points." }),
  is_show: z.boolean().openapi({ description: "On sale." }),
  images: z.array(z.string()).openapi({ description: "Addresses of pictures, the main one first." }),
  stock: z.int().min(0).nullable().openapi({ description: "Units that can still be ordered; null: unlimited." }),
  category_id: id.nullable(),
  add_time: time,
});

/** What the next order of one unit of a product would pay a member. */
export const earning = z
  .strictObject({
    commission: money,
    points: points.openapi({ description: "Frozen points: those that come with the commission, and those of the member's level." }),
    reason: unearned.openapi({ description: "Why there is no commission." }),
  })
  .openapi("Earning");

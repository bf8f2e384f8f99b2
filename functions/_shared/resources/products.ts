import { z } from "@hono/zod-openapi";
import { id, money, points, time } from "./schemas.ts";
import { unearned } from "./settlement.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** The picture of a product in a list. */
export const firstImage = z
  .string()
  .nullable()
  .openapi({
    description: bilingual(
      "The first picture of the product, as it is now; null: none.",
      "商品当前的主图；null：没有。",
    ),
  });

/** The designs of posters. */
export const posterDesign = z.enum(VALUE_LISTS["products.poster_design"]);
export type PosterDesign = z.infer<typeof posterDesign>;

/** The public fields of a product. */
export const productFields = z.strictObject({
  id,
  title: z.string(),
  price: money,
  freight: money.openapi({ description: bilingual("Per unit.", "每件。") }),
  is_queue_goods: z.boolean().openapi({
    description: bilingual("Orders of this product pay commission and points.", "该商品的订单产生佣金与积分。"),
  }),
  is_show: z.boolean().openapi({ description: "On sale." }),
  images: z
    .array(z.string())
    .openapi({ description: bilingual("Addresses of pictures, the main one first.", "图片地址，主图在前。") }),
  stock: z.int().min(0).nullable().openapi({ description: "Units that can still be ordered; null: unlimited." }),
  category_id: id.nullable(),
  add_time: time,
});

/** What the next order of one unit of a product would pay a member. */
export const earning = z
  .strictObject({
    commission: money,
    points: points.openapi({
      description: bilingual(
        "Frozen points: those that come with the commission, and those of the member's level.",
        "冻结积分：佣金积分与按会员等级发放的积分。",
      ),
    }),
    reason: unearned.openapi({ description: bilingual("Why there is no commission.", "没有佣金的原因。") }),
  })
  .openapi("Earning");

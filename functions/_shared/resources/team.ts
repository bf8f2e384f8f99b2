import { z } from "@hono/zod-openapi";
import { time } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

const total = z.strictObject({
  members: z.int().min(0),
  orders: z
    .int()
    .min(0)
    .openapi({
      description: bilingual(
        "Reported orders: paid orders with queue goods of which something is left, not below the minimum base.",
        "报单：退款后仍有报单商品、不低于最低计佣金额的已付款订单。",
      ),
    }),
});

/** The totals of a member's team, for schemas that extend it. */
export const teamFields = z.strictObject({
  direct: total.openapi({ description: bilingual("Members whom the member referred.", "该会员推荐的会员。") }),
  umbrella: total.openapi({ description: bilingual("All members below, at any depth.", "伞下全部会员，不限层数。") }),
  as_of: time.openapi({
    description: bilingual("The time up to which the totals are complete.", "合计数据的截至时间。"),
  }),
});

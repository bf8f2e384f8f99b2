import { z } from "@hono/zod-openapi";
import { bilingual } from "../words/bilingual.ts";

/** What commission is of the revenue of queue goods, from 0; null without revenue. */
export const payoutShare = z
  .number()
  .nullable()
  .openapi({
    description: bilingual(
      "Commission as a share of the revenue of queue goods. Null without revenue.",
      "佣金占报单商品营业额的比例；没有营业额时为 null。",
    ),
  });

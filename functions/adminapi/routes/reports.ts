import { z } from "@hono/zod-openapi";
import { payoutShare } from "../../_shared/resources/payout_share.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, listOf, money, paging, points, sortBy, time, timestamp } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const sales = {
  orders: z
    .int()
    .min(0)
    .openapi({ description: bilingual("Paid orders, by time of payment.", "按付款时间统计的已付款订单数。") }),
  paid: money.openapi({
    description: bilingual(
      "What was paid, freight included, by time of payment.",
      "按付款时间统计的实付金额，含运费。",
    ),
  }),
  refunded: money.openapi({
    description: bilingual("What was refunded, by time of the refund.", "按退款时间统计的退款金额。"),
  }),
  revenue: money.openapi({
    description: bilingual("paid less refunded. Negative if more was refunded.", "paid 减 refunded；退款较多时为负。"),
  }),
};
const earnings = {
  commission: money.openapi({
    description: bilingual("Commission by time of booking, less reversals.", "按入账时间统计的佣金，已扣除冲回。"),
  }),
  points_frozen: points.openapi({
    description: bilingual(
      "Points granted, by time of booking, less reversals.",
      "按入账时间统计的发放积分，已扣除冲回。",
    ),
  }),
};

const figures = z.strictObject({
  ...sales,
  queue_orders: z
    .int()
    .min(0)
    .openapi({ description: bilingual("Paid orders with queue goods.", "含报单商品的已付款订单数。") }),
  queue_revenue: money.openapi({
    description: bilingual(
      "What was paid for queue goods less what was refunded for them.",
      "报单商品的实付金额减其退款。",
    ),
  }),
  ...earnings,
  payout_share: payoutShare,
  points_released: points.nullable().openapi({
    description: bilingual("Points released for the days. Null by hour.", "各营业日释放的积分；按小时统计时为 null。"),
  }),
  members: z
    .int()
    .min(0)
    .openapi({ description: bilingual("Members who joined.", "注册的会员数。") }),
});

const reportPeriod = figures
  .extend({
    day: day.openapi({ description: bilingual("The first day.", "第一天。") }),
    begins_at: time,
    ends_at: time,
    is_over: z.boolean(),
  })
  .openapi("ReportPeriod");

const unit = z.enum(["hour", "day", "week", "month"]);

const report = z
  .strictObject({
    unit,
    from: day,
    to: day,
    time_zone: z.string(),
    source_days: z
      .int()
      .min(1)
      .openapi({
        description: bilingual(
          "The most days of a report of products, levels or members.",
          "商品、等级或会员报表的最多天数。",
        ),
      }),
    periods: z.array(reportPeriod).openapi({ description: bilingual("Oldest first.", "最早的在前。") }),
    totals: figures,
    over: figures.openapi({ description: bilingual("The totals of the periods that are over.", "已结束时段的合计。") }),
    compared: z
      .strictObject({ from: day, to: day, periods: z.array(reportPeriod), over: figures })
      .nullable()
      .openapi({
        description: bilingual(
          "The periods to compare with, in the same sequence; over is the sum of as many of them as are over, hours by the clock. Null without compare, and if the store had neither orders nor members by then.",
          "用于比较的时段，顺序相同；over 为其中与已结束时段数量相同的各时段之和，按小时统计时以钟点对应。未给 compare，或当时商城既无订单也无会员时为 null。",
        ),
      }),
  })
  .openapi("Report");

const between = z.strictObject({
  from: timestamp.openapi({ example: "2026-11-01T00:00:00+08:00", description: "At or after this time." }),
  to: timestamp.openapi({
    example: "2026-12-01T00:00:00+08:00",
    description: bilingual(
      "Before this time, at most source_days of the report after from.",
      "早于此时间，且距 from 不超过报表的 source_days 天。",
    ),
  }),
});

const reportProduct = z
  .strictObject({
    product_id: id,
    title: z.string().openapi({ description: bilingual("Of the newest order in the row.", "该行最新订单中的标题。") }),
    is_queue_goods: z.boolean().openapi({
      description: bilingual(
        "Of the orders. A product that changed it has a row for each value.",
        "下单时的标记。标记变更过的商品，每个值各占一行。",
      ),
    }),
    ...sales,
    paid: money.openapi({
      description: bilingual("What was paid for the product, without freight.", "该商品的实付金额，不含运费。"),
    }),
    units: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Units sold, by time of payment.", "按付款时间统计的销售件数。") }),
    units_refunded: z
      .int()
      .min(0)
      .openapi({ description: bilingual("Units refunded, by time of the refund.", "按退款时间统计的退款件数。") }),
  })
  .openapi("ReportProduct");

const reportLevel = z
  .strictObject({
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    ...sales,
    ...earnings,
    members: z.int().min(0),
  })
  .openapi("ReportLevel");

const reportMember = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    ...sales,
    ...earnings,
  })
  .openapi("ReportMember");

export const reportRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/report",
    auth: "admin",
    tag: "Reports",
    summary: bilingual(
      "Revenue, commission, points and members by hour, day, week or month",
      "按小时、日、周或月统计的收入、佣金、积分与会员",
    ),
    description: bilingual(
      "Weeks begin on Monday; weeks and months are whole. At most 48 hours, 400 days, 110 weeks or 60 months. Without from, the last day, 30 days, 13 weeks or 12 months.",
      "每周从周一开始；周与月均为完整周期。最多 48 小时、400 天、110 周或 60 个月。未给 from 时为最近一天、30 天、13 周或 12 个月。",
    ),
    request: {
      query: z.strictObject({
        unit: unit.optional().openapi({ default: "day" }),
        from: day.optional().openapi({ description: bilingual("The first business day.", "第一个营业日。") }),
        to: day.optional().openapi({
          description: bilingual("The last business day. By default, today.", "最后一个营业日，默认为今天。"),
        }),
        compare: z
          .enum(["before", "year"])
          .optional()
          .openapi({
            description: bilingual(
              "before: as many periods just before. year: those of a year before, of weeks 52 weeks.",
              "before：紧接在前的同样多个时段。year：一年前的时段，按周统计时为 52 周前。",
            ),
          }),
      }),
    },
    response: report,
    calls: "get_report",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/report/product",
    auth: "admin",
    tag: "Reports",
    summary: bilingual("What was sold of each product", "各商品的销售情况"),
    request: { query: between.extend({ ...paging.shape, sort: sortBy("get_report_products") }) },
    response: listOf(reportProduct).extend({
      freight: money.openapi({
        description: bilingual(
          "The freight of the orders. With it, paid of all products is what was paid.",
          "订单的运费；全部商品的 paid 加此值即为实付金额。",
        ),
      }),
      freight_refunded: money.openapi({
        description: bilingual(
          "The freight that was refunded, by time of the refund. With it, refunded of all products is what was refunded.",
          "按退款时间统计的退还运费。各商品的 refunded 与其相加，即为退款总额。",
        ),
      }),
    }),
    calls: "get_report_products",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/report/level",
    auth: "admin",
    tag: "Reports",
    summary: bilingual(
      "What members bought and earned, by the level that they have now",
      "按当前等级统计的会员购买与收益",
    ),
    request: { query: between },
    response: listOf(reportLevel),
    calls: "get_report_levels",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/report/member",
    auth: "admin",
    tag: "Reports",
    summary: bilingual("Who sold most to direct members, and earned most", "直推销售与收益最多的会员"),
    description: bilingual(
      "Orders and refunds count for the referrer whom the buyer had when the order was placed.",
      "订单与退款归属下单时买家的推荐人。",
    ),
    request: { query: between.extend({ ...paging.shape, sort: sortBy("get_report_members") }) },
    response: listOf(reportMember),
    calls: "get_report_members",
    standby: true,
  }),
] as const;

import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, listOf, money, paging, points, sortBy, time, timestamp } from "../../_shared/resources/schemas.ts";

const sales = {
  orders: z.int().min(0).openapi({ description: "Paid orders, by time of payment." }),
  paid: money.openapi({ description: "What was paid, freight included, by time of payment." }),
  refunded: money.openapi({ description: "What was refunded, by time of the refund." }),
  revenue: money.openapi({ description: "paid less refunded. Negative if more was refunded." }),
};
const earnings = {
  commission: money.openapi({ description: "Commission by time of booking, less reversals." }),
  points_frozen: points.openapi({ description: "Points granted, by time of booking, less reversals." }),
};

const figures = z.strictObject({
  ...sales,
  queue_orders: z.int().min(0).openapi({ description: "Paid orders with queue goods." }),
  queue_revenue: money.openapi({ description: "What was paid for queue goods less what was refunded for them." }),
  ...earnings,
  points_released: points.nullable().openapi({ description: "Points released for the days. Null by hour." }),
  members: z.int().min(0).openapi({ description: "Members who joined." }),
});

const reportPeriod = figures
  .extend({ day: day.openapi({ description: "The first day." }), begins_at: time, ends_at: time, is_over: z.boolean() })
  .openapi("ReportPeriod");

const unit = z.enum(["hour", "day", "week", "month"]);

const report = z
  .strictObject({
    unit,
    from: day,
    to: day,
    time_zone: z.string(),
    source_days: z.int().min(1).openapi({ description: "The most days of a report of products, levels or members." }),
    periods: z.array(reportPeriod).openapi({ description: "Oldest first." }),
    totals: figures,
    over: figures.openapi({ description: "The totals of the periods that are over." }),
    compared: z
      .strictObject({ from: day, to: day, periods: z.array(reportPeriod), over: figures })
      .nullable()
      .openapi({
        description:
          "The periods to compare with, in the same sequence; over is the sum of as many of them as are over, hours by the clock. Null without compare, and if the store had neither orders nor members by then.",
      }),
  })
  .openapi("Report");

const between = z.strictObject({
  from: timestamp.openapi({ example: "2026-11-01T00:00:00+08:00", description: "At or after this time." }),
  to: timestamp.openapi({
    example: "2026-12-01T00:00:00+08:00",
    description: "Before this time, at most source_days of the report after from.",
  }),
});

const reportProduct = z
  .strictObject({
    product_id: id,
    title: z.string().openapi({ description: "Of the newest order in the row." }),
    is_queue_goods: z.boolean().openapi({ description: "Of the orders. A product that changed it has a row for each value." }),
    ...sales,
    paid: money.openapi({ description: "What was paid for the product, without freight." }),
    units: z.int().min(0).openapi({ description: "Units sold, by time of payment." }),
    units_refunded: z.int().min(0).openapi({ description: "Units refunded, by time of the refund." }),
  })
  .openapi("ReportProduct");

const reportLevel = z
  .strictObject({ agent_level: z.int().min(0), agent_level_name: z.string(), ...sales, ...earnings, members: z.int().min(0) })
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
    summary: "Revenue, commission, points and members by hour, day, week or month",
    description:
      "Weeks begin on Monday; weeks and months are whole. At most 48 hours, 400 days, 110 weeks or 60 months. Without from, the last day, 30 days, 13 weeks or 12 months.",
    request: {
      query: z.strictObject({
        unit: unit.optional().openapi({ default: "day" }),
        from: day.optional().openapi({ description: "The first business day." }),
        to: day.optional().openapi({ description: "The last business day. By default, today." }),
        compare: z
          .enum(["before", "year"])
          .optional()
          .openapi({ description: "before: as many periods just before. year: those of a year before, of weeks 52 weeks." }),
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
    summary: "What was sold of each product",
    request: { query: between.extend({ ...paging.shape, sort: sortBy(["revenue", "units", "orders"], "-revenue") }) },
    response: listOf(reportProduct).extend({
      freight: money.openapi({ description: "The freight of the orders. With it, paid of all products is what was paid." }),
      freight_refunded: money.openapi({
        description: "The freight that was refunded, by time of the refund. With it, refunded of all products is what was refunded.",
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
    summary: "What members bought and earned, by the level that they have now",
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
    summary: "Who sold most to direct members, and earned most",
    description: "Orders and refunds count for the referrer whom the buyer had when the order was placed.",
    request: {
      query: between.extend({ ...paging.shape, sort: sortBy(["revenue", "orders", "commission", "points_frozen"], "-revenue") }),
    },
    response: listOf(reportMember),
    calls: "get_report_members",
    standby: true,
  }),
] as const;

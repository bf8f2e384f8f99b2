import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { flag, points, text, time, visibleText, webAddress } from "../../_shared/schemas.ts";

const settings = z.strictObject({
  time_zone: z.string().openapi({ description: "Time zone of business days and of the schedule.", example: "Asia/Shanghai" }),
  site_name: z.string(),
  h5_share_url: z.string().openapi({ description: "The page that a share link opens; `?spread=<uid>` is appended." }),
  max_unpaid_orders: z.int().openapi({ description: "The highest number of unpaid orders per member." }),
  payment_minutes: z.int().openapi({ description: "Minutes within which a payment that was started at a provider must be completed." }),
  order_expiry_minutes: z.int().openapi({ description: "Minutes until an unpaid order expires: from the end of its last payment, or, without any payment and if members cannot pay offline, from its creation." }),
  offline_payment: z.boolean().openapi({ description: "Whether members can pay offline." }),
  offline_payment_days: z.int().openapi({ description: "Days until an order without any payment expires, if members can pay offline." }),
  receipt_days: z.int().openapi({ description: "Days from the shipment until the receipt of an order is confirmed automatically." }),
  points_rate: points.openapi({ description: "The points that pay 1.00 at checkout.", example: 1 }),
  points_max_share: z.number().openapi({ description: "The greatest share of the price of the goods that points can pay, without queue goods and freight; 0: none.", example: 0.5 }),
  logo: z.string().nullable().openapi({ description: "The address of a picture." }),
  colour: z.string().openapi({ description: "The main colour of the pages for members.", example: "#c8102e" }),
  updated_at: time,
}).openapi("Settings");

export const settingsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "The settings of the store",
    response: settings,
    calls: "get_settings",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "Change the given settings of the store",
    request: {
      body: z.strictObject({
        time_zone: text(1, 64).optional(),
        site_name: visibleText(100).optional(),
        h5_share_url: webAddress(500).optional(),
        max_unpaid_orders: z.int().min(1).max(1000).optional(),
        payment_minutes: z.int().min(5).max(1440).optional(),
        order_expiry_minutes: z.int().min(5).max(10080).optional(),
        offline_payment: flag.optional(),
        offline_payment_days: z.int().min(1).max(90).optional(),
        receipt_days: z.int().min(1).max(90).optional(),
        points_rate: z.number().min(0.01).max(999_999.99).optional().openapi({ description: "At most two decimals." }),
        points_max_share: z.number().min(0).lt(1).optional().openapi({ description: "At most five decimals." }),
        logo: z.union([webAddress(1000), z.literal("")]).optional().openapi({ description: "An empty one removes it." }),
        colour: z.string().regex(/^#[0-9a-fA-F]{6}$/, "Expected a colour such as \"#c8102e\".").optional().openapi({ example: "#c8102e" }),
      }).refine((body) => Object.keys(body).length > 0, "Send at least one setting."),
    },
    response: settings,
    calls: "set_settings",
    args: ({ body }) => ({
      p_time_zone: body.time_zone,
      p_site_name: body.site_name,
      p_h5_share_url: body.h5_share_url,
      p_max_unpaid_orders: body.max_unpaid_orders,
      p_payment_minutes: body.payment_minutes,
      p_order_expiry_minutes: body.order_expiry_minutes,
      p_offline_payment: body.offline_payment,
      p_offline_payment_days: body.offline_payment_days,
      p_receipt_days: body.receipt_days,
      p_points_rate: body.points_rate,
      p_points_max_share: body.points_max_share,
      p_logo: body.logo,
      p_colour: body.colour,
    }),
  }),
] as const;

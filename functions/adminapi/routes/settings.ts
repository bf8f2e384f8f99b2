import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { text, time, visibleText, webAddress } from "../../_shared/schemas.ts";

const settings = z.strictObject({
  time_zone: z.string().openapi({ description: "Time zone of business days and of the schedule.", example: "Asia/Shanghai" }),
  site_name: z.string(),
  h5_share_url: z.string().openapi({ description: "The page that a share link opens; `?spread=<uid>` is appended." }),
  max_unpaid_orders: z.int().openapi({ description: "The highest number of unpaid orders per member." }),
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
      }).refine((body) => Object.keys(body).length > 0, "Give at least one setting."),
    },
    response: settings,
    calls: "set_settings",
    args: ({ body }) => ({
      p_time_zone: body.time_zone,
      p_site_name: body.site_name,
      p_h5_share_url: body.h5_share_url,
      p_max_unpaid_orders: body.max_unpaid_orders,
    }),
  }),
] as const;

import { z } from "@hono/zod-openapi";
import { defineRoute } from "../../_shared/route.ts";
import { text, time, visibleText, webAddress } from "../../_shared/schemas.ts";

const settings = z.strictObject({
  time_zone: z.string().openapi({ description: "Of business days and of the schedule.", example: "Asia/Shanghai" }),
  site_name: z.string(),
  h5_share_url: z.string().openapi({ description: "The page that a share link opens; `?spread=<uid>` is appended." }),
  max_unpaid_orders: z.int().openapi({ description: "Most unpaid orders of one member; another one is refused." }),
  updated_at: time,
}).openapi("Settings");

export const settingsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "The local settings",
    answer: settings,
    calls: "get_settings",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "Change the local settings that are given",
    request: {
      body: z.strictObject({
        time_zone: text(1, 64).optional(),
        site_name: visibleText(100).optional(),
        h5_share_url: webAddress(500).optional(),
        max_unpaid_orders: z.int().min(1).max(1000).optional(),
      }).refine((body) => Object.keys(body).length > 0, "Name at least one setting."),
    },
    answer: settings,
    calls: "set_settings",
    args: ({ body }) => ({
      p_time_zone: body.time_zone,
      p_site_name: body.site_name,
      p_h5_share_url: body.h5_share_url,
      p_max_unpaid_orders: body.max_unpaid_orders,
    }),
  }),
] as const;

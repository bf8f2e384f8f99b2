import { z } from "@hono/zod-openapi";
import { brokerageProgress } from "../../_shared/resources/plans.ts";
import { defineRoute } from "../../_shared/route.ts";
import { id, money, nickname, points, time, webAddress } from "../../_shared/schemas.ts";

const me = z
  .strictObject({
    uid: id,
    nickname: z.string(),
    avatar: z.string().nullable(),
    spread_uid: id.nullable(),
    share_code: z.uuid().openapi({ description: "What share links of the member have beside the uid: ?spread=<uid>&share=<share_code>." }),
    agent_level: z.int().min(0).openapi({ description: "The member's grade. 0 means no level." }),
    agent_level_name: z.string(),
    no_assess: z.boolean(),
    add_time: time,
  })
  .openapi("Me");

const assets = z
  .strictObject({
    brokerage_price: money.openapi({ description: "The balance of commission: withdrawable and maturing." }),
    withdrawable: money.openapi({ description: "What can be withdrawn. Negative if refunds took back commission that had been paid out." }),
    maturing: money.openapi({ description: "Commission that cannot be withdrawn yet." }),
    maturing_after_receipt: money.openapi({ description: "The part of it that matures only after the receipt of its order is confirmed." }),
    matures: z.array(z.strictObject({ date: z.iso.date(), amount: money })).openapi({ description: "What matures on which business day." }),
    frozen_points: points,
    available_points: points,
    today_release: points.openapi({ description: "The points of today's release, whether or not it has already run." }),
    total_points_earned: points.openapi({ description: "All points granted, with the opening balance and less reversals." }),
    agent_level: z.int().min(0),
    agent_level_name: z.string(),
    progress: brokerageProgress,
  })
  .openapi("AssetOverview");

export const memberRoutes = [
  defineRoute({
    method: "get",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: "The signed-in member",
    response: me,
    calls: "get_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: "Change nickname and avatar",
    request: {
      body: z
        .strictObject({
          nickname: nickname(64).optional(),
          avatar: z
            .union([webAddress(512), z.literal("")])
            .optional()
            .openapi({ description: "An empty one removes it." }),
        })
        .refine((body) => Object.keys(body).length > 0, "Send at least one field."),
    },
    response: me,
    errors: ["too_many_requests"],
    calls: "set_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user/spread",
    auth: "user",
    tag: "Member",
    summary: "Set the member's referrer, once",
    request: { body: z.strictObject({ spread_uid: id }) },
    response: z.strictObject({ uid: id, spread_uid: id }),
    errors: ["spread_already_bound", "spread_unknown", "spread_is_self", "spread_in_own_downline"],
    calls: "bind_spread",
  }),
  defineRoute({
    method: "get",
    path: "/api/hjf/assets/overview",
    auth: "user",
    tag: "Commission",
    summary: "The member's money, points, level and commission cycle",
    response: assets,
    calls: "get_assets_overview",
  }),
] as const;

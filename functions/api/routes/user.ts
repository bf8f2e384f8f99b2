import { z } from "@hono/zod-openapi";
import { billRow, billType } from "../../_shared/resources/bill.ts";
import { defineRoute } from "../../_shared/route.ts";
import { cursorPaging, id, logOf, period, time } from "../../_shared/schemas.ts";

const me = z.strictObject({
  uid: id,
  nickname: z.string(),
  spread_uid: id.nullable(),
  agent_level: z.int().min(0).openapi({ description: "Grade; 0 is none." }),
  agent_level_name: z.string(),
  no_assess: z.boolean(),
  add_time: time,
}).openapi("Me");

export const userRoutes = [
  defineRoute({
    method: "get",
    path: "/api/user",
    auth: "user",
    tag: "Member",
    summary: "The signed-in member",
    answer: me,
    calls: "get_me",
  }),
  defineRoute({
    method: "put",
    path: "/api/user/spread",
    auth: "user",
    tag: "Member",
    summary: "Bind the member to a referrer, once",
    request: { body: z.strictObject({ spread_uid: id }) },
    answer: z.strictObject({ uid: id, spread_uid: id }),
    errors: ["spread_already_bound", "spread_unknown", "spread_is_self", "spread_in_own_downline"],
    calls: "bind_spread",
    args: ({ body }) => ({ p_spread_uid: body.spread_uid }),
  }),
  defineRoute({
    method: "get",
    path: "/api/bill",
    auth: "user",
    tag: "Member",
    summary: "The member's bill, newest first",
    request: { query: cursorPaging.extend({ type: billType.optional(), ...period }) },
    answer: logOf(billRow),
    calls: "get_bill",
    args: ({ query }) => ({
      p_type: query.type,
      p_from: query.from,
      p_to: query.to,
      p_page: query.page,
      p_limit: query.limit,
      p_cursor: query.cursor,
    }),
  }),
] as const;

import { z } from "@hono/zod-openapi";
import { personRequest, personRequestKind, personRequestNote } from "../../_shared/resources/person_requests.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { listOf } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

export const personRequestRoutes = [
  defineRoute({
    method: "get",
    path: "/api/user/request",
    auth: "user",
    tag: "Member",
    summary: bilingual(
      "The member's requests for a copy, a correction or the deletion of their data, the 100 newest",
      "会员关于副本、更正或删除个人信息的请求，最新 100 条",
    ),
    description: bilingual(
      "A copy or a deletion that the member did alone is among them.",
      "包含会员自行完成的副本导出或注销。",
    ),
    response: listOf(personRequest),
    calls: "get_person_requests",
  }),
  defineRoute({
    method: "post",
    path: "/api/user/request",
    auth: "user",
    tag: "Member",
    summary: bilingual(
      "Ask the store for a copy, a correction or the deletion of the member's data",
      "请求商城提供副本、更正或删除会员的个人信息",
    ),
    description: bilingual(
      "For what the member cannot do alone. Of each kind, one request is open at a time.",
      "用于会员无法自行完成的事项。每种同时只能有一个未处理完的请求。",
    ),
    request: { body: z.strictObject({ kind: personRequestKind, note: personRequestNote }) },
    status: 201,
    response: personRequest,
    errors: ["person_request_open", "user_not_found"],
    calls: "create_person_request",
  }),
] as const;

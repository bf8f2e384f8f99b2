import { z } from "@hono/zod-openapi";
import { personRequest, personRequestKind, personRequestNote } from "../../_shared/resources/person_requests.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { listOf } from "../../_shared/resources/schemas.ts";

export const personRequestRoutes = [
  defineRoute({
    method: "get",
    path: "/api/user/request",
    auth: "user",
    tag: "Member",
    summary: "The member's requests for a copy, a correction or the deletion of their data, the 100 newest",
    description: "A copy or a deletion that the member did alone is among them.",
    response: listOf(personRequest),
    calls: "get_person_requests",
  }),
  defineRoute({
    method: "post",
    path: "/api/user/request",
    auth: "user",
    tag: "Member",
    summary: "Ask the store for a copy, a correction or the deletion of the member's data",
    description: "For what the member cannot do alone. Of each kind, one request is open at a time.",
    request: { body: z.strictObject({ kind: personRequestKind, note: personRequestNote }) },
    status: 201,
    response: personRequest,
    errors: ["person_request_open", "user_not_found"],
    calls: "create_person_request",
  }),
] as const;

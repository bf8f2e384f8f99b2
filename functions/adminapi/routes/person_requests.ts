import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { personRequestFields, personRequestKind, personRequestNote, personRequestState } from "../../_shared/resources/person_requests.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, idPath, idText, listOf, paging, visibleParagraphs } from "../../_shared/resources/schemas.ts";

const personRequest = z
  .strictObject({
    ...personRequestFields,
    uid: id,
    nickname: z.string(),
    is_overdue: z.boolean(),
    recorded_by: actor.openapi({ description: "The administrator who recorded it; null for one of the app." }),
    closed_by: actor.openapi({ description: "The administrator who answered; null if the member did it alone." }),
  })
  .openapi("AdminPersonRequest");

export const personRequestRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/person_request",
    auth: "admin",
    tag: "Requests of persons",
    summary: "Requests of members about their personal data, overdue ones first, then open ones, then closed ones, newest first",
    request: {
      query: paging.extend({
        uid: idText.optional(),
        kind: personRequestKind.optional(),
        state: personRequestState.optional(),
        waiting: waitingFilter("overdue_person_request", "person_request"),
      }),
    },
    response: listOf(personRequest),
    calls: "admin_get_person_requests",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/person_request",
    auth: "admin",
    tag: "Requests of persons",
    summary: "Record a request of a member who wrote or called",
    request: {
      body: z.strictObject({
        uid: id,
        kind: personRequestKind,
        note: personRequestNote,
        received_on: day.optional().openapi({ description: "The business day on which it arrived, if that was not today." }),
      }),
    },
    status: 201,
    response: personRequest,
    errors: ["own_account", "user_not_found", "person_request_open"],
    calls: "record_person_request",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/person_request/{id}",
    auth: "admin",
    tag: "Requests of persons",
    summary: "Note what was done for a request, or close it as done or refused",
    description:
      "The member reads the answer, and is told when the request is closed. An answer is final; the same one again changes nothing. " +
      "A request for a deletion is done by the deletion of the account only.",
    request: {
      path: idPath,
      body: z.strictObject({
        state: z.enum(["open", "done", "refused"]),
        answer: visibleParagraphs(500).openapi({ description: "What was done, or why it is refused, without names and numbers." }),
      }),
    },
    response: personRequest,
    errors: ["own_account", "person_request_not_found", "person_request_state_conflict"],
    calls: "answer_person_request",
  }),
] as const;

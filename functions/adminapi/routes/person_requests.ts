import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import {
  personRequestFields,
  personRequestKind,
  personRequestNote,
  personRequestState,
} from "../../_shared/resources/person_requests.ts";
import { waitingFilter } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, id, idPath, idText, listOf, paging, visibleParagraphs } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const personRequest = z
  .strictObject({
    ...personRequestFields,
    uid: id,
    nickname: z.string(),
    is_overdue: z.boolean(),
    recorded_by: actor.openapi({
      description: bilingual(
        "The administrator who recorded it; null for one of the app.",
        "登记的管理员；由会员在应用中提交时为 null。",
      ),
    }),
    closed_by: actor.openapi({
      description: bilingual(
        "The administrator who answered; null if the member did it alone.",
        "答复的管理员；由会员自行完成时为 null。",
      ),
    }),
  })
  .openapi("AdminPersonRequest");

export const personRequestRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/person_request",
    auth: "admin",
    tag: "Requests of persons",
    summary: bilingual(
      "Requests of members about their personal data, overdue ones first, then open ones, then closed ones, newest first",
      "会员关于个人信息的请求：逾期的在前，其次未处理完，最后已处理完，最新的在前",
    ),
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
    summary: bilingual("Record a request of a member who wrote or called", "登记会员来信或来电提出的请求"),
    request: {
      body: z.strictObject({
        uid: id,
        kind: personRequestKind,
        note: personRequestNote,
        received_on: day.optional().openapi({
          description: bilingual(
            "The business day on which it arrived, if that was not today.",
            "收到请求的营业日，今天收到的可省略。",
          ),
        }),
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
    summary: bilingual(
      "Note what was done for a request, or close it as done or refused",
      "记录请求的处理情况，或以完成、拒绝结案",
    ),
    description: bilingual(
      "The member reads the answer, and is told when the request is closed. An answer is final; the same one again changes nothing. " +
        "A request for a deletion is done by the deletion of the account only.",
      "会员可看到答复，并在结案时收到通知。答复为最终结果，重复提交不产生变化。删除请求只能通过注销账号完成。",
    ),
    request: {
      path: idPath,
      body: z.strictObject({
        state: z.enum(["open", "done", "refused"]),
        answer: visibleParagraphs(500).openapi({
          description: bilingual(
            "What was done, or why it is refused, without names and numbers.",
            "处理结果或拒绝原因，不含姓名与号码。",
          ),
        }),
      }),
    },
    response: personRequest,
    errors: ["own_account", "person_request_not_found", "person_request_state_conflict"],
    calls: "answer_person_request",
  }),
] as const;

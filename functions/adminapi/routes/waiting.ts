import { z } from "@hono/zod-openapi";
import { waitingKind } from "../../_shared/resources/waiting.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { time } from "../../_shared/resources/schemas.ts";
import { VALUE_LISTS } from "../../_shared/ground/value_lists.ts";

const waiting = z
  .strictObject({
    list: z.array(
      z.strictObject({
        kind: waitingKind,
        count: z.int().min(0).max(1000),
        is_more: z.boolean().openapi({ description: "Whether there are more than the count, which ends at 1000." }),
      }),
    ),
  })
  .openapi("Waiting");

const minutes = z.union([z.literal(15), z.literal(60), z.literal(240), z.literal(1440)]);
const language = z.enum(VALUE_LISTS["notice_choices.language"]);

const ownNotices = z
  .strictObject({
    is_set_up: z.boolean().openapi({ description: "Whether the store has a mail server. Without one, no notice is sent." }),
    email: z.string().openapi({ description: "The address of the caller." }),
    kinds: z.array(waitingKind),
    language: language.nullable().openapi({ description: "Null before the first choice." }),
    minutes,
    noticed_at: time.nullable().openapi({ description: "When the last notice was written." }),
  })
  .openapi("OwnNotices");

export const waitingRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/waiting",
    auth: "admin",
    tag: "Overview",
    summary: "How much waits for the caller, by kind",
    description:
      "Only kinds that the roles of the caller allow to deal with. What the caller may not decide does not wait for them: orders and balances of their own " +
      "member account, and what they have made or approved and a second administrator must decide. The lists of orders, withdrawals and adjustments show " +
      "the same rows with `waiting=<kind>`.",
    response: waiting,
    calls: "get_waiting",
    standby: true,
    revalidates: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/me/notices",
    auth: "admin",
    tag: "Overview",
    summary: "Which notices by email the caller has chosen",
    response: ownNotices,
    calls: "get_own_notices",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/me/notices",
    auth: "admin",
    tag: "Overview",
    summary: "Choose notices by email",
    description:
      "A notice has counts and links of what waits for the caller. It is sent when something new of these kinds waits, at most once in so many minutes. " +
      "Kinds that the roles of the caller do not allow are left out.",
    request: { body: z.strictObject({ kinds: z.array(waitingKind).max(100), language, minutes }) },
    response: ownNotices,
    calls: "set_own_notices",
  }),
] as const;

import { z } from "@hono/zod-openapi";
import { id, paragraphs, time } from "./schemas.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";

export const personRequestKind = z.enum(VALUE_LISTS["person_requests.kind"]);

export const personRequestState = z.enum(VALUE_LISTS["person_requests.state"]).openapi({
  description: "lapsed: the member kept the account after all, or it was deleted before another request was answered.",
});

/** What is asked for, as it is sent. */
export const personRequestNote = paragraphs(0, 500).optional().openapi({ description: "What is asked for. A correction needs it." });

const fields = z.strictObject({
  id,
  kind: personRequestKind,
  channel: z
    .enum(VALUE_LISTS["person_requests.channel"])
    .openapi({ description: "administrator: recorded for a member who wrote or called." }),
  note: z.string().openapi({ description: "What is asked for. Empty once the account is deleted." }),
  received_at: time,
  due_at: time.openapi({ description: "Until when the store answers (person_request_days)." }),
  state: personRequestState,
  answer: z
    .string()
    .openapi({ description: "What was done so far, or was done, or why it was refused. Empty if the member did it alone." }),
  closed_at: time.nullable(),
});

/** A request of a member about their personal data. */
export const personRequestFields = fields.shape;
export const personRequest = fields.openapi("PersonRequest");

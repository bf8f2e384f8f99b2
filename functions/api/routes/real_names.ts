import { z } from "@hono/zod-openapi";
import { problemOfRealName } from "../../_shared/secrets/identity_document.ts";
import { documentType, realNameFields } from "../../_shared/resources/real_names.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { visibleText } from "../../_shared/resources/schemas.ts";
import { giveRealName } from "../give_real_name.ts";

const ownRealName = z.strictObject(realNameFields).openapi("OwnRealName");

const realNameInput = z
  .strictObject({
    document: documentType.openapi({ description: "id_card: also a residence permit, which is numbered in the same way." }),
    name: visibleText(64).openapi({ description: "The full name, as it is on the document." }),
    number: visibleText(32).openapi({ description: "Blanks, hyphens and small letters do not matter.", example: "11010519491231002X" }),
  })
  .superRefine((given, context) => {
    const found = problemOfRealName(given, new Date());
    if (found) context.addIssue({ code: "custom", path: [found.field], message: found.problem });
  })
  .openapi("RealNameInput");

export const realNameRoutes = [
  defineRoute({
    method: "get",
    path: "/api/real_name",
    auth: "user",
    tag: "Withdrawals",
    summary: "The real name that the member gave, masked",
    response: ownRealName,
    calls: "get_real_name",
  }),
  defineRoute({
    method: "put",
    path: "/api/real_name",
    auth: "user",
    tag: "Withdrawals",
    summary: "Give the real name that the store needs for a large withdrawal",
    description:
      "Only while the store asks for it (real_name of the withdrawal terms). It is encrypted, and shown whole only to administrators of the area money, each time on record. " +
      "It replaces one that is not checked, unless a withdrawal is open. At most 5 times in an hour.",
    request: { body: realNameInput },
    response: ownRealName,
    errors: ["real_name_key_missing", "real_name_fixed", "too_many_requests"],
    calls: "set_real_name",
    handler: giveRealName,
  }),
] as const;

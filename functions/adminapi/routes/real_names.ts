import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { documentType, realNameFields } from "../../_shared/resources/real_names.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, uidPath, visibleParagraphs } from "../../_shared/resources/schemas.ts";
import { readRealName } from "../read_real_name.ts";

const realName = z.strictObject({ ...realNameFields, decided_by: actor }).openapi("RealName");

export const realNameRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/real_name",
    auth: "admin",
    tag: "Withdrawals",
    summary: "The real name of a member, masked",
    request: { path: uidPath },
    response: realName,
    errors: ["user_not_found"],
    calls: "admin_get_real_name",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/user/{uid}/real_name",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Read the real name of a member",
    description: "The action log records who read whose real name. No machine key can do this.",
    request: { path: uidPath },
    response: z.strictObject({ uid: id, name: z.string(), document: documentType, number: z.string() }).openapi("PlainRealName"),
    errors: ["real_name_not_found", "real_name_key_missing", "real_name_altered"],
    calls: "read_real_name",
    handler: readRealName,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/user/{uid}/real_name",
    auth: "admin",
    tag: "Withdrawals",
    summary: "Record that the real name of a member is checked, or refuse it",
    description: "A refused one is to be given again. A checked one can be refused when it has changed.",
    request: {
      path: uidPath,
      body: z.strictObject({
        id: id.openapi({ description: "The id of the real name that was looked at." }),
        state: z.enum(["checked", "refused"]),
        reason: visibleParagraphs(500).optional().openapi({ description: "Only for a refusal, which needs it. The member sees it." }),
      }),
    },
    response: realName,
    errors: ["own_account", "changed_meanwhile"],
    calls: "decide_real_name",
  }),
] as const;

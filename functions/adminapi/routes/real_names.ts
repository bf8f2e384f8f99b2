import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { documentType, realNameFields } from "../../_shared/resources/real_names.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, uidPath, visibleParagraphs } from "../../_shared/resources/schemas.ts";
import { readRealName } from "../read_real_name.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const realName = z.strictObject({ ...realNameFields, decided_by: actor }).openapi("RealName");

export const realNameRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/user/{uid}/real_name",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("The real name of a member, masked", "会员的实名信息（已脱敏）"),
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
    summary: bilingual("Read the real name of a member", "查看会员的实名信息"),
    description: bilingual(
      "The action log records who read whose real name. No machine key can do this.",
      "操作记录包含谁查看了谁的实名信息。机器密钥不能进行此操作。",
    ),
    request: { path: uidPath },
    response: z
      .strictObject({ uid: id, name: z.string(), document: documentType, number: z.string() })
      .openapi("PlainRealName"),
    errors: ["real_name_not_found", "real_name_key_missing", "real_name_altered"],
    calls: "read_real_name",
    handler: readRealName,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/user/{uid}/real_name",
    auth: "admin",
    tag: "Withdrawals",
    summary: bilingual("Record that the real name of a member is checked, or refuse it", "登记会员实名已核验，或退回"),
    description: bilingual(
      "A refused one is to be given again. A checked one can be refused when it has changed.",
      "被退回的须重新提交。已核验的信息变更后可以退回。",
    ),
    request: {
      path: uidPath,
      body: z.strictObject({
        id: id.openapi({
          description: bilingual("The id of the real name that was looked at.", "所查看的实名信息的 id。"),
        }),
        state: z.enum(["checked", "refused"]),
        reason: visibleParagraphs(500)
          .optional()
          .openapi({
            description: bilingual(
              "Only for a refusal, which needs it. The member sees it.",
              "仅退回时填写且必填，会员可以看到。",
            ),
          }),
      }),
    },
    response: realName,
    errors: ["own_account", "changed_meanwhile"],
    calls: "decide_real_name",
  }),
] as const;

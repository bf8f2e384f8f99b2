import { z } from "@hono/zod-openapi";
import { problemOfRealName } from "../../_shared/secrets/identity_document.ts";
import { documentType, realNameFields } from "../../_shared/resources/real_names.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { visibleText } from "../../_shared/resources/schemas.ts";
import { giveRealName } from "../give_real_name.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const ownRealName = z.strictObject(realNameFields).openapi("OwnRealName");

const realNameInput = z
  .strictObject({
    document: documentType.openapi({
      description: bilingual(
        "id_card: also a residence permit, which is numbered in the same way.",
        "id_card：包括编号规则相同的居住证。",
      ),
    }),
    name: visibleText(64).openapi({
      description: bilingual("The full name, as it is on the document.", "证件上的完整姓名。"),
    }),
    number: visibleText(32).openapi({
      description: bilingual("Blanks, hyphens and small letters do not matter.", "不区分大小写，空格与连字符不计。"),
      example: "11010519491231002X",
    }),
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
    summary: bilingual("The real name that the member gave, masked", "会员提交的实名信息（已脱敏）"),
    response: ownRealName,
    calls: "get_real_name",
  }),
  defineRoute({
    method: "put",
    path: "/api/real_name",
    auth: "user",
    tag: "Withdrawals",
    summary: bilingual("Give the real name that the store needs for a large withdrawal", "提交大额提现所需的实名信息"),
    description: bilingual(
      "Only while the store asks for it (real_name of the withdrawal terms). It is encrypted, and shown whole only to administrators of the area money, each time on record. " +
        "It replaces one that is not checked, unless a withdrawal is open. At most 5 times in an hour.",
      "仅在商城要求时（提现须知的 real_name）。信息加密保存，只有资金管理员可完整查看，且每次留有记录。未核验的实名信息可被替换，有未完成的提现时除外。每小时最多 5 次。",
    ),
    request: { body: realNameInput },
    response: ownRealName,
    errors: ["real_name_key_missing", "real_name_fixed", "too_many_requests"],
    calls: "set_real_name",
    handler: giveRealName,
  }),
] as const;

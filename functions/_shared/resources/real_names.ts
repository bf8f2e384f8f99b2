import { z } from "@hono/zod-openapi";
import { DOCUMENTS } from "../secrets/identity_document.ts";
import { id, time } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** The type of a document. */
export const documentType = z.enum(DOCUMENTS);

/** A real name, as members and administrators see it. */
export const realNameFields = {
  uid: id,
  id: id
    .nullable()
    .openapi({ description: bilingual("Another one each time that the member gives it.", "会员每次提交都会改变。") }),
  state: z.enum(["none", "given", "checked", "refused"]).openapi({
    description: bilingual(
      "none: the member has given no real name, and the rest is null.",
      "none：会员尚未提交实名信息，其余字段为 null。",
    ),
  }),
  document: documentType.nullable(),
  name: z.string().nullable().openapi({ description: "Masked.", example: "张**" }),
  number: z.string().nullable().openapi({ description: "Masked.", example: "1****************X" }),
  reason: z
    .string()
    .nullable()
    .openapi({
      description: bilingual(
        "Why an administrator refused it. Null if the provider did.",
        "管理员退回的原因；由服务商退回时为 null。",
      ),
    }),
  given_at: time.nullable(),
  decided_at: time
    .nullable()
    .openapi({ description: bilingual("When it was checked or refused.", "核验通过或退回的时间。") }),
};

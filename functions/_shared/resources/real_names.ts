import { z } from "@hono/zod-openapi";
import { DOCUMENTS } from "../secrets/identity_document.ts";
import { id, time } from "./schemas.ts";

/** The type of a document. */
export const documentType = z.enum(DOCUMENTS);

/** A real name, as members and administrators see it. */
export const realNameFields = {
  uid: id,
  id: id.nullable().openapi({ description: "Another one each time that the member gives it." }),
  state: z
    .enum(["none", "given", "checked", "refused"])
    .openapi({ description: "none: the member has given no real name, and the rest is null." }),
  document: documentType.nullable(),
  name: z.string().nullable().openapi({ description: "Masked.", example: "张**" }),
  number: z.string().nullable().openapi({ description: "Masked.", example: "1****************X" }),
  reason: z.string().nullable().openapi({ description: "Why an administrator refused it. Null if the provider did." }),
  given_at: time.nullable(),
  decided_at: time.nullable().openapi({ description: "When it was checked or refused." }),
};

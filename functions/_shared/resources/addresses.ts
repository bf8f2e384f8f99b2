import { z } from "@hono/zod-openapi";
import { id, time, visibleText } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** A postal address, as `app.is_address` checks it. */
export const address = z
  .strictObject({
    name: visibleText(64),
    phone: z
      .string()
      .regex(/^\+?\d[\d -]{3,22}\d$/, "Enter a valid phone number.")
      .openapi({ example: "+86 138 0000 0000" }),
    region: z
      .array(visibleText(64))
      .min(1)
      .max(6)
      .openapi({
        description: bilingual("From the largest area to the smallest.", "从大到小的各级地区。"),
        example: ["广东省", "深圳市", "南山区"],
      }),
    street: visibleText(200),
  })
  .openapi("Address");

/** An address of a member's address book. */
export const savedAddress = z
  .strictObject({ ...address.shape, id, is_default: z.boolean(), add_time: time, updated_at: time })
  .openapi("SavedAddress");

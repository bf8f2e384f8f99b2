import { z } from "@hono/zod-openapi";

/** Ids and uids: JSON numbers that every client can hold exactly. */
export const id = z.int().min(1);

/** An amount of money as it goes out: a decimal text with two decimals. */
export const money = z.string().regex(/^-?\d+\.\d{2}$/).openapi({ example: "7200.00" });

/** An amount of money as it comes in: a decimal text, so that no client's arithmetic rounds it. */
export const moneyText = z.string().regex(/^\d{1,12}(\.\d{1,2})?$/, "Expected an amount such as \"19.90\".")
  .openapi({ type: "string", example: "19.90" });

/** Points as they go out: a number with at most four decimals. */
export const points = z.number().openapi({ example: 38500.1234 });

/** A ratio in [0, 1]. */
export const ratio = z.number().min(0).max(1);

/** A moment as it goes out. */
export const time = z.iso.datetime();

/** A moment as it comes in, with any offset. */
export const moment = z.iso.datetime({ offset: true });

/** A business day. */
export const day = z.iso.date();

/** The text of a query or path that names an id. */
export const idText = integerText(1, Number.MAX_SAFE_INTEGER);

/** The text of a query that is a whole number in a range. */
export function integerText(minimum: number, maximum: number) {
  return z.string().regex(/^\d{1,16}$/, "Expected a whole number.").transform(Number).pipe(z.int().min(minimum).max(maximum))
    .openapi({ type: "integer", minimum, maximum });
}

/** The text of a query that is a flag. */
export const flagText = z.enum(["true", "false", "1", "0"]).transform((text) => text === "true" || text === "1")
  .openapi({ type: "boolean" });

/** A flag in a body; existing clients send 1 and 0. */
export const flag = z.union([z.boolean(), z.literal(1).transform(() => true), z.literal(0).transform(() => false)], {
  error: "Expected true, false, 1 or 0.",
}).openapi({ enum: [true, false, 1, 0] });

/** A text that Postgres can store: without the character NUL and without half a surrogate pair. */
export function text(minimum: number, maximum: number) {
  return z.string().min(minimum).max(maximum).regex(/^[^\0]*$/, "The character NUL is not allowed.")
    .refine((value) => !/\p{Surrogate}/u.test(value), "The text is not valid Unicode.")
    .openapi({ type: "string", minLength: minimum, maxLength: maximum, pattern: undefined });
}

/** Of which nothing is seen, as `app.is_visible` has it: blanks, control characters, marks without width or shape. */
const UNSEEN = "\\u0001-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F" +
  "\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\uFFFE\\uFFFF" +
  "\\u{13430}-\\u{13440}\\u{1BCA0}-\\u{1BCA3}\\u{1D159}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}";
/* eslint-disable no-misleading-character-class -- the classes list characters that combine with others */
const VISIBLE = new RegExp(`[^${UNSEEN}]`, "u");

/** What browsers pass over in an address, so that a forbidden scheme could hide behind it, as `app.is_web_address` has it. */
const HIDDEN = "\\\\\\u0001-\\u0020\\u007F-\\u00A0\\u00AD\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uFEFF\\uFFF0-\\uFFFB\\u{E0000}-\\u{E0FFF}";
const WEB_ADDRESS = new RegExp(`^https?://[^/${HIDDEN}][^${HIDDEN}]*$`, "iu");
const RELATIVE_ADDRESS = new RegExp(`^(?!//)[^:/?#${HIDDEN}]*([/?#][^${HIDDEN}]*)?$`, "u");
/* eslint-enable no-misleading-character-class */

/** A name or a title: a text of which something is seen. An empty one has been refused as too short. */
export function visibleText(maximum: number) {
  return text(1, maximum).refine((value) => value === "" || VISIBLE.test(value), "Nothing of this text would be visible.");
}

/** An address of http or https. */
export function webAddress(maximum: number) {
  return text(1, maximum).refine((value) => value === "" || WEB_ADDRESS.test(value), "Expected an address of http or https.");
}

/** An address of http or https, or a relative one; may be empty. */
export function link(maximum: number) {
  return text(0, maximum).refine((value) => WEB_ADDRESS.test(value) || RELATIVE_ADDRESS.test(value), "Only addresses of http and https, and relative ones, are allowed.");
}

/** Path of one thing: `{id}`. */
export const idPath = z.strictObject({ id: idText });

/** Path of one member: `{uid}`. */
export const uidPath = z.strictObject({ uid: idText });

/** Paging of every list. */
export const paging = z.strictObject({
  page: integerText(1, 1_000_000).optional().openapi({ default: 1 }),
  limit: integerText(1, 100).optional().openapi({ default: 20 }),
});

/** The time of what a list is to hold: from a moment on, and before another. */
export const period = {
  from: moment.optional().openapi({ description: "At or after this moment." }),
  to: moment.optional().openapi({ description: "Before this moment." }),
};

/** Paging of long logs: a cursor continues where the answer that gave it ended, and makes `page` irrelevant. */
export const cursorPaging = paging.extend({
  cursor: text(1, 100).optional().openapi({ description: "next_cursor of the page before." }),
});

/** A named schema or null. `.nullable()` would publish the name alone, or make every other use of it nullable. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

/** A list: `count` is the number of all that match. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ list: z.array(item), count: z.int().min(0) });
}

/** A page of a long log: `next_cursor` is null at the end. */
export function logOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ next_cursor: z.string().nullable() });
}

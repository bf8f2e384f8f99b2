import { z } from "@hono/zod-openapi";
import { amountText } from "../words/amount_text.ts";
import { bilingual } from "../words/bilingual.ts";
import { SORT_KEYS } from "./sort_keys.ts";

/** Ids and uids: JSON numbers that every client can represent exactly. */
export const id = z.int().min(1);

/** The ids of a request for several records, as in `app.require_ids`. */
export const ids = z.array(id).min(1).max(1000);

/** An amount of money in a response: a string with two decimals. */
export const money = z
  .string()
  .regex(/^-?\d+\.\d{2}$/)
  .openapi({ example: "7200.00" });

/** An amount of money in a request: a decimal string, so that no client rounds it as a floating-point number. */
export const moneyText = z
  .string()
  .regex(amountText, 'Expected an amount such as "19.90".')
  .openapi({ type: "string", example: "19.90" });

/** A positive or negative amount of money in a request. */
export const moneyChange = z
  .string()
  .regex(/^-?\d{1,9}(\.\d{1,2})?$/, 'Expected an amount such as "19.90" or "-19.90".')
  .openapi({ type: "string", example: "-19.90" });

/** Points in a response: a number with at most four decimals. */
export const points = z.number().openapi({ example: 38500.1234 });

/** A ratio in [0, 1]. */
export const ratio = z.number().min(0).max(1);

/** A timestamp in a response. */
export const time = z.iso.datetime();

/** A timestamp in a request, with any UTC offset. */
export const timestamp = z.iso.datetime({ offset: true });

/** A business day. */
export const day = z.iso.date();

/** An id in a path or query. */
export const idText = integerText(1, Number.MAX_SAFE_INTEGER);

/** An integer within a range, in a path or query. */
export function integerText(minimum: number, maximum: number) {
  return z
    .string()
    .regex(/^\d{1,16}$/, "Expected a whole number.")
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .openapi({ type: "integer", minimum, maximum });
}

/** A calendar year in a query. */
export const yearText = integerText(2000, 2999);

/** A boolean in a query. */
export const flagText = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1")
  .openapi({ type: "boolean" });

/** A boolean in a body. Existing clients send 1 and 0. */
export const flag = z.union([z.boolean(), z.literal(1).transform(() => true), z.literal(0).transform(() => false)], {
  error: "Expected true, false, 1 or 0.",
});

/** Control characters except tabs and line breaks, and marks of text direction, as in `app.is_text`. */
const CONTROL =
  "\\u0001-\\u0008\\u000B\\u000C\\u000E-\\u001F\\u007F-\\u009F\\u061C\\u200E\\u200F\\u2028-\\u202E\\u2066-\\u2069";
const NO_TEXT = new RegExp(`[${CONTROL}]`, "u");
const NO_LINE = new RegExp(`[\\t\\n\\r\\u200B\\u2060-\\u2065\\uFEFF\\uFFF0-\\uFFFB${CONTROL}]`, "u");

/** A text of one line, as in `app.is_line`. */
export function text(minimum: number, maximum: number) {
  return storedText(minimum, maximum).refine(
    (value) => !NO_LINE.test(value),
    "Line breaks, tabs, control characters, marks of text direction and characters without width are not allowed.",
  );
}

/** A text of several lines, as in `app.is_text`. */
export function paragraphs(minimum: number, maximum: number) {
  return storedText(minimum, maximum).refine(
    (value) => !NO_TEXT.test(value),
    "Control characters and marks of text direction are not allowed.",
  );
}

/** A string that Postgres can store: without the character NUL and without lone surrogates. */
function storedText(minimum: number, maximum: number) {
  return z
    .string()
    .min(minimum)
    .max(maximum)
    .regex(/^[^\0]*$/, "The character NUL is not allowed.")
    .refine((value) => !/\p{Surrogate}/u.test(value), "The text is not valid Unicode.")
    .openapi({ type: "string", minLength: minimum, maxLength: maximum, pattern: undefined });
}

/** Invisible characters, as in `app.is_visible`: white space, control characters, and marks without width or shape. */
const INVISIBLE =
  "\\u0001-\\u0020\\u007F-\\u00A0\\u00AD\\u034F\\u061C\\u115F\\u1160\\u1680\\u17B4\\u17B5\\u180B-\\u180F\\u2000-\\u200F" +
  "\\u2028-\\u202F\\u205F-\\u206F\\u2800\\u3000\\u3164\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\uFFFE\\uFFFF" +
  "\\u{13430}-\\u{13440}\\u{1BCA0}-\\u{1BCA3}\\u{1D159}\\u{1D173}-\\u{1D17A}\\u{E0000}-\\u{E0FFF}";
const VISIBLE = new RegExp(`[^${INVISIBLE}]`, "u");

/** Characters that browsers ignore in a URL and that could hide a forbidden scheme, as in `app.is_web_address`. */
const IGNORED =
  "\\\\\\u0001-\\u0020\\u007F-\\u00A0\\u00AD\\u061C\\u180B-\\u180F\\u2000-\\u200F\\u2028-\\u202F\\u205F-\\u206F\\u3000\\uFEFF\\uFFF0-\\uFFFB\\u{E0000}-\\u{E0FFF}";
const WEB_ADDRESS = new RegExp(`^https?://[^/${IGNORED}][^${IGNORED}]*$`, "iu");
const RELATIVE_ADDRESS = new RegExp(`^(?!//)[^:/?#${IGNORED}]*([/?#][^${IGNORED}]*)?$`, "u");

/** A name or title: a string with at least one visible character. The empty string is rejected as too short instead. */
export function visibleText(maximum: number) {
  return visible(text(1, maximum));
}

/** The same in several lines. */
export function visibleParagraphs(maximum: number) {
  return visible(paragraphs(1, maximum));
}

/** A name that the store cleans (`app.visible_text`), because members bring it from elsewhere. */
export function nickname(maximum: number) {
  return visible(storedText(1, maximum));
}

function visible(schema: z.ZodString) {
  return schema.refine((value) => value === "" || VISIBLE.test(value), "The text has no visible characters.");
}

/** An http or https URL. */
export function webAddress(maximum: number) {
  return text(1, maximum).refine((value) => value === "" || WEB_ADDRESS.test(value), "Expected an http or https URL.");
}

/** An email address, as far as it can be told before a mail is sent. */
export const emailAddress = text(3, 255)
  .refine((value) => /^[^\s@]+@[^\s@]+$/.test(value), "Expected an email address.")
  .openapi({ example: "wang@example.com" });

/** An http or https URL, a relative URL, or the empty string. */
export function link(maximum: number) {
  return text(0, maximum).refine(
    (value) => WEB_ADDRESS.test(value) || RELATIVE_ADDRESS.test(value),
    "Only http, https and relative URLs are allowed.",
  );
}

/** Path with the parameter `{id}`. */
export const idPath = z.strictObject({ id: idText });

/** Path with the parameter `{uid}`. */
export const uidPath = z.strictObject({ uid: idText.openapi({ example: 10007 }) });

/** Paging parameters of every list. */
export const paging = z.strictObject({
  page: integerText(1, 1_000_000).optional().openapi({ default: 1 }),
  limit: integerText(1, 100).optional().openapi({ default: 20 }),
});

/** Filters a list by time: from (inclusive) and to (exclusive). */
export const period = {
  from: timestamp.optional().openapi({ description: "At or after this time." }),
  to: timestamp
    .optional()
    .openapi({ example: "2026-11-01T00:00:00+08:00", description: bilingual("Before this time.", "早于此时间。") }),
};

/** When a member left. */
export const leftAt = time.nullable().openapi({
  description: bilingual(
    "When the account was deleted or removed: from then on, the member earns nothing, and nobody joins below them. Null: they have not left.",
    "账号注销或被移除的时间：此后该会员不再有任何收益，也没有新会员可挂在其下。null 表示未离开。",
  ),
});

/** The instant as of which a figure is asked for. */
export const asOf = {
  as_of: timestamp.optional().openapi({
    description: bilingual(
      "The figures of this instant, from what was booked before it: the first instant of a month has the end of the month before. By default now.",
      "该时刻的数据，由此前的入账得出：每月第一刻即上月末。默认为当前。",
    ),
  }),
};

/** Paging parameters of long logs. A cursor continues after the page that returned it; `page` is then ignored. */
export const cursorPaging = paging.extend({
  cursor: text(1, 100)
    .optional()
    .openapi({ example: "2026-10-31T12:00:00.000000Z_120", description: "next_cursor of the previous page." }),
});

/** The sort of a list: its keys, also with a leading `-`. @param more is said of it in the documentation */
export function sortBy(list: keyof typeof SORT_KEYS, more = "") {
  const { keys, preset }: { keys: readonly string[]; preset: string } = SORT_KEYS[list];
  return z
    .enum([...keys, ...keys.map((key) => `-${key}`)])
    .optional()
    .openapi({ description: `A leading - sorts descending.${more}`, default: preset });
}

/**
 * A named schema or null. `.nullable()` would omit null from the published document, or add it to every use of the
 * name.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}

/** A list. `count` is the number of all matching items. */
export function listOf<Item extends z.ZodType>(item: Item) {
  return z.strictObject({ list: z.array(item), count: z.int().min(0) });
}

/** A page of a long log: `next_cursor` is null at the end. */
export function logOf<Item extends z.ZodType>(item: Item) {
  return listOf(item).extend({ next_cursor: z.string().nullable() });
}

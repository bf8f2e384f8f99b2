import { EVENT_TYPES } from "../../../functions/_shared/notices/event_types.ts";
import { DECLARED_SETTINGS } from "../../../functions/_shared/resources/declared_settings.ts";
import { translator } from "../../../functions/_shared/words/translator.ts";
import { CHINESE_COMMON_FIELDS } from "./chinese_common_fields.ts";
import { CHINESE_DESCRIPTIONS } from "./chinese_descriptions.ts";
import { CHINESE_MEMBER_FIELDS } from "./chinese_member_fields.ts";
import { CHINESE_MESSAGES } from "./chinese_messages.ts";
import { CHINESE_MONEY_FIELDS } from "./chinese_money_fields.ts";
import { CHINESE_ORDER_FIELDS } from "./chinese_order_fields.ts";
import { CHINESE_SUBJECTS } from "./chinese_subjects.ts";
import { CHINESE_SUMMARIES } from "./chinese_summaries.ts";
import { CHINESE_SYSTEM_FIELDS } from "./chinese_system_fields.ts";

/** An OpenAPI document, as far as this file must know it. */
export interface TranslatedDocument {
  tags: { name: string }[];
}

/** The paragraphs of the documents in Chinese. A paragraph stands in one of these lists only. */
export const CHINESE_TEXTS: Record<string, string>[] = [
  CHINESE_SUBJECTS,
  CHINESE_SUMMARIES,
  CHINESE_DESCRIPTIONS,
  CHINESE_COMMON_FIELDS,
  CHINESE_MEMBER_FIELDS,
  CHINESE_MONEY_FIELDS,
  CHINESE_ORDER_FIELDS,
  CHINESE_SYSTEM_FIELDS,
  CHINESE_MESSAGES,
  Object.fromEntries(DECLARED_SETTINGS.map(({ title, hint, title_zh, hint_zh }) => [`${title}. ${hint}`, `${title_zh}：${hint_zh}`])),
  Object.fromEntries(Object.values(EVENT_TYPES).map(({ title, title_zh }) => [title, title_zh])),
];

const translate = translator(new Map(CHINESE_TEXTS.flatMap((texts) => Object.entries(texts))));
const paragraphs = (text: string) => text.split("\n\n").map(translate).join("\n\n");

/** The keys that have texts in an OpenAPI document. `tags` of an operation are names of subjects. */
const TEXTS = new Set(["title", "summary", "description", "tags"]);

/** A part of a document, the value of `key`, in Chinese. Examples are data. */
function partInChinese(part: unknown, key: string): unknown {
  if (typeof part === "string") return TEXTS.has(key) ? paragraphs(part) : part;
  if (Array.isArray(part)) return part.map((item) => partInChinese(item, key));
  if (typeof part !== "object" || part === null || key === "example") return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, partInChinese(value, name)]));
}

/** The document with its texts in Chinese. Lists of error codes stay as they are. */
export function inChinese<Document extends TranslatedDocument>(document: Document): Document {
  const translated = partInChinese(document, "") as Document;
  for (const tag of translated.tags) tag.name = translate(tag.name);
  return translated;
}

import { adminDefinition } from "../../../functions/adminapi/app.ts";
import { apiDefinition } from "../../../functions/api/app.ts";
import { openapiDocument } from "../../../functions/_shared/documents/openapi.ts";
import { EVENT_TYPES } from "../../../functions/_shared/notices/event_types.ts";
import { CHINESE_TEXTS } from "../../../functions/_shared/words/bilingual.ts";
import { translator } from "../../../functions/_shared/words/translator.ts";
import { COMMON_TEXTS, EVENT_TEXTS } from "./common_texts.ts";

/** An OpenAPI document, as far as this file must know it. */
export interface TranslatedDocument {
  tags: { name: string }[];
}

/** Translates a paragraph of the documents. Their texts are all known once the documents were made. */
function translatorOfDocuments(): (text: string) => string {
  for (const definition of [apiDefinition, adminDefinition]) openapiDocument(definition, "0");
  const titles = Object.values(EVENT_TYPES).map(({ title, title_zh }) => [title, title_zh] as const);
  return translator(
    new Map([...CHINESE_TEXTS, ...Object.entries(COMMON_TEXTS), ...Object.entries(EVENT_TEXTS), ...titles]),
  );
}

let translate: ((text: string) => string) | undefined;

/** The keys that have texts in an OpenAPI document. `tags` of an operation are names of subjects. */
const TEXTS = new Set(["title", "summary", "description", "tags"]);

/** The document with its texts in Chinese. Lists of error codes stay as they are. */
export function inChinese<Document extends TranslatedDocument>(document: Document): Document {
  const toChinese = (translate ??= translatorOfDocuments());
  /** A part of the document, the value of `key`. Examples are data. */
  const translated = (part: unknown, key: string): unknown => {
    if (typeof part === "string") return TEXTS.has(key) ? part.split("\n\n").map(toChinese).join("\n\n") : part;
    if (Array.isArray(part)) return part.map((item) => translated(item, key));
    if (typeof part !== "object" || part === null || key === "example") return part;
    return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, translated(value, name)]));
  };
  const copy = translated(document, "") as Document;
  for (const tag of copy.tags) tag.name = toChinese(tag.name);
  return copy;
}

import { translator } from "../../../functions/_shared/translator.ts";
import { CHINESE_DESCRIPTIONS } from "./chinese_descriptions.ts";
import { CHINESE_SUBJECTS } from "./chinese_subjects.ts";
import { CHINESE_SUMMARIES } from "./chinese_summaries.ts";

/** The part of an OpenAPI document that has a translation: what the page shows of a route before it is opened. Fields are described in English. */
export interface TranslatedDocument {
  info: { title: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, { summary: string; description?: string; tags: string[] }>>;
}

const translate = translator(new Map(Object.entries({ ...CHINESE_SUBJECTS, ...CHINESE_SUMMARIES, ...CHINESE_DESCRIPTIONS })));
const paragraphs = (text: string) => text.split("\n\n").map(translate).join("\n\n");

/** The document with its titles, subjects, summaries and descriptions in Chinese. */
export function inChinese<Document extends TranslatedDocument>(document: Document): Document {
  const translated = structuredClone(document);
  const { info, tags, paths } = translated;
  Object.assign(info, { title: translate(info.title), description: translate(info.description) });
  for (const tag of tags) Object.assign(tag, { name: translate(tag.name), description: translate(tag.description) });
  for (const operation of Object.values(paths).flatMap((operations) => Object.values(operations))) {
    operation.summary = translate(operation.summary);
    operation.tags = operation.tags.map(translate);
    if (operation.description !== undefined) operation.description = paragraphs(operation.description);
  }
  return translated;
}

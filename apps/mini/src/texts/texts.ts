import { en as appEnglish, type Translated } from "../../../shared/member_texts/en/index.ts";
import { zh as appChinese } from "../../../shared/member_texts/zh/index.ts";
import type { Language } from "../../../shared/languages.ts";
import { en as ownEnglish } from "./en.ts";
import { zh as ownChinese } from "./zh.ts";

const english = { ...appEnglish, mini: ownEnglish };

/** The texts of the members' app, and under `mini` what only the mini program says. */
export type Texts = typeof english;
export type Namespace = keyof Texts;

/** Kept on the phone: the language that the member has chosen; empty for that of the phone. */
export const languageKey = "language";

/** What the member has chosen. Otherwise Chinese, unless the phone has another language. */
export const language: Language = /^zh/i.test(
  wx.getStorageSync<string>(languageKey) || wx.getAppBaseInfo().language || "zh",
)
  ? "zh"
  : "en";

const chinese: Translated<Texts> = { ...appChinese, mini: ownChinese };
export const texts: Texts = language === "zh" ? chinese : english;

/** A text with its values in place of their names: `{{name}}`. */
export function fill(text: string, values: Record<string, string | number>): string {
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name]));
}

/** The keys of texts that have a form for one and a form for more. */
type Counted<Group> = keyof { [Key in keyof Group as Key extends `${infer Name}_other` ? Name : never]: unknown };

/** The form of a text that fits a number. Chinese has one form. */
export function counted<Group extends object>(group: Group, key: Counted<Group> & string, count: number): string {
  const form = language === "en" && count === 1 ? "one" : "other";
  return fill((group as Record<string, string>)[`${key}_${form}`]!, { count });
}

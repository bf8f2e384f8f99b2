import type { z } from "@hono/zod-openapi";
import type { Language } from "../responses/language.ts";

type Issue = Parameters<ReturnType<typeof z.locales.en>["localeError"]>[0];
type Words = Record<"missing" | "number" | "text" | "choice" | "time" | "day", string> &
  Record<"shortest" | "longest" | "smallest" | "largest" | "fewest" | "most", (limit: number | bigint) => string> & {
    choiceOf: (values: string[]) => string;
  };

/** The most values that a sentence names. */
const MAX_NAMED = 12;

/** What a person who has filled in a form is told to enter. */
const WORDS: Record<Language, Words> = {
  en: {
    missing: "Fill this in.",
    number: "Enter a number.",
    text: "Enter a text.",
    choice: "Choose one of the values.",
    choiceOf: (values) => `Choose one of these values: ${values.join(", ")}.`,
    time: "Enter a time such as 2026-01-31T08:30:00Z.",
    day: "Enter a day such as 2026-01-31.",
    shortest: (limit) => `Enter at least ${limit} characters.`,
    longest: (limit) => `Enter at most ${limit} characters.`,
    smallest: (limit) => `Enter ${limit} or more.`,
    largest: (limit) => `Enter ${limit} or less.`,
    fewest: (limit) => `Send at least ${limit}.`,
    most: (limit) => `Send at most ${limit}.`,
  },
  zh: {
    missing: "请填写此项。",
    number: "请输入数字。",
    text: "请输入文字。",
    choice: "请从可选的值中选择。",
    choiceOf: (values) => `请从以下值中选择：${values.join("、")}。`,
    time: "请输入时间，例如 2026-01-31T08:30:00Z。",
    day: "请输入日期，例如 2026-01-31。",
    shortest: (limit) => `至少 ${limit} 个字符。`,
    longest: (limit) => `最多 ${limit} 个字符。`,
    smallest: (limit) => `不能小于 ${limit}。`,
    largest: (limit) => `不能大于 ${limit}。`,
    fewest: (limit) => `至少 ${limit} 项。`,
    most: (limit) => `最多 ${limit} 项。`,
  },
};

/**
 * Says what a value of a request must be, in place of the validator, whose sentences name types.
 * @returns undefined for its own sentence
 */
export function issueWords(issue: Issue, language: Language): string | undefined {
  const words = WORDS[language];
  switch (issue.code) {
    case "invalid_type":
      if (issue.input === undefined || issue.input === null || issue.input === "") return words.missing;
      return ["number", "int"].includes(issue.expected)
        ? words.number
        : issue.expected === "string"
          ? words.text
          : undefined;
    case "too_small":
      if (issue.origin === "string") return issue.minimum === 1 ? words.missing : words.shortest(issue.minimum);
      return issue.origin === "array" ? words.fewest(issue.minimum) : words.smallest(issue.minimum);
    case "too_big":
      return issue.origin === "string"
        ? words.longest(issue.maximum)
        : issue.origin === "array"
          ? words.most(issue.maximum)
          : words.largest(issue.maximum);
    case "invalid_value":
      return issue.values.length > MAX_NAMED ? words.choice : words.choiceOf(issue.values.map(String));
    case "invalid_format":
      return issue.format === "datetime" ? words.time : issue.format === "date" ? words.day : undefined;
    default:
      return undefined;
  }
}

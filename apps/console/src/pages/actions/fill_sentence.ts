/** The parts of a sentence of the action log that become names. */
export type SentenceParts = Record<"who" | "target" | "member", string>;

/** Puts names into a sentence, in one pass: a name may look like a part, or like the pattern of a replacement. */
export const fillSentence = (sentence: string, parts: SentenceParts) =>
  sentence.replaceAll(/<(who|target|member)\/>/g, (_, part: keyof SentenceParts) => parts[part]);

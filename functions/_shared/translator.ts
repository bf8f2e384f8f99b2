const PLACE = "%s";

/**
 * Translates whole sentences by a catalogue. `%s` stands for a value, the same number of them in both languages and in the same
 * order; values are translated as well where the catalogue has them. What comes first in the catalogue is tried first.
 * @returns a function that gives a sentence which is not in the catalogue back as it is
 */
export function translator(catalogue: ReadonlyMap<string, string>): (sentence: string) => string {
  const withValues = [...catalogue].filter(([original]) => original.includes(PLACE)).map(([original, translation]) => ({
    pattern: new RegExp(`^${original.split(PLACE).map(literally).join("(.+)")}$`, "s"),
    translation,
  }));

  return function translate(sentence) {
    const whole = catalogue.get(sentence);
    if (whole !== undefined) return whole;
    for (const { pattern, translation } of withValues) {
      const values = pattern.exec(sentence)?.slice(1);
      if (values) return translation.replaceAll(PLACE, () => translate(values.shift() ?? ""));
    }
    return sentence;
  };
}

function literally(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

const PLACEHOLDER = "%s";

/**
 * Creates a function that translates whole sentences with a catalogue. `%s` is a placeholder for a value. Both
 * languages have the same placeholders in the same order. Values are translated, too, if the catalogue contains them.
 * Earlier entries are tried first.
 * @returns a function that returns an unknown sentence unchanged
 */
export function translator(catalogue: ReadonlyMap<string, string>): (sentence: string) => string {
  const withValues = [...catalogue]
    .filter(([original]) => original.includes(PLACEHOLDER))
    .map(([original, translation]) => ({
      pattern: new RegExp(`^${original.split(PLACEHOLDER).map(escapeRegExp).join("(.+)")}$`, "s"),
      translation,
    }));

  return function translate(sentence) {
    const whole = catalogue.get(sentence);
    if (whole !== undefined) return whole;
    for (const { pattern, translation } of withValues) {
      const values = pattern.exec(sentence)?.slice(1);
      if (values) return translation.replaceAll(PLACEHOLDER, () => translate(values.shift() ?? ""));
    }
    return sentence;
  };
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

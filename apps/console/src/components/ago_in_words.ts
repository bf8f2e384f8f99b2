const minute = 60_000;

/**
 * How long ago something was, in words.
 * @param passed in milliseconds
 * @returns undefined for what is more than a day ago, or still to come
 */
export function agoInWords(passed: number, language: string): string | undefined {
  // The clock of the store may be ahead of that of the browser, and the present is looked up once a minute.
  if (passed < -2 * minute || passed >= 24 * 60 * minute) return undefined;
  const format = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
  const minutes = Math.max(0, Math.floor(passed / minute));
  if (minutes === 0) return format.format(0, "second");
  return minutes < 60 ? format.format(-minutes, "minute") : format.format(-Math.floor(minutes / 60), "hour");
}

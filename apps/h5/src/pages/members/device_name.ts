/**
 * Systems and browsers, by what their user agents contain. The first that matches counts: each of them also names those
 * below it.
 */
const systems: [RegExp, string][] = [
  [/iPhone/, "iPhone"],
  [/iPad/, "iPad"],
  [/HarmonyOS|OpenHarmony/, "HarmonyOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh/, "Mac"],
  [/Linux/, "Linux"],
];
const browsers: [RegExp, string][] = [
  [/MicroMessenger/, "WeChat"],
  [/Edg(A|iOS)?\//, "Edge"],
  [/Firefox|FxiOS/, "Firefox"],
  [/Chrome|CriOS/, "Chrome"],
  [/Safari/, "Safari"],
];

const nameIn = (names: [RegExp, string][], userAgent: string) =>
  names.find(([pattern]) => pattern.test(userAgent))?.[1];

/**
 * What people call the device and the browser of a user agent, such as "iPhone · WeChat".
 * @returns undefined if it names neither
 */
export function deviceName(userAgent: string | null): string | undefined {
  const names = [nameIn(systems, userAgent ?? ""), nameIn(browsers, userAgent ?? "")].filter(
    (name) => name !== undefined,
  );
  return names.length > 0 ? names.join(" · ") : undefined;
}

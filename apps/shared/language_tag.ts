import i18next from "i18next";

/**
 * The current language as a tag of BCP 47: as the browser prefers it, such as en-US, since dates and amounts follow it.
 */
export function languageTag(): string {
  const { language } = i18next;
  return (
    navigator.languages.find((tag) => tag.toLowerCase().split("-")[0] === language) ??
    (language === "zh" ? "zh-CN" : "en-GB")
  );
}

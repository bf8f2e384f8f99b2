/** The languages of the sites and of the mini program; each names itself. */
export const languages = { zh: "简体中文", en: "English" } as const;
export type Language = keyof typeof languages;

import i18next from "i18next";
import { notify } from "./notices.tsx";

/** Copies a text to the clipboard and shows a notice of success or failure. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(i18next.t("copied"));
  } catch {
    notify(i18next.t("notCopied"));
  }
}

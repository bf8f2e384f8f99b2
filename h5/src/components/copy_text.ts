import i18next from "i18next";
import { notify } from "./notices.tsx";

/** Copies a text and says so. Without the right to the clipboard, it says that, too. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify(i18next.t("copied"));
  } catch {
    notify(i18next.t("notCopied"));
  }
}

import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAdmin } from "../../store/store.ts";

export type Carrier = Admin["Carrier"];

const none: Carrier[] = [];

/** The list of carriers; empty while it is read. */
function useCarriers(): Carrier[] {
  return useAdmin("/adminapi/carrier").data?.list ?? none;
}

/** The active carriers for a `Select`, named in the language of the page. */
export function useCarrierChoices(): { value: string; label: string }[] {
  const { i18n } = useTranslation();
  return useCarriers()
    .filter(({ is_active }) => is_active)
    .map(({ code, name, name_zh }) => ({ value: code, label: i18n.language === "zh" ? name_zh : name }));
}

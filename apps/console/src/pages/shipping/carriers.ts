import { useTranslation } from "react-i18next";
import type { Admin } from "../../../../client/index.ts";
import { useAdmin } from "../../store/store.ts";

export type Carrier = Admin["Carrier"];

const none: Carrier[] = [];

/** The list of carriers; empty while it is read. */
function useCarriers(): Carrier[] {
  return useAdmin("/adminapi/carrier").data?.list ?? none;
}

/** Names carriers in the language of the page. */
function useNameOf(): (carrier: Carrier) => string {
  const { i18n } = useTranslation();
  return ({ name, name_zh }) => (i18n.language === "zh" ? name_zh : name);
}

/** The active carriers for a `Select`. */
export function useCarrierChoices(): { value: string; label: string }[] {
  const nameOf = useNameOf();
  return useCarriers()
    .filter(({ is_active }) => is_active)
    .map((carrier) => ({ value: carrier.code, label: nameOf(carrier) }));
}

/**
 * The name of the carrier with a code. A text that is no code is returned as it is: a file may name a carrier that the
 * list does not have.
 */
export function useCarrierName(): (text: string) => string {
  const nameOf = useNameOf();
  const carriers = useCarriers();
  return (text) => {
    const carrier = carriers.find(({ code }) => code === text);
    return carrier ? nameOf(carrier) : text;
  };
}

import { Contact } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAction } from "../../../shared/use_action.ts";
import { useHasArea } from "../session/own_areas.ts";
import { useStore } from "../store/store.ts";
import type { SearchItem } from "./search_items.tsx";

/** What may be a phone number or an email address. The store decides. */
const maybeContact = /^(\S+@\S+|[+]?[\d ()-]{8,24})$/;

/**
 * An email address, or a mobile number in its usual forms, which no number of the store has. It is never part of a
 * query, which proxies log.
 */
export const isContact = (text: string) => /^(\S+@\S+|\+[\d ()-]{8,24}|1[3-9]\d[ -]?\d{4}[ -]?\d{4})$/.test(text);

/**
 * The search for a member by phone number or email address, which is recorded, so it is made only when it is chosen.
 * @param onFound opens the member
 */
export function useContact(text: string, onFound: (uid: number) => void) {
  const { t } = useTranslation("common");
  const { admin } = useStore();
  const find = useAction((contact: string, key) =>
    admin.POST("/adminapi/search/contact", { body: { contact }, ...key }),
  );
  const isOffered = useHasArea("records") && maybeContact.test(text);
  const isOfText = find.variables === text;
  const items: SearchItem[] = isOffered
    ? [
        {
          id: "contact",
          group: "contact",
          icon: Contact,
          label: t("search.contact.find", { by: t(`search.by.${text.includes("@") ? "email" : "phone"}`), text }),
          description: t("search.contact.recorded"),
          staysOpen: true,
          run: () => {
            if (!find.isPending) find.mutate(text, { onSuccess: ({ uid }) => uid !== null && onFound(uid) });
          },
        },
      ]
    : [];
  return {
    items,
    error: isOfText ? find.error : null,
    message: isOfText && find.data?.uid === null ? t("search.contact.nobody") : undefined,
  };
}

import { ChevronRight, MapPin } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { classes } from "../../components/classes.ts";
import { EntryOption } from "../../components/entry.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { Sheet } from "../../components/sheet.tsx";
import "../../i18n/later.ts";
import styles from "./address_picker.module.css";
import { AddressText } from "./address_text.tsx";

type SavedAddress = Api["SavedAddress"];

interface AddressPickerProps {
  addresses: SavedAddress[];
  chosen: SavedAddress | undefined;
  onChoose: (id: number) => void;
}

/** Selects the address of an order: the default address, another one of the address book, or a new one. */
export function AddressPicker({ addresses, chosen, onChoose }: AddressPickerProps) {
  const { t } = useTranslation("addresses");
  const { pathname, search } = useLocation();
  const [isOpen, setOpen] = useState(false);
  const add = `/addresses/new?to=${encodeURIComponent(pathname + search)}`;
  if (!chosen)
    return (
      <Link to={add} className={classes(layout.card, styles.pick)}>
        <MapPin size={22} aria-hidden />
        <span className={layout.grow}>{t("addFirst")}</span>
        <ChevronRight size={18} aria-hidden />
      </Link>
    );
  return (
    <>
      <button
        type="button"
        className={classes(layout.card, styles.pick)}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <MapPin size={22} aria-hidden />
        <AddressText address={chosen} />
        <ChevronRight size={18} aria-hidden />
        <span className="sr-only">{t("change")}</span>
      </button>
      {isOpen && (
        <Sheet title={t("choose")} onClose={() => setOpen(false)}>
          <div className={layout.stack}>
            {addresses.map((address) => (
              <EntryOption
                key={address.id}
                isChosen={address.id === chosen.id}
                onChoose={() => {
                  onChoose(address.id);
                  setOpen(false);
                }}
              >
                <AddressText address={address} />
              </EntryOption>
            ))}
            <LinkButton to={add}>{t("add")}</LinkButton>
          </div>
        </Sheet>
      )}
    </>
  );
}

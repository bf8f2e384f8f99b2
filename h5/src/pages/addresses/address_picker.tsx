import { ChevronRight, MapPin } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { Sheet } from "../../components/sheet.tsx";
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
      <Link to={add} className="card address-pick">
        <MapPin size={22} aria-hidden />
        <span className="grow">{t("addFirst")}</span>
        <ChevronRight size={18} aria-hidden />
      </Link>
    );
  return (
    <>
      <button type="button" className="card address-pick" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <MapPin size={22} aria-hidden />
        <AddressText address={chosen} />
        <ChevronRight size={18} aria-hidden />
        <span className="sr-only">{t("change")}</span>
      </button>
      {isOpen && (
        <Sheet title={t("choose")} onClose={() => setOpen(false)}>
          <div className="stack">
            {addresses.map((address) => (
              <button
                key={address.id}
                type="button"
                className="address-option"
                aria-pressed={address.id === chosen.id}
                onClick={() => {
                  onChoose(address.id);
                  setOpen(false);
                }}
              >
                <AddressText address={address} />
              </button>
            ))}
            <Link className="link-button" to={add}>
              {t("add")}
            </Link>
          </div>
        </Sheet>
      )}
    </>
  );
}

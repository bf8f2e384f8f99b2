import { Headset } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Copyable } from "../../components/copyable.tsx";
import { Facts } from "../../components/facts.tsx";
import { Menu, MenuButton } from "../../components/menu.tsx";
import { Sheet } from "../../components/sheet.tsx";
import { useApi } from "../../store/store.ts";

/** How a member reaches the store: its phone number and its WeChat ID. Shown only where the store has one. */
export function Contact() {
  const { t } = useTranslation("system");
  const [isOpen, setOpen] = useState(false);
  const { contact_phone, contact_wechat, contact_hours } =
    useApi("/api/system/metadata", {}, { staleTime: 300_000 }).data ?? {};
  if (!contact_phone && !contact_wechat) return null;
  return (
    <>
      <Menu>
        <MenuButton icon={Headset} label={t("contact.title")} onClick={() => setOpen(true)} />
      </Menu>
      {isOpen && (
        <Sheet title={t("contact.title")} onClose={() => setOpen(false)}>
          <Facts
            items={[
              [
                t("contact.phone"),
                contact_phone && (
                  <a key="phone" href={`tel:${contact_phone.replaceAll(" ", "")}`}>
                    {contact_phone}
                  </a>
                ),
              ],
              [
                t("contact.wechat"),
                contact_wechat && <Copyable key="wechat" text={contact_wechat} label={t("contact.copyWechat")} />,
              ],
              [t("contact.hours"), contact_hours],
            ]}
          />
        </Sheet>
      )}
    </>
  );
}

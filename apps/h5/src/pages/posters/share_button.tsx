import { Share2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { thumbnailOf } from "../../../../../functions/_shared/words/thumbnail.ts";
import { useSite } from "../../app/site.ts";
import { Copyable } from "../../components/copyable.tsx";
import { IconButton } from "../../components/icon_button.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Sheet } from "../../components/sheet.tsx";
import { isInWechat } from "../../session/wechat.ts";
import { useShareLink } from "./share_link.ts";
import { type Card, useWechatCard } from "./wechat_card.ts";

/** A page to share. */
interface Shared {
  route: string;
  /** Without a title, the store itself. */
  title?: string | undefined;
  description?: string | undefined;
  picture?: string | undefined;
}

function useCard({ route, title, description, picture }: Shared): Card | undefined {
  const { t } = useTranslation("posters");
  const site = useSite();
  const link = useShareLink(route);
  if (!site || link === undefined) return undefined;
  const name = site.site_name;
  return {
    title: title ?? name,
    description: description || (title === undefined ? t("invitation", { name }) : name),
    link,
    picture: new URL(thumbnailOf(picture || site.logo || "./icon-192.png"), location.href).href,
  };
}

/** Sets the card of the store inside WeChat, on a page that has none of its own. */
export function StoreCard() {
  useWechatCard(useCard({ route: "/" }));
  return null;
}

/**
 * Shares a page: by WeChat's own menu inside WeChat, by the dialog of the phone elsewhere, and otherwise by its link.
 */
export function ShareButton(shared: Shared) {
  const { t } = useTranslation("posters");
  const card = useCard(shared);
  const isTaken = useWechatCard(card);
  const [isOpen, setOpen] = useState(false);
  const share = () => {
    if (!card) return;
    if (isInWechat || typeof navigator.share !== "function") return setOpen(true);
    navigator.share({ title: card.title, text: card.description, url: card.link }).catch((error: unknown) => {
      // If the user cancels it, that is not an error.
      if ((error as Error).name !== "AbortError") setOpen(true);
    });
  };
  return (
    <>
      <IconButton label={t("sharePage")} icon={Share2} size={22} disabled={!card} onClick={share} />
      {isOpen && card && (
        <Sheet title={t("sharePage")} onClose={() => setOpen(false)}>
          <div className={layout.stack}>
            <p>{t(isTaken ? "guide.card" : isInWechat ? "guide.chat" : "guide.link")}</p>
            <Copyable text={card.link} label={t("copyLink")} />
          </div>
        </Sheet>
      )}
    </>
  );
}

import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { unwrap } from "../../../../client/index.ts";
import { useSite } from "../../app/site.ts";
import { Button } from "../../components/button.tsx";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useNumberedList } from "../../components/endless_list.tsx";
import layout from "../../components/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { type Language, languages } from "../../../../web/i18n.ts";
import { chooseLanguage } from "../../i18n/index.ts";
import { referrer } from "../../session/referrer.ts";
import { useIsMember } from "../../session/session_context.ts";
import { useStore } from "../../store/store.ts";
import { LoadingCard, ProductCard } from "./product_card.tsx";
import styles from "./products_page.module.css";

/** For a visitor who has opened a share link. */
function Invitation() {
  const { t } = useTranslation("products");
  const isMember = useIsMember();
  const uid = referrer();
  if (isMember || uid === undefined) return null;
  return (
    <section className={styles.invitation} aria-label={t("invitation.label")}>
      <p className={styles.invitationTitle}>{t("invitation.title", { uid })}</p>
      <p>{t("invitation.advice")}</p>
      <LinkButton look="inverse" to="/sign-up">
        {t("invitation.action")}
      </LinkButton>
    </section>
  );
}

/** Switches to the other language, whose own name it shows. */
function LanguageButton() {
  const { t, i18n } = useTranslation("common");
  const other: Language = i18n.language === "zh" ? "en" : "zh";
  return (
    <Button
      fill="none"
      size="small"
      className={styles.headButton}
      onClick={() => void chooseLanguage(other).catch(() => notify(t("notLoaded.title")))}
    >
      <Languages size={18} aria-hidden /> <span lang={other}>{languages[other]}</span>
    </Button>
  );
}

function LoadingCards() {
  const { t } = useTranslation("common");
  return (
    <div className={styles.grid} role="status" aria-busy="true" aria-label={t("loading")}>
      {[0, 1, 2, 3].map((at) => (
        <LoadingCard key={at} />
      ))}
    </div>
  );
}

/** The products on sale: the first page of the app. */
export function Component() {
  const { t } = useTranslation("products");
  const site = useSite();
  const api = useStore();
  const products = useNumberedList(["products"], (next) => unwrap(api.GET("/api/product", { params: { query: { ...next, limit: 20 } } })));
  return (
    <Page
      title={site?.site_name ?? t("title")}
      head={
        <>
          {site?.logo && <img src={site.logo} alt="" className={styles.logo} />}
          <span>{site?.site_name ?? t("title")}</span>
        </>
      }
      action={<LanguageButton />}
    >
      <Refreshable>
        <div className={layout.tabbed}>
          <Invitation />
          <h2 className={styles.listTitle}>{t("title")}</h2>
          <EndlessList
            of={products}
            label={t("title")}
            className={styles.grid}
            idOf={({ id }) => id}
            row={(product, position) => <ProductCard product={product} isFirst={position < 4} />}
            loading={<LoadingCards />}
            empty={<Empty text={t("empty")} />}
          />
        </div>
      </Refreshable>
    </Page>
  );
}

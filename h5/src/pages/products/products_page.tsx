import { Languages } from "lucide-react";
import { Button, Skeleton } from "antd-mobile";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useSite } from "../../app/site.ts";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, nextPage } from "../../components/endless_list.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { chooseLanguage, type Language, languages } from "../../i18n/index.ts";
import { referrer } from "../../session/referrer.ts";
import { useIsMember } from "../../session/session_context.tsx";
import { useApi } from "../../store/store.tsx";
import { ProductCard } from "./product_card.tsx";

/** For a visitor who has opened a share link. */
function Invitation() {
  const { t } = useTranslation("products");
  const isMember = useIsMember();
  const uid = referrer();
  if (isMember || uid === undefined) return null;
  return (
    <section className="invitation" aria-label={t("invitation.label")}>
      <p className="invitation-title">{t("invitation.title", { uid })}</p>
      <p>{t("invitation.advice")}</p>
      <Link className="link-button inverse" to="/sign-up">
        {t("invitation.action")}
      </Link>
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
      className="head-button"
      onClick={() => void chooseLanguage(other).catch(() => notify(t("notLoaded.title")))}
    >
      <Languages size={18} aria-hidden /> <span lang={other}>{languages[other]}</span>
    </Button>
  );
}

function LoadingCards() {
  const { t } = useTranslation("common");
  return (
    <div className="product-grid" role="status" aria-busy="true" aria-label={t("loading")}>
      {[0, 1, 2, 3].map((at) => (
        <div key={at} className="product-card">
          <Skeleton className="picture" animated />
          <div className="product-words">
            <Skeleton.Paragraph lineCount={2} animated />
          </div>
        </div>
      ))}
    </div>
  );
}

/** The products on sale: the first page of the app. */
export function Component() {
  const { t } = useTranslation("products");
  const site = useSite();
  const products = useApi().useInfiniteQuery(
    "get",
    "/api/product",
    { params: { query: { limit: 20 } } },
    { pageParamName: "page", initialPageParam: 1, getNextPageParam: nextPage },
  );
  return (
    <Page
      title={site?.site_name ?? t("title")}
      head={
        <>
          {site?.logo && <img src={site.logo} alt="" className="logo" />}
          <span>{site?.site_name ?? t("title")}</span>
        </>
      }
      action={<LanguageButton />}
    >
      <Refreshable>
        <div className="stack tabbed">
          <Invitation />
          <h2 className="list-title">{t("title")}</h2>
          <EndlessList
            of={products}
            label={t("title")}
            className="product-grid"
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

import { Languages } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { type Api, unwrap } from "../../../../client/index.ts";
import { useSite } from "../../app/site.ts";
import { Button } from "../../components/button.tsx";
import { Choices } from "../../components/choices.tsx";
import { Empty } from "../../components/empty.tsx";
import { EndlessList, useNumberedList } from "../../components/endless_list.tsx";
import layout from "../../../../shared/member_styles/layout.module.css";
import { LinkButton } from "../../components/link_button.tsx";
import { notify } from "../../components/notices.tsx";
import { Page } from "../../components/page.tsx";
import { Refreshable } from "../../components/refreshable.tsx";
import { SiteFiling } from "../../components/site_filing.tsx";
import { type Language, languages } from "../../../../shared/languages.ts";
import { chooseLanguage } from "../../i18n/index.ts";
import { useInviter } from "../../session/use_inviter.ts";
import { useIsMember } from "../../session/session_context.ts";
import { useApi, useStore } from "../../store/store.ts";
import { CartLink } from "../cart/cart_link.tsx";
import { ShareButton } from "../posters/share_button.tsx";
import { Banners } from "./banners.tsx";
import { LoadingCard, ProductCard } from "./product_card.tsx";
import styles from "./products_page.module.css";
import { longestSearch, SearchField } from "./search_field.tsx";

const noCategories: Api["FirstPage"]["categories"] = [];

/** For a visitor who has opened a share link. */
function Invitation() {
  const { t } = useTranslation("products");
  const isMember = useIsMember();
  const inviter = useInviter();
  if (isMember || inviter === undefined) return null;
  return (
    <section className={styles.invitation} aria-label={t("invitation.label")}>
      <p className={styles.invitationTitle}>{t("invitation.title", { inviter })}</p>
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

/** What the store puts before the list: banners and featured products. */
function Showcase({ page: { banners, featured } }: { page: Api["FirstPage"] }) {
  const { t } = useTranslation("products");
  return (
    <>
      {banners.length > 0 && <Banners banners={banners} />}
      {featured.length > 0 && (
        <>
          <h2 className={styles.listTitle}>{t("featured")}</h2>
          <ul className={styles.grid} aria-label={t("featured")}>
            {featured.map((product) => (
              <ProductCard key={product.id} product={product} isFirst />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** The products on sale: the first page of the app. A search and a category are in the address. */
export function Component() {
  const { t } = useTranslation("products");
  const site = useSite();
  const api = useStore();
  const [parameters, setParameters] = useSearchParams();
  const search = (parameters.get("search") ?? "").trim().slice(0, longestSearch);
  const category = parameters.get("category") ?? "";
  const firstPage = useApi("/api/first_page");
  const { categories = noCategories } = firstPage.data ?? {};
  const category_id = /^[1-9]\d{0,14}$/.test(category) ? Number(category) : undefined;
  const show = (next: { search?: string; category?: string }) =>
    setParameters(
      Object.fromEntries(Object.entries({ search, category, ...next }).filter(([, value]) => value !== "")),
      { replace: true },
    );
  const products = useNumberedList(["products", search, category], (next) =>
    unwrap(
      api.GET("/api/product", {
        params: { query: { ...next, limit: 12, ...(search && { search }), ...(category_id && { category_id }) } },
      }),
    ),
  );
  const isFiltered = search !== "" || category_id !== undefined;
  return (
    <Page
      title={site?.site_name ?? t("title")}
      head={
        <>
          {site?.logo && <img src={site.logo} alt="" className={styles.logo} />}
          <span>{site?.site_name ?? t("title")}</span>
        </>
      }
      action={
        <>
          <LanguageButton />
          <ShareButton route="/" />
          <CartLink />
        </>
      }
    >
      <Refreshable>
        <div className={layout.tabbed}>
          <SearchField applied={search} onSearch={(text) => show({ search: text })} />
          {firstPage.isPending ? (
            <LoadingCards />
          ) : (
            <>
              {categories.length > 0 && (
                <Choices
                  label={t("categories")}
                  values={["", ...categories.map(({ id }) => String(id))]}
                  value={category_id === undefined ? "" : category}
                  nameOf={(id) => categories.find((each) => String(each.id) === id)?.title ?? t("all")}
                  onChange={(id) => show({ category: id })}
                />
              )}
              {!isFiltered && <Invitation />}
              {!isFiltered && firstPage.data && <Showcase page={firstPage.data} />}
              {!isFiltered && <h2 className={styles.listTitle}>{t("title")}</h2>}
              <EndlessList
                of={products}
                label={t("title")}
                className={styles.grid}
                idOf={({ id }) => id}
                row={(product, position) => <ProductCard product={product} isFirst={position < 4} />}
                loading={<LoadingCards />}
                empty={
                  isFiltered ? (
                    <Empty
                      text={t(search ? "noneFound" : "empty", { search })}
                      action={{ to: "/", label: t("showAll") }}
                    />
                  ) : (
                    <Empty text={t("empty")} />
                  )
                }
              />
              <SiteFiling />
            </>
          )}
        </div>
      </Refreshable>
    </Page>
  );
}

import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { RichText } from "../../../../shared/rich_text.tsx";
import { Button } from "../../components/button.tsx";
import { classes } from "../../components/classes.ts";
import { Facts } from "../../components/facts.tsx";
import { formatMoney, formatNumber, Money, Price } from "../../components/figures.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import layout from "../../../../shared/member_styles/layout.module.css";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import richText from "../../../../shared/member_styles/rich_text.module.css";
import { Section } from "../../components/section.tsx";
import { useApi } from "../../store/store.ts";
import { CartLink } from "../cart/cart_link.tsx";
import { ShareButton } from "../posters/share_button.tsx";
import { Gallery } from "./gallery.tsx";
import styles from "./product_page.module.css";
import { ProductTags } from "./product_tags.tsx";
import { useAddToCart } from "./use_add_to_cart.ts";

function AddToCart({ product }: { product: Pick<Api["Product"], "id" | "title" | "price"> }) {
  const { t } = useTranslation("cart");
  return (
    <Button size="large" shape="rounded" onClick={useAddToCart(product)}>
      {t("add")}
    </Button>
  );
}

export function Component() {
  const { t } = useTranslation("products");
  const navigate = useNavigate();
  const id = useIdOfPage();
  const product = useApi("/api/product/{id}", { params: { path: { id } } });
  const isSoldOut = product.data?.stock === 0;
  return (
    <Page
      title={product.data?.title ?? t("product")}
      back="/"
      action={
        <>
          {product.data && (
            <ShareButton route={`/products/${id}`} title={product.data.title} picture={product.data.images[0]} />
          )}
          <CartLink />
        </>
      }
      foot={
        product.data && (
          <div className={layout.buttonRow}>
            {!isSoldOut && <AddToCart product={product.data} />}
            <Button
              color="primary"
              size="large"
              shape="rounded"
              disabled={isSoldOut}
              onClick={() => void navigate(`/checkout?product=${id}`)}
            >
              {t(isSoldOut ? "soldOut" : "buy")}
            </Button>
          </div>
        )
      }
    >
      <QueryResult of={product} rows={10}>
        {(shown) => (
          <div className={layout.stack}>
            <Gallery title={shown.title} images={shown.images} />
            <div className={layout.card}>
              <Price value={shown.price} size="large" />
              <p className={styles.name}>{shown.title}</p>
              <ProductTags product={shown} />
              {shown.is_queue_goods && <p className={classes("weak", styles.meaning)}>{t("queueGoodsMeaning")}</p>}
              {shown.you_would_earn &&
                (shown.you_would_earn.commission !== "0.00" || shown.you_would_earn.points > 0) && (
                  <p className={styles.earning}>
                    {t("earning", {
                      amount: formatMoney(shown.you_would_earn.commission),
                      points: formatNumber(shown.you_would_earn.points),
                    })}{" "}
                    <Link to={`/poster?product=${id}`}>{t("share")}</Link>
                  </p>
                )}
              <Facts
                ruled
                items={[
                  [t("freight"), shown.freight === "0.00" ? t("free") : <Money key="freight" value={shown.freight} />],
                  [t("stock"), shown.stock === null ? t("inStock") : t("units", { count: shown.stock })],
                ]}
              />
            </div>
            {shown.description && (
              <Section title={t("description")}>
                <RichText content={shown.description} className={richText.content} />
              </Section>
            )}
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

import { Button } from "antd-mobile";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router";
import { Facts } from "../../components/facts.tsx";
import { formatMoney, formatPoints, Money, Price } from "../../components/figures.tsx";
import { Page } from "../../components/page.tsx";
import { QueryResult } from "../../components/query_result.tsx";
import { Section } from "../../components/section.tsx";
import { useIdOfPage } from "../../components/id_of_page.ts";
import { useApi } from "../../store/store.tsx";
import { Gallery } from "./gallery.tsx";
import { ProductTags } from "./product_tags.tsx";

export function Component() {
  const { t } = useTranslation("products");
  const navigate = useNavigate();
  const id = useIdOfPage();
  const product = useApi().useQuery("get", "/api/product/{id}", { params: { path: { id } } });
  const isSoldOut = product.data?.stock === 0;
  return (
    <Page
      title={product.data?.title ?? t("product")}
      back="/"
      foot={
        product.data && (
          <>
            <div className="foot-sum">
              <Price value={product.data.price} large />
            </div>
            <Button
              color="primary"
              size="large"
              shape="rounded"
              disabled={isSoldOut}
              onClick={() => void navigate(`/checkout?product=${id}`)}
            >
              {t(isSoldOut ? "soldOut" : "buy")}
            </Button>
          </>
        )
      }
    >
      <QueryResult of={product} rows={10}>
        {(shown) => (
          <div className="stack">
            <Gallery title={shown.title} images={shown.images} />
            <div className="card">
              <Price value={shown.price} large />
              <p className="product-name">{shown.title}</p>
              <ProductTags product={shown} />
              {shown.is_queue_goods && <p className="weak">{t("queueGoodsMeaning")}</p>}
              {shown.you_would_earn && (shown.you_would_earn.commission !== "0.00" || shown.you_would_earn.points > 0) && (
                <p className="earning">
                  {t("earning", {
                    amount: formatMoney(shown.you_would_earn.commission),
                    points: formatPoints(shown.you_would_earn.points),
                  })}{" "}
                  <Link to="/poster">{t("share")}</Link>
                </p>
              )}
              <Facts
                items={[
                  [t("freight"), shown.freight === "0.00" ? t("free") : <Money key="freight" value={shown.freight} />],
                  [t("stock"), shown.stock === null ? t("inStock") : t("units", { count: shown.stock })],
                ]}
              />
            </div>
            {shown.description && (
              <Section title={t("description")}>
                <p className="prose">{shown.description}</p>
              </Section>
            )}
          </div>
        )}
      </QueryResult>
    </Page>
  );
}

import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import styles from "./banners.module.css";

/** The pictures at the top of the first page, side by side: swiped, or scrolled with the keys. */
export function Banners({ banners }: { banners: Api["Banner"][] }) {
  const { t } = useTranslation("products");
  return (
    <div
      className={styles.banners}
      role="region"
      aria-label={t("banners")}
      // The arrow keys scroll the element that has the focus.
      tabIndex={0}
    >
      {banners.map(({ image, title, product_id }, at) => {
        const picture = <img src={image} alt={title} loading={at === 0 ? "eager" : "lazy"} decoding="async" />;
        return product_id === null ? (
          <span key={at}>{picture}</span>
        ) : (
          <Link key={at} to={`/products/${product_id}`}>
            {picture}
          </Link>
        );
      })}
    </div>
  );
}

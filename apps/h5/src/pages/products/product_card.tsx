import { Skeleton } from "antd-mobile";
import { Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { Price } from "../../components/figures.tsx";
import { Picture } from "../../components/picture.tsx";
import styles from "./product_card.module.css";
import { ProductTags } from "./product_tags.tsx";
import { ProductTitle } from "./product_title.tsx";
import { useAddToCart } from "./use_add_to_cart.ts";

type Product = Api["Product"];

/** A product in the list. Queue goods, which pay commission, take the whole width. */
export function ProductCard({ product, isFirst }: { product: Product; isFirst: boolean }) {
  const { t } = useTranslation(["products", "cart"]);
  const { id, title, price, images, is_queue_goods, stock } = product;
  const add = useAddToCart(product);
  return (
    <li className={is_queue_goods ? styles.wide : styles.card}>
      <Link to={`/products/${id}`}>
        <Picture src={images[0]} alt="" isFirst={isFirst} />
        <span className={styles.words}>
          <ProductTitle title={title} large={is_queue_goods} />
          <ProductTags product={product} />
          <span className={styles.price}>
            <span className="sr-only">{t("price")} </span>
            <Price value={price} {...(is_queue_goods && { size: "medium" })} />
          </span>
        </span>
      </Link>
      {stock !== 0 && (
        <button type="button" className={styles.add} aria-label={t("cart:addProduct", { title })} onClick={add}>
          <Plus size={20} aria-hidden />
        </button>
      )}
    </li>
  );
}

/** The placeholder of a product that is loading. */
export function LoadingCard() {
  return (
    <div className={styles.card}>
      <Skeleton className={styles.skeleton} animated />
      <div className={styles.words}>
        <Skeleton.Paragraph lineCount={2} animated />
      </div>
    </div>
  );
}

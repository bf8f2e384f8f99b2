import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import type { Api } from "../../../../client/index.ts";
import { Price } from "../../components/figures.tsx";
import { Picture } from "../../components/picture.tsx";
import { ProductTags } from "./product_tags.tsx";

type Product = Api["Product"];

/** A product in the list. Queue goods, which pay commission, take the whole width. */
export function ProductCard({ product, isFirst }: { product: Product; isFirst: boolean }) {
  const { t } = useTranslation("products");
  const { id, title, price, images, is_queue_goods } = product;
  return (
    <li className={is_queue_goods ? "product-card wide" : "product-card"}>
      <Link to={`/products/${id}`}>
        <Picture src={images[0]} alt="" isFirst={isFirst} />
        <span className="product-words">
          <span className="product-title">{title}</span>
          <ProductTags product={product} />
          <span className="product-price">
            <span className="sr-only">{t("price")} </span>
            <Price value={price} />
          </span>
        </span>
      </Link>
    </li>
  );
}

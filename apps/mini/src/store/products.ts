import type { Api } from "../../../client/index.ts";
import { formatMoney } from "../../../../functions/_shared/words/figures.ts";
import { thumbnailOf } from "../../../../functions/_shared/words/thumbnail.ts";
import { fill, texts } from "../texts/texts.ts";

/** Up to this stock, the number of units left is shown. */
const few = 10;

/** Tags of a product: it pays commission, only a few units are left, or it is sold out. */
function tagsOf({
  is_queue_goods,
  stock,
  you_would_earn: earning,
}: Pick<Api["Product"], "is_queue_goods" | "stock" | "you_would_earn">) {
  const { earn, queueGoods, soldOut, left } = texts.products;
  return [
    is_queue_goods &&
      (earning && earning.commission !== "0.00" ? fill(earn, { amount: formatMoney(earning.commission) }) : queueGoods),
    stock === 0 && soldOut,
    stock !== null && stock > 0 && stock <= few && fill(left, { count: stock }),
  ].filter((tag) => tag !== false);
}

/** A product as `parts/product.wxml` shows it. */
export const productRow = ({ id, title, price, images, ...product }: Api["Product"]) => ({
  id,
  title,
  price: formatMoney(price),
  image: thumbnailOf(images[0] ?? ""),
  tags: tagsOf(product),
  units: 0,
  note: "",
});

/** A line of an order as `parts/product.wxml` shows it. */
export const lineRow = (
  { title, price, quantity, image }: Pick<Api["OrderLine"], "title" | "price" | "quantity" | "image">,
  note = "",
) => ({
  title,
  price: formatMoney(price),
  image: thumbnailOf(image ?? ""),
  tags: [],
  units: quantity,
  note,
});

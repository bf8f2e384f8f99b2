import { mostItems, mostUnits } from "../../../../client/cart_items.ts";
import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, factsOf } from "../../page.ts";
import { addToCart } from "../../store/cart.ts";
import { productRow } from "../../store/products.ts";
import { ask, shop } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";
import { notify, openPage } from "../../wechat.ts";

const t = texts.products;

/** What the next order of a direct member would pay the member. */
function earningText({ you_would_earn: earning }: Api["ProductPage"]): string {
  if (!earning || (earning.commission === "0.00" && earning.points === 0)) return "";
  return fill(t.earning, { amount: formatMoney(earning.commission), points: formatNumber(earning.points) });
}

definePage(
  {
    title: t.product,
    texts: ["products", "cart"],
    data: {
      product: null as Api["ProductPage"] | null,
      tags: [] as string[],
      price: "",
      earning: "",
      description: "",
      isSoldOut: false,
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      const path = { id: Number(this.query.id) };
      const product = await ask(() => shop.GET("/api/product/{id}", { params: { path } }));
      const { price, tags } = productRow(product);
      return {
        product,
        price,
        tags,
        earning: earningText(product),
        // rich-text has no style sheet.
        description: product.description.replace(/<img /g, '<img style="max-width:100%" '),
        isSoldOut: product.stock === 0,
        facts: factsOf([
          [t.freight, product.freight === "0.00" ? t.free : formatMoney(product.freight)],
          [t.stock, product.stock === null ? t.inStock : fill(t.units, { count: product.stock })],
        ]),
      };
    },

    share() {
      const { title = t.product, images } = this.data.product ?? {};
      return { title, path: `/pages/product/product?id=${this.query.id}`, ...(images?.[0] && { imageUrl: images[0] }) };
    },
  },
  {
    add() {
      const full = fill(texts.cart.full, { most: mostItems, units: formatNumber(mostUnits) });
      notify(addToCart(this.data.product!) ? texts.cart.added : full);
    },

    buy() {
      openPage(`/pages/checkout/checkout?product=${this.query.id}`);
    },
  },
);

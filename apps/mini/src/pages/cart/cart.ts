import { type CartItem, mostUnits } from "../../../../client/cart_items.ts";
import type { Api } from "../../../../client/index.ts";
import { formatMoney } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, type Tap } from "../../page.ts";
import { cartItems, changeCart, removeFromCart } from "../../store/cart.ts";
import { lineRow } from "../../store/products.ts";
import { ask, shop } from "../../store/store.ts";
import { counted, fill, texts } from "../../texts/texts.ts";
import { openPage } from "../../wechat.ts";

const t = texts.cart;

function problemText({ problem, stock }: Api["CartLine"]): string {
  if (problem === null) return "";
  return problem === "too_few" ? counted(t.problem, "too_few", stock ?? 0) : t.problem[problem];
}

/** A product in the cart, with what the store says of it. */
function rowOf(line: Api["CartLine"], { title, price, is_chosen }: CartItem) {
  const changed = line.is_price_changed && line.price !== null;
  const note = changed ? fill(t.priceChanged, { before: formatMoney(price), now: formatMoney(line.price!) }) : "";
  return {
    ...lineRow({ ...line, title: line.title ?? title, price: line.price ?? price }, note),
    id: line.product_id,
    problem: problemText(line),
    isGone: line.problem === "unavailable" || line.problem === "sold_out",
    isChosen: is_chosen && line.problem === null,
    seenPrice: line.price ?? price,
  };
}

async function readCart() {
  const items = cartItems();
  const nothing = { lines: [], total_price: "0.00" };
  const body = { items: items.map(({ title: _, ...item }) => item) };
  const checked = items.length > 0 ? await ask(() => shop.POST("/api/cart", { body })) : nothing;
  const lines = checked.lines.map((line) =>
    rowOf(
      line,
      items.find(({ product_id }) => product_id === line.product_id)!,
    ),
  );
  const chosen = lines.filter(({ isChosen }) => isChosen).length;
  const gone = lines.filter(({ isGone }) => isGone).length;
  return {
    lines,
    total: formatMoney(checked.total_price),
    chosen,
    orderable: lines.filter(({ problem }) => problem === "").length,
    checkout: fill(t.checkout, { count: chosen }),
    removeGone: gone > 0 ? counted(t, "removeGone", gone) : "",
  };
}

type OfLine = Tap<{ id: number }>;

definePage(
  {
    title: t.title,
    texts: ["cart"],
    data: { lines: [] as ReturnType<typeof rowOf>[], total: "", chosen: 0, orderable: 0, checkout: "", removeGone: "" },
    load: readCart,
  },
  {
    /** Chooses a product for the order, or not. */
    choose({ currentTarget: { dataset } }: OfLine) {
      const line = this.data.lines.find(({ id }) => id === dataset.id)!;
      changeCart([dataset.id], { is_chosen: !line.isChosen });
      return this.refresh();
    },

    chooseAll() {
      const { lines, chosen, orderable } = this.data;
      const ids = lines.filter(({ problem }) => problem === "").map(({ id }) => id);
      changeCart(ids, { is_chosen: chosen < orderable });
      return this.refresh();
    },

    /** Changes the quantity of a product. */
    step({ currentTarget: { dataset } }: Tap<{ id: number; by: number }>) {
      const item = cartItems().find(({ product_id }) => product_id === dataset.id)!;
      changeCart([dataset.id], { quantity: Math.min(Math.max(item.quantity + dataset.by, 1), mostUnits) });
      return this.refresh();
    },

    remove({ currentTarget: { dataset } }: OfLine) {
      removeFromCart([dataset.id]);
      return this.refresh();
    },

    removeGone() {
      removeFromCart(this.data.lines.filter(({ isGone }) => isGone).map(({ id }) => id));
      return this.refresh();
    },

    order() {
      // The buyer has seen these prices now. What cannot be ordered is not part of the order.
      for (const { id, seenPrice, isChosen } of this.data.lines)
        changeCart([id], { price: seenPrice, is_chosen: isChosen });
      openPage("/pages/checkout/checkout?from=cart");
    },
  },
);

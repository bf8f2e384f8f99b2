import { mostUnits } from "../../../../client/cart_items.ts";
import { type Api, StoreError } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, type Entered, factsOf, type PageOf, type Tap } from "../../page.ts";
import { addressText } from "../../store/addresses.ts";
import { cartItems, removeFromCart } from "../../store/cart.ts";
import { Refused } from "../../store/failure.ts";
import { lineRow } from "../../store/products.ts";
import { api, ask } from "../../store/store.ts";
import { fill, texts } from "../../texts/texts.ts";

const t = texts.orders;

/** What the buyer may pay by points, or why not. */
function pointsOf({ points: { usable, pays, available, reason } }: Api["OrderPreview"]) {
  if (reason === "off") return { canUse: false, pointsText: "" };
  if (reason)
    return { canUse: false, pointsText: fill(t.points.reason[reason], { available: formatNumber(available) }) };
  return {
    canUse: true,
    pointsText: fill(texts.mini.usePoints, { points: formatNumber(usable), money: formatMoney(pays) }),
  };
}

/** What is ordered: the product that the address of the page names, or what is chosen in the cart. */
function itemsOf({ from, product, quantity = "1" }: PageOf<object>["query"]): Api["NewOrder"]["items"] {
  if (from !== "cart") return [{ product_id: Number(product), quantity: Number(quantity) }];
  return cartItems()
    .filter(({ is_chosen }) => is_chosen)
    .map((item) => ({ product_id: item.product_id, quantity: item.quantity }));
}

definePage(
  {
    title: t.checkout.title,
    texts: ["orders", "addresses"],
    data: {
      items: [] as Api["NewOrder"]["items"],
      lines: [] as ReturnType<typeof lineRow>[],
      addressId: 0,
      address: null as { name: string; text: string } | null,
      remark: "",
      usesPoints: false,
      usablePoints: 0,
      canUse: false,
      pointsText: "",
      expectedPrice: "",
      total: "",
      facts: [] as ReturnType<typeof factsOf>,
    },

    async load() {
      // Kept while the page is open, also when the order has taken them out of the cart.
      const items = this.data.items.length > 0 ? this.data.items : itemsOf(this.query);
      const addresses = await ask(() => api.GET("/api/address"));
      const before = this.data.usesPoints ? this.data.usablePoints : 0;
      const preview = await ask(() => api.POST("/api/order/preview", { body: { items, use_points: before } }));
      const address = addresses.find(({ id }) => id === this.data.addressId) ?? addresses[0];
      return {
        items,
        lines: preview.lines.map((line) => lineRow(line)),
        addressId: address?.id ?? 0,
        address: address ? addressText(address) : null,
        usablePoints: preview.points.usable,
        ...pointsOf(preview),
        expectedPrice: preview.pay_price,
        total: formatMoney(preview.pay_price),
        facts: factsOf([
          [t.goods, formatMoney(preview.total_price)],
          [t.points.paid, preview.points_spent > 0 && `-${formatMoney(preview.paid_by_points)}`],
          [t.freight, formatMoney(preview.freight)],
        ]),
      };
    },
  },
  {
    chooseAddress() {
      void wx.navigateTo({
        url: "/pages/addresses/addresses?choosing=1",
        events: { chosen: (addressId: number) => this.setData({ addressId }) },
      });
    },

    step({ currentTarget: { dataset } }: Tap<{ by: number }>) {
      const [item] = this.data.items;
      const quantity = Math.min(Math.max(item!.quantity + dataset.by, 1), mostUnits);
      this.setData({ items: [{ ...item!, quantity }] });
      return this.refresh();
    },

    usePoints({ detail }: Entered<boolean>) {
      this.setData({ usesPoints: detail.value });
      return this.refresh();
    },

    enterRemark({ detail }: Entered<string>) {
      this.setData({ remark: detail.value });
    },

    place() {
      return this.act(async () => {
        const { items, addressId, expectedPrice, usesPoints, usablePoints, remark } = this.data;
        const { title, advice } = texts.mini.noAddress;
        if (!addressId) throw new Refused(title, advice);
        const body: Api["NewOrder"] = {
          items,
          address_id: addressId,
          expected_price: expectedPrice,
          use_points: usesPoints ? usablePoints : 0,
          ...(remark.trim() && { remark: remark.trim() }),
        };
        try {
          const { id } = await this.write(["order", body], (key) => api.POST("/api/order", { body, ...key }));
          if (this.query.from === "cart") removeFromCart(items.map(({ product_id }) => product_id));
          void wx.redirectTo({ url: `/pages/order/order?id=${id}&pay=1` });
        } catch (error) {
          // The price or the stock has changed: the page shows the current one, which the buyer has to confirm.
          if (error instanceof StoreError) await this.refresh();
          throw error;
        }
      });
    },
  },
);

import type { Api } from "../../../../client/index.ts";
import { formatMoney, formatNumber } from "../../../../../functions/_shared/words/figures.ts";
import { definePage, factsOf, type PageOf, type Tap } from "../../page.ts";
import { addressText } from "../../store/addresses.ts";
import { addToCart } from "../../store/cart.ts";
import { consent, missingConsents } from "../../store/consents.ts";
import {
  canAskForRefund,
  freightKept,
  isAboutRefund,
  isRefundedElsewhere,
  refundSteps,
} from "../../../../shared/refunds.ts";
import { canTakeBack, isReturning, leftToShip, orderState, refundedLines } from "../../store/orders.ts";
import { pay } from "../../store/payments.ts";
import { lineRow } from "../../store/products.ts";
import { api, ask } from "../../store/store.ts";
import { timeText } from "../../texts/dates.ts";
import { fill, language, texts } from "../../texts/texts.ts";
import { isConfirmed, notify, openPage } from "../../wechat.ts";

type Order = Api["Order"];
const t = texts.orders;

function meaningOf(order: Order): string {
  const { shown_state, is_expired, expires_at } = order;
  const meaning = is_expired ? t.meaning.expired : t.meaning[shown_state];
  return [meaning, expires_at && fill(t.deadline.until, { time: timeText(expires_at) }), leftToShip(order)]
    .filter(Boolean)
    .join(" ");
}

const linesOf = ({ lines }: Order) =>
  lines.map((line) => ({
    ...lineRow(line, line.refunded_quantity > 0 ? fill(t.refundedUnits, { count: line.refunded_quantity }) : ""),
    product_id: line.product_id,
  }));

const sumsOf = (order: Order) =>
  factsOf([
    [t.goods, formatMoney(order.total_price)],
    [t.discount, order.discount !== "0.00" && formatMoney(order.discount)],
    [t.points.paid, order.points_spent > 0 && `-${formatMoney(order.paid_by_points)}`],
    [t.points.returned, order.points_left < order.points_spent && formatNumber(order.points_spent - order.points_left)],
    [t.freight, formatMoney(order.freight)],
    [t.total, formatMoney(order.pay_price)],
    [t.orderNo, order.order_no],
    [t.placed, timeText(order.add_time)],
    [t.paid, order.paid_at && timeText(order.paid_at)],
    [t.refundUntil, canAskForRefund(order) && order.refund_request_until && timeText(order.refund_request_until)],
    [t.remark, order.remark],
  ]);

const parcelsOf = ({ parcels }: Order) =>
  parcels.map(({ id, carrier, carrier_name, carrier_name_zh, tracking_no }) => ({
    id,
    carrier: (language === "zh" ? carrier_name_zh : carrier_name) ?? carrier ?? "",
    tracking_no: tracking_no ?? "",
  }));

/** Reads links to the pictures of the refunds of an order. They end after some minutes. */
const readLinks = async (id: number) =>
  (await ask(() => api.GET("/api/order/{id}/refund/picture", { params: { path: { id } } }))).list;

const refundOf = (links: Api["RefundPicture"][]) => (refund: Api["Refund"]) => ({
  id: refund.id,
  state: isRefundedElsewhere(refund) ? texts.refunds.elsewhereState : texts.refunds.state[refund.state],
  amount: formatMoney(refund.amount),
  note: refund.reason,
  steps: refundSteps(refund).map(({ name, at }) => ({
    name: name === "answered" ? texts.refunds.state[refund.state] : texts.refunds.steps[name],
    value: at === null ? texts.refunds.steps.open : timeText(at),
  })),
  goods: refund.goods_return ? texts.refunds.return.state[refund.goods_return.state] : "",
  lines: refundedLines(refund),
  refusalReason: refund.refusal_reason && fill(texts.refunds.refusalReason, { reason: refund.refusal_reason }),
  isReturning: isReturning(refund),
  canTakeBack: canTakeBack(refund),
  pictures: refund.pictures.map(({ id }, at) => ({
    id,
    image: links.find((each) => each.id === id)?.small_url ?? "",
    name: fill(texts.refunds.picture, { number: at + 1 }),
  })),
});

/** Pays in WeChat. The order then shows what the store knows of the payment. */
const startPayment = (page: PageOf<object>): Promise<void> =>
  page.act(async () => {
    await pay(Number(page.query.id));
    await page.refresh();
  });

/** The order, and whether a payment is under way, about which the store asks WeChat. */
async function readOrder(id: number): Promise<{ order: Order; isWaiting: boolean }> {
  const params = { path: { id } };
  const read = () => ask(() => api.GET("/api/order/{id}", { params }));
  const order = await read();
  if (order.state !== "unpaid") return { order, isWaiting: false };
  const { order_state, attempt } = await ask(() => api.GET("/api/order/{id}/payment", { params }));
  return order_state === "unpaid"
    ? { order, isWaiting: attempt?.state === "open" }
    : { order: await read(), isWaiting: false };
}

definePage(
  {
    title: t.order,
    texts: ["orders", "refunds", "payments"],
    data: {
      order: null as Order | null,
      stateText: "",
      meaning: "",
      isOver: false,
      isAboutRefund: false,
      address: null as ReturnType<typeof addressText> | null,
      lines: [] as ReturnType<typeof linesOf>,
      parcels: [] as ReturnType<typeof parcelsOf>,
      refunds: [] as ReturnType<ReturnType<typeof refundOf>>[],
      freightKept: "",
      facts: [] as ReturnType<typeof factsOf>,
      canRefund: false,
      /** Templates of WeChat that could tell the buyer what happens next. */
      templates: [] as string[],
    },

    async load() {
      const params = { path: { id: Number(this.query.id) } };
      const { order, isWaiting } = await readOrder(params.path.id);
      const isPaid = order.paid_at !== null;
      const isOver = ["received", "cancelled", "refunded"].includes(order.shown_state);
      const [refunds, templates] = await Promise.all([
        isPaid ? ask(() => api.GET("/api/order/{id}/refund", { params })) : { list: [] },
        isPaid && !isOver ? missingConsents(["orders", "refunds"]) : [],
      ]);
      const kept = freightKept(order, refunds.list);
      // Without pictures, the order is shown all the same.
      const links = refunds.list.some(({ pictures }) => pictures.length > 0)
        ? await readLinks(order.id).catch(() => [])
        : [];
      // The order was just placed: its payment begins by itself, once.
      if (this.query.pay && order.state === "unpaid") {
        delete this.query.pay;
        void startPayment(this);
      }
      return {
        order,
        stateText: orderState(order),
        meaning: meaningOf(order),
        isOver,
        isAboutRefund: isAboutRefund(order),
        address: order.address && addressText(order.address),
        lines: linesOf(order),
        parcels: parcelsOf(order),
        refunds: refunds.list.map(refundOf(links)),
        freightKept: kept ? fill(texts.refunds.freightKept, { amount: formatMoney(kept) }) : "",
        facts: sumsOf(order),
        canRefund: canAskForRefund(order),
        isWaiting,
        templates,
      };
    },
  },
  {
    ...consent,

    pay() {
      return startPayment(this);
    },

    cancel() {
      return this.change("cancel");
    },

    receive() {
      return this.change("receive");
    },

    change(what: "cancel" | "receive") {
      return this.act(async () => {
        const { title, text, done } = t[what];
        if (!(await isConfirmed(title, text))) return;
        const path = { id: this.data.order!.id };
        await this.write([what, path], (key) => api.PUT(`/api/order/{id}/${what}`, { params: { path }, ...key }));
        notify(done);
        await this.refresh();
      });
    },

    /** Takes the open refund request back. */
    takeBack() {
      return this.act(async () => {
        const { title, text, done } = texts.refunds.takeBack;
        if (!(await isConfirmed(title, text))) return;
        const path = { id: this.data.order!.id };
        await this.write(["take back", path], (key) =>
          api.DELETE("/api/order/{id}/refund", { params: { path }, ...key }),
        );
        notify(done);
        await this.refresh();
      });
    },

    /** Lets the buyer order the same goods again: one product at once, several from the cart. */
    orderAgain() {
      const [first, ...others] = this.data.order!.lines;
      if (others.length === 0)
        return openPage(`/pages/checkout/checkout?product=${first!.product_id}&quantity=${first!.quantity}`);
      for (const { product_id, title, price, quantity } of this.data.order!.lines)
        addToCart({ id: product_id, title, price }, quantity);
      openPage("/pages/cart/cart");
    },

    /** Shows the pictures of a refund large, beginning with one. */
    showPicture({ currentTarget: { dataset } }: Tap<{ id: string }>) {
      return this.act(async () => {
        const links = await readLinks(this.data.order!.id);
        const shown = links.find(({ id }) => id === dataset.id);
        const urls = links.filter(({ refund_id }) => refund_id === shown?.refund_id).map(({ url }) => url);
        if (shown) void wx.previewImage({ urls, current: shown.url });
      });
    },

    copyNumber() {
      void wx.setClipboardData({ data: this.data.order!.order_no });
    },
  },
);

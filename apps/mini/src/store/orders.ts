import type { OrderFilter } from "../../../shared/order_filters.ts";
import { isRefundedElsewhere } from "../../../shared/refunds.ts";
import type { Api } from "../../../client/index.ts";
import { formatMoney } from "../../../../functions/_shared/words/figures.ts";
import { counted, fill, texts } from "../texts/texts.ts";

type Order = Api["Order"];

/** The filter that another page has asked for: the address of a tab cannot name one. */
export const askedOrders: { filter?: OrderFilter } = {};

/** The state of an order, and of a refund that does not end it. */
export function orderState({ shown_state, refund_status }: Pick<Order, "shown_state" | "refund_status">): string {
  const refunds = texts.orders.refundStatus as Partial<Record<string, string>>;
  return [texts.orders.state[shown_state], shown_state !== "refunded" && refunds[String(refund_status)]]
    .filter(Boolean)
    .join(" · ");
}

/** What is left to ship of an order of which units were refunded. */
export const leftToShip = ({ units_to_ship, lines }: Order) =>
  units_to_ship > 0 && lines.some(({ refunded_quantity }) => refunded_quantity > 0)
    ? counted(texts.orders, "leftToShip", units_to_ship)
    : "";

/**
 * Whether the buyer can take a request back: nobody has answered it, and its goods were not sent. The store checks it
 * again.
 */
export const canTakeBack = ({ state, goods_return }: Api["Refund"]) =>
  state === "requested" && (goods_return === null || goods_return.state === "asked");

/**
 * What a refund or a request is for, a line each: the units, or the amount paid back while the goods are kept. A
 * request granted in part also says how many units were asked for. The freight comes last.
 */
export function refundedLines(refund: Api["Refund"]): string[] {
  const t = texts.refunds;
  const { state, lines, freight } = refund;
  const isElsewhere = isRefundedElsewhere(refund);
  const textOf = ({ title, quantity, asked, concession }: Api["RefundedLine"]) => {
    if (Number(concession) > 0) return fill(t.kept, { title, amount: formatMoney(concession) });
    if (isElsewhere) return `${title} × ${asked}`;
    return state === "partly_refunded" && asked !== null
      ? `${title} · ${fill(t.askedFor, { asked, granted: quantity })}`
      : `${title} × ${quantity}`;
  };
  return [
    ...lines.map(textOf),
    ...(isElsewhere ? [t.elsewhere] : []),
    ...(Number(freight) > 0 ? [fill(t.freight, { amount: formatMoney(freight) })] : []),
  ];
}

/** Whether the buyer can enter or correct the parcel by which the goods return. The store checks it again. */
export const isReturning = ({ state, goods_return }: Api["Refund"]) =>
  state === "requested" && goods_return !== null && goods_return.state !== "received";

import type { Api } from "../../../client/index.ts";
import { counted, fill, texts } from "../texts/texts.ts";

type Order = Api["Order"];

/** The state of an order, and of a refund that does not end it. */
export function orderState({ shown_state, refund_status }: Pick<Order, "shown_state" | "refund_status">): string {
  const refunds = texts.orders.refundStatus as Partial<Record<string, string>>;
  return [texts.orders.state[shown_state], shown_state !== "refunded" && refunds[String(refund_status)]].filter(Boolean).join(" · ");
}

/** What is left to ship of an order of which units were refunded. */
export const leftToShip = ({ units_to_ship, lines }: Order) =>
  units_to_ship > 0 && lines.some(({ refunded_quantity }) => refunded_quantity > 0)
    ? counted(texts.orders, "leftToShip", units_to_ship)
    : "";

/** Units of a line that were not refunded. */
export const unitsLeft = ({ quantity, refunded_quantity }: Api["OrderLine"]) => quantity - refunded_quantity;

/** Whether the member may request a refund. The store checks it again. */
export const canAskForRefund = ({ state, refund_status, refund_request_until, lines }: Order) =>
  ["paid", "delivered", "received"].includes(state) &&
  refund_status !== 1 &&
  (refund_request_until === null || Date.parse(refund_request_until) > Date.now()) &&
  lines.some((line) => unitsLeft(line) > 0);

/** Whether the buyer can take a request back: nobody has answered it, and its goods were not sent. The store checks it again. */
export const canTakeBack = ({ state, goods_return }: Api["Refund"]) =>
  state === "requested" && (goods_return === null || goods_return.state === "asked");

/** What was asked for and what was granted of it, if only a part was. */
export function grantedText(refund: Api["Refund"], lines: Api["OrderLine"][]): string[] {
  if (refund.state !== "partly_refunded") return [];
  const units = refund.lines.filter(({ concession }) => Number(concession) === 0);
  if (refund.lines.every(({ quantity, concession }) => quantity === 0 && Number(concession) === 0)) return [texts.refunds.elsewhere];
  return units.map(({ line_id, asked, quantity }) =>
    [lines.find(({ id }) => id === line_id)?.title, fill(texts.refunds.askedFor, { asked: asked ?? 0, granted: quantity })]
      .filter(Boolean)
      .join(" · "),
  );
}

/** Whether the buyer can enter or correct the parcel by which the goods return. The store checks it again. */
export const isReturning = ({ state, goods_return }: Api["Refund"]) =>
  state === "requested" && goods_return !== null && goods_return.state !== "received";

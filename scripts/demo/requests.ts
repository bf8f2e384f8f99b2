import { type Action, day, minute, orderCount, queueGoods } from "./month.ts";

/** Hours of a day of the month, counted from 0. */
const at = (dayOfMonth: number, hour: number) => dayOfMonth * day + hour * 60 * minute;

/** The indexes of a founder and of the members Lin Wei and Chen Jing. */
const [founder, lin, chen] = [0, 5, 7 - 1];

/**
 * What members ask of the office beside the orders of the month, so that each list of the sites has rows. None of it
 * changes an order of the month.
 */
export const requests: Action[] = [
  // An order that was paid in WeChat, and one that is too large to be confirmed by one administrator (office.sql).
  { at: at(28, 9), order: orderCount, kind: "order", buyer: lin, items: [{ product: queueGoods + 4, quantity: 2 }] },
  { at: at(28, 9) + minute, order: orderCount, kind: "pay_in_wechat" },
  { at: at(28, 17), order: orderCount, kind: "deliver" },
  { at: at(29, 16), order: orderCount + 1, kind: "order", buyer: founder, items: [{ product: 0, quantity: 16 }] },
  { at: at(22, 10), order: -1, kind: "withdraw", buyer: chen, method: "bank" },
  ...Array.from({ length: 11 }, (_, index): Action => ({
    at: at(23 + Math.floor(index / 2), 9 + index),
    order: -1,
    kind: "withdraw",
    buyer: null,
    method: index % 3 === 2 ? "alipay" : "bank",
  })),
];

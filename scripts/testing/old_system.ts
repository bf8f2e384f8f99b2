import { closeSync, mkdirSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../demo/random.ts";

export interface OldSystemSize {
  members: number;
  orders: number;
}

const quoted = (value: string | number) => `"${String(value).replaceAll('"', '""')}"`;

/** Writes a CSV file, a part at a time. */
function writeCsv(
  path: string,
  header: string,
  rows: number,
  row: (index: number) => (string | number)[] | undefined,
): void {
  const file = openSync(path, "w");
  let text = `${header}\n`;
  for (let index = 0; index < rows; index += 1) {
    const values = row(index);
    if (values) text += `${values.map(quoted).join(",")}\n`;
    if (text.length > 1 << 20) {
      writeSync(file, text);
      text = "";
    }
  }
  writeSync(file, text);
  closeSync(file);
}

const started = 1_700_000_000;

/**
 * Generates an old system of CRMEB as CSV files: a random tree of referrers, balances, levels, places, and paid, partly
 * and fully refunded orders of queue goods and others, and open requests for refunds. Two orders of each hundred are
 * the parts of one that was split, which comes in addition. The same size gives the same files.
 */
export function generateOldSystem(folder: string, { members, orders }: OldSystemSize): void {
  mkdirSync(folder, { recursive: true });
  const random = new Random(7);
  const upTo = (count: number) => random.below(count);
  writeCsv(
    join(folder, "eb_store_product.csv"),
    "id,store_name,price,is_queue_goods,is_show,is_del,add_time",
    3,
    (index) => [
      index + 1,
      ["旗舰套装", "绿茶", "茶杯"][index] ?? "",
      ["3600.00", "99.90", "28.00"][index] ?? "",
      index === 0 ? 1 : 0,
      1,
      0,
      started,
    ],
  );
  writeCsv(join(folder, "eb_wechat_user.csv"), "uid,openid,unionid,user_type", members, (index) =>
    index % 2 === 0 ? [index + 1, `o-old-${index + 1}`, "", "routine"] : undefined,
  );
  writeCsv(join(folder, "eb_agent_level.csv"), "id,name,grade", 3, (index) => [
    11 + index,
    ["一级", "二级", "三级"][index] ?? "",
    index + 1,
  ]);
  // The file begins with the members who joined last, so that referrers come after those whom they refer.
  writeCsv(
    join(folder, "eb_user.csv"),
    "uid,nickname,phone,spread_uid,spread_time,add_time,agent_level,brokerage_price,frozen_points,available_points,no_assess,places",
    members,
    (index) => {
      const uid = members - index;
      const spread = uid === 1 || upTo(50) === 0 ? 0 : 1 + upTo(uid - 1);
      return [
        uid,
        `会员${uid}`,
        `138${String(uid).padStart(8, "0")}`,
        spread,
        spread === 0 ? 0 : started + uid,
        started + uid,
        upTo(10) === 0 ? 11 + upTo(3) : 0,
        upTo(3) === 0 ? (upTo(1_000_000) / 100).toFixed(2) : "0.00",
        upTo(2) === 0 ? upTo(20_000) : 0,
        upTo(4) === 0 ? upTo(1_000) / 10 : 0,
        upTo(100) === 0 ? 1 : 0,
        upTo(3),
      ];
    },
  );
  const kinds: number[] = [];
  const split = Math.floor(orders / 100);
  const firstOrder = split + 1;
  writeCsv(
    join(folder, "eb_store_order.csv"),
    "id,pid,order_id,uid,spread_uid,total_price,pay_postage,pay_price,paid,pay_time,add_time,pay_type,trade_no,status,refund_status,refund_reason_time",
    split + orders,
    (row) => {
      if (row < split)
        return [
          row + 1,
          -1,
          `sp${String(row + 1).padStart(12, "0")}`,
          1,
          0,
          "28.00",
          "0.00",
          "28.00",
          1,
          started,
          started,
          "weixin",
          `42000s${row + 1}`,
          0,
          0,
          0,
        ];
      const index = row - split;
      const [id, kind] = [firstOrder + index, upTo(100)];
      kinds.push(kind);
      const [at, isQueue] = [started + 100_000 + index * 10, kind < 70];
      const total = isQueue ? 3600 * (1 + (kind % 3)) + 99.9 : 28 * (1 + (kind % 4));
      const discount = kind % 5 === 0 ? total / 7 : 0;
      const refund = kind % 20 === 0 ? 2 : kind % 33 === 1 ? 1 : 0;
      const parent = index < split * 100 && index % 100 < 2 ? 1 + Math.floor(index / 100) : 0;
      return [
        id,
        parent,
        `cp${String(id).padStart(12, "0")}`,
        1 + upTo(members),
        0,
        total.toFixed(2),
        "8.00",
        (total - Number(discount.toFixed(2)) + 8).toFixed(2),
        kind === 99 ? 0 : 1,
        kind === 99 ? 0 : at + 60,
        at,
        "weixin",
        kind === 99 ? "" : parent > 0 ? `42000s${parent}` : `42000${id}`,
        kind % 4,
        refund,
        refund === 0 ? 0 : at + 90_000,
      ];
    },
  );
  writeCsv(
    join(folder, "eb_store_order_cart_info.csv"),
    "oid,product_id,cart_num,refund_num,cart_info",
    split + orders * 2,
    (row) => {
      const goods = (product: number, units: number) =>
        JSON.stringify({
          cart_num: units,
          truePrice: [3600, 99.9, 28][product - 1],
          productInfo: { store_name: ["旗舰套装", "绿茶", "茶杯"][product - 1] },
        });
      if (row < split) return [row + 1, 3, 1, 0, goods(3, 1)];
      const index = row - split;
      const kind = kinds[index >> 1] ?? 0;
      const [isQueue, isSecond] = [kind < 70, index % 2 === 1];
      if (!isQueue && isSecond) return undefined;
      const product = isQueue ? (isSecond ? 2 : 1) : 3;
      const units = isQueue ? (isSecond ? 1 : 1 + (kind % 3)) : 1 + (kind % 4);
      return [firstOrder + (index >> 1), product, units, kind % 30 === 7 && !isSecond ? 1 : 0, goods(product, units)];
    },
  );
  // Of the orders with marked units, every other one is refunded; a refund of the rest is only requested.
  writeCsv(
    join(folder, "eb_store_order_refund.csv"),
    "id,store_order_id,order_id,uid,refund_type,refund_num,refund_price,refunded_price,refunded_time,is_cancel,is_del,add_time",
    orders,
    (index) =>
      (kinds[index] ?? 0) % 30 === 7
        ? [
            index + 1,
            firstOrder + index,
            `rf${index}`,
            1,
            index % 2 === 0 ? 6 : 1,
            1,
            "1.00",
            "0.00",
            index % 2 === 0 ? started + 200_000 + index * 10 : 0,
            0,
            0,
            started + 190_000 + index * 10,
          ]
        : undefined,
  );
  writeCsv(
    join(folder, "eb_user_bill.csv"),
    "id,uid,link_id,pm,title,category,type,number,balance,mark,add_time,status",
    orders >> 1,
    (index) => [
      index + 1,
      1 + upTo(members),
      index + 1,
      1,
      "获得推广佣金",
      "now_money",
      "brokerage",
      "720.00",
      "720.00",
      `用户${index}成功消费`,
      started + 100_000 + index * 20,
      1,
    ],
  );
}

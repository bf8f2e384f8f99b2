import type { CsvRecord } from "./csv_file.ts";
import type { Form, FormFile, StagedRow } from "./form.ts";

type Value = CsvRecord["value"];

/** CRMEB writes 0 for "none". */
const orNone = (text: string | null) => (text === "0" ? null : text);

/** A time in seconds since 1970, or as text in the zone of the store. */
function time(text: string | null): string | null {
  if (text === null || /^0+$/.test(text)) return null;
  return /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1000).toISOString() : text;
}

/** `湖南 长沙市 岳麓区 天顶街道 1 号`: the region is the first three words. */
function address(text: string | null): { region: string | null; street: string | null } {
  const words = (text ?? "").split(/\s+/).filter(Boolean);
  return { region: words.slice(0, 3).join(" ") || null, street: words.slice(3).join(" ") || null };
}

const receivedStatuses = ["2", "3"];
const deliveredStatuses = ["1", "4", "5"];

function orderState(value: Value): string {
  const status = value("status") ?? "0";
  if (value("paid") !== "1") return value("is_cancel") === "1" || value("is_del") === "1" ? "cancelled" : "unpaid";
  return receivedStatuses.includes(status) ? "received" : deliveredStatuses.includes(status) ? "delivered" : "paid";
}

/** What a line of an order stores about the goods, as JSON: price, quantity and title. */
function goods(text: string | null): { price: string | null; quantity: string | null; title: string | null } {
  let json: { truePrice?: unknown; cart_num?: unknown; productInfo?: { price?: unknown; store_name?: unknown } } = {};
  try {
    json = (JSON.parse(text ?? "{}") ?? {}) as typeof json;
  } catch {
    // The missing price becomes a finding.
  }
  const asText = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : null);
  return { price: asText(json.truePrice) ?? asText(json.productInfo?.price), quantity: asText(json.cart_num), title: asText(json.productInfo?.store_name) };
}

/** The parts of an order share one payment, but a payment pays one order of this store. */
function partOf(payment: string | null, orderNo: string | null): string | null {
  return payment && `${payment}/${orderNo}`;
}

const fullyRefunded = "2";
const requested = "1";

/** An order as its lines and parts need it. */
interface Order {
  no: string;
  refund: string;
  /** The order does not have the goods, or another order has them, too: it is not imported. */
  isLeftOut: boolean;
}

/** What CRMEB writes into the `pid` of an order whose goods it has moved to parts. */
const splitIntoParts = "-1";

/** The tables of CRMEB, exported as CSV files with their column names. docs/import.md describes what is read and what is not. */
export function crmebForm(): Form {
  const grades = new Map<string, string>();
  const unionids = new Map<string, string>();
  const orders = new Map<string, Order>();
  /** Orders with parts that came before them in the file. */
  const awaited = new Set<string>();
  const staged = (table: string, line: number, values: StagedRow["values"]): StagedRow => ({ table, line, values });

  const bill = (name: string, isRequired: boolean): FormFile => ({
    name: `${name}.csv`,
    isRequired,
    columns: { required: ["id", "uid", "pm", "title", "type", "number", "balance", "add_time"] },
    table: "bill",
    rows: ({ line, value }) => orNone(value("uid")) === null ? [] : [staged("bill", line, {
      source: name, id: value("id"), uid: value("uid"), type: [value("category"), value("type")].filter(Boolean).join("/"), title: value("title"),
      is_income: value("pm"), amount: value("number"), balance: value("balance"), order_ref: orNone(value("link_id")), happened_at: time(value("add_time")),
      note: value("mark"),
    })],
  });

  const files: FormFile[] = [
    {
      name: "eb_store_product.csv",
      isRequired: true,
      columns: { required: ["id", "store_name", "price", "is_queue_goods"] },
      table: "products",
      rows: ({ line, value }) => [staged("products", line, {
        id: value("id"), title: value("store_name"), price: value("price"), freight: value("is_postage") === "1" ? "0" : value("postage"),
        is_queue_goods: value("is_queue_goods"), is_show: value("is_del") === "1" ? "0" : value("is_show"), stock: value("stock"),
        description: value("store_info"), added_at: time(value("add_time")),
      })],
    },
    {
      name: "eb_agent_level.csv",
      isRequired: false,
      columns: { required: ["id", "grade"] },
      table: "members",
      rows({ value }) {
        grades.set(value("id") ?? "", value("grade") ?? "");
        return [];
      },
    },
    {
      name: "eb_wechat_user.csv",
      isRequired: false,
      columns: { required: ["uid", "openid"] },
      table: "openids",
      rows({ line, value }) {
        const [uid, openid, unionid] = [value("uid"), value("openid"), value("unionid")];
        if (uid !== null && unionid !== null) unionids.set(uid, unionid);
        return uid === null || openid === null ? [] : [staged("openids", line, { uid, openid, appid: value("appid") })];
      },
    },
    {
      name: "eb_user.csv",
      isRequired: true,
      columns: { required: ["uid", "nickname", "phone", "spread_uid", "agent_level", "brokerage_price"] },
      table: "members",
      rows({ line, value }, report) {
        const level = orNone(value("agent_level"));
        const grade = level === null ? null : grades.get(level);
        if (grade === undefined) report("agent_level", "is not an id of eb_agent_level.csv");
        return [staged("members", line, {
          uid: value("uid"), nickname: value("nickname"), avatar: value("avatar"), phone: value("phone"), unionid: unionids.get(value("uid") ?? "") ?? null,
          referrer: orNone(value("spread_uid")), referred_at: time(value("spread_time")), joined_at: time(value("add_time")),
          level: grade ?? null, level_held: value("level_held"), no_assess: value("no_assess"), commission: value("brokerage_price"),
          frozen_points: value("frozen_points"), available_points: value("available_points"), places: value("places"),
        })];
      },
    },
    {
      name: "eb_store_order.csv",
      isRequired: true,
      columns: { required: ["id", "order_id", "uid", "pay_price", "paid", "pay_time", "add_time", "status", "refund_status"] },
      table: "orders",
      rows({ line, value }, report) {
        const [id, order_no, refund, pid] = [value("id") ?? "", value("order_id"), value("refund_status") ?? "0", orNone(value("pid"))];
        const parent = pid === null ? undefined : orders.get(pid);
        const isPart = pid !== null && !pid.startsWith("-");
        if (isPart && !parent) awaited.add(pid);
        if (pid !== splitIntoParts && awaited.has(id)) report("id", "has parts in lines before it: sort the file by id");
        // An order that keeps its goods has a part for each parcel, with the same goods again.
        const isLeftOut = pid === splitIntoParts || (isPart && parent !== undefined && !parent.isLeftOut);
        orders.set(id, { no: order_no ?? "", refund, isLeftOut });
        if (isLeftOut) return [];
        const state = orderState(value);
        const isPaid = value("paid") === "1";
        const order = staged("orders", line, {
          order_no, uid: value("uid"), referrer: orNone(value("spread_uid")), state, total_price: value("total_price"), freight: value("pay_postage"),
          pay_price: value("pay_price"), placed_at: time(value("add_time")), paid_at: isPaid ? time(value("pay_time")) ?? time(value("add_time")) : null,
          pay_type: value("pay_type"), pay_ref: isPart ? partOf(value("trade_no"), order_no) : value("trade_no"), carrier: value("delivery_name"), tracking_no: value("delivery_id"),
          receiver_name: value("real_name"), receiver_phone: value("user_phone"), ...address(value("user_address")), remark: value("mark"),
        });
        if (!isPaid || ![requested, fullyRefunded].includes(refund)) return [order];
        return [order, staged("refunds", line, {
          order_no, refund_no: "refund", state: refund === requested ? "requested" : "refunded", refunded_at: time(value("refund_reason_time")),
          reason: value("refund_reason_wap"),
        })];
      },
    },
    {
      name: "eb_store_order_cart_info.csv",
      isRequired: true,
      columns: { required: ["oid", "product_id", "cart_info"] },
      table: "order_lines",
      rows({ line, value }) {
        const oid = value("oid") ?? "";
        const { no, refund, isLeftOut } = orders.get(oid) ?? { no: oid, refund: "0", isLeftOut: false };
        if (isLeftOut) return [];
        const { price, quantity, title } = goods(value("cart_info"));
        // The line of the file numbers the line of the order: it is unique, and not every version has an id.
        const line_no = String(line);
        const row = staged("order_lines", line, { order_no: no, line_no, product_id: value("product_id"), title, price, quantity: value("cart_num") ?? quantity });
        const units = orNone(value("refund_num"));
        if (units === null || refund === requested || refund === fullyRefunded) return [row];
        return [row, staged("refunds", line, { order_no: no, refund_no: `line-${line_no}`, line_no, quantity: units, state: "refunded" })];
      },
    },
    bill("eb_user_bill", true),
    bill("eb_user_brokerage", false),
  ];

  const columnNames: Record<string, string> = {
    "products.title": "store_name", "products.freight": "postage", "products.description": "store_info", "products.added_at": "add_time",
    "members.referrer": "spread_uid", "members.referred_at": "spread_time", "members.joined_at": "add_time", "members.level": "agent_level",
    "members.commission": "brokerage_price",
    "orders.order_no": "order_id", "orders.referrer": "spread_uid", "orders.state": "status", "orders.freight": "pay_postage", "orders.placed_at": "add_time",
    "orders.paid_at": "pay_time", "orders.pay_ref": "trade_no",
    "order_lines.order_no": "oid", "order_lines.price": "cart_info", "order_lines.quantity": "cart_info", "order_lines.line_no": "oid",
    "refunds.order_no": "order_id", "refunds.quantity": "refund_num", "refunds.refunded_at": "refund_reason_time", "refunds.line_no": "order_id",
    "bill.is_income": "pm", "bill.amount": "number", "bill.order_ref": "link_id", "bill.happened_at": "add_time", "bill.note": "mark",
  };
  const fileNames: Record<string, string> = {
    products: "eb_store_product", members: "eb_user", openids: "eb_wechat_user", orders: "eb_store_order", order_lines: "eb_store_order_cart_info",
  };
  return {
    name: "crmeb",
    files,
    origin({ table, column }) {
      const isBill = table.startsWith("eb_");
      // Units of a line are refunded in the file of the lines.
      const file = isBill ? table : table === "refunds" ? (column === "quantity" ? "eb_store_order_cart_info" : "eb_store_order") : fileNames[table] ?? table;
      return { file: `${file}.csv`, column: columnNames[`${isBill ? "bill" : table}.${column}`] ?? column };
    },
  };
}

import type { CsvRecord, FileFinding } from "./csv_file.ts";
import type { Form, FormFile, LeftOut, StagedRow } from "./form.ts";
import { Findings } from "./stage_file.ts";

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

/** JSON of PHP. @returns null if the text is none */
function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

const asText = (value: unknown) => (typeof value === "string" || typeof value === "number" ? String(value) : null);

/**
 * What a line of an order stores about the goods, as JSON: price, quantity and title. A missing price becomes a
 * finding.
 */
function goods(text: string | null): { price: string | null; quantity: string | null; title: string | null } {
  const json = (parsed(text) ?? {}) as {
    truePrice?: unknown;
    cart_num?: unknown;
    productInfo?: { price?: unknown; store_name?: unknown };
  };
  return {
    price: asText(json.truePrice) ?? asText(json.productInfo?.price),
    quantity: asText(json.cart_num),
    title: asText(json.productInfo?.store_name),
  };
}

/** A row of `eb_store_order_refund`: an open request, or a refund. */
interface Refund {
  line: number;
  no: string;
  orderId: string;
  isOpen: boolean;
  /** How many units it takes, and of which lines by their `cart_id`, if it says so. */
  units: number;
  unitsOf: ReadonlyMap<string, number> | undefined;
  reason: string | null;
  at: string | null;
  /** The units that were found in the lines of its order, and their price in cents. */
  found: number;
  worth: number;
  /** What was paid back, if the export says so. */
  paidBack: string | null;
}

const inCents = (price: string | null) => Math.round(Number(price) * 100);

/** The goods of a refund, as JSON: the lines and their units. */
function refundedUnits(text: string | null): Map<string, number> | undefined {
  const json = parsed(text);
  if (!Array.isArray(json) || json.length === 0) return undefined;
  return new Map(
    (json as { id?: unknown; cart_num?: unknown }[]).map((line) => [
      asText(line?.id) ?? "",
      Number(line?.cart_num) || 0,
    ]),
  );
}

// Requested, goods to be sent back, goods on their way; 3 is refused.
const openRefundTypes = ["1", "2", "4", "5"];
const refundedType = "6";

/** The parts of an order share one payment, but a payment pays one order of this store. */
function partOf(payment: string | null, orderNo: string | null): string | null {
  return payment && `${payment}/${orderNo}`;
}

const fullyRefunded = "2";
const requested = "1";

/** An order as its lines and parts need it. */
interface Order {
  no: string;
  /** The refunds that take units of its lines. */
  refunds: Refund[];
  /** The order is refunded, or a refund requested, as a whole. */
  isWhole: boolean;
  /** The order does not have the goods, or another order has them, too: it is not imported. */
  isLeftOut: boolean;
}

/** What CRMEB writes into the `pid` of an order whose goods it has moved to parts. */
const splitIntoParts = "-1";

const refundFile = "eb_store_order_refund.csv";

/** A column with amounts or texts that this store does not take over. */
const leftOut = (column: string, finding: string, isAmount = false): LeftOut => ({
  column,
  finding,
  isAmount,
  isIn: ({ value }) => !/^0*([.]0*)?$/.test(value(column) ?? ""),
});

/**
 * The tables of CRMEB, exported as CSV files with their column names. docs/import.md describes what is read and what is
 * not.
 * @param names the files of the folder
 */
export function crmebForm(names: readonly string[]): Form {
  const grades = new Map<string, string>();
  const unionids = new Map<string, string>();
  const orders = new Map<string, Order>();
  const refunds = new Map<string, Refund[]>();
  const hasRefunds = names.includes(refundFile);
  /** Orders with parts that came before them in the file. */
  const awaited = new Set<string>();
  const staged = (table: string, line: number, values: StagedRow["values"]): StagedRow => ({ table, line, values });

  const bill = (name: string, more: Pick<FormFile, "isRequired" | "leftOut" | "absence">): FormFile => ({
    name: `${name}.csv`,
    ...more,
    columns: { required: ["id", "uid", "pm", "title", "type", "number", "balance", "add_time"] },
    table: "bill",
    rows: ({ line, value }) =>
      orNone(value("uid")) === null
        ? []
        : [
            staged("bill", line, {
              source: name,
              id: value("id"),
              uid: value("uid"),
              type: [value("category"), value("type")].filter(Boolean).join("/"),
              title: value("title"),
              is_income: value("pm"),
              amount: value("number"),
              balance: value("balance"),
              order_ref: orNone(value("link_id")),
              happened_at: time(value("add_time")),
              note: value("mark"),
            }),
          ],
  });

  const files: FormFile[] = [
    {
      name: "eb_store_product.csv",
      isRequired: true,
      columns: { required: ["id", "store_name", "price", "is_queue_goods"] },
      table: "products",
      rows: ({ line, value }) => [
        staged("products", line, {
          id: value("id"),
          title: value("store_name"),
          price: value("price"),
          freight: value("is_postage") === "1" ? "0" : value("postage"),
          is_queue_goods: value("is_queue_goods"),
          is_show: value("is_del") === "1" ? "0" : value("is_show"),
          stock: value("stock"),
          description: value("store_info"),
          added_at: time(value("add_time")),
        }),
      ],
      leftOut: [
        leftOut("image", "is not imported: add the pictures to the products in the console"),
        leftOut("slider_image", "is not imported: add the pictures to the products in the console"),
      ],
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
        const isGone = value("is_del") === "1" || value("status") === "0";
        if (isGone)
          report(
            "uid",
            "is deleted or banned: the member is imported with all balances, but nobody can claim them",
            "warning",
          );
        return [
          staged("members", line, {
            uid: value("uid"),
            nickname: value("nickname"),
            avatar: value("avatar"),
            phone: value("phone"),
            unionid: unionids.get(value("uid") ?? "") ?? null,
            referrer: orNone(value("spread_uid")),
            referred_at: time(value("spread_time")),
            joined_at: time(value("add_time")),
            level: grade ?? null,
            level_held: value("level_held"),
            no_assess: value("no_assess"),
            commission: value("brokerage_price"),
            frozen_points: value("frozen_points"),
            available_points: value("available_points"),
            places: value("places"),
            is_claimable: isGone ? "0" : null,
          }),
        ];
      },
      leftOut: [
        leftOut(
          "now_money",
          "is not imported: there are no wallets here. Pay the money back, or let members spend it before the export",
          true,
        ),
        leftOut("integral", "is not imported: the points of this store are other points", true),
      ],
    },
    {
      name: "eb_user_extract.csv",
      isRequired: false,
      columns: { required: ["uid", "extract_price", "status"] },
      table: "members",
      rows: () => [],
      leftOut: [
        {
          column: "extract_price",
          isAmount: true,
          isIn: ({ value }) => !["1", "-1"].includes(value("status") ?? ""),
          finding: "is an open withdrawal, whose amount is in no balance: pay or refuse it there, then export again",
        },
      ],
      absence: "open withdrawals, whose amounts are in no balance, cannot be seen",
    },
    {
      name: refundFile,
      isRequired: false,
      columns: { required: ["store_order_id", "order_id", "refund_type", "refund_num"] },
      table: "refunds",
      rows({ line, value }) {
        const [orderId, type] = [value("store_order_id") ?? "", value("refund_type") ?? ""];
        const isWithdrawn = [value("is_cancel"), value("is_del"), value("is_pink_cancel")].includes("1");
        const isOpen = openRefundTypes.includes(type) && !isWithdrawn;
        if (!isOpen && type !== refundedType) return [];
        const refund: Refund = {
          line,
          no: value("order_id") ?? String(line),
          orderId,
          isOpen,
          units: Number(value("refund_num")) || 0,
          unitsOf: refundedUnits(value("cart_info")),
          reason: value("refund_reason") ?? value("refund_explain"),
          at: time(isOpen ? value("add_time") : value("refunded_time")),
          found: 0,
          worth: 0,
          paidBack: isOpen ? null : orNone(value("refunded_price")),
        };
        refunds.set(orderId, [...(refunds.get(orderId) ?? []), refund]);
        return [];
      },
    },
    {
      name: "eb_store_order.csv",
      isRequired: true,
      columns: {
        required: ["id", "order_id", "uid", "pay_price", "paid", "pay_time", "add_time", "status", "refund_status"],
      },
      table: "orders",
      rows({ line, value }, report) {
        const [id, order_no, refund, pid] = [
          value("id") ?? "",
          value("order_id"),
          value("refund_status") ?? "0",
          orNone(value("pid")),
        ];
        const parent = pid === null ? undefined : orders.get(pid);
        const isPart = pid !== null && !pid.startsWith("-");
        if (isPart && !parent) awaited.add(pid);
        if (pid !== splitIntoParts && awaited.has(id))
          report("id", "has parts in lines before it: sort the file by id");
        // An order that keeps its goods has a part for each parcel, with the same goods again.
        const isLeftOut = pid === splitIntoParts || (isPart && parent !== undefined && !parent.isLeftOut);
        const state = orderState(value);
        const isPaid = value("paid") === "1";
        const ofOrder = refunds.get(id) ?? [];
        const isWhole =
          isPaid && (refund === fullyRefunded || (refund === requested && !ofOrder.some(({ isOpen }) => isOpen)));
        orders.set(id, { no: order_no ?? "", refunds: isWhole ? [] : ofOrder, isWhole, isLeftOut });
        if (isLeftOut) return [];
        const order = staged("orders", line, {
          order_no,
          uid: value("uid"),
          referrer: orNone(value("spread_uid")),
          state,
          total_price: value("total_price"),
          freight: value("pay_postage"),
          pay_price: value("pay_price"),
          placed_at: time(value("add_time")),
          paid_at: isPaid ? (time(value("pay_time")) ?? time(value("add_time"))) : null,
          pay_type: value("pay_type"),
          pay_ref: isPart ? partOf(value("trade_no"), order_no) : value("trade_no"),
          carrier: value("delivery_name"),
          tracking_no: value("delivery_id"),
          receiver_name: value("real_name"),
          receiver_phone: value("user_phone"),
          ...address(value("user_address")),
          remark: value("mark"),
        });
        if (!isWhole) return [order];
        const price = orNone(value("refund_price"));
        if (
          refund === fullyRefunded &&
          price !== null &&
          Number(price) > 0 &&
          Number(price) !== Number(value("pay_price"))
        ) {
          report("refund_price", "is not what was paid: the order is refunded as a whole here", "warning");
        }
        return [
          order,
          staged("refunds", line, {
            order_no,
            refund_no: "refund",
            state: refund === requested ? "requested" : "refunded",
            refunded_at: time(value("refund_reason_time")),
            reason: value("refund_reason_wap"),
          }),
        ];
      },
    },
    {
      name: "eb_store_order_cart_info.csv",
      isRequired: true,
      columns: { required: ["oid", "product_id", "cart_info"] },
      table: "order_lines",
      rows({ line, value }, report) {
        const oid = value("oid") ?? "";
        const order = orders.get(oid) ?? { no: oid, refunds: [], isWhole: false, isLeftOut: false };
        if (order.isLeftOut) return [];
        const { price, quantity, title } = goods(value("cart_info"));
        // The line of the file numbers the line of the order: it is unique, and not every version has an id.
        const line_no = String(line);
        const row = staged("order_lines", line, {
          order_no: order.no,
          line_no,
          product_id: value("product_id"),
          title,
          price,
          quantity: value("cart_num") ?? quantity,
        });
        if (order.isWhole) return [row];
        const marked = Number(value("refund_num")) || 0;
        let explained = 0;
        const taken = order.refunds.flatMap((refund) => {
          // The parts of a split order have carts of their own. A refund that does not name its lines has all units
          // that are marked.
          const named =
            refund.unitsOf?.get(value("cart_id") ?? "") ?? refund.unitsOf?.get(value("old_cart_id") ?? "") ?? 0;
          const units = refund.unitsOf ? named : order.refunds.length === 1 ? marked : 0;
          refund.found += units;
          refund.worth += units * inCents(price);
          explained += units;
          return units === 0
            ? []
            : [
                staged("refunds", line, {
                  order_no: order.no,
                  refund_no: refund.no,
                  line_no,
                  quantity: String(units),
                  state: refund.isOpen ? "requested" : "refunded",
                  refunded_at: refund.at,
                  reason: refund.reason,
                }),
              ];
        });
        if (explained < marked) {
          if (hasRefunds)
            report(
              "refund_num",
              `has units that ${refundFile} neither has as requested nor as refunded: they are not refunded`,
              "warning",
            );
          else
            report(
              "refund_num",
              `has units that are refunded, or for which a refund is only requested: ${refundFile} says which, but is missing`,
            );
        }
        return [row, ...taken];
      },
    },
    bill("eb_user_bill", { isRequired: true }),
    bill("eb_user_brokerage", {
      isRequired: false,
      leftOut: [
        {
          column: "number",
          isAmount: true,
          isIn: ({ value }) => value("pm") === "1" && Number(value("frozen_time")) * 1000 > Date.now(),
          finding: "is still frozen: it is part of brokerage_price and can be withdrawn here at once",
        },
      ],
      absence: "commission that is still frozen, and can be withdrawn here at once, cannot be seen",
    }),
  ];

  const columnNames: Record<string, string> = {
    "products.title": "store_name",
    "products.freight": "postage",
    "products.description": "store_info",
    "products.added_at": "add_time",
    "members.referrer": "spread_uid",
    "members.referred_at": "spread_time",
    "members.joined_at": "add_time",
    "members.level": "agent_level",
    "members.commission": "brokerage_price",
    "orders.order_no": "order_id",
    "orders.referrer": "spread_uid",
    "orders.state": "status",
    "orders.freight": "pay_postage",
    "orders.placed_at": "add_time",
    "orders.paid_at": "pay_time",
    "orders.pay_ref": "trade_no",
    "order_lines.order_no": "oid",
    "order_lines.price": "cart_info",
    "order_lines.quantity": "cart_info",
    "order_lines.line_no": "oid",
    "refunds.order_no": "order_id",
    "refunds.quantity": "refund_num",
    "refunds.refunded_at": "refund_reason_time",
    "refunds.line_no": "order_id",
    "bill.is_income": "pm",
    "bill.amount": "number",
    "bill.order_ref": "link_id",
    "bill.happened_at": "add_time",
    "bill.note": "mark",
  };
  const fileNames: Record<string, string> = {
    products: "eb_store_product",
    members: "eb_user",
    openids: "eb_wechat_user",
    orders: "eb_store_order",
    order_lines: "eb_store_order_cart_info",
  };
  /** Refunds that no line of an order has. */
  function finish(): FileFinding[] {
    const findings = new Findings();
    for (const refund of [...refunds.values()].flat()) {
      const order = orders.get(refund.orderId);
      const report = (severity: "error" | "warning", column: string, finding: string, value: string) =>
        findings.add({ severity, file: refundFile, line: refund.line, column, finding, value });
      if (!order) report("error", "store_order_id", "is not an id of eb_store_order.csv", refund.orderId);
      else if (order.isLeftOut)
        report(
          "warning",
          "store_order_id",
          "is an order that is imported in its parts: the refund is left out. Enter it in this store",
          refund.orderId,
        );
      else if (!order.isWhole && refund.found !== refund.units)
        report(
          "error",
          "refund_num",
          "is not the number of units that the lines of the order have: export the column cart_info, too",
          String(refund.units),
        );
      else if (!order.isWhole && Number(refund.paidBack) > 0 && inCents(refund.paidBack) !== refund.worth)
        report(
          "warning",
          "refunded_price",
          "is not the price of the refunded units, which are refunded in full here",
          refund.paidBack!,
        );
    }
    return findings.all();
  }

  return {
    name: "crmeb",
    files,
    finish,
    origin({ table, column }) {
      const isBill = table.startsWith("eb_");
      // Units of a line are refunded in the file of the lines.
      const file = isBill
        ? table
        : table === "refunds"
          ? column === "quantity"
            ? "eb_store_order_cart_info"
            : "eb_store_order"
          : (fileNames[table] ?? table);
      return { file: `${file}.csv`, column: columnNames[`${isBill ? "bill" : table}.${column}`] ?? column };
    },
  };
}

import { z } from "@hono/zod-openapi";
import { serveCsv } from "../../_shared/files/serve_csv.ts";
import { serveXlsx } from "../../_shared/files/serve_xlsx.ts";
import { XLSX } from "../../_shared/files/workbook.ts";
import { order } from "../../_shared/resources/orders.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import {
  flag,
  id,
  idPath,
  ids,
  idText,
  integerText,
  listOf,
  paging,
  period,
  text,
  visibleText,
  webAddress,
} from "../../_shared/resources/schemas.ts";
import { serveShippingFile } from "../serve_shipping_file.ts";
import { adminOrder } from "./orders.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const carrier = z
  .strictObject({
    code: z.string().openapi({
      example: "SF",
      description: bilingual(
        "Its id in WeChat's list of carriers, if it is there.",
        "微信物流列表中的代码（列表中有该公司时）。",
      ),
    }),
    name: z.string(),
    name_zh: z.string(),
    tracking_url: z.string().nullable(),
    is_active: z
      .boolean()
      .openapi({ description: bilingual("Whether new parcels can be given to it.", "能否用于新包裹。") }),
  })
  .openapi("Carrier");

const carrierCode = z
  .string()
  .regex(/^[A-Z0-9_]{1,32}$/, "Expected capital letters and digits.")
  .openapi({ example: "SF" });

const trackingUrl = z.union([z.literal(""), webAddress(500)]).openapi({
  type: "string",
  example: "https://example.com/track?number={number}",
  description: bilingual(
    "{number} is where the tracking number belongs. Empty: none.",
    "{number} 为运单号的位置。空：没有查询地址。",
  ),
});

const carrierFields = {
  name: visibleText(64),
  name_zh: visibleText(64),
  tracking_url: trackingUrl.optional(),
  is_active: flag.optional(),
};

const cell = text(0, 200);

/** What `app.tracking_number` in `sql/09_orders/tracking_numbers.sql` takes. */
const TRACKING_NUMBER = bilingual(
  "6 to 40 letters, digits and hyphens, at least four of them digits. A date, a word and a number that a spreadsheet has rounded are none.",
  "6 至 40 个字母、数字和连字符，至少含 4 个数字；日期、文字和被表格软件取整的数字无效。",
);

const shipment = z.strictObject({
  lines: z
    .array(
      z.strictObject({
        line: z
          .int()
          .min(1)
          .max(999_999)
          .openapi({ description: bilingual("Its number in the file.", "该行在文件中的行号。") }),
        order_no: cell,
        carrier: cell.openapi({ description: "Code or name of a carrier of the list." }),
        tracking_no: cell.openapi({ description: TRACKING_NUMBER }),
      }),
    )
    .min(1)
    .max(500),
});

const checkedShipment = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        line: z.int().min(1),
        order_no: z.string().nullable(),
        order_id: id.nullable(),
        carrier: z
          .string()
          .nullable()
          .openapi({
            description: bilingual(
              "The code of the carrier, or the text of the line if it is not in the list.",
              "快递公司的代码；不在列表中的为该行的原文。",
            ),
          }),
        tracking_no: z.string().nullable(),
        result: z.enum(["fits", "unchanged", "rejected"]).openapi({
          description: bilingual(
            "fits: the line gives its order a parcel. unchanged: the order, or a line above, has this parcel already. rejected: it does not fit.",
            "fits：该行可为其订单登记包裹。unchanged：订单或上方的行已有该包裹。rejected：不符合要求。",
          ),
        }),
        problem: z
          .enum([
            "no_order_number",
            "no_tracking_number",
            "tracking_number_invalid",
            "order_repeated",
            "number_repeated",
            "number_of_another_carrier",
            "order_unknown",
            "carrier_unknown",
            "own_order",
            "unpaid",
            "cancelled",
            "received",
            "refunded",
            "shipped_otherwise",
            "number_used",
          ])
          .nullable(),
      }),
    ),
    fits: z.int().min(0),
    unchanged: z.int().min(0),
    rejected: z.int().min(0),
  })
  .openapi("CheckedShipment");

/** Why an order cannot be marked as shipped. */
const deliveryErrors = ["own_account", "order_not_found", "order_state_conflict"] as const;

const delivery = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        id,
        result: z.enum(["shipped", "unchanged", "rejected"]).openapi({
          description: bilingual(
            "shipped: now. unchanged: it was shipped before. rejected: it cannot be shipped.",
            "shipped：本次发货。unchanged：此前已发货。rejected：不能发货。",
          ),
        }),
        problem: z
          .enum(deliveryErrors)
          .nullable()
          .openapi({
            description: bilingual(
              "The code of the error with which it cannot be shipped alone.",
              "单独发货时的错误代码。",
            ),
          }),
      }),
    ),
  })
  .openapi("Delivery");

/** Ids of orders in a query, separated by commas. */
const idsText = z
  .string()
  .regex(/^[1-9]\d{0,14}(,[1-9]\d{0,14}){0,499}$/, "Expected 1 to 500 ids, separated by commas.")
  .transform((value) => value.split(",").map(Number))
  .openapi({ type: "string", example: "120,121" });

const parcelText = {
  carrier: visibleText(64).openapi({ description: "Code or name of a carrier of the list." }),
  tracking_no: visibleText(64).openapi({ example: "SF1234567890123", description: TRACKING_NUMBER }),
};

export const shippingRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/shipping",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual(
      "Orders to ship: paid, not refunded and not shipped, in the sequence of payment",
      "待发货订单：已付款、未退款、未发货，按付款顺序",
    ),
    request: {
      query: paging.extend({
        search: text(1, 64)
          .optional()
          .openapi({ example: "Chen", description: bilingual("As in the list of orders.", "同订单列表。") }),
        uid: idText.optional(),
        product_id: idText.optional(),
        refund_status: integerText(0, 3).optional(),
        from: period.from.openapi({ description: "Paid at or after this time." }),
        to: period.to.openapi({ description: "Paid before this time." }),
      }),
    },
    response: listOf(adminOrder),
    calls: "get_orders_to_ship",
    standby: true,
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/shipping/csv",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Chosen orders as a file for a carrier, as CSV", "将所选订单导出给快递公司，CSV"),
    description: bilingual(
      "UTF-8 with a byte order mark. The titles are in English or Chinese, depending on Accept-Language. Orders that are neither paid nor shipped, or refunded, are left out. The columns of carrier and tracking number are empty: filled in, the file can be imported.",
      "UTF-8，带字节顺序标记。表头按 Accept-Language 为中文或英文。不含未付款或已退款的订单。快递公司与运单号列为空，填写后可导入。",
    ),
    request: { query: z.strictObject({ ids: idsText }) },
    response: z.string().openapi({
      description: bilingual(
        "Order number, recipient, phone, address, goods, remark.",
        "订单号、收件人、电话、地址、商品、备注。",
      ),
    }),
    media: "text/csv",
    calls: "get_shipping_rows",
    handler: serveShippingFile(serveCsv),
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/shipping/xlsx",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual(
      "Chosen orders as a file for a carrier, as an Excel workbook",
      "将所选订单导出给快递公司，Excel 工作簿",
    ),
    description: bilingual(
      "The rows of the CSV file. All cells are text, so that no program rounds an order number.",
      "与 CSV 文件相同的行。所有单元格为文本，避免订单号被舍入。",
    ),
    request: { query: z.strictObject({ ids: idsText }) },
    response: z.string().openapi({ format: "binary" }),
    media: XLSX,
    calls: "get_shipping_rows",
    handler: serveShippingFile(serveXlsx),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/shipping/preview",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Check a file of a carrier", "检查快递公司文件"),
    description: bilingual(
      "Says for each line whether it ships its order, and if not, why. Nothing is saved.",
      "逐行说明能否发货，以及不能的原因。不会保存。",
    ),
    request: { body: shipment },
    response: checkedShipment,
    calls: "preview_shipping",
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/shipping",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Ship the orders of a file of a carrier", "按快递公司文件批量发货"),
    description: bilingual(
      "Every line that fits ships its order with a parcel; the others are rejected with a reason and stop none. An order in several lines gets several parcels; orders of one buyer at one address can share one. Repeating the request changes nothing. If no line fits, it is rejected as a whole.",
      "每个有效行为其订单登记包裹并发货；其余行附原因拒绝，不影响其他行。同一订单的多行各登记一个包裹；同一买家、同一地址的订单可共用一个包裹。重复请求不产生变化。没有有效行时整体拒绝。",
    ),
    request: { body: shipment },
    response: checkedShipment,
    errors: ["order_state_conflict"],
    calls: "ship_orders",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/shipping/deliver",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Mark several orders as shipped, without tracking numbers", "批量标记发货，无运单号"),
    description: bilingual(
      "An order that cannot be shipped is rejected with a reason and stops none. Repeating the request changes nothing. If no order can be shipped, it is rejected as a whole.",
      "无法发货的订单附原因拒绝，不影响其他订单。重复请求不产生变化。全部无法发货时整体拒绝。",
    ),
    request: {
      body: z.strictObject({
        ids,
        carrier: visibleText(64)
          .optional()
          .openapi({
            description: bilingual(
              "Code or name of a carrier, also of one that is not in the list.",
              "快递公司的代码或名称，可不在列表中。",
            ),
          }),
      }),
    },
    response: delivery,
    errors: deliveryErrors,
    calls: "deliver_orders",
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/order/{id}/parcel",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Add a parcel to an order", "为订单新增包裹"),
    description: bilingual(
      "The first parcel of a paid order marks it as shipped. Repeating the request changes nothing.",
      "已付款订单的第一个包裹将其标记为已发货。重复请求不产生变化。",
    ),
    request: { path: idPath, body: z.strictObject(parcelText) },
    status: 201,
    response: order,
    errors: ["own_account", "order_not_found", "order_state_conflict"],
    calls: "add_parcel",
    args: ({ path, body }) => ({ p_order_id: path.id, p_carrier: body.carrier, p_tracking_no: body.tracking_no }),
    afterwards: ({ work }) => work(),
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/parcel/{id}",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Correct the carrier or the tracking number of a parcel", "更正包裹的快递公司或单号"),
    description: bilingual(
      "Until the receipt of its order is confirmed. The action log keeps the earlier values.",
      "订单确认收货前可更正。操作记录保留原值。",
    ),
    request: {
      path: idPath,
      body: z
        .strictObject(parcelText)
        .partial()
        .refine((body) => Object.keys(body).length > 0, "Send at least one field."),
    },
    response: order,
    errors: ["own_account", "parcel_not_found", "order_state_conflict"],
    calls: "set_parcel",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/carrier",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("All carriers, the active ones first", "全部快递公司，启用的在前"),
    response: listOf(carrier),
    calls: "get_carriers",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/carrier",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Add a carrier", "新增快递公司"),
    request: { body: z.strictObject({ code: carrierCode, ...carrierFields }).openapi("NewCarrier") },
    status: 201,
    response: carrier,
    calls: "create_carrier",
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/carrier/{code}",
    auth: "admin",
    tag: "Shipping",
    summary: bilingual("Change the given fields of a carrier", "修改快递公司的指定字段"),
    description: bilingual(
      "A carrier is switched off by is_active and never deleted, because parcels name it. Links to its parcels follow its tracking address.",
      "快递公司通过 is_active 停用，不会删除，因为包裹引用它。包裹链接跟随其查询地址。",
    ),
    request: {
      path: z.strictObject({ code: carrierCode }),
      body: z
        .strictObject(carrierFields)
        .partial()
        .refine((body) => Object.keys(body).length > 0, "Send at least one field.")
        .openapi("CarrierChange"),
    },
    response: carrier,
    errors: ["carrier_not_found"],
    calls: "set_carrier",
  }),
] as const;

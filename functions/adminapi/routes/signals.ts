import { z } from "@hono/zod-openapi";
import { documentType } from "../../_shared/resources/real_names.ts";
import { accountMethod } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText, integerText, money, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const kind = z.enum([
  "retaken_place",
  "shared_order",
  "sign_up_burst",
  "shared_person",
  "shared_account",
  "reserved_stock",
]);

/** The kinds that are found of a member (app.signals_of). */
export const signalsOfMember = z
  .array(kind.extract(["retaken_place", "sign_up_burst", "shared_person", "shared_account"]))
  .openapi({
    description: bilingual(
      "The kinds of signals (GET /adminapi/signal) that concern the member while the withdrawal is open. retaken_place: as the earner, of the last 5,000 places that refunds freed. sign_up_burst: as the referrer, of their last 500 sign-ups.",
      "提现未结束期间与该会员有关的风险预警类型（GET /adminapi/signal）。retaken_place：作为佣金获得者，最近因退款空出的 5,000 个位置。sign_up_burst：作为推荐人，最近 500 名注册会员。",
    ),
  });

const orderOnPlace = z.strictObject({
  order_id: id,
  uid: id.openapi({ description: "The buyer." }),
  nickname: z.string(),
  base: money.openapi({ description: bilingual("The base at the settlement.", "结算时的计佣金额。") }),
  time: time.openapi({
    description: bilingual(
      "When the refund freed the place, or when the order took it.",
      "退款使位置空出的时间，或订单占用位置的时间。",
    ),
  }),
});

const retakenPlace = z
  .strictObject({
    kind: z.literal("retaken_place"),
    uid: id.openapi({ description: bilingual("The earner, whose cycle it is.", "佣金获得者，即该周期所属的会员。") }),
    nickname: z.string(),
    cycle_no: z.int().min(1),
    place: z.int().min(1),
    freed: orderOnPlace.openapi({
      description: bilingual("The order that a refund removed from the place.", "因退款让出该位置的订单。"),
    }),
    taken: orderOnPlace.openapi({
      description: bilingual("The larger order that holds the place now.", "现在占用该位置的更大的订单。"),
    }),
    commission: money.openapi({
      description: bilingual("The commission of the larger order, at its settlement.", "更大的订单结算时的佣金。"),
    }),
  })
  .openapi("RetakenPlace");

const sharedOrder = z
  .strictObject({
    kind: z.literal("shared_order"),
    order_id: id,
    uid: id.openapi({ description: "The buyer." }),
    nickname: z.string(),
    referrer_uid: id,
    referrer_nickname: z.string(),
    same_payer: z.boolean().openapi({
      description: bilingual(
        "The order was paid with a WeChat account with which the referrer has paid or signs in.",
        "订单由推荐人付款或登录所用的微信账号付款。",
      ),
    }),
    same_address: z.boolean().openapi({
      description: bilingual(
        "The order was sent to an address of the referrer. Name and phone number are not compared.",
        "订单寄往推荐人的地址；不比较姓名与电话。",
      ),
    }),
    pay_price: money,
    paid_at: time,
  })
  .openapi("SharedOrder");

const signUpBurst = z
  .strictObject({
    kind: z.literal("sign_up_burst"),
    uid: id.openapi({ description: bilingual("The referrer.", "推荐人。") }),
    nickname: z.string(),
    members: z
      .int()
      .min(20)
      .max(1000)
      .openapi({
        description: bilingual("How many signed up. At most 1,000 are counted.", "注册人数，至多统计 1,000 人。"),
      }),
    begins_at: time,
    ends_at: time,
    last_uid: id.openapi({ description: bilingual("The last member of the burst.", "集中注册中的末位会员。") }),
  })
  .openapi("SignUpBurst");

const sharedFields = {
  members: z.int().min(2).openapi({ description: "How many members there are." }),
  first_members: z
    .array(z.strictObject({ uid: id, nickname: z.string() }))
    .openapi({ description: "The first 20 of them, by uid." }),
  add_time: time.openapi({
    description: bilingual("When the last of them gave or added it.", "最后一位会员提交或添加的时间。"),
  }),
};

const sharedPerson = z
  .strictObject({
    kind: z.literal("shared_person"),
    id: id.openapi({ description: bilingual("The id of the last real name.", "最后一份实名信息的 id。") }),
    document: documentType,
    name: z
      .string()
      .openapi({ description: bilingual("Masked, as the last member gave it.", "最后一位会员提交的姓名，已脱敏。") }),
    number: z.string().openapi({ description: "Masked." }),
    ...sharedFields,
  })
  .openapi("SharedPerson");

const sharedAccount = z
  .strictObject({
    kind: z.literal("shared_account"),
    id: id.openapi({
      description: bilingual("The id of the account of the last member.", "最后一位会员的收款账户 id。"),
    }),
    method: accountMethod,
    account: z.string().openapi({ description: "Masked." }),
    ...sharedFields,
  })
  .openapi("SharedAccount");

const reservedStock = z
  .strictObject({
    kind: z.literal("reserved_stock"),
    product_id: id,
    title: z.string(),
    stock: z
      .int()
      .min(0)
      .openapi({ description: bilingual("The units that are left.", "剩余数量。"), example: 12 }),
    units: z
      .int()
      .min(1)
      .openapi({ description: bilingual("The units that unpaid orders hold.", "未付款订单占用的数量。"), example: 40 }),
    orders: z
      .int()
      .min(1)
      .openapi({ description: bilingual("How many unpaid orders hold them.", "占用库存的未付款订单数。"), example: 5 }),
    members: z.int().min(1).openapi({ description: "How many members there are.", example: 2 }),
    first_members: z
      .array(z.strictObject({ uid: id, nickname: z.string() }))
      .openapi({ description: "The first 20 of them, by uid." }),
    oldest_at: time.openapi({
      description: bilingual("When the oldest of these orders was placed.", "其中最早一笔订单的下单时间。"),
    }),
  })
  .openapi("ReservedStock");

export const signalRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/signal",
    auth: "admin",
    tag: bilingual("Signals", "风险预警"),
    summary: bilingual("What may be abuse, for an administrator to look at", "需管理员查看的疑似违规行为"),
    description: bilingual(
      "Signals never block anything. `retaken_place`: a place of a cycle that a refund freed and that a larger order holds now. " +
        "`shared_order`: a paid order that shares the payer or the delivery address with the buyer's referrer. `sign_up_burst`: at least 20 " +
        "sign-ups in less than an hour under one referrer. `shared_person`: a document that several members gave as their real name. `shared_account`: a payout " +
        "account that several members have. `reserved_stock`: a product of whose stock unpaid orders hold at least `max_unpaid_share`. A page examines at most 500 " +
        "places, orders, members, real names, accounts or products, and can be shorter than limit, " +
        "or empty, while next_cursor is not null.",
      "风险预警不会拦截任何操作。`retaken_place`：退款释放后由更大订单占用的周期位置。`shared_order`：与买家推荐人共用付款人或收货地址的已付款订单。`sign_up_burst`：一小时内同一推荐人名下至少 20 个注册。`shared_person`：多位会员用作实名的同一证件。`shared_account`：多位会员共用的收款账户。`reserved_stock`：未付款订单占用的库存达到 `max_unpaid_share` 的商品。每页至多检查 500 个位置、订单、会员、实名信息或账户，next_cursor 不为 null 时，该页可能少于 limit 或为空。",
    ),
    request: {
      query: z.strictObject({
        kind,
        limit: integerText(1, 100).optional().openapi({ default: 20 }),
        cursor: idText.optional().openapi({ description: "next_cursor of the previous page." }),
      }),
    },
    response: z.strictObject({
      list: z
        .array(z.union([retakenPlace, sharedOrder, signUpBurst, sharedPerson, sharedAccount, reservedStock]))
        .openapi({
          description: bilingual("All of the requested kind, the latest first.", "所请求类型的全部预警，最近的在前。"),
        }),
      next_cursor: id.nullable(),
      examined_to: time.nullable().openapi({
        description: bilingual(
          "The time back to which this and the previous pages have looked. Null after the last page.",
          "本页与此前各页已检查到的时间；最后一页之后为 null。",
        ),
      }),
    }),
    calls: "get_signals",
    standby: true,
  }),
] as const;

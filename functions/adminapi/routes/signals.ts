import { z } from "@hono/zod-openapi";
import { documentType } from "../../_shared/resources/real_names.ts";
import { accountMethod } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, idText, integerText, money, time } from "../../_shared/resources/schemas.ts";

const kind = z.enum(["retaken_place", "shared_order", "sign_up_burst", "shared_person", "shared_account", "reserved_stock"]);

const orderOnPlace = z.strictObject({
  order_id: id,
  uid: id.openapi({ description: "The buyer." }),
  nickname: z.string(),
  base: money.openapi({ description: "The base at the settlement." }),
  time: time.openapi({ description: "When the refund freed the place, or when the order took it." }),
});

const retakenPlace = z
  .strictObject({
    kind: z.literal("retaken_place"),
    uid: id.openapi({ description: "The earner, whose cycle it is." }),
    nickname: z.string(),
    cycle_no: z.int().min(1),
    place: z.int().min(1),
    freed: orderOnPlace.openapi({ description: "The order that a refund removed from the place." }),
    taken: orderOnPlace.openapi({ description: "The larger order that holds the place now." }),
    commission: money.openapi({ description: "The commission of the larger order, at its settlement." }),
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
    same_payer: z
      .boolean()
      .openapi({ description: "The order was paid with a WeChat account with which the referrer has paid or signs in." }),
    same_address: z
      .boolean()
      .openapi({ description: "The order was sent to an address of the referrer. Name and phone number are not compared." }),
    pay_price: money,
    paid_at: time,
  })
  .openapi("SharedOrder");

const signUpBurst = z
  .strictObject({
    kind: z.literal("sign_up_burst"),
    uid: id.openapi({ description: "The referrer." }),
    nickname: z.string(),
    members: z.int().min(20).max(1000).openapi({ description: "How many signed up. At most 1,000 are counted." }),
    begins_at: time,
    ends_at: time,
    last_uid: id.openapi({ description: "The last member of the burst." }),
  })
  .openapi("SignUpBurst");

const sharedFields = {
  members: z.int().min(2).openapi({ description: "How many members there are." }),
  first_members: z.array(z.strictObject({ uid: id, nickname: z.string() })).openapi({ description: "The first 20 of them, by uid." }),
  add_time: time.openapi({ description: "When the last of them gave or added it." }),
};

const sharedPerson = z
  .strictObject({
    kind: z.literal("shared_person"),
    id: id.openapi({ description: "The id of the last real name." }),
    document: documentType,
    name: z.string().openapi({ description: "Masked, as the last member gave it." }),
    number: z.string().openapi({ description: "Masked." }),
    ...sharedFields,
  })
  .openapi("SharedPerson");

const sharedAccount = z
  .strictObject({
    kind: z.literal("shared_account"),
    id: id.openapi({ description: "The id of the account of the last member." }),
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
    stock: z.int().min(0).openapi({ description: "The units that are left.", example: 12 }),
    units: z.int().min(1).openapi({ description: "The units that unpaid orders hold.", example: 40 }),
    orders: z.int().min(1).openapi({ description: "How many unpaid orders hold them.", example: 5 }),
    members: z.int().min(1).openapi({ description: "How many members there are.", example: 2 }),
    first_members: z.array(z.strictObject({ uid: id, nickname: z.string() })).openapi({ description: "The first 20 of them, by uid." }),
    oldest_at: time.openapi({ description: "When the oldest of these orders was placed." }),
  })
  .openapi("ReservedStock");

export const signalRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/signal",
    auth: "admin",
    tag: "Signals",
    summary: "What may be abuse, for an administrator to look at",
    description:
      "Signals never block anything. `retaken_place`: a place of a cycle that a refund freed and that a larger order holds now. " +
      "`shared_order`: a paid order that shares the payer or the delivery address with the buyer's referrer. `sign_up_burst`: at least 20 " +
      "sign-ups in less than an hour under one referrer. `shared_person`: a document that several members gave as their real name. `shared_account`: a payout " +
      "account that several members have. `reserved_stock`: a product of whose stock unpaid orders hold at least `max_unpaid_share`. A page examines at most 500 " +
      "places, orders, members, real names, accounts or products, and can be shorter than limit, " +
      "or empty, while next_cursor is not null.",
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
        .openapi({ description: "All of the requested kind, the latest first." }),
      next_cursor: id.nullable(),
      examined_to: time
        .nullable()
        .openapi({ description: "The time back to which this and the previous pages have looked. Null after the last page." }),
    }),
    calls: "get_signals",
    standby: true,
  }),
] as const;

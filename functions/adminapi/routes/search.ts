import { z } from "@hono/zod-openapi";
import { billSource, billType } from "../../_shared/resources/bill.ts";
import { orderState, shownOrderState } from "../../_shared/resources/orders.ts";
import { firstImage } from "../../_shared/resources/products.ts";
import { accountMethod, withdrawalState } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, leftAt, money, text, time } from "../../_shared/resources/schemas.ts";

const member = { uid: id, nickname: z.string() };

const found = z
  .strictObject({
    members: z.array(z.strictObject({ ...member, agent_level_name: z.string(), left_at: leftAt })),
    orders: z.array(
      z.strictObject({ id, order_no: z.string(), state: orderState, shown_state: shownOrderState, pay_price: money, ...member }),
    ),
    withdrawals: z.array(z.strictObject({ id, withdrawal_no: z.string(), state: withdrawalState, amount: money, ...member })),
    batches: z.array(z.strictObject({ id, batch_no: z.string(), method: accountMethod, amount: money })),
    bill_rows: z.array(z.strictObject({ id, type: billType, source: billSource, add_time: time, ...member })),
    products: z.array(z.strictObject({ id, title: z.string(), image: firstImage, is_show: z.boolean() })),
  })
  .openapi("Found", { description: "At most five of each kind. Without the area records, products only." });

export const searchRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/search",
    auth: "admin",
    tag: "Search",
    summary: "Members, orders, withdrawals, batches, bill rows and products that a text may mean",
    description: "Texts have no wildcards. Phone numbers and email addresses are not found here, but by POST /adminapi/search/contact.",
    request: {
      query: z.strictObject({
        text: text(1, 64).openapi({
          example: "Chen",
          description:
            "A uid or the beginning of a nickname (two characters or more); the id, the tracking number or the last four or more characters of the number of an order; the number or id of a withdrawal or a batch; the id of a bill row; a part of the name of a product (two characters or more). Case is ignored.",
        }),
      }),
    },
    response: found,
    calls: "search",
    standby: true,
  }),
  defineRoute({
    method: "post",
    path: "/adminapi/search/contact",
    auth: "admin",
    tag: "Search",
    summary: "Find the member with a phone number or an email address",
    description:
      "The action log records who looked and whom they found, but not the number or address. It is in the body, so that no log of a network has it.",
    request: {
      body: z.strictObject({
        contact: text(3, 254).openapi({ example: "chen@example.com", description: "The whole phone number or email address." }),
      }),
    },
    response: z.strictObject({
      uid: id.nullable().openapi({ description: "Null if no member has this phone number or email address." }),
      nickname: z.string().nullable(),
    }),
    calls: "find_contact",
  }),
] as const;

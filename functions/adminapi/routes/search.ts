import { z } from "@hono/zod-openapi";
import { billSource, billType } from "../../_shared/resources/bill.ts";
import { orderState, shownOrderState } from "../../_shared/resources/orders.ts";
import { firstImage } from "../../_shared/resources/products.ts";
import { accountMethod, withdrawalState } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { id, leftAt, money, text, time } from "../../_shared/resources/schemas.ts";
import { bilingual } from "../../_shared/words/bilingual.ts";

const member = { uid: id, nickname: z.string() };

const found = z
  .strictObject({
    members: z.array(z.strictObject({ ...member, agent_level_name: z.string(), left_at: leftAt })),
    orders: z.array(
      z.strictObject({
        id,
        order_no: z.string(),
        state: orderState,
        shown_state: shownOrderState,
        pay_price: money,
        ...member,
      }),
    ),
    withdrawals: z.array(
      z.strictObject({ id, withdrawal_no: z.string(), state: withdrawalState, amount: money, ...member }),
    ),
    batches: z.array(z.strictObject({ id, batch_no: z.string(), method: accountMethod, amount: money })),
    bill_rows: z.array(z.strictObject({ id, type: billType, source: billSource, add_time: time, ...member })),
    products: z.array(z.strictObject({ id, title: z.string(), image: firstImage, is_show: z.boolean() })),
  })
  .openapi("Found", {
    description: bilingual(
      "At most five of each kind. Without the area records, products only.",
      "每类至多五项；没有权限范围 records 时只有商品。",
    ),
  });

export const searchRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/search",
    auth: "admin",
    tag: "Search",
    summary: bilingual(
      "Members, orders, withdrawals, batches, bill rows and products that a text may mean",
      "与文字匹配的会员、订单、提现、批次、账单行与商品",
    ),
    description: bilingual(
      "Texts have no wildcards. Phone numbers and email addresses are not found here, but by POST /adminapi/search/contact.",
      "不支持通配符。手机号与邮箱不在此查找，请用 POST /adminapi/search/contact。",
    ),
    request: {
      query: z.strictObject({
        text: text(1, 64).openapi({
          example: "Chen",
          description: bilingual(
            "A uid or the beginning of a nickname (two characters or more); the id, the tracking number or the last four or more characters of the number of an order; the number or id of a withdrawal or a batch; the id of a bill row; a part of the name of a product (two characters or more). Case is ignored.",
            "uid 或昵称开头（至少两个字符）；订单的 id、运单号或订单号末四位及以上；提现或批次的编号或 id；账单记录的 id；商品名称的一部分（至少两个字符）。不区分大小写。",
          ),
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
    summary: bilingual("Find the member with a phone number or an email address", "按手机号或邮箱查找会员"),
    description: bilingual(
      "The action log records who looked and whom they found, but not the number or address. It is in the body, so that no log of a network has it.",
      "操作记录包含查找人及查到的会员，不含号码或邮箱。查询内容放在请求体中，不会留在网络日志里。",
    ),
    request: {
      body: z.strictObject({
        contact: text(3, 254).openapi({
          example: "chen@example.com",
          description: bilingual("The whole phone number or email address.", "完整的手机号或邮箱地址。"),
        }),
      }),
    },
    response: z.strictObject({
      uid: id.nullable().openapi({
        description: bilingual(
          "Null if no member has this phone number or email address.",
          "没有会员使用该手机号或邮箱地址时为 null。",
        ),
      }),
      nickname: z.string().nullable(),
    }),
    calls: "find_contact",
  }),
] as const;

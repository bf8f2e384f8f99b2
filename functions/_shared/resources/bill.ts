import { z } from "@hono/zod-openapi";
import { id, money, points, time } from "./schemas.ts";
import { taxSums } from "./tax.ts";
import { VALUE_LISTS } from "../ground/value_lists.ts";
import { bilingual } from "../words/bilingual.ts";

/** Types of bill rows. */
export const billType = z.enum(VALUE_LISTS["user_bill.type"]);

/** Sources of bill rows: why a balance changed. */
export const billSource = z.enum(VALUE_LISTS["user_bill.source"]);

const billFields = z.strictObject({
  id,
  uid: id,
  type: billType,
  source: billSource,
  brokerage: money,
  frozen_points: points,
  available_points: points,
  brokerage_after: money,
  frozen_points_after: points,
  available_points_after: points,
  order_id: id.nullable(),
  basis: z
    .number()
    .nullable()
    .openapi({
      description: bilingual(
        "The amount that the rate was applied to. Null for rows that are not computed from a rate.",
        "实际比例所乘的金额；不按比例计算的行为 null。",
      ),
    }),
  rate: z.number().nullable(),
  agent_level: z
    .int()
    .nullable()
    .openapi({ description: "The member's grade before any rise that this order caused." }),
  passed_on: points.nullable().openapi({
    description: bilingual(
      "For umbrella points: the highest umbrella points per unit of the levels between the member and the buyer.",
      "级差积分：该会员与买家之间各等级中最高的每件级差积分。",
    ),
  }),
  reverses_id: id.nullable(),
  withdrawal_id: id.nullable().openapi({
    description: bilingual("The withdrawal that took the money or gave it back.", "扣除或退回该金额的提现。"),
  }),
  adjustment_id: id
    .nullable()
    .openapi({ description: bilingual("The adjustment that changed the balances.", "使余额变动的调账。") }),
  add_time: time,
});

/** A row of the bill: three changes, the balances after them, and how the amount was computed. */
export const billRow = billFields.openapi("BillRow");

/** The same as administrators see it. */
export const adminBillRow = billFields
  .extend({
    nickname: z.string(),
    reversed_by: z.array(id).openapi({
      description: bilingual("The rows that reverse this one, in whole or in part.", "全部或部分冲回此行的行。"),
    }),
  })
  .openapi("AdminBillRow");

const balances = z
  .strictObject({ brokerage_price: money, frozen_points: points, available_points: points })
  .openapi("StatementBalances");

/** A month as YYYY-MM. */
export const month = z
  .string()
  .regex(/^2\d{3}-(0[1-9]|1[0-2])$/, "Expected a month such as 2026-10.")
  .openapi({ example: "2026-10" });

/** The sums of the bill rows of one type and source. */
export const billSum = z
  .strictObject({
    type: billType,
    source: billSource,
    rows: z.int().min(1),
    brokerage: money,
    frozen_points: points,
    available_points: points,
  })
  .openapi("BillSum");

const bytes = (count: number) => z.string().regex(new RegExp(`^[0-9a-f]{${2 * count}}$`));

/** The seal of a closed month (docs/seals.md). */
export const seal = z
  .strictObject({
    month,
    rows: z.int().min(0),
    root: bytes(32).openapi({
      description: bilingual("The root of the hash tree over the bill rows of the month.", "该月账单哈希树的根值。"),
    }),
    previous: bytes(32)
      .nullable()
      .openapi({
        description: bilingual(
          "The root of the month before; null in the first seal.",
          "上月根值；首个封存月份为 null。",
        ),
      }),
    key: bytes(32).openapi({
      description: bilingual("The Ed25519 public key that verifies the signature.", "验证签名的 Ed25519 公钥。"),
    }),
    signature: bytes(64),
    former_signature: bytes(64)
      .nullable()
      .openapi({
        description: bilingual(
          "The signature of the key of the month before, which vouches for a new key.",
          "以上月密钥所作的签名，为新密钥作保。",
        ),
      }),
    sealed_at: time,
  })
  .openapi("Seal");

/** What proves that the rows of a statement are in the seal of the month. */
export const statementProof = z
  .strictObject({
    uid: id,
    seal,
    rows: z.array(
      z.strictObject({
        place: z
          .int()
          .min(0)
          .openapi({
            description: bilingual("The place of the row in the month, from 0.", "该行在当月的序号，从 0 起。"),
          }),
        salt: bytes(32),
        text: z.string().openapi({ example: "bill-1|2026-10-03T02:00:00.000000Z|812|10007|brokerage|cycle|720.00|…" }),
        path: z.array(bytes(32)).openapi({
          description: bilingual(
            "The hashes with which the leaf gives the root, from the leaf on (RFC 6962).",
            "从叶子起逐层计算出根值所用的哈希（RFC 6962）。",
          ),
        }),
      }),
    ),
  })
  .openapi("StatementProof");

/** A month of a member's bill. The opening balances and the sums give the closing balances. */
export const statement = z
  .strictObject({
    month: month.openapi({ description: "A calendar month in the store's time zone." }),
    from: time,
    to: time.openapi({ description: bilingual("The beginning of the next month.", "下月的开始时间。") }),
    opening: balances,
    sums: z.array(billSum),
    closing: balances,
    months: z.array(month).openapi({ description: "The months in which the member has bill rows, the newest first." }),
    tax: taxSums.openapi({
      description: bilingual(
        "The tax of the payouts of the month. The bill falls by their gross amounts and has no row of it.",
        "当月提现的个税。账单按提现总额扣减，没有个税的行。",
      ),
    }),
    seal: z.union([seal, z.null()]).openapi({ description: "Null if the month is not sealed." }),
  })
  .openapi("Statement");

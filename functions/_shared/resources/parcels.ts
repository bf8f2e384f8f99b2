import { z } from "@hono/zod-openapi";
import { id, time } from "./schemas.ts";
import { bilingual } from "../words/bilingual.ts";

/** The fields of a parcel, for schemas that extend it. */
export const parcelFields = z.strictObject({
  id,
  carrier: z
    .string()
    .nullable()
    .openapi({
      description: bilingual("The name of the carrier when the parcel was recorded.", "录入包裹时快递公司的名称。"),
    }),
  carrier_code: z
    .string()
    .nullable()
    .openapi({
      example: "SF",
      description: bilingual(
        "Its code in the list of carriers. Null if the list does not have it.",
        "快递公司在列表中的代码；列表中没有时为 null。",
      ),
    }),
  carrier_name: z
    .string()
    .nullable()
    .openapi({ description: bilingual("Its English name in the list.", "列表中的英文名称。") }),
  carrier_name_zh: z
    .string()
    .nullable()
    .openapi({ description: bilingual("Its Chinese name in the list.", "列表中的中文名称。") }),
  tracking_no: z.string().nullable(),
  tracking_url: z
    .string()
    .nullable()
    .openapi({
      description: bilingual(
        "The page of the carrier about the parcel. Null if it is not known.",
        "快递公司查询该包裹的网页；未知时为 null。",
      ),
    }),
  shipped_at: time,
});

/** A parcel as members see it. */
export const parcel = parcelFields.openapi("Parcel");

import { z } from "@hono/zod-openapi";
import { id, time } from "./schemas.ts";

/** The fields of a parcel, for schemas that extend it. */
export const parcelFields = z.strictObject({
  id,
  carrier: z.string().nullable().openapi({ description: "The name of the carrier when the parcel was recorded." }),
  carrier_code: z
    .string()
    .nullable()
    .openapi({ example: "SF", description: "Its code in the list of carriers. Null if the list does not have it." }),
  carrier_name: z.string().nullable().openapi({ description: "Its English name in the list." }),
  carrier_name_zh: z.string().nullable().openapi({ description: "Its Chinese name in the list." }),
  tracking_no: z.string().nullable(),
  tracking_url: z.string().nullable().openapi({ description: "The page of the carrier about the parcel. Null if it is not known." }),
  shipped_at: time,
});

/** A parcel as members see it. */
export const parcel = parcelFields.openapi("Parcel");

import type { Admin } from "../../../../client/index.ts";
import schemas from "./setting_fields.json";

export type SettingName = Exclude<keyof Admin["Settings"], "updated_at">;

/** What the route that changes the settings takes of one of them. */
interface Schema {
  type?: string;
  anyOf?: object[];
  minimum?: number;
  maximum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  /** Bounds of an amount, which is a text. */
  "x-minimum"?: string;
  "x-maximum"?: string;
}
export const schemaOf: Record<SettingName, Schema> = schemas;

/** The settings in the order of the page. */
export const groups = {
  store: [
    "site_name",
    "logo",
    "colour",
    "poster_design",
    "contact_phone",
    "contact_wechat",
    "contact_hours",
    "time_zone",
    "h5_share_url",
    "avatar_origins",
    "refused_words",
    "person_request_days",
  ],
  orders: [
    "max_unpaid_orders",
    "max_unpaid_units",
    "max_unpaid_share",
    "first_order_minutes",
    "payment_minutes",
    "payment_query_minutes",
    "order_expiry_minutes",
    "offline_payment",
    "offline_payment_days",
    "receipt_days",
    "refund_window_days",
    "return_address",
  ],
  points: ["points_rate", "points_max_share"],
  withdrawals: [
    "withdrawal_methods",
    "withdrawal_minimum",
    "withdrawal_maximum",
    "withdrawal_fee_rate",
    "transfer_minimum",
    "transfer_maximum",
    "transfer_name_from",
    "tax_method",
    "tax_from",
    "real_name_from",
    "real_name_check",
  ],
  two_people: ["adjustment_limit_money", "adjustment_limit_points", "offline_payment_limit", "withdrawal_limit"],
  second_factor: ["second_factor_areas"],
  quotas: ["orders_per_hour", "cancellations_per_hour", "keys_per_hour", "profile_changes_per_hour", "posters_per_hour"],
  network: ["network_people", "network_depth"],
  operation: ["settlement_slots", "night_sessions"],
  reading: ["assistants", "analyst_minutes"],
} as const satisfies Record<string, readonly SettingName[]>;

/** What kind of input a setting has, where its schema does not say. */
const kinds = {
  logo: "picture",
  h5_share_url: "address",
  colour: "colour",
  poster_design: "design",
  time_zone: "zone",
  return_address: "postal",
  avatar_origins: "origins",
  refused_words: "words",
  payment_query_minutes: "minutes",
  offline_payment: "switch",
  assistants: "switch",
  points_max_share: "percent",
  withdrawal_methods: "methods",
  second_factor_areas: "areas",
  withdrawal_maximum: "amount",
  transfer_maximum: "amount",
  tax_method: "tax",
  tax_from: "day",
  real_name_check: "check",
} as const;

type Kind = (typeof kinds)[keyof typeof kinds] | "text" | "integer" | "number";

export function kindOf(name: SettingName): Kind {
  const { type, ...schema } = schemaOf[name];
  if (name in kinds) return kinds[name as keyof typeof kinds];
  if (type === "integer" || type === "number") return type;
  return "x-minimum" in schema ? "amount" : "text";
}

/** Those that may be empty: no logo, no limit. */
export const optional: readonly SettingName[] = [
  "logo",
  "contact_phone",
  "contact_wechat",
  "contact_hours",
  "withdrawal_maximum",
  "transfer_maximum",
  "tax_from",
  "real_name_from",
  "payment_query_minutes",
  "return_address",
];

/** How tax can be withheld of payouts. */
export const taxMethods: readonly Admin["Settings"]["tax_method"][] = ["none", "cumulative", "per_month", "per_payment"];

/** Who can check a real name. */
export const realNameChecks: readonly Admin["Settings"]["real_name_check"][] = ["none", "administrator", "provider"];

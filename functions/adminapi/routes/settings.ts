import { z } from "@hono/zod-openapi";
import { actor } from "../../_shared/resources/actions.ts";
import { address } from "../../_shared/resources/addresses.ts";
import { area } from "../../_shared/resources/administrators.ts";
import { posterDesign } from "../../_shared/resources/products.ts";
import { realNameCheck } from "../../_shared/resources/real_names.ts";
import { taxMethod } from "../../_shared/resources/tax.ts";
import { withdrawalMethod } from "../../_shared/resources/withdrawals.ts";
import { defineRoute } from "../../_shared/routes/route.ts";
import { day, flag, money, moneyText, orNull, points, text, time, visibleText, webAddress } from "../../_shared/resources/schemas.ts";

const settingsFields = {
  time_zone: z.string().openapi({ description: "Time zone of business days and of the schedule.", example: "Asia/Shanghai" }),
  site_name: z.string(),
  h5_share_url: z.string().openapi({ description: "The page that a share link opens, without a fragment; `?spread=<uid>` is appended." }),
  max_unpaid_orders: z.int().openapi({ description: "The highest number of unpaid orders per member." }),
  max_unpaid_units: z
    .int()
    .openapi({ description: "How many units of goods with a limited stock the unpaid orders of a member can hold." }),
  max_unpaid_share: z.number().openapi({
    description: "Which share of the stock of a product the unpaid orders of a member can hold, but never less than one unit.",
    example: 0.1,
  }),
  first_order_minutes: z.int().openapi({
    description: "Minutes until an unpaid order that holds units of a limited stock expires, if its buyer has never paid an order.",
  }),
  orders_per_hour: z.int().openapi({ description: "The highest number of orders that a member can place within an hour." }),
  cancellations_per_hour: z
    .int()
    .openapi({ description: "The highest number of orders and withdrawals that a member can cancel within an hour." }),
  keys_per_hour: z
    .int()
    .openapi({ description: "The highest number of requests with a new Idempotency-Key that a member can send within an hour." }),
  profile_changes_per_hour: z.int().openapi({ description: "How often a member can change nickname and picture within an hour." }),
  posters_per_hour: z.int().openapi({ description: "How often the posters of a member are drawn within an hour." }),
  payment_minutes: z.int().openapi({ description: "Minutes within which a payment that was started at a provider must be completed." }),
  payment_query_minutes: z.array(z.int()).openapi({
    description: "Minutes after the start of a payment at which the provider is asked for it, if nothing was heard of it until then.",
    example: [1, 5, 10],
  }),
  order_expiry_minutes: z.int().openapi({
    description:
      "Minutes until an unpaid order expires: from the end of its last payment, or, without any payment and if members cannot pay offline, from its creation.",
  }),
  offline_payment: z.boolean().openapi({ description: "Whether members can pay offline." }),
  offline_payment_days: z.int().openapi({ description: "Days until an order without any payment expires, if members can pay offline." }),
  receipt_days: z.int().openapi({ description: "Days from the shipment until the receipt of an order is confirmed automatically." }),
  refund_window_days: z.int().openapi({
    description: "Days from its receipt in which an order is refunded as a matter of course.",
  }),
  contact_phone: z.string().nullable().openapi({ description: "The phone number at which members reach the store." }),
  contact_wechat: z.string().nullable().openapi({ description: "The WeChat ID at which members reach the store." }),
  contact_hours: z
    .string()
    .nullable()
    .openapi({ description: "When members reach the store, as they read it.", example: "Mon to Fri, 9:00 to 18:00" }),
  return_address: orNull(address).openapi({ description: "Where buyers send goods that they return. Null: the store asks for none." }),
  settlement_slots: z.int().openapi({
    description: "How many requests that have paid settle waiting orders at the same time; 0: only the scheduled job settles.",
  }),
  night_sessions: z.int().openapi({
    description:
      "In how many sessions points are released and the reconciliation runs each night, each a range of the members or orders. What has begun goes on as it is.",
  }),
  points_rate: points.openapi({ description: "The points that pay 1.00 at checkout.", example: 1 }),
  points_max_share: z.number().openapi({
    description: "The greatest share of the price of the goods that points can pay, without queue goods and freight; 0: none.",
    example: 0.5,
  }),
  adjustment_limit_money: money.openapi({
    description: "How much commission one administrator alone can adjust on one business day, summed without signs.",
  }),
  adjustment_limit_points: points.openapi({ description: "The same for points; of an adjustment, the greater number of points counts." }),
  offline_payment_limit: money.openapi({
    description: "Orders of how much money one administrator alone can mark as paid offline on one business day.",
  }),
  withdrawal_limit: money.openapi({
    description: "Withdrawals of how much money one administrator alone can approve on one business day.",
  }),
  withdrawal_minimum: money.openapi({ description: "The smallest amount that a member can withdraw at once." }),
  withdrawal_maximum: money.nullable().openapi({ description: "The largest amount; null: no limit." }),
  withdrawal_fee_rate: z.number().min(0).max(1).openapi({ description: "The share of a withdrawal that the store keeps." }),
  withdrawal_methods: z.array(withdrawalMethod).openapi({ description: "How members can withdraw; empty: not at all." }),
  tax_method: taxMethod.openapi({
    description:
      "How income tax is withheld of payouts; none: not at all. The store computes by this setting; what applies is the decision of its owner.",
  }),
  tax_from: day.nullable().openapi({ description: "The first business day on which tax is withheld; null: every day." }),
  real_name_from: money.nullable().openapi({
    description: "From this amount on, a withdrawal needs the real name of the member; null: none does, and no real name is taken.",
  }),
  real_name_check: realNameCheck.openapi({ description: "Who must have checked a real name before it suffices." }),
  transfer_minimum: money.openapi({ description: "The smallest amount that WeChat transfers at once: a withdrawal less its fee." }),
  transfer_maximum: money
    .nullable()
    .openapi({ description: "The largest amount that WeChat transfers at once; null: no limit but that of withdrawals." }),
  transfer_name_from: money.openapi({ description: "From this amount on, WeChat needs the name of the member." }),
  poster_design: posterDesign,
  logo: z.string().nullable().openapi({ description: "The address of a picture." }),
  colour: z.string().openapi({ description: "The main colour of the pages for members.", example: "#c8102e" }),
  avatar_origins: z.array(z.string()).openapi({
    description: "Origins of which members can have a picture, besides the project and the share page.",
    example: ["https://thirdwx.qlogo.cn"],
  }),
  refused_words: z.array(z.string()).openapi({
    description:
      "Words that members cannot use in nicknames, refund reasons and remarks, in the form in which they are compared: lower case, no blanks, half width.",
  }),
  second_factor_areas: z.array(area).openapi({
    description: "Areas of which every call needs a second factor (`aal2`). As soon as one does, so does the area administrators.",
    example: ["money", "system"],
  }),
  network_people: z.int().openapi({
    description: "From how many members below, with members at network_depth, a member is listed by the page about the network.",
  }),
  network_depth: z
    .int()
    .openapi({ description: "The depth from which the page, the plan editor and the check state how deep the store is and pays." }),
  person_request_days: z.int().openapi({ description: "Days within which a request of a person is to be answered." }),
  assistants: z.boolean().openapi({ description: "Whether assistants (language models) may read by the function mcp." }),
  analyst_minutes: z.int().openapi({ description: "After how many minutes a query of an analyst is ended." }),
};

const settings = z.strictObject({ ...settingsFields, updated_at: time }).openapi("Settings");

const settingsHistory = z
  .strictObject({
    presets: z.strictObject(settingsFields).openapi({ description: "The settings of a new store." }),
    changes: z.record(z.string(), z.strictObject({ at: time, by: actor })).openapi({
      description: "When, and by whom, each setting was changed last, by its name. Settings that nobody has changed are absent.",
    }),
  })
  .openapi("SettingsHistory");

const quota = z.int().min(1).max(100_000);

/** An amount whose bounds the database checks. The console shows them. */
const amount = (minimum: string, maximum: string) => moneyText.openapi({ "x-minimum": minimum, "x-maximum": maximum }).optional();

export const settingsRoutes = [
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "The settings of the store",
    response: settings,
    calls: "get_settings",
  }),
  defineRoute({
    method: "get",
    path: "/adminapi/system/settings/history",
    auth: "admin",
    tag: "System",
    summary: "The settings of a new store, and who changed each setting last",
    response: settingsHistory,
    calls: "get_settings_history",
    standby: true,
  }),
  defineRoute({
    method: "put",
    path: "/adminapi/system/settings",
    auth: "admin",
    tag: "System",
    summary: "Change the given settings of the store",
    request: {
      body: z
        .strictObject({
          time_zone: text(1, 64).optional(),
          site_name: visibleText(100).optional(),
          h5_share_url: webAddress(500).optional(),
          max_unpaid_orders: z.int().min(1).max(1000).optional(),
          max_unpaid_units: z.int().min(1).max(1_000_000).optional(),
          max_unpaid_share: z.number().min(0).max(1).optional().openapi({ description: "At most five decimals." }),
          first_order_minutes: z.int().min(5).max(129_600).optional(),
          orders_per_hour: quota.optional(),
          cancellations_per_hour: quota.optional(),
          keys_per_hour: quota.optional(),
          profile_changes_per_hour: quota.optional(),
          posters_per_hour: quota.optional(),
          payment_minutes: z.int().min(5).max(1440).optional(),
          payment_query_minutes: z
            .array(z.int().min(1).max(1440))
            .max(10)
            .optional()
            .openapi({ description: "Empty: the provider is only asked when the payment expires." }),
          order_expiry_minutes: z.int().min(5).max(10080).optional(),
          offline_payment: flag.optional(),
          offline_payment_days: z.int().min(1).max(90).optional(),
          receipt_days: z.int().min(1).max(90).optional(),
          refund_window_days: z.int().min(0).max(3650).optional(),
          return_address: z
            .union([address, z.strictObject({})])
            .optional()
            .openapi({ description: "An empty object removes it." }),
          contact_phone: z
            .union([address.shape.phone, z.literal("")])
            .optional()
            .openapi({ description: "An empty one removes it, as those of the next two." }),
          contact_wechat: z.union([visibleText(64), z.literal("")]).optional(),
          contact_hours: z.union([visibleText(100), z.literal("")]).optional(),
          settlement_slots: z.int().min(0).max(16).optional(),
          night_sessions: z.int().min(1).max(8).optional(),
          points_rate: z.number().min(0.01).max(999_999.99).optional().openapi({ description: "At most two decimals." }),
          points_max_share: z.number().min(0).lt(1).optional().openapi({ description: "At most five decimals." }),
          adjustment_limit_money: amount("0.00", "100000000.00"),
          adjustment_limit_points: z.number().min(0).max(100_000_000).optional(),
          offline_payment_limit: amount("0.00", "100000000.00"),
          withdrawal_limit: amount("0.00", "100000000.00"),
          withdrawal_minimum: amount("0.01", "1000000.00"),
          withdrawal_maximum: moneyText.optional().openapi({ description: "0 removes the limit." }),
          withdrawal_fee_rate: z.number().min(0).lt(1).optional(),
          withdrawal_methods: z.array(withdrawalMethod).max(3).optional(),
          tax_method: taxMethod.optional(),
          tax_from: z
            .union([day, z.literal("")])
            .optional()
            .openapi({ description: "An empty one removes it." }),
          real_name_from: amount("0.00", "1000000.00").openapi({ description: "0 switches real names off." }),
          real_name_check: realNameCheck.optional(),
          transfer_minimum: amount("0.01", "1000000.00"),
          transfer_maximum: moneyText.optional().openapi({ description: "0 removes the limit." }),
          transfer_name_from: amount("0.30", "2000.00"),
          poster_design: posterDesign.optional(),
          logo: z
            .union([webAddress(1000), z.literal("")])
            .optional()
            .openapi({ description: "An empty one removes it." }),
          colour: z
            .string()
            .regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as "#c8102e".')
            .optional()
            .openapi({ example: "#c8102e" }),
          avatar_origins: z
            .array(text(1, 200))
            .max(20)
            .optional()
            .openapi({
              description: "https origins without a path. Pictures of other origins are hidden.",
              example: ["https://thirdwx.qlogo.cn"],
            }),
          refused_words: z
            .array(visibleText(50))
            .max(500)
            .optional()
            .openapi({ description: "Case, width and blanks do not matter. Texts from before stay." }),
          second_factor_areas: z
            .array(area)
            .max(area.options.length)
            .optional()
            .openapi({ description: "Who changes them has a second factor themselves, and proved it or signed in within 15 minutes." }),
          network_people: z.int().min(1).max(1_000_000).optional(),
          network_depth: z.int().min(1).max(1000).optional(),
          person_request_days: z.int().min(1).max(90).optional(),
          assistants: flag.optional(),
          analyst_minutes: z.int().min(1).max(120).optional(),
        })
        .refine((body) => Object.keys(body).length > 0, "Send at least one setting."),
    },
    response: settings,
    errors: ["recent_sign_in_needed"],
    calls: "set_settings",
  }),
] as const;

import { DECLARED_SETTINGS } from "../../../../../functions/_shared/resources/declared_settings.ts";
import type { SettingTexts } from "../../pages/settings/settings_table.ts";

/** The settings of the store, and the versions of its parts. */
export const settings = {
  title: "Settings",
  sections: {
    store: "Store",
    orders: "Orders and payments",
    points: "Points at checkout",
    withdrawals: "Withdrawals",
    two_people: "What one administrator decides alone",
    second_factor: "What needs a second factor",
    quotas: "What a member can do in an hour",
    network: "Network shape",
    operation: "Operation",
    reading: "Reading from outside",
  },
  postal: {
    name: "Recipient",
    phone: "Phone",
    region: "Region, from the largest area to the smallest",
    street: "Street and house number",
    wrong: "Enter all four fields of the address, or none.",
  },
  choices: {
    second_factor_areas: {
      records: "All reading of members, orders and money",
      content: "Products and articles",
      orders: "Shipments",
      refunds: "Refunds",
      members: "Members: levels and no-assess flags",
      money: "Money: payments, withdrawals, adjustments, exports",
      plan: "Commission plan and levels",
      system: "Settings and schedule",
      administrators: "Administrators (always, as soon as anything is chosen)",
      keys: "Machine keys: seeing and revoking them (making them always needs it)",
    },
    tax_method: {
      none: "None: no tax is withheld",
      cumulative: "Cumulative: consecutive months of a year together (announcement 16 of 2025)",
      per_month: "By month: the payouts of a month together (20 / 30 / 40 %)",
      per_payment: "By payment: each payout alone (20 / 30 / 40 %)",
    },
    real_name_check: {
      none: "Nobody: a real name of the right form suffices",
      administrator: "An administrator of the area money",
      provider: "A provider, whom the worker asks",
    },
    poster_design: { warm: "Warm red", light: "Light green", dark: "Dark gold" },
  },
  /** What each setting is called, and what it does. */
  fields: Object.fromEntries(
    DECLARED_SETTINGS.map(({ name, title, hint }) => [name, { label: title, hint: hint }]),
  ) as SettingTexts,
  separated: "Separated by commas, such as 1, 5, 10.",
  removable: "Leave empty for none.",
  noLess: "Not below “{{other}}”.",
  between: "From {{minimum}} to {{maximum}}.",
  preset: "Default: {{value}}.",
  changedLast: "Changed last",
  none: "none",
  avatarOriginsWrong: "Write each site as https://example.com, without a path. At most 20.",
  system: "System",
  facts: {
    version: "Version",
    api_version: "API version",
    commit: "Commit",
    runtime: "Runtime",
    database_version: "Database version",
    migration: "Last migration",
    last_release: "Last release",
    waiting_jobs: "Waiting settlement jobs",
    dead_jobs: "Failed settlement jobs",
  },
};

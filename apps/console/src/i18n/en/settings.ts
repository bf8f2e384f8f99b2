/** The settings of the store, and the versions of its parts. */
export const settings = {
  title: "Settings",
  groups: {
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
  /** What each setting is called, and what it does. */
  postal: {
    name: "Recipient",
    phone: "Phone",
    region: "Region, from the largest area to the smallest",
    street: "Street and house number",
    wrong: "Enter all four fields of the address, or none.",
  },
  areas: {
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
  taxMethods: {
    none: "None: no tax is withheld",
    cumulative: "Cumulative: consecutive months of a year together (announcement 16 of 2025)",
    per_month: "By month: the payouts of a month together (20 / 30 / 40 %)",
    per_payment: "By payment: each payout alone (20 / 30 / 40 %)",
  },
  realNameChecks: {
    none: "Nobody: a real name of the right form suffices",
    administrator: "An administrator of the area money",
    provider: "A provider, whom the worker asks",
  },
  designs: { warm: "Warm red", light: "Light green", dark: "Dark gold" },
  fields: {
    poster_design: {
      label: "Design of posters",
      hint: "A product can have a design of its own.",
    },
    site_name: {
      label: "Store name",
      hint: "What members see as the name of the store, on its pages and posters.",
    },
    logo: {
      label: "Logo",
      hint: "The URL of a picture that members see beside the store name. Leave empty for none.",
    },
    colour: {
      label: "Main colour",
      hint: "The colour of buttons and headers in the H5 app. Shades that are hard to read are adjusted automatically.",
    },
    contact_phone: {
      label: "Contact: phone",
      hint: "Members can call it from the H5 app. Leave empty for none.",
    },
    contact_wechat: {
      label: "Contact: WeChat ID",
      hint: "Members copy it and add you in WeChat. Leave empty for none.",
    },
    contact_hours: {
      label: "Contact: hours",
      hint: "When somebody answers, as members read it, for example 9:00 to 18:00. Leave empty to say nothing.",
    },
    time_zone: {
      label: "Time zone",
      hint: "The time zone of business days and of the schedule, for example Asia/Shanghai.",
    },
    h5_share_url: {
      label: "Share link URL",
      hint: "The page that share links open, without # and what follows it. The store appends ?spread= and the member number.",
    },
    max_unpaid_orders: {
      label: "Unpaid order limit",
      hint: "A member with this many unpaid orders must pay or cancel one before they can place another.",
    },
    max_unpaid_units: {
      label: "Unpaid units of a member",
      hint: "How many units of goods with a limited stock the unpaid orders of a member can hold. Goods without a limit do not count.",
    },
    max_unpaid_share: {
      label: "Unpaid share of a stock",
      hint: "Which share of the stock of a product the unpaid orders of a member can hold: 0.1 is a tenth, 1 is all. One unit is always possible.",
    },
    first_order_minutes: {
      label: "Minutes to pay a first order",
      hint: "An unpaid order that holds a limited stock expires after this time if its buyer has never paid an order.",
    },
    orders_per_hour: {
      label: "Orders of a member per hour",
      hint: "A member who has placed this many must wait until the hour that began with the first is over. The same holds for the next four limits.",
    },
    cancellations_per_hour: {
      label: "Cancellations of a member per hour",
      hint: "Orders and withdrawals together. Orders that expire do not count.",
    },
    keys_per_hour: {
      label: "Changes of a member per hour",
      hint: "All requests of the app that change something, each counted once however often it is repeated.",
    },
    profile_changes_per_hour: {
      label: "Profile changes of a member per hour",
      hint: "Changes of nickname and picture.",
    },
    posters_per_hour: {
      label: "Posters drawn for a member per hour",
      hint: "A poster is drawn again after its member, the store name or the share link has changed, and once every 30 days.",
    },
    payment_minutes: {
      label: "Time to pay (minutes)",
      hint: "After a payment is started at a provider, the buyer must complete it within this time.",
    },
    payment_query_minutes: {
      label: "Look up payments after (minutes)",
      hint: "Separated by commas, such as 1, 5, 10. If a payment's notification is lost, the store finds the payment at one of these times after its start. Leave empty to look it up only when the time to pay has passed.",
    },
    order_expiry_minutes: {
      label: "Unpaid orders expire after (minutes)",
      hint: "Counted from the end of the last payment. Without a payment, and if members cannot pay offline, counted from the order.",
    },
    offline_payment: {
      label: "Members can pay offline",
      hint: "Orders for which no payment was started are then kept for longer.",
    },
    offline_payment_days: {
      label: "Orders to be paid offline expire after (days)",
      hint: "Counted from the order, if no payment was started.",
    },
    receipt_days: {
      label: "Receipt is confirmed automatically after (days)",
      hint: "Counted from the shipment. Receipt is not confirmed while a refund request is open.",
    },
    refund_window_days: {
      label: "Refund window (days)",
      hint: "Counted from the receipt. Administrators may refund later, too.",
    },
    return_address: {
      label: "Return address",
      hint: "Where buyers send goods back. A buyer sees it when you ask for the goods of a refund request; requests that were answered before keep theirs. Leave all four fields empty for none.",
    },
    second_factor_areas: {
      label: "Areas that need a second factor",
      hint: "Administrators prove it with a code from an app on their phone, which they set up in the menu of their account. Set up your own first: whoever changes this needs one. Nothing chosen: nobody needs one.",
    },
    network_people: {
      label: "Members below",
      hint: "from how many members below, with members at the depth below, the page Network shape lists a member. It changes nothing that is paid.",
    },
    network_depth: {
      label: "Depth",
      hint: "the depth of that list. The plan editor and the check say if a plan pays beyond it.",
    },
    person_request_days: {
      label: "Requests of persons are answered within (days)",
      hint: "Counted from the receipt of a request for a copy, a correction or the deletion of personal data. Requests from before keep their day.",
    },
    assistants: {
      label: "Assistants may read",
      hint: "An assistant (a language model) then reads what the machine key that you give it allows, without names, phone numbers and addresses unless the key has that scope. It changes nothing, and the action log shows each call.",
    },
    analyst_minutes: {
      label: "Queries of analysts end after (minutes)",
      hint: "What an analyst reads with the login store_analyst is ended when it takes longer, so that it does not hold up the store.",
    },
    settlement_slots: {
      label: "Settlements at the same time",
      hint: "at most one for each processor of the database. One of the requests that have paid settles for all. With 0, orders are settled every minute by the scheduled job.",
    },
    night_sessions: {
      label: "Sessions of a night",
      hint: "at most one for each processor of the database. Each releases the points of a range of members and reconciles a range. A change applies from the next night on.",
    },
    points_rate: {
      label: "Points that pay 1.00",
      hint: "How many points a member gives for 1.00 at checkout. Orders that are placed keep their rate.",
    },
    points_max_share: {
      label: "Largest share of the price that points can pay",
      hint: "Points pay neither for queue goods nor for freight. 0 % switches payment by points off. The whole price can never be paid by points.",
    },
    adjustment_limit_money: {
      label: "Daily limit for adjustments of commission",
      hint: "How much one administrator adjusts alone on one day, in all. Above the limits, a second administrator must approve.",
    },
    adjustment_limit_points: {
      label: "Daily limit for adjustments of points",
      hint: "How many points one administrator adjusts alone on one day, in all. Above it, a second administrator must approve.",
    },
    offline_payment_limit: {
      label: "Daily limit for offline payments",
      hint: "Orders of how much money one administrator marks as paid alone on one day. Above it, a second administrator must mark the order, too.",
    },
    withdrawal_limit: {
      label: "Daily limit for the approval of withdrawals",
      hint: "Withdrawals of how much money one administrator approves alone on one day. Above it, a second administrator must approve, too.",
    },
    withdrawal_minimum: {
      label: "Smallest withdrawal",
      hint: "Members cannot request less at once.",
    },
    withdrawal_maximum: {
      label: "Largest withdrawal",
      hint: "Leave empty for no limit.",
    },
    withdrawal_fee_rate: {
      label: "Withdrawal fee rate",
      hint: "The share of a withdrawal that the store keeps, such as 0.006. Requests that were made before keep their fee.",
    },
    withdrawal_methods: {
      label: "Ways to withdraw",
      hint: "Without any, members cannot withdraw.",
    },
    transfer_minimum: {
      label: "Smallest transfer to WeChat",
      hint: "WeChat transfers no smaller amount: a withdrawal less its fee.",
    },
    transfer_maximum: {
      label: "Largest transfer to WeChat",
      hint: "The limit of your contract with WeChat for one transfer. Leave empty for none.",
    },
    transfer_name_from: {
      label: "WeChat needs a name from",
      hint: "From this amount on, members state their full name. WeChat compares it with that of the account. It takes none below 0.30 and demands one from 2000.00 on.",
    },
    tax_method: {
      label: "Tax of payouts",
      hint: "How income tax is withheld of a withdrawal when it is given to the bank or to WeChat. The store computes by this setting. Whether and how tax applies is your decision; have it confirmed by a tax adviser. Value-added tax and points are not computed. With tax on, a withdrawal is paid through a batch, which fixes its tax. A change applies to what is paid from then on.",
    },
    tax_from: {
      label: "Tax is withheld from",
      hint: "The first day on which tax is withheld. Before it, nothing is withheld, whatever the method. Leave empty for every day.",
    },
    real_name_from: {
      label: "Real name: from this amount on",
      hint: "From this amount on, a member gives name and number of a document before a withdrawal. They are encrypted with keys that the operator sets first. Leave empty to switch it off: none is taken then, and those that were given stay.",
    },
    real_name_check: {
      label: "Real name: who checks it",
      hint: "Who must have checked a real name before it suffices for a withdrawal. The operator sets the address of the provider first. Administrators can check or refuse every real name.",
    },
    avatar_origins: {
      label: "Sites of pictures of members",
      hint: "Members can have pictures of these sites, of the project and of the page of the share link. All others are hidden, since whoever serves a picture learns who looks at it. Write each as https://example.com.",
    },
    refused_words: {
      label: "Words that members cannot use",
      hint: "Nicknames, refund reasons and remarks on orders that contain one of them are refused. Case, full or half width and blanks between letters do not matter. Texts from before stay.",
    },
  },
  between: "From {{minimum}} to {{maximum}}.",
  below: "At least {{minimum}}, below {{maximum}}.",
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

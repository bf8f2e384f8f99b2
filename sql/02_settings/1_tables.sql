-- The settings of the store, one row, and those of the edge functions.

create table app.settings (
  id boolean primary key default true,
  time_zone text not null default 'Asia/Shanghai',
  site_name text not null default 'Store',
  logo text,
  colour text not null default '#c8102e',
  h5_share_url text not null default 'http://127.0.0.1:54321/h5',
  max_unpaid_orders integer not null default 20,
  orders_per_hour integer not null default 60,
  cancellations_per_hour integer not null default 60,
  keys_per_hour integer not null default 600,
  profile_changes_per_hour integer not null default 10,
  posters_per_hour integer not null default 20,
  poster_design text not null default 'warm',
  payment_minutes integer not null default 30,
  payment_query_minutes integer[] not null default '{1, 5, 10}',
  order_expiry_minutes integer not null default 30,
  offline_payment boolean not null default true,
  offline_payment_days integer not null default 7,
  receipt_days integer not null default 7,
  withdrawal_minimum numeric(14,2) not null default 10.00,
  withdrawal_maximum numeric(14,2),
  withdrawal_fee_rate numeric(6,5) not null default 0,
  withdrawal_methods text[] not null default '{bank, alipay}',
  tax_method text not null default 'none',
  tax_from date,
  real_name_from numeric(14,2),
  real_name_check text not null default 'none',
  transfer_minimum numeric(14,2) not null default 0.10,
  transfer_maximum numeric(14,2),
  transfer_name_from numeric(14,2) not null default 2000.00,
  points_rate numeric(8,2) not null default 1.00,
  points_max_share numeric(6,5) not null default 0.5,
  adjustment_limit_money numeric(14,2) not null default 1000.00,
  adjustment_limit_points numeric(18,4) not null default 1000,
  offline_payment_limit numeric(14,2) not null default 50000.00,
  withdrawal_limit numeric(14,2) not null default 20000.00,
  refund_window_days integer not null default 7,
  return_address jsonb,
  contact_phone text,
  contact_wechat text,
  contact_hours text,
  settlement_slots integer not null default 1,
  night_sessions integer not null default 1,
  avatar_origins text[] not null default '{https://thirdwx.qlogo.cn, https://wx.qlogo.cn}',
  refused_words text[] not null default '{}',
  second_factor_areas text[] not null default '{}',
  network_people integer not null default 30,
  network_depth integer not null default 3,
  person_request_days integer not null default 15,
  assistants boolean not null default false,
  analyst_minutes integer not null default 5,
  lifecycle_from timestamptz not null default now(),
  first_steps_dismissed_at timestamptz,
  updated_at timestamptz not null default now(),
  max_unpaid_units integer not null default 20,
  max_unpaid_share numeric(6,5) not null default 0.1,
  first_order_minutes integer not null default 30,
  constraint there_is_only_one_row check (id),
  constraint site_name_is_a_short_text check (char_length(site_name) <= 100 and app.is_line(site_name)),
  constraint logo_is_an_address_of_at_most_1000_characters check (app.is_web_address(logo) and char_length(logo) <= 1000),
  constraint colour_has_six_hexadecimal_digits check (colour ~ '^#[0-9a-f]{6}$'),
  constraint h5_share_url_is_an_address check (app.is_web_address(h5_share_url)),
  constraint max_unpaid_orders_is_between_1_and_1000 check (max_unpaid_orders between 1 and 1000),
  constraint max_unpaid_units_is_between_1_and_1000000 check (max_unpaid_units between 1 and 1000000),
  constraint max_unpaid_share_is_between_0_and_1 check (max_unpaid_share between 0 and 1),
  constraint first_order_minutes_is_between_5_and_129600 check (first_order_minutes between 5 and 129600),
  constraint quotas_are_between_1_and_100000 check (
    least(orders_per_hour, cancellations_per_hour, keys_per_hour, profile_changes_per_hour, posters_per_hour) >= 1
    and greatest(orders_per_hour, cancellations_per_hour, keys_per_hour, profile_changes_per_hour, posters_per_hour) <= 100000
  ),
  constraint poster_design_is_known check (poster_design in ('warm', 'light', 'dark')),
  constraint second_factor_areas_are_known check (
    second_factor_areas <@ '{records, content, orders, refunds, members, money, plan, system, administrators, keys}'
  ),
  constraint payment_minutes_is_between_5_and_1440 check (payment_minutes between 5 and 1440),
  constraint payment_query_minutes_are_at_most_ten_between_1_and_1440 check (
    cardinality(payment_query_minutes) <= 10 and array_position(payment_query_minutes, null) is null
    and 1 <= all (payment_query_minutes) and 1440 >= all (payment_query_minutes)
  ),
  constraint order_expiry_minutes_is_between_5_and_10080 check (order_expiry_minutes between 5 and 10080),
  constraint offline_payment_days_is_between_1_and_90 check (offline_payment_days between 1 and 90),
  constraint receipt_days_is_between_1_and_90 check (receipt_days between 1 and 90),
  constraint withdrawal_minimum_is_between_1_cent_and_a_million check (withdrawal_minimum between 0.01 and 1000000),
  constraint withdrawal_maximum_is_at_least_the_minimum check (withdrawal_maximum >= withdrawal_minimum),
  constraint withdrawal_fee_rate_is_at_least_0_and_below_1 check (withdrawal_fee_rate >= 0 and withdrawal_fee_rate < 1),
  constraint tax_method_is_known check (tax_method in ('none', 'cumulative', 'per_month', 'per_payment')),
  constraint real_name_from_is_positive check (real_name_from > 0),
  constraint real_name_check_is_known check (real_name_check in ('none', 'administrator', 'provider')),
  constraint transfer_minimum_is_at_least_1_cent check (transfer_minimum >= 0.01),
  constraint transfer_maximum_is_at_least_the_minimum check (transfer_maximum >= transfer_minimum),
  constraint transfer_name_from_is_within_the_bounds_of_wechat check (transfer_name_from between 0.30 and 2000.00),
  constraint points_rate_is_positive check (points_rate > 0),
  constraint points_max_share_is_at_least_0_and_below_1 check (points_max_share >= 0 and points_max_share < 1),
  constraint limits_of_one_administrator_are_between_0_and_100_million check (
    adjustment_limit_money >= 0 and adjustment_limit_money <= 100000000 and adjustment_limit_points between 0 and 100000000
    and offline_payment_limit between 0 and 100000000 and withdrawal_limit between 0 and 100000000
  ),
  constraint refund_window_days_is_between_0_and_3650 check (refund_window_days between 0 and 3650),
  constraint return_address_is_complete check (app.is_address(return_address)),
  constraint contact_phone_is_a_phone_number check (app.is_phone_number(contact_phone)),
  constraint contact_wechat_and_hours_are_short_texts check (
    app.is_line(contact_wechat) and char_length(contact_wechat) <= 64 and app.is_line(contact_hours) and char_length(contact_hours) <= 100
  ),
  constraint settlement_slots_are_between_0_and_16 check (settlement_slots between 0 and 16),
  constraint night_sessions_are_between_1_and_8 check (night_sessions between 1 and 8),
  constraint avatar_origins_are_at_most_20_origins check (app.are_https_origins(avatar_origins) and cardinality(avatar_origins) <= 20),
  constraint refused_words_are_at_most_500_words check (app.are_words(refused_words) and cardinality(refused_words) <= 500),
  constraint network_people_is_between_1_and_a_million check (network_people between 1 and 1000000),
  constraint network_depth_is_between_1_and_1000 check (network_depth between 1 and 1000),
  constraint person_request_days_is_between_1_and_90 check (person_request_days between 1 and 90),
  constraint analyst_minutes_is_between_1_and_120 check (analyst_minutes between 1 and 120),
  constraint every_withdrawal_method_is_known check (withdrawal_methods <@ '{bank, alipay, wechat}')
);
comment on table app.settings is
  'Settings that administrators change without a deployment: time zone of the store, site name, logo, colour, address of the H5 '
  'share page, most unpaid orders and hourly quotas of a member, times of payment, receipt and refund. Always one row.';
comment on column app.settings.orders_per_hour is 'How many orders a member can place within an hour (app.use_quota).';
comment on column app.settings.cancellations_per_hour is 'How many orders and withdrawals a member can cancel within an hour.';
comment on column app.settings.keys_per_hour is 'How many requests with a new Idempotency-Key of a member succeed within an hour.';
comment on column app.settings.profile_changes_per_hour is 'How often a member can change nickname and picture within an hour.';
comment on column app.settings.posters_per_hour is 'How often posters of a member are drawn within an hour.';
comment on column app.settings.poster_design is 'The design of posters, if the product has none of its own.';
comment on column app.settings.payment_minutes is
  'Minutes within which a buyer can complete a payment that was started at a provider.';
comment on column app.settings.payment_query_minutes is
  'Minutes after the start of a payment at which the provider is asked for it, if nothing was heard of it until then.';
comment on column app.settings.max_unpaid_units is 'How many units of goods with a limited stock the unpaid orders of a member can hold.';
comment on column app.settings.max_unpaid_share is 'Which share of the stock of a product the unpaid orders of a member can hold, but never less than one unit.';
comment on column app.settings.first_order_minutes is
  'After how many minutes an unpaid order that holds units of a limited stock expires, if its buyer has never paid an order.';
comment on column app.settings.order_expiry_minutes is
  'Minutes until an unpaid order expires: from the end of its last payment attempt, or, if it has none and members cannot pay '
  'offline, from its creation.';
comment on column app.settings.first_steps_dismissed_at is 'When an administrator dismissed the first steps of the store on the overview.';
comment on column app.settings.offline_payment is
  'Whether members can pay offline. An order without any payment attempt is then kept for longer.';
comment on column app.settings.offline_payment_days is
  'Days until an order without any payment attempt expires, if members can pay offline.';
comment on column app.settings.receipt_days is 'Days from the shipment until the receipt of an order is confirmed automatically.';
comment on column app.settings.withdrawal_minimum is 'The smallest amount that a member can withdraw at once.';
comment on column app.settings.withdrawal_maximum is 'The largest amount that a member can withdraw at once; null: no limit.';
comment on column app.settings.withdrawal_fee_rate is 'The share of a withdrawal that the store keeps as its fee.';
comment on column app.settings.withdrawal_methods is 'How members can withdraw; empty: not at all.';
comment on column app.settings.tax_method is
  'How income tax is withheld of payouts (app.tax_rules); none: no tax is withheld. The program computes by this setting; what applies is the decision of the owner.';
comment on column app.settings.tax_from is 'The first business day on which tax is withheld of payouts; null: every day.';
comment on column app.settings.real_name_from is 'From this amount on, a withdrawal needs the real name of the member; null: none does, and no real name is taken.';
comment on column app.settings.real_name_check is 'Who must have checked the real name before it suffices: none, administrator, or provider, whom the worker asks.';
comment on column app.settings.transfer_minimum is 'The smallest amount that WeChat transfers to a member at once, less the fee.';
comment on column app.settings.transfer_maximum is 'The largest amount that WeChat transfers at once; null: no limit but that of withdrawals.';
comment on column app.settings.transfer_name_from is 'From this amount on, a transfer to WeChat has the name of the member: WeChat Pay takes none below 0.30 and demands one from 2000.00 on.';
comment on column app.settings.points_rate is 'How many points pay 1.00 at checkout.';
comment on column app.settings.points_max_share is
  'The greatest share of the price of the goods that points can pay at checkout, without queue goods and freight; 0: points pay nothing.';
comment on column app.settings.adjustment_limit_money is
  'How much commission one administrator alone can adjust on one business day, summed without signs. Above it, a second one must approve.';
comment on column app.settings.adjustment_limit_points is 'The same for points; of an adjustment, the greater number of points counts.';
comment on column app.settings.offline_payment_limit is
  'Orders of how much money one administrator alone can mark as paid offline on one business day. Above it, a second one must confirm.';
comment on column app.settings.withdrawal_limit is
  'Withdrawals of how much money one administrator alone can approve on one business day. Above it, a second one must approve, too.';
comment on column app.settings.refund_window_days is
  'Days after its receipt in which an order may be refunded as a matter of course. Administrators may refund later, too.';
comment on column app.settings.return_address is 'Where buyers send goods that they return (see app.is_address); null: the store asks for none.';
comment on column app.settings.contact_phone is 'The phone number at which members reach the store; null: none.';
comment on column app.settings.contact_wechat is 'The WeChat ID at which members reach the store; null: none.';
comment on column app.settings.contact_hours is 'When members reach the store, as they read it; null: not said.';
comment on column app.settings.settlement_slots is
  'How many requests that have paid settle waiting orders at the same time (app.lead_settlement); 0: only the scheduled job settles.';
comment on column app.settings.night_sessions is
  'In how many sessions points are released and the reconciliation runs, each session in a range of the members or orders (app.release_ranges, app.reconcile_ranges). What has '
  'begun keeps its ranges.';
comment on column app.settings.avatar_origins is
  'Origins of which members can have a picture, besides the project and the share page of the store (app.avatar_origins). Those of WeChat by default.';
comment on column app.settings.refused_words is 'Words that no nickname, refund reason and remark of a member may contain, in the form of app.folded_text.';
comment on column app.settings.network_people is
  'From how many members below, with members at network_depth below them, a member is listed by the page about the network. No rule reads it.';
comment on column app.settings.network_depth is
  'From which depth of members below a member is listed by the page about the network, and beyond which the plan editor and the check say that a plan pays. No rule reads it.';
comment on column app.settings.person_request_days is 'Days within which a request of a person is to be answered (app.person_requests).';
comment on column app.settings.assistants is 'Whether assistants (language models) may read by the edge function mcp (api.call_tool).';
comment on column app.settings.analyst_minutes is 'After how many minutes app.end_long_reports ends what an analyst does.';
comment on column app.settings.lifecycle_from is
  'Orders that were placed or shipped before this time are treated by the expiry and the automatic receipt as if that had '
  'happened at this time.';
comment on column app.settings.logo is 'Address of a picture; null: none.';
comment on column app.settings.colour is 'The main colour of the pages for members, as #rrggbb.';

alter table app.settings enable row level security;
create policy everyone_reads_settings on app.settings for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.settings to anon, authenticated, store_admin, service_role;

create table app.function_settings (
  id boolean primary key default true,
  project_url text not null,
  functions_url text not null,
  variables text[] not null,
  reported_at timestamptz not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.function_settings is
  'What the edge functions last reported about their environment: addresses, and names of variables, never their values. At most '
  'one row. The configuration check reads it.';
comment on column app.function_settings.project_url is 'The address of the Supabase project. A loopback address is a local stack.';
comment on column app.function_settings.functions_url is 'The public address of the edge functions.';
comment on column app.function_settings.variables is 'The names of the variables that have a value, of those that the check knows.';

alter table app.function_settings enable row level security;
create policy admins_read_function_settings on app.function_settings for select to store_admin, service_role using (true);
grant select on app.function_settings to store_admin, service_role;

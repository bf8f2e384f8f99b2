create table app.settings (
  id boolean primary key default true,
  time_zone text not null default 'Asia/Shanghai',
  site_name text not null default 'Store',
  logo text,
  colour text not null default '#c8102e',
  h5_share_url text not null default 'http://127.0.0.1:54321/h5',
  max_unpaid_orders integer not null default 20,
  payment_minutes integer not null default 30,
  order_expiry_minutes integer not null default 30,
  offline_payment boolean not null default true,
  offline_payment_days integer not null default 7,
  receipt_days integer not null default 7,
  withdrawal_minimum numeric(14,2) not null default 10.00,
  withdrawal_maximum numeric(14,2),
  withdrawal_fee_rate numeric(6,5) not null default 0,
  withdrawal_methods text[] not null default '{bank, alipay}',
  transfer_minimum numeric(14,2) not null default 0.10,
  transfer_maximum numeric(14,2),
  transfer_name_from numeric(14,2) not null default 2000.00,
  points_rate numeric(8,2) not null default 1.00,
  points_max_share numeric(6,5) not null default 0.5,
  adjustment_limit_money numeric(14,2) not null default 1000.00,
  adjustment_limit_points numeric(18,4) not null default 1000,
  refund_window_days integer not null default 365,
  lifecycle_from timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint there_is_only_one_row check (id),
  constraint site_name_is_a_short_text check (char_length(site_name) <= 100 and app.is_visible(site_name)),
  constraint logo_is_an_address_of_at_most_1000_characters check (app.is_web_address(logo) and char_length(logo) <= 1000),
  constraint colour_has_six_hexadecimal_digits check (colour ~ '^#[0-9a-f]{6}$'),
  constraint h5_share_url_is_an_address check (app.is_web_address(h5_share_url)),
  constraint max_unpaid_orders_is_between_1_and_1000 check (max_unpaid_orders between 1 and 1000),
  constraint payment_minutes_is_between_5_and_1440 check (payment_minutes between 5 and 1440),
  constraint order_expiry_minutes_is_between_5_and_10080 check (order_expiry_minutes between 5 and 10080),
  constraint offline_payment_days_is_between_1_and_90 check (offline_payment_days between 1 and 90),
  constraint receipt_days_is_between_1_and_90 check (receipt_days between 1 and 90),
  constraint withdrawal_minimum_is_between_1_cent_and_a_million check (withdrawal_minimum between 0.01 and 1000000),
  constraint withdrawal_maximum_is_at_least_the_minimum check (withdrawal_maximum >= withdrawal_minimum),
  constraint withdrawal_fee_rate_is_at_least_0_and_below_1 check (withdrawal_fee_rate >= 0 and withdrawal_fee_rate < 1),
  constraint transfer_minimum_is_at_least_1_cent check (transfer_minimum >= 0.01),
  constraint transfer_maximum_is_at_least_the_minimum check (transfer_maximum >= transfer_minimum),
  constraint transfer_name_from_is_positive check (transfer_name_from > 0),
  constraint points_rate_is_positive check (points_rate > 0),
  constraint points_max_share_is_at_least_0_and_below_1 check (points_max_share >= 0 and points_max_share < 1),
  constraint adjustment_limits_are_between_0_and_100_million check (
    adjustment_limit_money between 0 and 100000000 and adjustment_limit_points between 0 and 100000000
  ),
  constraint refund_window_days_is_between_0_and_3650 check (refund_window_days between 0 and 3650),
  constraint every_withdrawal_method_is_known check (withdrawal_methods <@ '{bank, alipay, wechat}')
);
comment on table app.settings is
  'Settings that administrators change without a deployment: time zone of the store, site name, logo, colour, address of the H5 '
  'share page, most unpaid orders of a member, times of payment, receipt and refund. Always one row.';
comment on column app.settings.payment_minutes is
  'Minutes within which a buyer can complete a payment that was started at a provider.';
comment on column app.settings.order_expiry_minutes is
  'Minutes until an unpaid order expires: from the end of its last payment attempt, or, if it has none and members cannot pay '
  'offline, from its creation.';
comment on column app.settings.offline_payment is
  'Whether members can pay offline. An order without any payment attempt is then kept for longer.';
comment on column app.settings.offline_payment_days is
  'Days until an order without any payment attempt expires, if members can pay offline.';
comment on column app.settings.receipt_days is 'Days from the shipment until the receipt of an order is confirmed automatically.';
comment on column app.settings.withdrawal_minimum is 'The smallest amount that a member can withdraw at once.';
comment on column app.settings.withdrawal_maximum is 'The largest amount that a member can withdraw at once; null: no limit.';
comment on column app.settings.withdrawal_fee_rate is 'The share of a withdrawal that the store keeps as its fee.';
comment on column app.settings.withdrawal_methods is 'How members can withdraw; empty: not at all.';
comment on column app.settings.transfer_minimum is 'The smallest amount that WeChat transfers to a member at once, less the fee.';
comment on column app.settings.transfer_maximum is 'The largest amount that WeChat transfers at once; null: no limit but that of withdrawals.';
comment on column app.settings.transfer_name_from is 'From this amount on, WeChat needs the name of the member.';
comment on column app.settings.points_rate is 'How many points pay 1.00 at checkout.';
comment on column app.settings.points_max_share is
  'The greatest share of the price of the goods that points can pay at checkout, without queue goods and freight; 0: points pay nothing.';
comment on column app.settings.adjustment_limit_money is
  'Up to this amount, one administrator alone can adjust the commission of a member. Above it, a second one must approve.';
comment on column app.settings.adjustment_limit_points is 'The same for frozen and for available points.';
comment on column app.settings.refund_window_days is
  'Days after its receipt in which an order may be refunded as a matter of course: its rows are not archived before. A '
  'later refund is possible, too; if the month is archived, it has to be attached first.';
comment on column app.settings.lifecycle_from is
  'Orders that were placed or shipped before this time are treated by the expiry and the automatic receipt as if that had '
  'happened at this time.';
comment on column app.settings.logo is 'Address of a picture; null: none.';
comment on column app.settings.colour is 'The main colour of the pages for members, as #rrggbb.';

alter table app.settings enable row level security;
create policy everyone_reads_settings on app.settings for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.settings to anon, authenticated, store_admin, service_role;

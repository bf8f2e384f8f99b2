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
  constraint there_is_only_one_row check (id)
);
comment on table app.settings is
  'What administrators change without a deployment (app.declared_settings), and times that the store keeps about it. '
  'One row.';
comment on column app.settings.first_steps_dismissed_at is
  'When an administrator dismissed the first steps of the store on the overview.';
comment on column app.settings.lifecycle_from is
  'Orders placed or shipped before this time count for expiry and automatic receipt as placed or shipped at this time.';

alter table app.settings enable row level security;
create policy everyone_reads_settings on app.settings for select to anon, authenticated, store_admin, service_role
  using (true);
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
  'The environment that the edge functions last reported: addresses, and names of variables, never values. At most one '
  'row.';
comment on column app.function_settings.project_url is
  'The address of the Supabase project. A loopback address is a local stack.';
comment on column app.function_settings.functions_url is 'The public address of the edge functions.';
comment on column app.function_settings.variables is
  'The variables with a value, of those that the configuration check knows.';

alter table app.function_settings enable row level security;
create policy admins_read_function_settings on app.function_settings for select to store_admin, service_role
  using (true);
grant select on app.function_settings to store_admin, service_role;

create table app.settings (
  id boolean primary key default true,
  time_zone text not null default 'Asia/Shanghai',
  site_name text not null default 'Store',
  h5_share_url text not null default 'http://127.0.0.1:54321/h5',
  max_unpaid_orders integer not null default 20,
  updated_at timestamptz not null default now(),
  constraint there_is_only_one_row check (id),
  constraint site_name_is_a_short_text check (char_length(site_name) <= 100 and app.is_visible(site_name)),
  constraint h5_share_url_is_an_address check (app.is_web_address(h5_share_url)),
  constraint max_unpaid_orders_is_between_1_and_1000 check (max_unpaid_orders between 1 and 1000)
);
comment on table app.settings is
  'Settings that administrators change without a deployment: business time zone, site name, address of the H5 share page, most '
  'unpaid orders of a member. Always one row.';

alter table app.settings enable row level security;
create policy everyone_reads_settings on app.settings for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.settings to anon, authenticated, store_admin, service_role;

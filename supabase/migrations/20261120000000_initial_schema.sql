-- Generated from sql/ by `npm run migration:fold`: the files in path order, the schedule excepted.
set check_function_bodies = off;

-- sql/1_schema/01_roles.sql
-- Roles that the store adds to those of Supabase (anon, authenticated, service_role, authenticator).
-- Roles belong to the cluster, not to the database, so each may already exist.
do $$
begin
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_admin') then
    create role store_admin nologin noinherit;
  end if;
  if not exists (select from pg_catalog.pg_roles where rolname = 'store_api') then
    -- Deployment sets its password. Without one, sign-in is impossible.
    create role store_api login noinherit;
  end if;
end
$$;

-- An administrator's token carries the role claim store_admin, so the Data API must be able to switch to it.
grant store_admin to authenticator;

-- The edge functions sign in as store_api and become the caller for one statement (app.as_caller, app.as_service).
grant anon, authenticated, store_admin, service_role to store_api;

-- Limits for requests, because a person waits for each.
alter role store_api set statement_timeout = '15s';
alter role store_api set lock_timeout = '8s';
alter role store_api set idle_in_transaction_session_timeout = '15s';

-- sql/1_schema/02_schemas.sql
create schema if not exists app;
create schema if not exists api;

comment on schema app is 'Tables and internal functions of the store. Never exposed by the Data API.';
comment on schema api is 'The functions that client roles may execute, each granted at the foot of its own file.';

grant usage on schema app to anon, authenticated, store_admin, service_role, store_api;
grant usage on schema api to anon, authenticated, store_admin, service_role;

-- Global for the creating role, because the per-schema form cannot revoke the default privileges of PUBLIC.
alter default privileges revoke execute on functions from public;

-- sql/1_schema/03_temporary_objects.sql
-- Client roles must not create temporary objects: with a temporary type that has the name of another type, code can be run inside
-- a function of the owner (docs/access.md). Only the owner of the database can revoke the right from PUBLIC. If the migrations run
-- as another role, this warns, and the configuration check reports it (app.verify_access).
do $$
begin
  execute pg_catalog.format('revoke temporary on database %I from public', pg_catalog.current_database());
exception when insufficient_privilege then
  raise warning 'PUBLIC keeps the right to create temporary objects in this database; its owner can revoke it';
end
$$;

-- sql/1_schema/04_is_visible.sql
-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_visible(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~ '[^\u0001-\u0020\u007F-\u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u17B4\u17B5\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u2800\u3000\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]'
$$;

comment on function app.is_visible is
  'Returns whether a text has a visible character: one that is not a blank, a control character or a mark of text direction, '
  'and that has width and shape.';

-- sql/1_schema/04_visible_text.sql
-- Joiners and variation selectors are kept, because emoji and some scripts need them.
create or replace function app.visible_text(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case when app.is_visible(p_text) then pg_catalog.btrim(pg_catalog.regexp_replace(
    pg_catalog.regexp_replace(p_text, '[\u0001-\u0020\u007F-\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]+', ' ', 'g'),
    '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF0-\uFFFB\uFFFE\uFFFF\U00013430-\U00013440\U0001BCA0-\U0001BCA3\U0001D159\U0001D173-\U0001D17A]', '', 'g'
  )) end
$$;

comment on function app.visible_text is
  'Returns a text as people see it, or null if nothing in it is visible. Runs of blanks, line breaks and control characters '
  'become one blank. Marks of text direction and characters without width or shape are removed.';

-- sql/1_schema/05_is_loopback_address.sql
create or replace function app.is_loopback_address(p_text text)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select p_text ~* '^https?://([^/?#@]*@)?(localhost|127(\.[0-9]+){3}|\[::1\])(:[0-9]*)?([/?#]|$)'
$$;

comment on function app.is_loopback_address is
  'Returns whether an http or https address leads to the machine on which it is opened, so that it shows nothing on any other '
  'machine.';

-- sql/1_schema/05_is_web_address.sql
-- Browsers skip blanks and control characters in addresses, so an address that contains them can differ from what it seems to be.
-- Has no search path of its own, so that the planner can inline it into constraints and queries.
create or replace function app.is_web_address(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_text ~* '^https?://[^/\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*$'
$$;

comment on function app.is_web_address is
  'Returns whether a text is an http or https address without blanks, control characters or invisible characters.';

-- sql/1_schema/06_is_link.sql
create or replace function app.is_link(p_text text)
returns boolean
language sql
immutable
parallel safe
as $$
  select app.is_web_address(p_text)
    or p_text ~ '^(?!//)[^:/?#\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*([/?#][^\\\u0001-\u0020\u007F-\u00A0\u00AD\u180B-\u180F\u2000-\u200F\u2028-\u202F\u205F-\u206F\u3000\uFEFF\uFFF0-\uFFFB\U000E0000-\U000E0FFF]*)?$'
$$;

comment on function app.is_link is
  'Returns whether a text is empty, a web address, or a relative address, which leads to a page of the client that shows it.';

-- sql/1_schema/06_level_rule.sql
create type app.level_rule as (
  grade smallint,
  direct_points numeric,
  umbrella_points numeric,
  is_counted boolean,
  next_grade smallint,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer
);
comment on type app.level_rule is
  'What a grade means to the engine: its points for each unit of queue goods (R6, R7) and the tasks of the next grade. An array '
  'of rules has the rule of grade g at index g + 1. The last four fields are targets of next_grade, null if it does not have '
  'that task.';
comment on column app.level_rule.is_counted is 'Whether task counts are maintained for members of this grade.';
comment on column app.level_rule.next_grade is 'The next active grade; null if there is none or if it has no tasks.';

-- sql/1_schema/07_level_rules.sql
-- PL/pgSQL, so that the session caches the query plan. Generic query plan: see app.get_upline.
create or replace function app.level_rules(p_levels jsonb, p_counts_all boolean default false)
returns app.level_rule[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    with levels as (
      select l.grade, l.direct_points, l.umbrella_points, coalesce(l.is_active, true) as is_active, nullif(l.tasks, '{}') as tasks
      from jsonb_to_recordset(p_levels) as l (grade smallint, direct_points numeric, umbrella_points numeric, is_active boolean, tasks jsonb)
    )
    select array_agg((
      l.grade, l.direct_points, l.umbrella_points, p_counts_all or n.grade is not null, case when n.tasks is not null then n.grade end,
      (n.tasks ->> 'direct_orders')::integer, (n.tasks ->> 'umbrella_orders')::integer,
      (n.tasks ->> 'direct_members')::integer, (n.tasks ->> 'umbrella_members')::integer
    )::app.level_rule order by l.grade)
    from levels as l
    left join lateral (
      select a.grade, a.tasks from levels as a where a.is_active and a.grade > l.grade order by a.grade limit 1
    ) as n on true
  );
end
$$;

comment on function app.level_rules is
  'Converts level settings, as levels_json returns them, to an array with the rule of grade g at index g + 1. The top active '
  'grade has no next grade, and its members'' task counts are not maintained unless p_counts_all is true. A grade without tasks '
  'is reached by hand only.';

-- sql/1_schema/08_is_address.sql
create or replace function app.is_address(p_address jsonb)
returns boolean
language sql
immutable
parallel safe
strict
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_typeof(p_address) = 'object' and not exists (
      select from jsonb_object_keys(p_address) as k where k not in ('name', 'phone', 'region', 'street')
    )
    and coalesce(jsonb_typeof(p_address -> 'name') = 'string' and char_length(p_address ->> 'name') <= 64 and app.is_visible(p_address ->> 'name'), false)
    and coalesce(jsonb_typeof(p_address -> 'phone') = 'string' and p_address ->> 'phone' ~ '^[+]?[0-9][0-9 -]{3,22}[0-9]$', false)
    and coalesce(jsonb_typeof(p_address -> 'region') = 'array' and jsonb_array_length(p_address -> 'region') between 1 and 6, false)
    and not exists (
      select from jsonb_array_elements(case when jsonb_typeof(p_address -> 'region') = 'array' then p_address -> 'region' else '[]' end) as r
      where jsonb_typeof(r.value) <> 'string' or char_length(r.value #>> '{}') > 64 or not app.is_visible(r.value #>> '{}')
    )
    and coalesce(jsonb_typeof(p_address -> 'street') = 'string' and char_length(p_address ->> 'street') <= 200 and app.is_visible(p_address ->> 'street'), false)
$$;

comment on function app.is_address is
  'Returns whether a value is a postal address: name (up to 64 characters), phone (5 to 25 digits, blanks and hyphens, with or without a '
  'leading +), region (1 to 6 names, from the largest area to the smallest) and street (up to 200 characters), and nothing else.';

-- sql/1_schema/09_are_web_addresses.sql
create or replace function app.are_web_addresses(p_texts text[], p_longest integer)
returns boolean
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(coalesce(char_length(t) <= p_longest and app.is_web_address(t), false)), true) from unnest(p_texts) as t
$$;

comment on function app.are_web_addresses is 'Returns whether every text of a list is a web address of at most p_longest characters.';

-- sql/2_tables/00_positions.sql
create sequence app.positions;
comment on sequence app.positions is
  'The order of all decisions about money, points and levels: settlements, refunds and changes of flags, grades and referrers '
  'take the next value while they hold their locks. Any past state can be restored from it.';

-- sql/2_tables/01_settings.sql
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
  points_rate numeric(8,2) not null default 1.00,
  points_max_share numeric(6,5) not null default 0.5,
  adjustment_limit_money numeric(14,2) not null default 1000.00,
  adjustment_limit_points numeric(18,4) not null default 1000,
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
  constraint points_rate_is_positive check (points_rate > 0),
  constraint points_max_share_is_at_least_0_and_below_1 check (points_max_share >= 0 and points_max_share < 1),
  constraint adjustment_limits_are_between_0_and_100_million check (
    adjustment_limit_money between 0 and 100000000 and adjustment_limit_points between 0 and 100000000
  ),
  constraint every_withdrawal_method_is_known check (withdrawal_methods <@ '{bank, alipay, wechat}')
);
comment on table app.settings is
  'Settings that administrators change without a deployment: time zone of the store, site name, logo, colour, address of the H5 '
  'share page, most unpaid orders of a member, times of payment and receipt. Always one row.';
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
comment on column app.settings.points_rate is 'How many points pay 1.00 at checkout.';
comment on column app.settings.points_max_share is
  'The greatest share of the price of the goods that points can pay at checkout, without queue goods and freight; 0: points pay nothing.';
comment on column app.settings.adjustment_limit_money is
  'Up to this amount, one administrator alone can adjust the commission of a member. Above it, a second one must approve.';
comment on column app.settings.adjustment_limit_points is 'The same for frozen and for available points.';
comment on column app.settings.lifecycle_from is
  'Orders that were placed or shipped before this time are treated by the expiry and the automatic receipt as if that had '
  'happened at this time.';
comment on column app.settings.logo is 'Address of a picture; null: none.';
comment on column app.settings.colour is 'The main colour of the pages for members, as #rrggbb.';

alter table app.settings enable row level security;
create policy everyone_reads_settings on app.settings for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.settings to anon, authenticated, store_admin, service_role;

-- sql/2_tables/02_agent_levels.sql
create table app.agent_levels (
  grade smallint primary key,
  name text not null,
  name_zh text not null,
  direct_points numeric(18,4) not null default 0,
  umbrella_points numeric(18,4) not null default 0,
  is_active boolean not null default true,
  updated_at timestamptz not null default now(),
  constraint grade_is_between_0_and_100 check (grade between 0 and 100),
  constraint name_is_a_short_text check (
    char_length(name) <= 50 and app.is_visible(name) and char_length(name_zh) <= 50 and app.is_visible(name_zh)
  ),
  -- A million points for each unit of the largest order still fit into a column of points, so no grant can overflow.
  constraint direct_points_are_between_0_and_a_million check (direct_points between 0 and 1000000),
  constraint umbrella_points_are_between_0_and_a_million check (umbrella_points between 0 and 1000000),
  -- R7 passes the highest amount on unchanged at a member of grade 0, so grade 0 must not grant points.
  constraint grade_0_is_active_and_brings_no_points check (grade > 0 or (is_active and direct_points = 0 and umbrella_points = 0))
);
comment on table app.agent_levels is
  'Levels that members rise through (R5). Points are granted for each unit of queue goods (R6, R7).';
comment on column app.agent_levels.grade is '0 is no level. A higher grade is a higher level.';
comment on column app.agent_levels.is_active is
  'Whether members can reach the grade. Members who hold an inactive grade keep it.';

alter table app.agent_levels enable row level security;
create policy everyone_reads_levels on app.agent_levels for select to authenticated, store_admin, service_role using (true);
grant select on app.agent_levels to authenticated, store_admin, service_role;

-- sql/2_tables/03_agent_level_tasks.sql
create table app.agent_level_tasks (
  grade smallint not null references app.agent_levels (grade),
  type text not null,
  target integer not null,
  primary key (grade, type),
  constraint type_is_known check (type in ('direct_orders', 'umbrella_orders', 'direct_members', 'umbrella_members')),
  constraint target_is_positive check (target > 0),
  constraint grade_0_has_no_tasks check (grade > 0)
);
comment on table app.agent_level_tasks is
  'Tasks of a grade. A member rises to the grade when all of them are met: each target is compared with the counter of the same '
  'name in app.user_balances.';

alter table app.agent_level_tasks enable row level security;
create policy everyone_reads_tasks on app.agent_level_tasks for select to authenticated, store_admin, service_role using (true);
grant select on app.agent_level_tasks to authenticated, store_admin, service_role;

-- sql/2_tables/03_level_versions.sql
create table app.level_versions (
  version integer generated always as identity primary key,
  levels jsonb not null,
  rules app.level_rule[] not null generated always as (app.level_rules(levels)) stored,
  created_by uuid,
  created_at timestamptz not null default now()
);
comment on table app.level_versions is
  'Append-only versions of the complete level settings, from which past settlements are explained. The newest equals '
  'app.agent_levels and app.agent_level_tasks.';

comment on column app.level_versions.rules is
  'The same settings in the form that the engine reads, stored so that no settlement has to compute it.';

alter table app.level_versions enable row level security;
create policy admins_read_level_versions on app.level_versions for select to store_admin, service_role using (true);
grant select on app.level_versions to store_admin, service_role;

-- sql/2_tables/04_users.sql
create table app.users (
  uid bigint generated always as identity (start with 10001) primary key,
  auth_id uuid unique references auth.users (id) on delete set null,
  nickname text not null,
  phone text,
  spread_uid bigint references app.users (uid),
  spread_time timestamptz,
  spread_position bigint not null default nextval('app.positions'),
  agent_level smallint not null default 0 references app.agent_levels (grade),
  is_held boolean not null default false,
  no_assess boolean not null default false,
  add_time timestamptz not null default now(),
  avatar text,
  constraint nickname_is_a_short_text check (char_length(nickname) <= 64 and app.is_visible(nickname)),
  constraint phone_is_a_short_text check (char_length(phone) between 1 and 32),
  constraint avatar_is_an_address check (app.is_web_address(avatar) and char_length(avatar) <= 512),
  constraint nobody_refers_themselves check (spread_uid <> uid),
  constraint spread_time_iff_spread check ((spread_uid is null) = (spread_time is null))
);
comment on column app.users.spread_position is 'Position in app.positions at which the member got their referrer.';
comment on column app.users.is_held is 'The member does not rise by tasks until an administrator ends the hold.';
comment on table app.users is
  'Members and their referrers. uid is the number that people see and share; auth_id is the Supabase Auth account.';
comment on column app.users.spread_uid is 'The referrer.';
comment on column app.users.no_assess is 'The orders of the member count for nobody''s tasks (R9).';

create index users_spread_uid_idx on app.users (spread_uid, uid);
-- For app.find_orders.
create index users_nickname_idx on app.users (lower(nickname) text_pattern_ops);
create index users_agent_level_idx on app.users (agent_level) where agent_level > 0;
-- For app.level_review.
create index users_with_a_level_idx on app.users (uid) where agent_level > 0;

alter table app.users enable row level security;
grant select on app.users to authenticated, store_admin, service_role;

-- sql/2_tables/05_user_balances.sql
-- A narrow row apart from app.users, because it changes often. It is "the referrer's row" of R10: a transaction locks it before
-- it changes it or decides from it.
-- With no index but the primary key, and with free space in every page for a second version of each row, updates stay HOT: the
-- release changes all rows of a page in one transaction.
create table app.user_balances (
  uid bigint primary key references app.users (uid),
  brokerage_price numeric(14,2) not null default 0,
  frozen_points numeric(18,4) not null default 0,
  available_points numeric(18,4) not null default 0,
  total_points_earned numeric(18,4) not null default 0,
  total_brokerage numeric(14,2) not null default 0,
  total_places integer not null default 0,
  cycle_no integer not null default 0,
  cycle_plan_version integer,
  cycle_is_open boolean not null default false,
  own_orders integer not null default 0,
  direct_orders integer not null default 0,
  umbrella_orders integer not null default 0,
  direct_members integer not null default 0,
  umbrella_members integer not null default 0,
  constraint frozen_points_are_not_negative check (frozen_points >= 0),
  constraint counters_are_not_negative check (
    least(own_orders, direct_orders, umbrella_orders, direct_members, umbrella_members, total_places, cycle_no) >= 0
  ),
  constraint a_cycle_has_a_plan check ((cycle_no = 0) = (cycle_plan_version is null)),
  constraint only_an_opened_cycle_is_open check (cycle_no > 0 or not cycle_is_open)
) with (fillfactor = 45);
comment on table app.user_balances is
  'Balances, which equal those of the member''s last bill row, task counts, and the open cycle. Task counts of members at the '
  'top grade are not maintained.';
comment on column app.user_balances.brokerage_price is 'Current balance of commission.';
comment on column app.user_balances.total_points_earned is 'Sum of all granted points, less reversals.';
comment on column app.user_balances.total_brokerage is 'Sum of all commission, less reversals.';
comment on column app.user_balances.total_places is 'Places taken in all cycles, less places freed.';

alter table app.user_balances enable row level security;
grant select on app.user_balances to authenticated, store_admin, service_role;

-- sql/2_tables/06_products.sql
create table app.products (
  id bigint generated always as identity primary key,
  title text not null,
  price numeric(14,2) not null,
  freight numeric(14,2) not null default 0,
  is_queue_goods boolean not null default false,
  is_show boolean not null default true,
  images text[] not null default '{}',
  description text not null default '',
  stock bigint,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_visible(title)),
  constraint price_is_between_0_and_a_million check (price between 0 and 1000000),
  constraint freight_is_between_0_and_a_million check (freight between 0 and 1000000),
  constraint a_product_has_at_most_12_images check (cardinality(images) <= 12),
  constraint images_are_web_addresses_of_at_most_1000_characters check (app.are_web_addresses(images, 1000)),
  constraint description_has_at_most_20000_characters check (char_length(description) <= 20000),
  constraint stock_is_not_negative check (stock >= 0)
);
comment on table app.products is
  'Products. is_queue_goods marks queue goods, whose orders pay commission and points (R1). It is copied onto order lines, so a '
  'change never affects earlier orders.';
comment on column app.products.stock is 'Units that can still be ordered; null: unlimited.';

alter table app.products enable row level security;
create policy everyone_reads_products_on_sale on app.products for select to anon, authenticated using (is_show and not is_del);
create policy admins_read_all_products on app.products for select to store_admin, service_role using (true);
grant select on app.products to anon, authenticated, store_admin, service_role;

-- sql/2_tables/07_commission_plans.sql
create table app.commission_plans (
  version integer generated always as identity primary key,
  people_per_cycle smallint not null,
  tier_ratios numeric(6,5)[] not null,
  brokerage_scope text not null,
  brokerage_timing text not null,
  points_per_brokerage numeric(10,4) not null default 1,
  max_depth integer,
  payout_cap numeric(6,5) not null default 1,
  minimum_base numeric(14,2) not null default 0.01,
  holding_days smallint not null default 7,
  created_by uuid,
  created_at timestamptz not null default now(),
  constraint people_per_cycle_is_between_1_and_100 check (people_per_cycle between 1 and 100),
  constraint there_is_one_ratio_per_person check (
    array_ndims(tier_ratios) = 1 and array_lower(tier_ratios, 1) = 1 and cardinality(tier_ratios) = people_per_cycle
  ),
  constraint no_ratio_is_missing check (array_position(tier_ratios, null) is null),
  constraint every_ratio_is_between_0_and_the_payout_cap check (0 <= all (tier_ratios) and payout_cap >= all (tier_ratios)),
  constraint payout_cap_is_between_0_and_1 check (payout_cap between 0 and 1),
  constraint minimum_base_is_between_a_cent_and_a_million check (minimum_base between 0.01 and 1000000),
  constraint holding_days_is_between_0_and_365 check (holding_days between 0 and 365),
  constraint scope_is_known check (brokerage_scope in ('direct', 'umbrella')),
  constraint timing_is_known check (brokerage_timing in ('on_pay', 'confirm')),
  constraint points_per_brokerage_is_between_0_and_100 check (points_per_brokerage between 0 and 100),
  constraint max_depth_is_positive check (max_depth > 0)
);
comment on table app.commission_plans is 'Append-only versions of the commission plan. The newest is in force.';
comment on column app.commission_plans.people_per_cycle is 'Number of places in a cycle.';
comment on column app.commission_plans.tier_ratios is 'Share of the base that each place pays.';
comment on column app.commission_plans.brokerage_timing is
  'When an order is settled: on_pay (at payment) or confirm (at receipt) (R2).';
comment on column app.commission_plans.points_per_brokerage is 'Points for each 1.00 of commission.';
comment on column app.commission_plans.max_depth is
  'The highest depth at which members of the upline get points by level or can earn the commission; null: no limit.';
comment on column app.commission_plans.payout_cap is 'Highest rate that the plan pays.';
comment on column app.commission_plans.holding_days is
  'Days until commission matures, from the later of receipt and settlement of the order.';

alter table app.commission_plans enable row level security;
create policy everyone_reads_plans on app.commission_plans for select to authenticated, store_admin, service_role using (true);
grant select on app.commission_plans to authenticated, store_admin, service_role;

-- sql/2_tables/08_orders.sql
create sequence app.order_no_seq;
comment on sequence app.order_no_seq is 'The last digits of app.orders.order_no.';

create table app.orders (
  id bigint generated always as identity primary key,
  order_no text not null unique,
  uid bigint not null references app.users (uid),
  referrer_uid bigint references app.users (uid),
  state text not null default 'unpaid',
  total_price numeric(14,2) not null,
  discount numeric(14,2) not null default 0,
  freight numeric(14,2) not null default 0,
  paid_by_points numeric(14,2) not null default 0,
  points_spent numeric(18,4) not null default 0,
  points_left numeric(18,4) not null default 0,
  pay_price numeric(14,2) not null,
  has_queue_goods boolean not null,
  queue_base numeric(14,2) not null,
  queue_units integer not null,
  below_minimum boolean not null default false,
  refund_status smallint not null default 0,
  plan_version integer references app.commission_plans (version),
  pay_type text,
  pay_ref text,
  paid_at timestamptz,
  delivered_at timestamptz,
  received_at timestamptz,
  cancelled_at timestamptz,
  is_expired boolean not null default false,
  address jsonb,
  remark text not null default '',
  carrier text,
  tracking_no text,
  add_time timestamptz not null default now(),
  is_imported boolean not null default false,
  constraint state_is_known check (state in ('unpaid', 'paid', 'delivered', 'received', 'cancelled')),
  constraint amounts_are_not_negative check (least(total_price, discount, freight, paid_by_points, pay_price, queue_base) >= 0 and queue_units >= 0),
  constraint pay_price_is_total_less_discount_and_points_plus_freight check (pay_price = total_price - discount - paid_by_points + freight),
  constraint points_are_spent_iff_they_pay check ((points_spent > 0) = (paid_by_points > 0)),
  constraint points_left_are_within_points_spent check (points_left between 0 and points_spent),
  constraint a_cancelled_order_has_returned_its_points check (state <> 'cancelled' or points_left = 0),
  constraint queue_base_needs_queue_goods check (has_queue_goods or (queue_base = 0 and queue_units = 0)),
  constraint only_a_paid_order_with_queue_goods_is_below_the_minimum check (not below_minimum or (paid_at is not null and has_queue_goods)),
  constraint nobody_refers_their_own_order check (referrer_uid <> uid),
  constraint refund_status_is_known check (refund_status between 0 and 3),
  constraint only_a_paid_order_has_a_refund check (refund_status = 0 or paid_at is not null),
  constraint paid_at_iff_paid check ((paid_at is not null) = (state in ('paid', 'delivered', 'received'))),
  constraint payment_details_iff_paid check (
    (paid_at is null) = (pay_type is null) and (paid_at is null) = (pay_ref is null) and (paid_at is null) = (plan_version is null)
  ),
  constraint delivered_at_needs_payment check (delivered_at is null or paid_at is not null),
  constraint an_imported_order_is_never_unpaid check (not is_imported or state <> 'unpaid'),
  constraint received_at_iff_received check ((received_at is not null) = (state = 'received')),
  constraint cancelled_at_iff_cancelled check ((cancelled_at is not null) = (state = 'cancelled')),
  constraint only_a_cancelled_order_has_expired check (not is_expired or state = 'cancelled'),
  constraint address_is_complete check (app.is_address(address)),
  constraint remark_has_at_most_500_characters check (char_length(remark) <= 500),
  constraint only_a_delivered_order_has_a_carrier check (delivered_at is not null or (carrier is null and tracking_no is null)),
  constraint carrier_is_a_short_text check (char_length(carrier) <= 64 and app.is_visible(carrier)),
  constraint tracking_no_is_a_short_text check (char_length(tracking_no) <= 64 and app.is_visible(tracking_no))
);
comment on table app.orders is 'Orders of members.';
comment on column app.orders.referrer_uid is 'The buyer''s referrer when the order was made.';
comment on column app.orders.paid_by_points is 'What points paid of the price. pay_price is what is left to pay in money.';
comment on column app.orders.points_spent is 'The points that were taken when the order was placed.';
comment on column app.orders.points_left is 'What is left of points_spent after refunds; 0 if the order was cancelled.';
comment on column app.orders.queue_base is
  'What is left of the price of the queue goods, after discounts and refunds and without freight.';
comment on column app.orders.queue_units is 'What is left of the units of queue goods after refunds.';
comment on column app.orders.below_minimum is
  'The base at payment was below minimum_base of the plan: the order pays no commission and no points and counts for no task.';
comment on column app.orders.refund_status is '0 none, 1 requested, 2 refunded, 3 partly refunded (R8).';
comment on column app.orders.is_expired is 'Whether the order was cancelled because it was not paid in time, and not by its buyer.';
comment on column app.orders.address is 'Where the order goes, copied when it was placed (see app.is_address).';
comment on column app.orders.remark is 'What the buyer wrote to the store.';
comment on column app.orders.plan_version is
  'The plan in force at payment, by which the order is settled; for an imported order, the plan in force at the import.';
comment on column app.orders.is_imported is
  'The order was placed in the previous system. It counts like any other order and never pays anybody.';

-- One payment reference pays one order.
create unique index orders_payment_is_used_once on app.orders (pay_type, pay_ref) where pay_ref is not null;
create index orders_uid_idx on app.orders (uid, id);
-- For the foreign key: claims delete members.
create index orders_referrer_uid_idx on app.orders (referrer_uid) where referrer_uid is not null;
-- For app.limit_unpaid_orders.
create index orders_unpaid_idx on app.orders (uid) where state = 'unpaid';
-- For app.expired_orders and app.orders_to_receive.
create index orders_unpaid_age_idx on app.orders (add_time) where state = 'unpaid';
create index orders_delivered_idx on app.orders (delivered_at) where state = 'delivered';
-- For app.find_orders, which searches by the end of the number.
create index orders_end_of_number_idx on app.orders (reverse(order_no) text_pattern_ops);
-- For app.overview_days.
create index orders_paid_at_idx on app.orders (paid_at) where paid_at is not null;
-- For R4, which needs the earliest reported order of a member.
create index orders_reported_idx on app.orders (uid, paid_at) where paid_at is not null and queue_units > 0 and refund_status <> 2 and not below_minimum;

alter table app.orders enable row level security;
grant select on app.orders to authenticated, store_admin, service_role;

-- sql/2_tables/09_order_lines.sql
create table app.order_lines (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  product_id bigint not null references app.products (id),
  title text not null,
  price numeric(14,2) not null,
  quantity integer not null,
  discount numeric(14,2) not null default 0,
  paid_by_points numeric(14,2) not null default 0,
  points numeric(18,4) not null default 0,
  paid numeric(14,2) not null,
  is_queue_goods boolean not null,
  refunded_quantity integer not null default 0,
  stock_taken integer not null default 0,
  constraint quantity_is_between_1_and_9999 check (quantity between 1 and 9999),
  constraint price_is_not_negative check (price >= 0),
  constraint discount_is_within_the_price check (discount between 0 and price * quantity),
  constraint paid_is_price_times_quantity_less_discount_and_points check (paid = price * quantity - discount - paid_by_points),
  constraint paid_by_points_is_within_the_price check (paid_by_points >= 0 and paid >= 0),
  constraint points_are_taken_iff_they_pay check (points >= 0 and (points > 0) = (paid_by_points > 0)),
  constraint queue_goods_are_never_paid_by_points check (not is_queue_goods or paid_by_points = 0),
  constraint refunded_quantity_is_within_quantity check (refunded_quantity between 0 and quantity),
  constraint stock_taken_is_within_quantity check (stock_taken between 0 and quantity)
);
comment on table app.order_lines is
  'Lines of an order. Title, price and the queue-goods flag are copied from the product when the order is made.';
comment on column app.order_lines.paid_by_points is 'What points paid of the line.';
comment on column app.order_lines.points is 'The points that were taken for the line.';
comment on column app.order_lines.paid is 'Price times quantity less discount and less what points paid, without freight.';
comment on column app.order_lines.stock_taken is
  'Units that the line took from a limited stock and has not given back.';

create index order_lines_order_id_idx on app.order_lines (order_id);
create index order_lines_product_id_idx on app.order_lines (product_id);

alter table app.order_lines enable row level security;
grant select on app.order_lines to authenticated, store_admin, service_role;

-- sql/2_tables/10_settlements.sql
create table app.settlements (
  order_id bigint primary key references app.orders (id),
  position bigint not null,
  state text not null,
  uid bigint not null references app.users (uid),
  referrer_uid bigint references app.users (uid),
  order_plan_version integer not null references app.commission_plans (version),
  level_version integer not null references app.level_versions (version),
  plan_in_force integer not null references app.commission_plans (version),
  brokerage_scope text not null,
  base numeric(14,2) not null,
  units integer not null,
  earner_uid bigint references app.users (uid),
  eligible_since timestamptz,
  cycle_no integer,
  place smallint,
  cycle_plan_version integer references app.commission_plans (version),
  ratio numeric(6,5),
  rate numeric(6,5),
  commission numeric(14,2) not null default 0,
  commission_points numeric(18,4) not null default 0,
  reason text,
  place_freed_at timestamptz,
  place_freed_position bigint,
  settled_at timestamptz not null,
  constraint state_is_known check (state in ('settled', 'refunded', 'imported')),
  constraint scope_is_known check (brokerage_scope in ('direct', 'umbrella')),
  constraint an_earner_has_a_place check (
    num_nonnulls(earner_uid, eligible_since, cycle_no, place, cycle_plan_version, ratio, rate) in (0, 7)
  ),
  constraint the_rate_is_at_most_the_ratio check (rate <= ratio),
  constraint a_reason_iff_nobody_earned check ((reason is null) = (earner_uid is not null)),
  constraint reason_is_known check (
    reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'referrer_not_eligible', 'nobody_eligible', 'imported')
  ),
  constraint an_imported_order_settles_as_imported check ((state = 'imported') = coalesce(reason = 'imported', false)),
  constraint a_refunded_order_settles_for_nothing check (state = 'settled' or earner_uid is null),
  constraint only_an_earner_is_paid check (earner_uid is not null or (commission = 0 and commission_points = 0)),
  constraint only_a_place_is_freed check (earner_uid is not null or place_freed_at is null),
  constraint a_freed_place_has_a_position check ((place_freed_at is null) = (place_freed_position is null))
);
comment on column app.settlements.position is
  'Position of the decision in app.positions: with it, the state that it was made from can be restored.';
comment on column app.settlements.eligible_since is 'Payment of the own reported order that made the earner eligible (R4).';
comment on column app.settlements.rate is
  'The share of the base that was paid: the least of the ratio of the place, the payout cap of the cycle''s plan and the payout '
  'cap of plan_in_force.';
comment on table app.settlements is
  'The settlement of an order (R10): earner, cycle, place, ratio and commission, or the reason why nobody earned. It is also '
  'the record of the place that the order took.';

-- A place has at most one order, unless refunds have freed it.
create unique index settlements_one_live_order_per_place on app.settlements (earner_uid, cycle_no, place)
  where earner_uid is not null and place_freed_at is null;
create index settlements_uid_idx on app.settlements (uid);
-- For the foreign keys: claims delete members.
create index settlements_referrer_uid_idx on app.settlements (referrer_uid) where referrer_uid is not null;
create index settlements_earner_uid_idx on app.settlements (earner_uid) where earner_uid is not null;

alter table app.settlements enable row level security;
grant select on app.settlements to authenticated, store_admin, service_role;

-- sql/2_tables/11_adjustments.sql
create table app.adjustments (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  brokerage_delta numeric(14,2) not null default 0,
  frozen_delta numeric(18,4) not null default 0,
  available_delta numeric(18,4) not null default 0,
  reason text not null,
  state text not null,
  created_by uuid,
  add_time timestamptz not null,
  decided_by uuid,
  decided_at timestamptz,
  constraint something_is_adjusted check (num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0),
  constraint reason_is_a_short_text check (char_length(reason) between 1 and 500 and app.is_visible(reason)),
  constraint state_is_known check (state in ('waiting', 'booked', 'refused')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'waiting'))
);
comment on table app.adjustments is
  'Corrections of balances by administrators, each with a reason. Above a limit, a second administrator must approve it before it is booked.';
comment on column app.adjustments.decided_by is
  'The administrator who approved or refused it; below the limit, the one who made it. Null if the owner of the database did.';

create index adjustments_uid_idx on app.adjustments (uid, id);
create index adjustments_waiting_idx on app.adjustments (id) where state = 'waiting';

alter table app.adjustments enable row level security;
grant select on app.adjustments to store_admin, service_role;

-- sql/2_tables/11_commission_maturities.sql
create table app.commission_maturities (
  order_id bigint primary key references app.settlements (order_id),
  uid bigint not null references app.users (uid),
  amount_left numeric(14,2) not null,
  matures_at timestamptz,
  constraint amount_left_is_not_negative check (amount_left >= 0)
);
comment on table app.commission_maturities is
  'When the commission of an order matures, so that the earner can withdraw it. An order pays one commission, so the order '
  'identifies the bill row. Commission without a row, such as that of an opening balance, has matured.';
comment on column app.commission_maturities.amount_left is 'The commission less what refunds took back.';
comment on column app.commission_maturities.matures_at is 'Null until the receipt of the order is confirmed (see app.matures_at).';

-- For app.maturing.
create index commission_maturities_uid_idx on app.commission_maturities (uid, matures_at);

alter table app.commission_maturities enable row level security;
grant select on app.commission_maturities to authenticated, store_admin, service_role;

-- sql/2_tables/11_payout_accounts.sql
create table app.payout_accounts (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  method text not null,
  holder text not null,
  account_no text not null,
  bank text,
  add_time timestamptz not null,
  deleted_at timestamptz,
  constraint method_is_known check (method in ('bank', 'alipay')),
  constraint texts_are_short check (
    char_length(holder) between 1 and 64 and app.is_visible(holder) and char_length(account_no) between 4 and 64 and app.is_visible(account_no)
    and char_length(bank) between 1 and 64 and app.is_visible(bank)
  ),
  constraint only_a_bank_account_has_a_bank check ((bank is not null) = (method = 'bank'))
);
comment on table app.payout_accounts is
  'Accounts at a bank or at Alipay to which members withdraw commission. Personal: no client role can read it; members and most '
  'administrators see the numbers masked.';
comment on column app.payout_accounts.deleted_at is
  'When the member deleted the account. The row stays if a withdrawal names it, because it says where money was paid, until the '
  'account of the member is deleted (app.forget_person).';

create unique index payout_accounts_are_added_once on app.payout_accounts (uid, method, account_no, holder, coalesce(bank, '')) where deleted_at is null;

alter table app.payout_accounts enable row level security;

-- sql/2_tables/11_settlement_jobs.sql
create table app.settlement_jobs (
  order_id bigint primary key references app.orders (id),
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  constraint state_is_known check (state in ('waiting', 'dead')),
  constraint attempts_are_not_negative check (attempts >= 0)
);
comment on table app.settlement_jobs is
  'Paid orders that wait for their settlement (R2). The transaction that pays writes the job, and the one that settles deletes '
  'it.';
comment on column app.settlement_jobs.state is 'waiting, or dead if the settlement failed for good.';

create index settlement_jobs_due_idx on app.settlement_jobs (run_after, order_id) where state = 'waiting';

alter table app.settlement_jobs enable row level security;
create policy admins_read_jobs on app.settlement_jobs for select to store_admin, service_role using (true);
grant select on app.settlement_jobs to store_admin, service_role;

-- sql/2_tables/11_withdrawal_batches.sql
create table app.withdrawal_batches (
  id bigint generated always as identity primary key,
  batch_no text not null generated always as ('B' || lpad(id::text, 8, '0')) stored unique,
  method text not null,
  withdrawals integer not null,
  amount numeric(16,2) not null,
  created_by uuid,
  add_time timestamptz not null,
  constraint method_is_known check (method in ('bank', 'alipay')),
  constraint a_batch_has_1_to_10000_withdrawals check (withdrawals between 1 and 10000),
  constraint amount_is_positive check (amount > 0)
);
comment on table app.withdrawal_batches is
  'Withdrawals that were given to a bank or to Alipay together, in one file. A batch never changes; its withdrawals end one by one.';
comment on column app.withdrawal_batches.amount is 'What the bank pays: the amounts of the withdrawals less their fees.';
comment on column app.withdrawal_batches.created_by is 'The Auth account of the administrator; null: the owner of the database.';

alter table app.withdrawal_batches enable row level security;
create policy admins_read_withdrawal_batches on app.withdrawal_batches for select to store_admin, service_role using (true);
grant select on app.withdrawal_batches to store_admin, service_role;

-- sql/2_tables/11_withdrawals.sql
create sequence app.withdrawal_no_seq;
comment on sequence app.withdrawal_no_seq is 'The last digits of app.withdrawals.withdrawal_no.';

create table app.withdrawals (
  id bigint generated always as identity primary key,
  withdrawal_no text not null unique,
  uid bigint not null references app.users (uid),
  method text not null,
  account_id bigint references app.payout_accounts (id) on delete set null,
  account_hint text not null,
  amount numeric(14,2) not null,
  fee numeric(14,2) not null,
  state text not null default 'requested',
  reason text,
  payment_ref text,
  batch_id bigint references app.withdrawal_batches (id),
  add_time timestamptz not null,
  approved_at timestamptz,
  paying_at timestamptz,
  ended_at timestamptz,
  constraint withdrawal_no_has_at_most_32_characters check (withdrawal_no ~ '^[0-9A-Z]{6,32}$'),
  constraint method_is_known check (method in ('bank', 'alipay', 'wechat')),
  constraint only_a_bank_or_alipay_withdrawal_has_an_account check (method <> 'wechat' or account_id is null),
  constraint account_hint_is_a_short_text check (char_length(account_hint) <= 80),
  constraint fee_is_less_than_the_amount check (fee >= 0 and fee < amount),
  constraint state_is_known check (state in ('requested', 'approved', 'paying', 'paid', 'refused', 'failed')),
  constraint ended_at_iff_ended check ((ended_at is not null) = (state in ('paid', 'refused', 'failed'))),
  constraint approved_at_iff_approved check (
    case state when 'requested' then approved_at is null when 'refused' then true else approved_at is not null end
  ),
  constraint paying_at_needs_approval check (paying_at is null or approved_at is not null),
  constraint only_what_a_bank_was_told_to_pay_is_in_a_batch check (batch_id is null or (paying_at is not null and method <> 'wechat')),
  constraint a_reason_iff_not_paid check ((reason is not null) = (state in ('refused', 'failed'))),
  constraint only_a_paid_withdrawal_has_a_payment_ref check (payment_ref is null or state = 'paid'),
  constraint texts_are_short check (char_length(reason) between 1 and 500 and char_length(payment_ref) between 1 and 128)
);
comment on table app.withdrawals is
  'Withdrawals of commission. The amount leaves the balance when the member requests it, and returns if the withdrawal is refused '
  'or fails. The member receives the amount less the fee.';
comment on column app.withdrawals.withdrawal_no is 'Names the payment at a bank or a provider. The same number is never paid twice.';
comment on column app.withdrawals.account_id is 'Null for wechat, and for a member whose account was deleted (app.forget_person).';
comment on column app.withdrawals.account_hint is 'The bank and the masked number; empty for a member whose account was deleted.';
comment on column app.withdrawals.state is
  'requested; approved by an administrator; paying, if a bank or a provider was told to pay and has not said how it ended; paid, '
  'refused or failed at the end.';
comment on column app.withdrawals.reason is 'Why it was refused or failed.';

create unique index withdrawals_one_is_open on app.withdrawals (uid) where state in ('requested', 'approved', 'paying');
create index withdrawals_uid_idx on app.withdrawals (uid, id);
create index withdrawals_state_idx on app.withdrawals (state, id);
create index withdrawals_batch_id_idx on app.withdrawals (batch_id, id) where batch_id is not null;
create index withdrawals_account_id_idx on app.withdrawals (account_id) where account_id is not null;

alter table app.withdrawals enable row level security;
grant select on app.withdrawals to authenticated, store_admin, service_role;

-- sql/2_tables/12_closed_months.sql
create table app.closed_months (
  month date primary key,
  begins_at timestamptz not null,
  ends_at timestamptz not null,
  sums jsonb not null,
  closed_at timestamptz not null,
  closed_by uuid,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint it_was_over check (begins_at < ends_at and ends_at <= closed_at),
  constraint sums_is_an_array check (jsonb_typeof(sums) = 'array')
);
comment on table app.closed_months is
  'Append-only. Months whose sums are final: no bill row can be dated into them (app.forbid_late_rows).';
comment on column app.closed_months.begins_at is 'The month in the time zone that the store had when it was closed.';
comment on column app.closed_months.sums is 'The sums of the bill rows for each type and source (app.bill_sums).';
comment on column app.closed_months.closed_by is 'The administrator; null: the owner of the database.';

alter table app.closed_months enable row level security;
create policy admins_read_closed_months on app.closed_months for select to store_admin, service_role using (true);
grant select on app.closed_months to store_admin, service_role;

-- sql/2_tables/12_user_bill.sql
create sequence app.user_bill_id_seq;

create table app.user_bill (
  id bigint not null default nextval('app.user_bill_id_seq'),
  uid bigint not null references app.users (uid),
  type text not null,
  source text not null,
  brokerage_delta numeric(14,2) not null default 0,
  frozen_delta numeric(18,4) not null default 0,
  available_delta numeric(18,4) not null default 0,
  brokerage_after numeric(14,2) not null,
  frozen_after numeric(18,4) not null,
  available_after numeric(18,4) not null,
  order_id bigint references app.orders (id),
  basis numeric(18,4),
  rate numeric(18,5),
  agent_level smallint,
  passed_on numeric(18,4),
  reverses_id bigint,
  withdrawal_id bigint references app.withdrawals (id),
  adjustment_id bigint references app.adjustments (id),
  add_time timestamptz not null,
  primary key (add_time, id),
  -- R12: the list of types is closed. It has none for the public queue, a rule of the earlier system.
  constraint type_is_known check (
    type in (
      'brokerage', 'brokerage_reversal', 'frozen_points_brokerage', 'frozen_points_reversal', 'frozen_points_release', 'opening_balance',
      'withdrawal', 'withdrawal_returned', 'points_spent', 'points_returned', 'adjustment'
    )
  ),
  constraint source_is_known check (
    source in ('cycle', 'direct', 'umbrella', 'release', 'import', 'withdrawal', 'checkout', 'adjustment')
  ),
  constraint brokerage_only_adds_money check (
    type <> 'brokerage' or (brokerage_delta > 0 and frozen_delta = 0 and available_delta = 0 and source = 'cycle')
  ),
  constraint frozen_points_brokerage_only_adds_frozen_points check (
    type <> 'frozen_points_brokerage' or (brokerage_delta = 0 and frozen_delta > 0 and available_delta = 0 and source in ('cycle', 'direct', 'umbrella'))
  ),
  constraint frozen_points_release_moves_frozen_to_available check (
    type <> 'frozen_points_release'
    or (brokerage_delta = 0 and frozen_delta < 0 and available_delta = -frozen_delta and source = 'release' and order_id is null)
  ),
  constraint brokerage_reversal_only_takes_money check (
    type <> 'brokerage_reversal' or (brokerage_delta < 0 and frozen_delta = 0 and available_delta = 0)
  ),
  constraint frozen_points_reversal_only_takes_points check (
    type <> 'frozen_points_reversal'
    or (brokerage_delta = 0 and frozen_delta <= 0 and available_delta <= 0 and frozen_delta + available_delta < 0)
  ),
  constraint an_opening_balance_is_what_a_member_brought check (
    (type = 'opening_balance') = (source = 'import')
    and (type <> 'opening_balance' or (
      order_id is null and frozen_delta >= 0 and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
      and (brokerage_after, frozen_after, available_after) = (brokerage_delta, frozen_delta, available_delta)
    ))
  ),
  constraint a_withdrawal_moves_money_out_or_back check (
    (withdrawal_id is not null) = (source = 'withdrawal') and (type in ('withdrawal', 'withdrawal_returned')) = (source = 'withdrawal')
    and (source <> 'withdrawal' or (
      case type when 'withdrawal' then brokerage_delta < 0 else brokerage_delta > 0 end
      and frozen_delta = 0 and available_delta = 0 and order_id is null
    ))
  ),
  constraint points_pay_part_of_an_order_or_return check (
    (type in ('points_spent', 'points_returned')) = (source = 'checkout')
    and (source <> 'checkout' or (
      case type when 'points_spent' then available_delta < 0 else available_delta > 0 end and brokerage_delta = 0 and frozen_delta = 0
    ))
  ),
  constraint an_adjustment_names_its_record check (
    (adjustment_id is not null) = (source = 'adjustment') and (type = 'adjustment') = (source = 'adjustment')
    and (source <> 'adjustment' or (
      order_id is null and num_nonnulls(nullif(brokerage_delta, 0), nullif(frozen_delta, 0), nullif(available_delta, 0)) > 0
    ))
  ),
  constraint a_reversal_names_what_it_reverses check ((reverses_id is not null) = (type in ('brokerage_reversal', 'frozen_points_reversal'))),
  constraint what_an_order_earned_names_the_order check (
    source in ('release', 'import', 'withdrawal', 'adjustment') or order_id is not null
  ),
  constraint a_grant_states_basis_and_rate check (
    type not in ('brokerage', 'frozen_points_brokerage', 'frozen_points_release') or (basis is not null and rate is not null)
  )
) partition by range (add_time);

alter sequence app.user_bill_id_seq owned by app.user_bill.id;
comment on table app.user_bill is
  'Append-only ledger, partitioned by month. A row holds the changes of the three balances of a member by one event, and the '
  'balances after it.';
comment on column app.user_bill.basis is 'A grant is round_down(basis x rate).';
comment on column app.user_bill.passed_on is 'R7: the highest umbrella points for each unit of the levels between the member and the buyer.';
comment on column app.user_bill.reverses_id is 'The bill row that this row reverses, in whole or in part.';
comment on column app.user_bill.withdrawal_id is 'The withdrawal that took the money or gave it back.';
comment on column app.user_bill.adjustment_id is 'The adjustment that changed the balances.';

-- Takes rows of a month without a partition. app.ensure_month_partitions creates partitions ahead of time.
create table app.user_bill_default partition of app.user_bill default;

create index user_bill_uid_idx on app.user_bill (uid, add_time, id);
create index user_bill_order_id_idx on app.user_bill (order_id) where order_id is not null;
create index user_bill_withdrawal_id_idx on app.user_bill (withdrawal_id) where withdrawal_id is not null;
create index user_bill_adjustment_id_idx on app.user_bill (adjustment_id) where adjustment_id is not null;
-- For app.overview_days, which needs the rows of orders. Most rows are releases.
create index user_bill_earned_idx on app.user_bill (add_time) where order_id is not null;

alter table app.user_bill enable row level security;
alter table app.user_bill_default enable row level security;
grant select on app.user_bill to authenticated, store_admin, service_role;

-- sql/2_tables/13_release_runs.sql
create table app.release_runs (
  release_date date primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  users integer not null default 0,
  points numeric(18,4) not null default 0,
  failures integer not null default 0,
  cuts integer not null default 0,
  last_error text,
  -- Missed days are counted from the first day that the daily job released. Runs for an explicit day do not set that start.
  is_named_only boolean not null default false,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint sums_are_not_negative check (users >= 0 and points >= 0 and failures >= 0 and cuts >= 0),
  constraint a_finished_day_has_no_failures check (finished_at is null or (failures = 0 and last_error is null))
);
comment on table app.release_runs is 'The release of a business day (R11): members, points, times and failures.';
comment on column app.release_runs.finished_at is 'When the release of all members was complete; null until then.';
comment on column app.release_runs.failures is
  'The number of members for whom the last completed run failed. The next run retries them.';
comment on column app.release_runs.cuts is 'Runs that were cut while they released this day, as the next run found (see app.job_runs).';
comment on column app.release_runs.is_named_only is
  'Whether the day has been released only by runs that were started for this day explicitly.';

alter table app.release_runs enable row level security;
create policy everyone_reads_runs on app.release_runs for select to authenticated, store_admin, service_role using (true);
grant select on app.release_runs to authenticated, store_admin, service_role;

-- sql/2_tables/14_points_release_log.sql
create sequence app.points_release_log_id_seq;

create table app.points_release_log (
  id bigint not null default nextval('app.points_release_log_id_seq'),
  uid bigint not null references app.users (uid),
  release_date date not null,
  frozen_before numeric(18,4) not null,
  release_points numeric(18,4) not null,
  frozen_after numeric(18,4) not null,
  add_time timestamptz not null,
  primary key (uid, release_date),
  constraint release_points_are_positive check (release_points > 0),
  constraint frozen_after_is_before_less_released check (frozen_after = frozen_before - release_points)
) partition by range (release_date);

alter sequence app.points_release_log_id_seq owned by app.points_release_log.id;
comment on table app.points_release_log is
  'The points that were released to each member on each business day, partitioned by month. The primary key makes a second '
  'release on a day impossible (R11).';

-- Takes rows of a month without a partition.
create table app.points_release_log_default partition of app.points_release_log default;

create index points_release_log_time_idx on app.points_release_log (add_time, id);

alter table app.points_release_log enable row level security;
alter table app.points_release_log_default enable row level security;
grant select on app.points_release_log to authenticated, store_admin, service_role;

-- sql/2_tables/15_level_changes.sql
create table app.level_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_level smallint not null,
  to_level smallint not null,
  from_held boolean not null default false,
  to_held boolean not null default false,
  reason text not null,
  order_id bigint references app.orders (id),
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  constraint reason_is_known check (reason in ('tasks', 'manual', 'imported')),
  constraint the_level_or_the_hold_changes check (from_level <> to_level or from_held <> to_held),
  constraint nobody_on_hold_rises check (reason <> 'tasks' or not (from_held or to_held)),
  constraint tasks_name_the_order check ((reason = 'tasks') = (order_id is not null))
);
comment on table app.level_changes is
  'Changes of members'' grades and holds (R5): by tasks (with the order), by hand (with the administrator), '
  'or by the import that brought the member.';
comment on column app.level_changes.changed_by is 'The Auth account of the administrator.';

create index level_changes_uid_idx on app.level_changes (uid, id);
create index level_changes_position_idx on app.level_changes (uid, position, id);
create index level_changes_order_id_idx on app.level_changes (order_id) where order_id is not null;

alter table app.level_changes enable row level security;
grant select on app.level_changes to authenticated, store_admin, service_role;

-- sql/2_tables/16_no_assess_changes.sql
create table app.no_assess_changes (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  from_value boolean not null,
  to_value boolean not null,
  changed_by uuid,
  position bigint not null default nextval('app.positions'),
  add_time timestamptz not null,
  constraint the_flag_changes check (from_value <> to_value)
);
comment on table app.no_assess_changes is
  'Changes of the no-assess flag (R9). changed_by is the Auth account of the administrator.';

create index no_assess_changes_uid_idx on app.no_assess_changes (uid, id);

alter table app.no_assess_changes enable row level security;
create policy admins_read_no_assess_changes on app.no_assess_changes for select to store_admin, service_role using (true);
grant select on app.no_assess_changes to store_admin, service_role;

-- sql/2_tables/17_article_categories.sql
create table app.article_categories (
  id bigint generated always as identity primary key,
  title text not null,
  is_sign_in_ad boolean not null default false,
  hidden boolean not null default false,
  is_del boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 100 and app.is_visible(title))
);
comment on table app.article_categories is 'Article categories. The sign-in gate draws from the category with is_sign_in_ad.';

create unique index article_categories_one_is_for_sign_in on app.article_categories (is_sign_in_ad) where is_sign_in_ad and not is_del;

alter table app.article_categories enable row level security;
create policy everyone_reads_visible_categories on app.article_categories for select to anon, authenticated using (not hidden and not is_del);
create policy admins_read_all_categories on app.article_categories for select to store_admin, service_role using (true);
grant select on app.article_categories to anon, authenticated, store_admin, service_role;

-- sql/2_tables/18_articles.sql
create table app.articles (
  id bigint generated always as identity primary key,
  cid bigint not null references app.article_categories (id),
  title text not null,
  author text not null default '',
  image_input text not null default '',
  synopsis text not null default '',
  content text not null default '',
  url text not null default '',
  status smallint not null default 1,
  is_del smallint not null default 0,
  hidden smallint not null default 0,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by uuid,
  constraint title_is_a_short_text check (char_length(title) <= 200 and app.is_visible(title)),
  constraint url_is_of_http_or_relative check (app.is_link(url) and char_length(url) <= 500),
  constraint image_is_of_http_or_relative check (app.is_link(image_input) and char_length(image_input) <= 500),
  constraint status_is_0_or_1 check (status in (0, 1)),
  constraint is_del_is_0_or_1 check (is_del in (0, 1)),
  constraint hidden_is_0_or_1 check (hidden in (0, 1))
);
comment on table app.articles is 'Articles. An article may be read if status is 1, is_del is 0 and hidden is 0.';
comment on column app.articles.cid is 'The category.';

create index articles_eligible_idx on app.articles (cid, id) where status = 1 and is_del = 0 and hidden = 0;
create index articles_cid_idx on app.articles (cid, id);

alter table app.articles enable row level security;
create policy everyone_reads_published_articles on app.articles for select to anon, authenticated
  using (status = 1 and is_del = 0 and hidden = 0);
create policy admins_read_all_articles on app.articles for select to store_admin, service_role using (true);
grant select on app.articles to anon, authenticated, store_admin, service_role;

-- sql/2_tables/20_refunds.sql
create table app.refunds (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  state text not null,
  refund_ref text,
  reason text not null default '',
  amount numeric(14,2) not null,
  points numeric(18,4) not null default 0,
  created_at timestamptz not null,
  decided_at timestamptz,
  position bigint not null default nextval('app.positions'),
  decided_position bigint,
  names_units boolean not null default false,
  constraint state_is_known check (state in ('requested', 'refused', 'refunded')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'requested')),
  constraint decided_position_iff_decided check ((decided_position is null) = (state = 'requested')),
  constraint reason_is_a_short_text check (char_length(reason) <= 500),
  constraint refund_ref_is_a_short_text check (char_length(refund_ref) between 1 and 128),
  constraint amount_is_not_negative check (amount >= 0),
  constraint points_are_not_negative check (points >= 0)
);
comment on table app.refunds is 'Refunds of orders: requested, refused or refunded.';
comment on column app.refunds.amount is 'What the refunded units cost, without freight and without what points paid.';
comment on column app.refunds.points is 'The points that the refunded units return to the buyer.';
comment on column app.refunds.names_units is
  'Whether the caller named the units when the refund was carried out. Otherwise the units are those of the request, or all that '
  'was left.';

create unique index refunds_one_request_at_a_time on app.refunds (order_id) where state = 'requested';
create unique index refunds_ref_is_used_once on app.refunds (order_id, refund_ref);
create index refunds_order_id_idx on app.refunds (order_id, id);

alter table app.refunds enable row level security;
grant select on app.refunds to authenticated, store_admin, service_role;

-- sql/2_tables/21_refund_lines.sql
create table app.refund_lines (
  refund_id bigint not null references app.refunds (id),
  line_id bigint not null references app.order_lines (id),
  quantity integer not null,
  primary key (refund_id, line_id),
  constraint quantity_is_positive check (quantity > 0)
);
comment on table app.refund_lines is 'Units of an order line that a refund names.';

create index refund_lines_line_id_idx on app.refund_lines (line_id);

alter table app.refund_lines enable row level security;
grant select on app.refund_lines to authenticated, store_admin, service_role;

-- sql/2_tables/22_reconcile_runs.sql
create table app.reconcile_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  findings integer not null default 0,
  sample jsonb not null default '[]',
  cuts integer not null default 0,
  check_no integer not null default 1,
  next_key bigint not null default 0,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint counts_are_not_negative check (findings >= 0 and cuts >= 0),
  constraint a_sample_has_at_most_a_hundred_findings check (jsonb_array_length(sample) <= 100)
);
comment on table app.reconcile_runs is 'Results of app.reconcile(): the number of findings and the first hundred of them.';
comment on column app.reconcile_runs.finished_at is 'When all checks had run; null until then.';
comment on column app.reconcile_runs.cuts is 'Runs that were cut during this reconciliation, as the next run found (see app.job_runs).';
comment on column app.reconcile_runs.check_no is 'The check of app.reconcile_checks() that comes next.';
comment on column app.reconcile_runs.next_key is 'The member, order or day with which that check continues.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;

-- sql/2_tables/23_article_pool.sql
-- Every category has slots, so that moving the sign-in flag or hiding a category changes no row here.
create table app.article_pool (
  cid bigint not null,
  slot bigint not null,
  article_id bigint not null,
  primary key (cid, slot) include (article_id),
  constraint slots_start_at_one check (slot >= 1)
);
comment on table app.article_pool is
  'Articles that may be read. Each has a slot: a number from 1 to n, without gaps, in its category. A random slot therefore '
  'gives a random article. Triggers on app.articles maintain the pool.';

create unique index article_pool_article_is_in_once on app.article_pool (article_id) include (cid, slot);

alter table app.article_pool enable row level security;
create policy everyone_reads_the_article_pool on app.article_pool for select to anon, authenticated, store_admin, service_role using (true);
grant select on app.article_pool to anon, authenticated, store_admin, service_role;

-- sql/2_tables/23_article_pool_guard.sql
create table app.article_pool_guard (
  id boolean primary key default true,
  changed_in bigint not null default 0,
  constraint there_is_only_one_row check (id)
);
comment on table app.article_pool_guard is
  'The row that a transaction updates before it changes the article pool (app.lock_article_pool). changed_in is the last '
  'transaction that did.';

alter table app.article_pool_guard enable row level security;
create policy admins_read_the_article_pool_guard on app.article_pool_guard for select to store_admin, service_role using (true);
grant select on app.article_pool_guard to store_admin, service_role;

-- sql/2_tables/23_scheduled_jobs.sql
create table app.scheduled_jobs (
  name text primary key,
  position smallint generated always as identity,
  title text not null,
  title_zh text not null,
  command text not null,
  schedule text not null,
  preset text not null,
  is_active boolean not null default true,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  constraint name_is_a_word check (name ~ '^[a-z][a-z0-9_]{0,62}$')
);
comment on table app.scheduled_jobs is
  'Scheduled jobs. schedule and preset are cron expressions in the time zone of the store; app.apply_schedule passes them to '
  'pg_cron. position is the order in which they are listed.';
comment on column app.scheduled_jobs.preset is 'The schedule of a new store.';

alter table app.scheduled_jobs enable row level security;
create policy admins_read_schedule on app.scheduled_jobs for select to store_admin, service_role using (true);
grant select on app.scheduled_jobs to store_admin, service_role;

-- sql/2_tables/24_payment_notifications.sql
-- Of a notification that could not be verified only the provider and the reason are kept (app.record_unverified).
create table app.payment_notifications (
  id bigint generated always as identity primary key,
  provider text not null,
  event_id text,
  order_id bigint references app.orders (id),
  order_no text,
  pay_ref text,
  amount numeric(14,2),
  currency text,
  outcome text not null,
  reason text,
  add_time timestamptz not null,
  constraint provider_is_a_name check (provider ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint texts_are_short check (
    greatest(char_length(event_id), char_length(order_no), char_length(pay_ref), char_length(reason)) <= 128 and char_length(currency) <= 16
  ),
  constraint outcome_is_known check (outcome in ('paid', 'repeated', 'refund', 'ignored', 'refused', 'attention', 'unverified')),
  constraint a_reason_iff_it_is_needed check ((reason is null) = (outcome in ('paid', 'repeated'))),
  constraint what_paid_is_complete check (
    outcome not in ('paid', 'repeated', 'attention') or (order_id is not null and pay_ref is not null and amount is not null and currency is not null)
  ),
  constraint a_refund_is_of_an_order check (outcome <> 'refund' or (order_id is not null and amount is not null)),
  constraint what_is_unverified_says_nothing check (
    outcome <> 'unverified' or coalesce(event_id, order_no, pay_ref, currency, order_id::text, amount::text) is null
  )
);
comment on table app.payment_notifications is
  'Notifications of payment providers and their outcome: paid, repeated, refund (its state was recorded), ignored (needs no '
  'action), refused (does not match), attention (money that could not be applied to an order), unverified. Contains nothing that '
  'can be used to sign or to pay.';

create index payment_notifications_add_time_idx on app.payment_notifications (add_time, id);
create index payment_notifications_outcome_idx on app.payment_notifications (outcome, add_time, id);
create index payment_notifications_event_idx on app.payment_notifications (provider, event_id) where event_id is not null;
create index payment_notifications_order_idx on app.payment_notifications (order_id) where order_id is not null;
create index payment_notifications_unverified_idx on app.payment_notifications (provider, add_time) where outcome = 'unverified';

alter table app.payment_notifications enable row level security;
create policy admins_read_payment_notifications on app.payment_notifications for select to store_admin, service_role using (true);
grant select on app.payment_notifications to store_admin, service_role;

-- sql/2_tables/25_posters.sql
create table app.posters (
  uid bigint primary key references app.users (uid),
  token uuid not null unique,
  fingerprint text not null,
  share_url text not null,
  code_source text,
  code bytea,
  retry_at timestamptz,
  image bytea,
  made_at timestamptz not null,
  constraint a_code_has_a_source check (code is null or code_source is not null),
  constraint pictures_are_small check (octet_length(code) <= 307200 and octet_length(image) <= 307200)
);
comment on table app.posters is
  'The current share poster of each member. Anyone who knows the token can see the picture, which shows nothing private. A '
  'changed picture gets a new token.';
comment on column app.posters.code is 'The mini-program code as an image; null: the poster shows a QR code of share_url.';
comment on column app.posters.image is 'The poster as PNG, null until it is drawn. Can be set to null at any time.';

alter table app.posters enable row level security;
create policy admins_read_posters on app.posters for select to store_admin, service_role using (true);
grant select on app.posters to store_admin, service_role;

-- sql/2_tables/25_wechat_tokens.sql
create table app.wechat_tokens (
  appid text primary key,
  access_token text not null,
  expires_at timestamptz not null,
  constraint texts_are_short check (char_length(appid) <= 64 and char_length(access_token) <= 1024)
);
comment on table app.wechat_tokens is
  'Access tokens of WeChat apps, shared by all instances of the edge functions until they expire. Secret: no client role can '
  'read them.';

alter table app.wechat_tokens enable row level security;

-- sql/2_tables/26_idempotency_keys.sql
create table app.idempotency_keys (
  auth_id uuid not null,
  role text not null,
  key text not null,
  fingerprint bytea not null,
  response jsonb not null,
  created_at timestamptz not null,
  primary key (auth_id, role, key),
  constraint key_is_a_short_visible_text check (key ~ '^[!-~]{1,255}$')
);
comment on table app.idempotency_keys is
  'Responses to writes that were sent with an Idempotency-Key, by caller and key. Written in the transaction of the write and '
  'kept for a day, so that a client can repeat a request. No client role can read them.';
comment on column app.idempotency_keys.fingerprint is 'Hash of the function and its arguments.';

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

alter table app.idempotency_keys enable row level security;

-- sql/2_tables/27_administrators.sql
create table app.administrators (
  auth_id uuid primary key references auth.users (id) on delete cascade,
  roles text[] not null default '{owner}',
  added_at timestamptz not null,
  added_by uuid,
  constraint every_role_is_known check (cardinality(roles) > 0 and roles <@ '{owner, finance, service, content}')
);
comment on table app.administrators is
  'Administrators by Auth account. The token role gives an account the Postgres role store_admin; app.require_admin checks this '
  'table at each request. added_by is null if the owner of the database added the account.';

alter table app.administrators enable row level security;
create policy admins_read_administrators on app.administrators for select to store_admin, service_role using (true);
grant select on app.administrators to store_admin, service_role;

-- sql/2_tables/28_admin_actions.sql
create table app.admin_actions (
  id bigint generated always as identity primary key,
  actor uuid,
  function text not null,
  target_type text not null,
  target_id text,
  from_value jsonb,
  to_value jsonb,
  request_id text,
  add_time timestamptz not null,
  constraint function_is_a_name check (function ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint target_type_is_a_name check (target_type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint ids_are_short check (greatest(char_length(target_id), char_length(request_id)) <= 255),
  constraint values_are_objects check (coalesce(jsonb_typeof(from_value), 'object') = 'object' and coalesce(jsonb_typeof(to_value), 'object') = 'object'),
  constraint something_was_there_or_is check (from_value is not null or to_value is not null)
);
comment on table app.admin_actions is
  'Append-only audit of administrative writes, each written in the transaction of the change. Names, phones, addresses and '
  'other free text are recorded only as changed (app.record_action).';
comment on column app.admin_actions.actor is 'The Auth account; null: the owner of the database.';
comment on column app.admin_actions.from_value is 'Null if the target is new.';
comment on column app.admin_actions.to_value is 'Null if the target no longer exists.';

create index admin_actions_add_time_idx on app.admin_actions (add_time, id);
create index admin_actions_target_idx on app.admin_actions (target_type, target_id, add_time, id);
create index admin_actions_actor_idx on app.admin_actions (actor, add_time, id);
create index admin_actions_function_idx on app.admin_actions (function, add_time, id);

alter table app.admin_actions enable row level security;
create policy admins_read_admin_actions on app.admin_actions for select to store_admin, service_role using (true);
grant select on app.admin_actions to store_admin, service_role;

-- sql/2_tables/29_addresses.sql
create table app.addresses (
  id bigint generated always as identity primary key,
  uid bigint not null references app.users (uid),
  address jsonb not null,
  is_default boolean not null default false,
  add_time timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint address_is_complete check (app.is_address(address))
);
comment on table app.addresses is 'Address books of members. Orders copy the address, so a change never affects earlier orders.';
comment on column app.addresses.address is 'name, phone, region and street (see app.is_address).';

create index addresses_uid_idx on app.addresses (uid);
create unique index addresses_one_default_for_each_member on app.addresses (uid) where is_default;

alter table app.addresses enable row level security;
create policy the_service_reads_all_addresses on app.addresses for select to service_role using (true);
grant select on app.addresses to service_role;

-- sql/2_tables/30_payment_attempts.sql
create table app.payment_attempts (
  id bigint generated always as identity primary key,
  order_id bigint not null references app.orders (id),
  attempt_no text not null unique,
  provider text not null,
  method text not null,
  amount numeric(14,2) not null,
  state text not null default 'open',
  pay_ref text,
  reason text,
  started_at timestamptz,
  queried_at timestamptz,
  expires_at timestamptz not null,
  add_time timestamptz not null,
  ended_at timestamptz,
  constraint attempt_no_has_at_most_32_characters check (attempt_no ~ '^[0-9A-Za-z-]{6,32}$'),
  constraint provider_is_a_name check (provider ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint method_is_a_name check (method ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint amount_is_positive check (amount > 0),
  constraint state_is_known check (state in ('open', 'refused', 'closed', 'paid')),
  constraint ended_at_iff_it_has_ended check ((ended_at is null) = (state = 'open')),
  constraint pay_ref_iff_paid check ((pay_ref is not null) = (state = 'paid')),
  constraint texts_are_short check (greatest(char_length(pay_ref), char_length(reason)) <= 128),
  constraint expires_after_it_was_opened check (expires_at > add_time)
);
comment on table app.payment_attempts is
  'Attempts to pay an order at a provider. The row is written before the provider is called, and notifications name its number.';
comment on column app.payment_attempts.state is
  'open; refused, if the provider refused to start it; closed, if the provider said that it can no longer be paid; paid, if the '
  'provider said that it has the money, even if it could not be applied to the order.';
comment on column app.payment_attempts.started_at is 'When the provider answered that the payment can be made; null if no answer was recorded.';
comment on column app.payment_attempts.queried_at is 'When the provider was last queried for a client.';

create unique index payment_attempts_one_is_open on app.payment_attempts (order_id, provider) where state = 'open';
create index payment_attempts_order_id_idx on app.payment_attempts (order_id, id);

alter table app.payment_attempts enable row level security;
create policy admins_read_payment_attempts on app.payment_attempts for select to store_admin, service_role using (true);
grant select on app.payment_attempts to store_admin, service_role;

-- sql/2_tables/30_team_totals.sql
create table app.team_totals (
  uid bigint primary key references app.users (uid),
  spread_uid bigint,
  own_orders integer not null default 0,
  direct_members integer not null default 0,
  direct_orders integer not null default 0,
  umbrella_members integer not null default 0,
  umbrella_orders integer not null default 0,
  constraint totals_are_not_negative check (
    least(own_orders, direct_members, direct_orders, umbrella_members, umbrella_orders) >= 0
  ),
  constraint the_umbrella_contains_the_direct_members check (umbrella_members >= direct_members and umbrella_orders >= direct_orders)
) with (fillfactor = 70);
comment on table app.team_totals is
  'How many members and reported orders are below each member: display figures, which no rule reads. Only app.apply_team_changes '
  'writes them, from app.team_changes, so they lag behind by up to a minute (docs/decisions/0033). A member without a row has '
  'nobody below and no order yet.';
comment on column app.team_totals.spread_uid is 'The referrer in whose totals the member is included; null if in none.';
comment on column app.team_totals.own_orders is 'The reported orders of the member that the totals of the members above include.';
comment on column app.team_totals.umbrella_members is 'Members below, at any depth.';

-- For the lists of direct members by orders and by members below.
create index team_totals_orders_idx on app.team_totals (spread_uid, own_orders, uid) where spread_uid is not null;
create index team_totals_members_idx on app.team_totals (spread_uid, umbrella_members, uid) where spread_uid is not null;

alter table app.team_totals enable row level security;
create policy admins_read_team_totals on app.team_totals for select to store_admin, service_role using (true);
grant select on app.team_totals to store_admin, service_role;

-- sql/2_tables/30_team_totals_as_of.sql
create table app.team_totals_as_of (
  id boolean primary key default true,
  as_of timestamptz not null default now(),
  constraint there_is_only_one_row check (id)
);
comment on table app.team_totals_as_of is
  'The time up to which app.team_totals contains every committed change. Always one row.';

alter table app.team_totals_as_of enable row level security;
create policy admins_read_time_of_team_totals on app.team_totals_as_of for select to store_admin, service_role using (true);
grant select on app.team_totals_as_of to store_admin, service_role;

-- sql/2_tables/30_wechat_accounts.sql
create table app.wechat_accounts (
  appid text not null,
  openid text not null,
  unionid text,
  auth_id uuid not null default gen_random_uuid(),
  -- Not built from the openid: the Auth server ignores the case of addresses. Who knows the address can invalidate a sign-in.
  email text not null default 'wechat-' || gen_random_uuid() || '@users.invalid',
  sign_in_id uuid,
  sign_in_until timestamptz,
  add_time timestamptz not null default now(),
  primary key (appid, openid),
  constraint each_has_its_own_account unique (auth_id),
  constraint ids_are_short_texts check (
    char_length(appid) between 1 and 64 and char_length(openid) between 1 and 64 and char_length(unionid) between 1 and 64
  ),
  constraint a_sign_in_ends check ((sign_in_id is null) = (sign_in_until is null))
);
comment on table app.wechat_accounts is
  'The Auth account of each WeChat user of an app. Secret: no client role can read it. A row is written before the account is created, '
  'and reserves its id.';
comment on column app.wechat_accounts.auth_id is 'The id of the Auth account, which does not exist before the first sign-in is complete.';
comment on column app.wechat_accounts.email is 'The email address with which the Auth account is created. It receives no mail.';
comment on column app.wechat_accounts.sign_in_id is 'The sign-in in progress. There is one at a time, because each new link of the Auth server invalidates the one before.';
comment on column app.wechat_accounts.sign_in_until is 'When another sign-in may begin, even if the one in progress was not closed.';

alter table app.wechat_accounts enable row level security;

-- sql/2_tables/31_payment_payers.sql
create table app.payment_payers (
  attempt_id bigint primary key references app.payment_attempts (id),
  openid text not null,
  constraint openid_is_a_short_text check (char_length(openid) between 1 and 128)
);
comment on table app.payment_payers is
  'The payer''s id in the provider''s app, for attempts that name one. Personal: no client role can read it.';

alter table app.payment_payers enable row level security;

-- sql/2_tables/31_team_changes.sql
-- No key and no index: an insert costs as little as possible, and the job takes rows in any order.
create table app.team_changes (
  uid bigint not null
);
comment on table app.team_changes is
  'Queue of members whose referrer or number of reported orders has changed since app.team_totals was summed. A row says who '
  'changed, not how: the job reads the present values, so repeated rows, and rows in any order, give the same totals.';

alter table app.team_changes enable row level security;
create policy admins_read_team_changes on app.team_changes for select to store_admin, service_role using (true);
grant select on app.team_changes to store_admin, service_role;

-- sql/2_tables/32_outbox.sql
create table app.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  key text not null,
  payload jsonb not null default '{}',
  state text not null default 'waiting',
  attempts smallint not null default 0,
  run_after timestamptz not null,
  last_problem text,
  created_at timestamptz not null,
  constraint what_is_to_be_done_is_written_once unique (kind, key),
  constraint kind_is_a_name check (kind ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint key_is_a_short_text check (char_length(key) between 1 and 128),
  constraint payload_is_an_object check (jsonb_typeof(payload) = 'object'),
  constraint state_is_known check (state in ('waiting', 'failed')),
  constraint attempts_are_not_negative check (attempts >= 0),
  constraint last_problem_is_a_short_text check (char_length(last_problem) <= 500)
);
comment on table app.outbox is
  'Calls to providers that are made in the background, after the request that causes them. The transaction that causes a call '
  'writes the row; the edge function worker leases it, makes the call and records the result, and the transaction that records '
  'the final result deletes it.';
comment on column app.outbox.run_after is 'When the row is due. A lease moves it to the end of the lease.';
comment on column app.outbox.state is 'waiting, or failed if it is not tried again until an administrator retries it.';

create index outbox_due_idx on app.outbox (run_after, id) where state = 'waiting';
create index outbox_failed_idx on app.outbox (id) where state = 'failed';

alter table app.outbox enable row level security;
create policy admins_read_outbox on app.outbox for select to store_admin, service_role using (true);
grant select on app.outbox to store_admin, service_role;

-- sql/2_tables/33_provider_refunds.sql
create table app.provider_refunds (
  id bigint generated always as identity primary key,
  refund_no text not null unique,
  order_id bigint not null references app.orders (id),
  refund_id bigint references app.refunds (id),
  provider text not null,
  payment_no text not null,
  pay_ref text not null,
  amount numeric(14,2) not null,
  total numeric(14,2) not null,
  state text not null default 'refunding',
  provider_ref text,
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint refund_no_has_at_most_64_characters check (refund_no ~ '^[0-9A-Za-z-]{1,64}$'),
  constraint amount_is_positive_and_within_the_payment check (amount > 0 and amount <= total),
  constraint state_is_known check (state in ('refunding', 'succeeded', 'failed')),
  constraint decided_at_iff_decided check ((decided_at is null) = (state = 'refunding')),
  constraint a_reason_iff_it_failed check ((reason is null) = (state <> 'failed')),
  constraint texts_are_short check (greatest(char_length(provider_ref), char_length(reason)) <= 128)
);
comment on table app.provider_refunds is
  'Refunds that a provider is asked to pay: for a refund of an order, or, with refund_id null, for a whole unclaimed payment. '
  'Each attempt has a number of its own; a failed attempt is never paid out later.';
comment on column app.provider_refunds.payment_no is 'The number under which the provider knows the payment.';
comment on column app.provider_refunds.total is 'The whole payment.';
comment on column app.provider_refunds.provider_ref is 'The provider''s id of the refund.';

create unique index provider_refunds_one_for_a_refund on app.provider_refunds (refund_id) where state <> 'failed' and refund_id is not null;
create unique index provider_refunds_one_for_an_unclaimed_payment on app.provider_refunds (provider, pay_ref) where state <> 'failed' and refund_id is null;
create index provider_refunds_order_id_idx on app.provider_refunds (order_id, id);
create index provider_refunds_refund_id_idx on app.provider_refunds (refund_id, id);
create index provider_refunds_payment_no_idx on app.provider_refunds (payment_no);
create index provider_refunds_payment_idx on app.provider_refunds (provider, pay_ref, id);

alter table app.provider_refunds enable row level security;
grant select on app.provider_refunds to authenticated, store_admin, service_role;

-- sql/2_tables/34_function_settings.sql
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

-- sql/2_tables/34_job_runs.sql
create table app.job_runs (
  id bigint generated always as identity primary key,
  job text not null,
  from_day date,
  to_day date,
  part text,
  started_at timestamptz not null,
  batches integer not null default 0,
  usual_batch integer not null,
  halvings smallint not null default 0,
  pid integer not null,
  backend_start timestamptz,
  query_start timestamptz,
  ended_at timestamptz,
  cut_at timestamptz,
  completed_at timestamptz,
  constraint it_ends_after_it_started check (ended_at >= started_at),
  constraint it_ended_or_was_cut check (ended_at is null or cut_at is null),
  constraint what_a_cut_run_left_is_completed check (completed_at is null or cut_at is not null),
  constraint counts_are_not_negative check (batches >= 0 and halvings >= 0),
  constraint a_batch_is_not_empty check (usual_batch > 0)
);
comment on table app.job_runs is
  'Runs of the scheduled jobs that commit in batches. A run that neither ended nor is still running was cut: by the statement '
  'timeout, an error, a lost connection or a restart. The next run that finds it records that, and '
  'app.continue_unfinished_runs completes what it left.';
comment on column app.job_runs.from_day is
  'The first of the days that the run was called for, and to_day the last. Null if it was called without days. A continuation gets '
  'the same days.';
comment on column app.job_runs.part is 'What the run worked on last: the business day of a release, the number of a reconciliation.';
comment on column app.job_runs.batches is 'Batches that the run has committed.';
comment on column app.job_runs.usual_batch is 'The size of a batch that was not halved.';
comment on column app.job_runs.halvings is 'How often the usual batch size is halved for the next batch of this run.';
comment on column app.job_runs.pid is
  'The server process of the run. With the start of the process and of its statement, it shows whether the run still runs.';
comment on column app.job_runs.cut_at is 'When a later run found that this one was cut.';
comment on column app.job_runs.completed_at is 'When a later run completed what this one left.';

-- Runs that still run, and cut ones whose work is not completed.
create index job_runs_open_idx on app.job_runs (job, id) where ended_at is null and completed_at is null;
create index job_runs_job_idx on app.job_runs (job, id);

alter table app.job_runs enable row level security;
create policy admins_read_job_runs on app.job_runs for select to store_admin, service_role using (true);
grant select on app.job_runs to store_admin, service_role;

-- sql/2_tables/35_imports.sql
create table app.imports (
  id bigint generated always as identity primary key,
  form text not null,
  source_hash text not null,
  products integer not null default 0,
  members integer not null default 0,
  orders integer not null default 0,
  bill_rows integer not null default 0,
  started_at timestamptz not null,
  finished_at timestamptz,
  is_abandoned boolean not null default false,
  constraint form_is_a_name check (form ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint source_hash_is_sha_256 check (source_hash ~ '^[0-9a-f]{64}$'),
  constraint counts_are_not_negative check (least(products, members, orders, bill_rows) >= 0),
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint only_an_ended_import_is_abandoned check (not is_abandoned or finished_at is not null)
);
comment on table app.imports is
  'Imports of the data of another system, and how many rows each has written. An import without finished_at is running or was stopped; '
  'the next run of the command continues it. Until it has ended, no order is settled.';
comment on column app.imports.source_hash is 'SHA-256 of the source files. Only the same files continue an import.';
comment on column app.imports.is_abandoned is 'The import was ended before all rows were imported.';

create unique index imports_one_is_unfinished on app.imports ((true)) where finished_at is null;

alter table app.imports enable row level security;
create policy admins_read_imports on app.imports for select to store_admin, service_role using (true);
grant select on app.imports to store_admin, service_role;

-- sql/2_tables/36_imported_members.sql
create table app.imported_members (
  old_uid bigint primary key,
  uid bigint not null unique references app.users (uid),
  phone text,
  unionid text,
  imported_at timestamptz not null,
  claimed_at timestamptz,
  claimed_by text,
  constraint texts_are_short check (char_length(phone) between 1 and 32 and char_length(unionid) between 1 and 64),
  constraint claimed_by_is_known check (claimed_by in ('openid', 'unionid', 'phone', 'administrator')),
  constraint claimed_by_iff_claimed check ((claimed_at is null) = (claimed_by is null))
);
comment on table app.imported_members is
  'The uid that an imported member had in the previous system, and what a person must prove to claim the member at a sign-in. A '
  'row makes a second import of the member a no-op. Personal: no client role can read it.';
comment on column app.imported_members.phone is
  'With country code and without "+", as the Auth server stores numbers. Null if the number does not belong to one member only.';
comment on column app.imported_members.claimed_at is 'When an account claimed the member; null until then.';

create unique index imported_members_phone_is_claimed_once on app.imported_members (phone) where phone is not null;
create unique index imported_members_unionid_is_claimed_once on app.imported_members (unionid) where unionid is not null;

alter table app.imported_members enable row level security;

-- sql/2_tables/36_imported_products.sql
create table app.imported_products (
  old_id text primary key,
  product_id bigint not null unique references app.products (id),
  constraint old_id_is_a_short_text check (char_length(old_id) between 1 and 64)
);
comment on table app.imported_products is
  'The id that an imported product had in the previous system. A row makes a second import of the product a no-op.';

alter table app.imported_products enable row level security;
create policy admins_read_imported_products on app.imported_products for select to store_admin, service_role using (true);
grant select on app.imported_products to store_admin, service_role;

-- sql/2_tables/37_imported_bill.sql
create table app.imported_bill (
  source text not null,
  old_id text not null,
  uid bigint not null references app.users (uid),
  type text not null,
  title text not null,
  is_income boolean,
  amount numeric(18,4) not null,
  balance numeric(18,4),
  order_ref text,
  add_time timestamptz,
  note text not null default '',
  primary key (source, old_id),
  constraint texts_are_short check (
    greatest(char_length(source), char_length(old_id), char_length(type), char_length(order_ref)) <= 128
    and greatest(char_length(title), char_length(note)) <= 1000
  )
);
comment on table app.imported_bill is
  'Bill rows of the previous system, as they were, for questions about the past. They are outside the ledger: no balance depends on '
  'them. Read-only; only the titles and notes of a deleted account are emptied.';
comment on column app.imported_bill.source is 'The file that the row comes from.';
comment on column app.imported_bill.is_income is 'Whether the row added the amount; null if the previous system did not say.';

create index imported_bill_uid_idx on app.imported_bill (uid, add_time);

alter table app.imported_bill enable row level security;
create policy admins_read_imported_bill on app.imported_bill for select to store_admin, service_role using (true);
grant select on app.imported_bill to store_admin, service_role;

-- sql/2_tables/37_imported_openids.sql
create table app.imported_openids (
  openid text primary key,
  appid text,
  uid bigint not null references app.imported_members (uid),
  constraint ids_are_short_texts check (char_length(openid) between 1 and 64 and char_length(appid) between 1 and 64)
);
comment on table app.imported_openids is
  'WeChat ids of imported members, by which they are claimed. Personal: no client role can read it.';
comment on column app.imported_openids.appid is 'The app that the openid belongs to; null: any app of this store.';

create index imported_openids_uid_idx on app.imported_openids (uid);

alter table app.imported_openids enable row level security;

-- sql/2_tables/38_opening_cycles.sql
create table app.opening_cycles (
  uid bigint primary key references app.users (uid),
  places smallint not null,
  plan_version integer not null references app.commission_plans (version),
  constraint places_are_positive check (places > 0)
);
comment on table app.opening_cycles is
  'Places of their first cycle that imported members had taken in the previous system: places 1 to `places` of cycle 1. No order of '
  'this store holds them, so no refund frees them.';

alter table app.opening_cycles enable row level security;
create policy admins_read_opening_cycles on app.opening_cycles for select to store_admin, service_role using (true);
grant select on app.opening_cycles to store_admin, service_role;

-- sql/2_tables/39_taken_places.sql
-- Security invoker: the policies of the two tables apply to the caller.
create view app.taken_places with (security_invoker = true) as
select
  s.earner_uid, s.cycle_no, s.place, s.cycle_plan_version, s.order_id, s.eligible_since, s.position, s.place_freed_at, s.place_freed_position
from app.settlements as s
where s.earner_uid is not null
union all
select c.uid, 1, p.place::smallint, c.plan_version, null, null, 0, null, null
from app.opening_cycles as c
cross join generate_series(1, c.places) as p (place);
comment on view app.taken_places is
  'All places that were ever taken in the cycles of members: by orders, and, with order_id null, those that imported members brought. '
  'The engine reads places here.';
grant select on app.taken_places to store_admin, service_role;

-- sql/2_tables/40_staged_bill.sql
create table app.staged_bill (
  line integer not null,
  source text,
  id text,
  uid text,
  type text,
  title text,
  is_income text,
  amount text,
  balance text,
  order_ref text,
  happened_at text,
  note text
);
comment on table app.staged_bill is
  'Bill rows of a running import, as text, with the line of the file. Empty between imports.';

create index staged_bill_line_idx on app.staged_bill (source, line);

alter table app.staged_bill enable row level security;

-- sql/2_tables/40_staged_members.sql
create table app.staged_members (
  line integer not null,
  uid text,
  nickname text,
  avatar text,
  phone text,
  unionid text,
  referrer text,
  referred_at text,
  joined_at text,
  level text,
  level_held text,
  no_assess text,
  commission text,
  frozen_points text,
  available_points text,
  places text,
  new_uid bigint,
  rank integer,
  claim_phone text,
  claim_unionid text
);
comment on table app.staged_members is
  'Members of a running import, as text, with the line of the file. new_uid is the uid in this store; rank puts referrers before '
  'those whom they refer. claim_phone and claim_unionid are the ids by which the member can be claimed. Empty between imports.';

create index staged_members_uid_idx on app.staged_members (uid);
create index staged_members_referrer_idx on app.staged_members (referrer);
create index staged_members_rank_idx on app.staged_members (rank);

alter table app.staged_members enable row level security;

-- sql/2_tables/40_staged_openids.sql
create table app.staged_openids (
  line integer not null,
  uid text,
  openid text,
  appid text,
  is_claim boolean
);
comment on table app.staged_openids is
  'WeChat ids of members of a running import, as text, with the line of the file, and whether the member can be claimed by it. Empty between imports.';

create index staged_openids_uid_idx on app.staged_openids (uid);

alter table app.staged_openids enable row level security;

-- sql/2_tables/40_staged_order_lines.sql
create table app.staged_order_lines (
  line integer not null,
  order_no text,
  line_no text,
  product_id text,
  title text,
  price text,
  quantity text,
  discount text,
  is_queue_goods text
);
comment on table app.staged_order_lines is
  'Lines of orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_order_lines_order_no_idx on app.staged_order_lines (order_no);

alter table app.staged_order_lines enable row level security;

-- sql/2_tables/40_staged_orders.sql
create table app.staged_orders (
  line integer not null,
  order_no text,
  uid text,
  referrer text,
  state text,
  total_price text,
  discount text,
  freight text,
  pay_price text,
  placed_at text,
  paid_at text,
  delivered_at text,
  received_at text,
  cancelled_at text,
  pay_type text,
  pay_ref text,
  carrier text,
  tracking_no text,
  receiver_name text,
  receiver_phone text,
  region text,
  street text,
  remark text
);
comment on table app.staged_orders is
  'Orders of a running import, as text, with the line of the file. Empty between imports.';

create index staged_orders_order_no_idx on app.staged_orders (order_no);
create index staged_orders_line_idx on app.staged_orders (line);

alter table app.staged_orders enable row level security;

-- sql/2_tables/40_staged_products.sql
create table app.staged_products (
  line integer not null,
  id text,
  title text,
  price text,
  freight text,
  is_queue_goods text,
  is_show text,
  stock text,
  description text,
  added_at text
);
comment on table app.staged_products is
  'Products of a running import, as text, with the line of the file. Empty between imports.';

create index staged_products_id_idx on app.staged_products (id);

alter table app.staged_products enable row level security;

-- sql/2_tables/40_staged_refunds.sql
create table app.staged_refunds (
  line integer not null,
  order_no text,
  refund_no text,
  line_no text,
  quantity text,
  state text,
  refunded_at text,
  reason text
);
comment on table app.staged_refunds is
  'Refunds of a running import, as text, with the line of the file. Empty between imports.';

create index staged_refunds_order_no_idx on app.staged_refunds (order_no);

alter table app.staged_refunds enable row level security;

-- sql/3_types/01_bill_entry.sql
create type app.bill_entry as (
  uid bigint,
  type text,
  source text,
  brokerage_delta numeric(14,2),
  frozen_delta numeric(18,4),
  available_delta numeric(18,4),
  order_id bigint,
  basis numeric(18,4),
  rate numeric(18,5),
  agent_level smallint,
  passed_on numeric(18,4),
  reverses_id bigint,
  withdrawal_id bigint,
  adjustment_id bigint
);
comment on type app.bill_entry is 'A bill row that is to be booked, before the balances after it are known.';

-- sql/3_types/01_cycle_state.sql
create type app.cycle_state as (
  uid bigint,
  reported_since timestamptz,
  cycle_no integer,
  plan_version integer,
  is_open boolean,
  taken smallint[],
  orders bigint[],
  placed integer
);
comment on type app.cycle_state is
  'A member as the cycle rule sees them, at the same index as in the array of app.tree_member. The fields other than uid are '
  'null if they were not loaded.';
comment on column app.cycle_state.reported_since is 'Payment of the first own reported order that is not refunded (R4).';
comment on column app.cycle_state.cycle_no is 'The last cycle of the member; plan_version and is_open belong to it.';
comment on column app.cycle_state.taken is
  'Taken places of the last cycle while it is open. orders has the order of each, at the same index.';
comment on column app.cycle_state.placed is 'Places taken since the state was loaded, less places freed.';

-- sql/3_types/01_level_grant.sql
create type app.level_grant as (
  ordinal integer,
  order_id bigint,
  depth integer,
  uid bigint,
  agent_level smallint,
  passed_on numeric,
  per_unit numeric,
  units integer,
  points numeric
);
comment on type app.level_grant is
  'Frozen points of a member for an order by level (R5, R6, R7): points = per_unit x units, rounded down.';
comment on column app.level_grant.ordinal is 'Index of the event that granted the points.';
comment on column app.level_grant.depth is '1 is the buyer''s referrer.';
comment on column app.level_grant.passed_on is 'R7: the highest umbrella points for each unit of the levels between the member and the buyer.';

-- sql/3_types/01_level_rise.sql
create type app.level_rise as (
  order_id bigint,
  uid bigint,
  from_level smallint,
  to_level smallint
);
comment on type app.level_rise is 'A member reached a grade by an order (R5).';

-- sql/3_types/01_order_facts.sql
create type app.order_facts as (
  kind text,
  order_id bigint,
  member integer,
  uid bigint,
  referrer_uid bigint,
  plan_version integer,
  plan_in_force integer,
  paid_at timestamptz,
  base numeric(14,2),
  units integer,
  reason text,
  is_counted boolean
);
comment on type app.order_facts is 'What the cycle rule knows of an order.';
comment on column app.order_facts.kind is
  'settle: the order is settled. free: a refund has left no base, so its place is freed while the cycle is open. report: not an '
  'order, but a change of what the member has ordered: the earliest reported order that is left was paid at paid_at, null if '
  'none is left (R4).';
comment on column app.order_facts.member is 'Index of the buyer.';
comment on column app.order_facts.plan_in_force is 'Version of the plan in force when the order is settled. Its cap applies.';
comment on column app.order_facts.reason is 'Why nobody can earn, or null (see app.barring_reason).';
comment on column app.order_facts.is_counted is 'Whether the order counts for tasks (see app.is_counted).';

-- sql/3_types/01_refund_item.sql
create type app.refund_item as (line_id bigint, quantity integer);
comment on type app.refund_item is 'Units of an order line in a refund.';

-- sql/3_types/01_remaining_grant.sql
create type app.remaining_grant as (
  bill_id bigint,
  uid bigint,
  type text,
  source text,
  rate numeric,
  agent_level smallint,
  remaining numeric,
  frozen_points numeric
);
comment on type app.remaining_grant is 'What an order granted a member in one bill row and what is left of it after reversals.';
comment on column app.remaining_grant.remaining is 'What is left of the grant.';
comment on column app.remaining_grant.frozen_points is 'Frozen points of the member, from which a reversal takes points first.';

-- sql/3_types/01_simulated_amount.sql
create type app.simulated_amount as (order_id bigint, uid bigint, money numeric, points numeric);
comment on type app.simulated_amount is
  'What a simulation pays a member for an order, less what refunds take back by the end of the period.';

-- sql/3_types/01_simulated_order.sql
create type app.simulated_order as (
  order_id bigint,
  uid bigint,
  referrer_uid bigint,
  at timestamptz,
  position bigint,
  plan_version integer,
  plan_in_force integer,
  level_version integer,
  paid_at timestamptz,
  base numeric(14,2),
  units integer,
  refund_status smallint,
  below_minimum boolean,
  base_left numeric(14,2),
  units_left integer,
  is_imported boolean
);
comment on type app.simulated_order is
  'An order that a simulation settles, as it is at that moment. at and position place it in the sequence of events. base_left '
  'and units_left are what refunds leave of its queue goods by the end of the period.';

-- sql/3_types/01_team_change.sql
create type app.team_change as (
  uid bigint,
  spread_uid bigint,
  members integer,
  orders integer,
  members_below integer,
  orders_below integer
);
comment on type app.team_change is
  'What a member adds to the team totals above: members is 1 for a member who has just got the referrer spread_uid, otherwise 0. '
  'orders is the change of the member''s own orders; for a new referrer, all of them.';
comment on column app.team_change.members_below is
  'Members below the member, and orders_below their orders, that the totals above do not contain yet.';

-- sql/3_types/01_tree_event.sql
create type app.tree_event as (
  kind text,
  member integer,
  order_id bigint,
  units integer,
  max_depth integer,
  step integer,
  is_set boolean,
  referrer integer,
  orders_below integer,
  members_below integer,
  to_level smallint
);
comment on type app.tree_event is 'A change in the referral tree that the level rules react to.';
comment on column app.tree_event.kind is
  'settle: an order is settled; units grant points (0: none), step orders begin to count, and members may rise. count: an order '
  'begins (step 1) or ceases (step -1) to count because of its refunds. assess: no_assess becomes is_set (R9). refer: the '
  'member gets the referrer at index referrer, with orders_below and members_below counted below the member. grade: an '
  'administrator sets the grade to to_level and the hold to is_set.';
comment on column app.tree_event.member is 'Index of the buyer or of the member who changes.';

-- sql/3_types/01_tree_member.sql
create type app.tree_member as (
  uid bigint,
  referrer integer,
  agent_level smallint,
  is_held boolean,
  no_assess boolean,
  own_orders integer,
  direct_orders integer,
  umbrella_orders integer,
  direct_members integer,
  umbrella_members integer,
  is_changed boolean
);
comment on type app.tree_member is 'A member as the level rules see them.';
comment on column app.tree_member.referrer is
  'Index of the referrer in the same array; null at the root or if the referrer is not loaded.';
comment on column app.tree_member.is_changed is 'Whether a counter or the level differs from what was loaded.';

-- sql/3_types/02_engine_state.sql
create type app.engine_state as (
  members app.tree_member[],
  cycles app.cycle_state[],
  plans app.commission_plans[],
  plan_in_force integer,
  levels app.level_rule[],
  level_version integer,
  locked bigint[]
);
comment on type app.engine_state is
  'All data that decisions are made from: the members concerned, their cycles at the same indexes, plans by version, and the '
  'level settings.';
comment on column app.engine_state.plans is 'Index = version; null if not needed.';
comment on column app.engine_state.plan_in_force is 'Version of the plan in force.';
comment on column app.engine_state.locked is 'Members whose balances are locked.';

-- sql/3_types/03_refund_facts.sql
create type app.refund_facts as (
  before app.orders,
  after app.orders,
  settlement app.settlements,
  grants app.remaining_grant[],
  state app.engine_state
);
comment on type app.refund_facts is
  'What a refund, its request or its refusal is decided from: the order before and after it, its grants and the members '
  'concerned.';
comment on column app.refund_facts.settlement is 'Null if the order is not settled.';

-- sql/4_app/access/add_administrator.sql
-- Locks: the account; if an owner loses the role, also the administrators with it.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: an administrator stays one and has the roles given last.
create or replace function app.add_administrator(p_account text, p_roles text[] default '{owner}')
returns uuid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_was text[] := (select a.roles from app.administrators as a where a.auth_id = v_auth_id);
begin
  if cardinality(p_roles) = 0 or not p_roles <@ array(select r.role from app.role_areas() as r) then
    perform app.fail('invalid_argument', 'The roles are owner, finance, service and content. An administrator has at least one.');
  elsif not 'owner' = any (p_roles) then
    perform app.keep_an_owner(v_auth_id);
  end if;
  update auth.users set role = 'store_admin' where id = v_auth_id and role is distinct from 'store_admin';
  insert into app.administrators (auth_id, roles, added_at) values (v_auth_id, p_roles, clock_timestamp())
  on conflict (auth_id) do update set roles = excluded.roles;
  perform app.record_action(
    'add_administrator', 'administrator', v_auth_id::text,
    case when v_was is not null then jsonb_build_object('roles', v_was) end, jsonb_build_object('roles', p_roles)
  );
  return v_auth_id;
end
$$;

comment on function app.add_administrator is
  'Makes the account with this email address or id an administrator with the given roles, or gives an administrator these roles instead '
  'of the earlier ones, and returns its id. New roles count from the next request; the last owner keeps the role. The account gets '
  'the role store_admin with its next token, so a signed-in user must sign in again. For the owner of the database; no client '
  'role may execute it.';

-- sql/4_app/access/as_caller.sql
-- Role and claims last until the end of the transaction. The edge functions call this in one autocommit statement.
-- Security invoker: once the role is set, only the caller's own grants and policies apply.
-- Raises: forbidden (a role that no token may carry), the errors of app.call_once, the errors of the function.
-- Idempotent: with a key always, otherwise if the function is.
create or replace function app.as_caller(
  p_claims jsonb, p_function text, p_args jsonb default '{}', p_key text default null, p_request_id text default null
)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := coalesce(p_claims ->> 'role', 'anon');
begin
  if v_role not in ('anon', 'authenticated', 'store_admin') then
    perform app.fail('forbidden', 'This token carries a role that may not call the store.');
  end if;
  perform set_config('request.jwt.claims', p_claims::text, true), set_config('store.request_id', coalesce(p_request_id, ''), true);
  perform set_config('role', v_role, true);
  if p_key is null then
    return app.call_api(p_function, p_args);
  end if;
  return app.call_once(p_key, p_function, p_args, clock_timestamp());
end
$$;

comment on function app.as_caller is
  'Runs one function of schema api as the caller that a verified token names, and returns its result. p_args maps parameter '
  'names to values. p_key is the Idempotency-Key of the request. p_request_id identifies the request in app.admin_actions.';

grant execute on function app.as_caller(jsonb, text, jsonb, text, text) to store_api;

-- sql/4_app/access/as_service.sql
-- Raises: the errors of the function.
-- Idempotent: if the function is.
create or replace function app.as_service(p_function text, p_args jsonb default '{}')
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform set_config('request.jwt.claims', '{"role": "service_role"}', true);
  perform set_config('role', 'service_role', true);
  return app.call_api(p_function, p_args);
end
$$;

comment on function app.as_service is
  'Runs one function of schema api as service_role, for work without a user: background settlement, verified payment '
  'notifications, calls of the worker and WeChat sign-in. Must never be called with anything taken from a token.';

grant execute on function app.as_service(text, jsonb) to store_api;

-- sql/4_app/access/blame_arguments.sql
-- Raises: invalid_argument. The message does not repeat the value, which can be very long.
create or replace function app.blame_arguments(p_function text, p_args jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_function pg_catalog.pg_proc;
  v_argument record;
  v_types jsonb;
begin
  select p.* into v_function from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  if not found then
    return;
  end if;
  select coalesce(jsonb_object_agg(v_function.proargnames[t.place], format_type(t.type, null)), '{}') into v_types
  from unnest(v_function.proargtypes::oid[]) with ordinality as t (type, place);
  for v_argument in
    select a.key as name, a.value, v_types ->> a.key as type
    from jsonb_each_text(p_args) as a
  loop
    if v_argument.type is null then
      perform app.fail('invalid_argument', format('There is no argument %s.', left(v_argument.name, 64)));
    end if;
    begin
      execute format('select $1::%s', v_argument.type) using v_argument.value;
    exception when data_exception then
      perform app.fail('invalid_argument', format('%s is not a value of type %s, or too large for it.', v_argument.name, v_argument.type));
    end;
  end loop;
  if exists (
    select from generate_series(1, v_function.pronargs - v_function.pronargdefaults) as r (place)
    where not p_args ? v_function.proargnames[r.place]
  ) then
    perform app.fail('invalid_argument', 'An argument is missing.');
  end if;
end
$$;

comment on function app.blame_arguments is
  'Raises invalid_argument for the argument that made a call of schema api fail: an unknown one, a missing one, or one that is '
  'not of its parameter''s type. Returns normally if no argument is at fault.';

grant execute on function app.blame_arguments(text, jsonb) to anon, authenticated, service_role, store_admin;

-- sql/4_app/access/call_api.sql
-- Arguments are passed as one parameter and are not part of the statement text, so they do not get into the database's log.
-- Administrative writes must be recorded: a volatile function that only administrators may execute fails, and its changes roll
-- back, unless it calls app.record_action with its own name. A function that changes nothing must be declared stable.
-- Raises: undefined_function, insufficient_privilege, invalid_argument (an unknown argument, or one of another type), the errors
-- of the function.
create or replace function app.call_api(p_function text, p_args jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_admin constant boolean := current_user = 'store_admin';
  v_is_write boolean := false;
  v_arguments text;
  v_answer jsonb;
begin
  -- At most one look at the catalogue, and none without arguments. The array of types begins at 0, that of names at 1.
  if v_is_admin or p_args <> '{}' then
    select v_is_admin and p.provolatile = 'v' and not has_function_privilege('authenticated', p.oid, 'execute'), (
      select string_agg(
        format('%I => ($1 ->> %L)::%s', k, k, coalesce(format_type((p.proargtypes::oid[])[array_position(p.proargnames, k) - 1], null), 'text')), ', '
      )
      from jsonb_object_keys(p_args) as k
    )
    into v_is_write, v_arguments
    from pg_catalog.pg_proc as p where p.pronamespace = 'api'::regnamespace and p.proname = p_function;
  end if;
  perform set_config('store.recorded_action', '', true) where v_is_write;
  execute format('select api.%I(%s)', p_function, v_arguments) into v_answer using p_args;
  if v_is_write and current_setting('store.recorded_action') <> p_function then
    raise exception 'api.% changed something for an administrator and recorded no action', p_function;
  end if;
  return v_answer;
exception when data_exception or undefined_function then
  -- The arguments are checked only after a failure, so that a valid call does not pay for it.
  perform app.blame_arguments(p_function, p_args);
  raise;
end
$$;

comment on function app.call_api is
  'Executes api.<p_function> with the rights of the current role and returns its result. p_args maps parameter names to values, '
  'which are cast to the declared types.';

grant execute on function app.call_api(text, jsonb) to anon, authenticated, store_admin, service_role;

-- sql/4_app/access/call_once.sql
-- Locks: the key, until the end of the transaction. A concurrent request with the same key fails instead of waiting.
-- Raises: the errors of app.find_response and of the function. After an error, nothing is stored and the key is free again.
-- Idempotent: the same key with the same function and arguments has one effect.
create or replace function app.call_once(p_key text, p_function text, p_args jsonb, p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- Equal jsonb values have the same text, whatever spacing or key order the client used.
  v_fingerprint bytea := sha256(convert_to(p_function || ' ' || p_args::text, 'UTF8'));
  v_response jsonb := app.find_response(p_key, v_fingerprint);
begin
  if v_response is null then
    v_response := app.call_api(p_function, p_args);
    perform app.store_response(p_key, v_fingerprint, v_response, p_now);
  end if;
  return v_response;
end
$$;

comment on function app.call_once is
  'Executes a function of schema api and stores its response under p_key, or returns the response stored by an earlier call with '
  'the same key.';

grant execute on function app.call_once(text, text, jsonb, timestamptz) to authenticated, store_admin;

-- sql/4_app/access/check_page.sql
-- Raises: invalid_argument.
create or replace function app.check_page(p_page integer, p_limit integer)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_page is null or p_page not between 1 and 1000000 then
    perform app.fail('invalid_argument', 'page starts at 1.');
  elsif p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'limit is between 1 and 100.');
  end if;
  return (p_page - 1)::bigint * p_limit;
end
$$;

comment on function app.check_page is
  'Checks the page and limit of a list and returns the number of rows to skip. Pages start at 1; limit is between 1 and 100.';

grant execute on function app.check_page(integer, integer) to anon, authenticated, store_admin;

-- sql/4_app/access/current_uid.sql
-- Policies call it as (select app.current_uid()), so that it runs once per statement.
-- Security definer: policies on app.users call it, so it must read app.users without them.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.current_uid()
returns bigint
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select u.uid from app.users as u where u.auth_id = auth.uid());
end
$$;

comment on function app.current_uid is 'Returns the uid of the calling member, or null if the caller is not a member.';

grant execute on function app.current_uid() to authenticated, store_admin;

-- sql/4_app/access/effect_time.sql
-- Precondition: the caller holds its locks. A transaction that waited then gets a later time than those it waited for, and times
-- follow the order of booking.
-- Raises: invalid_argument.
create or replace function app.effect_time(p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_now is null then
    return clock_timestamp();
  end if;
  perform app.require_time(p_now);
  return p_now;
end
$$;

comment on function app.effect_time is 'Returns the time at which a change takes effect: p_now, or the current time if p_now is null.';

-- sql/4_app/access/fail.sql
-- A test holds this list of codes equal to docs/errors.md and functions/_shared/error_registry.ts.
-- Reuse a code if the client would react in the same way. Add a code if it would react differently.
create or replace function app.fail(p_code text, p_detail text default null, p_field text default null)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_status text := case p_code
    when 'unauthenticated' then '401'
    when 'forbidden' then '403'
    when 'own_account' then '403'
    when 'order_not_found' then '404'
    when 'product_not_found' then '404'
    when 'user_not_found' then '404'
    when 'job_not_found' then '404'
    when 'refund_not_found' then '404'
    when 'payment_not_found' then '404'
    when 'crontab_not_found' then '404'
    when 'poster_not_found' then '404'
    when 'address_not_found' then '404'
    when 'article_not_found' then '404'
    when 'article_category_not_found' then '404'
    when 'account_not_found' then '404'
    when 'withdrawal_not_found' then '404'
    when 'adjustment_not_found' then '404'
    when 'order_state_conflict' then '409'
    when 'order_already_paid' then '409'
    when 'too_many_unpaid_orders' then '409'
    when 'too_many_addresses' then '409'
    when 'out_of_stock' then '409'
    when 'price_changed' then '409'
    when 'changed_meanwhile' then '409'
    when 'payment_reference_used' then '409'
    when 'spread_already_bound' then '409'
    when 'refund_state_conflict' then '409'
    when 'refund_reference_used' then '409'
    when 'article_category_in_use' then '409'
    when 'account_in_use' then '409'
    when 'too_many_accounts' then '409'
    when 'withdrawal_open' then '409'
    when 'withdrawal_exceeds_balance' then '409'
    when 'withdrawal_state_conflict' then '409'
    when 'adjustment_state_conflict' then '409'
    when 'second_administrator_needed' then '409'
    when 'month_closed' then '409'
    when 'idempotency_key_in_use' then '409'
    when 'invalid_argument' then '422'
    when 'idempotency_key_reused' then '422'
    when 'spread_unknown' then '422'
    when 'spread_is_self' then '422'
    when 'spread_in_own_downline' then '422'
    when 'product_unavailable' then '422'
    when 'refund_exceeds_order' then '422'
    when 'level_unknown' then '422'
    when 'plan_invalid' then '422'
    when 'levels_invalid' then '422'
    when 'simulation_too_large' then '422'
    when 'schedule_unavailable' then '503'
    when 'import_unfinished' then '503'
  end;
begin
  raise exception using
    errcode = 'PT' || coalesce(v_status, '500'), message = p_code, detail = coalesce(p_detail, ''), column = coalesce(p_field, '');
end
$$;

comment on function app.fail is
  'Raises an error of the store: SQLSTATE ''PT'' followed by the HTTP status, the stable code as message, a sentence that clients '
  'may see as detail, and as column the field of the request body that is at fault, as a JSON Pointer such as /plan/payout_cap.';

-- Security-invoker functions of schema api raise errors as the caller.
grant execute on function app.fail(text, text, text) to anon, authenticated, store_admin, service_role, store_api;

-- sql/4_app/access/find_account.sql
-- Locks: the account.
-- Raises: user_not_found.
create or replace function app.find_account(p_account text)
returns uuid
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  select u.id into v_auth_id from auth.users as u
  where u.deleted_at is null and (u.id::text = lower(p_account) or lower(u.email) = lower(p_account))
  for update;
  if not found then
    perform app.fail('user_not_found', 'There is no account with this email address or id.');
  end if;
  return v_auth_id;
end
$$;

comment on function app.find_account is 'Locks the Auth account with this email address or id and returns its id.';

-- sql/4_app/access/find_response.sql
-- Security definer: no client role may read the table.
-- Locks: an advisory lock on the key, tried without waiting. It is released after the commit that makes the response visible, so
-- whoever gets the lock next sees the response.
-- Raises: forbidden, invalid_argument, idempotency_key_in_use, idempotency_key_reused.
create or replace function app.find_response(p_key text, p_fingerprint bytea)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_role text := auth.jwt() ->> 'role';
  v_kept app.idempotency_keys;
begin
  -- The function itself, which checks the same, is not executed again.
  if v_role = 'store_admin' then
    perform app.require_admin();
  end if;
  if p_key !~ '^[!-~]{1,255}$' then
    perform app.fail('invalid_argument', 'An idempotency key has 1 to 255 visible characters of ASCII.');
  elsif not pg_try_advisory_xact_lock(hashtextextended(concat_ws(' ', auth.uid(), v_role, p_key), app.lock_number('idempotency_key'))) then
    perform app.fail('idempotency_key_in_use');
  end if;
  select k.* into v_kept from app.idempotency_keys as k where k.auth_id = auth.uid() and k.role = v_role and k.key = p_key;
  if v_kept.fingerprint <> p_fingerprint then
    perform app.fail('idempotency_key_reused');
  end if;
  return v_kept.response;
end
$$;

comment on function app.find_response is
  'Locks an idempotency key of the caller until the end of the transaction and returns the response stored under it, or null if '
  'there is none. The caller is the account and role in the claims of the request.';

grant execute on function app.find_response(text, bytea) to authenticated, store_admin;

-- sql/4_app/access/keep_an_owner.sql
-- Locks: the administrators with the role owner, so that two of them cannot be the last one for each other.
-- Raises: invalid_argument.
create or replace function app.keep_an_owner(p_auth_id uuid)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.administrators as a where 'owner' = any (a.roles) order by a.auth_id for update;
  if exists (select from app.administrators as a where a.auth_id = p_auth_id and 'owner' = any (a.roles)) and not exists (
    select from app.administrators as a join auth.users as u on u.id = a.auth_id
    where a.auth_id <> p_auth_id and 'owner' = any (a.roles)
      and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true)
  ) then
    perform app.fail('invalid_argument', 'This account is the last one with the role owner. Give the role to another account first.');
  end if;
end
$$;

comment on function app.keep_an_owner is
  'Raises invalid_argument if the account is an owner and no other active account is. Call it before an account loses the role owner.';

-- sql/4_app/access/line_position.sql
-- Raises: invalid_argument.
create or replace function app.line_position(p_cursor text, out add_time timestamptz, out id bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is null then
    add_time := '-infinity';
    id := 0;
    return;
  end if;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end;
end
$$;

comment on function app.line_position is
  'Returns where the next chunk of a CSV file starts: after the row of the cursor (app.make_cursor), or at the oldest row. Files are '
  'written oldest first.';

grant execute on function app.line_position(text) to authenticated, store_admin;

-- sql/4_app/access/list_position.sql
-- Raises: invalid_argument.
create or replace function app.list_position(
  p_page integer, p_limit integer, p_cursor text, out skip bigint, out add_time timestamptz, out id bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  skip := app.check_page(p_page, p_limit);
  if p_cursor is null then
    add_time := 'infinity';
    id := 9223372036854775807;
    return;
  end if;
  skip := 0;
  begin
    add_time := split_part(p_cursor, '_', 1)::timestamptz;
    id := split_part(p_cursor, '_', 2)::bigint;
  exception when others then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end;
end
$$;

comment on function app.list_position is
  'Returns where a page of a long log starts. With a cursor "<time>_<id>", it starts after that row, and skip '
  'is 0. Without one, it starts at the newest row, and skip counts the rows of the earlier pages. Logs are listed newest first.';

grant execute on function app.list_position(integer, integer, text) to authenticated, store_admin;

-- sql/4_app/access/make_cursor.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.make_cursor(p_add_time timestamptz, p_id bigint)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_add_time at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') || '_' || p_id
$$;

comment on function app.make_cursor is
  'Returns the cursor of a row of a long log, exact to the microsecond, for app.list_position.';

grant execute on function app.make_cursor(timestamptz, bigint) to authenticated, store_admin;

-- sql/4_app/access/may_change.sql
create or replace function app.may_change(p_area text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(p_area);
  return true;
exception when sqlstate 'PT403' then
  return false;
end
$$;

comment on function app.may_change is
  'Returns whether the roles of the calling administrator allow an area (app.role_areas), for what only some administrators see.';

-- sql/4_app/access/other_administrator.sql
-- Precondition: the caller runs with owner rights, because client roles cannot read auth.users.
create or replace function app.other_administrator(p_area text, p_but uuid, p_uid bigint)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select
    from app.administrators as a
    join auth.users as u on u.id = a.auth_id
    join app.role_areas() as r on r.role = any (a.roles)
    where a.auth_id is distinct from p_but and p_area = any (r.areas)
      and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true)
      and not exists (select from app.users as m where m.uid = p_uid and m.auth_id = a.auth_id)
  )
$$;

comment on function app.other_administrator is
  'Returns whether an administrator other than the account p_but may act in an area on the member p_uid: active, with a role that '
  'allows the area, and not the member.';

-- sql/4_app/access/policies.sql
-- Row-level security of the tables with rows of members: members read their own rows, administrators read all rows.
-- After app.current_uid, which most policies call.
create policy members_read_themselves on app.users for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_users on app.users for select to store_admin, service_role using (true);

create policy members_read_their_balances on app.user_balances for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_balances on app.user_balances for select to store_admin, service_role using (true);

create policy members_read_their_orders on app.orders for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_orders on app.orders for select to store_admin, service_role using (true);

create policy members_read_their_order_lines on app.order_lines for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_order_lines on app.order_lines for select to store_admin, service_role using (true);

create policy earners_read_their_settlements on app.settlements for select to authenticated
  using (earner_uid = (select app.current_uid()));
create policy admins_read_all_settlements on app.settlements for select to store_admin, service_role using (true);

create policy members_read_their_bill on app.user_bill for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_bills on app.user_bill for select to store_admin, service_role using (true);

create policy members_read_their_releases on app.points_release_log for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_releases on app.points_release_log for select to store_admin, service_role using (true);

create policy members_read_their_level_changes on app.level_changes for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_level_changes on app.level_changes for select to store_admin, service_role using (true);

create policy members_read_their_refunds on app.refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_refunds on app.refunds for select to store_admin, service_role using (true);

create policy members_read_their_refund_lines on app.refund_lines for select to authenticated
  using (refund_id in (
    select r.id from app.refunds as r join app.orders as o on o.id = r.order_id where o.uid = (select app.current_uid())
  ));
create policy admins_read_all_refund_lines on app.refund_lines for select to store_admin, service_role using (true);

create policy members_read_their_provider_refunds on app.provider_refunds for select to authenticated
  using (order_id in (select o.id from app.orders as o where o.uid = (select app.current_uid())));
create policy admins_read_all_provider_refunds on app.provider_refunds for select to store_admin, service_role using (true);

create policy earners_read_their_maturities on app.commission_maturities for select to authenticated
  using (uid = (select app.current_uid()));
create policy admins_read_all_maturities on app.commission_maturities for select to store_admin, service_role using (true);

create policy members_read_their_withdrawals on app.withdrawals for select to authenticated using (uid = (select app.current_uid()));
create policy admins_read_all_withdrawals on app.withdrawals for select to store_admin, service_role using (true);

create policy admins_read_adjustments on app.adjustments for select to store_admin, service_role using (true);

-- sql/4_app/access/refuse_change.sql
-- Raises: restrict_violation.
create or replace function app.refuse_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  raise exception using
    errcode = 'restrict_violation', message = format('rows of %I are never changed or deleted', tg_table_name);
end
$$;

comment on function app.refuse_change is
  'Trigger: rejects every update, delete and truncate of an append-only table. Corrections of money and points are new, '
  'reversing rows.';

create trigger bill_rows_are_never_changed before update or delete on app.user_bill
  for each row execute function app.refuse_change();
create trigger the_bill_is_never_emptied before truncate on app.user_bill
  for each statement execute function app.refuse_change();
-- A trigger for statements is not inherited by partitions: each has its own (see create_month_partition).
create trigger the_default_part_of_the_bill_is_never_emptied before truncate on app.user_bill_default
  for each statement execute function app.refuse_change();
create trigger closed_months_are_never_changed before update or delete on app.closed_months
  for each row execute function app.refuse_change();
create trigger closed_months_are_never_emptied before truncate on app.closed_months
  for each statement execute function app.refuse_change();
create trigger plan_versions_are_never_changed before update or delete on app.commission_plans
  for each row execute function app.refuse_change();
create trigger plan_versions_are_never_emptied before truncate on app.commission_plans
  for each statement execute function app.refuse_change();
create trigger level_versions_are_never_changed before update or delete on app.level_versions
  for each row execute function app.refuse_change();
create trigger level_versions_are_never_emptied before truncate on app.level_versions
  for each statement execute function app.refuse_change();
create trigger releases_are_never_changed before update or delete on app.points_release_log
  for each row execute function app.refuse_change();
create trigger releases_are_never_emptied before truncate on app.points_release_log
  for each statement execute function app.refuse_change();
create trigger the_default_part_of_releases_is_never_emptied before truncate on app.points_release_log_default
  for each statement execute function app.refuse_change();
create trigger level_history_is_never_changed before update or delete on app.level_changes
  for each row execute function app.refuse_change();
create trigger level_history_is_never_emptied before truncate on app.level_changes
  for each statement execute function app.refuse_change();
create trigger no_assess_history_is_never_changed before update or delete on app.no_assess_changes
  for each row execute function app.refuse_change();
create trigger no_assess_history_is_never_emptied before truncate on app.no_assess_changes
  for each statement execute function app.refuse_change();
create trigger payment_notifications_are_never_changed before update or delete on app.payment_notifications
  for each row execute function app.refuse_change();
create trigger payment_notifications_are_never_emptied before truncate on app.payment_notifications
  for each statement execute function app.refuse_change();
create trigger admin_actions_are_never_changed before update or delete on app.admin_actions
  for each row execute function app.refuse_change();
create trigger admin_actions_are_never_emptied before truncate on app.admin_actions
  for each statement execute function app.refuse_change();
-- Everything but title and note, which are emptied when the account is deleted (app.forget_person).
create trigger imported_bill_rows_are_never_changed
  before update of source, old_id, uid, type, is_income, amount, balance, order_ref, add_time or delete on app.imported_bill
  for each row execute function app.refuse_change();
create trigger imported_bill_is_never_emptied before truncate on app.imported_bill
  for each statement execute function app.refuse_change();
create trigger opening_cycles_are_never_changed before update or delete on app.opening_cycles
  for each row execute function app.refuse_change();
create trigger opening_cycles_are_never_emptied before truncate on app.opening_cycles
  for each statement execute function app.refuse_change();

-- sql/4_app/access/refuse_value.sql
-- Raises: invalid_argument.
create or replace function app.refuse_value(p_constraint text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('invalid_argument', case
    when p_constraint = '' then 'A value is missing or too large.'
    else 'A value violates this rule: ' || replace(p_constraint, '_', ' ') || '.'
  end);
end
$$;

comment on function app.refuse_value is
  'Raises invalid_argument for a row that a table rejected. The detail names the violated constraint; if p_constraint is empty, '
  'it says that a value is missing or too large.';

-- sql/4_app/access/remove_administrator.sql
-- Locks: the account and the administrators with the role owner.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: no-op if the account is not an administrator.
create or replace function app.remove_administrator(p_account text)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid := app.find_account(p_account);
  v_was text[];
begin
  perform app.keep_an_owner(v_auth_id);
  update auth.users set role = 'authenticated' where id = v_auth_id and role = 'store_admin';
  delete from app.administrators as a where a.auth_id = v_auth_id returning a.roles into v_was;
  if found then
    perform app.record_action('remove_administrator', 'administrator', v_auth_id::text, jsonb_build_object('roles', v_was), null);
  end if;
end
$$;

comment on function app.remove_administrator is
  'Removes an account from the administrators with immediate effect. The account stays a member. The last '
  'owner cannot be removed. For the owner of the database; '
  'no client role may execute it.';

-- sql/4_app/access/require_admin.sql
-- Security definer: client roles cannot read auth.users.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
-- Raises: forbidden.
create or replace function app.require_admin(p_area text default null)
returns void
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_roles text[];
begin
  select a.roles into v_roles
  from app.administrators as a join auth.users as u on u.id = a.auth_id
  where a.auth_id = auth.uid() and u.role = 'store_admin' and u.deleted_at is null and coalesce(u.banned_until < now(), true);
  if v_roles is null then
    perform app.fail('forbidden', 'This account is not an administrator.');
  elsif p_area is not null and not exists (
    select from app.role_areas() as r where r.role = any (v_roles) and p_area = any (r.areas)
  ) then
    perform app.fail('forbidden', 'The roles of this account do not allow this. An administrator with the role owner can do it.');
  end if;
end
$$;

comment on function app.require_admin is
  'Raises forbidden unless the caller is an administrator now and, with p_area, has a role that may change that area '
  '(app.role_areas). A token alone does not suffice: it stays valid for up to an hour '
  'after its account was demoted, banned or deleted.';

grant execute on function app.require_admin(text) to store_admin;

-- sql/4_app/access/require_time.sql
-- Raises: invalid_argument.
create or replace function app.require_time(p_now timestamptz)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_now is null or p_now < '2000-01-01T00:00:00Z' or p_now >= '3000-01-01T00:00:00Z' then
    perform app.fail('invalid_argument', 'The time must be between the years 2000 and 3000.');
  end if;
end
$$;

comment on function app.require_time is 'Raises invalid_argument unless p_now is a time between the years 2000 and 3000.';

-- sql/4_app/access/require_uid.sql
-- Raises: unauthenticated, if the account has no member row.
create or replace function app.require_uid()
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.current_uid();
begin
  if v_uid is null then
    perform app.fail('unauthenticated', 'This account is not a member of the store.');
  end if;
  return v_uid;
end
$$;

comment on function app.require_uid is 'Returns the uid of the calling member.';

grant execute on function app.require_uid() to authenticated, store_admin;

-- sql/4_app/access/role_areas.sql
create or replace function app.role_areas()
returns table (role text, areas text[])
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select r.role, r.areas::text[]
  from (values
    ('owner', '{content, orders, refunds, members, money, plan, system}'),
    ('finance', '{refunds, money}'),
    ('service', '{orders, refunds, members}'),
    ('content', '{content}')
  ) as r (role, areas)
$$;

comment on function app.role_areas is
  'Returns what administrators with each role may change. Each administrative function that writes names its area. content: '
  'articles and products; orders: shipment; refunds: refunds of orders; members: levels and task counts; money: offline payments, '
  'withdrawals, adjustments, retries; plan: commission plan and levels; system: settings and schedule. All roles read everything, '
  'except account numbers and exports, which need money.';

grant execute on function app.role_areas() to store_admin;

-- sql/4_app/access/store_response.sql
-- Security definer: no client role may write to the table.
-- Precondition: the caller holds the lock of app.find_response on the key.
create or replace function app.store_response(p_key text, p_fingerprint bytea, p_response jsonb, p_now timestamptz)
returns void
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  insert into app.idempotency_keys (auth_id, role, key, fingerprint, response, created_at)
  values (auth.uid(), auth.jwt() ->> 'role', p_key, p_fingerprint, coalesce(p_response, 'null'), p_now)
$$;

comment on function app.store_response is
  'Stores a response under an idempotency key of the caller, who is the account and role in the claims of the request.';

grant execute on function app.store_response(text, bytea, jsonb, timestamptz) to authenticated, store_admin;

-- sql/4_app/access/utc.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.utc(p_at timestamptz)
returns text
language sql
stable
as $$
  select pg_catalog.to_char(p_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

comment on function app.utc is 'Returns a time in the format of the API: RFC 3339 in UTC with milliseconds. Null gives null.';

grant execute on function app.utc(timestamptz) to anon, authenticated, store_admin, service_role;

-- sql/4_app/actions/actor_earned_json.sql
create or replace function app.actor_earned_json(p_actor uuid, p_target_type text, p_target_id text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('commission', sum(b.brokerage_delta)::text, 'points', trim_scale(sum(b.frozen_delta + b.available_delta)))
  from app.users as u
  join app.user_bill as b on b.uid = u.uid
  where p_target_type = 'order' and app.is_earned(b.type) and u.auth_id = p_actor and b.order_id = case when p_target_type = 'order' then p_target_id::bigint end
  having count(*) > 0
$$;

comment on function app.actor_earned_json is
  'Returns what an order brought the administrator who acted on it, less reversals, as {commission, points}: the earnings of '
  'the administrator''s own member account. Null if there are none or the target is not an order.';

grant execute on function app.actor_earned_json(uuid, text, text) to store_admin;

-- sql/4_app/actions/actor_json.sql
create or replace function app.actor_json(p_auth_id uuid)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('auth_id', p_auth_id, 'uid', u.uid, 'nickname', u.nickname)
  from (select p_auth_id as id where p_auth_id is not null) as a
  left join app.users as u on u.auth_id = a.id
$$;

comment on function app.actor_json is 'Returns who made a change, {auth_id, uid, nickname}, or null if the store itself made it.';

grant execute on function app.actor_json(uuid) to store_admin;

-- sql/4_app/actions/record_action.sql
-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_action(
  p_function text, p_target_type text, p_target_id text, p_before jsonb, p_after jsonb, p_kept text[] default null
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_from jsonb := case when p_before is not null then '{}'::jsonb end;
  v_to jsonb := case when p_after is not null then '{}'::jsonb end;
  v_key text;
begin
  for v_key in select k from jsonb_object_keys(coalesce(p_before, '{}') || coalesce(p_after, '{}')) as k loop
    continue when v_key in ('updated_at', 'updated_by') or p_before -> v_key = p_after -> v_key;
    if p_kept is null or v_key = any (p_kept) then
      v_from := v_from || jsonb_build_object(v_key, p_before -> v_key);
      v_to := v_to || jsonb_build_object(v_key, p_after -> v_key);
    else
      v_to := v_to || jsonb_build_object(v_key, 'changed');
    end if;
  end loop;
  insert into app.admin_actions (actor, function, target_type, target_id, from_value, to_value, request_id, add_time)
  values (auth.uid(), p_function, p_target_type, p_target_id, v_from, v_to, nullif(current_setting('store.request_id', true), ''), clock_timestamp());
  perform set_config('store.recorded_action', p_function, true);
end
$$;

comment on function app.record_action is
  'Records an action of an administrator in app.admin_actions. p_before and p_after describe the target; null means that it did '
  'not exist or no longer exists. Only keys that differ are kept. With p_kept, only the values of these keys are kept, and '
  'other changed keys are recorded as "changed", so that no name, phone, address or text is stored.';

-- sql/4_app/actions/refuse_own_member.sql
-- Raises: own_account.
create or replace function app.refuse_own_member(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if exists (select from app.users as u where u.uid = p_uid and u.auth_id = auth.uid()) then
    perform app.fail('own_account', 'An administrator cannot do this to their own member account or its orders; another administrator can.');
  end if;
end
$$;

comment on function app.refuse_own_member is
  'Raises own_account if the member belongs to the account of the calling administrator.';

-- sql/4_app/addresses/address_json.sql
create or replace function app.address_json(p_address app.addresses)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_address.address || jsonb_build_object(
    'id', p_address.id, 'is_default', p_address.is_default, 'add_time', app.utc(p_address.add_time), 'updated_at', app.utc(p_address.updated_at)
  )
$$;

comment on function app.address_json is 'Returns an address of an address book in the format of the API.';

-- sql/4_app/addresses/lock_addresses.sql
-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the member's address book, so that concurrent changes leave one default and no more than the limit.
-- Raises: unauthenticated.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_addresses()
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform pg_advisory_xact_lock(hashtextextended(v_uid::text, app.lock_number('addresses')));
  return v_uid;
end
$$;

comment on function app.lock_addresses is 'Locks the address book of the caller and returns the caller''s uid.';

-- sql/4_app/addresses/own_address.sql
-- Raises: address_not_found (also for an address of another member).
create or replace function app.own_address(p_uid bigint, p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_address jsonb;
begin
  select a.address into v_address from app.addresses as a where a.id = p_id and a.uid = p_uid;
  if not found then
    perform app.fail('address_not_found');
  end if;
  return v_address;
end
$$;

comment on function app.own_address is 'Returns an address of a member''s address book, for an order to copy.';

-- sql/4_app/addresses/require_address.sql
-- Raises: invalid_argument.
create or replace function app.require_address(p_address jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not coalesce(app.is_address(p_address), false) then
    perform app.fail(
      'invalid_argument',
      'An address must have a name, a phone number, a region of 1 to 6 names from the largest to the smallest, and a street.', '/address'
    );
  end if;
end
$$;

comment on function app.require_address is 'Raises invalid_argument unless the value is a complete address (app.is_address).';

-- sql/4_app/addresses/set_default_address.sql
-- Precondition: the caller has locked the address book.
create or replace function app.set_default_address(p_uid bigint, p_id bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  -- Two statements, because a member has one default at any moment.
  update app.addresses as a set is_default = false where a.uid = p_uid and a.is_default and a.id <> p_id;
  update app.addresses as a set is_default = true where a.uid = p_uid and not a.is_default and a.id = p_id;
end
$$;

comment on function app.set_default_address is 'Makes an address of a member the default one, in place of another.';

-- sql/4_app/adjustments/adjustment_json.sql
create or replace function app.adjustment_json(p_adjustment app.adjustments)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_adjustment.id, 'uid', p_adjustment.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_adjustment.uid),
    'brokerage', p_adjustment.brokerage_delta::text, 'frozen_points', trim_scale(p_adjustment.frozen_delta),
    'available_points', trim_scale(p_adjustment.available_delta), 'reason', p_adjustment.reason, 'state', p_adjustment.state,
    'created_by', app.actor_json(p_adjustment.created_by), 'add_time', app.utc(p_adjustment.add_time),
    'decided_by', app.actor_json(p_adjustment.decided_by), 'decided_at', app.utc(p_adjustment.decided_at)
  )
$$;

comment on function app.adjustment_json is 'Returns an adjustment in the format of the API.';

grant execute on function app.adjustment_json(app.adjustments) to store_admin;

-- sql/4_app/adjustments/book_adjustment.sql
-- Precondition: the caller has locked the adjustment, unless it is new, and the balances of the member.
-- Not idempotent: the caller sets the state to booked in the same transaction.
create or replace function app.book_adjustment(p_adjustment app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[(
      p_adjustment.uid, 'adjustment', 'adjustment', p_adjustment.brokerage_delta, p_adjustment.frozen_delta, p_adjustment.available_delta,
      null, null, null, null, null, null, null, p_adjustment.id
    )::app.bill_entry],
    '{}', '{}', p_adjustment.decided_at
  );
end
$$;

comment on function app.book_adjustment is 'Changes the balances of a member as an adjustment says, with one bill row.';

-- sql/4_app/adjustments/check_adjustment.sql
-- Raises: invalid_argument.
create or replace function app.check_adjustment(p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if num_nonnulls(nullif(p_brokerage, 0), nullif(p_frozen, 0), nullif(p_available, 0)) = 0 then
    perform app.fail('invalid_argument', 'An adjustment changes at least one balance.');
  elsif greatest(abs(p_brokerage), abs(p_frozen), abs(p_available)) > 100000000 then
    perform app.fail('invalid_argument', 'An adjustment changes a balance by at most 100000000.');
  elsif scale(trim_scale(p_brokerage)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/brokerage');
  elsif scale(trim_scale(p_frozen)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/frozen_points');
  elsif scale(trim_scale(p_available)) > app.points_decimals() then
    perform app.fail('invalid_argument', 'Points have at most four decimals.', '/available_points');
  elsif p_reason is null or char_length(p_reason) not between 1 and 500 or not app.is_visible(p_reason) then
    perform app.fail('invalid_argument', 'An adjustment needs a reason of 1 to 500 characters.', '/reason');
  end if;
end
$$;

comment on function app.check_adjustment is 'Raises invalid_argument unless an adjustment has amounts that can be booked, and a reason.';

-- sql/4_app/adjustments/create_adjustment.sql
-- Locks: balances of the member.
-- Raises: invalid_argument, user_not_found, second_administrator_needed.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function app.create_adjustment(
  p_uid bigint, p_brokerage numeric, p_frozen numeric, p_available numeric, p_reason text, p_by uuid, p_now timestamptz
)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
  v_now timestamptz;
  v_waits boolean;
begin
  perform app.require_user(p_uid);
  perform app.check_adjustment(p_brokerage, p_frozen, p_available, p_reason);
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  if (select b.frozen_points from app.user_balances as b where b.uid = p_uid) + coalesce(p_frozen, 0) < 0 then
    perform app.fail('invalid_argument', 'The member has fewer frozen points than this adjustment takes.', '/frozen_points');
  end if;
  select coalesce(abs(p_brokerage) > s.adjustment_limit_money, false) or coalesce(greatest(abs(p_frozen), abs(p_available)) > s.adjustment_limit_points, false)
  into v_waits
  from app.settings as s;
  if v_waits and not app.other_administrator('money', p_by, p_uid) then
    perform app.fail('second_administrator_needed', 'Above the limit, a second administrator with the role owner or finance must approve. There is none.');
  end if;
  insert into app.adjustments (uid, brokerage_delta, frozen_delta, available_delta, reason, state, created_by, add_time, decided_by, decided_at)
  values (
    p_uid, coalesce(p_brokerage, 0), coalesce(p_frozen, 0), coalesce(p_available, 0), p_reason, case when v_waits then 'waiting' else 'booked' end,
    p_by, v_now, case when not v_waits then p_by end, case when not v_waits then v_now end
  )
  returning * into v_adjustment;
  perform app.book_adjustment(v_adjustment) where not v_waits;
  return v_adjustment;
end
$$;

comment on function app.create_adjustment is
  'Corrects the balances of a member by the given amounts and returns the adjustment. Within the limits of the settings it is '
  'booked at once. Above them it waits until a second administrator approves it. Frozen points never become negative.';

-- sql/4_app/adjustments/decide_adjustment.sql
-- Locks: the adjustment, then the balances of the member if it is booked.
-- Raises: adjustment_not_found, second_administrator_needed, adjustment_state_conflict.
-- Idempotent: an adjustment that has the state p_state is returned unchanged.
create or replace function app.decide_adjustment(p_id bigint, p_state text, p_by uuid, p_now timestamptz)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments := app.lock_adjustment(p_id);
  v_now timestamptz;
begin
  if v_adjustment.state = p_state then
    return v_adjustment;
  elsif v_adjustment.state <> 'waiting' then
    perform app.fail('adjustment_state_conflict', 'This adjustment has been decided.');
  elsif v_adjustment.created_by is not distinct from p_by then
    perform app.fail('second_administrator_needed', 'You made this adjustment. Another administrator with the role owner or finance must decide it.');
  end if;
  if p_state = 'booked' then
    perform app.lock_balances(array[v_adjustment.uid]);
    if (select b.frozen_points from app.user_balances as b where b.uid = v_adjustment.uid) + v_adjustment.frozen_delta < 0 then
      perform app.fail('adjustment_state_conflict', 'The member now has fewer frozen points than this adjustment takes. Refuse it.');
    end if;
  end if;
  v_now := app.effect_time(p_now);
  update app.adjustments as a set state = p_state, decided_by = p_by, decided_at = v_now
  where a.id = p_id
  returning a.* into v_adjustment;
  perform app.book_adjustment(v_adjustment) where p_state = 'booked';
  return v_adjustment;
end
$$;

comment on function app.decide_adjustment is
  'Decides an adjustment that waits and returns it: booked or refused, by another administrator than the one who made it.';

-- sql/4_app/adjustments/lock_adjustment.sql
-- Raises: adjustment_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_adjustment(p_id bigint)
returns app.adjustments
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  select a.* into v_adjustment from app.adjustments as a where a.id = p_id for update;
  if not found then
    perform app.fail('adjustment_not_found');
  end if;
  return v_adjustment;
end
$$;

comment on function app.lock_adjustment is 'Locks an adjustment, which comes before balances in the lock order, and returns it.';

-- sql/4_app/adjustments/record_adjustment_action.sql
-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_adjustment_action(p_function text, p_before app.adjustments, p_after app.adjustments)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left_out constant text[] := array['id', 'created_by', 'add_time', 'decided_by', 'decided_at'];
begin
  perform app.record_action(
    p_function, 'adjustment', p_after.id::text, case when p_before.id is not null then to_jsonb(p_before) - v_left_out end, to_jsonb(p_after) - v_left_out,
    array['uid', 'state', 'brokerage_delta', 'frozen_delta', 'available_delta']
  );
end
$$;

comment on function app.record_adjustment_action is
  'Records what an administrator did with an adjustment: member, state and amounts, and of the reason only that it changed.';

-- sql/4_app/articles/article_category_json.sql
create or replace function app.article_category_json(p_category app.article_categories)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_category.id, 'title', p_category.title, 'is_sign_in_ad', p_category.is_sign_in_ad, 'hidden', p_category.hidden,
    -- The slots of a category are 1 to n without a gap, so the highest is their number.
    'readable_articles', coalesce((select max(p.slot) from app.article_pool as p where p.cid = p_category.id), 0),
    'add_time', app.utc(p_category.add_time), 'updated_at', app.utc(p_category.updated_at),
    'updated_by', app.actor_json(p_category.updated_by)
  )
$$;

comment on function app.article_category_json is
  'Returns an article category as administrators see it, with the number of its articles that may be read.';

grant execute on function app.article_category_json(app.article_categories) to store_admin;

-- sql/4_app/articles/article_json.sql
create or replace function app.article_json(p_article app.articles)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_article.id, 'cid', p_article.cid, 'title', p_article.title, 'author', p_article.author,
    'image_input', p_article.image_input, 'synopsis', p_article.synopsis, 'url', p_article.url,
    'status', p_article.status, 'hidden', p_article.hidden, 'add_time', app.utc(p_article.add_time),
    'updated_at', app.utc(p_article.updated_at), 'updated_by', app.actor_json(p_article.updated_by)
  )
$$;

comment on function app.article_json is 'Returns an article as administrators see it in lists, without its content.';

grant execute on function app.article_json(app.articles) to store_admin;

-- sql/4_app/articles/article_record.sql
create or replace function app.article_record(p_article app.articles)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(p_article) - '{id, add_time}'::text[]
$$;

comment on function app.article_record is 'Returns an article in the form that app.record_action compares and keeps.';

-- sql/4_app/articles/clear_sign_in_flag.sql
-- Locks: app.article_categories against concurrent changes, so that administrators who move the flag do so one after the other.
-- Readers and writers of articles do not wait.
create or replace function app.clear_sign_in_flag(p_changed_by uuid, p_now timestamptz)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
begin
  lock table app.article_categories in share row exclusive mode;
  update app.article_categories set is_sign_in_ad = false, updated_at = p_now, updated_by = p_changed_by where is_sign_in_ad
  returning id into v_id;
  return v_id;
end
$$;

comment on function app.clear_sign_in_flag is
  'Clears the sign-in flag of the category that has it and returns the id of that category, or null. To be followed by setting '
  'the flag of another category in the same transaction.';

-- sql/4_app/articles/enter_article_pool.sql
-- Precondition: the transaction holds the lock of app.lock_article_pool.
-- Raises: unique_violation, if an article is in the pool already.
create or replace function app.enter_article_pool(p_cids bigint[], p_article_ids bigint[])
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with entering as materialized (
    select e.cid, e.id from unnest(p_cids, p_article_ids) as e (cid, id)
  ), ends as materialized (
    -- Materialized before the first insert: finding the last old entry behind a million new ones would take a million steps.
    select c.cid, coalesce((select max(p.slot) from app.article_pool as p where p.cid = c.cid), 0) as slot
    from (select distinct e.cid from entering as e) as c
  )
  insert into app.article_pool (cid, slot, article_id)
  select e.cid, d.slot + row_number() over (partition by e.cid order by e.id), e.id
  from entering as e
  join ends as d on d.cid = e.cid
$$;

comment on function app.enter_article_pool is 'Adds articles to the article pool, each after the last one of its category.';

-- sql/4_app/articles/keep_article_pool.sql
-- Precondition: the trigger app.lock_article_pool has locked app.article_pool_guard before the statement.
create or replace function app.keep_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if tg_op = 'INSERT' then
    perform app.enter_article_pool(array_agg(n.cid), array_agg(n.id))
    from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0;
  elsif tg_op = 'DELETE' then
    perform app.leave_article_pool(array_agg(o.id)) from old_articles as o;
  elsif tg_op = 'TRUNCATE' then
    delete from app.article_pool where true;
  else
    -- One query plan of EXCEPT suits one article and a million. The cached plan of a join would be the one for the first statement.
    perform app.leave_article_pool(array_agg(l.id)) from (
      select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
      except select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
    ) as l;
    perform app.enter_article_pool(array_agg(e.cid), array_agg(e.id)) from (
      select n.cid, n.id from new_articles as n where n.status = 1 and n.is_del = 0 and n.hidden = 0
      except select o.cid, o.id from old_articles as o where o.status = 1 and o.is_del = 0 and o.hidden = 0
    ) as e;
  end if;
  return null;
end
$$;

comment on function app.keep_article_pool is
  'Trigger: updates the article pool after each statement that changes articles. Articles that may no longer be read leave it, '
  'and articles that may be read now enter it. Other changes neither lock nor change the pool.';

create trigger the_pool_follows_new_articles after insert on app.articles
  referencing new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_changed_articles after update on app.articles
  referencing old table as old_articles new table as new_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_follows_deleted_articles after delete on app.articles
  referencing old table as old_articles
  for each statement execute function app.keep_article_pool();
create trigger the_pool_is_emptied_with_the_articles after truncate on app.articles
  for each statement execute function app.keep_article_pool();

-- sql/4_app/articles/leave_article_pool.sql
-- The cost depends on the number of articles that leave, not on the size of the pool.
-- Precondition: the transaction holds the lock of app.lock_article_pool.
-- Idempotent: articles that are not in the pool are skipped.
create or replace function app.leave_article_pool(p_article_ids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left record;
  v_last bigint;
begin
  for v_left in
    with gone as (
      -- A join, because a comparison with the array would search the whole array for every row.
      delete from app.article_pool as p using unnest(p_article_ids) as i (id) where p.article_id = i.id returning p.cid, p.slot
    )
    select g.cid, array_agg(g.slot order by g.slot) as gaps, max(g.slot) as last_gap from gone as g group by g.cid
  loop
    -- The last slot after the removal: the last one before it, less the number of removed articles.
    select greatest(max(p.slot), v_left.last_gap) - cardinality(v_left.gaps) into v_last
    from app.article_pool as p where p.cid = v_left.cid;
    -- There are as many articles after the new end as gaps before it. With outdated statistics, the planner expects one article in
    -- the category. Gaps are therefore addressed by their index in the array, and articles by their id alone: joins by the category
    -- would be nested loops over all its articles.
    update app.article_pool as p set slot = v_left.gaps[behind.place]
    from (
      select q.article_id, row_number() over (order by q.slot) as place
      from app.article_pool as q
      where q.cid = v_left.cid and q.slot > v_last
    ) as behind
    where p.article_id = behind.article_id;
  end loop;
end
$$;

comment on function app.leave_article_pool is
  'Removes articles from the article pool. The last articles of each category move into the gaps, so that slots stay 1 to n.';

-- sql/4_app/articles/lock_article.sql
-- Locks: the article pool, then the article. With this order no transaction that holds an article waits for the pool.
-- Raises: article_not_found.
create or replace function app.lock_article(p_id bigint)
returns app.articles
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform from app.article_pool_guard as g for update;
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0 for update;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return v_article;
end
$$;

comment on function app.lock_article is 'Locks an article that is not deleted and returns it.';

-- sql/4_app/articles/lock_article_pool.sql
-- Runs before the statement, so that the pool is locked before any article.
-- The row is updated, not only locked: a transaction whose snapshot is older than the last change then fails with
-- serialization_failure instead of numbering from outdated rows. Only the first statement of a transaction updates it, so that
-- bulk loads stay cheap.
-- Locks: app.article_pool_guard.
-- Idempotent: no-op after the first call in a transaction.
create or replace function app.lock_article_pool()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.article_pool_guard set changed_in = txid_current() where changed_in <> txid_current();
  return null;
end
$$;

comment on function app.lock_article_pool is
  'Trigger: locks the article pool until the end of the transaction, before a statement that may change which articles can be '
  'read.';

create trigger inserts_lock_the_pool_first before insert on app.articles
  for each statement execute function app.lock_article_pool();
create trigger changes_lock_the_pool_first before update of cid, status, is_del, hidden on app.articles
  for each statement execute function app.lock_article_pool();
create trigger deletes_lock_the_pool_first before delete on app.articles
  for each statement execute function app.lock_article_pool();
create trigger truncates_lock_the_pool_first before truncate on app.articles
  for each statement execute function app.lock_article_pool();

-- sql/4_app/articles/require_article_category.sql
-- Locks: the category, for share.
-- Raises: invalid_argument.
create or replace function app.require_article_category(p_cid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.article_categories as c where c.id = p_cid and not c.is_del for share;
  if not found then
    perform app.fail('invalid_argument', 'cid is not the id of an article category.');
  end if;
end
$$;

comment on function app.require_article_category is
  'Raises invalid_argument unless articles can be put into this category, and keeps the category from being deleted until the '
  'end of the transaction.';

-- sql/4_app/bill/balances_until.sql
-- PL/pgSQL and a generic query plan: see app.frozen_until.
create or replace function app.balances_until(p_uid bigint, p_until timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce((
    select jsonb_build_object(
      'brokerage_price', b.brokerage_after::text, 'frozen_points', trim_scale(b.frozen_after), 'available_points', trim_scale(b.available_after)
    )
    from app.user_bill as b
    where b.uid = p_uid and b.add_time < p_until
    order by b.add_time desc, b.id desc
    limit 1
  ), '{"brokerage_price": "0.00", "frozen_points": 0, "available_points": 0}');
end
$$;

comment on function app.balances_until is
  'Returns the three balances of a member at p_until: those of their last bill row before it, and zero before the first.';

grant execute on function app.balances_until(bigint, timestamptz) to authenticated, store_admin;

-- sql/4_app/bill/bill_json.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.bill_json(p_row app.user_bill)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'type', p_row.type, 'source', p_row.source,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen_points', pg_catalog.trim_scale(p_row.frozen_delta),
    'available_points', pg_catalog.trim_scale(p_row.available_delta), 'brokerage_after', p_row.brokerage_after::pg_catalog.text,
    'frozen_points_after', pg_catalog.trim_scale(p_row.frozen_after), 'available_points_after', pg_catalog.trim_scale(p_row.available_after),
    'order_id', p_row.order_id, 'basis', pg_catalog.trim_scale(p_row.basis), 'rate', pg_catalog.trim_scale(p_row.rate),
    'agent_level', p_row.agent_level, 'passed_on', pg_catalog.trim_scale(p_row.passed_on), 'reverses_id', p_row.reverses_id,
    'withdrawal_id', p_row.withdrawal_id, 'adjustment_id', p_row.adjustment_id,
    'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.bill_json is 'Returns a bill row in the format of the API.';

grant execute on function app.bill_json(app.user_bill) to authenticated, store_admin;

-- sql/4_app/bill/bill_line.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.bill_line(p_row app.user_bill, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'time', pg_catalog.to_char(p_row.add_time at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'id', p_row.id::pg_catalog.text, 'uid', p_row.uid::pg_catalog.text, 'type', p_row.type, 'source', p_row.source,
    'order', p_row.order_id::pg_catalog.text,
    'basis', pg_catalog.trim_scale(p_row.basis)::pg_catalog.text, 'rate', pg_catalog.trim_scale(p_row.rate)::pg_catalog.text,
    'level', p_row.agent_level::pg_catalog.text, 'passed_on', pg_catalog.trim_scale(p_row.passed_on)::pg_catalog.text,
    'brokerage', p_row.brokerage_delta::pg_catalog.text, 'frozen', pg_catalog.trim_scale(p_row.frozen_delta)::pg_catalog.text,
    'available', pg_catalog.trim_scale(p_row.available_delta)::pg_catalog.text,
    'brokerage_after', p_row.brokerage_after::pg_catalog.text, 'frozen_after', pg_catalog.trim_scale(p_row.frozen_after)::pg_catalog.text,
    'available_after', pg_catalog.trim_scale(p_row.available_after)::pg_catalog.text,
    'reverses', p_row.reverses_id::pg_catalog.text, 'withdrawal', p_row.withdrawal_id::pg_catalog.text,
    'adjustment', p_row.adjustment_id::pg_catalog.text
  )
$$;

comment on function app.bill_line is
  'Returns a bill row as a line of a CSV file: all values as text, so that no digit is lost, and the time in p_time_zone.';

grant execute on function app.bill_line(app.user_bill, text) to authenticated, store_admin;

-- sql/4_app/bill/bill_lines.sql
-- Security invoker: reads with the rights of the caller.
-- One statement for a member and one for all, because they use different indexes. Generic query plans: see app.bill_page.
-- Raises: invalid_argument.
create or replace function app.bill_lines(p_uid bigint, p_from timestamptz, p_to timestamptz, p_cursor text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_most constant integer := 1000;
  v_after record := app.line_position(p_cursor);
  v_from timestamptz := greatest(coalesce(p_from, '-infinity'), v_after.add_time);
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_zone text := (select s.time_zone from app.settings as s);
  v_rows app.user_bill[];
begin
  if p_uid is null then
    v_rows := array(
      select b from app.user_bill as b
      where b.add_time >= v_from and b.add_time < v_to and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  else
    v_rows := array(
      select b from app.user_bill as b
      where b.uid = p_uid and b.add_time >= v_from and b.add_time < v_to and (b.add_time, b.id) > (v_after.add_time, v_after.id)
      order by b.add_time, b.id limit v_most
    );
  end if;
  return jsonb_build_object(
    'lines', (select coalesce(jsonb_agg(app.bill_line(r, v_zone) order by r.add_time, r.id), '[]') from unnest(v_rows) as r),
    'next_cursor', case when cardinality(v_rows) = v_most then app.make_cursor((v_rows[v_most]).add_time, (v_rows[v_most]).id) end
  );
end
$$;

comment on function app.bill_lines is
  'Returns the next chunk of the bill as lines of a CSV file, {lines, next_cursor}, oldest first: of one member, or of all with '
  'p_uid null, from p_from until before p_to.';

grant execute on function app.bill_lines(bigint, timestamptz, timestamptz, text) to authenticated, store_admin;

-- sql/4_app/bill/bill_page.sql
-- Security invoker: reads with the rights of the caller.
-- Raises: invalid_argument.
-- Generic query plan: choosing partitions anew for every call would take longer than reading them.
create or replace function app.bill_page(
  p_uid bigint, p_type text, p_from timestamptz, p_to timestamptz, p_page integer, p_limit integer, p_cursor text
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_position record := app.list_position(p_page, p_limit, p_cursor);
  v_from timestamptz := coalesce(p_from, '-infinity');
  v_to timestamptz := coalesce(p_to, 'infinity');
  v_answer jsonb;
begin
  select jsonb_build_object(
    'list', coalesce(jsonb_agg(app.bill_json(l) order by l.add_time desc, l.id desc), '[]'),
    'count', (
      select count(*) from app.user_bill as c
      where c.uid = p_uid and (p_type is null or c.type = p_type) and c.add_time >= v_from and c.add_time < v_to
    ),
    'next_cursor', case when count(*) = p_limit then
      (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1]
    end
  )
  into v_answer
  from (
    select b.* from app.user_bill as b
    where b.uid = p_uid and (p_type is null or b.type = p_type) and b.add_time >= v_from and b.add_time < v_to
      and (b.add_time, b.id) < (v_position.add_time, v_position.id)
    order by b.add_time desc, b.id desc
    offset v_position.skip limit p_limit
  ) as l;
  return v_answer;
end
$$;

comment on function app.bill_page is
  'Returns one page of a member''s bill as {list, count, next_cursor}, newest first. The rows can be limited by type and time '
  'and paged by number or cursor.';

grant execute on function app.bill_page(bigint, text, timestamptz, timestamptz, integer, integer, text) to authenticated, store_admin;

-- sql/4_app/bill/commission_since.sql
-- A few index probes, however many orders have paid the member since: the difference of two balances is the sum of all rows between
-- them, and the rows that are not earned are few and have tables of their own. An opening balance is always the first row of its
-- member.
-- Generic query plan: see app.bill_page.
create or replace function app.commission_since(p_uid bigint, p_from timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select b.brokerage_price - coalesce((
      select l.brokerage_after from app.user_bill as l
      where l.uid = p_uid and l.add_time < p_from
      order by l.add_time desc, l.id desc
      limit 1
    ), (
      select l.brokerage_after from (
        select f.type, f.brokerage_after from app.user_bill as f where f.uid = p_uid order by f.add_time, f.id limit 1
      ) as l
      where l.type = 'opening_balance'
    ), 0) + coalesce((
      select sum(w.amount * ((w.add_time >= p_from)::integer - (w.state in ('refused', 'failed') and w.ended_at >= p_from)::integer))
      from app.withdrawals as w where w.uid = p_uid
    ), 0) - coalesce((
      select sum(a.brokerage_delta) from app.adjustments as a where a.uid = p_uid and a.state = 'booked' and a.decided_at >= p_from
    ), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.commission_since is
  'Returns the commission that a member has earned since a time, less the reversals since then. An '
  'opening balance, an adjustment and what a withdrawal takes or gives back is not earned. Money, 2 decimals.';

-- sql/4_app/bill/day_begins.sql
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.day_begins(p_day date)
returns timestamptz
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select p_day::timestamp at time zone s.time_zone from app.settings as s);
end
$$;

comment on function app.day_begins is 'Returns when a business day begins, in the time zone of the store: the inverse of app.business_day.';

grant execute on function app.day_begins(date) to authenticated, store_admin;

-- sql/4_app/bill/month_start.sql
-- Raises: invalid_argument.
create or replace function app.month_start(p_month text)
returns date
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_month is null or p_month !~ '^2[0-9]{3}-(0[1-9]|1[0-2])$' then
    perform app.fail('invalid_argument', 'A month is written as 2026-10, between the years 2000 and 3000.');
  end if;
  return (p_month || '-01')::date;
end
$$;

comment on function app.month_start is 'Returns the first day of a month that is written as YYYY-MM.';

grant execute on function app.month_start(text) to authenticated, store_admin;

-- sql/4_app/bill/months_with_rows.sql
-- One index probe for each month, however many rows a month has.
-- PL/pgSQL and a generic query plan: see app.frozen_until.
create or replace function app.months_with_rows(p_uid bigint)
returns setof text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_from timestamptz := '-infinity'::timestamptz;
  v_month date;
begin
  loop
    select date_trunc('month', app.business_day(b.add_time)::timestamp)::date into v_month
    from app.user_bill as b
    where b.uid = p_uid and b.add_time >= v_from
    order by b.add_time, b.id
    limit 1;
    exit when not found;
    return next to_char(v_month, 'YYYY-MM');
    v_from := app.day_begins((v_month + interval '1 month')::date);
  end loop;
end
$$;

comment on function app.months_with_rows is 'Returns the business months in which a member has bill rows, as YYYY-MM, the oldest first.';

grant execute on function app.months_with_rows(bigint) to authenticated, store_admin;

-- sql/4_app/bill/statement_json.sql
-- Security invoker: reads with the rights of the caller.
-- Generic query plan: see app.bill_page.
-- Raises: invalid_argument.
create or replace function app.statement_json(p_uid bigint, p_month text)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_month text := coalesce(p_month, to_char(app.business_day(now()), 'YYYY-MM'));
  v_from timestamptz := app.day_begins(app.month_start(v_month));
  v_to timestamptz := app.day_begins((app.month_start(v_month) + interval '1 month')::date);
begin
  return jsonb_build_object(
    'month', v_month, 'from', app.utc(v_from), 'to', app.utc(v_to),
    'opening', app.balances_until(p_uid, v_from), 'closing', app.balances_until(p_uid, v_to),
    'sums', (
      select coalesce(jsonb_agg(jsonb_build_object(
        'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::text,
        'frozen_points', trim_scale(s.frozen), 'available_points', trim_scale(s.available)
      ) order by s.type, s.source), '[]')
      from (
        select
          b.type, b.source, count(*) as rows, sum(b.brokerage_delta) as brokerage, sum(b.frozen_delta) as frozen, sum(b.available_delta) as available
        from app.user_bill as b
        where b.uid = p_uid and b.add_time >= v_from and b.add_time < v_to
        group by b.type, b.source
      ) as s
    ),
    'months', (select coalesce(jsonb_agg(m.month order by m.month desc), '[]') from app.months_with_rows(p_uid) as m (month))
  );
end
$$;

comment on function app.statement_json is
  'Returns the statement of a member for a business month: the balances at its beginning and end, the sums for each bill type and '
  'source, and the months that have bill rows. p_month is YYYY-MM; null is the present month.';

grant execute on function app.statement_json(bigint, text) to authenticated, store_admin;

-- sql/4_app/bill/statement_lines.sql
-- Raises: invalid_argument.
create or replace function app.statement_lines(p_uid bigint, p_month text, p_cursor text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.bill_lines(p_uid, app.day_begins(m.first), app.day_begins((m.first + interval '1 month')::date), p_cursor)
  from (select app.month_start(p_month) as first) as m
$$;

comment on function app.statement_lines is
  'Returns the next chunk of a member''s bill of a business month (app.bill_lines). p_month is YYYY-MM.';

grant execute on function app.statement_lines(bigint, text, text) to authenticated, store_admin;

-- sql/4_app/checkout/checkout_entry.sql
create or replace function app.checkout_entry(p_order app.orders, p_points numeric)
returns app.bill_entry
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select (
    p_order.uid, case when p_points < 0 then 'points_spent' else 'points_returned' end, 'checkout', 0, 0, p_points, p_order.id,
    case when p_points < 0 then p_order.paid_by_points end, case when p_points < 0 then p_order.points_spent / p_order.paid_by_points end,
    null, null, null, null, null
  )::app.bill_entry
$$;

comment on function app.checkout_entry is
  'Returns the bill entry for points that an order takes (negative) or returns. Points taken state the money that they paid, and the points '
  'for 1.00. What a refund returns is stated by the refund.';

-- sql/4_app/checkout/decide_points.sql
create or replace function app.decide_points(
  p_lines app.order_lines[], p_use_points numeric, p_available numeric, p_rate numeric, p_max_share numeric
)
returns app.order_lines[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_whole numeric := (select coalesce(sum(l.paid), 0) from unnest(p_lines) as l where not l.is_queue_goods);
  v_money numeric := least(
    app.money_of_points(greatest(least(coalesce(p_use_points, 0), p_available), 0), p_rate), app.round_down(p_max_share * v_whole, app.money_decimals())
  );
  v_price numeric := 0.0;
  v_spread numeric := 0.0;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
begin
  if v_money = 0 then
    return p_lines;
  end if;
  foreach v_line in array p_lines loop
    if not v_line.is_queue_goods then
      v_price := v_price + v_line.paid;
      v_line.paid_by_points := app.money_share(v_money, v_price, v_whole) - v_spread;
      v_line.points := v_line.paid_by_points * p_rate;
      v_line.paid := v_line.paid - v_line.paid_by_points;
      v_spread := v_spread + v_line.paid_by_points;
    end if;
    v_lines := v_lines || v_line;
  end loop;
  return v_lines;
end
$$;

comment on function app.decide_points is
  'Decides what points pay for priced lines, and returns the lines with it. p_use_points is the most points to use, p_rate the points for '
  '1.00, p_max_share the greatest share of the price that points can pay. Queue goods are never paid by points. The money is spread over the '
  'other lines in proportion to their prices: each line pays the difference of two running sums that are rounded down, so that the lines '
  'add up and no line pays more than its price.';

-- sql/4_app/checkout/points_offer_json.sql
create or replace function app.points_offer_json(p_uid bigint, p_lines app.order_lines[])
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'available', trim_scale(o.available_points), 'usable', trim_scale(o.points), 'pays', o.money::text,
    'reason', case
      when o.points > 0 then null
      when o.points_max_share = 0 then 'off'
      when o.has_only_queue_goods then 'only_queue_goods'
      when app.money_of_points(greatest(o.available_points, 0), o.points_rate) = 0 then 'no_points'
      else 'price_too_low'
    end
  )
  from (
    select
      b.available_points, s.points_rate, s.points_max_share, sum(l.points) as points, sum(l.paid_by_points) as money,
      bool_and(l.is_queue_goods) as has_only_queue_goods
    from app.user_balances as b
    cross join app.settings as s
    cross join lateral unnest(app.decide_points(p_lines, b.available_points, b.available_points, s.points_rate, s.points_max_share)) as l
    where b.uid = p_uid
    group by b.uid, s.id
  ) as o
$$;

comment on function app.points_offer_json is
  'Returns how many points a member could use at most for priced lines and what they would pay, or the reason why none: off (the store takes '
  'none), only_queue_goods, no_points, or price_too_low.';

-- sql/4_app/checkout/use_points.sql
-- Precondition: with p_locks, the caller has locked the products of the lines.
-- Locks: with p_locks, the balances of the buyer, so that nobody else spends the same points.
-- Raises: invalid_argument.
create or replace function app.use_points(p_uid bigint, p_lines app.order_lines[], p_use_points numeric, p_locks boolean)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_use_points not between 0 and 99999999999999 then
    perform app.fail('invalid_argument', 'Points to use are a number from 0.', '/use_points');
  elsif p_locks then
    perform app.lock_balances(array[p_uid]);
  end if;
  return (
    select app.decide_points(p_lines, p_use_points, b.available_points, s.points_rate, s.points_max_share)
    from app.user_balances as b cross join app.settings as s
    where b.uid = p_uid
  );
end
$$;

comment on function app.use_points is
  'Returns the lines of an order with what the available points of its buyer pay for them, at most p_use_points.';

-- sql/4_app/explain/audit_counts.sql
-- Counts with the same SQL as app.count_downline.
-- Raises: user_not_found.
create or replace function app.audit_counts(p_uid bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_counted record;
  v_user app.users;
  v_next smallint;
begin
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  select * into v_counted from app.count_downline(p_uid);
  select min(l.grade) into v_next from app.agent_levels as l where l.is_active and l.grade > v_user.agent_level;
  return jsonb_build_object(
    'uid', p_uid, 'agent_level', v_user.agent_level, 'level_is_held', v_user.is_held, 'next_level', v_next, 'counted', to_jsonb(v_counted),
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'counted', (to_jsonb(v_counted) ->> t.type)::integer,
        'met', (to_jsonb(v_counted) ->> t.type)::integer >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t where t.grade = v_next
    ), '[]'),
    'left_out', coalesce((
      select jsonb_object_agg(r.reason, r.orders)
      from (select d.reason, count(*) as orders from app.downline_orders(p_uid) as d where d.reason is not null group by d.reason) as r
    ), '{}'),
    'orders', coalesce((
      select jsonb_agg(jsonb_build_object(
        'order_id', d.order_id, 'uid', d.uid, 'nickname', (select u.nickname from app.users as u where u.uid = d.uid), 'is_direct', d.is_direct, 'counted', d.reason is null, 'reason', d.reason
      ) order by d.reason is null, d.order_id desc)
      from (select * from app.downline_orders(p_uid) as a order by a.reason is null, a.order_id desc limit p_limit) as d
    ), '[]')
  );
end
$$;

comment on function app.audit_counts is
  'Returns a member''s task counts: whether the level is held, the tasks of the next grade with what counts for them, and up '
  'to p_limit orders of the downline, each with the reason if it does not count. Orders that do not count come first, newest '
  'first.';

-- sql/4_app/explain/chain_at.sql
create or replace function app.chain_at(p_uid bigint, p_position bigint)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive chain as (
    select u.uid, u.spread_uid, u.spread_position, 0 as depth from app.users as u where u.uid = p_uid
    union all
    select r.uid, r.spread_uid, r.spread_position, c.depth + 1
    from chain as c join app.users as r on r.uid = c.spread_uid
    where c.spread_position < p_position
  )
  select array_agg(c.uid order by c.depth) from chain as c
$$;

comment on function app.chain_at is 'Returns a member and their upline as it was at a position, nearest first.';

-- sql/4_app/explain/cycle_at.sql
-- Generic query plan: see app.get_upline.
create or replace function app.cycle_at(p_settlement app.settlements)
returns app.cycle_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  -- If no earlier settlement is in this cycle, this settlement opened it, and the previous cycle had ended.
  return (
    select (
      p_settlement.earner_uid,
      (
        -- What the settlement recorded, but only if the earner has such an order (R4).
        select o.paid_at from app.orders as o
        where o.uid = p_settlement.earner_uid and o.paid_at = p_settlement.eligible_since and o.has_queue_goods and not o.below_minimum
        limit 1
      ),
      p_settlement.cycle_no - (count(*) = 0)::integer,
      min(s.cycle_plan_version), count(*) > 0,
      coalesce(array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position > p_settlement.position), '{}'),
      coalesce(array_agg(s.order_id) filter (where s.place_freed_position is null or s.place_freed_position > p_settlement.position), '{}'),
      0
    )::app.cycle_state
    from app.taken_places as s
    where s.earner_uid = p_settlement.earner_uid and s.cycle_no = p_settlement.cycle_no and s.position < p_settlement.position
  );
end
$$;

comment on function app.cycle_at is
  'Returns the cycle of a settlement''s earner as it was before the settlement took its place.';

-- sql/4_app/explain/decide_again.sql
-- Level changes are not decided again, because past task counts are not stored; app.level_changes has them.
create or replace function app.decide_again(p_settlement app.settlements, out settlement app.settlements, out grants app.level_grant[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := (select o from app.orders as o where o.id = p_settlement.order_id);
  v_state app.engine_state := app.restore_state(p_settlement);
  v_facts app.order_facts := (
    'settle', p_settlement.order_id, 1, p_settlement.uid, p_settlement.referrer_uid, p_settlement.order_plan_version,
    p_settlement.plan_in_force, v_order.paid_at, p_settlement.base, p_settlement.units,
    app.barring_reason(p_settlement.units, p_settlement.base, v_order.below_minimum, p_settlement.referrer_uid, v_order.is_imported), false
  );
begin
  settlement := (app.decide_cycles(array[v_facts], v_state.members, v_state.cycles, v_state.plans)).settlements[1];
  grants := (app.decide_levels(app.settlement_events(array[v_facts], v_state.plans), v_state.members, v_state.levels, true)).grants;
end
$$;

comment on function app.decide_again is
  'Decides a past settlement again from the state in which it was decided. Returns the settlement and what each member of the '
  'upline got by level, zero amounts included.';

-- sql/4_app/explain/explain_cycle.sql
create or replace function app.explain_cycle(
  p_settlement app.settlements, p_decision app.settlements, p_grants app.level_grant[], p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'rule', 'R1 base x rate of the place, rounded down', 'brokerage_scope', p_decision.brokerage_scope,
    'base', p_decision.base::text, 'earner_uid', p_decision.earner_uid, 'cycle_no', p_decision.cycle_no,
    'place', p_decision.place, 'cycle_plan_version', p_decision.cycle_plan_version,
    'ratio', trim_scale(p_decision.ratio), 'rate', trim_scale(p_decision.rate),
    'capped_by', case
      when p_decision.rate = p_decision.ratio then null
      when p_decision.rate = c.payout_cap then p_decision.cycle_plan_version
      else p_decision.plan_in_force
    end,
    'commission', p_decision.commission::text, 'points_per_brokerage', trim_scale(c.points_per_brokerage),
    'commission_points', trim_scale(p_decision.commission_points),
    'place_freed_at', app.utc(p_settlement.place_freed_at), 'reason', p_decision.reason,
    'asked', coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', g.depth, 'uid', g.uid, 'eligible', g.uid is not distinct from p_decision.earner_uid
      ) order by g.depth)
      from unnest(p_grants) as g
      where coalesce(p_decision.reason, 'referrer_not_eligible') in ('referrer_not_eligible', 'nobody_eligible')
        and g.depth <= least(
          p_limit, case when p_decision.brokerage_scope = 'direct' then 1 end, o.max_depth,
          (select e.depth from unnest(p_grants) as e where e.uid = p_decision.earner_uid)
        )
    ), '[]')
  )
  from app.commission_plans as o
  left join app.commission_plans as c on c.version = p_decision.cycle_plan_version
  where o.version = p_decision.order_plan_version
$$;

comment on function app.explain_cycle is
  'Explains the commission of a settlement: the members whose eligibility was checked (R4), from the referrer upwards, with the '
  'result, the place and the amount, or the reason why nobody earned. p_decision is the settlement decided again, p_settlement '
  'the booked one. Lists at most p_limit members.';

-- sql/4_app/explain/explain_levels.sql
create or replace function app.explain_levels(p_settlement app.settlements, p_grants app.level_grant[], p_limit integer)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'depth', g.depth, 'uid', g.uid, 'agent_level', g.agent_level, 'agent_level_name', l.name,
    'direct_points', l.direct_points, 'umbrella_points', l.umbrella_points, 'passed_on', trim_scale(g.passed_on),
    'rule', case g.depth when 1 then 'R6 direct points x units' else 'R7 umbrella points above what is passed on x units' end,
    'per_unit', trim_scale(g.per_unit), 'points', trim_scale(g.points),
    'reason', case
      when g.points > 0 then null
      when p_settlement.reason = 'imported' then 'order_was_imported'
      when p_settlement.reason = 'refunded' then 'order_was_refunded'
      when p_settlement.reason in ('below_minimum', 'zero_base') then p_settlement.reason
      when p_settlement.reason = 'no_referrer' then 'order_had_no_referrer'
      when g.depth > p.max_depth then 'beyond_max_depth'
      when g.depth = 1 then 'level_brings_no_direct_points'
      else 'nothing_above_what_is_passed_on'
    end
  ) order by g.depth), '[]')
  from unnest(p_grants) as g
  join app.level_versions as v on v.version = p_settlement.level_version
  cross join lateral jsonb_to_record(v.levels -> g.agent_level::integer) as l (name text, direct_points numeric, umbrella_points numeric)
  join app.commission_plans as p on p.version = p_settlement.order_plan_version
  where g.depth <= p_limit
$$;

comment on function app.explain_levels is
  'Explains the points by level of a settlement: for each member of the upline at that time, the level, its points, what was '
  'passed on from below, the points per unit and in total, and the rule or the reason for none. p_grants are the grants '
  'decided again. Lists at most p_limit members, nearest first.';

-- sql/4_app/explain/explain_order.sql
-- Raises: order_not_found.
create or replace function app.explain_order(p_order_id bigint, p_limit integer default 200)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_settlement app.settlements;
  v_job app.settlement_jobs;
  v_again record;
  v_answer jsonb;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  select j.* into v_job from app.settlement_jobs as j where j.order_id = p_order_id;
  v_answer := jsonb_build_object(
    'order_id', p_order_id, 'state', coalesce(v_settlement.state, v_job.state, 'none'), 'uid', v_order.uid,
    'referrer_uid', v_order.referrer_uid, 'order_plan_version', v_order.plan_version, 'paid_at', app.utc(v_order.paid_at)
  );
  if v_settlement.order_id is null then
    return v_answer;
  end if;
  v_again := app.decide_again(v_settlement);
  return v_answer || jsonb_build_object(
    'base', v_settlement.base::text, 'units', v_settlement.units, 'settled_at', app.utc(v_settlement.settled_at),
    'level_version', v_settlement.level_version, 'upline_depth', cardinality(v_again.grants),
    'cycle', app.explain_cycle(v_settlement, v_again.settlement, v_again.grants, p_limit),
    'levels', app.explain_levels(v_settlement, v_again.grants, p_limit),
    'matches_the_books', not exists (select from app.settlement_differences(v_settlement)),
    'bill', coalesce((
      select jsonb_agg(app.bill_json(b) order by b.id) from app.user_bill as b where b.order_id = p_order_id
    ), '[]'),
    'level_changes', coalesce((
      select jsonb_agg(jsonb_build_object('uid', c.uid, 'from_level', c.from_level, 'to_level', c.to_level) order by c.id)
      from app.level_changes as c where c.order_id = p_order_id
    ), '[]')
  );
end
$$;

comment on function app.explain_order is
  'Explains who got what for an order, by which rule, place, ratio, level and plan version, and why others got nothing, in '
  'enough detail to recompute it by hand. state is none (nothing to settle yet), waiting, dead, settled, refunded or imported. Lists at '
  'most p_limit members.';

-- sql/4_app/explain/level_at.sql
create or replace function app.level_at(p_uid bigint, p_position bigint)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(
    (select c.from_level from app.level_changes as c where c.uid = p_uid and c.position >= p_position order by c.position, c.id limit 1),
    (select u.agent_level from app.users as u where u.uid = p_uid)
  )
$$;

comment on function app.level_at is 'Returns the grade that a member held at a position.';

-- sql/4_app/explain/restore_state.sql
-- Eligibility (R4) is taken from the settlement, not computed again, because later refunds would change it. The recorded payment
-- must be one of the earner's own orders.
create or replace function app.restore_state(p_settlement app.settlements)
returns app.engine_state
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_uids bigint[] := app.chain_at(p_settlement.uid, p_settlement.position);
begin
  v_state.levels := (select l.rules from app.level_versions as l where l.version = p_settlement.level_version);
  v_state.level_version := p_settlement.level_version;
  v_state.plan_in_force := p_settlement.plan_in_force;
  -- The referrer of each member is the next element of the array.
  select
    array_agg((
      m.uid, case when m.ordinality < cardinality(v_uids) then m.ordinality + 1 end, app.level_at(m.uid, p_settlement.position),
      true, false, 0, 0, 0, 0, 0, false
    )::app.tree_member order by m.ordinality),
    array_agg(case when m.uid = p_settlement.earner_uid then app.cycle_at(p_settlement) end order by m.ordinality)
  into v_state.members, v_state.cycles
  from unnest(v_uids) with ordinality as m (uid);
  v_state.plans := app.load_plans(array[p_settlement.order_plan_version, p_settlement.cycle_plan_version, p_settlement.plan_in_force]);
  return v_state;
end
$$;

comment on function app.restore_state is
  'Returns the state from which a settlement was decided, as far as earner, place, rate and points depend on it: the upline with '
  'the levels at that time, the level settings, the plans and the earner''s cycle. Task counts are not restored.';

-- sql/4_app/explain/settlement_differences.sql
-- Generic query plan: see app.get_upline.
create or replace function app.settlement_differences(p_settlement app.settlements)
returns table (subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return query
  with again as materialized (select d.settlement as s, d.grants from app.decide_again(p_settlement) as d),
  decided as (
    select e.*, row_number() over (partition by e.uid, e.type, e.source) as ordinal
    from again as a cross join lateral unnest(
      app.settlement_entries(array[a.s], a.grants, app.load_plans(array[(a.s).cycle_plan_version]))
    ) as e
  ),
  booked as (
    -- Numbered, so that a second row of the same kind has nothing to be compared with.
    select l.*, row_number() over (partition by l.uid, l.type, l.source order by l.id) as ordinal
    from app.user_bill as l
    where l.order_id = p_settlement.order_id and l.reverses_id is null and app.is_earned(l.type)
  )
  select
    'settlement', concat_ws(' ', (a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points),
    concat_ws(
      ' ', p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  from again as a
  where ((a.s).earner_uid, (a.s).reason, (a.s).cycle_no, (a.s).place, (a.s).rate, (a.s).commission, (a.s).commission_points)
    is distinct from (
      p_settlement.earner_uid, p_settlement.reason, p_settlement.cycle_no, p_settlement.place, p_settlement.rate,
      p_settlement.commission, p_settlement.commission_points
    )
  union all
  select
    format('%s of uid %s', coalesce(d.source, b.source), coalesce(d.uid, b.uid)),
    coalesce(nullif(concat_ws(' ', d.brokerage_delta + d.frozen_delta, 'level ' || d.agent_level, 'passed on ' || d.passed_on), ''), 'nothing'),
    coalesce(nullif(concat_ws(' ', b.brokerage_delta + b.frozen_delta, 'level ' || b.agent_level, 'passed on ' || b.passed_on), ''), 'nothing')
  from decided as d
  full join booked as b on b.uid = d.uid and b.type = d.type and b.source = d.source and b.ordinal = d.ordinal
  where (d.brokerage_delta, d.frozen_delta, d.basis, d.rate, d.agent_level, d.passed_on)
    is distinct from (b.brokerage_delta, b.frozen_delta, b.basis, b.rate, b.agent_level, b.passed_on);
end
$$;

comment on function app.settlement_differences is
  'Returns how a settlement, decided again, differs from what was booked: earner or reason, cycle, place, rate, amounts, and '
  'the grants in the bill. No rows if nothing differs.';

-- sql/4_app/finance/bill_sums.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.bill_sums(p_from timestamptz, p_to timestamptz)
returns jsonb
language sql
stable
as $$
  select coalesce(pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object(
    'type', s.type, 'source', s.source, 'rows', s.rows, 'brokerage', s.brokerage::pg_catalog.text,
    'frozen_points', pg_catalog.trim_scale(s.frozen), 'available_points', pg_catalog.trim_scale(s.available)
  ) order by s.type collate "C", s.source collate "C"), '[]')
  from (
    select
      b.type, b.source, pg_catalog.count(*) as rows, pg_catalog.sum(b.brokerage_delta) as brokerage, pg_catalog.sum(b.frozen_delta) as frozen,
      pg_catalog.sum(b.available_delta) as available
    from app.user_bill as b
    where b.add_time >= p_from and b.add_time < p_to
    group by b.type, b.source
  ) as s
$$;

comment on function app.bill_sums is 'Returns the sums of the bill of all members from p_from until before p_to, for each type and source.';

-- sql/4_app/finance/close_month.sql
-- The locks that block writers only are taken first, and the sums are added up under them, so that no row is missed. Readers wait only
-- for the constraints, which take no time. Each attempt waits for locks no longer than 0.1 seconds; then writers that queue behind it
-- go on, and the next attempt begins after a random pause.
-- Locks: the closed months, the partitions of the month.
-- Raises: invalid_argument (the month is not over), lock_not_available (after some 8 seconds).
-- Idempotent: a closed month is returned as it is.
create or replace function app.close_month(p_month text, p_closed_by uuid)
returns app.closed_months
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_first date := app.month_start(p_month);
  v_from timestamptz := app.day_begins(v_first);
  v_to timestamptz := app.day_begins((v_first + interval '1 month')::date);
  v_closed app.closed_months;
  v_partition regclass;
begin
  if v_to > clock_timestamp() then
    perform app.fail('invalid_argument', format('The month %s is not over.', p_month));
  end if;
  for v_try in 1..40 loop
    begin
      lock table app.closed_months in share row exclusive mode;
      select c.* into v_closed from app.closed_months as c where c.month = v_first;
      if found then
        return v_closed;
      end if;
      for v_partition in select p from app.partitions_of(v_from, v_to) as p loop
        execute format('lock table %s in share row exclusive mode', v_partition);
      end loop;
      insert into app.closed_months (month, begins_at, ends_at, sums, closed_at, closed_by)
      values (v_first, v_from, v_to, app.bill_sums(v_from, v_to), clock_timestamp(), p_closed_by)
      returning * into v_closed;
      for v_partition in select p from app.partitions_of(v_from, v_to) as p loop
        perform app.forbid_late_rows(v_partition, v_first, v_from, v_to);
      end loop;
      return v_closed;
    exception when lock_not_available then
      if v_try = 40 then
        raise;
      end if;
      perform pg_sleep(0.05 + 0.1 * random());
    end;
  end loop;
end
$$;

comment on function app.close_month is
  'Closes a business month that is over: keeps the sums of its bill rows, and lets the partitions of the bill reject rows that are dated '
  'into it. p_month is YYYY-MM.';

-- sql/4_app/finance/closed_month_json.sql
create or replace function app.closed_month_json(p_row app.closed_months)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'month', to_char(p_row.month, 'YYYY-MM'), 'from', app.utc(p_row.begins_at), 'to', app.utc(p_row.ends_at), 'sums', p_row.sums,
    'total', (
      select jsonb_build_object(
        'rows', coalesce(sum(s.rows), 0), 'brokerage', coalesce(sum(s.brokerage), 0.00)::text, 'frozen_points', trim_scale(coalesce(sum(s.frozen_points), 0)),
        'available_points', trim_scale(coalesce(sum(s.available_points), 0))
      )
      from jsonb_to_recordset(p_row.sums) as s (rows bigint, brokerage numeric(14,2), frozen_points numeric, available_points numeric)
    ),
    'closed_at', app.utc(p_row.closed_at), 'closed_by', app.actor_json(p_row.closed_by)
  )
$$;

comment on function app.closed_month_json is 'Returns a closed month in the format of the API, with its sums and their totals.';

grant execute on function app.closed_month_json(app.closed_months) to store_admin;

-- sql/4_app/finance/forbid_late_rows.sql
-- The constraint is not valid, so that Postgres does not check the rows that the month has; new rows are checked.
-- Locks: the partition. The caller sets the lock timeout.
-- Idempotent: a partition that has the constraint is left as it is.
create or replace function app.forbid_late_rows(p_partition regclass, p_month date, p_begins_at timestamptz, p_ends_at timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_name text := to_char(p_month, '"month_"YYYY_MM"_is_closed"');
begin
  if exists (select from pg_constraint as c where c.conrelid = p_partition and c.conname = v_name) then
    return;
  end if;
  execute format(
    'alter table %s add constraint %I check (add_time < %L or add_time >= %L or app.refuse_late_row(%L)) not valid',
    p_partition, v_name, p_begins_at, p_ends_at, to_char(p_month, 'YYYY-MM')
  );
end
$$;

comment on function app.forbid_late_rows is 'Adds the check constraint to a partition of the bill that rejects rows of a closed month.';

-- sql/4_app/finance/liabilities_json.sql
create or replace function app.liabilities_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with maturing as materialized (
    select m.uid, app.business_day(m.matures_at) as day, sum(m.amount_left) as amount
    from app.commission_maturities as m
    where m.amount_left > 0 and (m.matures_at is null or m.matures_at > p_now)
    group by 1, 2
  ), members as (
    select b.brokerage_price - coalesce(m.amount, 0) as withdrawable, b.frozen_points, b.available_points
    from app.user_balances as b
    left join (select g.uid, sum(g.amount) as amount from maturing as g group by g.uid) as m on m.uid = b.uid
  ), totals as (
    select
      coalesce(sum(t.withdrawable) filter (where t.withdrawable > 0), 0.00) as withdrawable,
      coalesce(-sum(t.withdrawable) filter (where t.withdrawable < 0), 0.00) as debts, count(*) filter (where t.withdrawable < 0) as debtors,
      coalesce(sum(t.frozen_points), 0) as frozen, coalesce(sum(t.available_points), 0) as available,
      coalesce((select sum(g.amount) from maturing as g), 0.00) as maturing,
      coalesce((select sum(g.amount) from maturing as g where g.day is null), 0.00) as after_receipt,
      coalesce((select sum(w.amount) from app.withdrawals as w where w.state in ('requested', 'approved', 'paying')), 0.00) as reserved
    from members as t
  )
  select jsonb_build_object(
    'as_of', app.utc(p_now), 'owed', (t.withdrawable + t.maturing + t.reserved)::text, 'withdrawable', t.withdrawable::text,
    'maturing', t.maturing::text, 'maturing_after_receipt', t.after_receipt::text, 'reserved', t.reserved::text,
    'debts', t.debts::text, 'members_in_debt', t.debtors,
    'matures', (
      select coalesce(jsonb_agg(jsonb_build_object('date', d.day, 'amount', d.amount::text) order by d.day), '[]')
      from (select g.day, sum(g.amount) as amount from maturing as g where g.day is not null group by g.day) as d
    ),
    'points', jsonb_build_object('frozen', trim_scale(t.frozen), 'available', trim_scale(t.available), 'release', app.forecast_json(null) - 'uid')
  )
  from totals as t
$$;

comment on function app.liabilities_json is
  'Returns what the store owes its members at p_now: commission that can be withdrawn, is maturing, and by day, or is reserved by open '
  'withdrawals, what members owe the store, and the points with the forecast of their release.';

-- sql/4_app/finance/partitions_of.sql
create or replace function app.partitions_of(p_from timestamptz, p_to timestamptz)
returns setof regclass
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'app.user_bill_default'::regclass
  union all
  select t.part
  from generate_series(date_trunc('month', p_from at time zone 'UTC'), (p_to - interval '1 microsecond') at time zone 'UTC', interval '1 month') as m (month)
  cross join lateral (select to_regclass('app.user_bill_' || to_char(m.month, 'YYYYMM')) as part, m.month) as t
  where t.part is not null
$$;

comment on function app.partitions_of is
  'Returns the partitions of the bill that can hold rows from p_from until before p_to: the default partition, and the months in UTC, '
  'oldest first.';

-- sql/4_app/finance/refuse_late_row.sql
-- Not immutable, because it always raises. The check constraints of closed months call it, so the error has a code of the store.
-- Raises: month_closed.
create or replace function app.refuse_late_row(p_month text)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.fail('month_closed', format('The month %s is closed. No bill row can be dated into it.', p_month));
  return false;
end
$$;

comment on function app.refuse_late_row is 'Raises month_closed for a bill row that is dated into a closed month.';

-- sql/4_app/imports/abandon_import.sql
-- Idempotent: without an unfinished import it does nothing.
create or replace function app.abandon_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.imports as i set finished_at = p_now, is_abandoned = true where i.finished_at is null returning i.*
$$;

comment on function app.abandon_import is
  'Ends an import that was stopped, and returns it. What it has written stays; orders that waited for it are settled.';

-- sql/4_app/imports/begin_import.sql
-- Locks: structure (exclusive), so that no settlement is under way when the import begins.
-- Raises: object_not_in_prerequisite_state (an import of other files was stopped).
-- Idempotent: an unfinished import of the same files is continued.
create or replace function app.begin_import(p_form text, p_source_hash text, p_now timestamptz)
returns app.imports
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_import app.imports;
begin
  perform app.lock_structure();
  insert into app.imports (form, source_hash, started_at) values (p_form, p_source_hash, p_now) on conflict do nothing;
  select i.* into v_import from app.imports as i where i.finished_at is null;
  if v_import.source_hash <> p_source_hash then
    raise object_not_in_prerequisite_state using
      message = format('the import that began at %s is unfinished, and its files were others', app.utc(v_import.started_at));
  end if;
  return v_import;
end
$$;

comment on function app.begin_import is
  'Opens an import and returns it, or returns the one of the same files that was stopped. From now on, settlements wait until it has ended.';

-- sql/4_app/imports/check_import.sql
-- All values are checked first. Only if each can be read as its type, the other checks run, because they cast values.
create or replace function app.check_import(p_now timestamptz, p_limit integer default 20)
returns table (severity text, file text, line integer, name text, finding text, value text, total bigint)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  analyze app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines, app.staged_refunds, app.staged_bill;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number, count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from app.check_import_values(p_now) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.file, c.line;
  if found then
    return;
  end if;
  return query
    select c.severity, c.file, c.line, c.name, c.finding, c.value, c.total
    from (
      select f.*, row_number() over w as number, count(*) over (partition by f.severity, f.file, f.name, f.finding) as total
      from (
        select * from app.check_import_members()
        union all select * from app.check_import_orders(p_now)
        union all select * from app.check_import_lines()
        union all select * from app.check_import_refunds()
        union all select * from app.check_imported_members()
        union all select * from app.check_imported_orders()
      ) as f
      window w as (partition by f.severity, f.file, f.name, f.finding order by f.line)
    ) as c
    where c.number <= p_limit
    order by c.severity, c.file, c.line;
end
$$;

comment on function app.check_import is
  'Checks the staged rows of an import and returns the findings, at most p_limit of each kind, with their total: values that cannot be '
  'read, and, if there are none, loops of referrers, unknown members, products and orders, sums that do not fit, and differences from '
  'earlier imports. Errors prevent the import; warnings say what it will do.';

-- sql/4_app/imports/check_import_lines.sql
create or replace function app.check_import_lines()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'error', 'order_lines', l.line, 'order_no', 'is not a known order', l.order_no
  from app.staged_order_lines as l where not exists (select from app.staged_orders as o where o.order_no = l.order_no)
  union all
  select 'error', 'order_lines', l.line, 'line_no', 'occurs more than once in the order', l.line_no
  from (select *, count(*) over (partition by x.order_no, x.line_no::bigint) as times from app.staged_order_lines as x) as l where l.times > 1
  union all
  select 'error', 'order_lines', l.line, 'product_id', 'is not a known product', l.product_id
  from app.staged_order_lines as l
  where not exists (select from app.staged_products as p where p.id = l.product_id)
    and not exists (select from app.imported_products as i where i.old_id = l.product_id)
$$;

comment on function app.check_import_lines is
  'Finds staged lines of orders that the store cannot take: of unknown orders or products, and numbers that occur twice in an order.';

-- sql/4_app/imports/check_import_members.sql
-- A member from whom no chain of referrers leads to a member without one is in a loop, or below it.
create or replace function app.check_import_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with recursive known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  tree as (
    select s.uid from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union
    select s.uid from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  claims as materialized (select c.* from app.import_claims() as c),
  plan as (select p.people_per_cycle from app.commission_plans as p order by p.version desc limit 1)
  select 'error', 'products', s.line, 'id', 'occurs more than once', s.id
  from (select *, count(*) over (partition by p.id) as times from app.staged_products as p) as s where s.times > 1
  union all
  select 'error', 'products', s.line, 'title', 'has no visible character', s.title from app.staged_products as s where not app.is_visible(s.title)
  union all
  select 'error', 'products', s.line, t.name, 'is above a million', t.value
  from app.staged_products as s cross join lateral (values ('price', s.price), ('freight', s.freight)) as t (name, value) where t.value::numeric > 1000000
  union all
  select 'error', 'members', s.line, 'uid', 'occurs more than once', s.uid
  from (select *, count(*) over (partition by m.uid) as times from app.staged_members as m) as s where s.times > 1
  union all
  select 'error', 'members', s.line, 'referrer', 'is the member', s.referrer from app.staged_members as s where s.referrer = s.uid
  union all
  select 'error', 'members', s.line, 'referrer', 'is not a known member', s.referrer
  from app.staged_members as s where s.referrer is not null and not exists (select from known as k where k.uid = s.referrer)
  union all
  select 'error', 'members', s.line, 'referrer', 'is part of a loop of referrers, or leads to one', s.referrer
  from app.staged_members as s where s.referrer <> s.uid and not exists (select from tree as t where t.uid = s.uid)
  union all
  select 'error', 'members', s.line, 'level', 'is not an active level of this store', s.level
  from app.staged_members as s where s.level::integer not in (select l.grade from app.agent_levels as l where l.is_active or l.grade = 0)
  union all
  select 'error', 'members', s.line, 'places', format('is not below the %s places of a cycle of the plan in force', p.people_per_cycle), s.places
  from app.staged_members as s cross join plan as p where s.places::integer >= p.people_per_cycle
  union all
  select 'error', f.file, f.line, 'uid', 'is not a known member', f.uid
  from (
    select 'openids' as file, o.line, o.uid from app.staged_openids as o union all select b.source, b.line, b.uid from app.staged_bill as b
  ) as f
  where not exists (select from known as k where k.uid = f.uid)
  union all
  select 'error', 'members', s.line, 'uid', 'was imported before for a member who joined at another time: give the members of a second system numbers that are not in use', s.uid
  from app.staged_members as s
  join app.imported_members as i on i.old_uid = s.uid::bigint
  join app.users as u on u.uid = i.uid
  cross join app.settings as t
  where u.add_time <> i.imported_at and app.import_time(s.joined_at, t.time_zone) not between u.add_time - interval '1 day' and u.add_time + interval '1 day'
  union all
  select 'warning', 'members', s.line, 'phone', 'is not a phone number: it is left out', s.phone
  from app.staged_members as s where s.phone is not null and app.import_phone(s.phone) is null
  union all
  select 'warning', c.file, c.line, c.name, 'belongs to several members: nobody can be claimed by it', c.value
  from claims as c where c.members > 1 and c.owner is null
  union all
  select 'warning', c.file, c.line, c.name, 'belongs to a member who was imported before: only that member can be claimed by it', c.value
  from claims as c where c.owner <> c.uid::bigint
  union all
  select 'warning', 'members', s.line, 'uid', 'is the number of another member of this store: the member gets a new one (app.imported_members) and needs a new share link', s.uid
  from app.staged_members as s
  where exists (select from app.users as u where u.uid = s.uid::bigint)
    and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
$$;

comment on function app.check_import_members is
  'Finds staged products and members that the store cannot take: duplicates, unknown referrers, loops of referrers, unknown levels, more '
  'places than a cycle has, and numbers of a second system; and members who cannot be claimed by an id or who get another uid.';

-- sql/4_app/imports/check_import_orders.sql
create or replace function app.check_import_orders(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with known as (
    select s.uid from app.staged_members as s union select i.old_uid::text from app.imported_members as i
  ),
  orders as materialized (
    select
      s.*, s.state in ('paid', 'delivered', 'received') as is_paid, count(*) over (partition by s.order_no) as times,
      app.import_pay_type(s.pay_type) as payment_type, coalesce(s.pay_ref, s.order_no) as payment
    from app.staged_orders as s
  ),
  sums as materialized (
    select
      l.order_no, sum(l.price::numeric * l.quantity::integer) as total, sum(l.discount::numeric) as discount,
      bool_or(l.discount::numeric > l.price::numeric * l.quantity::integer) as exceeds
    from app.staged_order_lines as l group by l.order_no
  )
  select 'error', 'orders', o.line, 'order_no', 'occurs more than once', o.order_no from orders as o where o.times > 1
  union all
  select 'error', 'orders', o.line, 'order_no', 'is the number of an order of this store', o.order_no
  from orders as o join app.orders as x on x.order_no = o.order_no and not x.is_imported
  union all
  select 'error', 'orders', o.line, 'uid', 'is not a known member', o.uid from orders as o where not exists (select from known as k where k.uid = o.uid)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is not a known member', o.referrer
  from orders as o where o.referrer is not null and not exists (select from known as k where k.uid = o.referrer)
  union all
  select 'error', 'orders', o.line, 'referrer', 'is the buyer', o.referrer from orders as o where o.referrer = o.uid
  union all
  select 'error', 'orders', o.line, 'paid_at', format('is missing although the order is %s', o.state), null from orders as o where o.is_paid and o.paid_at is null
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid another order, too', o.payment
  from (select *, count(*) over (partition by p.payment_type, p.payment) as payments from orders as p where p.is_paid) as o
  where o.payments > 1 and o.times = 1
  union all
  select 'error', 'orders', o.line, 'pay_ref', 'paid an order of this store', o.payment
  from orders as o join app.orders as x on x.pay_type = o.payment_type and x.pay_ref = o.payment and x.order_no <> o.order_no
  where o.is_paid and not exists (select from app.orders as i where i.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'order_no', 'has no lines', o.order_no from orders as o where not exists (select from sums as s where s.order_no = o.order_no)
  union all
  select 'error', 'orders', o.line, 'total_price', 'is too large: the lines add up to a trillion or more', s.total::text
  from orders as o join sums as s on s.order_no = o.order_no where s.total >= 1000000000000
  union all
  select 'error', 'orders', o.line, 'total_price', format('is not the sum of the lines, %s', s.total), o.total_price
  from orders as o join sums as s on s.order_no = o.order_no where o.total_price::numeric <> s.total
  union all
  select 'error', 'orders', o.line, 'discount', format('is not the sum of the discounts of the lines, %s', s.discount), o.discount
  from orders as o join sums as s on s.order_no = o.order_no where o.discount::numeric <> s.discount
  union all
  select 'error', 'orders', o.line, 'pay_price', format('is not %s: the lines (%s), less the discount (%s), plus freight (%s)', s.total - d.discount + d.freight, s.total, d.discount, d.freight), o.pay_price
  from orders as o
  join sums as s on s.order_no = o.order_no
  cross join lateral (
    select
      coalesce(o.freight::numeric, 0) as freight,
      coalesce(o.discount::numeric, s.discount, least(greatest(s.total + coalesce(o.freight::numeric, 0) - o.pay_price::numeric, 0), s.total)) as discount
  ) as d
  where o.pay_price::numeric <> s.total - d.discount + d.freight or d.discount > s.total or s.exceeds
  union all
  select 'warning', 'orders', o.line, 'state', 'is unpaid: the order is imported as cancelled', o.order_no from orders as o where o.state = 'unpaid'
$$;

comment on function app.check_import_orders is
  'Finds staged orders that the store cannot take: duplicates, unknown members, payments without a time or used twice, and sums that '
  'do not fit; and unpaid orders, which are cancelled.';

-- sql/4_app/imports/check_import_refunds.sql
create or replace function app.check_import_refunds()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (
    select
      r.*, coalesce(r.state, 'refunded') as kind,
      count(*) over (partition by r.order_no, r.refund_no, r.line_no::bigint) as times,
      count(*) filter (where r.line_no is null and coalesce(r.state, 'refunded') = 'refunded') over (partition by r.order_no) as whole,
      min(coalesce(r.state, 'refunded')) over w <> max(coalesce(r.state, 'refunded')) over w
        or (bool_or(r.line_no is null) over w and bool_or(r.line_no is not null) over w) as is_mixed,
      min(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no)
        <> max(r.refund_no) filter (where r.state = 'requested') over (partition by r.order_no) as has_requests
    from app.staged_refunds as r
    window w as (partition by r.order_no, r.refund_no)
  )
  select 'error', 'refunds', r.line, 'order_no', 'is not a known paid order', r.order_no
  from refunds as r
  where not exists (select from app.staged_orders as o where o.order_no = r.order_no and o.state in ('paid', 'delivered', 'received'))
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is not a line of the order', r.line_no
  from refunds as r
  where r.line_no is not null and not exists (select from app.staged_order_lines as l where l.order_no = r.order_no and l.line_no::bigint = r.line_no::bigint)
  union all
  select 'error', 'refunds', r.line, 'quantity', 'is missing although the refund names a line', null
  from refunds as r where r.line_no is not null and r.quantity is null
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'names the same line twice', r.refund_no from refunds as r where r.times > 1
  union all
  select 'error', 'refunds', r.line, 'refund_no', 'has rows with and without a line, or of two states', r.refund_no from refunds as r where r.is_mixed
  union all
  select 'error', 'refunds', r.line, 'line_no', 'is missing in several refunds of the order', r.refund_no
  from refunds as r where r.whole > 1 and r.line_no is null and r.kind = 'refunded'
  union all
  select 'error', 'refunds', r.line, 'state', 'is requested in several refunds of the order', r.state
  from refunds as r where r.has_requests and r.kind = 'requested'
  union all
  select 'error', 'refunds', q.line, 'quantity', format('is more than the %s units of the line, together with other refunds', l.quantity), q.quantity::text
  from (
    select r.order_no, r.line_no::bigint as line_no, max(r.line) as line, sum(r.quantity::integer) as quantity
    from refunds as r where r.line_no is not null and r.quantity is not null group by r.order_no, r.line_no::bigint
  ) as q
  join app.staged_order_lines as l on l.order_no = q.order_no and l.line_no::bigint = q.line_no
  where q.quantity > l.quantity::integer
$$;

comment on function app.check_import_refunds is
  'Finds staged refunds that the store cannot take: of unknown or unpaid orders and lines, of more units than were sold, and several '
  'open requests of one order.';

-- sql/4_app/imports/check_import_values.sql
create or replace function app.check_import_values(p_now timestamptz)
returns table (severity text, file text, line integer, name text, finding text, value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_column record;
  v_zone text := (select t.time_zone from app.settings as t);
begin
  for v_column in select c.*, k.pattern, k.finding from app.import_columns() as c join app.import_kinds() as k on k.kind = c.kind loop
    if v_column.is_required then
      return query execute format(
        'select ''error'', %s, s.line, %L, ''is missing'', null from app.staged_%I as s where s.%I is null',
        case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.file, v_column.name
      );
    end if;
    continue when v_column.pattern is null;
    return query execute format(
      'select ''error'', %s, s.line, %L, %L, left(s.%I, 60) from app.staged_%I as s where s.%I !~ %L',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.finding, v_column.name,
      v_column.file, v_column.name, v_column.pattern
    );
    continue when v_column.kind <> 'time';
    return query execute format(
      'select ''error'', %s, s.line, %L, case when t.at is null then ''is a day that the month does not have'' else ''is in the future'' end, s.%I
       from app.staged_%I as s
       cross join lateral (select case when s.%I ~ %L then app.import_time(s.%I, $2) end as at) as t
       where s.%I ~ %L and (t.at is null or t.at > $1)',
      case v_column.file when 'bill' then 's.source' else quote_literal(v_column.file) end, v_column.name, v_column.name, v_column.file,
      v_column.name, v_column.pattern, v_column.name, v_column.name, v_column.pattern
    ) using p_now, v_zone;
  end loop;
end
$$;

comment on function app.check_import_values is
  'Finds staged values that are missing, that do not match the kind of their column, or that are times in the future.';

-- sql/4_app/imports/check_imported_members.sql
-- Compares with what was imported, not with what became of it in this store: balances with the opening balance.
create or replace function app.check_imported_members()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with members as materialized (
    select s.*, i.uid as known_uid
    from app.staged_members as s join app.imported_members as i on i.old_uid = s.uid::bigint
  ),
  openings as materialized (
    select b.* from app.user_bill as b where b.type = 'opening_balance' and b.uid in (select m.known_uid from members as m)
  ),
  levels as (
    select l.uid, l.to_level from app.level_changes as l where l.reason = 'imported' and l.uid in (select m.known_uid from members as m)
  )
  select 'warning', 'members', m.line, t.name, 'differs from what was imported before, and is not imported again', format('%s (imported: %s)', t.value, t.known)
  from members as m
  left join openings as b on b.uid = m.known_uid
  left join levels as l on l.uid = m.known_uid
  left join app.opening_cycles as c on c.uid = m.known_uid
  cross join lateral (values
    ('commission', coalesce(m.commission::numeric, 0), coalesce(b.brokerage_delta, 0)),
    ('frozen_points', coalesce(m.frozen_points::numeric, 0), coalesce(trim_scale(b.frozen_delta), 0)),
    ('available_points', coalesce(m.available_points::numeric, 0), coalesce(trim_scale(b.available_delta), 0)),
    ('level', coalesce(m.level::numeric, 0), coalesce(l.to_level, 0)),
    ('places', coalesce(m.places::numeric, 0), coalesce(c.places, 0))
  ) as t (name, value, known)
  where t.value <> t.known
$$;

comment on function app.check_imported_members is
  'Finds staged members who were imported before and whose balances, level or places differ from what was imported then. A later import '
  'does not change them.';

-- sql/4_app/imports/check_imported_orders.sql
-- An order may have come further in this store, so only a file that is ahead of it differs.
create or replace function app.check_imported_orders()
returns table (severity text, file text, line integer, name text, finding text, value text)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ranks (state, rank) as (values ('unpaid', 0), ('cancelled', 0), ('paid', 1), ('delivered', 2), ('received', 3)),
  orders as materialized (
    select s.line, s.order_no, s.state, s.pay_price, o.id, o.state as known_state, o.pay_price as known_price, o.paid_at is not null as was_paid
    from app.staged_orders as s join app.orders as o on o.order_no = s.order_no and o.is_imported
  ),
  units as materialized (
    select o.id, sum(l.quantity) as sold, sum(l.refunded_quantity) as refunded
    from orders as o join app.order_lines as l on l.order_id = o.id
    where o.was_paid group by o.id
  ),
  refunds as (
    select
      r.order_no, min(r.line) as line, bool_or(r.line_no is null and coalesce(r.state, 'refunded') = 'refunded') as is_whole,
      sum(r.quantity::integer) filter (where r.line_no is not null and coalesce(r.state, 'refunded') = 'refunded') as quantity,
      max(r.refund_no) filter (where r.state = 'requested') as request
    from app.staged_refunds as r group by r.order_no
  )
  select 'warning', 'orders', o.line, 'state', 'is ahead of the order that was imported before, which does not change', format('%s: %s (in this store: %s)', o.order_no, o.state, o.known_state)
  from orders as o
  join ranks as n on n.state = o.state
  join ranks as k on k.state = o.known_state
  where n.rank > k.rank or (n.rank = 0 and k.rank > 0)
  union all
  select 'warning', 'orders', o.line, 'pay_price', 'differs from the order that was imported before, which does not change', format('%s: %s (imported: %s)', o.order_no, o.pay_price, o.known_price)
  from orders as o where o.pay_price::numeric <> o.known_price
  union all
  select
    'warning', 'refunds', r.line, 'quantity', 'is refunded further than the order that was imported before, which does not change',
    format('%s: %s (in this store: %s)', r.order_no, case when r.is_whole then u.sold else r.quantity end, u.refunded)
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where case when r.is_whole then u.sold else r.quantity end > u.refunded
  union all
  select 'warning', 'refunds', r.line, 'state', 'is requested for an order that was imported before, which does not change', r.order_no
  from refunds as r
  join orders as o on o.order_no = r.order_no
  join units as u on u.id = o.id
  where r.request is not null and not r.is_whole and u.refunded < u.sold
    and not exists (select from app.refunds as f where f.order_id = o.id and f.refund_ref = r.request)
$$;

comment on function app.check_imported_orders is
  'Finds staged orders that were imported before and differ from what was imported then: in state, price or refunds. A later import does '
  'not change them.';

-- sql/4_app/imports/claim_at_sign_in.sql
-- Every sign-in tries again, because the member may have been imported, or WeChat may have named the unionid, after the first one. A claim
-- that fails never prevents a sign-in.
-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.claim_at_sign_in()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  begin
    perform app.claim_member(new.id, case when new.phone_confirmed_at is not null then new.phone end);
  exception when others then
    raise warning 'account % claimed no imported member: %', new.id, sqlerrm;
  end;
  return new;
end
$$;

comment on function app.claim_at_sign_in is
  'Trigger: gives an imported member to the account that has just signed in, or whose phone number the Auth server has just verified.';

create trigger sign_ins_claim_imported_members after update of phone, phone_confirmed_at, last_sign_in_at on auth.users
  for each row when (
    new.deleted_at is null and (
      new.last_sign_in_at is distinct from old.last_sign_in_at
      or (new.phone_confirmed_at is not null and (old.phone_confirmed_at is null or old.phone is distinct from new.phone))
    )
  )
  execute function app.claim_at_sign_in();

-- sql/4_app/imports/claim_for.sql
-- For people who cannot prove who they are by a phone number or an openid. The administrator must be sure of that.
-- Locks: see give_imported_member.
-- Idempotent: a second call says that the member is claimed.
create or replace function app.claim_for(p_uid bigint, p_old_uid bigint)
returns text
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.users := (select u from app.users as u where u.uid = p_uid);
  v_imported app.imported_members := (select i from app.imported_members as i where i.old_uid = p_old_uid);
  v_use text := app.use_of_member(p_uid);
begin
  if v_member.auth_id is null then
    return format('No account has the member %s of this store.', p_uid);
  elsif v_imported.uid is null then
    return format('No member with the number %s was imported.', p_old_uid);
  elsif v_imported.claimed_at is not null then
    return format('The imported member %s was claimed at %s.', p_old_uid, app.utc(v_imported.claimed_at));
  elsif v_use is not null then
    return format('The member %s %s. Members are never merged.', p_uid, v_use);
  elsif not app.give_imported_member(v_imported.uid, v_member.auth_id, 'administrator', null) then
    return format('The member %s or the imported member %s has just changed. Repeat the command.', p_uid, p_old_uid);
  end if;
  return null;
end
$$;

comment on function app.claim_for is
  'Gives the imported member who had the number p_old_uid in the previous system to the account of member p_uid, and returns null, or '
  'the reason why that is not possible. npm run import -- --claim calls it.';

-- sql/4_app/imports/claim_member.sql
-- Locks: see give_imported_member.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.claim_member(p_auth_id uuid, p_phone text)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_found record;
begin
  select f.uid, f.claimed_by into v_found from app.imported_member_of(p_auth_id, p_phone) as f;
  if v_found.uid is null or not app.give_imported_member(v_found.uid, p_auth_id, v_found.claimed_by, p_phone) then
    return null;
  end if;
  return v_found.uid;
end
$$;

comment on function app.claim_member is
  'Gives an imported member to the account that belongs to them (app.imported_member_of) and returns the uid, or null if there is none '
  'or the account''s own member is in use. p_phone is a phone number that Auth or WeChat has verified, or null.';

-- sql/4_app/imports/clear_import.sql
create or replace function app.clear_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  truncate app.staged_products, app.staged_members, app.staged_openids, app.staged_orders, app.staged_order_lines, app.staged_refunds, app.staged_bill;
end
$$;

comment on function app.clear_import is 'Empties the staging tables, before and after each run of an import.';

-- sql/4_app/imports/count_import.sql
-- Precondition: app.check_import finds no error.
create or replace function app.count_import()
returns table (file text, total bigint, new_rows bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select 'products', count(*), count(*) filter (where i.old_id is null)
  from app.staged_products as s left join app.imported_products as i on i.old_id = s.id
  union all
  select 'members', count(*), count(*) filter (where i.old_uid is null)
  from app.staged_members as s left join app.imported_members as i on i.old_uid = s.uid::bigint
  union all
  select 'orders', count(*), count(*) filter (where o.id is null)
  from app.staged_orders as s left join app.orders as o on o.order_no = s.order_no
  union all
  select 'bill', count(*), count(*) filter (where b.uid is null)
  from app.staged_bill as s left join app.imported_bill as b on b.source = s.source and b.old_id = s.id
$$;

comment on function app.count_import is 'Returns how many rows the files of an import have, and how many of them are not imported yet.';

-- sql/4_app/imports/count_imported_orders.sql
-- Precondition: the caller owns the structure lock, and the orders are settled.
-- Locks: balances by uid.
-- Not idempotent: each call adds the orders.
create or replace function app.count_imported_orders(p_order_nos text[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_buyers bigint[];
  v_orders integer[];
  v_changes app.team_change[];
  v_tree record;
begin
  select array_agg(c.uid order by c.uid), array_agg(c.orders order by c.uid) into v_buyers, v_orders
  from (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    where o.order_no = any (p_order_nos) and o.paid_at is not null and app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    group by o.uid
  ) as c;
  with recursive tree as (
    select u.uid, u.spread_uid from unnest(v_buyers) as b (uid) join app.users as u on u.uid = b.uid
    union
    select r.uid, r.spread_uid from tree as t join app.users as r on r.uid = t.spread_uid
  )
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;
  perform app.lock_balances(v_tree.uids);

  -- A buyer counts as a member from the first order that counts (R8); orders of members who are not assessed do not count (R9).
  select array_agg((c.uid, u.spread_uid, (b.own_orders = 0)::integer, c.orders, 0, 0)::app.team_change) into v_changes
  from unnest(v_buyers, v_orders) as c (uid, orders)
  join app.users as u on u.uid = c.uid and not u.no_assess
  join app.user_balances as b on b.uid = c.uid;
  update app.user_balances as b set own_orders = b.own_orders + c.orders
  from unnest(v_buyers, v_orders) as c (uid, orders)
  where b.uid = c.uid;
  update app.user_balances as b
  set direct_orders = b.direct_orders + s.direct_orders, direct_members = b.direct_members + s.direct_members,
      umbrella_orders = b.umbrella_orders + s.umbrella_orders, umbrella_members = b.umbrella_members + s.umbrella_members
  from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s
  join app.users as u on u.uid = s.uid and u.agent_level < app.top_grade()
  where b.uid = s.uid;
end
$$;

comment on function app.count_imported_orders is
  'Adds orders that were just imported to the count of their buyers'' own orders and to the task counts of every ancestor who is below '
  'the top grade (R8, R9). Nobody rises: imported members have the level that they brought.';

-- sql/4_app/imports/finish_import.sql
-- Idempotent: without an unfinished import it does nothing.
create or replace function app.finish_import(p_now timestamptz)
returns setof app.imports
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.imports as i set finished_at = p_now where i.finished_at is null returning i.*
$$;

comment on function app.finish_import is 'Marks the import as finished and returns it.';

-- sql/4_app/imports/forget_staged_rows.sql
-- The session of a running import holds the import lock.
-- Locks: the advisory lock import, the staging tables.
-- Idempotent: empty tables stay empty.
create or replace function app.forget_staged_rows()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if not pg_try_advisory_xact_lock(app.lock_number('import')) then
    return false;
  end if;
  if exists (select from app.staged_products) or exists (select from app.staged_members) or exists (select from app.staged_openids)
    or exists (select from app.staged_orders) or exists (select from app.staged_order_lines) or exists (select from app.staged_refunds)
    or exists (select from app.staged_bill)
  then
    perform app.clear_import();
    return true;
  end if;
  return false;
end
$$;

comment on function app.forget_staged_rows is
  'Empties the staging tables if an import that was killed has left personal data there, and returns whether it did.';

-- sql/4_app/imports/give_imported_member.sql
-- The account's own member, whom the sign-up has created, is deleted. A member in use is never replaced, because two members are never
-- merged.
-- Locks: the imported member, the advisory lock team_totals if the account's own member is in the team totals.
-- Idempotent: a member who is claimed is not claimed again.
create or replace function app.give_imported_member(p_uid bigint, p_auth_id uuid, p_claimed_by text, p_phone text)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_own bigint := (select u.uid from app.users as u where u.auth_id = p_auth_id);
begin
  if app.use_of_member(v_own) is not null then
    return false;
  end if;
  update app.imported_members set claimed_at = clock_timestamp(), claimed_by = p_claimed_by where uid = p_uid and claimed_at is null;
  if not found then
    return false;
  end if;
  if v_own is not null then
    if exists (select from app.team_totals as t where t.uid = v_own) then
      perform pg_advisory_xact_lock(app.lock_number('team_totals'));
      perform app.detach_team(v_own);
      delete from app.team_totals where uid = v_own;
    end if;
    update app.addresses set uid = p_uid where uid = v_own;
    update app.payout_accounts set uid = p_uid where uid = v_own;
    delete from app.posters where uid = v_own;
    delete from app.user_balances where uid = v_own;
    delete from app.users where uid = v_own;
  end if;
  update app.users set auth_id = p_auth_id, phone = coalesce(p_phone, phone) where uid = p_uid;
  return true;
exception when foreign_key_violation then
  -- Another transaction has just begun to use the member.
  return false;
end
$$;

comment on function app.give_imported_member is
  'Gives an imported member to an account and returns whether that was possible: nobody has claimed the member, and the account''s own '
  'member is not in use. The address book and the payout accounts of the account are kept.';

-- sql/4_app/imports/import_address.sql
create or replace function app.import_address(p_order app.staged_orders)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when app.is_address(a.address) then a.address end
  from (
    select jsonb_build_object(
      'name', btrim(p_order.receiver_name), 'phone', btrim(p_order.receiver_phone),
      'region', to_jsonb(regexp_split_to_array(btrim(p_order.region), '[ /]+')), 'street', btrim(p_order.street)
    ) as address
  ) as a
$$;

comment on function app.import_address is 'Returns the postal address of a staged order, or null if it is not complete.';

-- sql/4_app/imports/import_bill.sql
-- Idempotent: a row that is imported already is left as it is.
create or replace function app.import_bill(p_source text, p_after integer, p_limit integer)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_last integer;
  v_written integer;
begin
  select max(b.line) into v_last
  from (select s.line from app.staged_bill as s where s.source = p_source and s.line > p_after order by s.line limit p_limit) as b;
  insert into app.imported_bill (source, old_id, uid, type, title, is_income, amount, balance, order_ref, add_time, note)
  select
    s.source, s.id, m.uid, s.type, left(coalesce(s.title, ''), 1000), s.is_income::boolean, s.amount::numeric, s.balance::numeric, s.order_ref,
    app.import_time(s.happened_at, v_zone), left(coalesce(s.note, ''), 1000)
  from app.staged_bill as s
  join app.imported_members as m on m.old_uid = s.uid::bigint
  where s.source = p_source and s.line > p_after and s.line <= v_last
  on conflict do nothing;
  get diagnostics v_written = row_count;
  update app.imports set bill_rows = bill_rows + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_bill is
  'Copies the next p_limit staged bill rows of a file after a line into app.imported_bill, outside the ledger, and returns the last '
  'line, or null if none was left.';

-- sql/4_app/imports/import_claims.sql
create or replace function app.import_claims()
returns table (file text, line integer, uid text, name text, value text, id text, members bigint, owner bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with ids as (
    select 'members' as file, s.line, s.uid, t.name, t.value, t.id
    from app.staged_members as s
    cross join lateral (values ('phone', s.phone, app.import_phone(s.phone)), ('unionid', s.unionid, s.unionid)) as t (name, value, id)
    where t.id is not null
    union all
    select 'openids', o.line, o.uid, 'openid', o.openid, o.openid from app.staged_openids as o
  ),
  counted as (
    select i.*, n.members
    from ids as i
    join (select d.name, d.id, count(distinct d.uid) as members from ids as d group by d.name, d.id) as n on n.name = i.name and n.id = i.id
  ),
  taken as (
    select m.old_uid, 'phone' as name, m.phone as id from app.imported_members as m where m.phone is not null
    union all
    select m.old_uid, 'unionid', m.unionid from app.imported_members as m where m.unionid is not null
    union all
    select m.old_uid, 'openid', w.openid from app.imported_openids as w join app.imported_members as m on m.uid = w.uid
  )
  select c.file, c.line, c.uid, c.name, c.value, c.id, c.members, t.old_uid
  from counted as c
  left join taken as t on t.name = c.name and t.id = c.id
$$;

comment on function app.import_claims is
  'Returns the ids by which staged members are to be claimed, phone numbers, unionids and openids: how many members of the files have '
  'each, and the old uid of the member who was imported with it before. An id that one member of the files has, and nobody before, is '
  'stored.';

-- sql/4_app/imports/import_columns.sql
create or replace function app.import_columns()
returns table (file text, name text, kind text, is_required boolean)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.* from (values
    ('products', 'id', 'code', true), ('products', 'title', 'title', true), ('products', 'price', 'amount', true),
    ('products', 'freight', 'amount', false), ('products', 'is_queue_goods', 'flag', true), ('products', 'is_show', 'flag', false),
    ('products', 'stock', 'count', false), ('products', 'description', 'text', false), ('products', 'added_at', 'time', false),
    ('members', 'uid', 'id', true), ('members', 'nickname', 'text', false), ('members', 'avatar', 'text', false),
    ('members', 'phone', 'text', false), ('members', 'unionid', 'code', false), ('members', 'referrer', 'id', false),
    ('members', 'referred_at', 'time', false), ('members', 'joined_at', 'time', false), ('members', 'level', 'count', false),
    ('members', 'level_held', 'flag', false), ('members', 'no_assess', 'flag', false), ('members', 'commission', 'money', false),
    ('members', 'frozen_points', 'points', false), ('members', 'available_points', 'signed_points', false), ('members', 'places', 'count', false),
    ('openids', 'uid', 'id', true), ('openids', 'openid', 'code', true), ('openids', 'appid', 'code', false),
    ('orders', 'order_no', 'code', true), ('orders', 'uid', 'id', true), ('orders', 'referrer', 'id', false), ('orders', 'state', 'state', true),
    ('orders', 'total_price', 'amount', false), ('orders', 'discount', 'amount', false), ('orders', 'freight', 'amount', false),
    ('orders', 'pay_price', 'amount', true), ('orders', 'placed_at', 'time', true), ('orders', 'paid_at', 'time', false),
    ('orders', 'delivered_at', 'time', false), ('orders', 'received_at', 'time', false), ('orders', 'cancelled_at', 'time', false),
    ('orders', 'pay_type', 'text', false), ('orders', 'pay_ref', 'reference', false), ('orders', 'carrier', 'text', false),
    ('orders', 'tracking_no', 'text', false), ('orders', 'receiver_name', 'text', false), ('orders', 'receiver_phone', 'text', false),
    ('orders', 'region', 'text', false), ('orders', 'street', 'text', false), ('orders', 'remark', 'text', false),
    ('order_lines', 'order_no', 'code', true), ('order_lines', 'line_no', 'id', true), ('order_lines', 'product_id', 'code', true),
    ('order_lines', 'title', 'text', false), ('order_lines', 'price', 'amount', true), ('order_lines', 'quantity', 'quantity', true),
    ('order_lines', 'discount', 'amount', false), ('order_lines', 'is_queue_goods', 'flag', false),
    ('refunds', 'order_no', 'code', true), ('refunds', 'refund_no', 'code', true), ('refunds', 'line_no', 'id', false),
    ('refunds', 'quantity', 'quantity', false), ('refunds', 'state', 'refund_state', false), ('refunds', 'refunded_at', 'time', false),
    ('refunds', 'reason', 'text', false),
    ('bill', 'id', 'code', true), ('bill', 'uid', 'id', true), ('bill', 'type', 'code', true), ('bill', 'title', 'text', false),
    ('bill', 'is_income', 'flag', false), ('bill', 'amount', 'signed_points', true), ('bill', 'balance', 'signed_points', false),
    ('bill', 'order_ref', 'reference', false), ('bill', 'happened_at', 'time', false), ('bill', 'note', 'text', false)
  ) as c (file, name, kind, is_required)
$$;

comment on function app.import_columns is
  'Returns the columns of the neutral form of an import: file, name, kind of value (see app.import_kinds) and whether each row must '
  'have a value. docs/import.md explains them.';

-- sql/4_app/imports/import_kinds.sql
-- A time is checked as far as a pattern can; app.import_time checks the day of the month.
create or replace function app.import_kinds()
returns table (kind text, pattern text, finding text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select k.* from (values
    ('id', '^[1-9][0-9]{0,14}$', 'is not a whole number from 1'),
    ('count', '^[0-9]{1,9}$', 'is not a whole number from 0'),
    ('quantity', '^[1-9][0-9]{0,3}$', 'is not a whole number from 1 to 9999'),
    ('money', '^-?[0-9]{1,9}([.][0-9]{0,2}0*)?$', 'is not an amount of money with at most 2 decimals'),
    ('amount', '^[0-9]{1,9}([.][0-9]{0,2}0*)?$', 'is not an amount of money from 0 with at most 2 decimals'),
    ('points', '^[0-9]{1,13}([.][0-9]{0,4}0*)?$', 'is not a number of points from 0 with at most 4 decimals'),
    ('signed_points', '^-?[0-9]{1,13}([.][0-9]{0,4}0*)?$', 'is not a number with at most 4 decimals'),
    ('flag', '^(0|1|true|false)$', 'is not 0 or 1'),
    ('code', '^[!-~]{1,64}$', 'is not a code of 1 to 64 printable ASCII characters'),
    ('reference', '^[!-~]{1,128}$', 'is not a reference of 1 to 128 printable ASCII characters'),
    ('state', '^(unpaid|paid|delivered|received|cancelled)$', 'is not unpaid, paid, delivered, received or cancelled'),
    ('refund_state', '^(refunded|requested)$', 'is not refunded or requested'),
    ('title', '^.{1,200}$', 'is not a text of 1 to 200 characters'),
    ('time', '^(19[7-9][0-9]|20[0-9]{2})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9])?$',
      'is not a time such as 2026-01-31T08:30:00+08:00'),
    ('text', null, null)
  ) as k (kind, pattern, finding)
$$;

comment on function app.import_kinds is
  'Returns the kinds of values in files of an import: the pattern that a value must match (null: any text) and the finding if it does not.';

-- sql/4_app/imports/import_lines.sql
-- Shares of a discount are differences of rounded running sums: they add up to the discount, and none exceeds its line.
create or replace function app.import_lines(p_order_nos text[])
returns table (
  order_no text, line_no bigint, product_id bigint, title text, price numeric, quantity integer, discount numeric, is_queue_goods boolean,
  refunded integer
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with lines as (
    select
      s.order_no, s.line_no::bigint as line_no, p.id as product_id, coalesce(left(app.visible_text(s.title), 200), p.title) as title,
      s.price::numeric as price, s.quantity::integer as quantity, s.discount::numeric as discount,
      coalesce(s.is_queue_goods::boolean, p.is_queue_goods) as is_queue_goods,
      coalesce(o.discount::numeric, sum(s.price::numeric * s.quantity::integer) over w + coalesce(o.freight::numeric, 0) - o.pay_price::numeric) as order_discount,
      sum(s.price::numeric * s.quantity::integer) over w as order_total,
      sum(s.price::numeric * s.quantity::integer) over (w order by s.line_no::bigint) as running,
      bool_or(s.discount is not null) over w as has_own
    from app.staged_order_lines as s
    join app.staged_orders as o on o.order_no = s.order_no
    join app.imported_products as i on i.old_id = s.product_id
    join app.products as p on p.id = i.product_id
    where s.order_no = any (p_order_nos)
    window w as (partition by s.order_no)
  ),
  refunds as (
    select r.order_no, r.line_no::bigint as line_no, sum(r.quantity::integer)::integer as quantity
    from app.staged_refunds as r
    where r.order_no = any (p_order_nos) and coalesce(r.state, 'refunded') = 'refunded'
    group by r.order_no, r.line_no::bigint
  )
  select
    l.order_no, l.line_no, l.product_id, l.title, l.price, l.quantity,
    case
      when l.has_own then coalesce(l.discount, 0)
      when l.order_total = 0 then 0
      else app.round_down(l.order_discount * l.running / l.order_total, 2)
        - app.round_down(l.order_discount * (l.running - l.price * l.quantity) / l.order_total, 2)
    end,
    l.is_queue_goods,
    case
      when exists (select from refunds as w where w.order_no = l.order_no and w.line_no is null) then l.quantity
      else coalesce((select r.quantity from refunds as r where r.order_no = l.order_no and r.line_no = l.line_no), 0)
    end
  from lines as l
$$;

comment on function app.import_lines is
  'Returns the lines of staged orders, with the discount of each line and the units that the refunds of the previous system took back. The '
  'discount of an order is spread over its lines by price, unless lines state discounts of their own.';

-- sql/4_app/imports/import_members.sql
-- The opening balance is the first row of a member's bill, and the imported level the first change of the level: every balance and
-- level follows from its records from the beginning.
-- Locks: structure (exclusive).
-- Idempotent: a member who is imported already is left as they are.
create or replace function app.import_members(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan integer;
  v_uids bigint[];
begin
  perform app.lock_structure();
  v_plan := app.active_plan_version();
  with added as (
    insert into app.users (uid, nickname, phone, avatar, spread_uid, spread_time, agent_level, is_held, no_assess, add_time)
    overriding system value
    select
      s.new_uid, coalesce(app.visible_text(left(app.visible_text(s.nickname), 64)), 'Member'), app.import_phone(s.phone),
      case when app.is_web_address(s.avatar) and char_length(s.avatar) <= 512 then s.avatar end, r.uid,
      case when r.uid is not null then coalesce(app.import_time(s.referred_at, v_zone), app.import_time(s.joined_at, v_zone), p_now) end,
      coalesce(s.level::smallint, 0), coalesce(s.level_held::boolean, false), coalesce(s.no_assess::boolean, false),
      coalesce(app.import_time(s.joined_at, v_zone), p_now)
    from app.staged_members as s
    cross join lateral (
      select coalesce(
        (select m.new_uid from app.staged_members as m where m.uid = s.referrer),
        (select i.uid from app.imported_members as i where i.old_uid = s.referrer::bigint)
      ) as uid
    ) as r
    where s.rank > p_after and s.rank <= p_after + p_limit
      and not exists (select from app.imported_members as i where i.old_uid = s.uid::bigint)
    order by s.rank
    returning uid
  )
  select array_agg(a.uid) into v_uids from added as a;
  perform app.import_openings(v_uids, v_plan, p_now);

  insert into app.imported_members (old_uid, uid, phone, unionid, imported_at)
  select s.uid::bigint, s.new_uid, s.claim_phone, s.claim_unionid, p_now
  from app.staged_members as s
  where s.new_uid = any (v_uids);
  insert into app.imported_openids (openid, appid, uid)
  select o.openid, o.appid, s.new_uid
  from app.staged_members as s join app.staged_openids as o on o.uid = s.uid
  where s.new_uid = any (v_uids) and o.is_claim
  on conflict do nothing;
  update app.imports set members = members + coalesce(cardinality(v_uids), 0) where finished_at is null;
  return (select max(s.rank) from app.staged_members as s where s.rank > p_after and s.rank <= p_after + p_limit);
end
$$;

comment on function app.import_members is
  'Imports the next p_limit staged members after a rank, with referrer, level, balances and places, and returns the last rank, or null '
  'if none was left.';

-- sql/4_app/imports/import_openings.sql
-- Precondition: the caller owns the structure lock and has inserted the members.
create or replace function app.import_openings(p_uids bigint[], p_plan integer, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.opening_cycles (uid, places, plan_version)
  select s.new_uid, s.places::smallint, p_plan from app.staged_members as s where s.new_uid = any (p_uids) and s.places::integer > 0;
  insert into app.user_balances (
    uid, brokerage_price, total_brokerage, frozen_points, available_points, total_points_earned, total_places, cycle_no, cycle_plan_version, cycle_is_open
  )
  select
    s.new_uid, b.commission, b.commission, b.frozen, b.available, b.frozen + b.available,
    coalesce(c.places, 0), (c.uid is not null)::integer, c.plan_version, c.uid is not null
  from app.staged_members as s
  cross join lateral (
    select coalesce(s.commission::numeric, 0) as commission, coalesce(s.frozen_points::numeric, 0) as frozen,
      coalesce(s.available_points::numeric, 0) as available
  ) as b
  left join app.opening_cycles as c on c.uid = s.new_uid
  where s.new_uid = any (p_uids);
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, add_time
  )
  select b.uid, 'opening_balance', 'import', b.brokerage_price, b.frozen_points, b.available_points, b.brokerage_price, b.frozen_points, b.available_points, p_now
  from app.user_balances as b
  where b.uid = any (p_uids) and (b.brokerage_price, b.frozen_points, b.available_points) <> (0, 0, 0)
  order by b.uid;
  insert into app.level_changes (uid, from_level, to_level, to_held, reason, add_time)
  select u.uid, 0, u.agent_level, u.is_held, 'imported', p_now
  from app.users as u where u.uid = any (p_uids) and (u.agent_level > 0 or u.is_held) order by u.uid;
  insert into app.no_assess_changes (uid, from_value, to_value, add_time)
  select u.uid, false, true, p_now from app.users as u where u.uid = any (p_uids) and u.no_assess order by u.uid;
end
$$;

comment on function app.import_openings is
  'Writes what imported members begin with: balances with their bill row, places of the open cycle, level and flag with their history.';

-- sql/4_app/imports/import_order_rows.sql
-- An order that was not paid is cancelled, because a later payment in the previous system could not be matched here.
-- Precondition: the caller owns the structure lock. None of the orders is in the store.
create or replace function app.import_order_rows(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_plan app.commission_plans := (select p from app.commission_plans as p order by p.version desc limit 1);
begin
  insert into app.orders (
    order_no, uid, referrer_uid, state, total_price, discount, freight, pay_price, has_queue_goods, queue_base, queue_units, below_minimum,
    refund_status, plan_version, pay_type, pay_ref, paid_at, delivered_at, received_at, cancelled_at, address, remark, carrier, tracking_no,
    add_time, is_imported
  )
  select
    s.order_no, m.uid, r.uid, case when p.is_paid then s.state else 'cancelled' end, l.total, l.discount, coalesce(s.freight::numeric, 0),
    l.total - l.discount + coalesce(s.freight::numeric, 0), l.has_queue_goods, l.base, l.units,
    p.is_paid and l.has_queue_goods and app.is_below_minimum(l.base_paid, v_plan.minimum_base),
    case when l.units_left = 0 then 2 when q.is_requested then 1 when l.refunded > 0 then 3 else 0 end,
    case when p.is_paid then v_plan.version end,
    case when p.is_paid then app.import_pay_type(s.pay_type) end,
    case when p.is_paid then coalesce(s.pay_ref, s.order_no) end,
    t.paid_at, t.delivered_at, case when p.is_paid and s.state = 'received' then greatest(t.received_at, t.delivered_at, t.paid_at) end,
    case when not p.is_paid then coalesce(app.import_time(s.cancelled_at, v_zone), p_now) end,
    app.import_address(s), left(coalesce(s.remark, ''), 500),
    case when t.delivered_at is not null then app.visible_text(left(app.visible_text(s.carrier), 64)) end,
    case when t.delivered_at is not null then app.visible_text(left(app.visible_text(s.tracking_no), 64)) end,
    app.import_time(s.placed_at, v_zone), true
  from app.staged_orders as s
  join (
    select
      i.order_no, sum(i.price * i.quantity) as total, sum(i.discount) as discount, bool_or(i.is_queue_goods) as has_queue_goods,
      sum(i.quantity - i.refunded) as units_left, sum(i.refunded) as refunded,
      coalesce(sum(i.quantity - i.refunded) filter (where i.is_queue_goods), 0) as units,
      coalesce(sum(i.price * i.quantity - i.discount) filter (where i.is_queue_goods), 0) as base_paid,
      coalesce(sum(app.amount_left(i.price * i.quantity - i.discount, i.quantity, i.refunded)) filter (where i.is_queue_goods), 0) as base
    from app.import_lines(p_order_nos) as i
    group by i.order_no
  ) as l on l.order_no = s.order_no
  join app.imported_members as m on m.old_uid = s.uid::bigint
  left join app.imported_members as r on r.old_uid = s.referrer::bigint
  cross join lateral (select s.state in ('paid', 'delivered', 'received') as is_paid) as p
  cross join lateral (
    select exists (select from app.staged_refunds as f where f.order_no = s.order_no and f.state = 'requested') as is_requested
  ) as q
  cross join lateral (
    select
      case when p.is_paid then app.import_time(s.paid_at, v_zone) end as paid_at,
      case when s.state in ('delivered', 'received') then coalesce(app.import_time(s.delivered_at, v_zone), app.import_time(s.paid_at, v_zone)) end as delivered_at,
      app.import_time(s.received_at, v_zone) as received_at
  ) as t
  where s.order_no = any (p_order_nos)
  order by s.line;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid, is_queue_goods, refunded_quantity)
  select o.id, i.product_id, i.title, i.price, i.quantity, i.discount, i.price * i.quantity - i.discount, i.is_queue_goods, i.refunded
  from app.import_lines(p_order_nos) as i
  join app.orders as o on o.order_no = i.order_no
  order by o.id, i.line_no;
end
$$;

comment on function app.import_order_rows is 'Writes staged orders and their lines, as refunds of the previous system left them.';

-- sql/4_app/imports/import_orders.sql
-- A batch is complete in itself: orders, lines, refunds, settlements and counts are written in one transaction, so that
-- app.reconcile() finds nothing after each of them.
-- Locks: structure (exclusive), balances by uid.
-- Idempotent: an order that is imported already is left as it is.
create or replace function app.import_orders(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_nos text[];
  v_last integer;
begin
  perform app.lock_structure();
  select max(b.line), array_agg(b.order_no order by b.line) filter (where not exists (select from app.orders as o where o.order_no = b.order_no))
  into v_last, v_nos
  from (select s.line, s.order_no from app.staged_orders as s where s.line > p_after order by s.line limit p_limit) as b;
  if v_nos is null then
    return v_last;
  end if;
  perform app.import_order_rows(v_nos, p_now);
  perform app.import_refunds(v_nos, p_now);
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope, base, units, reason, settled_at
  )
  select
    o.id, nextval('app.positions'), 'imported', o.uid, o.referrer_uid, o.plan_version, (select max(l.version) from app.level_versions as l),
    o.plan_version, p.brokerage_scope, o.queue_base, o.queue_units, 'imported', p_now
  from app.orders as o
  join app.commission_plans as p on p.version = o.plan_version
  where o.order_no = any (v_nos) and o.paid_at is not null
  order by o.id;
  perform app.count_imported_orders(v_nos);
  update app.imports set orders = orders + cardinality(v_nos) where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_orders is
  'Imports the next p_limit staged orders after a line, with their lines and refunds, settles the paid ones as imported, adds them to '
  'the task counts (R8, R9), and returns the last line, or null if none was left.';

-- sql/4_app/imports/import_pay_type.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.import_pay_type(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select coalesce(pg_catalog.substring(pg_catalog.lower(p_text), '^[a-z][a-z0-9_]{0,31}$'), 'imported')
$$;

comment on function app.import_pay_type is
  'Returns the type of payment of an imported order: the text in lower case if it is a name, otherwise imported.';

-- sql/4_app/imports/import_phone.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.import_phone(p_text text)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when d.digits ~ '^1[0-9]{10}$' and p_text !~ '^[ ]*([+]|00)' then '86' || d.digits
    when d.digits ~ '^[1-9][0-9]{7,14}$' and p_text !~ '[^0-9 ()+-]' then d.digits
  end
  from (select pg_catalog.regexp_replace(pg_catalog.regexp_replace(p_text, '^[ ]*00', ''), '[^0-9]', '', 'g') as digits) as d
$$;

comment on function app.import_phone is
  'Returns a phone number as the Auth server stores it, with country code and without "+", or null if the text is no such number. '
  'Eleven digits that begin with 1 are a number of mainland China, unless "+" or "00" begins a country code.';

-- sql/4_app/imports/import_products.sql
-- Idempotent: a product that is imported already is left as it is.
create or replace function app.import_products(p_after integer, p_limit integer, p_now timestamptz)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_zone text := (select t.time_zone from app.settings as t);
  v_row app.staged_products;
  v_last integer;
  v_id bigint;
  v_written integer := 0;
begin
  for v_row in select s.* from app.staged_products as s where s.line > p_after order by s.line limit p_limit loop
    v_last := v_row.line;
    continue when exists (select from app.imported_products as i where i.old_id = v_row.id);
    insert into app.products (title, price, freight, is_queue_goods, is_show, stock, description, add_time, updated_at)
    values (
      v_row.title, v_row.price::numeric, coalesce(v_row.freight::numeric, 0), v_row.is_queue_goods::boolean, coalesce(v_row.is_show::boolean, true),
      v_row.stock::bigint, left(coalesce(v_row.description, ''), 20000), coalesce(app.import_time(v_row.added_at, v_zone), p_now), p_now
    )
    returning id into v_id;
    insert into app.imported_products (old_id, product_id) values (v_row.id, v_id);
    v_written := v_written + 1;
  end loop;
  update app.imports set products = products + v_written where finished_at is null;
  return v_last;
end
$$;

comment on function app.import_products is
  'Imports the next p_limit staged products after a line and returns the last line, or null if none was left.';

-- sql/4_app/imports/import_refund_items.sql
create or replace function app.import_refund_items(p_order_nos text[])
returns table (
  order_id bigint, refund_no text, state text, reason text, is_named boolean, refunded_at timestamptz, line_id bigint, paid numeric,
  units integer, quantity integer, refunded_before integer
)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as (
    select r.order_no, r.refund_no, r.line_no::bigint as line_no, r.quantity::integer as quantity, coalesce(r.state, 'refunded') as state,
      r.reason, app.import_time(r.refunded_at, t.time_zone) as refunded_at
    from app.staged_refunds as r cross join app.settings as t
    where r.order_no = any (p_order_nos)
  ),
  staged as (
    select s.order_no, s.line_no::bigint as line_no, row_number() over (partition by s.order_no order by s.line_no::bigint) as number
    from app.staged_order_lines as s
    where s.order_no in (select r.order_no from refunds as r)
  ),
  -- The lines were written in the order of their numbers.
  lines as (
    select n.*, s.order_no, s.line_no, coalesce((
      select sum(f.quantity) from refunds as f where f.order_no = s.order_no and f.line_no = s.line_no and f.state = 'refunded'
    ), 0)::integer as named
    from (
      select l.id, l.order_id, o.order_no as no, l.paid, l.quantity, l.refunded_quantity,
        row_number() over (partition by l.order_id order by l.id) as number
      from app.orders as o join app.order_lines as l on l.order_id = o.id
      where o.order_no in (select r.order_no from refunds as r)
    ) as n
    join staged as s on s.order_no = n.no and s.number = n.number
  ),
  items as (
    select
      l.order_id, r.refund_no, r.state, r.reason, r.line_no is not null as is_named, r.refunded_at, l.id as line_id, l.paid, l.quantity as units,
      case when r.line_no is not null then r.quantity when r.state = 'requested' then l.quantity - l.refunded_quantity else l.quantity - l.named end as quantity,
      l.refunded_quantity
    from refunds as r
    join lines as l on l.order_no = r.order_no and (r.line_no is null or l.line_no = r.line_no)
  )
  select
    i.order_id, i.refund_no, i.state, i.reason, i.is_named, i.refunded_at, i.line_id, i.paid, i.units, i.quantity,
    case i.state when 'requested' then i.refunded_quantity else coalesce(sum(i.quantity) filter (where i.state = 'refunded') over (
      partition by i.line_id order by not i.is_named, i.refunded_at, i.refund_no rows between unbounded preceding and 1 preceding
    ), 0)::integer end
  from items as i
  where i.quantity > 0
$$;

comment on function app.import_refund_items is
  'Returns the units that each staged refund or request takes from each line, and the units of the line that were refunded before.';

-- sql/4_app/imports/import_refunds.sql
-- A refund that names no line takes whatever the named ones leave. One that is left without units is dropped.
-- Precondition: the orders and their lines are written, and their settlements are not, so that the positions of refunds come first.
create or replace function app.import_refunds(p_order_nos text[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
begin
  with items as materialized (select * from app.import_refund_items(p_order_nos)),
  refunds as (
    select
      i.order_id, i.refund_no, min(i.state) as state, max(i.reason) as reason, bool_or(i.is_named) as is_named,
      least(coalesce(max(i.refunded_at), max(greatest(o.received_at, o.delivered_at, o.paid_at))), p_now) as at,
      sum(app.amount_left(i.paid, i.units, i.refunded_before) - app.amount_left(i.paid, i.units, i.refunded_before + i.quantity)) as amount
    from items as i
    join app.orders as o on o.id = i.order_id
    group by i.order_id, i.refund_no
  ),
  numbered as (select r.*, nextval('app.positions') as position from (select * from refunds as f order by f.order_id, f.at, f.refund_no) as r),
  added as (
    insert into app.refunds (order_id, state, refund_ref, reason, amount, names_units, created_at, decided_at, position, decided_position)
    select
      r.order_id, r.state, r.refund_no, left(coalesce(r.reason, ''), 500), r.amount, r.is_named, r.at, case when r.state = 'refunded' then r.at end,
      r.position, case when r.state = 'refunded' then r.position end
    from numbered as r
    returning id, order_id, refund_ref
  )
  insert into app.refund_lines (refund_id, line_id, quantity)
  select a.id, i.line_id, i.quantity from items as i join added as a on a.order_id = i.order_id and a.refund_ref = i.refund_no;
end
$$;

comment on function app.import_refunds is 'Writes the refunds and refund requests of staged orders.';

-- sql/4_app/imports/import_time.sql
-- Has no set clause, so that the planner can inline it.
-- Precondition: the text matches the pattern of a time in app.import_kinds.
create or replace function app.import_time(p_text text, p_zone text)
returns timestamptz
language sql
stable
as $$
  select case
    when p_text is null then null
    when pg_catalog.substr(p_text, 9, 2)::pg_catalog.int4 > extract(day from
      pg_catalog.make_date(pg_catalog.substr(p_text, 1, 4)::pg_catalog.int4, pg_catalog.substr(p_text, 6, 2)::pg_catalog.int4, 1) + interval '1 month -1 day'
    ) then null
    when p_text ~ '(Z|[+-][0-9]{2}:[0-9]{2})$' then p_text::pg_catalog.timestamptz
    else p_text::pg_catalog.timestamp at time zone p_zone
  end
$$;

comment on function app.import_time is
  'Returns a time of an import, or null if the month has no such day. A time without an offset is in p_zone.';

-- sql/4_app/imports/imported_member_of.sql
create or replace function app.imported_member_of(p_auth_id uuid, p_phone text, out uid bigint, out claimed_by text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select m.uid, c.claimed_by
  from (
    select i.uid, 'openid' as claimed_by, 1 as rank
    from app.wechat_accounts as w join app.imported_openids as i on i.openid = w.openid and coalesce(i.appid, w.appid) = w.appid
    where w.auth_id = p_auth_id
    union all
    select i.uid, 'unionid', 2 from app.wechat_accounts as w join app.imported_members as i on i.unionid = w.unionid where w.auth_id = p_auth_id
    union all
    select i.uid, 'phone', 3 from app.imported_members as i where i.phone = p_phone
  ) as c
  join app.imported_members as m on m.uid = c.uid and m.claimed_at is null
  order by c.rank
  limit 1
$$;

comment on function app.imported_member_of is
  'Returns the imported member whom nobody has claimed and who belongs to an account, by the ids that WeChat has verified for the '
  'account or by a phone number that Auth or WeChat has verified, and how they were found.';

-- sql/4_app/imports/is_importing.sql
-- One probe of a unique index that has at most one row. PL/pgSQL, so that the session caches the query plan.
-- Precondition: the caller owns the structure lock, so that no import begins meanwhile.
create or replace function app.is_importing()
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from app.imports as i where i.finished_at is null);
end
$$;

comment on function app.is_importing is
  'Returns whether an import is unfinished. Settlements wait for it, because a referrer whose own orders are not imported yet is not '
  'eligible (R4).';

-- sql/4_app/imports/lock_import.sql
-- Waits for ten seconds, because the session of a run that was killed ends only after its statement.
create or replace function app.lock_import()
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform pg_advisory_lock(app.lock_number('import'));
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function app.lock_import is
  'Takes the import lock for the rest of the session and returns whether that succeeded: one import runs at a time.';

-- sql/4_app/imports/prepare_import.sql
-- Precondition: app.check_import finds no error.
-- Locks: app.users against sign-ups, which never take the uid of a member who is still to come.
create or replace function app.prepare_import()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_highest bigint := (select max(s.uid::bigint) from app.staged_members as s);
begin
  lock table app.users in share row exclusive mode;
  if v_highest >= (select q.last_value from app.users_uid_seq as q) then
    perform setval('app.users_uid_seq', v_highest);
  end if;
  update app.staged_members as s
  set new_uid = coalesce(
    (select i.uid from app.imported_members as i where i.old_uid = s.uid::bigint),
    case when exists (select from app.users as u where u.uid = s.uid::bigint) then nextval('app.users_uid_seq') else s.uid::bigint end
  )
  where true;
  with claims as materialized (select c.* from app.import_claims() as c where c.members = 1 and c.owner is null),
  openids as (update app.staged_openids as o set is_claim = true from claims as c where c.name = 'openid' and c.line = o.line)
  update app.staged_members as s
  set claim_phone = c.phone, claim_unionid = c.unionid
  from (
    select i.uid, max(i.id) filter (where i.name = 'phone') as phone, max(i.id) filter (where i.name = 'unionid') as unionid
    from claims as i group by i.uid
  ) as c
  where c.uid = s.uid;
  with recursive tree as (
    select s.uid, 1 as depth from app.staged_members as s
    where s.referrer is null or not exists (select from app.staged_members as r where r.uid = s.referrer)
    union all
    select s.uid, t.depth + 1 from tree as t join app.staged_members as s on s.referrer = t.uid
  ),
  ranks as (select t.uid, row_number() over (order by t.depth, t.uid::bigint) as rank from tree as t)
  update app.staged_members as s set rank = r.rank from ranks as r where r.uid = s.uid;
  analyze app.staged_members;
end
$$;

comment on function app.prepare_import is
  'Gives each staged member a uid of this store, the old one unless another member has it, a rank that puts referrers first, '
  'and the ids by which the member can be claimed.';

-- sql/4_app/imports/use_of_member.sql
create or replace function app.use_of_member(p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when exists (select from app.orders as o where o.uid = p_uid) then 'has orders'
    when exists (select from app.users as u where u.spread_uid = p_uid) then 'has referred other members'
    when exists (select from app.user_bill as b where b.uid = p_uid) then 'has a bill'
    when exists (select from app.imported_members as i where i.uid = p_uid) then 'is an imported member'
    when exists (select from app.level_changes as l where l.uid = p_uid) then 'has a level that an administrator has set'
    when exists (select from app.adjustments as a where a.uid = p_uid) then 'has an adjustment of balances'
    when exists (select from app.no_assess_changes as n where n.uid = p_uid) then 'has a no-assess flag that an administrator has set'
  end
$$;

comment on function app.use_of_member is
  'Returns why a member cannot be replaced by an imported one, or null if nothing depends on the member.';

-- sql/4_app/levels/check_levels.sql
-- Precondition: a caller that will write the settings holds the structure lock exclusively.
-- Raises: levels_invalid.
create or replace function app.check_levels(p_levels jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_problem text;
  v_constraint text;
begin
  if p_levels is null or jsonb_typeof(p_levels) <> 'array' or jsonb_array_length(p_levels) not between 1 and 101 then
    perform app.fail('levels_invalid', 'Levels must be a list of 1 to 101 grades.');
  end if;
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as place,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from jsonb_to_recordset(p_levels) as l (grade integer, direct_points numeric, umbrella_points numeric, tasks jsonb)
  ),
  targets as (
    select l.grade, t.key as type, t.value::numeric as target, lag(t.value::numeric) over (partition by t.key order by l.grade) as target_below
    from levels as l cross join lateral jsonb_each_text(coalesce(l.tasks, '{}')) as t
  )
  select min(p.problem) into v_problem
  from (
    select 'Grades must start at 0, without gaps or duplicates.' as problem from levels as l where l.grade is distinct from l.place
    union all
    select format('The points of grade %s are below those of the grade before.', l.grade) from levels as l
    where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
    union all
    select format('The points of grade %s have more than four decimals.', l.grade) from levels as l
    where greatest(scale(trim_scale(l.direct_points)), scale(trim_scale(l.umbrella_points))) > app.points_decimals()
    union all
    select format('Grade %s has no tasks.', l.grade) from levels as l where l.grade > 0 and coalesce(l.tasks, '{}') = '{}'
    union all
    select format('The target %s of grade %s is below that of the grade before.', t.type, t.grade) from targets as t
    where t.target < t.target_below
  ) as p;
  if v_problem is not null then
    perform app.fail('levels_invalid', v_problem);
  end if;
  -- updated_at is set when the rows are written. Any value passes the check.
  perform app.check_rows('app.agent_levels', (
    select jsonb_agg(to_jsonb(l) || jsonb_build_object('is_active', coalesce(l.is_active, true), 'updated_at', 'epoch'))
    from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ));
  perform app.check_rows('app.agent_level_tasks', (
    select coalesce(jsonb_agg(jsonb_build_object('grade', l.value -> 'grade', 'type', t.key, 'target', t.value)), '[]')
    from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each(coalesce(l.value -> 'tasks', '{}')) as t
  ));
  if exists (select from app.users as u where u.agent_level > 0 and u.agent_level >= jsonb_array_length(p_levels)) then
    perform app.fail('levels_invalid', 'A grade that members hold can be switched off but not removed.');
  end if;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('levels_invalid', 'The levels violate this rule: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation then
    perform app.fail('levels_invalid', 'A value of the levels is missing, not of the right type or too large.');
end
$$;

comment on function app.check_levels is
  'Raises levels_invalid, with the reason, if level settings are inconsistent: gaps in the grades, points or targets that fall '
  'with the grade, a grade without tasks, a value that the tables reject, or a missing grade that members hold.';

-- sql/4_app/levels/level_review.sql
-- A page reads a bounded number of rows. Members below the top grade have maintained counts and cost one read for each of ten
-- comparisons at most. Those at the top grade must be counted again, which reads their downline; the team totals, a minute old at
-- most, say how large it is.
create or replace function app.level_review(p_after bigint, p_limit integer)
returns table (uid bigint, reached_level smallint, counts app.user_balances, next_after bigint)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_left integer := app.page_read_limit();
  v_top constant smallint := app.top_grade();
  v_found integer := 0;
  v_last bigint := p_after;
  v_user app.users;
  v_cost bigint;
begin
  for v_user in select u.* from app.users as u where u.agent_level > 0 and u.uid > p_after order by u.uid loop
    v_cost := case
      when v_user.agent_level < v_top then 10
      else 10 + coalesce((select t.umbrella_members + t.umbrella_orders from app.team_totals as t where t.uid = v_user.uid), 0)
    end;
    if v_found = p_limit or (v_cost > v_left and v_left < app.page_read_limit()) then
      next_after := v_last;
      uid := null;
      return next;
      return;
    end if;
    v_last := v_user.uid;
    v_left := v_left - v_cost;
    uid := v_user.uid;
    reached_level := null;
    select b.* into counts from app.user_balances as b where b.uid = v_user.uid;
    if v_user.agent_level >= v_top and v_left >= 0 then
      select c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members
      into counts.direct_orders, counts.umbrella_orders, counts.direct_members, counts.umbrella_members
      from app.count_downline(v_user.uid) as c;
    end if;
    if v_user.agent_level < v_top or v_left >= 0 then
      reached_level := app.level_by_tasks(counts);
      continue when reached_level >= v_user.agent_level;
    end if;
    v_found := v_found + 1;
    return next;
  end loop;
end
$$;

comment on function app.level_review is
  'Returns members after p_after, by uid, who would not reach their level with the orders that refunds have left, with the grade '
  'that they would reach and their task counts. reached_level is null for a member at the top grade whose downline is too large to '
  'count on a page. A last row with next_after says where the next page begins; without it, there is none.';

-- sql/4_app/levels/level_settings.sql
-- Precondition: the caller holds the structure lock exclusively.
create or replace function app.level_settings()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', (select max(v.version) from app.level_versions as v),
    'levels', jsonb_agg(l.value - '{name, name_zh}'::text[] order by l.ordinality),
    'names', jsonb_agg(jsonb_build_array(l.value -> 'name', l.value -> 'name_zh') order by l.ordinality)
  )
  from jsonb_array_elements(app.levels_json()) with ordinality as l
$$;

comment on function app.level_settings is
  'Returns the level settings in force as {version, levels, names}, in the form that app.record_action compares and keeps. '
  'Names are apart from the rest because their text is not recorded.';

-- sql/4_app/levels/levels_json.sql
create or replace function app.levels_json()
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_agg(jsonb_build_object(
    'grade', l.grade, 'name', l.name, 'name_zh', l.name_zh, 'direct_points', trim_scale(l.direct_points),
    'umbrella_points', trim_scale(l.umbrella_points), 'is_active', l.is_active,
    'tasks', coalesce((
      select jsonb_object_agg(t.type, t.target) from app.agent_level_tasks as t where t.grade = l.grade
    ), '{}')
  ) order by l.grade)
  from app.agent_levels as l
$$;

comment on function app.levels_json is
  'Returns the level settings in force: [{grade, name, name_zh, direct_points, umbrella_points, is_active, tasks}], with tasks '
  'as {type: target}.';

grant execute on function app.levels_json() to store_admin;

-- sql/4_app/levels/next_level_json.sql
create or replace function app.next_level_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'agent_level', l.grade, 'agent_level_name', l.name,
    'tasks', coalesce((
      select jsonb_agg(jsonb_build_object(
        'type', t.type, 'target', t.target, 'current', c.current, 'missing', greatest(t.target - c.current, 0), 'met', c.current >= t.target
      ) order by t.type)
      from app.agent_level_tasks as t
      cross join lateral (select (to_jsonb(p_balances) ->> t.type)::integer as current) as c
      where t.grade = l.grade
    ), '[]')
  )
  from app.agent_levels as l
  where l.is_active and l.grade > p_user.agent_level
  order by l.grade
  limit 1
$$;

comment on function app.next_level_json is
  'Returns the next active grade above a member, with the target of each of its tasks, the current count and what is '
  'missing. Null at the top grade.';

grant execute on function app.next_level_json(app.users, app.user_balances) to store_admin;

-- sql/4_app/levels/rebuild_counters.sql
-- Precondition: the caller holds the structure lock exclusively.
-- Locks: balances by uid.
-- Idempotent: the result depends on the orders only.
create or replace function app.rebuild_counters(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_balances(p_uids);
  update app.user_balances as b
  set direct_orders = c.direct_orders, umbrella_orders = c.umbrella_orders,
      direct_members = c.direct_members, umbrella_members = c.umbrella_members
  from unnest(p_uids) as m (uid) cross join lateral app.count_downline(m.uid) as c
  where b.uid = m.uid;
end
$$;

comment on function app.rebuild_counters is 'Recomputes the task counts of members from the orders below them (R8, R9).';

-- sql/4_app/levels/set_agent_level.sql
-- Locks: structure (exclusive), then the member's balances.
-- Raises: invalid_argument, user_not_found, level_unknown.
-- Idempotent: setting the current values changes and records nothing.
create or replace function app.set_agent_level(
  p_uid bigint, p_grade smallint, p_changed_by uuid, p_now timestamptz, p_held boolean default null
)
returns app.users
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_is app.users;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif p_grade is null or not exists (select from app.agent_levels as l where l.grade = p_grade and l.is_active) then
    perform app.fail('level_unknown', 'There is no active level of this grade.');
  end if;
  update app.users as u
  set agent_level = p_grade, is_held = coalesce(p_held, p_grade < v_was.agent_level or v_was.is_held)
  where u.uid = p_uid
  returning u.* into v_is;
  if (v_is.agent_level, v_is.is_held) = (v_was.agent_level, v_was.is_held) then
    return v_is;
  end if;
  insert into app.level_changes (uid, from_level, to_level, from_held, to_held, reason, changed_by, add_time)
  values (p_uid, v_was.agent_level, v_is.agent_level, v_was.is_held, v_is.is_held, 'manual', p_changed_by, v_now);
  if v_was.agent_level >= app.top_grade() then
    perform app.rebuild_counters(array[p_uid]);
  end if;
  return v_is;
end
$$;

comment on function app.set_agent_level is
  'Sets a member''s grade by hand, up or down, and records the change. While the level is held, tasks do not raise the member. '
  'p_held sets or ends the hold; null holds a member who is lowered and leaves the hold of others unchanged.';

-- sql/4_app/levels/set_agent_levels.sql
-- Locks: structure (exclusive), then balances by uid.
-- Raises: invalid_argument, levels_invalid.
-- Idempotent: settings equal to those in force make no new version.
create or replace function app.set_agent_levels(p_levels jsonb, p_created_by uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old_top smallint;
  v_now timestamptz;
begin
  -- First, so that no member reaches a grade that is about to be removed.
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  perform app.check_levels(p_levels);
  v_old_top := app.top_grade();
  delete from app.agent_level_tasks where true;
  insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points, is_active, updated_at)
  select l.grade, l.name, l.name_zh, l.direct_points, l.umbrella_points, coalesce(l.is_active, true), v_now
  from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  on conflict (grade) do update set
    name = excluded.name, name_zh = excluded.name_zh, direct_points = excluded.direct_points,
    umbrella_points = excluded.umbrella_points, is_active = excluded.is_active, updated_at = excluded.updated_at;
  delete from app.agent_levels as l where l.grade >= jsonb_array_length(p_levels);
  insert into app.agent_level_tasks (grade, type, target)
  select (l.value ->> 'grade')::smallint, t.key, t.value::integer
  from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each_text(coalesce(l.value -> 'tasks', '{}')) as t;

  insert into app.level_versions (levels, created_by, created_at)
  select app.levels_json(), p_created_by, v_now
  where app.levels_json() is distinct from (select v.levels from app.level_versions as v order by v.version desc limit 1);
  perform app.rebuild_counters(array(
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade()
  ));
end
$$;

comment on function app.set_agent_levels is
  'Replaces the level settings and keeps a version of them. p_levels has the form of app.levels_json(). Recomputes the task '
  'counts of members who were at the top grade and no longer are, because nothing was counted for them.';

-- sql/4_app/levels/top_grade.sql
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.top_grade()
returns smallint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(l.grade) from app.agent_levels as l where l.is_active);
end
$$;

comment on function app.top_grade is
  'Returns the highest active grade. Members who hold it cannot rise, so nothing is counted for them and settlements do not '
  'lock their balances for counting.';

-- sql/4_app/members/bind_spread.sql
-- Locks: structure (exclusive), then balances of the member and the new upline by uid.
-- Raises: invalid_argument, user_not_found, spread_already_bound, spread_unknown, spread_is_self, spread_in_own_downline.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function app.bind_spread(p_uid bigint, p_spread_uid bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
  v_below record;
  v_state app.engine_state;
  v_now timestamptz;
begin
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.* into v_user from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_user.spread_uid = p_spread_uid then
    return;
  elsif v_user.spread_uid is not null then
    perform app.fail('spread_already_bound', 'A referrer can be set only once.');
  elsif p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null or not exists (select from app.users as u where u.uid = p_spread_uid) then
    perform app.fail('spread_unknown', 'There is no member with this uid.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer is in this member''s downline.');
  end if;

  select * into v_below from app.count_downline(p_uid);
  v_state := app.load_state(array[p_uid, p_spread_uid]);
  perform app.book_entries('{}', (app.decide_levels(
    array[(
      'refer', app.member_index(v_state, p_uid), null, 0, null, null, null, app.member_index(v_state, p_spread_uid),
      v_below.umbrella_orders, v_below.umbrella_members, null
    )::app.tree_event],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = nextval('app.positions') where uid = p_uid;
end
$$;

comment on function app.bind_spread is
  'Binds a member to a referrer. A referrer can be set once, and must not be the member or anyone below the member. The orders '
  'and members below the member begin to count for the new upline.';

-- sql/4_app/members/copy_auth_phone.sql
-- Security definer: the role of the Auth server has no rights on schema app.
-- An account that the Auth server marks as deleted gets a meaningless phone in the same update. It is not copied.
create or replace function app.copy_auth_phone()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.users set phone = nullif(left(new.phone, 32), '') where auth_id = new.id;
  return new;
end
$$;

comment on function app.copy_auth_phone is 'Trigger: copies a changed phone number of an Auth account to its member.';

create trigger members_have_the_phone_of_their_account after update of phone on auth.users
  for each row when (old.phone is distinct from new.phone and new.deleted_at is null) execute function app.copy_auth_phone();

-- sql/4_app/members/count_downline.sql
-- Reads the whole downline.
create or replace function app.count_downline(p_uid bigint)
returns table (direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the recursion. Compiling the query for its estimate takes longer than running it.
set jit = off
as $$
  select
    (count(*) filter (where o.is_direct))::integer,
    count(*)::integer,
    (count(distinct o.uid) filter (where o.is_direct))::integer,
    (count(distinct o.uid))::integer
  from app.downline_orders(p_uid) as o
  where o.reason is null
$$;

comment on function app.count_downline is
  'Computes the task counts of a member from the orders below them (R8, R9). The task counts in app.user_balances must equal the '
  'result.';

-- sql/4_app/members/downline_orders.sql
create or replace function app.downline_orders(p_uid bigint)
returns table (order_id bigint, uid bigint, is_direct boolean, reason text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive downline as (
    select u.uid, u.no_assess, true as is_direct from app.users as u where u.spread_uid = p_uid
    union all
    select u.uid, u.no_assess, false from downline as d join app.users as u on u.spread_uid = d.uid
  )
  select o.id, d.uid, d.is_direct, case
    when o.queue_units = 0 or o.refund_status = 2 then 'refunded'
    when o.below_minimum then 'below_minimum'
    when o.refund_status = 1 then 'refund_requested'
    when s.state is null then 'not_settled'
    when d.no_assess then 'member_not_assessed'
  end
  from downline as d
  join app.orders as o on o.uid = d.uid and o.paid_at is not null and o.has_queue_goods
  left join app.settlements as s on s.order_id = o.id
$$;

comment on function app.downline_orders is
  'Returns every paid order with queue goods below a member, and the reason why it does not count for the member''s tasks, or '
  'null if it counts (R8, R9).';

-- sql/4_app/members/forget_person.sql
-- Security definer: the role of the Auth server has no rights on schema app.
-- Locks: the orders of the member by id, their withdrawals by id, their balances, and the member last, as a settlement does.
-- Idempotent: a second deletion finds nothing left to remove.
create or replace function app.forget_person()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  select u.uid into v_uid from app.users as u where u.auth_id = old.id;
  perform from app.orders as o where o.uid = v_uid order by o.id for update;
  update app.orders set address = null, remark = '' where uid = v_uid and (address is not null or remark <> '');
  perform app.forget_payee(v_uid);
  update app.users set nickname = 'Deleted member', phone = null, avatar = null where uid = v_uid;
  delete from app.posters where uid = v_uid;
  delete from app.addresses where uid = v_uid;
  delete from app.payment_payers as p using app.payment_attempts as a, app.orders as o where p.attempt_id = a.id and a.order_id = o.id and o.uid = v_uid;
  delete from app.imported_openids where uid = v_uid;
  update app.imported_members set phone = null, unionid = null where uid = v_uid;
  update app.imported_bill set title = '', note = '' where uid = v_uid and (title <> '' or note <> '');
  delete from app.idempotency_keys where auth_id = old.id;
  delete from app.wechat_accounts where auth_id = old.id;
  delete from app.administrators where auth_id = old.id;
  if tg_op = 'DELETE' then
    return old;
  end if;
  return new;
end
$$;

comment on function app.forget_person is
  'Trigger: removes the personal data of a deleted account. The member keeps the orders and the bill but loses nickname, phone, '
  'avatar, poster, payout accounts and addresses, those of the orders and their remarks and payers included. Of an imported member, the ids for claiming and the titles and notes of old bill rows are deleted, too. Idempotency keys, WeChat ids and administrator rights of the account are deleted. '
  'Also fires when the Auth server only marks the account as deleted.';

-- Before the deletion, because it sets the member's auth_id to null.
create trigger deleted_accounts_are_forgotten before delete on auth.users
  for each row execute function app.forget_person();
create trigger accounts_marked_as_deleted_are_forgotten after update of deleted_at on auth.users
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function app.forget_person();

-- sql/4_app/members/get_upline.sql
-- Takes no locks. Precondition for a stable result: the caller has locked the structure and, for the grades, the members'
-- balances.
-- PL/pgSQL, so that the session caches the query plan: a function in plain SQL is planned again by every statement that calls it.
-- Functions with an array or a series as parameter also `set plan_cache_mode = force_generic_plan`: the generic query plan assumes
-- ten elements, which looks more expensive than a custom plan for a short array, so Postgres would plan again for every call.
create or replace function app.get_upline(p_uid bigint)
returns table (depth integer, uid bigint, agent_level smallint)
language plpgsql
stable
rows 20
set search_path = pg_catalog, pg_temp
-- With few members, Postgres would prefer to scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  return query
    with recursive upline as (
      select 1 as depth, r.uid, r.agent_level, r.spread_uid
      from app.users as u join app.users as r on r.uid = u.spread_uid
      where u.uid = p_uid
      union all
      select p.depth + 1, r.uid, r.agent_level, r.spread_uid
      from upline as p join app.users as r on r.uid = p.spread_uid
    )
    select upline.depth, upline.uid, upline.agent_level from upline;
end
$$;

comment on function app.get_upline is
  'Returns the referral chain above a member with the grade that each holds now. Depth 1 is the direct referrer. One index '
  'probe for each ancestor.';

-- sql/4_app/members/handle_new_auth_user.sql
-- Security definer: the role of the Auth server has no rights on schema app.
create or replace function app.handle_new_auth_user()
returns trigger
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_spread text := trim(new.raw_user_meta_data ->> 'spread');
  -- Cleaned again after the cut, which may leave only blanks.
  v_nickname text := app.visible_text(left(app.visible_text(new.raw_user_meta_data ->> 'nickname'), 64));
  v_avatar text := trim(new.raw_user_meta_data ->> 'avatar');
  v_spread_uid bigint;
  v_uid bigint;
begin
  if app.claim_member(new.id, case when new.phone_confirmed_at is not null then new.phone::text end) is not null then
    return new;
  end if;
  if v_spread ~ '^[0-9]{1,18}$' then
    select u.uid into v_spread_uid from app.users as u where u.uid = v_spread::bigint;
  end if;
  insert into app.users (auth_id, nickname, phone, spread_uid, spread_time, avatar)
  values (
    new.id, coalesce(v_nickname, 'Member'), nullif(left(new.phone, 32), ''),
    v_spread_uid, case when v_spread_uid is not null then now() end,
    case when app.is_web_address(v_avatar) and char_length(v_avatar) <= 512 then v_avatar end
  )
  returning uid into v_uid;
  insert into app.user_balances (uid) values (v_uid);
  return new;
end
$$;

comment on function app.handle_new_auth_user is
  'Trigger: creates the member of a new Auth account, with the referrer that the share link names if there is such a member. '
  'Invalid metadata never blocks the sign-up: an unusable referrer or avatar is ignored, and invisible characters are removed '
  'from the nickname. An account that belongs to an imported member gets that member instead.';

create trigger every_account_becomes_a_member after insert on auth.users
  for each row execute function app.handle_new_auth_user();

-- sql/4_app/members/lock_balances.sql
-- One query sorts and then locks, because rows locked in any other order deadlock.
-- The advisory lock on the lowest uid is a queue. All orders below one ancestor need the same lowest row. They wait for it
-- once, one after the other. Without the lock, each of them reads every row again that another one has changed meanwhile.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- Generic query plan: see get_upline.
create or replace function app.lock_balances(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock(app.lock_number('balances'), (min(u.uid) % 2147483647)::integer) from unnest(p_uids) as u (uid);
  perform from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update;
end
$$;

comment on function app.lock_balances is
  'Locks the balance rows of members by ascending uid, the last step of the lock order (R10).';

-- sql/4_app/members/lock_free_balances.sql
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_free_balances(p_uids bigint[])
returns setof bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select b.uid from app.user_balances as b where b.uid = any (p_uids) order by b.uid for update skip locked
$$;

comment on function app.lock_free_balances is
  'Locks the balance rows that no other transaction holds, by ascending uid, and returns their uids. Never waits.';

-- sql/4_app/members/lock_structure.sql
-- Precondition: the transaction holds no other lock of the lock order.
create or replace function app.lock_structure()
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_catalog.pg_advisory_xact_lock(app.lock_number('structure'))
$$;

comment on function app.lock_structure is
  'Takes the structure lock exclusively: waits for running settlements and blocks new ones until the end of the transaction. '
  'For changes of the referral tree, of levels by hand, of the no-assess flag and of level settings.';

-- sql/4_app/members/lock_structure_shared.sql
-- The first lock of the lock order (docs/decisions/0002-one-lock-order.md).
-- An advisory lock, because a shared row lock on a root would be written by every order below it.
-- Idempotent: taking a lock again that the transaction holds has no effect.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.lock_structure_shared()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_catalog.pg_advisory_xact_lock_shared(app.lock_number('structure'));
end
$$;

comment on function app.lock_structure_shared is
  'Takes the structure lock in shared mode: the referral tree, manual levels, flags and level settings do not change until the '
  'end of the transaction.';

-- sql/4_app/members/require_user.sql
-- Raises: user_not_found.
create or replace function app.require_user(p_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
end
$$;

comment on function app.require_user is 'Raises user_not_found unless there is a member with this uid.';

grant execute on function app.require_user(bigint) to store_admin;

-- sql/4_app/members/set_no_assess.sql
-- Locks: structure (exclusive), then balances of the upline by uid.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: setting the current value changes and records nothing.
create or replace function app.set_no_assess(p_uid bigint, p_no_assess boolean, p_changed_by uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
  v_state app.engine_state;
  v_now timestamptz;
begin
  if p_no_assess is null then
    perform app.fail('invalid_argument', 'no_assess must be true or false.');
  end if;
  perform app.lock_structure();
  v_now := app.effect_time(p_now);
  select u.no_assess into v_was from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  elsif v_was = p_no_assess then
    return;
  end if;
  v_state := app.load_state(array[p_uid]);
  perform app.book_entries('{}', (app.decide_levels(
    array[('assess', app.member_index(v_state, p_uid), null, 0, null, null, p_no_assess, null, null, null, null)::app.tree_event],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now);
end
$$;

comment on function app.set_no_assess is
  'Sets the no-assess flag of a member and removes their orders from, or adds them to, the counts of the upline (R9).';

-- sql/4_app/members/user_json.sql
create or replace function app.user_json(p_user app.users, p_balances app.user_balances)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_user.uid, 'nickname', p_user.nickname, 'phone', p_user.phone, 'spread_uid', p_user.spread_uid,
    'referrer_nickname', (select r.nickname from app.users as r where r.uid = p_user.spread_uid),
    'agent_level', p_user.agent_level, 'agent_level_name', l.name, 'level_is_held', p_user.is_held,
    'no_assess', p_user.no_assess,
    'brokerage_price', p_balances.brokerage_price::text, 'frozen_points', trim_scale(p_balances.frozen_points),
    'available_points', trim_scale(p_balances.available_points),
    'total_points_earned', trim_scale(p_balances.total_points_earned), 'add_time', app.utc(p_user.add_time)
  )
  from app.agent_levels as l
  where l.grade = p_user.agent_level
$$;

comment on function app.user_json is 'Returns a member with their balances as administrators see them.';

grant execute on function app.user_json(app.users, app.user_balances) to store_admin;

-- sql/4_app/metrics/metrics.sql
-- Reads small tables and indexes only, so that a scrape every few seconds costs little.
-- Every metric is the value at p_now. A metric that is not known yet, such as the age of a reconciliation that never ran, has no row.
create or replace function app.metrics(p_now timestamptz)
returns table (name text, help text, labels jsonb, value numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with jobs as (
    select * from app.settlement_job_state(p_now)
  ), outbox as (
    select
      count(*) filter (where o.state = 'waiting') as waiting, count(*) filter (where o.state = 'failed') as failed,
      min(o.run_after) filter (where o.state = 'waiting' and o.run_after <= p_now) as due_since
    from app.outbox as o
  ), released as (
    select max(r.release_date) filter (where r.finished_at is not null) as last_day, count(*) filter (where r.finished_at is null) as unfinished
    from app.release_runs as r
  ), reconciled as (
    select c.findings, c.finished_at from app.reconcile_runs as c
    where c.finished_at is not null and c.findings is not null order by c.id desc limit 1
  )
  select 'store_settlement_jobs', 'Orders whose settlement is waiting, or dead: it failed for good.', s.labels, s.value
  from jobs as j cross join lateral (values ('{"state": "waiting"}'::jsonb, j.waiting), ('{"state": "dead"}', j.dead)) as s (labels, value)
  union all
  select 'store_settlement_oldest_seconds', 'Age of the oldest settlement job that waits; 0 if none does.', '{}',
    coalesce(extract(epoch from p_now - j.due_since), 0)
  from jobs as j
  union all
  select 'store_import_unfinished_seconds', 'Time since the import began that settlements wait for; 0 if none is unfinished.', '{}',
    coalesce(extract(epoch from p_now - j.import_since), 0)
  from jobs as j
  union all
  select 'store_outbox_rows', 'Calls to providers that are waiting, or failed for good and need an administrator.', s.labels, s.value
  from outbox as o cross join lateral (values ('{"state": "waiting"}'::jsonb, o.waiting), ('{"state": "failed"}', o.failed)) as s (labels, value)
  union all
  select 'store_outbox_overdue_seconds', 'For how long the oldest call to a provider has been due; 0 if none is.', '{}',
    coalesce(extract(epoch from p_now - o.due_since), 0)
  from outbox as o
  union all
  select 'store_release_lag_days', 'Business days since the newest finished release of points; 0 after the release of today.', '{}',
    app.business_day(p_now) - r.last_day
  from released as r where r.last_day is not null
  union all
  select 'store_release_unfinished_days', 'Business days whose release has begun and is not finished.', '{}', r.unfinished from released as r
  union all
  select 'store_reconcile_findings', 'Findings of the latest reconciliation.', '{}', r.findings from reconciled as r
  union all
  select 'store_reconcile_age_seconds', 'Time since the latest reconciliation.', '{}', extract(epoch from p_now - r.finished_at) from reconciled as r
  union all
  select 'store_scheduler_ok', '1 if pg_cron or another scheduler runs the scheduled jobs, otherwise 0.', '{}', (app.scheduler_state(p_now) = 'ok')::integer
  union all
  select 'store_scheduled_job_late', '1 if an active scheduled job did not run when it was due, otherwise 0.',
    jsonb_build_object('job', s.name), (l.name is not null)::integer
  from app.scheduled_jobs as s left join app.late_jobs(p_now) as l on l.name = s.name
  where s.is_active
$$;

comment on function app.metrics is
  'Returns what a monitoring system watches at p_now: settlement jobs, outbox, release, reconciliation, scheduled jobs. One row '
  'per metric and set of labels.';

-- sql/4_app/metrics/metrics_text.sql
-- In a JSON string, quotes, backslashes and line feeds are escaped as in the label values of Prometheus.
create or replace function app.metrics_text(p_now timestamptz)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select string_agg(g.lines, '' order by g.name)
  from (
    select m.name, format(E'# HELP %1$s %2$s\n# TYPE %1$s gauge\n', m.name, m.help)
      || string_agg(format(E'%s%s %s\n', m.name, '{' || l.pairs || '}', trim_scale(round(m.value, 3))), '' order by l.pairs) as lines
    from app.metrics(p_now) as m
    cross join lateral (
      select string_agg(format('%s=%s', e.key, e.value), ',' order by e.key) as pairs from jsonb_each(m.labels) as e
    ) as l
    group by m.name, m.help
  ) as g
$$;

comment on function app.metrics_text is
  'Returns app.metrics in the text format of Prometheus (version 0.0.4). All metrics are gauges.';

-- sql/4_app/orders/admin_order_json.sql
-- Security invoker: reads with the rights of the caller.
create or replace function app.admin_order_json(p_order app.orders)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.order_json(p_order) || jsonb_build_object(
    'nickname', (select u.nickname from app.users as u where u.uid = p_order.uid),
    'referrer_nickname', (select u.nickname from app.users as u where u.uid = p_order.referrer_uid)
  )
$$;

comment on function app.admin_order_json is
  'Returns an order as administrators see it: in the form of app.order_json, with the nicknames of buyer and referrer.';

grant execute on function app.admin_order_json(app.orders) to store_admin;

-- sql/4_app/orders/cancel_order.sql
-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
-- Raises: invalid_argument, order_not_found, order_state_conflict.
-- Idempotent: a cancelled order is returned unchanged.
create or replace function app.cancel_order(p_order_id bigint, p_now timestamptz, p_is_expired boolean default false)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_points numeric := v_order.points_left;
  v_now timestamptz;
begin
  if v_order.state = 'unpaid' then
    perform app.return_stock(p_order_id, array(select (l.id, l.quantity)::app.refund_item from app.order_lines as l where l.order_id = p_order_id));
    if v_points > 0 then
      perform app.lock_balances(array[v_order.uid]);
    end if;
    v_now := app.effect_time(p_now);
    update app.orders set state = 'cancelled', cancelled_at = v_now, is_expired = coalesce(p_is_expired, false), points_left = 0
    where id = p_order_id returning * into v_order;
    perform app.close_open_attempts(p_order_id, v_now);
    if v_points > 0 then
      perform app.book_entries(array[app.checkout_entry(v_order, v_points)], '{}', '{}', v_now);
    end if;
  elsif v_order.state <> 'cancelled' then
    perform app.fail('order_state_conflict', 'Only an unpaid order can be cancelled; ask for a refund instead.');
  end if;
  return v_order;
end
$$;

comment on function app.cancel_order is
  'Cancels an unpaid order, gives back its stock and its points, and returns it. The providers of its open payments are asked to close them.';

-- sql/4_app/orders/confirm_receipt.sql
-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, import_unfinished (if it settles).
-- Idempotent: a received order is returned unchanged.
create or replace function app.confirm_receipt(p_order_id bigint, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_now timestamptz;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  v_now := app.effect_time(p_now);
  if v_order.state = 'received' then
    return v_order;
  elsif v_order.state not in ('paid', 'delivered') or v_order.refund_status = 2 then
    perform app.fail('order_state_conflict', 'Only the receipt of a paid order that is not refunded can be confirmed.');
  end if;
  update app.orders set state = 'received', received_at = v_now where id = p_order_id returning * into v_order;
  if v_order.has_queue_goods and exists (
    select from app.commission_plans as p where p.version = v_order.plan_version and p.brokerage_timing = 'confirm'
  ) then
    perform app.settle_order(p_order_id, p_now);
  end if;
  -- An order that is settled later gets its maturity then.
  update app.commission_maturities as m set matures_at = app.matures_at(v_order.received_at, s.settled_at, p.holding_days)
  from app.settlements as s, app.commission_plans as p
  where m.order_id = p_order_id and m.matures_at is null and s.order_id = p_order_id and p.version = v_order.plan_version;
  return v_order;
end
$$;

comment on function app.confirm_receipt is
  'Confirms the receipt of an order and, with timing confirm, settles it in the same transaction (R2, R3). Returns the order. '
  'holding_days later, its commission matures. '
  'The receipt of a paid order can be confirmed before the order is marked as shipped.';

-- sql/4_app/orders/create_order.sql
-- Locks: the products with a limited stock, by id; with p_use_points, the balances of the buyer.
-- Raises: user_not_found, invalid_argument, product_unavailable, out_of_stock, price_changed.
-- Not idempotent: each call creates an order. An unpaid order has no effect other than the stock and the points that it takes.
create or replace function app.create_order(
  p_uid bigint, p_items jsonb, p_now timestamptz, p_address jsonb default null, p_remark text default '', p_expected_price numeric default null,
  p_use_points numeric default null
)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_buyer app.users;
  v_lines app.order_lines[];
  v_order app.orders;
  v_now timestamptz;
begin
  select u.* into v_buyer from app.users as u where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  if p_address is not null then
    perform app.require_address(p_address);
  end if;
  if char_length(p_remark) > 500 then
    perform app.fail('invalid_argument', 'A remark has at most 500 characters.', '/remark');
  end if;
  v_lines := app.price_items(p_items, p_locks => true);
  if p_use_points <> 0 then
    v_lines := app.use_points(p_uid, v_lines, p_use_points, true);
  end if;
  v_now := app.effect_time(p_now);
  v_order := app.order_of_lines(v_lines);
  if p_expected_price <> v_order.pay_price then
    perform app.fail('price_changed', format('The order costs %s now.', v_order.pay_price));
  end if;

  insert into app.orders (
    order_no, uid, referrer_uid, total_price, discount, freight, paid_by_points, points_spent, points_left, pay_price, has_queue_goods, queue_base,
    queue_units, address, remark, add_time
  )
  values (
    to_char(v_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.order_no_seq')::text, 8, '0'),
    p_uid, v_buyer.spread_uid, v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points, v_order.points_spent,
    v_order.points_spent, v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units, p_address,
    coalesce(p_remark, ''), v_now
  )
  returning * into v_order;

  insert into app.order_lines (order_id, product_id, title, price, quantity, discount, paid_by_points, points, paid, is_queue_goods, stock_taken)
  select
    v_order.id, l.product_id, l.title, l.price, l.quantity, l.discount, l.paid_by_points, l.points, l.paid, l.is_queue_goods, l.stock_taken
  from unnest(v_lines) with ordinality as l order by l.ordinality;
  if exists (select from unnest(v_lines) as l where l.stock_taken > 0) then
    update app.products as p set stock = p.stock - t.units
    from (select l.product_id, sum(l.stock_taken) as units from unnest(v_lines) as l where l.stock_taken > 0 group by l.product_id) as t
    where p.id = t.product_id;
  end if;
  if v_order.points_spent > 0 then
    perform app.book_entries(array[app.checkout_entry(v_order, -v_order.points_spent)], '{}', '{}', v_now);
  end if;
  return v_order;
end
$$;

comment on function app.create_order is
  'Creates an unpaid order, takes its units from the stock of the products that have a limited one, and returns it. Prices, the '
  'queue-goods flag (R1), the buyer''s referrer and the address are copied onto it. p_items: [{"product_id": 1, "quantity": 2, '
  '"discount": "10.00"}]. discount is optional and must never come from a client. p_expected_price is what the buyer has agreed to pay. '
  'p_use_points is the most points to use: what they pay is taken off the price of goods that are not queue goods, and the points are taken from '
  'the available ones.';

-- sql/4_app/orders/deliver_order.sql
-- Locks: the order.
-- Raises: invalid_argument, order_not_found, order_state_conflict.
-- Idempotent: of a shipped order, only a given carrier or tracking number changes; a received order is returned unchanged.
create or replace function app.deliver_order(p_order_id bigint, p_now timestamptz, p_carrier text default null, p_tracking_no text default null)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
  v_constraint text;
begin
  if (v_order.state = 'paid' and v_order.refund_status <> 2) or v_order.state = 'delivered' then
    update app.orders
    set state = 'delivered', delivered_at = coalesce(delivered_at, v_now),
        carrier = coalesce(p_carrier, carrier), tracking_no = coalesce(p_tracking_no, tracking_no)
    where id = p_order_id returning * into v_order;
    perform app.ask_to_upload_shipping(v_order, v_now) where v_order.delivered_at = v_now;
  elsif v_order.state <> 'received' then
    perform app.fail('order_state_conflict', 'Only a paid order that is not refunded can be marked as shipped.');
  end if;
  return v_order;
exception when check_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function app.deliver_order is
  'Marks a paid order as shipped (state delivered), with carrier and tracking number where they are given, and returns it.';

-- sql/4_app/orders/expire_order.sql
-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the buyer.
-- Raises: order_not_found.
-- Idempotent: an order expires once.
create or replace function app.expire_order(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
begin
  if coalesce(app.order_expires_at(v_order) > app.effect_time(p_now), true) then
    return false;
  end if;
  perform app.cancel_order(p_order_id, p_now, true);
  return true;
end
$$;

comment on function app.expire_order is
  'Cancels an unpaid order that is past its expiry time, gives back its stock and its points, and returns whether it did. The conditions under '
  'which the order was selected are checked again under its lock.';

-- sql/4_app/orders/expire_orders.sql
-- One transaction for each order: an order is locked before products, so two orders in one transaction could deadlock.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: see app.expire_order.
create or replace procedure app.expire_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('expire_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.expired_orders(app.effect_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.expire_order(v_order_id, p_now);
    exception when others then
      raise warning 'order % did not expire: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.expire_orders is
  'Cancels all unpaid orders that are past their expiry time, each in a transaction of its own. An order that is locked by '
  'others, or that fails, is left for the next run.';

-- sql/4_app/orders/expired_orders.sql
-- The first two conditions bound the orders that are looked at by an index.
create or replace function app.expired_orders(p_now timestamptz)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return array(
    select o.id
    from app.orders as o
    where o.state = 'unpaid'
      and o.add_time <= p_now - (
        select least(make_interval(mins => s.order_expiry_minutes), make_interval(days => s.offline_payment_days)) from app.settings as s
      )
      and app.order_expires_at(o) <= p_now
    order by o.id
  );
end
$$;

comment on function app.expired_orders is 'Returns the unpaid orders that are past their expiry time, by id.';

-- sql/4_app/orders/find_orders.sql
-- Security invoker: reads with the rights of the caller.
-- Texts are compared as a range, from the search text to the same text followed by the last character of Unicode, because LIKE
-- cannot use an index when the pattern is unknown at planning time.
create or replace function app.find_orders(p_search text)
returns table (order_id bigint)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select o.id from app.orders as o
  where o.id = case when p_search ~ '^[1-9][0-9]{0,17}$' then p_search::bigint end
  union
  select o.id from app.orders as o
  where char_length(p_search) >= 4 and reverse(o.order_no) ~>=~ reverse(p_search) and reverse(o.order_no) ~<=~ (reverse(p_search) || U&'\+10FFFF')
  union
  select o.id from app.users as u join app.orders as o on o.uid = u.uid
  where lower(u.nickname) ~>=~ lower(p_search) and lower(u.nickname) ~<=~ (lower(p_search) || U&'\+10FFFF')
$$;

comment on function app.find_orders is
  'Returns the orders that match a search text: by id, by the last four or more characters of the order number, or by the '
  'beginning of the buyer''s nickname, ignoring case.';

grant execute on function app.find_orders(text) to store_admin;

-- sql/4_app/orders/has_reported_order.sql
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.has_reported_order(p_uid bigint, p_paid_by timestamptz)
returns boolean
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from app.orders as o
    where o.uid = p_uid and o.paid_at <= p_paid_by and o.queue_units > 0 and o.refund_status <> 2 and not o.below_minimum
  );
end
$$;

comment on function app.has_reported_order is
  'Returns whether a member has an own reported order that was paid no later than p_paid_by and is not refunded (R4).';

grant execute on function app.has_reported_order(bigint, timestamptz) to store_admin;

-- sql/4_app/orders/is_to_be_received.sql
create or replace function app.is_to_be_received(p_order app.orders, p_now timestamptz)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_order.state = 'delivered' and p_order.refund_status not in (1, 2)
    and greatest(p_order.delivered_at, s.lifecycle_from) <= p_now - make_interval(days => s.receipt_days)
  from app.settings as s
$$;

comment on function app.is_to_be_received is
  'Returns whether the receipt of an order is to be confirmed automatically: it was shipped at least receipt_days ago and has no '
  'open refund request.';

-- sql/4_app/orders/limit_unpaid_orders.sql
-- Precondition: the transaction holds no other lock.
-- Locks: an advisory lock for the buyer, so that concurrent orders cannot exceed the limit.
-- Raises: too_many_unpaid_orders.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.limit_unpaid_orders(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most integer := (select s.max_unpaid_orders from app.settings as s);
begin
  perform pg_advisory_xact_lock(hashtextextended(p_uid::text, app.lock_number('unpaid_orders')));
  -- A separate statement, so that it sees the orders that were committed while the lock was awaited.
  if (select count(*) from app.orders as o where o.uid = p_uid and o.state = 'unpaid') >= v_most then
    perform app.fail('too_many_unpaid_orders', format('A member has at most %s unpaid orders; pay or cancel one first.', v_most));
  end if;
end
$$;

comment on function app.limit_unpaid_orders is
  'Raises too_many_unpaid_orders if a member has as many unpaid orders as app.settings allows.';

-- sql/4_app/orders/lock_order.sql
-- Raises: order_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_order(p_order_id bigint)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id for update;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return v_order;
end
$$;

comment on function app.lock_order is 'Locks an order, the second step of the lock order, and returns it.';

-- sql/4_app/orders/order_expires_at.sql
create or replace function app.order_expires_at(p_order app.orders)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_order.state <> 'unpaid' or a.is_open then null
    when a.ended_at is not null then greatest(a.ended_at, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
    when s.offline_payment then greatest(p_order.add_time, s.lifecycle_from) + make_interval(days => s.offline_payment_days)
    else greatest(p_order.add_time, s.lifecycle_from) + make_interval(mins => s.order_expiry_minutes)
  end
  from app.settings as s
  cross join (
    select bool_or(p.state = 'open') as is_open, max(p.ended_at) as ended_at from app.payment_attempts as p where p.order_id = p_order.id
  ) as a
$$;

comment on function app.order_expires_at is
  'Returns when an unpaid order expires: order_expiry_minutes after its last payment attempt ended; without any attempt, '
  'offline_payment_days after it was placed, or order_expiry_minutes if members cannot pay offline. Null while an attempt is '
  'open: only the provider can say that it will not be paid.';

grant execute on function app.order_expires_at(app.orders) to store_admin;

-- sql/4_app/orders/order_json.sql
-- Security invoker: reads with the rights of the caller.
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.order_json(p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while the table was empty would later scan all lines for every order.
set enable_seqscan = off
as $$
begin
  return (
    select jsonb_build_object(
      'id', p_order.id, 'order_no', p_order.order_no, 'uid', p_order.uid, 'referrer_uid', p_order.referrer_uid,
      'state', p_order.state, 'total_price', p_order.total_price::text, 'discount', p_order.discount::text,
      'freight', p_order.freight::text, 'paid_by_points', p_order.paid_by_points::text, 'points_spent', trim_scale(p_order.points_spent),
      'points_left', trim_scale(p_order.points_left), 'pay_price', p_order.pay_price::text, 'queue_base', p_order.queue_base::text,
      'queue_units', p_order.queue_units, 'refund_status', p_order.refund_status, 'paid_at', app.utc(p_order.paid_at),
      'delivered_at', app.utc(p_order.delivered_at), 'received_at', app.utc(p_order.received_at),
      'cancelled_at', app.utc(p_order.cancelled_at), 'is_expired', p_order.is_expired, 'add_time', app.utc(p_order.add_time),
      'is_imported', p_order.is_imported, 'address', p_order.address, 'remark', p_order.remark, 'carrier', p_order.carrier, 'tracking_no', p_order.tracking_no,
      'lines', (
        select jsonb_agg(jsonb_build_object(
          'id', l.id, 'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
          'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text, 'is_queue_goods', l.is_queue_goods,
          'refunded_quantity', l.refunded_quantity
        ) order by l.id)
        from app.order_lines as l
        where l.order_id = p_order.id
      )
    )
  );
end
$$;

comment on function app.order_json is
  'Returns an order with its lines in the format of the API: money as text, times as RFC 3339.';

grant execute on function app.order_json(app.orders) to authenticated, store_admin;

-- sql/4_app/orders/order_of_lines.sql
create or replace function app.order_of_lines(p_lines app.order_lines[])
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  select
    sum(l.price * l.quantity), sum(l.discount), sum(p.freight * l.quantity), sum(l.paid_by_points), sum(l.points),
    sum(l.paid + p.freight * l.quantity),
    bool_or(l.is_queue_goods),
    coalesce(sum(l.paid) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity) filter (where l.is_queue_goods), 0)
  into
    v_order.total_price, v_order.discount, v_order.freight, v_order.paid_by_points, v_order.points_spent,
    v_order.pay_price, v_order.has_queue_goods, v_order.queue_base, v_order.queue_units
  from unnest(p_lines) as l join app.products as p on p.id = l.product_id;
  return v_order;
end
$$;

comment on function app.order_of_lines is 'Returns an order with the sums of its priced lines, and all other columns null.';

-- sql/4_app/orders/orders_to_receive.sql
-- The first two conditions bound the orders that are looked at by an index.
create or replace function app.orders_to_receive(p_now timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select array(
    select o.id
    from app.orders as o
    where o.state = 'delivered' and o.delivered_at <= p_now - (select make_interval(days => s.receipt_days) from app.settings as s)
      and app.is_to_be_received(o, p_now)
    order by o.id
  )
$$;

comment on function app.orders_to_receive is 'Returns the orders whose receipt is to be confirmed automatically, by id.';

-- sql/4_app/orders/pay_order.sql
-- Locks: the order.
-- Raises: order_not_found, order_state_conflict, order_already_paid, payment_reference_used, invalid_argument.
-- Idempotent: the same payment reference again returns the order unchanged.
create or replace function app.pay_order(p_order_id bigint, p_pay_type text, p_pay_ref text, p_now timestamptz)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_plan app.commission_plans;
  v_now timestamptz;
begin
  if coalesce(p_pay_type, '') !~ '^[a-z][a-z0-9_]{0,31}$' or coalesce(char_length(p_pay_ref), 0) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment needs a type and a reference of 1 to 128 characters.');
  end if;
  v_order := app.lock_order(p_order_id);
  v_now := app.effect_time(p_now);
  if v_order.paid_at is not null then
    if v_order.pay_type = p_pay_type and v_order.pay_ref = p_pay_ref then
      return v_order;
    end if;
    perform app.fail('order_already_paid', 'This order was already paid with another payment reference.');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  end if;

  select p.* into v_plan from app.commission_plans as p order by p.version desc limit 1;
  begin
    update app.orders
    set state = 'paid', plan_version = v_plan.version,
        below_minimum = v_order.has_queue_goods and app.is_below_minimum(v_order.queue_base, v_plan.minimum_base),
        pay_type = p_pay_type, pay_ref = p_pay_ref, paid_at = v_now
    where id = p_order_id
    returning * into v_order;
  exception when unique_violation then
    perform app.fail('payment_reference_used', 'This payment reference already paid another order.');
  end;
  perform app.close_open_attempts(p_order_id, v_now);
  insert into app.settlement_jobs (order_id, run_after, created_at)
  select p_order_id, v_now, v_now
  where v_plan.brokerage_timing = 'on_pay' and v_order.has_queue_goods;
  return v_order;
end
$$;

comment on function app.pay_order is
  'Records the payment of an order and returns the order. With timing on_pay, it also writes the settlement job (R2). The plan '
  'in force now remains the plan of the order, whenever it is settled. Providers of other open payments are asked to close them.';

-- sql/4_app/orders/price_items.sql
-- Locks: with p_locks, the products with a limited stock, by id, so that what is read stays true until the stock is taken.
-- Raises: invalid_argument, product_unavailable, out_of_stock.
create or replace function app.price_items(p_items jsonb, p_locks boolean default false)
returns app.order_lines[]
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_item jsonb;
  v_product app.products;
  v_line app.order_lines;
  v_lines app.order_lines[] := array[]::app.order_lines[];
  v_limited bigint[] := array[]::bigint[];
begin
  if p_items is null or jsonb_typeof(p_items) <> 'array' or jsonb_array_length(p_items) not between 1 and 50 then
    perform app.fail('invalid_argument', 'An order has between 1 and 50 items.');
  end if;
  for v_item in select i.value from jsonb_array_elements(p_items) as i loop
    if jsonb_typeof(v_item) <> 'object'
      or coalesce(v_item ->> 'product_id', '') !~ '^[0-9]{1,18}$' or coalesce(v_item ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
      or coalesce(v_item ->> 'discount', '0') !~ '^[0-9]{1,9}([.][0-9]{1,2})?$' then
      perform app.fail('invalid_argument', 'Every item needs a product_id and a quantity between 1 and 9999.');
    end if;
    select p.* into v_product from app.products as p
    where p.id = (v_item ->> 'product_id')::bigint and p.is_show and not p.is_del;
    if not found then
      perform app.fail('product_unavailable', format('Product %s is not on sale.', v_item ->> 'product_id'));
    end if;
    v_line.product_id := v_product.id;
    v_line.title := v_product.title;
    v_line.price := v_product.price;
    v_line.quantity := (v_item ->> 'quantity')::integer;
    v_line.discount := coalesce((v_item ->> 'discount')::numeric, 0);
    v_line.paid_by_points := 0;
    v_line.points := 0;
    v_line.paid := v_line.price * v_line.quantity - v_line.discount;
    v_line.is_queue_goods := v_product.is_queue_goods;
    if v_line.paid < 0 then
      perform app.fail('invalid_argument', 'A discount is larger than the price.');
    end if;
    v_line.stock_taken := case when v_product.stock is null then 0 else v_line.quantity end;
    v_lines := v_lines || v_line;
    if v_product.stock is not null then
      v_limited := v_limited || v_product.id;
      -- Two items may be of the same product.
      if (select sum(l.stock_taken) from unnest(v_lines) as l where l.product_id = v_product.id) > v_product.stock then
        perform app.fail('out_of_stock', format('Product %s has only %s units left.', v_product.id, v_product.stock));
      end if;
    end if;
  end loop;
  if p_locks and v_limited <> '{}' then
    perform from app.products as p where p.id = any (v_limited) order by p.id for no key update;
    -- Price and stock may have changed before the products were locked.
    return app.price_items(p_items);
  end if;
  return v_lines;
end
$$;

comment on function app.price_items is
  'Returns the items of a new order as priced lines, in the same sequence, and rejects more than is in stock.';

-- sql/4_app/orders/receive_delivered_orders.sql
-- One transaction for each order, because a settlement locks the members above it.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: see app.receive_if_due.
create or replace procedure app.receive_delivered_orders(p_now timestamptz default null)
language plpgsql
as $$
declare
  v_run record := app.begin_run('receive_delivered_orders', 1);
  v_order_id bigint;
begin
  commit;
  foreach v_order_id in array app.orders_to_receive(app.effect_time(p_now)) loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      perform app.receive_if_due(v_order_id, p_now);
    exception when others then
      raise warning 'order % was not received: %', v_order_id, sqlerrm;
    end;
    perform app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.receive_delivered_orders is
  'Confirms the receipt of all orders that were shipped at least receipt_days ago, each in a transaction of its own. An order '
  'that is locked by others, or that fails, is left for the next run.';

-- sql/4_app/orders/receive_if_due.sql
-- Locks: structure (shared), the order; if it settles, balances by uid.
-- Raises: order_not_found and what app.confirm_receipt raises.
-- Idempotent: an order is received once.
create or replace function app.receive_if_due(p_order_id bigint, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_structure_shared();
  if not app.is_to_be_received(app.lock_order(p_order_id), app.effect_time(p_now)) then
    return false;
  end if;
  perform app.confirm_receipt(p_order_id, p_now);
  return true;
end
$$;

comment on function app.receive_if_due is
  'Confirms the receipt of an order that was shipped at least receipt_days ago and has no open refund request, and returns '
  'whether it did. With timing confirm, this settles the order. The conditions under which the order was selected are checked '
  'again under its lock.';

-- sql/4_app/orders/refuse_discounts.sql
-- Raises: invalid_argument.
create or replace function app.refuse_discounts(p_items jsonb)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_path_exists(p_items, '$[*].discount') then
    perform app.fail('invalid_argument', 'An item has a product_id and a quantity, nothing else.');
  end if;
end
$$;

comment on function app.refuse_discounts is 'Raises invalid_argument for items of a client that name a discount.';

-- sql/4_app/orders/refuse_own_order.sql
-- Takes no lock, because the buyer of an order never changes.
-- Raises: own_account.
create or replace function app.refuse_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.refuse_own_member((select o.uid from app.orders as o where o.id = p_order_id));
end
$$;

comment on function app.refuse_own_order is 'Raises own_account if the calling administrator is the buyer of the order.';

-- sql/4_app/orders/require_own_order.sql
-- Takes no lock, because the buyer of an order never changes.
-- Raises: unauthenticated, order_not_found.
create or replace function app.require_own_order(p_order_id bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  -- In a variable, because the planner may call a stable function in a condition for its estimates, and this one may raise.
  v_uid bigint := app.require_uid();
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
end
$$;

comment on function app.require_own_order is 'Raises order_not_found unless the caller is the buyer of the order.';

-- sql/4_app/orders/return_stock.sql
-- Precondition: the caller has locked the order, but no balances.
-- Locks: the products with a limited stock, by id.
create or replace function app.return_stock(p_order_id bigint, p_items app.refund_item[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.products as p
  where p.stock is not null and p.id in (select l.product_id from app.order_lines as l where l.order_id = p_order_id and l.stock_taken > 0)
  order by p.id for no key update;
  with returned as (
    update app.order_lines as l set stock_taken = l.stock_taken - i.quantity
    from unnest(p_items) as i
    where l.id = i.line_id and l.order_id = p_order_id and l.stock_taken > 0
    returning l.product_id, i.quantity
  )
  update app.products as p set stock = p.stock + r.units
  from (select r.product_id, sum(r.quantity) as units from returned as r group by r.product_id) as r
  -- The limit may have been lifted since.
  where p.id = r.product_id and p.stock is not null;
end
$$;

comment on function app.return_stock is 'Adds units of an order that was not shipped back to the stock of their products.';

-- sql/4_app/outbox/add_to_outbox.sql
-- Precondition: called in the transaction that causes the call.
-- Idempotent: a row that exists is due at the earlier of both times.
create or replace function app.add_to_outbox(p_kind text, p_key text, p_payload jsonb, p_run_after timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.outbox (kind, key, payload, run_after, created_at) values (p_kind, p_key, p_payload, p_run_after, p_now)
  on conflict (kind, key) do update set run_after = least(outbox.run_after, excluded.run_after), state = 'waiting'
$$;

comment on function app.add_to_outbox is
  'Writes a call to a provider to the outbox, due at p_run_after. A second call with the same kind and key adds no row.';

-- sql/4_app/outbox/call_worker.sql
-- Without pg_net or without the secrets it does nothing: the local stack calls its worker itself.
-- The names of schemas net and vault are inserted into dynamic SQL, because they do not exist everywhere, and linters check constant texts.
-- Idempotent: a worker takes only rows that are due.
create or replace function app.call_worker()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_url text;
  v_secret text;
begin
  if not exists (select from app.outbox as o where o.state = 'waiting' and o.run_after <= clock_timestamp())
    or to_regnamespace('net') is null or to_regclass('vault.decrypted_secrets') is null then
    return;
  end if;
  execute format($sql$
    select max(s.decrypted_secret) filter (where s.name = 'store_worker_url'), max(s.decrypted_secret) filter (where s.name = 'store_worker_secret')
    from %s as s where s.name in ('store_worker_url', 'store_worker_secret')
  $sql$, to_regclass('vault.decrypted_secrets')) into v_url, v_secret;
  if v_url is null or v_secret is null then
    raise warning 'The outbox has work, but the secrets store_worker_url and store_worker_secret are not in Vault (docs/operations.md).';
    return;
  end if;
  execute format($sql$
    select %I.http_post(url => $1, body => '{}'::jsonb, headers => jsonb_build_object('content-type', 'application/json', 'x-worker-secret', $2))
  $sql$, 'net') using v_url, v_secret;
end
$$;

comment on function app.call_worker is
  'Calls the edge function worker by pg_net if the outbox has rows that are due, with the address and the secret from Vault '
  '(store_worker_url, store_worker_secret).';

-- sql/4_app/outbox/finish_outbox.sql
-- Idempotent: a finished row is gone.
create or replace function app.finish_outbox(p_kind text, p_key text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  delete from app.outbox as o where o.kind = p_kind and o.key = p_key
$$;

comment on function app.finish_outbox is 'Removes a call whose final result is recorded from the outbox.';

-- sql/4_app/outbox/lease_duration.sql
create or replace function app.lease_duration()
returns interval
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select interval '90 seconds'
$$;

comment on function app.lease_duration is
  'Returns how long a worker may take for a row of the outbox. If the result is not recorded by then, the row is due again. The '
  'lease is longer than all time limits of a call together.';

-- sql/4_app/outbox/lease_outbox.sql
-- Locks: the leased rows, without waiting.
-- Not idempotent: each call leases other rows. Concurrent calls never lease the same row, and a row whose worker stopped is due
-- again after the lease. A call is therefore made at least once; its number at the provider makes it take effect once.
create or replace function app.lease_outbox(p_limit integer, p_now timestamptz)
returns setof app.outbox
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set attempts = least(o.attempts + 1, 1000), run_after = p_now + app.lease_duration()
  from (
    select d.id from app.outbox as d
    where d.state = 'waiting' and d.run_after <= p_now
    order by d.run_after, d.id
    limit p_limit
    for update skip locked
  ) as due
  where o.id = due.id
  returning o.*
$$;

comment on function app.lease_outbox is 'Takes up to p_limit due rows of the outbox for one worker, counts the attempt and returns them.';

-- sql/4_app/outbox/outbox_json.sql
create or replace function app.outbox_json(p_row app.outbox)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_row.id, 'kind', p_row.kind, 'key', p_row.key, 'order_id', (p_row.payload ->> 'order_id')::bigint, 'state', p_row.state,
    'attempts', p_row.attempts, 'run_after', app.utc(p_row.run_after), 'last_problem', p_row.last_problem,
    'created_at', app.utc(p_row.created_at)
  )
$$;

comment on function app.outbox_json is 'Returns a row of the outbox as administrators see it, without its payload.';

grant execute on function app.outbox_json(app.outbox) to store_admin;

-- sql/4_app/outbox/postpone_outbox.sql
-- Not idempotent: a repeated call postpones the row again. A late call for an earlier lease changes nothing (p_attempt).
create or replace function app.postpone_outbox(p_id bigint, p_attempt integer, p_problem text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.outbox as o
  set run_after = p_now + least(interval '5 seconds' * power(2, least(o.attempts, 12)), interval '1 hour'),
      state = case when p_problem is not null and o.attempts >= 20 then 'failed' else 'waiting' end,
      attempts = case when p_problem is null then least(o.attempts, 10) else o.attempts end,
      last_problem = left(p_problem, 500)
  where o.id = p_id and o.attempts = p_attempt and o.state = 'waiting'
$$;

comment on function app.postpone_outbox is
  'Makes a leased row of the outbox due again: after 10 seconds, doubled with each attempt, at most an hour. p_problem is why '
  'the call failed; after the twentieth attempt (about half a day) the row is failed. If p_problem is null, the provider has not '
  'decided yet, and the call is repeated until it has. p_attempt is the number of the attempt that was leased.';

-- sql/4_app/overview/overview_days.sql
-- Reads through indexes: orders by payment time, the part of the bill that names an order, and one row a day of releases.
create or replace function app.overview_days(p_today date, p_days integer)
returns table (day date, orders bigint, queue_orders bigint, queue_revenue numeric, commission numeric, points_frozen numeric, points_released numeric)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_first date := p_today - p_days + 1;
  v_zone text := (select s.time_zone from app.settings as s);
  v_from timestamptz := v_first::timestamp at time zone v_zone;
begin
  return query
    with sold as (
      select (o.paid_at at time zone v_zone)::date as day, count(*) as orders, count(*) filter (where o.queue_units > 0) as queue_orders,
        sum(o.queue_base) as queue_revenue
      from app.orders as o where o.paid_at >= v_from group by 1
    ), booked as (
      select (b.add_time at time zone v_zone)::date as day, sum(b.brokerage_delta) as commission,
        sum(b.frozen_delta + b.available_delta) as points
      from app.user_bill as b where b.order_id is not null and app.is_earned(b.type) and b.add_time >= v_from group by 1
    )
    select d.day, coalesce(s.orders, 0), coalesce(s.queue_orders, 0), coalesce(s.queue_revenue, 0.00), coalesce(b.commission, 0.00),
      coalesce(b.points, 0), coalesce(r.points, 0)
    from (select v_first + n.number as day from generate_series(0, p_days - 1) as n (number)) as d
    left join sold as s on s.day = d.day
    left join booked as b on b.day = d.day
    left join app.release_runs as r on r.release_date = d.day
    order by d.day;
end
$$;

comment on function app.overview_days is
  'Returns sales, earnings and releases of each of the last p_days business days, oldest first. Orders count on the day of '
  'their payment, with what is left of their queue goods after refunds. Commission and points count on the day when they were '
  'booked, less reversals booked on that day.';

grant execute on function app.overview_days(date, integer) to store_admin;

-- sql/4_app/payments/ask_to_close.sql
-- Precondition: the caller has locked the order.
-- Idempotent: see app.add_to_outbox.
create or replace function app.ask_to_close(p_attempt app.payment_attempts, p_run_after timestamptz, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.add_to_outbox(
    'close_payment', p_attempt.attempt_no,
    jsonb_build_object('order_id', p_attempt.order_id, 'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider),
    p_run_after, p_now
  )
$$;

comment on function app.ask_to_close is
  'Adds a call to the outbox that closes a payment attempt at its provider, unless it is paid by then.';

-- sql/4_app/payments/attempt_json.sql
create or replace function app.attempt_json(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'attempt_no', p_attempt.attempt_no, 'provider', p_attempt.provider, 'method', p_attempt.method, 'amount', p_attempt.amount::text,
    'state', p_attempt.state, 'expires_at', app.utc(p_attempt.expires_at), 'add_time', app.utc(p_attempt.add_time),
    'ended_at', app.utc(p_attempt.ended_at)
  )
$$;

comment on function app.attempt_json is 'Returns a payment attempt as the buyer sees it.';

grant execute on function app.attempt_json(app.payment_attempts) to store_admin;

-- sql/4_app/payments/attempt_record.sql
create or replace function app.attempt_record(p_attempt app.payment_attempts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.attempt_json(p_attempt) || jsonb_build_object(
    'id', p_attempt.id, 'pay_ref', p_attempt.pay_ref, 'reason', p_attempt.reason, 'started_at', app.utc(p_attempt.started_at)
  )
$$;

comment on function app.attempt_record is 'Returns a payment attempt as administrators see it, without the payer.';

grant execute on function app.attempt_record(app.payment_attempts) to store_admin;

-- sql/4_app/payments/close_open_attempts.sql
-- Precondition: the caller has locked the order.
create or replace function app.close_open_attempts(p_order_id bigint, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select app.ask_to_close(a, p_now, p_now) from app.payment_attempts as a where a.order_id = p_order_id and a.state = 'open' order by a.id
$$;

comment on function app.close_open_attempts is
  'Adds calls to the outbox, due now, that close all open payment attempts of an order, because the order can no longer be paid.';

-- sql/4_app/payments/end_attempt.sql
-- Locks: the order, the attempt.
-- Idempotent: an attempt that has ended is returned unchanged.
create or replace function app.end_attempt(p_attempt_no text, p_state text, p_reason text, p_now timestamptz)
returns app.payment_attempts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts := app.lock_attempt(p_attempt_no);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_attempt.state = 'open' then
    update app.payment_attempts as a
    set state = p_state, reason = p_reason, ended_at = greatest(least(v_now, a.expires_at), a.add_time)
    where a.id = v_attempt.id returning a.* into v_attempt;
    perform app.finish_outbox('close_payment', p_attempt_no);
  end if;
  return v_attempt;
end
$$;

comment on function app.end_attempt is
  'Records that an attempt was closed or refused by its provider, and returns it. An attempt ends no later than it expires.';

-- sql/4_app/payments/lock_attempt.sql
-- The order of an attempt never changes, so it can be read before the lock.
-- Locks: the order, the attempt.
-- Raises: payment_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_attempt(p_attempt_no text)
returns app.payment_attempts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_attempt_no;
  if not found then
    perform app.fail('payment_not_found');
  end if;
  perform app.lock_order(v_attempt.order_id);
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  return v_attempt;
end
$$;

comment on function app.lock_attempt is 'Locks the order of a payment attempt and then the attempt, and returns the attempt.';

-- sql/4_app/payments/open_attempt.sql
-- A provider accepts a second start of the same number only with the same values. An attempt with other values, or one that is about
-- to expire, must therefore be closed first.
-- Locks: the order, its open attempt.
-- Raises: order_not_found, order_already_paid, order_state_conflict, invalid_argument.
-- Idempotent while the attempt is open: the same method and payer return the same attempt.
create or replace function app.open_attempt(
  p_order_id bigint, p_provider text, p_method text, p_openid text, p_now timestamptz, out attempt app.payment_attempts, out must_close boolean
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_order(p_order_id);
  v_now timestamptz := app.effect_time(p_now);
  v_number integer;
begin
  if v_order.paid_at is not null then
    perform app.fail('order_already_paid');
  elsif v_order.state <> 'unpaid' then
    perform app.fail('order_state_conflict', format('This order is %s and cannot be paid.', v_order.state));
  elsif v_order.pay_price = 0 then
    perform app.fail('order_state_conflict', 'This order is free of charge. Payment providers do not accept a payment of zero.');
  end if;
  select a.* into attempt from app.payment_attempts as a
  where a.order_id = p_order_id and a.provider = p_provider and a.state = 'open' for update;
  if found then
    must_close := attempt.method <> p_method or attempt.expires_at <= v_now + interval '1 minute'
      or (select p.openid from app.payment_payers as p where p.attempt_id = attempt.id) is distinct from p_openid;
    return;
  end if;
  select count(*) + 1 into v_number from app.payment_attempts as a where a.order_id = p_order_id;
  if v_number > 50 then
    perform app.fail('order_state_conflict', 'The payment of this order was started 50 times. Place a new order.');
  end if;
  must_close := false;
  insert into app.payment_attempts (order_id, attempt_no, provider, method, amount, expires_at, add_time)
  select p_order_id, v_order.order_no || '-' || v_number, p_provider, p_method, v_order.pay_price, v_now + make_interval(mins => s.payment_minutes), v_now
  from app.settings as s
  returning * into attempt;
  insert into app.payment_payers (attempt_id, openid) select attempt.id, p_openid where p_openid is not null;
  perform app.ask_to_close(attempt, attempt.expires_at, v_now);
end
$$;

comment on function app.open_attempt is
  'Opens an attempt to pay an order at a provider and returns it, or returns the open one. must_close says that the open one has '
  'other values and must be closed at the provider first. When the attempt expires, the provider is asked to close it.';

-- sql/4_app/payments/payer_of_order.sql
create or replace function app.payer_of_order(p_order_id bigint, p_openid text, out openid text, out appid text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  select a.openid, a.appid into openid, appid
  from app.orders as o
  join app.users as u on u.uid = o.uid
  join app.wechat_accounts as a on a.auth_id = u.auth_id
  where o.id = p_order_id and (p_openid is null or a.openid = p_openid);
end
$$;

comment on function app.payer_of_order is
  'Returns the id of an order''s buyer at WeChat and the app of that id, or nulls if the buyer does not sign in with WeChat. With '
  'p_openid only if it is that id.';

-- sql/4_app/payments/payment_refund_state.sql
create or replace function app.payment_refund_state(p_provider text, p_pay_ref text)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select r.state from app.provider_refunds as r
  where r.provider = p_provider and r.pay_ref = p_pay_ref and r.refund_id is null order by r.id desc limit 1
$$;

comment on function app.payment_refund_state is
  'Returns the state of the refund of an unclaimed payment at its provider; null if no refund was requested.';

grant execute on function app.payment_refund_state(text, text) to store_admin;

-- sql/4_app/payments/provider_refund_json.sql
create or replace function app.provider_refund_json(p_refund app.provider_refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'refund_no', p_refund.refund_no, 'order_id', p_refund.order_id, 'refund_id', p_refund.refund_id,
    'provider', p_refund.provider, 'payment_no', p_refund.payment_no, 'pay_ref', p_refund.pay_ref, 'amount', p_refund.amount::text,
    'state', p_refund.state, 'reason', p_refund.reason, 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at)
  )
$$;

comment on function app.provider_refund_json is 'Returns a refund at a provider as administrators see it.';

grant execute on function app.provider_refund_json(app.provider_refunds) to store_admin;

-- sql/4_app/payments/record_notification.sql
-- Providers repeat notifications. The first 30 deliveries of an event are recorded.
-- Not idempotent: each call is one delivery.
create or replace function app.record_notification(
  p_provider text, p_event_id text, p_order_id bigint, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text, p_outcome text,
  p_reason text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if (
    select count(*) from (
      select from app.payment_notifications as n where n.provider = p_provider and n.event_id = p_event_id limit 30
    ) as known
  ) < 30 then
    insert into app.payment_notifications
      (provider, event_id, order_id, order_no, pay_ref, amount, currency, outcome, reason, add_time)
    values (p_provider, p_event_id, p_order_id, p_order_no, p_pay_ref, p_amount, p_currency, p_outcome, p_reason, app.effect_time(p_now));
  end if;
end
$$;

comment on function app.record_notification is 'Records a notification of a provider with its outcome.';

-- sql/4_app/payments/record_paid_attempt.sql
-- Precondition: the caller has locked the order and the attempt.
create or replace function app.record_paid_attempt(p_attempt app.payment_attempts, p_pay_ref text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.payment_attempts as a
  set state = 'paid', pay_ref = p_pay_ref, reason = null, ended_at = coalesce(a.ended_at, app.effect_time(p_now))
  where a.id = p_attempt.id;
  perform app.finish_outbox('close_payment', p_attempt.attempt_no);
end
$$;

comment on function app.record_paid_attempt is
  'Records that the provider has the money of an attempt, whether or not the order could take it.';

-- sql/4_app/payments/record_payment_notification.sql
-- Locks: the order, the attempt.
-- Idempotent: a repeated payment has the outcome repeated and changes no order.
create or replace function app.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text, p_order_no text, p_pay_ref text, p_amount numeric, p_currency text,
  p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
begin
  if p_fault is not null then
    outcome := 'refused';
    reason := p_fault;
  elsif p_kind = 'payment' then
    select t.order_id, t.outcome, t.reason into v_order_id, outcome, reason
    from app.take_payment(p_provider, p_order_no, p_pay_ref, p_amount, p_currency, p_now) as t;
  else
    outcome := 'ignored';
    reason := 'not_a_payment';
  end if;

  -- A payment that was found by a query has no event. The first response is recorded.
  if p_event_id is null and p_fault is null and outcome = 'repeated' then
    return;
  end if;
  perform app.record_notification(p_provider, p_event_id, v_order_id, p_order_no, p_pay_ref, p_amount, p_currency, outcome, reason, p_now);
end
$$;

comment on function app.record_payment_notification is
  'Processes a verified payment notification, or the response of the provider to a query of the payment (p_event_id null), and '
  'records the outcome. p_order_no is the number of an attempt, or of the order. p_kind is payment, or other for a notification '
  'that needs no action. p_fault is what the edge function found wrong beyond the signature, such as the id of another merchant.';

-- sql/4_app/payments/record_refund_notification.sql
-- Locks: the order, the refund at the provider.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount numeric, p_refund_no text, p_state text, p_provider_ref text,
  p_reason text, p_now timestamptz, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no and r.provider = p_provider;
  if not found then
    outcome := 'ignored';
    reason := 'refund_unknown';
  elsif v_refund.payment_no is distinct from p_payment_no then
    outcome := 'refused';
    reason := 'payment_differs';
  elsif v_refund.amount is distinct from p_amount then
    outcome := 'refused';
    reason := 'amount_differs';
  else
    perform app.record_refund_standing(p_refund_no, p_state, p_provider_ref, p_reason, p_now);
    outcome := 'refund';
    reason := coalesce(p_reason, p_state);
  end if;
  perform app.record_notification(p_provider, p_event_id, v_refund.order_id, p_payment_no, p_pay_ref, p_amount, null, outcome, reason, p_now);
end
$$;

comment on function app.record_refund_notification is
  'Processes a verified notification of a refund and records the outcome: refund, with the state of the refund as its reason; '
  'ignored, if the store did not request this refund, such as one made on the pages of the provider; refused, if payment or amount '
  'are not those of the refund. p_payment_no is the number under which the provider knows the payment.';

-- sql/4_app/payments/record_refund_standing.sql
-- Locks: the order, the refund at the provider.
-- Raises: refund_not_found, invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function app.record_refund_standing(p_refund_no text, p_state text, p_provider_ref text, p_reason text, p_now timestamptz)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  if p_state is null or p_state not in ('accepted', 'succeeded', 'failed') then
    perform app.fail('invalid_argument', 'The state of a refund must be accepted, succeeded or failed.');
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.lock_order(v_refund.order_id);
  update app.provider_refunds as r
  set state = case p_state when 'accepted' then r.state else p_state end, provider_ref = coalesce(p_provider_ref, r.provider_ref),
      reason = case p_state when 'failed' then coalesce(p_reason, 'refused') end,
      decided_at = case when p_state <> 'accepted' then app.effect_time(p_now) end
  where r.refund_no = p_refund_no and r.state = 'refunding';
  if p_state <> 'accepted' then
    perform app.finish_outbox('refund_payment', p_refund_no);
  end if;
  select r.* into v_refund from app.provider_refunds as r where r.refund_no = p_refund_no;
  return v_refund;
end
$$;

comment on function app.record_refund_standing is
  'Records the state of a refund at its provider: accepted (not decided yet), succeeded or failed, and returns it.';

-- sql/4_app/payments/record_standing.sql
-- Locks: the order, the attempt.
-- Raises: payment_not_found.
-- Idempotent: an attempt ends once, and a payment pays once (app.take_payment).
create or replace function app.record_standing(
  p_attempt_no text, p_state text, p_pay_ref text, p_amount numeric, p_currency text, p_close_accepted boolean, p_now timestamptz,
  out attempt app.payment_attempts, out outcome text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  attempt := app.lock_attempt(p_attempt_no);
  if p_state = 'paid' and attempt.state <> 'paid' then
    outcome := (app.record_payment_notification(attempt.provider, null, 'payment', null, p_attempt_no, p_pay_ref, p_amount, p_currency, p_now)).outcome;
  elsif p_state = 'closed' or p_state = 'unknown' and p_close_accepted then
    perform app.end_attempt(p_attempt_no, 'closed', null, p_now);
  end if;
  select a.* into attempt from app.payment_attempts as a where a.attempt_no = p_attempt_no;
end
$$;

comment on function app.record_standing is
  'Records the state of a payment attempt at its provider: open, paid, closed or unknown (the provider does not know it). An '
  'attempt that the provider does not know has ended once the provider has accepted to close it. Returns the attempt and, for a '
  'payment, its outcome (see app.take_payment).';

-- sql/4_app/payments/record_unverified.sql
-- Anyone can send such notifications. Beyond the limit, a call costs one index lookup and writes nothing.
-- Locks: an advisory lock, tried without waiting. A notification that arrives while another one is being recorded is not
-- recorded.
-- Not idempotent: each call is one notification.
create or replace function app.record_unverified(p_provider text, p_reason text, p_now timestamptz)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_kept integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('unverified_notifications')) then
    return false;
  end if;
  select count(*) into v_kept from (
    select from app.payment_notifications as n
    where n.provider = p_provider and n.outcome = 'unverified' and n.add_time > p_now - interval '1 hour'
    limit 20
  ) as recent;
  if v_kept < 20 then
    insert into app.payment_notifications (provider, outcome, reason, add_time) values (p_provider, 'unverified', p_reason, p_now);
  end if;
  return v_kept < 20;
end
$$;

comment on function app.record_unverified is
  'Records that a notification could not be verified, and returns whether a row was written. Records at most 20 for each '
  'provider and hour, and nothing of the content.';

-- sql/4_app/payments/refund_at_provider.sql
-- Precondition: the caller has locked the order. A payment attempt that is paid never changes and needs no lock.
-- Not idempotent: see app.start_provider_refund.
create or replace function app.refund_at_provider(p_refund app.refunds, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.start_provider_refund(o.id, p_refund.id, a.provider, a.attempt_no, a.pay_ref, p_refund.amount, a.amount, p_now)
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where o.id = p_refund.order_id and p_refund.amount > 0;
end
$$;

comment on function app.refund_at_provider is
  'Requests a refund of an order from the provider of its payment. Orders that were paid offline, or by a payment that the store '
  'did not start, are refunded by hand.';

-- sql/4_app/payments/start_provider_refund.sql
-- Precondition: the caller has locked the order, and the payment was not refunded before.
-- Not idempotent: each call is one more attempt, with a number of its own. A unique index allows one that has not failed.
create or replace function app.start_provider_refund(
  p_order_id bigint, p_refund_id bigint, p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric, p_total numeric, p_now timestamptz
)
returns app.provider_refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.provider_refunds;
begin
  insert into app.provider_refunds (refund_no, order_id, refund_id, provider, payment_no, pay_ref, amount, total, created_at)
  select p_payment_no || '-r' || count(*) + 1, p_order_id, p_refund_id, p_provider, p_payment_no, p_pay_ref, p_amount, p_total, p_now
  from app.provider_refunds as r where r.payment_no = p_payment_no
  returning * into v_refund;
  perform app.add_to_outbox(
    'refund_payment', v_refund.refund_no,
    jsonb_build_object(
      'order_id', p_order_id, 'provider', p_provider, 'attempt_no', p_payment_no, 'refund_no', v_refund.refund_no,
      'amount_minor', (p_amount * 100)::bigint, 'total_minor', (p_total * 100)::bigint
    ),
    p_now, p_now
  );
  return v_refund;
end
$$;

comment on function app.start_provider_refund is
  'Creates a refund of an amount of a payment at its provider, adds the call to the outbox, and returns the refund.';

-- sql/4_app/payments/take_payment.sql
-- Locks: the order, the attempt.
-- Idempotent: see outcome repeated.
create or replace function app.take_payment(
  p_provider text, p_payment_no text, p_pay_ref text, p_amount numeric, p_currency text, p_now timestamptz,
  out order_id bigint, out outcome text, out reason text
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
  v_order app.orders;
begin
  select a.* into v_attempt from app.payment_attempts as a where a.attempt_no = p_payment_no;
  order_id := coalesce(v_attempt.order_id, (select o.id from app.orders as o where o.order_no = p_payment_no));
  select o.* into v_order from app.orders as o where o.id = take_payment.order_id for update;
  select a.* into v_attempt from app.payment_attempts as a where a.id = v_attempt.id for update;
  reason := case
    when v_order.id is null then 'order_unknown'
    when v_attempt.provider <> p_provider then 'provider_differs'
    when p_pay_ref is null then 'reference_missing'
    when p_currency is distinct from 'CNY' then 'currency_differs'
    when p_amount is distinct from v_order.pay_price then 'amount_differs'
  end;
  if reason is not null then
    outcome := 'refused';
  elsif v_order.pay_type = p_provider and v_order.pay_ref = p_pay_ref then
    outcome := 'repeated';
  elsif v_attempt.state <> 'open' and v_order.state = 'unpaid' then
    outcome := 'attention';
    reason := 'attempt_' || case v_attempt.state when 'paid' then 'closed' else v_attempt.state end;
  else
    begin
      perform app.pay_order(v_order.id, p_provider, p_pay_ref, p_now);
      outcome := 'paid';
    exception when sqlstate 'PT409' then
      outcome := 'attention';
      reason := sqlerrm;
    end;
  end if;
  perform app.record_paid_attempt(v_attempt, p_pay_ref, p_now) where outcome <> 'refused' and v_attempt.state <> 'paid';
end
$$;

comment on function app.take_payment is
  'Applies a verified payment to its order. p_payment_no is the number of an attempt, or of the order. Outcomes: paid; repeated, '
  'if this payment already paid the order; refused, if the payment does not match the order; attention, if the attempt had '
  'ended, or if the order is cancelled or was paid by another payment.';

-- sql/4_app/payments/unclaimed_payments_json.sql
create or replace function app.unclaimed_payments_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(jsonb_build_object(
    'notification_id', n.id, 'provider', n.provider, 'payment_no', n.order_no, 'pay_ref', n.pay_ref, 'amount', n.amount::text,
    'reason', n.reason, 'add_time', app.utc(n.add_time), 'refund_state', app.payment_refund_state(n.provider, n.pay_ref)
  ) order by n.id desc), '[]')
  from (
    select distinct on (p.provider, p.pay_ref) p.*
    from app.payment_notifications as p where p.order_id = p_order_id and p.outcome = 'attention'
    order by p.provider, p.pay_ref, p.id
  ) as n
$$;

comment on function app.unclaimed_payments_json is
  'Returns the payments for an order that could not be applied to it, each once, with the state of their refund.';

grant execute on function app.unclaimed_payments_json(bigint) to store_admin;

-- sql/4_app/plans/active_plan_version.sql
-- PL/pgSQL, so that the session caches the query plan (see app.get_upline).
create or replace function app.active_plan_version()
returns integer
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select max(p.version) from app.commission_plans as p);
end
$$;

comment on function app.active_plan_version is 'Returns the version of the commission plan in force, which is the newest one.';

grant execute on function app.active_plan_version() to store_admin;

-- sql/4_app/plans/blame_setting.sql
create or replace function app.blame_setting(p_plan jsonb, p_merged app.commission_plans, p_constraint text)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select a.attname || case when a.attname = 'tier_ratios' then coalesce((
    select '/' || min(r.place) - 1
    from unnest(p_merged.tier_ratios) with ordinality as r (ratio, place)
    where r.ratio is null or r.ratio not between 0 and p_merged.payout_cap
  ), '') else '' end
  from pg_catalog.pg_constraint as c
  join pg_catalog.pg_attribute as a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
  where c.conrelid = 'app.commission_plans'::regclass and c.conname = p_constraint and p_plan ? a.attname
  order by a.attnum
  limit 1
$$;

comment on function app.blame_setting is
  'Returns the JSON Pointer, without the leading slash, of the setting of a draft plan that violates a constraint. If the '
  'constraint has several settings, it is the first that the draft names. If they are ratios, it is the first that is missing or '
  'not between 0 and the cap. p_merged is the plan in force with the draft in it. Null if the draft names none of them.';

-- sql/4_app/plans/blame_value.sql
create or replace function app.blame_value(p_plan jsonb)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_setting record;
begin
  for v_setting in
    select a.attname as name, a.attnotnull as is_needed from pg_catalog.pg_attribute as a
    where a.attrelid = 'app.commission_plans'::regclass and p_plan ? a.attname
    order by a.attnum
  loop
    begin
      if v_setting.is_needed and p_plan -> v_setting.name = 'null' then
        return v_setting.name;
      end if;
      perform jsonb_populate_record(null::app.commission_plans, jsonb_build_object(v_setting.name, p_plan -> v_setting.name));
    exception when data_exception or array_subscript_error then
      return v_setting.name;
    end;
  end loop;
  return null;
end
$$;

comment on function app.blame_value is
  'Returns the first setting of a draft plan whose value is null but required, or does not fit its column. Null if every value '
  'fits.';

-- sql/4_app/plans/check_plan_keys.sql
-- Raises: plan_invalid.
create or replace function app.check_plan_keys(p_plan jsonb, p_at text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_unknown text;
  v_place bigint;
begin
  if p_plan is null or jsonb_typeof(p_plan) <> 'object' then
    perform app.fail('plan_invalid', 'A plan must be an object.');
  end if;
  select string_agg(left(k, 60), ', ' order by k) into v_unknown
  from jsonb_object_keys(p_plan) as k
  where k not in (
    'people_per_cycle', 'tier_ratios', 'brokerage_scope', 'brokerage_timing', 'points_per_brokerage', 'max_depth', 'payout_cap',
    'minimum_base', 'holding_days'
  );
  select min(r.place) - 1 into v_place
  from jsonb_array_elements(case jsonb_typeof(p_plan -> 'tier_ratios') when 'array' then p_plan -> 'tier_ratios' else '[]' end)
    with ordinality as r (value, place)
  where jsonb_typeof(r.value) <> 'number' or scale(trim_scale((r.value #>> '{}')::numeric)) > 5;
  if v_unknown is not null then
    perform app.fail('plan_invalid', format('The plan has no setting %s.', v_unknown));
  elsif v_place is not null then
    perform app.fail('plan_invalid', 'A ratio is a number with at most five decimals.', format('%s/tier_ratios/%s', p_at, v_place));
  elsif jsonb_typeof(p_plan -> 'payout_cap') in ('number', 'string') and scale(trim_scale((p_plan ->> 'payout_cap')::numeric)) > 5 then
    perform app.fail('plan_invalid', 'payout_cap has at most five decimals.', p_at || '/payout_cap');
  elsif jsonb_typeof(p_plan -> 'minimum_base') in ('number', 'string') and scale(trim_scale((p_plan ->> 'minimum_base')::numeric)) > app.money_decimals() then
    perform app.fail('plan_invalid', 'minimum_base has at most two decimals.', p_at || '/minimum_base');
  elsif jsonb_typeof(p_plan -> 'points_per_brokerage') in ('number', 'string') and scale(trim_scale((p_plan ->> 'points_per_brokerage')::numeric)) > app.points_decimals() then
    perform app.fail('plan_invalid', 'points_per_brokerage has at most four decimals.', p_at || '/points_per_brokerage');
  end if;
end
$$;

comment on function app.check_plan_keys is
  'Raises plan_invalid if a draft plan is not an object, has an unknown setting, or has a number with more decimals than are '
  'stored. Such numbers are rejected, not rounded. p_at is the JSON Pointer of the plan in the request body.';

-- sql/4_app/plans/check_rows.sql
-- Takes no lock and writes nothing, so that drafts can be checked in a read-only transaction.
-- Raises: not_null_violation, check_violation, with the constraint's name, as an insert would.
create or replace function app.check_rows(p_table regclass, p_rows jsonb)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rule record;
  v_is_broken boolean;
begin
  for v_rule in
    select 0 as place, a.attname as name, format('%I is not null', a.attname) as expression, 'not_null_violation' as error
    from pg_catalog.pg_attribute as a
    where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attidentity = ''
    union all
    select 1, c.conname, pg_catalog.pg_get_expr(c.conbin, c.conrelid), 'check_violation'
    from pg_catalog.pg_constraint as c
    where c.conrelid = p_table and c.contype = 'c'
    order by place, name
  loop
    -- As in a table, a check that yields null passes.
    execute format('select exists (select from jsonb_populate_recordset(null::%s, $1) where (%s) is false)', p_table, v_rule.expression)
    into v_is_broken using p_rows;
    if v_is_broken then
      raise exception using errcode = v_rule.error, message = 'a row breaks ' || v_rule.name, constraint = v_rule.name;
    end if;
  end loop;
end
$$;

comment on function app.check_rows is
  'Checks rows against the not-null and check constraints of a table without writing them. p_rows is an array of complete rows '
  'as objects. Identity columns and unique, primary and foreign keys are not checked.';

-- sql/4_app/plans/create_plan.sql
-- Takes no locks. A concurrent payment takes the newest plan that it sees.
-- Raises: invalid_argument, plan_invalid with the reason.
-- Idempotent: a plan equal to the one in force makes no new version.
create or replace function app.create_plan(p_plan jsonb, p_created_by uuid, p_now timestamptz)
returns app.commission_plans
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_old app.commission_plans;
  v_new app.commission_plans;
begin
  perform app.require_time(p_now);
  v_new := app.draft_plan(p_plan);
  select p.* into v_old from app.commission_plans as p where p.version = v_new.version;
  if to_jsonb(v_new) = to_jsonb(v_old) then
    return v_old;
  end if;
  insert into app.commission_plans (
    people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing, points_per_brokerage, max_depth, payout_cap,
    minimum_base, holding_days, created_by, created_at
  )
  values (
    v_new.people_per_cycle, v_new.tier_ratios, v_new.brokerage_scope, v_new.brokerage_timing, v_new.points_per_brokerage,
    v_new.max_depth, v_new.payout_cap, v_new.minimum_base, v_new.holding_days, p_created_by, p_now
  )
  returning * into v_new;
  return v_new;
end
$$;

comment on function app.create_plan is
  'Makes a new version of the commission plan, in force at once, and returns it. Settings that p_plan leaves out keep their '
  'values. Open cycles keep their plan. Keys: people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing, '
  'points_per_brokerage, max_depth, payout_cap, minimum_base, holding_days.';

-- sql/4_app/plans/draft_plan.sql
-- Raises: plan_invalid with the reason and the field at fault.
create or replace function app.draft_plan(p_plan jsonb, p_at text default '')
returns app.commission_plans
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_constraint text;
begin
  perform app.check_plan_keys(p_plan, p_at);
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_plan := jsonb_populate_record(v_plan, p_plan);
  -- created_at is set when the row is written. Any value passes the check.
  perform app.check_rows('app.commission_plans', jsonb_build_array(to_jsonb(v_plan) || '{"created_at": "epoch"}'));
  return v_plan;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail(
      'plan_invalid', 'The plan violates this rule: ' || replace(v_constraint, '_', ' ') || '.',
      p_at || '/' || app.blame_setting(p_plan, v_plan, v_constraint)
    );
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.', p_at || '/' || app.blame_value(p_plan));
end
$$;

comment on function app.draft_plan is
  'Returns the plan in force with the settings of p_plan in place of its own, after checking every rule of a plan. Writes '
  'nothing. p_at is the JSON Pointer of the plan in the request body. Keys: see app.create_plan.';

-- sql/4_app/plans/plan_json.sql
create or replace function app.plan_json(p_plan app.commission_plans)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', p_plan.version, 'people_per_cycle', p_plan.people_per_cycle,
    'tier_ratios', (
      select jsonb_agg(trim_scale(r.ratio) order by r.place) from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place)
    ),
    'brokerage_scope', p_plan.brokerage_scope, 'brokerage_timing', p_plan.brokerage_timing,
    'points_per_brokerage', trim_scale(p_plan.points_per_brokerage), 'max_depth', p_plan.max_depth,
    'payout_cap', trim_scale(p_plan.payout_cap), 'minimum_base', p_plan.minimum_base::text, 'holding_days', p_plan.holding_days,
    'created_by', app.actor_json(p_plan.created_by),
    'created_at', app.utc(p_plan.created_at)
  )
$$;

comment on function app.plan_json is 'Returns a version of the commission plan as administrators see it.';

grant execute on function app.plan_json(app.commission_plans) to store_admin;

-- sql/4_app/plans/worst_order.sql
-- The worst case: the price is the highest of all queue goods, on sale or not. The order takes the place with the highest rate.
-- Above the buyer stand a referrer of any grade and a member of the grade with the most umbrella points.
create or replace function app.worst_order(
  p_plan app.commission_plans, p_levels jsonb, out price numeric, out ratio numeric, out commission numeric, out payout_share numeric,
  out commission_points numeric, out level_points numeric, out points numeric, out cycle jsonb, out cycle_share numeric
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_rules app.level_rule[] := app.level_rules(p_levels);
  v_top smallint := (select r.grade from unnest(v_rules) as r order by r.umbrella_points desc limit 1);
  v_members app.tree_member[];
  v_settlements app.settlements[];
  v_plans app.commission_plans[];
begin
  price := (select coalesce(max(g.price), 0.00) from app.products as g where g.is_queue_goods and not g.is_del);
  v_plans[p_plan.version] := p_plan;
  -- For each grade, in this order: a buyer, a referrer of that grade, and above them a member of the grade with the most umbrella points.
  v_members := array(
    select (
      m.place, case when m.place < 3 then 3 * (m.number - 1) + m.place + 1 end, case m.place when 2 then m.grade when 3 then v_top else 0 end,
      true, false, 0, 0, 0, 0, 0, false
    )::app.tree_member
    from (
      select dense_rank() over (order by r.grade) as number, r.grade, p.place from unnest(v_rules) as r cross join generate_series(1, 3) as p (place)
    ) as m
    order by m.number, m.place
  );
  level_points := (
    select coalesce(max(o.points), 0) from (
      select sum(g.points) as points
      from unnest((app.decide_levels(array(
        select ('settle', 3 * (n - 1) + 1, n, 1, p_plan.max_depth, 0, null, null, null, null, null)::app.tree_event
        from generate_series(1, cardinality(v_rules)) as n
      ), v_members, v_rules)).grants) as g
      group by g.order_id
    ) as o
  );
  -- One order of the first buyer for each place of a cycle.
  v_settlements := (app.decide_cycles(
    array(
      select ('settle', n, 1, 1, 2, p_plan.version, p_plan.version, 'infinity', worst_order.price, 1, null, true)::app.order_facts
      from generate_series(1, p_plan.people_per_cycle) as n
    ),
    v_members, array[null, (2, '-infinity', 0, null, false, null, null, 0)::app.cycle_state]::app.cycle_state[], v_plans
  )).settlements;
  select
    max(s.rate), max(s.commission), max(s.commission_points),
    jsonb_agg(jsonb_build_object('place', s.place, 'ratio', trim_scale(s.rate), 'commission', s.commission::text) order by s.place),
    app.round_down(sum(s.commission) / nullif(worst_order.price * count(*), 0), 5)
  into ratio, commission, commission_points, cycle, cycle_share
  from unnest(v_settlements) as s;
  payout_share := app.round_down(commission / nullif(price, 0), 5);
  points := commission_points + level_points;
end
$$;

comment on function app.worst_order is
  'Returns the most that one order of one unit can pay under a plan and level settings, as the engine decides it. p_levels has '
  'the form of app.levels_json(). cycle lists what each place of one cycle pays: [{place, ratio, commission}]. Shares are '
  'fractions of the price; null if the price is 0.';

-- sql/4_app/posters/poster_fingerprint.sql
create or replace function app.poster_fingerprint(p_uid bigint, p_template text, p_code bytea)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select encode(sha256(convert_to(
    jsonb_build_array(p_template, u.nickname, u.avatar, s.site_name, app.share_url(p_uid), encode(sha256(p_code), 'hex'))::text, 'UTF8'
  )), 'hex')
  from app.users as u cross join app.settings as s
  where u.uid = p_uid
$$;

comment on function app.poster_fingerprint is
  'Returns a hash of everything that a member''s poster shows. A poster with another fingerprint is out of date. p_template is '
  'the version of the layout, p_code the mini-program code or null.';

-- sql/4_app/posters/poster_json.sql
create or replace function app.poster_json(p_poster app.posters)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'kind', case when p_poster.code is null then 'h5' else 'mini_program' end, 'share_url', p_poster.share_url, 'token', p_poster.token
  )
$$;

comment on function app.poster_json is 'Returns the poster of a member in the format of the API.';

-- sql/4_app/posters/save_poster.sql
-- Locks: the poster.
-- Raises: user_not_found.
-- Idempotent, also for concurrent calls: the first code stays.
create or replace function app.save_poster(p_uid bigint, p_template text, p_code_source text, p_code bytea, p_now timestamptz)
returns app.posters
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_poster app.posters;
  v_code bytea;
  v_fingerprint text;
begin
  if not exists (select from app.users as u where u.uid = p_uid) then
    perform app.fail('user_not_found');
  end if;
  -- A row that concurrent calls can lock.
  insert into app.posters (uid, token, fingerprint, share_url, made_at)
  values (p_uid, gen_random_uuid(), '', '', p_now) on conflict do nothing;
  select p.* into v_poster from app.posters as p where p.uid = p_uid for update;

  v_code := coalesce(case when v_poster.code_source = p_code_source then v_poster.code end, p_code);
  v_fingerprint := app.poster_fingerprint(p_uid, p_template, v_code);
  if v_fingerprint <> v_poster.fingerprint then
    update app.posters set token = gen_random_uuid(), image = null, made_at = p_now where uid = p_uid;
  end if;
  update app.posters
  set
    fingerprint = v_fingerprint, share_url = app.share_url(p_uid), code_source = p_code_source, code = v_code,
    retry_at = case when v_code is null and p_code_source is not null then p_now + interval '10 minutes' end
  where uid = p_uid
  returning * into v_poster;
  return v_poster;
end
$$;

comment on function app.save_poster is
  'Creates or updates the poster of a member and returns it. It keeps a mini-program code that it already has from '
  'p_code_source, and otherwise takes p_code, which can be null. A poster that shows the same as before keeps its token and '
  'picture. If p_code_source gave no code, the next attempt is at least ten minutes later.';

-- sql/4_app/posters/share_url.sql
create or replace function app.share_url(p_uid bigint)
returns text
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select s.h5_share_url || case when strpos(s.h5_share_url, '?') > 0 then '&' else '?' end || 'spread=' || p_uid
  from app.settings as s
$$;

comment on function app.share_url is
  'Returns the H5 share link of a member: <h5_share_url>?spread=<uid>, or with & if the address already has a query.';

-- sql/4_app/products/admin_product_json.sql
create or replace function app.admin_product_json(p_product app.products)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.product_json(p_product) || jsonb_build_object(
    'description', p_product.description, 'updated_at', app.utc(p_product.updated_at), 'updated_by', app.actor_json(p_product.updated_by)
  )
$$;

comment on function app.admin_product_json is
  'Returns a product as administrators see it, with the time and the author of its last change.';

grant execute on function app.admin_product_json(app.products) to store_admin;

-- sql/4_app/products/image_list.sql
-- Raises: invalid_argument.
create or replace function app.image_list(p_texts jsonb)
returns text[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_texts) <> 'array' or jsonb_path_exists(p_texts, 'strict $[*] ? (@.type() != "string")') then
    perform app.fail('invalid_argument', 'Images must be a list of URLs.', '/images');
  end if;
  return array(select t.value from jsonb_array_elements_text(p_texts) with ordinality as t order by t.ordinality);
end
$$;

comment on function app.image_list is 'Returns the texts of a JSON list. Raises invalid_argument for any other value. Null gives an empty list.';

-- sql/4_app/products/product_json.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.product_json(p_product app.products)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_product.id, 'title', p_product.title, 'price', p_product.price::pg_catalog.text, 'freight', p_product.freight::pg_catalog.text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'add_time', app.utc(p_product.add_time),
    'images', p_product.images, 'stock', p_product.stock
  )
$$;

comment on function app.product_json is 'Returns a product in the format of the API, without its description.';

grant execute on function app.product_json(app.products) to anon, authenticated, store_admin;

-- sql/4_app/products/product_record.sql
create or replace function app.product_record(p_product app.products)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'title', p_product.title, 'price', p_product.price::text, 'freight', p_product.freight::text,
    'is_queue_goods', p_product.is_queue_goods, 'is_show', p_product.is_show, 'stock', p_product.stock,
    'images', p_product.images, 'description', p_product.description
  )
$$;

comment on function app.product_record is 'Returns a product in the form that app.record_action compares and keeps.';

-- sql/4_app/products/require_cents.sql
-- Raises: invalid_argument.
create or replace function app.require_cents(p_amount numeric)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount of money has at most two decimals.');
  end if;
end
$$;

comment on function app.require_cents is
  'Raises invalid_argument if an amount of money has more than two decimals. Such amounts are rejected, not rounded. Null '
  'passes.';

-- sql/4_app/reconcile/begin_reconcile.sql
-- Locks: the rows of the reconciliation and of the run.
-- Idempotent: an unfinished reconciliation is continued.
create or replace function app.begin_reconcile(p_run bigint)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_id bigint;
begin
  update app.reconcile_runs as r
  set cuts = greatest(r.cuts, app.cuts_of('reconcile_bill', r.id::text))
  where r.id = (select u.id from app.reconcile_runs as u where u.finished_at is null order by u.id limit 1)
  returning r.id into v_id;
  if v_id is null then
    insert into app.reconcile_runs as r (started_at) values (clock_timestamp()) returning r.id into v_id;
  end if;
  perform app.begin_part(p_run, v_id::text);
  return v_id;
end
$$;

comment on function app.begin_reconcile is
  'Returns the reconciliation that is to be continued, with the number of its cut runs recorded, or begins a new one.';

-- sql/4_app/reconcile/day_of_key.sql
create or replace function app.day_of_key(p_key bigint)
returns date
language sql
immutable
parallel safe
set search_path = pg_catalog, pg_temp
as $$
  select date '2000-01-01' + least(p_key, 365000)::integer
$$;

comment on function app.day_of_key is
  'Returns the business day that has this number in app.next_keys: the days since the year 2000 began.';

-- sql/4_app/reconcile/next_keys.sql
-- A batch is measured in members or orders. The other keys are weighed by what one costs: deciding an order again takes as long as
-- checking about 500 orders, a day of releases about 2,000 members. A slice has one or two closed months.
create or replace function app.next_keys(p_keys text, p_from bigint, p_batch integer)
returns bigint
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_limit integer := greatest(p_batch / case p_keys when 'sample' then 500 when 'days' then 2000 when 'months' then 50000 else 1 end, 1);
  v_keys bigint[];
begin
  case p_keys
    when 'members' then
      v_keys := array(select u.uid from app.users as u where u.uid >= p_from order by u.uid limit v_limit);
    when 'orders' then
      v_keys := array(select o.id from app.orders as o where o.id >= p_from order by o.id limit v_limit);
    when 'days' then
      v_keys := array(
        select r.release_date - date '2000-01-01' from app.release_runs as r
        where r.release_date >= app.day_of_key(p_from) order by r.release_date limit v_limit
      );
    when 'months' then
      v_keys := array(select c.month - date '2000-01-01' from app.closed_months as c where c.month >= app.day_of_key(p_from) order by c.month limit v_limit);
    else
      v_keys := array(select n.key from generate_series(greatest(p_from, 1), app.sample_size(), 1) as n (key) order by n.key limit v_limit);
  end case;
  return case when cardinality(v_keys) < v_limit then 9223372036854775807 else v_keys[v_limit] end;
end
$$;

comment on function app.next_keys is
  'Returns the last key of the slice of a check that begins with p_from and has at most p_batch keys; the last slice has no end.';

-- sql/4_app/reconcile/reconcile.sql
-- Stable, so all checks read the same snapshot.
create or replace function app.reconcile()
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
declare
  v_check record;
begin
  for v_check in select c.* from app.reconcile_checks() as c order by c.check_no loop
    return query execute format('select * from app.%I()', v_check.name);
  end loop;
end
$$;

comment on function app.reconcile is
  'Checks the whole database and returns one row per finding, none when all is well: balances, amounts, task counts, levels, '
  'orders, settlements, cycles, grants, reversals, jobs, a sample of decisions, releases, refunds, payments and refunds at '
  'providers, stock, the article pool, team totals, imports, maturities, withdrawals, points at checkout and adjustments.';

-- sql/4_app/reconcile/reconcile_adjustments.sql
create or replace function app.reconcile_adjustments(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with booked as (
      select
        l.adjustment_id as id, min(l.uid) as uid, count(*) as rows, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available, min(l.add_time) as booked_at
      from app.user_bill as l
      where l.uid between p_from and p_to and l.adjustment_id is not null
      group by l.adjustment_id
    ),
    stated as (
      select a.id, a.uid, 1::bigint as rows, a.brokerage_delta as brokerage, a.frozen_delta as frozen, a.available_delta as available, a.decided_at as booked_at
      from app.adjustments as a
      where a.uid between p_from and p_to and a.state = 'booked'
    )
    select
      'adjustment_equals_its_bill_row', format('adjustment %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.brokerage, s.frozen, s.available, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.booked_at)),
      concat_ws(' ', b.brokerage, b.frozen, b.available, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.booked_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.rows, s.brokerage, s.frozen, s.available, s.booked_at)
      is distinct from (b.uid, b.rows, b.brokerage, b.frozen, b.available, b.booked_at);
end
$$;

comment on function app.reconcile_adjustments is
  'Finds booked adjustments without exactly one bill row of their amounts, and bill rows of adjustments that were not booked.';

-- sql/4_app/reconcile/reconcile_amounts.sql
create or replace function app.reconcile_amounts(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'amount_is_basis_times_rate', format('bill %s', l.id), e.amount::text, a.amount::text
    from app.user_bill as l
    cross join lateral (
      select case l.type when 'brokerage' then l.brokerage_delta when 'points_spent' then -l.available_delta else greatest(l.frozen_delta, l.available_delta) end as amount
    ) as a
    cross join lateral (
      select app.grant_amount(l.type, l.basis, l.rate) as amount
    ) as e
    where l.uid between p_from and p_to and l.reverses_id is null and a.amount <> e.amount;
end
$$;

comment on function app.reconcile_amounts is 'Finds grants and spent points in the bill whose amount is not basis times rate, rounded down.';

-- sql/4_app/reconcile/reconcile_article_pool.sql
create or replace function app.reconcile_article_pool()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'article_pool_holds_what_may_be_read', format('article %s', coalesce(a.id, p.article_id)),
    coalesce(format('category %s', a.cid), 'in no pool'), coalesce(format('category %s', p.cid), 'in no pool')
  from (select b.id, b.cid from app.articles as b where b.status = 1 and b.is_del = 0 and b.hidden = 0) as a
  full join app.article_pool as p on p.article_id = a.id and p.cid = a.cid
  where a.id is null or p.article_id is null
  union all
  select 'article_pool_has_no_gap', format('category %s', p.cid), count(*)::text, max(p.slot)::text
  from app.article_pool as p
  group by p.cid
  having count(*) <> max(p.slot)
$$;

comment on function app.reconcile_article_pool is
  'Finds published articles without a slot in the article pool, slots without such an article, and categories whose slots have '
  'a gap.';

-- sql/4_app/reconcile/reconcile_balances.sql
create or replace function app.reconcile_balances(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with sums as (
      select
        l.uid, max(l.id) as last_id, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
        sum(l.available_delta) as available,
        coalesce(sum(l.brokerage_delta) filter (where app.is_earned(l.type)), 0) as commission,
        coalesce(sum(l.frozen_delta + l.available_delta) filter (where app.is_earned(l.type)), 0) as points
      from app.user_bill as l
      where l.uid between p_from and p_to
      group by l.uid
    )
    select
      'balance_equals_bill', format('uid %s', b.uid),
      format(
        '%s %s %s earned %s and %s', coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.commission, 0), coalesce(s.points, 0)
      ),
      format('%s %s %s earned %s and %s', b.brokerage_price, b.frozen_points, b.available_points, b.total_brokerage, b.total_points_earned)
    from app.user_balances as b
    left join sums as s on s.uid = b.uid
    where b.uid between p_from and p_to and (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
      is distinct from (
        coalesce(s.brokerage, 0), coalesce(s.commission, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.points, 0)
      )
    union all
    select
      'balance_equals_last_bill_row', format('uid %s', s.uid),
      format('%s %s %s', l.brokerage_after, l.frozen_after, l.available_after),
      format('%s %s %s', b.brokerage_price, b.frozen_points, b.available_points)
    from sums as s
    join app.user_bill as l on l.uid = s.uid and l.id = s.last_id
    join app.user_balances as b on b.uid = s.uid
    where (l.brokerage_after, l.frozen_after, l.available_after) <> (b.brokerage_price, b.frozen_points, b.available_points);
end
$$;

comment on function app.reconcile_balances is
  'Finds members whose balances differ from the sums of their bill rows or from the balances in their last bill row.';

-- sql/4_app/reconcile/reconcile_batch.sql
-- A slice is no larger than the store, so that a halved one is smaller than all.
create or replace function app.reconcile_batch()
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select greatest(
    (select count(*) from (select from app.users as u limit 100000) as m), (select count(*) from (select from app.orders as o limit 100000) as n), 1
  )::integer
$$;

comment on function app.reconcile_batch is
  'Returns how many members or orders a slice of a reconciliation has: all, but at most 100,000.';

-- sql/4_app/reconcile/reconcile_checks.sql
create or replace function app.reconcile_checks()
returns table (check_no integer, name text, keys text)
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select c.check_no, c.name, c.keys
  from (values
    (1, 'reconcile_balances', 'members'),
    (2, 'reconcile_amounts', 'members'),
    (3, 'reconcile_counters', 'members'),
    (4, 'reconcile_levels', 'members'),
    (5, 'reconcile_orders', 'orders'),
    (6, 'reconcile_settlements', 'orders'),
    (7, 'reconcile_cycles', 'members'),
    (8, 'reconcile_grants', 'orders'),
    (9, 'reconcile_reversals', 'orders'),
    (10, 'reconcile_jobs', null),
    (11, 'reconcile_sample', 'sample'),
    (12, 'reconcile_release_runs', 'days'),
    (13, 'reconcile_releases', 'members'),
    (14, 'reconcile_refunds', 'orders'),
    (15, 'reconcile_payments', 'orders'),
    (16, 'reconcile_provider_refunds', null),
    (17, 'reconcile_stock', 'orders'),
    (18, 'reconcile_article_pool', null),
    (19, 'reconcile_team_totals', 'members'),
    (20, 'reconcile_imports', null),
    (21, 'reconcile_maturities', 'orders'),
    (22, 'reconcile_withdrawals', 'members'),
    (23, 'reconcile_order_points', 'orders'),
    (24, 'reconcile_points', 'members'),
    (25, 'reconcile_adjustments', 'members'),
    (26, 'reconcile_closed_months', 'months')
  ) as c (check_no, name, keys)
$$;

comment on function app.reconcile_checks is
  'Returns the checks of app.reconcile() in their order, each a function of this schema, and the keys by which a large store is '
  'checked in slices: members by uid, orders by id, days of releases, closed months, or the orders of the sample. A check without keys is small.';

-- sql/4_app/reconcile/reconcile_closed_months.sql
create or replace function app.reconcile_closed_months(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_month app.closed_months;
begin
  for v_month in
    select c.* from app.closed_months as c where c.month between app.day_of_key(p_from) and app.day_of_key(p_to) order by c.month
  loop
    return query
      select 'closed_month_equals_its_rows', to_char(v_month.month, 'YYYY-MM'), v_month.sums::text, s.sums::text
      from (select app.bill_sums(v_month.begins_at, v_month.ends_at) as sums) as s
      where s.sums <> v_month.sums;
    return query
      select 'closed_month_rejects_rows', to_char(v_month.month, 'YYYY-MM'), 'a constraint', format('none on %s', p.part)
      from app.partitions_of(v_month.begins_at, v_month.ends_at) as p (part)
      where not exists (
        select from pg_constraint as c where c.conrelid = p.part and c.conname = to_char(v_month.month, '"month_"YYYY_MM"_is_closed"')
      );
  end loop;
end
$$;

comment on function app.reconcile_closed_months is
  'Finds closed months whose sums are not those of their bill rows, and partitions of the bill that would accept a row of a closed month.';

-- sql/4_app/reconcile/reconcile_counters.sql
-- Every member passes on their own orders and, where task counts are stored, the umbrella counts. What a member at the top grade
-- receives goes to the next member above. If this holds for every member, it holds for the whole tree by induction from the
-- leaves, so each member is visited once and not once for every ancestor (decision 0011).
create or replace function app.reconcile_counters(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
begin
  return query
    with recursive looked_at as materialized (
      -- The members, everyone who passes something on to them, and everyone at the top grade with those below, who may.
      select u.uid, u.spread_uid, u.agent_level < g.top as is_kept, u.no_assess
      from (select app.top_grade() as top) as g
      cross join app.users as u
      left join app.users as r on r.uid = u.spread_uid
      where u.uid between p_from and p_to or u.spread_uid between p_from and p_to or u.agent_level >= g.top or r.agent_level >= g.top
    ),
    own as (
      select o.uid, count(*)::integer as orders
      from looked_at as u
      join app.orders as o on o.uid = u.uid
      join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported')
      where app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
      group by o.uid
    ),
    members as materialized (
      select
        b.uid, u.spread_uid, u.is_kept,
        b.own_orders, coalesce(w.orders, 0) as own_recount, case when u.no_assess then 0 else coalesce(w.orders, 0) end as assessed,
        b.direct_orders, b.umbrella_orders, b.direct_members, b.umbrella_members
      from looked_at as u
      join app.user_balances as b on b.uid = u.uid
      left join own as w on w.uid = b.uid
    ),
    handed as (
      select
        m.spread_uid as uid, sum(m.assessed) as direct_orders, count(*) filter (where m.assessed > 0) as direct_members,
        sum(m.assessed + case when m.is_kept then m.umbrella_orders else 0 end) as orders,
        sum((m.assessed > 0)::integer + case when m.is_kept then m.umbrella_members else 0 end) as members
      from members as m
      where m.spread_uid is not null
      group by m.spread_uid
    ),
    handed_on as (
      select h.uid, h.orders, h.members from handed as h join members as m on m.uid = h.uid where not m.is_kept and (h.orders, h.members) <> (0, 0)
      union all
      select u.spread_uid, p.orders, p.members
      from handed_on as p join members as m on m.uid = p.uid join app.users as u on u.uid = p.uid
      where not m.is_kept and u.spread_uid is not null
    ),
    passed as (
      select p.uid, sum(p.orders) as orders, sum(p.members) as members
      from handed_on as p join members as m on m.uid = p.uid
      where m.is_kept
      group by p.uid
    ),
    counters as (
      select
        m.uid, m.is_kept, m.own_orders, m.own_recount,
        array[m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members]::bigint[] as kept,
        array[
          coalesce(h.direct_orders, 0), coalesce(h.orders, 0) + coalesce(p.orders, 0),
          coalesce(h.direct_members, 0), coalesce(h.members, 0) + coalesce(p.members, 0)
        ]::bigint[] as recount
      from members as m
      left join handed as h on h.uid = m.uid
      left join passed as p on p.uid = m.uid
      where m.uid between p_from and p_to
    )
    select 'counters_equal_recount', format('uid %s', k.uid), array_to_string(k.recount, ' '), array_to_string(k.kept, ' ')
    from counters as k where k.is_kept and k.kept <> k.recount
    union all
    select 'own_orders_equal_recount', format('uid %s', k.uid), k.own_recount::text, k.own_orders::text
    from counters as k where k.own_orders <> k.own_recount;
end
$$;

comment on function app.reconcile_counters is
  'Finds members below the top grade whose stored task counts differ from what their direct members add up to, and members whose '
  'count of own orders differs from their orders (R8, R9).';

-- sql/4_app/reconcile/reconcile_cycles.sql
-- Only the last cycle of a member is open, and places are freed only while their cycle is open. So every other cycle has all its
-- places taken, and the last one is open if and only if a place is left.
create or replace function app.reconcile_cycles(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with places as materialized (
      select s.*, o.queue_base as base_left
      from app.taken_places as s
      left join app.orders as o on o.id = s.order_id
      where s.earner_uid between p_from and p_to
    ),
    cycles as materialized (
      select
        p.earner_uid as uid, p.cycle_no, min(p.cycle_plan_version) as plan_version, max(p.cycle_plan_version) as greatest_version,
        count(*) filter (where p.place_freed_at is null) as taken, max(p.place) as greatest_place,
        count(distinct p.place) filter (where p.place_freed_at is null) as different,
        lead(p.cycle_no) over (partition by p.earner_uid order by p.cycle_no) as next_no
      from places as p
      group by p.earner_uid, p.cycle_no
    ),
    last_cycles as (
      select c.uid, c.cycle_no, c.plan_version, c.taken < v.people_per_cycle as is_open
      from cycles as c
      join app.commission_plans as v on v.version = c.plan_version
      where c.next_no is null
    ),
    reported as (
      -- Orders that made their buyer eligible (R4), and the position at which a refund left nothing of them.
      select o.uid, o.paid_at, max(case when o.refund_status = 2 or o.queue_units = 0 then r.ended_position end) as ended_position,
        bool_or(o.refund_status <> 2 and o.queue_units > 0) as stands
      from app.orders as o
      left join (
        select f.order_id, max(f.decided_position) as ended_position from app.refunds as f where f.state = 'refunded' group by f.order_id
      ) as r on r.order_id = o.id
      where o.uid between p_from and p_to and o.paid_at is not null and o.has_queue_goods and not o.below_minimum
      group by o.uid, o.paid_at
    )
    select
      'places_equal_settlements', format('uid %s', b.uid), coalesce(t.places, 0)::text, b.total_places::text
    from app.user_balances as b
    left join (select c.uid, sum(c.taken) as places from cycles as c group by c.uid) as t on t.uid = b.uid
    where b.uid between p_from and p_to and b.total_places <> coalesce(t.places, 0)
    union all
    select
      'cycle_equals_settlements', format('uid %s', b.uid),
      concat_ws(' ', coalesce(l.cycle_no, 0), 'plan', l.plan_version, case when l.is_open then 'open' else 'closed' end),
      concat_ws(' ', b.cycle_no, 'plan', b.cycle_plan_version, case when b.cycle_is_open then 'open' else 'closed' end)
    from app.user_balances as b
    left join last_cycles as l on l.uid = b.uid
    where b.uid between p_from and p_to and (b.cycle_no, b.cycle_plan_version, b.cycle_is_open)
      is distinct from (coalesce(l.cycle_no, 0), l.plan_version, coalesce(l.is_open, false))
    union all
    select
      'cycle_has_its_places', format('cycle %s of uid %s', c.cycle_no, c.uid),
      format('plan %s, places up to %s, next cycle %s', c.plan_version, v.people_per_cycle, c.cycle_no + 1),
      concat_ws(' ', 'plan', c.greatest_version, 'places up to', c.greatest_place, 'taken', c.taken, 'next cycle', c.next_no)
    from cycles as c
    join app.commission_plans as v on v.version = c.plan_version
    where c.plan_version <> c.greatest_version or c.greatest_place > v.people_per_cycle or c.different <> c.taken
      or (c.next_no is not null and (c.next_no <> c.cycle_no + 1 or c.taken <> v.people_per_cycle))
    union all
    select
      'freed_place_equals_refunds', format('order %s', p.order_id),
      format('%s left', p.base_left), coalesce(format('freed %s', app.utc(p.place_freed_at)), 'not freed')
    from places as p
    left join last_cycles as l on l.uid = p.earner_uid and l.cycle_no = p.cycle_no and l.is_open
    where (p.place_freed_at is null and p.base_left = 0 and l.uid is not null)
      or (p.place_freed_at is not null and (p.base_left > 0 or not exists (
        select from app.refunds as r
        where r.order_id = p.order_id and r.state = 'refunded' and r.decided_position = p.place_freed_position
          and r.decided_at = p.place_freed_at
      )))
    union all
    select
      'earner_had_a_reported_order', format('order %s', p.order_id),
      format('an order of uid %s paid by then', p.earner_uid), format('eligible since %s', app.utc(p.eligible_since))
    from places as p
    join app.orders as o on o.id = p.order_id
    left join reported as e on e.uid = p.earner_uid and e.paid_at = p.eligible_since
    where e.uid is null or p.eligible_since > o.paid_at or not (e.stands or e.ended_position > p.position);
end
$$;

comment on function app.reconcile_cycles is
  'Finds members whose cycle or count of taken places differs from their settlements, cycles with places that are wrong, places '
  'freed without a refund or the other way round, and earners who had no reported order of their own (R4).';

-- sql/4_app/reconcile/reconcile_decisions.sql
create or replace function app.reconcile_decisions(p_sample integer default 200, p_seed bigint default 0, p_skip integer default 0)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'decision_equals_what_was_booked', format('order %s, %s', s.order_id, d.subject), d.expected, d.actual
  from (select s.* from app.settlements as s where s.state <> 'imported' order by hashint8extended(s.order_id, p_seed), s.order_id limit p_sample offset p_skip) as s
  cross join lateral app.settlement_differences(s) as d
$$;

comment on function app.reconcile_decisions is
  'Decides a sample of settlements again, from the state in which they were decided, and returns what differs from the booked '
  'result. Imported orders are left out, because the store decided nothing about them. p_sample is the size of the sample, null for all settlements; another p_seed draws another sample; p_skip leaves out as many of its first settlements.';

-- sql/4_app/reconcile/reconcile_grants.sql
-- A grant of an order is booked in the transaction of its settlement, so both have the same time.
create or replace function app.reconcile_grants(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with grants as materialized (
      select l.* from app.user_bill as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    ),
    reversed as (
      select l.reverses_id, sum(l.brokerage_delta + l.frozen_delta + l.available_delta) as amount
      from app.user_bill as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
      group by l.reverses_id
    )
    select
      'grant_has_its_settlement', format('bill %s of order %s', g.id, g.order_id),
      concat_ws(' ', coalesce(s.state, 'no settlement'), s.reason, app.utc(s.settled_at), case when g.source = 'cycle' then s.earner_uid end),
      concat_ws(' ', g.source, app.utc(g.add_time), g.uid)
    from grants as g
    left join app.settlements as s on s.order_id = g.order_id
    where s.order_id is null or s.settled_at <> g.add_time
      or (g.source = 'cycle' and s.earner_uid is distinct from g.uid)
      or s.reason in ('refunded', 'below_minimum', 'zero_base', 'no_referrer', 'imported')
    union all
    select
      'order_grants_each_kind_once', format('order %s', g.order_id), '1',
      format('%s of %s %s of uid %s', count(*), g.source, g.type, g.uid)
    from grants as g
    group by g.order_id, g.uid, g.type, g.source
    having count(*) > 1
    union all
    select
      'remaining_grant_equals_what_is_left', format('bill %s of order %s', g.id, g.order_id), a.amount::text, t.remaining::text
    from grants as g
    join app.orders as o on o.id = g.order_id
    join app.settlements as s on s.order_id = g.order_id
    left join reversed as r on r.reverses_id = g.id
    cross join lateral (
      select app.grant_amount(g.type, app.basis_left(g.type, g.source, o.queue_base, o.queue_units, s.rate), g.rate) as amount
    ) as a
    cross join lateral (select g.brokerage_delta + g.frozen_delta + coalesce(r.amount, 0) as remaining) as t
    where t.remaining <> a.amount;
end
$$;

comment on function app.reconcile_grants is
  'Finds grants without a settlement that could have made them, grants that an order made twice, and grants whose remainder '
  'differs from what the rest of the order should pay.';

-- sql/4_app/reconcile/reconcile_imports.sql
create or replace function app.reconcile_imports()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'import_is_finished', format('import %s', i.id), 'finished',
    format('stopped after %s products, %s members, %s orders and %s bill rows; npm run import continues it, and with --abandon ends it', i.products, i.members, i.orders, i.bill_rows)
  from app.imports as i
  where i.finished_at is null
$$;

comment on function app.reconcile_imports is 'Finds an import that was stopped, or that is running now.';

-- sql/4_app/reconcile/reconcile_jobs.sql
-- A job that waits for so long is not run at all, or fails with an error that does not count as an attempt (see postpone_job).
create or replace function app.reconcile_jobs()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'job_is_not_dead', format('order %s', j.order_id), 'settled', concat_ws(': ', format('dead after %s attempts', j.attempts), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'dead'
  union all
  select 'job_is_not_late', format('order %s', j.order_id), 'settled within 2 hours', concat_ws(': ', format('waiting since %s', app.utc(j.created_at)), j.last_error)
  from app.settlement_jobs as j
  where j.state = 'waiting' and j.created_at < now() - interval '2 hours'
$$;

comment on function app.reconcile_jobs is
  'Finds dead settlement jobs, and jobs that have waited for more than two hours, which is longer than all retries of a job '
  'take.';

-- sql/4_app/reconcile/reconcile_levels.sql
-- Every member begins at level 0, not held and assessed.
create or replace function app.reconcile_levels(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with changes as materialized (
      select
        c.*,
        coalesce(lag(c.to_level) over earlier, 0::smallint) as level_before, coalesce(lag(c.to_held) over earlier, false) as held_before,
        lead(c.id) over earlier is null as is_last
      from app.level_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    ),
    flags as materialized (
      select c.*, coalesce(lag(c.to_value) over earlier, false) as value_before, lead(c.id) over earlier is null as is_last
      from app.no_assess_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    )
    select
      'level_equals_last_change', format('uid %s', u.uid),
      concat_ws(' ', coalesce(c.to_level, 0), case when c.to_held then 'held' end), concat_ws(' ', u.agent_level, case when u.is_held then 'held' end)
    from app.users as u
    left join changes as c on c.uid = u.uid and c.is_last
    where u.uid between p_from and p_to and (u.agent_level, u.is_held) <> (coalesce(c.to_level, 0::smallint), coalesce(c.to_held, false))
    union all
    select
      'level_change_follows_the_one_before', format('level change %s of uid %s', c.id, c.uid),
      concat_ws(' ', c.level_before, case when c.held_before then 'held' end), concat_ws(' ', c.from_level, case when c.from_held then 'held' end)
    from changes as c
    where (c.from_level, c.from_held) <> (c.level_before, c.held_before)
    union all
    select
      'level_change_has_its_settlement', format('level change %s of uid %s', c.id, c.uid),
      format('a rise at position %s', s.position), format('from %s to %s at position %s', c.from_level, c.to_level, c.position)
    from changes as c
    left join app.settlements as s on s.order_id = c.order_id
    where c.reason = 'tasks' and (s.position is distinct from c.position or c.to_level <= c.from_level)
    union all
    select 'no_assess_equals_last_change', format('uid %s', u.uid), coalesce(f.to_value, false)::text, u.no_assess::text
    from app.users as u
    left join flags as f on f.uid = u.uid and f.is_last
    where u.uid between p_from and p_to and u.no_assess <> coalesce(f.to_value, false)
    union all
    select 'no_assess_change_follows_the_one_before', format('change %s of uid %s', f.id, f.uid), f.value_before::text, f.from_value::text
    from flags as f
    where f.from_value <> f.value_before
    union all
    select 'levels_equal_last_version', 'level settings', v.levels::text, app.levels_json()::text
    from app.level_versions as v
    where v.version = (select max(n.version) from app.level_versions as n) and v.levels <> app.levels_json() and p_from = 0;
end
$$;

comment on function app.reconcile_levels is
  'Finds members whose level, hold or assessment does not follow from its recorded changes, changes that do not follow from one '
  'another or from their settlement, and level settings that differ from their last version.';

-- sql/4_app/reconcile/reconcile_maturities.sql
create or replace function app.reconcile_maturities(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with due as (
      select
        s.order_id, s.earner_uid as uid, app.matures_at(o.received_at, s.settled_at, p.holding_days) as matures_at,
        s.commission + coalesce(sum(l.brokerage_delta), 0) as amount_left
      from app.settlements as s
      join app.orders as o on o.id = s.order_id
      join app.commission_plans as p on p.version = s.order_plan_version
      left join app.user_bill as l on l.order_id = s.order_id and l.type = 'brokerage_reversal'
      where s.order_id between p_from and p_to and s.commission > 0
      group by s.order_id, o.received_at, p.holding_days
    )
    select
      'maturity_equals_its_settlement', format('order %s', coalesce(d.order_id, m.order_id)),
      concat_ws(' ', d.amount_left, 'of uid', d.uid, 'at', app.utc(d.matures_at)),
      concat_ws(' ', m.amount_left, 'of uid', m.uid, 'at', app.utc(m.matures_at))
    from due as d
    full join (select t.* from app.commission_maturities as t where t.order_id between p_from and p_to) as m on m.order_id = d.order_id
    where (d.uid, d.amount_left, d.matures_at) is distinct from (m.uid, m.amount_left, m.matures_at);
end
$$;

comment on function app.reconcile_maturities is
  'Finds commission whose maturity is missing, or differs from the settlement, the receipt and the refunds of its order.';

-- sql/4_app/reconcile/reconcile_order_points.sql
create or replace function app.reconcile_order_points(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with lines as (
      select
        l.order_id, sum(l.paid_by_points) as money, sum(l.points) as points,
        sum(app.points_left(l.points, l.quantity, l.refunded_quantity)) as points_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ),
    refunded as (
      select r.order_id, sum(r.points) as points
      from app.refunds as r
      where r.order_id between p_from and p_to and r.state = 'refunded'
      group by r.order_id
    )
    select
      'points_of_an_order_equal_its_lines', format('order %s', o.id),
      concat_ws(' ', l.points, 'for', l.money, 'refunded', l.points - l.points_left, 'left', e.points_left),
      concat_ws(' ', o.points_spent, 'for', o.paid_by_points, 'refunded', coalesce(r.points, 0), 'left', o.points_left)
    from app.orders as o
    join lines as l on l.order_id = o.id
    left join refunded as r on r.order_id = o.id
    cross join lateral (select case o.state when 'cancelled' then 0 else l.points_left end as points_left) as e
    where (l.points, l.money, l.points - l.points_left, e.points_left) is distinct from (o.points_spent, o.paid_by_points, coalesce(r.points, 0), o.points_left);
end
$$;

comment on function app.reconcile_order_points is
  'Finds orders whose points differ from those of their lines, or whose refunds returned other points than their units have left.';

-- sql/4_app/reconcile/reconcile_orders.sql
create or replace function app.reconcile_orders(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with refunded_before as (
      -- Units that were refunded before their order was settled.
      select i.line_id, sum(i.quantity)::integer as quantity
      from app.refunds as r
      join app.refund_lines as i on i.refund_id = r.id
      join app.settlements as s on s.order_id = r.order_id
      where r.order_id between p_from and p_to and r.state = 'refunded' and r.decided_position < s.position
      group by i.line_id
    ),
    queue_goods as materialized (
      select
        l.order_id, sum(l.paid) as paid,
        sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity)) as base_left, sum(l.quantity - l.refunded_quantity) as units_left,
        sum(app.amount_left(l.paid, l.quantity, coalesce(b.quantity, 0))) as base_settled,
        sum(l.quantity - coalesce(b.quantity, 0)) as units_settled
      from app.order_lines as l
      left join refunded_before as b on b.line_id = l.id
      where l.order_id between p_from and p_to and l.is_queue_goods
      group by l.order_id
    )
    select
      'queue_goods_left_equal_lines', format('order %s', o.id),
      format('%s of %s units', coalesce(q.base_left, 0), coalesce(q.units_left, 0)), format('%s of %s units', o.queue_base, o.queue_units)
    from app.orders as o
    left join queue_goods as q on q.order_id = o.id
    where o.id between p_from and p_to and (o.queue_base, o.queue_units) <> (coalesce(q.base_left, 0), coalesce(q.units_left, 0))
    union all
    select
      'minimum_base_equals_plan', format('order %s', o.id),
      format('%s of at least %s', q.paid, p.minimum_base), case when o.below_minimum then 'below' else 'not below' end
    from app.orders as o
    join queue_goods as q on q.order_id = o.id
    join app.commission_plans as p on p.version = o.plan_version
    where o.below_minimum <> (q.paid < p.minimum_base)
    union all
    select
      'settlement_equals_its_order', format('order %s', s.order_id),
      concat_ws(' ', o.state, o.uid, o.referrer_uid, 'plan', p.version, p.brokerage_scope, q.base_settled, 'of', q.units_settled),
      concat_ws(' ', s.state, s.uid, s.referrer_uid, 'plan', s.order_plan_version, s.brokerage_scope, s.base, 'of', s.units)
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    left join app.commission_plans as p on p.version = o.plan_version
    left join queue_goods as q on q.order_id = o.id
    where s.order_id between p_from and p_to and ((s.uid, s.referrer_uid, s.order_plan_version, s.brokerage_scope, s.base, s.units, s.state, s.reason is not distinct from 'below_minimum')
      is distinct from (
        o.uid, o.referrer_uid, p.version, p.brokerage_scope, coalesce(q.base_settled, 0), coalesce(q.units_settled, 0),
        case when o.is_imported then 'imported' when q.units_settled > 0 then 'settled' else 'refunded' end,
        not o.is_imported and o.below_minimum and q.units_settled > 0
      )
      or s.plan_in_force < s.order_plan_version or s.settled_at < o.paid_at);
end
$$;

comment on function app.reconcile_orders is
  'Finds orders whose queue goods left or minimum base do not follow from their lines and their plan, and settlements that '
  'contradict their order.';

-- sql/4_app/reconcile/reconcile_payments.sql
create or replace function app.reconcile_payments(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'paid_attempt_is_booked', format('payment %s', a.attempt_no), 'an order that it paid, or a notification that asks for attention', 'neither'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'paid'
      and not exists (select from app.orders as o where o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref)
      and not exists (
        select from app.payment_notifications as n
        where n.order_id = a.order_id and n.provider = a.provider and n.pay_ref = a.pay_ref and n.outcome = 'attention'
      )
    union all
    select 'open_attempt_is_to_be_closed', format('payment %s', a.attempt_no), 'a row of the outbox', 'none'
    from app.payment_attempts as a
    where a.order_id between p_from and p_to and a.state = 'open' and not exists (select from app.outbox as b where b.kind = 'close_payment' and b.key = a.attempt_no)
    union all
    select 'order_is_paid_by_one_attempt', format('order %s', a.order_id), 'one', count(*)::text
    from app.payment_attempts as a
    join app.orders as o on o.id = a.order_id and o.pay_type = a.provider and o.pay_ref = a.pay_ref
    where a.order_id between p_from and p_to and a.state = 'paid'
    group by a.order_id
    having count(*) > 1
    union all
    select 'outbox_row_has_not_failed', format('%s %s', b.kind, b.key), 'done', concat_ws(': ', format('failed after %s attempts', b.attempts), b.last_problem)
    from app.outbox as b
    where b.state = 'failed' and p_from = 0;
end
$$;

comment on function app.reconcile_payments is
  'Finds payments at a provider that neither paid their order nor have the outcome attention, open payments that nobody will '
  'close, orders that were paid by two attempts, and calls to providers that have failed.';

-- sql/4_app/reconcile/reconcile_points.sql
create or replace function app.reconcile_points(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with stated as (
      select o.id as order_id, o.uid, o.add_time as at, -o.points_spent as points, o.paid_by_points as money
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0
      union all
      select o.id, o.uid, o.cancelled_at, o.points_spent, null
      from app.orders as o where o.uid between p_from and p_to and o.points_spent > 0 and o.state = 'cancelled'
      union all
      select o.id, o.uid, r.decided_at, sum(r.points), null
      from app.refunds as r join app.orders as o on o.id = r.order_id
      where o.uid between p_from and p_to and r.state = 'refunded' and r.points > 0
      group by o.id, r.decided_at
    ),
    booked as (
      select
        l.order_id, l.uid, l.add_time as at, sum(l.available_delta) as points,
        sum(l.basis) as money
      from app.user_bill as l
      where l.uid between p_from and p_to and l.source = 'checkout'
      group by l.order_id, l.uid, l.type, l.add_time
    )
    select
      'points_are_booked_as_they_were_used', format('order %s', coalesce(s.order_id, b.order_id)),
      concat_ws(' ', s.points, 'of uid', s.uid, 'for', s.money, app.utc(s.at)), concat_ws(' ', b.points, 'of uid', b.uid, 'for', b.money, app.utc(b.at))
    from stated as s
    full join booked as b on b.order_id = s.order_id and b.uid = s.uid and b.at = s.at and sign(b.points) = sign(s.points)
    where (s.points, s.money) is distinct from (b.points, b.money);

  return query
    with spent as (
      select o.uid, sum(o.points_left) as points from app.orders as o where o.uid between p_from and p_to and o.points_left > 0 group by o.uid
    ),
    adjusted as (
      select a.uid, sum(a.frozen_delta + a.available_delta) as points
      from app.adjustments as a where a.uid between p_from and p_to and a.state = 'booked' group by a.uid
    )
    select
      'points_are_all_accounted_for', format('uid %s', b.uid),
      concat_ws(' ', b.total_points_earned, 'earned', coalesce(a.points, 0), 'adjusted'),
      concat_ws(' ', b.frozen_points, 'frozen', b.available_points, 'available', coalesce(s.points, 0), 'spent')
    from app.user_balances as b
    left join spent as s on s.uid = b.uid
    left join adjusted as a on a.uid = b.uid
    where b.uid between p_from and p_to
      and b.total_points_earned + coalesce(a.points, 0) <> b.frozen_points + b.available_points + coalesce(s.points, 0);
end
$$;

comment on function app.reconcile_points is
  'Finds points that were not booked exactly once when an order was placed, cancelled or refunded, and members of whom the points earned and adjusted are not those that are frozen, available or spent.';

-- sql/4_app/reconcile/reconcile_provider_refunds.sql
create or replace function app.reconcile_provider_refunds()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select 'refunding_is_in_the_outbox', format('refund %s', r.refund_no), 'a row of the outbox', 'none'
  from app.provider_refunds as r
  where r.state = 'refunding' and not exists (select from app.outbox as b where b.kind = 'refund_payment' and b.key = r.refund_no)
  union all
  select 'refunds_are_within_the_payment', format('payment %s', r.payment_no), format('at most %s', min(r.total)), sum(r.amount)::text
  from app.provider_refunds as r
  where r.state <> 'failed'
  group by r.provider, r.payment_no, r.pay_ref
  having sum(r.amount) > min(r.total)
  union all
  select 'provider_is_asked_for_the_refund', format('refund %s of order %s', r.id, r.order_id), r.amount::text, 'not asked'
  from app.refunds as r
  join app.orders as o on o.id = r.order_id
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  where r.state = 'refunded' and r.amount > 0 and not exists (select from app.provider_refunds as p where p.refund_id = r.id and p.amount = r.amount)
  union all
  select 'provider_refund_is_paid', format('refund %s', r.refund_no), 'paid or tried again', r.reason
  from app.provider_refunds as r
  where r.state = 'failed' and not exists (
    select from app.provider_refunds as p
    where p.id > r.id and p.provider = r.provider and p.pay_ref = r.pay_ref and p.refund_id is not distinct from r.refund_id
  )
$$;

comment on function app.reconcile_provider_refunds is
  'Finds refunds that a provider is never asked for, that exceed their payment, or that the provider has not paid and that nobody '
  'has tried again.';

-- sql/4_app/reconcile/reconcile_refunds.sql
create or replace function app.reconcile_refunds(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'refunded_units_equal_refunds', format('order line %s', l.id), coalesce(sum(i.quantity), 0)::text, l.refunded_quantity::text
    from app.order_lines as l
    left join (
      app.refund_lines as i join app.refunds as r on r.id = i.refund_id and r.state = 'refunded'
    ) on i.line_id = l.id
    where l.order_id between p_from and p_to
    group by l.id
    having l.refunded_quantity <> coalesce(sum(i.quantity), 0)
    union all
    select 'refund_status_equals_refunds', format('order %s', o.id), t.status::text, o.refund_status::text
    from app.orders as o
    join (
      select l.order_id, sum(l.refunded_quantity) as refunded, sum(l.quantity - l.refunded_quantity) as units_left
      from app.order_lines as l
      where l.order_id between p_from and p_to
      group by l.order_id
    ) as l on l.order_id = o.id
    left join app.refunds as r on r.order_id = o.id and r.state = 'requested'
    cross join lateral (
      select case when l.units_left = 0 then 2 when r.id is not null then 1 when l.refunded > 0 then 3 else 0 end as status
    ) as t
    where o.id between p_from and p_to and o.refund_status <> t.status;
end
$$;

comment on function app.reconcile_refunds is
  'Finds order lines whose refunded units, and orders whose refund status, do not follow from the refunds.';

-- sql/4_app/reconcile/reconcile_release_runs.sql
create or replace function app.reconcile_release_runs(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select
      'release_run_equals_log', format('business day %s', coalesce(r.release_date, l.release_date)),
      format('%s users %s points', coalesce(l.users, 0), coalesce(l.points, 0)),
      format('%s users %s points', coalesce(r.users, 0), coalesce(r.points, 0))
    from app.release_runs as r
    full join (
      select g.release_date, count(*) as users, sum(g.release_points) as points
      from app.points_release_log as g
      where g.release_date between app.day_of_key(p_from) and app.day_of_key(p_to)
      group by g.release_date
    ) as l on l.release_date = r.release_date
    where coalesce(r.release_date, l.release_date) between app.day_of_key(p_from) and app.day_of_key(p_to)
      and (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
    union all
    select
      'release_day_is_finished', format('business day %s', r.release_date), 'finished',
      concat_ws(': ', format('unfinished, %s failures, %s runs cut', r.failures, r.cuts), r.last_error)
    from app.release_runs as r
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.finished_at is null and r.release_date < app.business_day(now());
end
$$;

comment on function app.reconcile_release_runs is
  'Finds business days whose release log and record of the run disagree, and days before today whose release is not finished.';

-- sql/4_app/reconcile/reconcile_releases.sql
create or replace function app.reconcile_releases(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart the rows of a
    -- member who was released for several days at once.
    select
      'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
      coalesce(format('business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)), 'nothing'),
      coalesce(format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing')
    from (select l.* from app.points_release_log as l where l.uid between p_from and p_to) as g
    full join (select l.* from app.user_bill as l where l.uid between p_from and p_to and l.type = 'frozen_points_release') as b
      on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
    where g.release_points is distinct from b.available_delta or b.basis > g.frozen_before or b.rate <> app.release_rate();
end
$$;

comment on function app.reconcile_releases is
  'Finds releases that the log and the bill of a member state differently.';

-- sql/4_app/reconcile/reconcile_reversals.sql
-- A reversal states the basis that is left, so what is left after it is that basis times the rate of what it reverses.
create or replace function app.reconcile_reversals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with reversals as materialized (
      select
        l.*, case l.type when 'brokerage_reversal' then 'brokerage' else 'frozen_points_brokerage' end as reversed_type,
        sum(l.brokerage_delta + l.frozen_delta + l.available_delta) over (partition by l.reverses_id order by l.id) as reversed
      from app.user_bill as l
      where l.order_id between p_from and p_to and l.reverses_id is not null
    ),
    grants as materialized (
      select l.* from app.user_bill as l where l.order_id between p_from and p_to and l.reverses_id is null and app.is_earned(l.type)
    )
    select
      'reversal_equals_what_it_reverses', format('bill %s of order %s', r.id, r.order_id),
      case when g.id is null then 'a grant' else concat_ws(' ', 'order', g.order_id, g.type, g.source, 'of uid', g.uid, 'rate', g.rate, 'level', g.agent_level) end,
      concat_ws(' ', 'order', r.order_id, r.reversed_type, r.source, 'of uid', r.uid, 'rate', r.rate, 'level', r.agent_level)
    from reversals as r
    left join grants as g on g.id = r.reverses_id
    where (g.order_id, g.type, g.source, g.uid, g.rate, g.agent_level)
      is distinct from (r.order_id, r.reversed_type, r.source, r.uid, r.rate, r.agent_level)
    union all
    select
      'reversal_leaves_basis_times_rate', format('bill %s of order %s', r.id, r.order_id),
      a.remaining::text, (g.brokerage_delta + g.frozen_delta + r.reversed)::text
    from reversals as r
    join grants as g on g.id = r.reverses_id
    cross join lateral (select app.grant_amount(g.type, r.basis, g.rate) as remaining) as a
    where g.brokerage_delta + g.frozen_delta + r.reversed is distinct from a.remaining
    union all
    select 'reversal_has_its_refund', format('bill %s of order %s', r.id, r.order_id), 'a refund', app.utc(r.add_time)::text
    from reversals as r
    where not exists (
      select from app.refunds as f where f.order_id = r.order_id and f.state = 'refunded' and f.decided_at = r.add_time
    );
end
$$;

comment on function app.reconcile_reversals is
  'Finds reversals that differ from the grant that they reverse in member, order, kind, rate or level, that leave another amount '
  'than the basis they state, or that no refund made.';

-- sql/4_app/reconcile/reconcile_sample.sql
create or replace function app.reconcile_sample(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select d.*
  from (select greatest(p_from, 1)::integer as first, least(p_to, app.sample_size())::integer as last) as k
  cross join lateral app.reconcile_decisions(
    greatest(k.last - k.first + 1, 0), (select max(s.position) from app.settlements as s), k.first - 1
  ) as d
$$;

comment on function app.reconcile_sample is 'Decides settlements of a random sample again; p_from and p_to number the orders of the sample.';

-- sql/4_app/reconcile/reconcile_settlements.sql
create or replace function app.reconcile_settlements(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'paid_order_has_settlement_or_job', format('order %s', o.id), 'one of them', 'neither'
    from app.orders as o
    join app.commission_plans as p on p.version = o.plan_version
    where o.id between p_from and p_to and o.paid_at is not null
      and (o.is_imported or (o.has_queue_goods and (p.brokerage_timing = 'on_pay' or o.state = 'received')))
      and not exists (select from app.settlements as s where s.order_id = o.id)
      and not exists (select from app.settlement_jobs as j where j.order_id = o.id)
    union all
    select 'settled_order_has_no_job', format('order %s', j.order_id), 'no job', j.state
    from app.settlement_jobs as j
    where j.order_id between p_from and p_to and exists (select from app.settlements as s where s.order_id = j.order_id)
    union all
    select
      'commission_equals_bill', format('order %s', s.order_id),
      format('%s %s', s.commission, s.commission_points),
      format('%s %s', coalesce(l.commission, 0), coalesce(l.points, 0))
    from app.settlements as s
    left join (
      select b.order_id, sum(b.brokerage_delta) as commission, sum(b.frozen_delta) as points
      from app.user_bill as b
      where b.order_id between p_from and p_to and b.source = 'cycle' and b.reverses_id is null
      group by b.order_id
    ) as l on l.order_id = s.order_id
    where s.order_id between p_from and p_to and (s.commission, s.commission_points) <> (coalesce(l.commission, 0), coalesce(l.points, 0));
end
$$;

comment on function app.reconcile_settlements is
  'Finds paid orders that would never be settled, settled orders that still have a job, and commissions that differ from the '
  'bill.';

-- sql/4_app/reconcile/reconcile_slice.sql
-- Locks: the row of the reconciliation.
-- Idempotent, also when it runs concurrently: a slice is counted in the transaction that checks it.
create or replace function app.reconcile_slice(p_id bigint, p_batch integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set jit = off
as $$
declare
  v_run app.reconcile_runs;
  v_check record;
  v_last bigint := 9223372036854775807;
  v_findings integer;
  v_sample jsonb;
begin
  select r.* into v_run from app.reconcile_runs as r where r.id = p_id for update;
  if v_run.finished_at is not null then
    return false;
  end if;
  select c.* into v_check from app.reconcile_checks() as c where c.check_no = v_run.check_no;
  if not found then
    update app.reconcile_runs as r set finished_at = clock_timestamp() where r.id = p_id;
    return false;
  end if;
  if v_check.keys is not null then
    v_last := app.next_keys(v_check.keys, v_run.next_key, p_batch);
  end if;
  execute format($sql$
    select count(*)::integer, coalesce(jsonb_agg(to_jsonb(f) - 'place' order by f.place) filter (where f.place <= $1), '[]')
    from (select r.*, row_number() over () as place from app.%I(%s) as r) as f
  $sql$, v_check.name, case when v_check.keys is not null then format('%s, %s', v_run.next_key, v_last) end)
  into v_findings, v_sample using 100 - jsonb_array_length(v_run.sample);
  update app.reconcile_runs as r
  set findings = r.findings + v_findings, sample = r.sample || v_sample,
      check_no = case when v_last = 9223372036854775807 then r.check_no + 1 else r.check_no end,
      next_key = case when v_last = 9223372036854775807 then 0 else v_last + 1 end
  where r.id = p_id;
  return true;
end
$$;

comment on function app.reconcile_slice is
  'Runs the next check of a reconciliation on its next p_batch members or orders, records the findings, and returns whether more '
  'may be left.';

-- sql/4_app/reconcile/reconcile_stock.sql
create or replace function app.reconcile_stock(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    select 'stock_is_given_back', format('line %s of order %s', l.id, l.order_id), format('at most %s units', h.units), format('%s units', l.stock_taken)
    from app.order_lines as l
    join app.orders as o on o.id = l.order_id
    cross join lateral (select case o.state when 'cancelled' then 0 when 'paid' then l.quantity - l.refunded_quantity else l.quantity end as units) as h
    where l.order_id between p_from and p_to and l.stock_taken > h.units;
end
$$;

comment on function app.reconcile_stock is
  'Finds units of cancelled orders, and units that were refunded before shipment, that were not returned to the stock.';

-- sql/4_app/reconcile/reconcile_team_totals.sql
-- Like the task counts, each total is compared with the totals of the direct members (decision 0011): every member is visited
-- once. The totals are sums over their own copy of referrers and orders, so they must agree at any time; the copy may differ from
-- the members only where a change is queued.
create or replace function app.reconcile_team_totals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
set jit = off
as $$
begin
  return query
    with sums as (
      select
        t.spread_uid as uid, count(*) as direct_members, sum(t.own_orders) as direct_orders, sum(t.umbrella_members + 1) as umbrella_members,
        sum(t.umbrella_orders + t.own_orders) as umbrella_orders
      from app.team_totals as t
      where t.spread_uid between p_from and p_to
      group by t.spread_uid
    ),
    totals as (
      select
        t.uid, array[t.direct_members, t.direct_orders, t.umbrella_members, t.umbrella_orders]::bigint[] as kept,
        array[
          coalesce(s.direct_members, 0), coalesce(s.direct_orders, 0), coalesce(s.umbrella_members, 0), coalesce(s.umbrella_orders, 0)
        ]::bigint[] as recount
      from app.team_totals as t left join sums as s on s.uid = t.uid
      where t.uid between p_from and p_to
    ),
    orders as (
      select o.uid, count(*) as orders
      from app.orders as o
      where o.uid between p_from and p_to and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
      group by o.uid
    ),
    copies as (
      select
        u.uid, concat_ws(' ', coalesce(u.spread_uid, 0), coalesce(o.orders, 0)) as present,
        concat_ws(' ', coalesce(t.spread_uid, 0), coalesce(t.own_orders, 0)) as copied
      from app.users as u left join orders as o on o.uid = u.uid left join app.team_totals as t on t.uid = u.uid
      where u.uid between p_from and p_to
    )
    select 'team_totals_equal_recount', format('uid %s', t.uid), array_to_string(t.recount, ' '), array_to_string(t.kept, ' ')
    from totals as t where t.kept <> t.recount
    union all
    select 'team_totals_follow_members', format('uid %s', c.uid), c.present, c.copied
    from copies as c where c.present <> c.copied and c.uid not in (select q.uid from app.team_changes as q);
end
$$;

comment on function app.reconcile_team_totals is
  'Finds members whose team totals are not the sums of those of their direct members, and members whose referrer or number of '
  'reported orders is not in the totals although no change of them is queued.';

-- sql/4_app/reconcile/reconcile_withdrawals.sql
create or replace function app.reconcile_withdrawals(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with booked as (
      select
        l.withdrawal_id as id, min(l.uid) as uid, sum(l.brokerage_delta) as amount, count(*) as rows,
        max(l.add_time) filter (where l.type = 'withdrawal') as taken_at, max(l.add_time) filter (where l.type = 'withdrawal_returned') as returned_at
      from app.user_bill as l
      where l.uid between p_from and p_to and l.withdrawal_id is not null
      group by l.withdrawal_id
    ),
    stated as (
      select
        w.id, w.uid, t.is_returned, case when t.is_returned then 0.00 else -w.amount end as amount, case when t.is_returned then 2 else 1 end as rows,
        w.add_time as taken_at, case when t.is_returned then w.ended_at end as returned_at
      from app.withdrawals as w
      cross join lateral (select w.state in ('refused', 'failed') as is_returned) as t
      where w.uid between p_from and p_to
    )
    select
      'withdrawal_equals_its_bill_rows', format('withdrawal %s', coalesce(s.id, b.id)),
      concat_ws(' ', s.amount, 'of uid', s.uid, 'in', s.rows, 'rows', app.utc(s.taken_at), app.utc(s.returned_at)),
      concat_ws(' ', b.amount, 'of uid', b.uid, 'in', b.rows, 'rows', app.utc(b.taken_at), app.utc(b.returned_at))
    from stated as s
    full join booked as b on b.id = s.id
    where (s.uid, s.amount, s.rows, s.taken_at, s.returned_at) is distinct from (b.uid, b.amount, b.rows, b.taken_at, b.returned_at);
end
$$;

comment on function app.reconcile_withdrawals is
  'Finds withdrawals that did not leave the balance exactly once, or did not come back exactly once if they were refused or failed. With '
  'reconcile_balances, reconcile_amounts and reconcile_maturities, this proves that what a member was granted, less reversals, is '
  'withdrawable, maturing, reserved or paid.';

-- sql/4_app/reconcile/record_reconcile.sql
-- Every slice reads a snapshot of its own. The rows that a check compares with one another are in one slice.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: concurrent runs share the slices.
create or replace procedure app.record_reconcile()
language plpgsql
as $$
declare
  v_run record := app.begin_run('reconcile_bill', app.reconcile_batch());
  v_id bigint := app.begin_reconcile(v_run.id);
begin
  commit;
  while app.reconcile_slice(v_id, v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.record_reconcile is
  'Runs the checks of reconcile() in slices with a commit each, and stores the number of findings and the first hundred of them. '
  'A reconciliation that was cut is continued where it was.';

-- sql/4_app/reconcile/recount_counters.sql
-- Walks up from each member with counted orders.
create or replace function app.recount_counters(p_position bigint default null)
returns table (
  uid bigint, own_orders integer, direct_orders integer, umbrella_orders integer, direct_members integer, umbrella_members integer
)
language sql
stable
set search_path = pg_catalog, pg_temp
-- The planner overestimates the depth of the tree; JIT compilation for that estimate takes longer than the query.
set jit = off
as $$
  with recursive changed as (
    select distinct r.order_id from app.refunds as r where r.position >= p_position or r.decided_position >= p_position
  ),
  own as (
    select o.uid, count(*)::integer as orders
    from app.orders as o
    join app.settlements as s on s.order_id = o.id and s.state in ('settled', 'imported') and (p_position is null or s.position < p_position)
    left join changed as c on c.order_id = o.id
    left join lateral (select a.* from app.order_at(c.order_id, null, p_position - 1, false) as a where c.order_id is not null) as a on true
    where app.is_counted(coalesce(a.units, o.queue_units), coalesce(a.refund_status, o.refund_status), o.below_minimum)
    group by o.uid
  ),
  assessed as (
    select u.uid, case when p_position is null or u.spread_position < p_position then u.spread_uid end as spread_uid, coalesce((
      select n.from_value from app.no_assess_changes as n where n.uid = u.uid and n.position >= p_position order by n.position limit 1
    ), u.no_assess) as no_assess
    from app.users as u
  ),
  upward as (
    select u.spread_uid as uid, 1 as depth, w.orders
    from own as w join assessed as u on u.uid = w.uid
    where not u.no_assess and u.spread_uid is not null
    union all
    select u.spread_uid, p.depth + 1, p.orders
    from upward as p join assessed as u on u.uid = p.uid
    where u.spread_uid is not null
  ),
  counted as (
    select
      p.uid,
      coalesce(sum(p.orders) filter (where p.depth = 1), 0)::integer as direct_orders, sum(p.orders)::integer as umbrella_orders,
      (count(*) filter (where p.depth = 1))::integer as direct_members, count(*)::integer as umbrella_members
    from upward as p
    group by p.uid
  )
  select
    coalesce(c.uid, w.uid), coalesce(w.orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0),
    coalesce(c.direct_members, 0), coalesce(c.umbrella_members, 0)
  from counted as c full join own as w on w.uid = c.uid
$$;

comment on function app.recount_counters is
  'Recomputes the task counts of all members from the orders (R8, R9), as they are now or, with p_position, as they were before '
  'that position.';

-- sql/4_app/refunds/book_refund_effects.sql
-- Precondition: the caller has locked the structure, the order and the balances.
create or replace function app.book_refund_effects(p_facts app.refund_facts, p_position bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_after app.orders := p_facts.after;
  v_decision record := app.decide_refund(p_facts);
begin
  update app.orders
  set queue_base = v_after.queue_base, queue_units = v_after.queue_units, refund_status = v_after.refund_status, points_left = v_after.points_left
  where id = v_after.id;
  perform app.book_entries(v_decision.entries, v_decision.members, v_decision.cycles, p_now);
  update app.commission_maturities as m set amount_left = m.amount_left - r.taken
  from (select -sum(e.brokerage_delta) as taken from unnest(v_decision.entries) as e where e.type = 'brokerage_reversal') as r
  where m.order_id = v_after.id and r.taken > 0;
  if cardinality(v_decision.cycles) > 0 then
    update app.settlements set place_freed_at = p_now, place_freed_position = p_position where order_id = v_after.id;
  end if;
end
$$;

comment on function app.book_refund_effects is
  'Books the effects of a refund, a request or its refusal (the third step of the engine): the totals of the order, the decided '
  'bill entries and task counts, the commission that is left to mature, and the place that is freed. The row of the refund is already written.';

-- sql/4_app/refunds/complete_refund.sql
-- Precondition: the caller has locked the order.
create or replace function app.complete_refund(
  p_order_id bigint, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  update app.refunds as r
  set state = case when p_names_units then 'refused' else 'refunded' end,
      refund_ref = case when not p_names_units then p_refund_ref end,
      names_units = false, decided_at = p_now, decided_position = nextval('app.positions')
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if v_refund.state is distinct from 'refunded' then
    v_refund := app.insert_refund(p_order_id, 'refunded', p_items, p_names_units, p_refund_ref, v_refund.reason, p_now);
  end if;
  update app.order_lines as l set refunded_quantity = l.refunded_quantity + i.quantity
  from unnest(p_items) as i
  where l.id = i.line_id;
  return v_refund;
end
$$;

comment on function app.complete_refund is
  'Writes a completed refund and returns it: if the caller names no units, the open request becomes the refund; otherwise a new '
  'refund is inserted and an open request is refused. Adds the units to the refunded quantities of the order lines.';

-- sql/4_app/refunds/counters_json.sql
create or replace function app.counters_json(p_member app.tree_member)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct_orders', p_member.direct_orders, 'umbrella_orders', p_member.umbrella_orders,
    'direct_members', p_member.direct_members, 'umbrella_members', p_member.umbrella_members
  )
$$;

comment on function app.counters_json is 'Returns the task counts of a member as the API shows them.';

-- sql/4_app/refunds/decide_refund.sql
create or replace function app.decide_refund(
  p_facts app.refund_facts, out entries app.bill_entry[], out members app.tree_member[], out cycles app.cycle_state[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders := p_facts.before;
  v_after app.orders := p_facts.after;
  v_settlement app.settlements := p_facts.settlement;
  v_state app.engine_state := p_facts.state;
  v_buyer integer;
  v_step integer;
begin
  entries := case when v_after.points_left < v_before.points_left then array[
    app.checkout_entry(v_before, v_before.points_left - v_after.points_left)
  ] else '{}' end;
  members := '{}';
  cycles := '{}';
  if v_settlement.order_id is null then
    return;
  end if;
  entries := entries || app.reversals(v_after, v_settlement.rate, p_facts.grants);

  v_buyer := app.member_index(v_state, v_before.uid);
  if v_after.queue_base = 0 and v_settlement.place_freed_at is null then
    cycles := array(
      select c from unnest((app.decide_cycles(
        array[('free', v_before.id, v_buyer, null, null, null, null, null, null, null, null, null)::app.order_facts],
        v_state.members, v_state.cycles, v_state.plans
      )).cycles) as c
      where c.placed <> 0
    );
  end if;

  v_step := app.is_counted(v_after.queue_units, v_after.refund_status, v_after.below_minimum)::integer
    - app.is_counted(v_before.queue_units, v_before.refund_status, v_before.below_minimum)::integer;
  if v_step <> 0 and v_settlement.state in ('settled', 'imported') then
    members := (app.decide_levels(
      array[('count', v_buyer, v_before.id, 0, null,
        v_step, null, null, null, null, null)::app.tree_event],
      v_state.members, v_state.levels
    )).members;
  end if;
end
$$;

comment on function app.decide_refund is
  'Decides what a refund, a request or its refusal changes: the points that return to the buyer, the entries that make up the difference between what the order '
  'granted and what the rest of it should pay, the place, which is freed if no base is left and the cycle is open, and the task '
  'counts (R8). Levels stay. Returns the entries, the members after it, and the earner''s cycle if the place is freed. An order '
  'that is not settled only returns points. An imported order paid nobody, so nothing is reversed.';

-- sql/4_app/refunds/foreseen_bill.sql
create or replace function app.foreseen_bill(p_entries app.bill_entry[], p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.bill_json(f.row) - 'id' order by f.ordinality), '[]')
  from (
    select e.ordinality, (
      null, e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
      b.brokerage_price + sum(e.brokerage_delta) over up_to, b.frozen_points + sum(e.frozen_delta) over up_to,
      b.available_points + sum(e.available_delta) over up_to,
      e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id, e.withdrawal_id, e.adjustment_id, p_now
    )::app.user_bill as row
    from unnest(p_entries) with ordinality as e
    join app.user_balances as b on b.uid = e.uid
    window up_to as (partition by e.uid order by e.ordinality)
  ) as f
$$;

comment on function app.foreseen_bill is
  'Returns bill entries that are not booked in the form of bill rows: without an id, with the balances that would follow each.';

-- sql/4_app/refunds/insert_refund.sql
-- Precondition: the caller has locked the order.
create or replace function app.insert_refund(
  p_order_id bigint, p_state text, p_items app.refund_item[], p_names_units boolean, p_refund_ref text, p_reason text, p_now timestamptz
)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
  v_position bigint := nextval('app.positions');
begin
  insert into app.refunds (
    order_id, state, refund_ref, reason, amount, points, names_units, created_at, decided_at, position, decided_position
  )
  values (
    p_order_id, p_state, p_refund_ref, coalesce(p_reason, ''), app.refund_amount(p_order_id, p_items),
    app.refund_points(p_order_id, p_items), p_names_units, p_now, case when p_state <> 'requested' then p_now end, v_position, case when p_state <> 'requested' then v_position end
  )
  returning * into v_refund;
  insert into app.refund_lines (refund_id, line_id, quantity)
  select v_refund.id, i.line_id, i.quantity from unnest(p_items) as i;
  return v_refund;
end
$$;

comment on function app.insert_refund is
  'Inserts a refund in the given state with its lines, the amount and the points of its units, and returns it. p_names_units tells whether '
  'the caller named the units.';

-- sql/4_app/refunds/load_refund.sql
-- Precondition: the caller has locked the structure and the order, unless p_locks is false.
-- Locks: balances by uid.
create or replace function app.load_refund(
  p_order app.orders, p_items app.refund_item[], p_is_requested boolean, p_locks boolean default true
)
returns app.refund_facts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_facts app.refund_facts;
begin
  v_facts.before := p_order;
  v_facts.after := app.order_with_refund(p_order, p_items, p_is_requested);
  v_facts.settlement := (select s from app.settlements as s where s.order_id = p_order.id);
  v_facts.state := app.load_state(
    array[p_order.uid],
    p_also => array(
      select l.uid from app.user_bill as l where l.order_id = p_order.id
      union
      select p_order.uid where p_order.points_left > 0
      union
      select s.earner_uid from app.settlements as s where s.order_id = p_order.id and s.earner_uid is not null
    ),
    p_locks => p_locks
  );
  v_facts.grants := array(select g from app.remaining_grants(p_order.id) as g order by g.bill_id);
  return v_facts;
end
$$;

comment on function app.load_refund is
  'Locks the members concerned and reads what decide_refund needs (the first step of the engine). p_items are the refunded '
  'units; p_is_requested tells whether a request is open afterwards; with p_locks false it only reads.';

-- sql/4_app/refunds/lock_for_refund.sql
-- Locks: structure (shared), the order.
-- Raises: order_not_found, order_state_conflict.
create or replace function app.lock_for_refund(p_order_id bigint)
returns app.orders
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  perform app.require_paid(v_order);
  return v_order;
end
$$;

comment on function app.lock_for_refund is 'Locks the structure (shared) and a paid order, and returns the order.';

-- sql/4_app/refunds/named_refund_items.sql
-- Precondition: the caller has locked the order, unless it is a preview.
-- Raises: invalid_argument, refund_exceeds_order.
create or replace function app.named_refund_items(p_order_id bigint, p_lines jsonb)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if jsonb_typeof(p_lines) <> 'array' or jsonb_array_length(p_lines) not between 1 and 50 then
    perform app.fail('invalid_argument', 'A refund has between 1 and 50 lines.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    where jsonb_typeof(i.value) <> 'object' or coalesce(i.value ->> 'line_id', '') !~ '^[0-9]{1,18}$'
      or coalesce(i.value ->> 'quantity', '') !~ '^[1-9][0-9]{0,3}$'
  ) then
    perform app.fail('invalid_argument', 'Every line of a refund needs a line_id and a quantity between 1 and 9999.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i group by (i.value ->> 'line_id')::bigint having count(*) > 1
  ) then
    perform app.fail('invalid_argument', 'A refund may contain each line only once.');
  elsif exists (
    select from jsonb_array_elements(p_lines) as i
    left join app.order_lines as l on l.id = (i.value ->> 'line_id')::bigint and l.order_id = p_order_id
    where l.id is null or (i.value ->> 'quantity')::integer > l.quantity - l.refunded_quantity
  ) then
    perform app.fail('refund_exceeds_order', 'The refund contains units that the order does not have or that were already refunded.');
  end if;
  return array(
    select ((i.value ->> 'line_id')::bigint, (i.value ->> 'quantity')::integer)::app.refund_item from jsonb_array_elements(p_lines) as i
  );
end
$$;

comment on function app.named_refund_items is
  'Returns the units that p_lines names, [{"line_id", "quantity"}], after checking them against what is left of each line.';

-- sql/4_app/refunds/order_with_refund.sql
create or replace function app.order_with_refund(p_order app.orders, p_items app.refund_item[], p_is_requested boolean)
returns app.orders
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := p_order;
begin
  select
    coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded_quantity + r.quantity)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded_quantity - r.quantity) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded_quantity - r.quantity) = 0 then 2
      when p_is_requested then 1
      when sum(l.refunded_quantity + r.quantity) > 0 then 3
      else 0
    end,
    sum(app.points_left(l.points, l.quantity, l.refunded_quantity + r.quantity))
  into v_order.queue_base, v_order.queue_units, v_order.refund_status, v_order.points_left
  from app.order_lines as l
  cross join lateral (
    select coalesce((select i.quantity from unnest(p_items) as i where i.line_id = l.id), 0) as quantity
  ) as r
  where l.order_id = p_order.id;
  return v_order;
end
$$;

comment on function app.order_with_refund is
  'Returns an order as it is after a refund of these units: what is left of its queue goods and of its points, and its refund status. '
  'p_is_requested tells whether a request is open then.';

-- sql/4_app/refunds/preview_refund.sql
-- Raises: order_not_found, order_state_conflict, refund_exceeds_order, invalid_argument.
create or replace function app.preview_refund(p_order_id bigint, p_lines jsonb, p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_decision record;
begin
  select o.* into v_order from app.orders as o where o.id = p_order_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  perform app.require_paid(v_order);
  v_items := app.refund_items(p_order_id, p_lines, true);
  v_facts := app.load_refund(v_order, v_items, false, p_locks => false);
  v_decision := app.decide_refund(v_facts);
  return jsonb_build_object(
    'amount', app.refund_amount(p_order_id, v_items)::text, 'points', trim_scale(v_order.points_left - (v_facts.after).points_left),
    'refund_status', (v_facts.after).refund_status, 'is_imported', v_order.is_imported,
    'reversals', app.foreseen_bill(v_decision.entries, app.effect_time(p_now)),
    'reopened_place', case when cardinality(v_decision.cycles) > 0 then jsonb_build_object(
      'uid', (v_facts.settlement).earner_uid, 'cycle_no', (v_facts.settlement).cycle_no, 'place', (v_facts.settlement).place
    ) end,
    'counts', coalesce((
      select jsonb_agg(jsonb_build_object('uid', a.uid, 'before', app.counters_json(b), 'after', app.counters_json(a)) order by a.uid)
      from unnest(v_decision.members) as a
      join unnest((v_facts.state).members) as b on b.uid = a.uid
      where app.counters_json(a) <> app.counters_json(b)
    ), '[]')
  );
end
$$;

comment on function app.preview_refund is
  'Returns what refunding these units now would pay back, reverse and for whom, which place it would free, and whose task counts it would '
  'change: the decision of refund_order, without booking it. Bill rows in the preview have no id.';

-- sql/4_app/refunds/refund_amount.sql
create or replace function app.refund_amount(p_order_id bigint, p_items app.refund_item[])
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(
    app.amount_left(l.paid, l.quantity, l.refunded_quantity) - app.amount_left(l.paid, l.quantity, l.refunded_quantity + i.quantity)
  )
  from unnest(p_items) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
$$;

comment on function app.refund_amount is 'Returns what these units of an order cost, without freight and without what points paid. Money, 2 decimals.';

-- sql/4_app/refunds/refund_items.sql
-- Precondition: the caller has locked the order, unless it is a preview.
-- Raises: invalid_argument, refund_exceeds_order (also if nothing is left).
create or replace function app.refund_items(p_order_id bigint, p_lines jsonb, p_takes_request boolean)
returns app.refund_item[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_items app.refund_item[];
begin
  if p_lines is not null then
    return app.named_refund_items(p_order_id, p_lines);
  end if;
  if p_takes_request then
    v_items := array(
      select (i.line_id, i.quantity)::app.refund_item
      from app.refunds as r join app.refund_lines as i on i.refund_id = r.id
      where r.order_id = p_order_id and r.state = 'requested'
    );
  end if;
  if coalesce(cardinality(v_items), 0) = 0 then
    v_items := array(
      select (l.id, l.quantity - l.refunded_quantity)::app.refund_item from app.order_lines as l
      where l.order_id = p_order_id and l.quantity > l.refunded_quantity
      order by l.id
    );
  end if;
  if cardinality(v_items) = 0 then
    perform app.fail('refund_exceeds_order', 'Nothing of this order is left to refund.');
  end if;
  return v_items;
end
$$;

comment on function app.refund_items is
  'Returns the units that a refund is about, checked against what is left of the order: the units of p_lines, [{"line_id", '
  '"quantity"}]; else, with p_takes_request, those of the open request; else all that is left.';

-- sql/4_app/refunds/refund_json.sql
create or replace function app.refund_json(p_refund app.refunds)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_refund.id, 'order_id', p_refund.order_id, 'state', p_refund.state, 'reason', p_refund.reason,
    'amount', p_refund.amount::text, 'points', trim_scale(p_refund.points), 'created_at', app.utc(p_refund.created_at), 'decided_at', app.utc(p_refund.decided_at),
    'is_imported', (select o.is_imported from app.orders as o where o.id = p_refund.order_id),
    'provider_state', (
      select r.state from app.provider_refunds as r where r.refund_id = p_refund.id order by r.id desc limit 1
    ),
    'lines', (
      select jsonb_agg(jsonb_build_object('line_id', l.line_id, 'quantity', l.quantity) order by l.line_id)
      from app.refund_lines as l where l.refund_id = p_refund.id
    )
  )
$$;

comment on function app.refund_json is 'Returns a refund with its lines as the API shows it, and how it stands at the provider of the payment.';

grant execute on function app.refund_json(app.refunds) to authenticated, store_admin;

-- sql/4_app/refunds/refund_order.sql
-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Raises: order_not_found, order_state_conflict, refund_exceeds_order, refund_reference_used, invalid_argument.
-- Idempotent with p_refund_ref: the same reference and units return the same refund. Without it, a repeated call refunds only
-- units that are left.
create or replace function app.refund_order(p_order_id bigint, p_lines jsonb, p_refund_ref text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if char_length(p_refund_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A refund reference has between 1 and 128 characters.');
  end if;
  select r.* into v_refund from app.refunds as r where r.order_id = p_order_id and r.refund_ref = p_refund_ref;
  if found then
    return app.replay_refund(v_refund, p_lines);
  end if;
  v_items := app.refund_items(p_order_id, p_lines, true);
  if v_order.state = 'paid' then
    perform app.return_stock(p_order_id, v_items);
  end if;
  v_facts := app.load_refund(v_order, v_items, false);
  v_now := app.effect_time(p_now);

  v_refund := app.complete_refund(p_order_id, v_items, p_lines is not null, p_refund_ref, v_now);
  perform app.refund_at_provider(v_refund, v_now);
  perform app.book_refund_effects(v_facts, v_refund.decided_position, v_now);
  if (v_facts.settlement).order_id is null and v_order.has_queue_goods and (v_facts.after).queue_units = 0 then
    perform app.settle_order(p_order_id, v_now);
  end if;
  return v_refund;
end
$$;

comment on function app.refund_order is
  'Refunds units of an order and returns the refund: the units of p_lines, else those of the open request, else all that is '
  'left. The points that paid for the units return to the buyer. Books the difference between what the order granted and what the rest of it should pay. If no base is left, the '
  'place is free again, unless the cycle is complete. An order that is not settled and has no queue goods left is settled as refunded. Levels '
  'stay. Units that have not left the store go back to the stock. The provider of the payment is asked to pay the money back.';

-- sql/4_app/refunds/refund_points.sql
create or replace function app.refund_points(p_order_id bigint, p_items app.refund_item[])
returns numeric
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select sum(
    app.points_left(l.points, l.quantity, l.refunded_quantity) - app.points_left(l.points, l.quantity, l.refunded_quantity + i.quantity)
  )
  from unnest(p_items) as i
  join app.order_lines as l on l.id = i.line_id and l.order_id = p_order_id
$$;

comment on function app.refund_points is 'Returns the points that these units of an order return to the buyer. Points, 4 decimals.';

-- sql/4_app/refunds/refund_state.sql
-- Locks: structure (shared), then the order, in the order in which refunds lock them, so that the state does not change before
-- the action.
-- Raises: order_not_found.
create or replace function app.refund_state(p_order_id bigint)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.lock_structure_shared();
  v_order := app.lock_order(p_order_id);
  return jsonb_build_object(
    'refund_status', v_order.refund_status,
    'refunded', (select coalesce(sum(r.amount), 0.00)::text from app.refunds as r where r.order_id = p_order_id and r.state = 'refunded'),
    'points_left', trim_scale(v_order.points_left),
    'requests', (select count(*) from app.refunds as r where r.order_id = p_order_id and r.state = 'requested')
  );
end
$$;

comment on function app.refund_state is 'Returns how far an order is refunded, for the record of administrative actions.';

-- sql/4_app/refunds/refunds_json.sql
create or replace function app.refunds_json(p_order_id bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(jsonb_agg(app.refund_json(r) order by r.id desc), '[]') from app.refunds as r where r.order_id = p_order_id
$$;

comment on function app.refunds_json is 'Returns all refunds of an order that the caller may read, newest first.';

grant execute on function app.refunds_json(bigint) to authenticated, store_admin;

-- sql/4_app/refunds/refuse_refund.sql
-- Locks: structure (shared), the order, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, refund_not_found.
-- Idempotent in effect: a second call raises refund_not_found and changes nothing.
create or replace function app.refuse_refund(p_order_id bigint, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders := app.lock_for_refund(p_order_id);
  v_facts app.refund_facts := app.load_refund(v_order, '{}', false);
  v_now timestamptz := app.effect_time(p_now);
  v_refund app.refunds;
begin
  update app.refunds as r set state = 'refused', decided_at = v_now, decided_position = nextval('app.positions')
  where r.order_id = p_order_id and r.state = 'requested'
  returning r.* into v_refund;
  if not found then
    perform app.fail('refund_not_found', 'This order has no open refund request.');
  end if;
  perform app.book_refund_effects(v_facts, v_refund.decided_position, v_now);
  return v_refund;
end
$$;

comment on function app.refuse_refund is
  'Refuses the open refund request of an order and returns it; the order counts for tasks as before (R8).';

-- sql/4_app/refunds/remaining_grants.sql
create or replace function app.remaining_grants(p_order_id bigint)
returns setof app.remaining_grant
language sql
stable
rows 10
set search_path = pg_catalog, pg_temp
as $$
  select
    l.id, l.uid, l.type, l.source, l.rate, l.agent_level,
    l.brokerage_delta + l.frozen_delta + coalesce((
      select sum(r.brokerage_delta + r.frozen_delta + r.available_delta)
      from app.user_bill as r
      where r.order_id = p_order_id and r.reverses_id = l.id
    ), 0),
    b.frozen_points
  from app.user_bill as l
  join app.user_balances as b on b.uid = l.uid
  where l.order_id = p_order_id and l.reverses_id is null and app.is_earned(l.type)
$$;

comment on function app.remaining_grants is 'Returns every grant of an order with what is left of it: granted less reversed.';

-- sql/4_app/refunds/replay_refund.sql
-- Raises: refund_reference_used.
create or replace function app.replay_refund(p_refund app.refunds, p_lines jsonb)
returns app.refunds
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_same boolean;
begin
  if p_lines is null then
    v_is_same := not p_refund.names_units;
  else
    v_is_same := (
      select jsonb_agg(jsonb_build_array(i.value ->> 'line_id', i.value ->> 'quantity') order by i.value ->> 'line_id')
      from jsonb_array_elements(case jsonb_typeof(p_lines) when 'array' then p_lines else '[]' end) as i
    ) is not distinct from (
      select jsonb_agg(jsonb_build_array(l.line_id::text, l.quantity::text) order by l.line_id::text)
      from app.refund_lines as l where l.refund_id = p_refund.id
    );
  end if;
  if not v_is_same then
    perform app.fail('refund_reference_used', 'Another refund of this order has this reference.');
  end if;
  return p_refund;
end
$$;

comment on function app.replay_refund is
  'Returns the refund that was carried out before under the same reference, for a repeated request. Raises an error if the '
  'request names other units, or names none where the first one named some.';

-- sql/4_app/refunds/request_refund.sql
-- Locks: structure (shared), the order, balances by uid.
-- Raises: order_not_found, order_state_conflict, refund_state_conflict, refund_exceeds_order, invalid_argument.
-- Idempotent in effect while the request is open: another one raises refund_state_conflict and changes nothing.
create or replace function app.request_refund(p_order_id bigint, p_lines jsonb, p_reason text, p_now timestamptz)
returns app.refunds
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_items app.refund_item[];
  v_facts app.refund_facts;
  v_refund app.refunds;
  v_now timestamptz;
begin
  if char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A reason has at most 500 characters.');
  end if;
  v_order := app.lock_for_refund(p_order_id);
  if v_order.refund_status = 1 then
    perform app.fail('refund_state_conflict', 'This order already has a refund request that is not decided yet.');
  end if;
  v_items := app.refund_items(p_order_id, p_lines, false);
  v_facts := app.load_refund(v_order, '{}', true);
  v_now := app.effect_time(p_now);
  v_refund := app.insert_refund(p_order_id, 'requested', v_items, p_lines is not null, null, p_reason, v_now);
  perform app.book_refund_effects(v_facts, v_refund.position, v_now);
  return v_refund;
end
$$;

comment on function app.request_refund is
  'Requests a refund of the units in p_lines (null: all that is left) and returns it. The order does not count for tasks while '
  'the request is open (R8).';

-- sql/4_app/refunds/require_paid.sql
-- Raises: order_state_conflict.
create or replace function app.require_paid(p_order app.orders)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_order.paid_at is null then
    perform app.fail('order_state_conflict', 'Only a paid order can be refunded.');
  end if;
end
$$;

comment on function app.require_paid is 'Raises an error if an order was not paid.';

-- sql/4_app/refunds/reversals.sql
create or replace function app.reversals(p_order app.orders, p_rate numeric, p_grants app.remaining_grant[])
returns app.bill_entry[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select g.*, l.basis as basis_left, g.type = 'brokerage' as is_money, g.remaining - app.grant_amount(g.type, l.basis, g.rate) as excess
    from unnest(p_grants) as g
    cross join lateral (
      select app.basis_left(g.type, g.source, p_order.queue_base, p_order.queue_units, p_rate) as basis
    ) as l
  ),
  split as (
    select d.*, least(d.excess, greatest(
      d.frozen_points - coalesce(sum(d.excess) filter (where not d.is_money) over earlier, 0), 0
    )) as from_frozen
    from due as d
    window earlier as (partition by d.uid order by d.bill_id rows between unbounded preceding and 1 preceding)
  )
  select coalesce(array_agg((
    x.uid, case when x.is_money then 'brokerage_reversal' else 'frozen_points_reversal' end, x.source,
    case when x.is_money then -x.excess else 0 end,
    case when x.is_money then 0 else -x.from_frozen end,
    case when x.is_money then 0 else x.from_frozen - x.excess end,
    p_order.id, x.basis_left, x.rate, x.agent_level, null, x.bill_id, null, null
  )::app.bill_entry order by x.bill_id), '{}')
  from split as x
  where x.excess > 0
$$;

comment on function app.reversals is
  'Returns the entries that reduce an order''s grants to what the rest of it should pay, at the same place, rate and levels. '
  'Points are taken from the frozen ones first, then from the available ones, which may become negative. A reversal '
  'states the basis that is left: basis times rate is what the member keeps, not what is taken back.';

-- sql/4_app/release/begin_release.sql
-- Locks: the row of the run.
-- Idempotent: a run that continues keeps its record.
-- Records of runs are deleted after a month, so the number of cuts never falls.
create or replace function app.begin_release(p_release_date date, p_is_named boolean, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  insert into app.release_runs as r (release_date, started_at, is_named_only) values (p_release_date, p_now, p_is_named)
  on conflict (release_date) do update set is_named_only = r.is_named_only and excluded.is_named_only,
    cuts = case
      when r.finished_at is null then greatest(r.cuts, app.cuts_of('fsgx_release_frozen_points', r.release_date::text))
      else r.cuts
    end
$$;

comment on function app.begin_release is
  'Records that the release of a business day has started, and how many earlier runs were cut. A run for an explicit day '
  '(p_is_named) does not make the days after it count as missed.';

-- sql/4_app/release/days_to_release.sql
-- A day more than a year ago whose release never began is rejected, because it is probably a mistake.
-- Raises: invalid_argument.
create or replace function app.days_to_release(p_business_day date, p_today date)
returns date[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_business_day > p_today then
    perform app.fail('invalid_argument', format('Business day %s has not come yet; today is %s.', p_business_day, p_today));
  elsif p_business_day < p_today - 366 and not exists (select from app.release_runs as r where r.release_date = p_business_day) then
    perform app.fail('invalid_argument', format('Business day %s is more than a year ago.', p_business_day));
  end if;
  return array(
    select d.day
    from (
      select p_business_day as day where p_business_day is not null
      union
      select g.day::date
      from generate_series(
        coalesce((select min(r.release_date) from app.release_runs as r where not r.is_named_only), p_today)::timestamp,
        p_today::timestamp, interval '1 day'
      ) as g (day)
      where p_business_day is null
      union
      select r.release_date from app.release_runs as r
      where p_business_day is null and r.release_date <= p_today and r.finished_at is null
    ) as d
    where not exists (select from app.release_runs as r where r.release_date = d.day and r.finished_at is not null)
    order by d.day
  );
end
$$;

comment on function app.days_to_release is
  'Returns the business days to release, oldest first: today, every day missed since the first run that named no day, and '
  'every unfinished day; or only p_business_day, if it is unfinished.';

-- sql/4_app/release/end_release.sql
-- A run counts only its own failures: even if a concurrent run failed for other members, this run can finish the day.
-- Locks: the row of the run.
-- Idempotent: a finished day stays as it is.
create or replace function app.end_release(p_release_date date, p_failures integer, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = p_failures, last_error = case when p_failures > 0 then r.last_error end,
      -- A concurrent run with an earlier p_now may end last.
      finished_at = case when p_failures = 0 then greatest(p_now, r.started_at) end
  where r.release_date = p_release_date and r.finished_at is null
$$;

comment on function app.end_release is
  'Records the result of a run that has visited all members of a business day. The day is finished if the run had no failures.';

-- sql/4_app/release/forecast_json.sql
create or replace function app.forecast_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_uid, 'frozen_points', trim_scale(f.frozen), 'members', f.members,
    'half_released_after_days', ceil(ln(0.5) / ln(1 - app.release_rate())),
    'forecast', (
      select jsonb_agg(jsonb_build_object('days', d.days, 'release_points', trim_scale(app.forecast_release(f.frozen, d.days))) order by d.days)
      from unnest(array[1, 30, 365, 3650]) as d (days)
    )
  )
  from (
    select coalesce(sum(b.frozen_points), 0) as frozen, count(*) as members
    from app.user_balances as b
    where (p_uid is null or b.uid = p_uid) and app.release_amount(b.frozen_points) > 0
  ) as f
$$;

comment on function app.forecast_json is
  'Returns the points that will be released within 1, 30, 365 and 3650 days, to one member or, with p_uid null, to all, and '
  'the number of days until half is released. Balances below 0.25 release nothing and are left out.';

-- sql/4_app/release/forecast_release.sql
-- Rounding down every day makes the real sum smaller, by less than 0.0001 a day.
-- Has no set clause, so that the planner can inline it.
create or replace function app.forecast_release(p_frozen_points numeric, p_days integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(greatest(p_frozen_points, 0) * (1 - pg_catalog.power(1 - app.release_rate(), p_days)), app.points_decimals())
$$;

comment on function app.forecast_release is
  'Returns the points that a frozen balance will release within p_days days: the sum of a geometric series with the daily rate '
  'of R11, rounded down to 4 decimals.';

grant execute on function app.forecast_release(numeric, integer) to authenticated, store_admin;

-- sql/4_app/release/frozen_until.sql
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007). A generic query plan, because choosing the
-- partitions for every call takes longer.
create or replace function app.frozen_until(p_uid bigint, p_until timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return coalesce((
    select b.frozen_after from app.user_bill as b
    where b.uid = p_uid and b.add_time < p_until
    order by b.add_time desc, b.id desc
    limit 1
  ), 0);
end
$$;

comment on function app.frozen_until is
  'Returns the frozen points that a member had at p_until: those of their last bill row before it.';

-- sql/4_app/release/note_release_failure.sql
-- Locks: the row of the run.
-- A retry counts the failure again; end_release then sets the final count.
create or replace function app.note_release_failure(p_release_date date, p_uid bigint, p_error text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.release_runs as r
  set failures = r.failures + 1, last_error = left(format('uid %s: %s', p_uid, p_error), 500)
  where r.release_date = p_release_date and r.finished_at is null
$$;

comment on function app.note_release_failure is
  'Records in the run of a business day that the release of one member failed, with the error.';

-- sql/4_app/release/release_candidates.sql
-- Walks the primary key, so that a chunk costs the same whatever the size of the table.
create or replace function app.release_candidates(p_release_date date, p_after_uid bigint, p_limit integer)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
-- With a nested loop, each member costs one lookup in the log; a merge join would also read all earlier days of these members.
set enable_mergejoin = off
set enable_hashjoin = off
as $$
  select array(
    select b.uid
    from app.user_balances as b
    where b.uid > p_after_uid and app.release_amount(b.frozen_points) > 0
      and not exists (select from app.points_release_log as l where l.uid = b.uid and l.release_date = p_release_date)
    order by b.uid
    limit p_limit
  )
$$;

comment on function app.release_candidates is
  'Returns the uids of the next p_limit members after p_after_uid who have something to release and no release of that '
  'business day yet.';

-- sql/4_app/release/release_chunk.sql
-- Locks: balances by uid, skipping those that are locked, then the row of the run.
-- Idempotent: see release_members.
create or replace function app.release_chunk(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
  out failures integer, out skipped bigint[]
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_done record;
  v_uid bigint;
begin
  failures := 0;
  skipped := '{}';
  begin
    v_done := app.release_members(p_release_date, p_uids, p_now, p_until);
    update app.release_runs as r set users = r.users + v_done.users, points = r.points + v_done.points
    where r.release_date = p_release_date;
    skipped := v_done.skipped;
    return;
  exception when others then
    if cardinality(p_uids) = 1 then
      perform app.note_release_failure(p_release_date, p_uids[1], format('%s: %s', sqlstate, sqlerrm));
      failures := 1;
      return;
    end if;
  end;
  foreach v_uid in array p_uids loop
    v_done := app.release_chunk(p_release_date, array[v_uid], p_now, p_until);
    failures := failures + v_done.failures;
    skipped := skipped || v_done.skipped;
  end loop;
end
$$;

comment on function app.release_chunk is
  'Releases the points of a chunk of members and adds the result to the record of the run. If the release of one member fails, '
  'the others go on. Returns the number of failures, and the members whose rows another transaction holds, for a retry.';

-- sql/4_app/release/release_frozen_points.sql
-- Members whose rows are locked are retried after all others, so that neither the release nor a settlement waits for the other.
-- After 20 retries the procedure waits for the remaining rows one by one; a member whose row stays locked is a failure.
-- Today, or the named day, is recorded first, so that it is completed later even if this run is cut before it reaches that day.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument.
-- Idempotent, also when it runs concurrently: the log has one row per member and day, and a run that visits all members without
-- a failure finishes the day.
create or replace procedure app.release_frozen_points(
  p_business_day date default null, p_now timestamptz default null, p_chunk integer default 250
)
language plpgsql
as $$
declare
  v_run record;
  v_today pg_catalog.date := app.business_day(app.effect_time(p_now));
  v_days pg_catalog.date[] := app.days_to_release(p_business_day, v_today);
  v_day pg_catalog.date;
  v_until pg_catalog.timestamptz;
  v_uid bigint;
  v_uids bigint[];
  v_skipped bigint[];
  v_again bigint[];
  v_done record;
  v_failures integer;
  -- A transaction that holds one row for too long may hold many: after the first timeout the procedure no longer waits.
  v_waits boolean := true;
begin
  if p_chunk is null or p_chunk not between 1 and 1000 then
    -- With 0, the day would be finished without releasing anybody.
    perform app.fail('invalid_argument', 'A chunk has between 1 and 1000 members.');
  end if;
  v_run := app.begin_run('fsgx_release_frozen_points', p_chunk, p_business_day, p_business_day);
  perform app.begin_release(coalesce(p_business_day, v_today), p_business_day is not null, app.effect_time(p_now));
  commit;
  foreach v_day in array v_days loop
    perform app.begin_release(v_day, p_business_day is not null, app.effect_time(p_now));
    perform app.begin_part(v_run.id, v_day::pg_catalog.text);
    commit;
    v_until := app.release_until(v_day, v_today);
    v_failures := 0;
    v_skipped := '{}';
    v_uids := array[0::bigint];
    loop
      v_uids := app.release_candidates(v_day, v_uids[pg_catalog.cardinality(v_uids)], v_run.batch);
      exit when pg_catalog.cardinality(v_uids) = 0;
      v_done := app.release_chunk(v_day, v_uids, p_now, v_until);
      v_failures := v_failures + v_done.failures;
      v_skipped := v_skipped || v_done.skipped;
      v_run.batch := app.end_batch(v_run.id);
      commit;
    end loop;

    for v_try in 1..20 loop
      exit when pg_catalog.cardinality(v_skipped) = 0;
      perform pg_catalog.pg_sleep(0.02) where v_try > 1;
      v_again := '{}';
      while pg_catalog.cardinality(v_skipped) > 0 loop
        v_done := app.release_chunk(v_day, v_skipped[1:v_run.batch], p_now, v_until);
        v_failures := v_failures + v_done.failures;
        v_again := v_again || v_done.skipped;
        v_skipped := v_skipped[v_run.batch + 1:];
        v_run.batch := app.end_batch(v_run.id);
        commit;
      end loop;
      v_skipped := v_again;
    end loop;

    foreach v_uid in array v_skipped loop
      v_waits := v_waits and app.wait_for_balance(v_uid);
      v_done := app.release_chunk(v_day, array[v_uid], p_now, v_until);
      v_failures := v_failures + v_done.failures + pg_catalog.cardinality(v_done.skipped);
      perform app.note_release_failure(v_day, v_uid, 'another transaction holds the row') where pg_catalog.cardinality(v_done.skipped) > 0;
      commit;
    end loop;

    perform app.end_release(v_day, v_failures, app.effect_time(p_now));
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.release_frozen_points is
  'Releases frozen points (R11) for today, every missed and every unfinished business day, oldest first, or only for '
  'p_business_day. Each member gets one release per day, in chunks of p_chunk members with a commit each. A day with failures '
  'stays unfinished and does not stop other days; the next run completes it first.';

-- sql/4_app/release/release_json.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.release_json(p_row app.points_release_log, p_nickname text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id, 'uid', p_row.uid, 'nickname', p_nickname, 'frozen_before', pg_catalog.trim_scale(p_row.frozen_before),
    'release_points', pg_catalog.trim_scale(p_row.release_points), 'frozen_after', pg_catalog.trim_scale(p_row.frozen_after),
    'release_date', p_row.release_date, 'add_time', app.utc(p_row.add_time)
  )
$$;

comment on function app.release_json is 'Returns a row of the release log as the API shows it.';

grant execute on function app.release_json(app.points_release_log, text) to store_admin;

-- sql/4_app/release/release_members.sql
-- The log row is inserted first: its primary key makes a second release of the day a no-op.
-- Locks: balances by uid, skipping those that are locked.
-- Idempotent: members with a log row of the day are left out.
create or replace function app.release_members(
  p_release_date date, p_uids bigint[], p_now timestamptz, p_until timestamptz default null,
  out users integer, out points numeric, out skipped bigint[]
)
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with locked as (
    select b.uid, b.frozen_points
    from app.user_balances as b
    where b.uid = any (p_uids)
    order by b.uid
    for update skip locked
  ),
  -- Materialized, so that the balance at p_until is read once for each member.
  due as materialized (
    select
      l.uid, l.frozen_points,
      case when p_until is null then l.frozen_points else least(l.frozen_points, app.frozen_until(l.uid, p_until)) end as basis
    from locked as l
  ),
  released as (
    insert into app.points_release_log (uid, release_date, frozen_before, release_points, frozen_after, add_time)
    select d.uid, p_release_date, d.frozen_points, a.amount, d.frozen_points - a.amount, coalesce(p_now, clock_timestamp())
    from due as d
    cross join lateral (select app.release_amount(d.basis) as amount) as a
    where a.amount > 0
    order by d.uid
    on conflict do nothing
    returning uid, release_points, add_time
  ),
  moved as (
    update app.user_balances as b
    set frozen_points = b.frozen_points - r.release_points, available_points = b.available_points + r.release_points
    from released as r
    join due as d on d.uid = r.uid
    where b.uid = r.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points, r.release_points, d.basis, r.add_time
  ),
  billed as (
    insert into app.user_bill (
      uid, type, source, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, basis, rate, add_time
    )
    select
      m.uid, 'frozen_points_release', 'release', -m.release_points, m.release_points,
      m.brokerage_price, m.frozen_points, m.available_points, m.basis, app.release_rate(), m.add_time
    from moved as m
    order by m.uid
  )
  select
    (select count(*)::integer from released),
    (select coalesce(sum(r.release_points), 0) from released as r),
    array(select c.uid from unnest(p_uids) as c (uid) where not exists (select from locked as l where l.uid = c.uid))
$$;

comment on function app.release_members is
  'Releases the frozen points of the given members for one business day (R11). Returns the number of members, the sum of the '
  'points, and the members who were skipped because another transaction holds their rows. With p_until, the end of a missed day, '
  'the base is the smaller of the balances then and now, so that points granted later do not count. With p_now null, each '
  'release is dated at the time when its row is locked.';

-- sql/4_app/release/release_until.sql
create or replace function app.release_until(p_release_date date, p_today date)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select (p_release_date + 1)::timestamp at time zone s.time_zone from app.settings as s where p_release_date < p_today
$$;

comment on function app.release_until is
  'Returns the end of a missed business day, up to which balances count for its release, or null for today, whose release uses '
  'the current balances.';

-- sql/4_app/release/wait_for_balance.sql
-- Locks: the balance.
create or replace function app.wait_for_balance(p_uid bigint)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '10s'
as $$
begin
  perform app.lock_balances(array[p_uid]);
  return true;
exception when lock_not_available then
  return false;
end
$$;

comment on function app.wait_for_balance is
  'Locks a member''s balance, waits for it at most ten seconds, and returns whether it got the lock.';

-- sql/4_app/rules/amount_left.sql
-- Rounds once, from the whole amount, so that every sequence of partial refunds ends at the same sum.
-- Has no set clause, so that the planner can inline it.
create or replace function app.amount_left(p_paid numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_paid * (p_quantity - p_refunded_quantity) / p_quantity, app.money_decimals())
$$;

comment on function app.amount_left is
  'Returns what is left of an amount paid for p_quantity units after p_refunded_quantity of them were refunded. Money, 2 '
  'decimals.';

-- sql/4_app/rules/barring_reason.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.barring_reason(
  p_units integer, p_base numeric, p_below_minimum boolean, p_referrer_uid bigint, p_is_imported boolean
)
returns text
language sql
immutable
parallel safe
as $$
  select case
    when p_is_imported then 'imported'
    when p_units = 0 then 'refunded'
    when p_below_minimum then 'below_minimum'
    when p_base = 0 then 'zero_base'
    when p_referrer_uid is null then 'no_referrer'
  end
$$;

comment on function app.barring_reason is
  'Returns why an order pays nobody, whoever is above its buyer, or null if it may pay (R1).';

-- sql/4_app/rules/basis_left.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.basis_left(p_type text, p_source text, p_base numeric, p_units integer, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select case
    when p_base = 0 then 0
    when p_type = 'brokerage' then p_base
    when p_source = 'cycle' then app.cycle_commission(p_base, p_rate)
    else p_units
  end
$$;

comment on function app.basis_left is
  'Returns the basis that is left of a grant when p_base and p_units are left of an order: the base for commission, the '
  'commission at p_rate for commission points, the units for points by level. A base of zero leaves nothing.';

-- sql/4_app/rules/business_day.sql
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function app.business_day(p_at timestamptz)
returns date
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (select (p_at at time zone s.time_zone)::date from app.settings as s);
end
$$;

comment on function app.business_day is 'Returns the business day of a point in time, in the time zone of the store.';

grant execute on function app.business_day(timestamptz) to authenticated, store_admin;

-- sql/4_app/rules/commission_points.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.commission_points(p_commission numeric, p_points_per_brokerage numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_commission * p_points_per_brokerage, app.points_decimals())
$$;

comment on function app.commission_points is
  'Returns the frozen points that come with a commission (R3): the commission times the plan''s points per 1.00. Points, 4 '
  'decimals.';

-- sql/4_app/rules/cycle_commission.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.cycle_commission(p_base numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_base * p_rate, app.money_decimals())
$$;

comment on function app.cycle_commission is
  'Returns the commission of one order (R1): the base times the rate, which is the ratio of the place, or a lower payout cap. Money, 2 decimals.';

-- sql/4_app/rules/grant_amount.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.grant_amount(p_type text, p_basis numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_basis * p_rate, case p_type when 'brokerage' then app.money_decimals() else app.points_decimals() end)
$$;

comment on function app.grant_amount is
  'Returns the amount of a grant: its basis times its rate, rounded down to 2 decimals for commission and 4 for points.';

-- sql/4_app/rules/is_below_minimum.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.is_below_minimum(p_base numeric, p_minimum_base numeric)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_base < p_minimum_base
$$;

comment on function app.is_below_minimum is
  'Returns whether the base of an order at payment is below the minimum base of its plan: such an order pays nobody and counts for '
  'nothing.';

-- sql/4_app/rules/is_counted.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.is_counted(p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_units > 0 and p_refund_status in (0, 3) and not p_below_minimum
$$;

comment on function app.is_counted is
  'Returns whether a settled order counts for the tasks of its buyer''s upline (R8): some of its queue goods are left, no '
  'refund is requested or complete, and its base was not below the minimum.';

-- sql/4_app/rules/is_earned.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.is_earned(p_type text)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_type in (
    'brokerage', 'brokerage_reversal', 'frozen_points_brokerage', 'frozen_points_reversal', 'frozen_points_release', 'opening_balance'
  )
$$;

comment on function app.is_earned is
  'Returns whether bill rows of a type count towards total_brokerage and total_points_earned. What a member withdraws or spends, '
  'and what an administrator adjusts, does not. A release adds nothing, because it takes as many frozen points as it gives.';

grant execute on function app.is_earned(text) to authenticated, store_admin;

-- sql/4_app/rules/is_reported.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.is_reported(p_paid_at timestamptz, p_units integer, p_refund_status smallint, p_below_minimum boolean)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_paid_at is not null and p_units > 0 and p_refund_status <> 2 and not p_below_minimum
$$;

comment on function app.is_reported is
  'Returns whether an order is a reported order (R4): paid, with queue goods of which something is left, not refunded, and not '
  'below the minimum base.';

-- sql/4_app/rules/level_points.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.level_points(p_points_per_unit numeric, p_units integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points_per_unit * p_units, app.points_decimals())
$$;

comment on function app.level_points is
  'Returns the frozen points for units of queue goods (R6), from the points per unit. Points, 4 decimals.';

-- sql/4_app/rules/lock_number.sql
-- Has no set clause, so that the planner can inline it. With a constant name it costs nothing at run time.
-- Advisory locks ignore null, so an unknown name would lock nothing: test/db/rules/numbers_every_advisory_lock.test.sql.
create or replace function app.lock_number(p_lock text)
returns integer
language sql
immutable
parallel safe
as $$
  select case p_lock
    when 'structure' then 74010001
    when 'balances' then 74010002
    when 'unverified_notifications' then 74010003
    when 'idempotency_key' then 74010004
    when 'unpaid_orders' then 74010005
    when 'addresses' then 74010006
    when 'team_totals' then 74010007
    when 'import' then 74010008
  end
$$;

comment on function app.lock_number is
  'Returns the number of an advisory lock of the store: structure (the referral tree), balances (the queue before balance rows), '
  'unverified_notifications, idempotency_key, unpaid_orders, addresses, team_totals or import.';

-- sql/4_app/rules/matures_at.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.matures_at(p_received_at timestamptz, p_settled_at timestamptz, p_holding_days integer)
returns timestamptz
language sql
immutable
parallel safe
as $$
  select case when p_received_at is not null then greatest(p_received_at, p_settled_at) + p_holding_days * interval '24 hours' end
$$;

comment on function app.matures_at is
  'Returns when the commission of an order matures: p_holding_days after the later of receipt and settlement. Null for an order '
  'that is not received: its commission never matures before.';

-- sql/4_app/rules/meets_next_level.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.meets_next_level(p_member app.tree_member, p_rule app.level_rule)
returns boolean
language sql
immutable
parallel safe
as $$
  select p_rule.next_grade is not null and not p_member.is_held
    and (p_rule.direct_orders is null or p_member.direct_orders >= p_rule.direct_orders)
    and (p_rule.umbrella_orders is null or p_member.umbrella_orders >= p_rule.umbrella_orders)
    and (p_rule.direct_members is null or p_member.direct_members >= p_rule.direct_members)
    and (p_rule.umbrella_members is null or p_member.umbrella_members >= p_rule.umbrella_members)
$$;

comment on function app.meets_next_level is
  'Returns whether a member has met all tasks of the next grade (R5, R8) and may rise; a held level does not rise.';

-- sql/4_app/rules/money_decimals.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.money_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 2
$$;

comment on function app.money_decimals is 'Returns the number of decimals of money.';

-- sql/4_app/rules/money_of_points.sql
-- Exact: a rounded quotient of two large numbers could be one cent too high.
-- Has no set clause, so that the planner can inline it.
create or replace function app.money_of_points(p_points numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_points * 100, p_rate) * 0.01
$$;

comment on function app.money_of_points is
  'Returns the money that points pay at p_rate points for 1.00, rounded down. Money, 2 decimals. The points taken for it are that '
  'money times the rate, which is exact: the rate has 2 decimals.';

-- sql/4_app/rules/money_share.sql
-- Exact, as app.money_of_points.
-- Has no set clause, so that the planner can inline it.
create or replace function app.money_share(p_money numeric, p_part numeric, p_whole numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.div(p_money * p_part * 100, p_whole) * 0.01
$$;

comment on function app.money_share is
  'Returns the share of an amount that p_part has in p_whole, rounded down. Money, 2 decimals.';

-- sql/4_app/rules/page_read_limit.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.page_read_limit()
returns integer
language sql
immutable
parallel safe
as $$
  select 10000
$$;

comment on function app.page_read_limit is
  'Returns how many members or orders one page of a team list may read before it returns a cursor.';

-- sql/4_app/rules/points_decimals.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.points_decimals()
returns integer
language sql
immutable
parallel safe
as $$
  select 4
$$;

comment on function app.points_decimals is 'Returns the number of decimals of points.';

grant execute on function app.points_decimals() to authenticated, store_admin;

-- sql/4_app/rules/points_left.sql
-- Rounds once, from the whole amount, as app.amount_left.
-- Has no set clause, so that the planner can inline it.
create or replace function app.points_left(p_points numeric, p_quantity integer, p_refunded_quantity integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_points * (p_quantity - p_refunded_quantity) / p_quantity, app.points_decimals())
$$;

comment on function app.points_left is
  'Returns what is left of the points that paid for p_quantity units after p_refunded_quantity of them were refunded. Points, 4 '
  'decimals.';

-- sql/4_app/rules/release_amount.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.release_amount(p_frozen_points numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_frozen_points * app.release_rate(), app.points_decimals())
$$;

comment on function app.release_amount is
  'Returns what one day releases of a frozen balance (R11). Points, 4 decimals; 0 for balances below 0.25.';

grant execute on function app.release_amount(numeric) to authenticated, store_admin;

-- sql/4_app/rules/release_rate.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.release_rate()
returns numeric
language sql
immutable
parallel safe
as $$
  select 0.0004
$$;

comment on function app.release_rate is 'Returns the daily release rate of R11: 0.0004, which is 0.4 per thousand.';

grant execute on function app.release_rate() to authenticated, store_admin;

-- sql/4_app/rules/round_down.sql
-- Has no set clause, so that the planner can inline it; pg_catalog is always searched first.
create or replace function app.round_down(p_value numeric, p_decimals integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select pg_catalog.trunc(p_value, p_decimals)
$$;

comment on function app.round_down is 'Rounds towards zero. Money has 2 decimals, points have 4.';

grant execute on function app.round_down(numeric, integer) to authenticated, store_admin;

-- sql/4_app/rules/sample_size.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.sample_size()
returns integer
language sql
immutable
parallel safe
as $$
  select 200
$$;

comment on function app.sample_size is 'Returns how many settlements app.reconcile() decides again.';

-- sql/4_app/rules/settlement_batch.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.settlement_batch()
returns integer
language sql
immutable
parallel safe
as $$
  select 50
$$;

comment on function app.settlement_batch is 'Returns the number of orders that are settled in one transaction in the background.';

grant execute on function app.settlement_batch() to service_role;

-- sql/4_app/rules/umbrella_share.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.umbrella_share(p_umbrella_points numeric, p_passed_on numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select greatest(p_umbrella_points - p_passed_on, 0)
$$;

comment on function app.umbrella_share is
  'Returns the points per unit of an ancestor (R7): the umbrella points of their level minus the highest umbrella points of the '
  'members between them and the buyer, at least 0. Direct points are never compared. app.decide_levels walks the chain.';

-- sql/4_app/rules/withdrawal_fee.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.withdrawal_fee(p_amount numeric, p_rate numeric)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(p_amount * p_rate, app.money_decimals())
$$;

comment on function app.withdrawal_fee is 'Returns the fee of a withdrawal, rounded down. Money, 2 decimals.';

-- sql/4_app/schedule/apply_schedule.sql
-- It also runs every hour, because the UTC offset of the store's time zone may change.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron. A cluster has pg_cron in one database only, so a
-- clone that was made for a test has none.
-- Idempotent: pg_cron replaces a job of the same name.
create or replace function app.apply_schedule(p_now timestamptz default clock_timestamp())
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_job app.scheduled_jobs;
begin
  if to_regclass('cron.job') is null then
    raise warning 'pg_cron is not installed in this database, so no scheduled job runs.'
      using hint = 'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()';
    return;
  end if;
  for v_job in select j.* from app.scheduled_jobs as j order by j.name loop
    if v_job.is_active then
      execute 'select cron.schedule($1, $2, $3)'
      using v_job.name, app.cron_in_utc(v_job.schedule, (select s.time_zone from app.settings as s), p_now), v_job.command;
    else
      execute 'select cron.unschedule(j.jobname) from cron.job as j where j.jobname = $1' using v_job.name;
    end if;
  end loop;
end
$$;

comment on function app.apply_schedule is
  'Schedules the active jobs of app.scheduled_jobs in pg_cron, with their times in UTC, and unschedules the others. Without '
  'pg_cron it does nothing.';

-- sql/4_app/schedule/begin_part.sql
-- Locks: the row of the run.
create or replace function app.begin_part(p_run bigint, p_part text)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set part = p_part where r.id = p_run
$$;

comment on function app.begin_part is 'Records what a run works on from now on.';

-- sql/4_app/schedule/begin_run.sql
-- The caller commits before its first batch, so that the record remains if the run is cut.
-- A batch that was cut before it could be committed is too large for the statement timeout, so the next run halves it. A run that
-- committed batches before it was cut was long, but its batches were not too large. app.end_batch doubles the size again.
-- Locks: the rows of the runs that were cut.
-- Not idempotent: each call is one more run.
create or replace function app.begin_run(
  p_job text, p_batch integer, p_from_day date default null, p_to_day date default null, out id bigint, out batch integer
)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_halvings smallint;
begin
  perform app.mark_cut_runs(p_job);
  select case when r.cut_at is not null and r.batches = 0 and p_batch >> r.halvings > 1 then r.halvings + 1 else r.halvings end
  into v_halvings
  from app.job_runs as r
  where r.job = p_job and (r.ended_at is not null or r.cut_at is not null)
  order by r.id desc
  limit 1;
  insert into app.job_runs as r (job, from_day, to_day, started_at, usual_batch, halvings, pid, backend_start, query_start)
  select p_job, p_from_day, p_to_day, clock_timestamp(), p_batch, coalesce(v_halvings, 0), a.pid, a.backend_start, a.query_start
  from pg_stat_activity as a
  where a.pid = pg_backend_pid()
  returning r.id into id;
  batch := greatest(p_batch >> coalesce(v_halvings, 0), 1);
end
$$;

comment on function app.begin_run is
  'Records that a run of a scheduled job has started, for which days, and which earlier runs of the job were cut. Returns the number '
  'of the run and the size of its first batch: p_batch, or less if earlier batches were too large for the statement timeout.';

-- sql/4_app/schedule/continue_unfinished_runs.sql
-- Every procedure is called by its name, because a procedure that commits cannot be called by dynamic SQL. A run that is cut here
-- is the latest of its job, so the next call begins with the other jobs.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: case_not_found (a job that is not in the list below).
-- Idempotent, also when it runs concurrently: every job is.
create or replace procedure app.continue_unfinished_runs()
language plpgsql
as $$
declare
  v_run record;
begin
  perform app.mark_cut_runs();
  commit;
  for v_run in select u.job, u.from_day, u.to_day from app.unfinished_runs() as u loop
    case v_run.job
      when 'fsgx_release_frozen_points' then call app.release_frozen_points(v_run.from_day);
      when 'settle_waiting_orders' then call app.drain_settlement_jobs();
      when 'expire_orders' then call app.expire_orders();
      when 'receive_delivered_orders' then call app.receive_delivered_orders();
      when 'sum_team_totals' then call app.sum_team_totals();
      when 'reconcile_bill' then call app.record_reconcile();
      when 'ensure_month_partitions' then call app.ensure_month_partitions(v_run.from_day, v_run.to_day);
      when 'forget_idempotency_keys' then call app.forget_idempotency_keys();
      when 'purge_cron_history' then call app.purge_cron_history();
    end case;
  end loop;
end
$$;

comment on procedure app.continue_unfinished_runs is
  'Records which runs of scheduled jobs were cut, and completes what they left, each for the days that it was called for.';

-- sql/4_app/schedule/create_month_partition.sql
-- The partition is created as a separate table and then attached, so that the parent is never locked against readers or
-- writers; the tables that its foreign keys reference are locked against writers for a moment. Attaching adds the foreign keys.
-- If the new table already had them, attaching would lock the referenced tables against readers, too.
-- The lock timeout is shorter than deadlock_timeout, so a conflict ends with a retry and not with a deadlock error.
-- Locks: the referenced tables, the default partition, the parent.
-- Idempotent: an existing partition is left as it is.
create or replace function app.create_month_partition(p_table text, p_month date)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set lock_timeout = '100ms'
as $$
declare
  v_parent regclass := format('app.%I', p_table)::regclass;
  v_name text := p_table || to_char(p_month, '_YYYYMM');
  v_table text;
begin
  if to_regclass(format('app.%I', v_name)) is not null then
    return true;
  end if;
  -- In the order in which writers lock these tables, and in the mode that attaching needs: upgrading a lock later can deadlock.
  for v_table in
    select format('%s in share row exclusive mode', t.oid::regclass)
    from (select distinct c.confrelid as oid from pg_constraint as c where c.conrelid = v_parent and c.contype = 'f') as t
    order by t.oid desc
  loop
    execute format('lock table %s', v_table);
  end loop;
  execute format('lock table app.%I in access exclusive mode', p_table || '_default');
  execute format('create table app.%I (like %s including all)', v_name, v_parent);
  execute format('alter table app.%I enable row level security', v_name);
  execute format('create trigger it_is_never_emptied before truncate on app.%I for each statement execute function app.refuse_change()', v_name);
  if p_table = 'user_bill' then
    perform app.forbid_late_rows(format('app.%I', v_name)::regclass, c.month, c.begins_at, c.ends_at)
    from app.closed_months as c where c.begins_at < (p_month + interval '1 month') at time zone 'UTC' and c.ends_at > p_month::timestamp at time zone 'UTC';
  end if;
  execute format(
    'alter table %s attach partition app.%I for values from (%L) to (%L)',
    v_parent, v_name,
    case p_table when 'user_bill' then (p_month::timestamp at time zone 'UTC')::text else p_month::text end,
    case p_table when 'user_bill' then ((p_month + interval '1 month') at time zone 'UTC')::text
      else (p_month + interval '1 month')::date::text end
  );
  return true;
exception
  when lock_not_available then
    return false;
  when check_violation then
    raise notice 'app.% stays in the default partition', v_name;
    return true;
end
$$;

comment on function app.create_month_partition is
  'Creates one monthly partition of a table (months in UTC) with its own row-level security, and returns whether that is done. '
  'Returns false if a lock was not available within 0.1 seconds; nothing is left behind then. A month with rows in the default '
  'partition stays there, with a notice. A partition of a closed month rejects late rows, too.';

-- sql/4_app/schedule/cron_in_utc.sql
-- Raises: invalid_argument.
create or replace function app.cron_in_utc(p_schedule text, p_time_zone text, p_now timestamptz)
returns text
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_field text[] := regexp_match(p_schedule, '^(\*|\*/(?:[1-9]|[1-5][0-9])|[0-9]{1,2}) (\*|[0-9]{1,2}) \* \* (\*|[0-6])$');
  v_offset integer := extract(epoch from (p_now at time zone p_time_zone) - (p_now at time zone 'UTC'))::integer / 60;
  v_minute integer;
begin
  if v_field is null
    or (v_field[1] like '*%' and v_field[2] <> '*') or (v_field[2] = '*' and v_field[3] <> '*')
    or (v_field[1] !~ '\*' and v_field[1]::integer > 59) or (v_field[2] <> '*' and v_field[2]::integer > 23)
  then
    perform app.fail('invalid_argument', 'A schedule is "minute hour * * *", "minute hour * * weekday", "minute * * * *" or "*/n * * * *".');
  end if;
  if v_field[1] like '*%' then
    return p_schedule;
  elsif v_field[2] = '*' then
    return format('%s * * * *', (v_field[1]::integer - v_offset % 60 + 60) % 60);
  end if;
  v_minute := v_field[2]::integer * 60 + v_field[1]::integer - v_offset;
  return format(
    '%s %s * * %s', (v_minute + 2880) % 60, (v_minute + 2880) % 1440 / 60,
    case when v_field[3] = '*' then '*' else ((v_field[3]::integer + 7 + floor(v_minute / 1440.0)::integer) % 7)::text end
  );
end
$$;

comment on function app.cron_in_utc is
  'Converts a cron expression from the store''s time zone to UTC, with the offset of that zone at p_now. Supports `M H * * *` '
  '(daily), `M H * * D` (weekly, 0 is Sunday), `M * * * *` (hourly) and `*/N * * * *` (every N minutes).';

-- sql/4_app/schedule/cuts_of.sql
create or replace function app.cuts_of(p_job text, p_part text)
returns integer
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select count(*)::integer from app.job_runs as r where r.job = p_job and r.part = p_part and r.cut_at is not null
$$;

comment on function app.cuts_of is 'Returns how many runs of a job were cut while they worked on this part.';

-- sql/4_app/schedule/end_batch.sql
-- Called in the transaction of the batch, whose duration is that of the transaction so far.
-- A batch of twice the size then takes about half of the limit. With a higher threshold, it could take all of it.
-- Locks: the row of the run.
create or replace function app.end_batch(p_run bigint)
returns integer
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r
  set batches = r.batches + 1,
    halvings = case when l.is_none or clock_timestamp() - transaction_timestamp() < l.duration / 4 then greatest(r.halvings - 1, 0) else r.halvings end
  from (
    select s.duration, s.duration = interval '0' as is_none from (select current_setting('statement_timeout')::interval as duration) as s
  ) as l
  where r.id = p_run
  returning greatest(r.usual_batch >> r.halvings, 1)
$$;

comment on function app.end_batch is
  'Counts a batch of a run and returns the size of the next one: twice the size, up to the usual one, if the batch took less than a '
  'quarter of the statement timeout.';

-- sql/4_app/schedule/end_run.sql
-- Locks: the rows of the run and of the cut runs before it, skipping those that another run completes.
-- Idempotent: a run ends once.
create or replace function app.end_run(p_run bigint)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.job_runs as r set ended_at = clock_timestamp() where r.id = p_run and r.ended_at is null and r.cut_at is null;
  update app.job_runs as r
  set completed_at = clock_timestamp()
  where r.id = any (array(
    select c.id
    from app.job_runs as c
    join app.job_runs as n on n.id = p_run and n.job = c.job and (n.from_day, n.to_day) is not distinct from (c.from_day, c.to_day)
    where c.id < p_run and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    order by c.id
    for update of c skip locked
  ))
$$;

comment on function app.end_run is
  'Records that a run has done all there was to do, and that what earlier runs of the job for the same days left is completed.';

-- sql/4_app/schedule/ensure_month_partitions.sql
-- Each partition is created in its own transaction and retried while other transactions hold its locks, so that no writer waits
-- long.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Raises: invalid_argument, lock_not_available (after some 30 seconds).
-- Idempotent: existing partitions are left as they are.
create or replace procedure app.ensure_month_partitions(p_from date, p_to date)
language plpgsql
as $$
declare
  v_run record;
  v_month pg_catalog.date;
  v_table pg_catalog.text;
  v_is_done boolean;
begin
  if p_from is null or p_to is null or p_from not between '2000-01-01' and '2999-12-31' or p_to not between '2000-01-01' and '2999-12-31' then
    perform app.fail('invalid_argument', 'Partitions are made for months between the years 2000 and 3000.');
  elsif p_to - p_from > 3660 then
    perform app.fail('invalid_argument', 'Partitions are made for at most ten years at a time.');
  end if;
  v_run := app.begin_run('ensure_month_partitions', 1, p_from, p_to);
  commit;
  v_month := pg_catalog.date_trunc('month', p_from::pg_catalog.timestamp)::pg_catalog.date;
  while v_month <= p_to loop
    foreach v_table in array array['user_bill', 'points_release_log'] loop
      for v_try in 1..100 loop
        v_is_done := app.create_month_partition(v_table, v_month);
        perform app.end_batch(v_run.id);
        commit;
        exit when v_is_done;
        -- A random pause, so that retries do not coincide with a writer that returns at regular intervals.
        perform pg_catalog.pg_sleep(0.1 + 0.2 * pg_catalog.random());
      end loop;
      if not v_is_done then
        raise lock_not_available using message = pg_catalog.format('no lock for the partition of app.%s for %s', v_table, v_month);
      end if;
    end loop;
    v_month := (v_month + interval '1 month')::pg_catalog.date;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.ensure_month_partitions is
  'Creates the monthly partitions of the bill and the release log for every month from p_from to p_to. A month whose rows are '
  'already in the default partition stays there.';

-- sql/4_app/schedule/forget_idempotency_keys.sql
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.forget_idempotency_keys()
language plpgsql
as $$
declare
  v_run record := app.begin_run('forget_idempotency_keys', 1000);
begin
  commit;
  while app.forget_old_keys(pg_catalog.clock_timestamp(), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.forget_idempotency_keys is
  'Deletes the stored responses of requests whose idempotency key is older than 24 hours, in batches with a commit each.';

-- sql/4_app/schedule/forget_old_keys.sql
-- Locks: the rows, skipping those that another transaction holds.
-- Idempotent: what is deleted is gone.
create or replace function app.forget_old_keys(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_deleted integer;
begin
  delete from app.idempotency_keys as k
  where k.ctid = any (array(
    select o.ctid from app.idempotency_keys as o where o.created_at < p_now - interval '24 hours' limit p_limit for update skip locked
  ));
  get diagnostics v_deleted = row_count;
  return v_deleted = p_limit;
end
$$;

comment on function app.forget_old_keys is
  'Deletes up to p_limit stored responses of requests whose idempotency key is older than 24 hours, and returns whether more may '
  'be left.';

-- sql/4_app/schedule/is_running.sql
-- What the caller's role may not see of another session is null; such a run counts as running until its process is gone.
create or replace function app.is_running(p_run app.job_runs)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select p_run.ended_at is null and p_run.cut_at is null and exists (
    select from pg_stat_activity as a
    where a.pid = p_run.pid and coalesce(a.backend_start = p_run.backend_start, true)
      and coalesce(a.state = 'active' and a.query_start = p_run.query_start, true)
  )
$$;

comment on function app.is_running is 'Returns whether the statement that started this run is still running.';

-- sql/4_app/schedule/late_jobs.sql
-- The time since a job should have run is measured from its last start, its last change or the start of the server, the latest
-- of the three: the job could not run before.
-- Security definer: client roles may not read the tables of pg_cron.
-- The runs of a job are read by primary key, newest first, so that a job with many runs costs little.
create or replace function app.late_jobs(p_now timestamptz, p_name text default null)
returns table (name text, last_run timestamptz)
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return;
  end if;
  return query execute $sql$
    select j.name, r.last_run
    from app.scheduled_jobs as j
    cross join lateral (
      select (
        select d.start_time from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
        where c.jobname = j.name and d.start_time is not null order by d.runid desc limit 1
      ) as last_run
    ) as r
    cross join lateral (
      select case
        when j.schedule ~ '^\* ' then interval '1 minute'
        when j.schedule ~ '^\*/' then split_part(split_part(j.schedule, ' ', 1), '/', 2)::integer * interval '1 minute'
        when j.schedule ~ '^\S+ \*' then interval '1 hour'
        when j.schedule ~ '\*$' then interval '1 day'
        else interval '7 days'
      end as period
    ) as p
    where j.is_active and ($2 is null or j.name = $2)
      and greatest(r.last_run, j.changed_at, pg_postmaster_start_time()) < $1 - p.period - least(p.period, interval '1 hour') - interval '5 minutes'
    order by j.name
  $sql$ using p_now, p_name;
end
$$;

comment on function app.late_jobs is
  'Returns the active scheduled jobs that did not run when they were due, with the start of their latest run; p_name limits '
  'the result to one job. A job is late if its latest run started more than two periods and five minutes ago; the second period '
  'counts as an hour at most. Without pg_cron, no job is late.';

grant execute on function app.late_jobs(timestamptz, text) to store_admin;

-- sql/4_app/schedule/mark_cut_runs.sql
-- pg_stat_activity is read once in a transaction, so what was read before is forgotten: a run that began since then would look cut.
-- Locks: the rows of the runs, skipping those that another run marks.
-- Idempotent: a run is marked once.
create or replace function app.mark_cut_runs(p_job text default null)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select pg_stat_clear_snapshot();
  update app.job_runs as r
  set cut_at = clock_timestamp()
  where r.id = any (array(
    select o.id
    from app.job_runs as o
    where o.ended_at is null and o.cut_at is null and o.completed_at is null and (p_job is null or o.job = p_job)
      and not app.is_running(o)
    order by o.id
    for update skip locked
  ))
$$;

comment on function app.mark_cut_runs is
  'Records which runs of a job, or of all jobs, were cut: those that did not end and whose statement no longer runs.';

-- sql/4_app/schedule/next_run.sql
create or replace function app.next_run(p_job app.scheduled_jobs, p_now timestamptz)
returns timestamptz
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select min(m.minute)
  from app.settings as s
  cross join generate_series(date_trunc('minute', p_now) + interval '1 minute', p_now + interval '8 days', interval '1 minute') as m (minute)
  cross join lateral (select m.minute at time zone s.time_zone as local, string_to_array(p_job.schedule, ' ') as field) as t
  where p_job.is_active
    and case
      when t.field[1] = '*' then true
      when t.field[1] like '*/%' then extract(minute from t.local)::integer % split_part(t.field[1], '/', 2)::integer = 0
      else extract(minute from t.local) = t.field[1]::integer
    end
    and (t.field[2] = '*' or extract(hour from t.local) = t.field[2]::integer)
    and (t.field[5] = '*' or extract(dow from t.local) = t.field[5]::integer)
$$;

comment on function app.next_run is
  'Returns when a scheduled job is due next by its schedule in the store''s time zone, or null if it is switched off.';

-- sql/4_app/schedule/purge_cron_history.sql
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: what is deleted is gone.
create or replace procedure app.purge_cron_history()
language plpgsql
as $$
declare
  v_run record := app.begin_run('purge_cron_history', 1000);
begin
  commit;
  while app.purge_run_records(pg_catalog.clock_timestamp(), v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.purge_cron_history is
  'Deletes the records of runs that are older than 30 days, in batches with a commit each, and one-time jobs that have run.';

-- sql/4_app/schedule/purge_run_records.sql
-- A cut run stays until what it left is completed.
-- Idempotent: what is deleted is gone.
create or replace function app.purge_run_records(p_now timestamptz, p_limit integer)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before timestamptz := p_now - interval '30 days';
  v_runs integer;
  v_records integer := 0;
begin
  delete from app.job_runs as r
  where r.id = any (array(
    select o.id from app.job_runs as o where coalesce(o.ended_at, o.completed_at) < v_before order by o.id limit p_limit
  ));
  get diagnostics v_runs = row_count;
  if to_regclass('cron.job') is not null then
    execute $sql$
      delete from cron.job_run_details as d
      where d.runid = any (array(select o.runid from cron.job_run_details as o where o.end_time < $1 order by o.runid limit $2))
    $sql$ using v_before, p_limit;
    get diagnostics v_records = row_count;
    execute $sql$
      select cron.unschedule(j.jobname) from cron.job as j
      where j.jobname like '%:now' and exists (select from cron.job_run_details as r where r.jobid = j.jobid and r.end_time is not null)
    $sql$;
  end if;
  return greatest(v_runs, v_records) = p_limit;
end
$$;

comment on function app.purge_run_records is
  'Deletes up to p_limit records of runs that are older than 30 days, the store''s and pg_cron''s, and one-time jobs that have '
  'run. Returns whether more may be left.';

-- sql/4_app/schedule/require_scheduler.sql
-- Raises: schedule_unavailable.
create or replace function app.require_scheduler()
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    perform app.fail('schedule_unavailable', 'pg_cron is not installed in this database.');
  end if;
end
$$;

comment on function app.require_scheduler is 'Raises an error if pg_cron is not installed in this database.';

-- sql/4_app/schedule/run_job_now.sql
-- A request cannot run the job itself: some jobs commit while they run.
-- Precondition: runs as the owner of the store, who owns the jobs of pg_cron.
-- Raises: crontab_not_found, schedule_unavailable.
-- Idempotent: a repeated call replaces the one-time job.
create or replace function app.run_job_now(p_name text, p_now timestamptz)
returns timestamptz
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- pg_cron reads its jobs at the start of each minute, so a minute that starts within five seconds may be too early.
  v_minute timestamptz := date_trunc('minute', p_now + interval '65 seconds');
  v_command text := (select j.command from app.scheduled_jobs as j where j.name = p_name);
begin
  if v_command is null then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.require_scheduler();
  execute 'select cron.schedule($1, $2, $3)'
  using p_name || ':now', to_char(v_minute at time zone 'UTC', 'FMMI FMHH24 FMDD FMMM "*"'), v_command;
  return v_minute;
end
$$;

comment on function app.run_job_now is
  'Schedules a job to run once, in the next minute, and returns that minute. The one-time job is named <name>:now; '
  'purge_cron_history removes it.';

-- sql/4_app/schedule/run_json.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.run_json(p_run app.release_runs)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'release_date', p_run.release_date, 'users', p_run.users, 'points', pg_catalog.trim_scale(p_run.points),
    'failures', p_run.failures, 'cuts', p_run.cuts, 'started_at', app.utc(p_run.started_at), 'finished_at', app.utc(p_run.finished_at)
  )
$$;

comment on function app.run_json is 'Returns the record of the release of one business day as the API shows it.';

grant execute on function app.run_json(app.release_runs) to store_admin;

-- sql/4_app/schedule/schedule_json.sql
-- Precondition: runs as the owner of the store, who may read the tables of pg_cron.
create or replace function app.schedule_json(p_now timestamptz)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs jsonb := '{}';
begin
  if to_regclass('cron.job') is not null then
    execute $sql$
      select coalesce(jsonb_object_agg(n.name, n.runs), '{}')
      from (
        select j.name, jsonb_agg(r.run order by r.start_time desc) as runs
        from app.scheduled_jobs as j
        cross join lateral (
          select d.start_time, jsonb_build_object(
            'status', case
              when d.status = 'failed' and exists (
                select from app.job_runs as r
                where r.job = j.name and r.cut_at is not null and r.started_at between d.start_time and coalesce(d.end_time, 'infinity')
              ) then 'cut'
              else d.status
            end,
            'by_hand', c.jobname like '%:now', 'message', left(d.return_message, 500),
            'started_at', app.utc(d.start_time), 'ended_at', app.utc(d.end_time)
          ) as run
          from cron.job as c join cron.job_run_details as d on d.jobid = c.jobid
          where c.jobname in (j.name, j.name || ':now')
          order by d.runid desc
          limit 10
        ) as r
        group by j.name
      ) as n
    $sql$ into v_runs;
  end if;
  return (
    select jsonb_build_object(
      'time_zone', s.time_zone, 'count', count(*), 'list', jsonb_agg(jsonb_build_object(
        'name', j.name, 'title', j.title, 'title_zh', j.title_zh, 'schedule', j.schedule, 'preset', j.preset,
        'schedule_utc', app.cron_in_utc(j.schedule, s.time_zone, p_now), 'is_active', j.is_active,
        'next_run', app.utc(app.next_run(j, p_now)), 'changed_by', j.changed_by, 'changed_at', app.utc(j.changed_at),
        'unfinished_since', (
          select app.utc(min(r.started_at)) from app.job_runs as r
          where r.job = j.name and r.cut_at is not null and r.ended_at is null and r.completed_at is null
        ),
        'runs', coalesce(v_runs -> j.name, '[]')
      ) order by j.position)
    )
    from app.scheduled_jobs as j cross join app.settings as s
    group by s.time_zone
  );
end
$$;

comment on function app.schedule_json is
  'Returns the scheduled jobs as the API shows them, in their order: schedule in the store''s time zone and in UTC, preset, '
  'next run, since when work of a cut run is left, and the latest ten runs with their results, newest first.';

-- sql/4_app/schedule/scheduler_state.sql
-- Where pg_cron is not installed, another scheduler may call the jobs: the settlement of waiting orders then has a recent run.
-- Security definer: client roles may not read the tables of pg_cron.
create or replace function app.scheduler_state(p_now timestamptz)
returns text
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_is_complete boolean;
begin
  if to_regclass('cron.job') is null then
    return case
      when exists (
        select from app.job_runs as r where r.job = 'settle_waiting_orders' and r.started_at > p_now - interval '5 minutes'
      ) then 'ok'
      else 'missing'
    end;
  end if;
  execute $sql$
    select not exists (
      select from app.scheduled_jobs as j
      where j.is_active and not exists (select from cron.job as c where c.jobname = j.name and c.active)
    )
  $sql$ into v_is_complete;
  return case
    when not v_is_complete then 'not_scheduled'
    when exists (select from app.late_jobs(p_now, 'settle_waiting_orders')) then 'late'
    else 'ok'
  end;
end
$$;

comment on function app.scheduler_state is
  'Returns the state of the scheduler: ok; missing if pg_cron is not installed and nothing else runs the jobs; not_scheduled if '
  'pg_cron does not have all active jobs; or late if it has them and the settlement of waiting orders, which is due every minute, '
  'did not run.';

grant execute on function app.scheduler_state(timestamptz) to store_admin;

-- sql/4_app/schedule/set_schedule.sql
-- Locks: the row of the job.
-- Raises: crontab_not_found, invalid_argument, schedule_unavailable.
-- Idempotent: setting the same values again changes nothing.
create or replace function app.set_schedule(p_name text, p_schedule text, p_is_active boolean, p_changed_by uuid, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.scheduled_jobs as j where j.name = p_name for update;
  if not found then
    perform app.fail('crontab_not_found', 'There is no scheduled job of this name.');
  end if;
  perform app.cron_in_utc(p_schedule, 'UTC', p_now) where p_schedule is not null;
  perform app.require_scheduler();
  update app.scheduled_jobs as j
  set schedule = coalesce(p_schedule, j.schedule), is_active = coalesce(p_is_active, j.is_active), changed_by = p_changed_by, changed_at = p_now
  where j.name = p_name and (j.schedule, j.is_active) <> (coalesce(p_schedule, j.schedule), coalesce(p_is_active, j.is_active));
  if found then
    perform app.apply_schedule(p_now);
  end if;
end
$$;

comment on function app.set_schedule is
  'Changes when a scheduled job runs, or switches it on or off, and applies that to pg_cron. Null leaves a setting as it is.';

-- sql/4_app/schedule/unfinished_runs.sql
-- A job that is switched off is not continued until it is switched on again.
create or replace function app.unfinished_runs()
returns table (job text, from_day date, to_day date)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select c.job, c.from_day, c.to_day
  from app.job_runs as c join app.scheduled_jobs as j on j.name = c.job
  where j.is_active and c.cut_at is not null and c.ended_at is null and c.completed_at is null
    and not exists (
      select from app.job_runs as r
      where r.job = c.job and r.ended_at is null and r.cut_at is null and r.completed_at is null and app.is_running(r)
    )
  group by c.job, c.from_day, c.to_day
  order by max(c.started_at), c.job, c.from_day, c.to_day
$$;

comment on function app.unfinished_runs is
  'Returns the active jobs with a cut run whose work is not completed and that no run continues now, with the days that it was called '
  'for, the one that was tried longest ago first.';

-- sql/4_app/settings/set_adjustment_limits.sql
-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_adjustment_limits(p_money numeric, p_points numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_money not between 0 and 100000000 or p_money <> trunc(p_money, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of money must be between 0 and 100000000.00.', '/adjustment_limit_money');
  elsif p_points not between 0 and 100000000 or p_points <> trunc(p_points, app.points_decimals()) then
    perform app.fail('invalid_argument', 'The limit for adjustments of points must be between 0 and 100000000, with at most four decimals.', '/adjustment_limit_points');
  end if;
  update app.settings as s
  set adjustment_limit_money = coalesce(p_money, s.adjustment_limit_money), adjustment_limit_points = coalesce(p_points, s.adjustment_limit_points)
  where s.id;
end
$$;

comment on function app.set_adjustment_limits is
  'Changes up to which amounts one administrator alone can adjust balances. A null argument leaves its limit unchanged. '
  'Adjustments that wait keep waiting.';

-- sql/4_app/settings/set_order_times.sql
-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_order_times(
  p_payment_minutes integer, p_order_expiry_minutes integer, p_offline_payment boolean, p_offline_payment_days integer, p_receipt_days integer
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_payment_minutes not between 5 and 1440 then
    perform app.fail('invalid_argument', 'The time to pay must be between 5 and 1440 minutes.', '/payment_minutes');
  elsif p_order_expiry_minutes not between 5 and 10080 then
    perform app.fail('invalid_argument', 'The time until an unpaid order expires must be between 5 and 10080 minutes.', '/order_expiry_minutes');
  elsif p_offline_payment_days not between 1 and 90 then
    perform app.fail('invalid_argument', 'The time to pay offline must be between 1 and 90 days.', '/offline_payment_days');
  elsif p_receipt_days not between 1 and 90 then
    perform app.fail('invalid_argument', 'The time until automatic receipt must be between 1 and 90 days.', '/receipt_days');
  end if;
  update app.settings as s
  set payment_minutes = coalesce(p_payment_minutes, s.payment_minutes),
      order_expiry_minutes = coalesce(p_order_expiry_minutes, s.order_expiry_minutes),
      offline_payment = coalesce(p_offline_payment, s.offline_payment),
      offline_payment_days = coalesce(p_offline_payment_days, s.offline_payment_days),
      receipt_days = coalesce(p_receipt_days, s.receipt_days)
  where s.id;
end
$$;

comment on function app.set_order_times is
  'Changes the settings that say when payments end, when unpaid orders expire and when receipt is confirmed automatically. A '
  'null argument leaves its setting unchanged. Open orders follow the new times, open payments keep theirs.';

-- sql/4_app/settings/set_points_terms.sql
-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_points_terms(p_points_rate numeric, p_points_max_share numeric)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_points_rate not between 0.01 and 999999.99 or scale(trim_scale(p_points_rate)) > 2 then
    perform app.fail('invalid_argument', 'The points for 1.00 must be between 0.01 and 999999.99, with at most two decimals.', '/points_rate');
  elsif p_points_max_share < 0 or p_points_max_share >= 1 or scale(trim_scale(p_points_max_share)) > 5 then
    perform app.fail('invalid_argument', 'The share that points can pay must be at least 0 and below 1, with at most five decimals.', '/points_max_share');
  end if;
  update app.settings as s
  set points_rate = coalesce(p_points_rate, s.points_rate), points_max_share = coalesce(p_points_max_share, s.points_max_share)
  where s.id;
end
$$;

comment on function app.set_points_terms is
  'Changes the settings that say how many points pay 1.00, and which share of a price points can pay at most; a share of 0 switches it off. '
  'A null argument leaves its setting unchanged. Orders that are placed keep what they paid.';

-- sql/4_app/settings/set_settings.sql
-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_settings(
  p_time_zone text, p_site_name text, p_h5_share_url text, p_max_unpaid_orders integer, p_logo text, p_colour text, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_time_zone is not null and not exists (select from pg_catalog.pg_timezone_names as z where z.name = p_time_zone) then
    perform app.fail('invalid_argument', 'There is no time zone of this name. Use a name such as Asia/Shanghai.', '/time_zone');
  elsif char_length(p_site_name) > 100 or not app.is_visible(p_site_name) then
    perform app.fail('invalid_argument', 'The store name must have 1 to 100 characters and must not be blank.', '/site_name');
  elsif not app.is_web_address(p_h5_share_url) or char_length(p_h5_share_url) > 500 then
    perform app.fail('invalid_argument', 'The share link URL must begin with http:// or https://.', '/h5_share_url');
  elsif p_max_unpaid_orders not between 1 and 1000 then
    perform app.fail('invalid_argument', 'The unpaid order limit must be between 1 and 1000.', '/max_unpaid_orders');
  elsif p_logo <> '' and (not app.is_web_address(p_logo) or char_length(p_logo) > 1000) then
    perform app.fail('invalid_argument', 'The URL of the logo must begin with http:// or https://.', '/logo');
  elsif p_colour !~ '^#[0-9a-fA-F]{6}$' then
    perform app.fail('invalid_argument', 'The colour must be # and six hexadecimal digits, such as #c8102e.', '/colour');
  end if;
  update app.settings as s
  set time_zone = coalesce(p_time_zone, s.time_zone), site_name = coalesce(p_site_name, s.site_name),
      h5_share_url = coalesce(p_h5_share_url, s.h5_share_url),
      max_unpaid_orders = coalesce(p_max_unpaid_orders, s.max_unpaid_orders),
      logo = case when p_logo is null then s.logo else nullif(p_logo, '') end, colour = coalesce(lower(p_colour), s.colour), updated_at = p_now
  where s.id;
  perform app.apply_schedule(p_now) where p_time_zone is not null;
end
$$;

comment on function app.set_settings is
  'Changes the settings of the store. A null argument leaves its setting unchanged; an empty logo removes it. A new time zone is applied to the pg_cron '
  'schedule at once, and business days follow it from then on. Days that were released stay released.';

-- sql/4_app/settings/set_withdrawal_terms.sql
-- Locks: the row of app.settings.
-- Raises: invalid_argument.
-- Idempotent: setting the current values has no further effect.
create or replace function app.set_withdrawal_terms(p_minimum numeric, p_maximum numeric, p_fee_rate numeric, p_methods jsonb)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_minimum numeric;
  v_maximum numeric;
begin
  select coalesce(p_minimum, s.withdrawal_minimum), case when p_maximum is null then s.withdrawal_maximum else nullif(p_maximum, 0) end
  into v_minimum, v_maximum
  from app.settings as s for update;
  if v_minimum not between 0.01 and 1000000 or v_minimum <> trunc(v_minimum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The smallest withdrawal must be between 0.01 and 1000000.00.', '/withdrawal_minimum');
  elsif v_maximum < v_minimum or v_maximum > 999999999999.99 or v_maximum <> trunc(v_maximum, app.money_decimals()) then
    perform app.fail('invalid_argument', 'The largest withdrawal must be at least the smallest; 0 means no limit.', '/withdrawal_maximum');
  elsif p_fee_rate < 0 or p_fee_rate >= 1 or scale(trim_scale(p_fee_rate)) > 5 then
    perform app.fail('invalid_argument', 'The fee rate must be at least 0 and below 1, with at most 5 decimals.', '/withdrawal_fee_rate');
  elsif p_methods is not null and (jsonb_typeof(p_methods) <> 'array' or not p_methods <@ '["bank", "alipay", "wechat"]') then
    perform app.fail('invalid_argument', 'The ways to withdraw are bank, alipay and wechat.', '/withdrawal_methods');
  end if;
  update app.settings as s
  set withdrawal_minimum = v_minimum, withdrawal_maximum = v_maximum, withdrawal_fee_rate = coalesce(p_fee_rate, s.withdrawal_fee_rate),
      withdrawal_methods = case
        when p_methods is null then s.withdrawal_methods
        else array(select m.name from unnest('{bank, alipay, wechat}'::text[]) with ordinality as m (name, place) where p_methods ? m.name order by m.place)
      end
  where s.id;
end
$$;

comment on function app.set_withdrawal_terms is
  'Changes how much members can withdraw at once, the fee rate and the ways to withdraw. A null argument leaves its setting unchanged; a maximum of 0 '
  'removes the limit. Requests that were made before keep their fee.';

-- sql/4_app/settlement/book_entries.sql
-- Each row of balances is updated once, in one statement (decision 0009).
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the balances.
-- Not idempotent: a unique row that the caller writes, such as the settlement, prevents a second booking.
create or replace function app.book_entries(
  p_entries app.bill_entry[], p_members app.tree_member[], p_cycles app.cycle_state[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  with entries as materialized (
    select e.* from unnest(p_entries) with ordinality as e
  ),
  sums as (
    select
      e.uid, sum(e.brokerage_delta) as brokerage, sum(e.frozen_delta) as frozen, sum(e.available_delta) as available,
      sum(e.brokerage_delta) filter (where app.is_earned(e.type)) as commission,
      sum(e.frozen_delta + e.available_delta) filter (where app.is_earned(e.type)) as points
    from entries as e group by e.uid
  ),
  members as (select m.* from unnest(p_members) as m where m.is_changed),
  cycles as (select c.* from unnest(p_cycles) as c where c.placed <> 0),
  changes as (
    select
      uid, coalesce(s.brokerage, 0) as brokerage, coalesce(s.frozen, 0) as frozen, coalesce(s.available, 0) as available,
      coalesce(s.commission, 0) as commission, coalesce(s.points, 0) as points,
      m.own_orders, m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members,
      c.cycle_no, c.plan_version, c.is_open, coalesce(c.placed, 0) as placed
    from sums as s full join members as m using (uid) full join cycles as c using (uid)
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage,
        total_brokerage = b.total_brokerage + t.commission,
        frozen_points = b.frozen_points + t.frozen,
        available_points = b.available_points + t.available,
        total_points_earned = b.total_points_earned + t.points,
        own_orders = coalesce(t.own_orders, b.own_orders),
        direct_orders = coalesce(t.direct_orders, b.direct_orders),
        umbrella_orders = coalesce(t.umbrella_orders, b.umbrella_orders),
        direct_members = coalesce(t.direct_members, b.direct_members),
        umbrella_members = coalesce(t.umbrella_members, b.umbrella_members),
        total_places = b.total_places + t.placed,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.is_open, b.cycle_is_open)
    from changes as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id,
    withdrawal_id, adjustment_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id,
    e.withdrawal_id, e.adjustment_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
end
$$;

comment on function app.book_entries is
  'Books decisions for members (the third step of the engine): inserts the bill entries in the given sequence, each with the '
  'balances after it, and updates balances, task counts and cycles. Members and cycles that did not change are left as they are.';

-- sql/4_app/settlement/book_maturities.sql
-- Precondition: the caller has locked the orders.
-- Raises: unique_violation if an order is settled already.
create or replace function app.book_maturities(
  p_orders app.orders[], p_settlements app.settlements[], p_plans app.commission_plans[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.commission_maturities (order_id, uid, amount_left, matures_at)
  select s.order_id, s.earner_uid, s.commission, app.matures_at(o.received_at, p_now, p_plans[s.order_plan_version].holding_days)
  from unnest(p_settlements) as s
  join unnest(p_orders) as o on o.id = s.order_id
  where s.commission > 0;
end
$$;

comment on function app.book_maturities is
  'Records when the commission of settled orders matures, by the holding_days of the plan of each order.';

-- sql/4_app/settlement/book_rises.sql
-- Precondition: the caller has inserted the settlements and holds the members' balances.
create or replace function app.book_rises(p_rises app.level_rise[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  update app.users as u set agent_level = r.to_level
  from (select x.uid, max(x.to_level) as to_level from unnest(p_rises) as x group by x.uid) as r
  where u.uid = r.uid;
  insert into app.level_changes (uid, from_level, to_level, reason, order_id, position, add_time)
  select r.uid, r.from_level, r.to_level, 'tasks', r.order_id, s.position, p_now
  from unnest(p_rises) with ordinality as r
  join app.settlements as s on s.order_id = r.order_id
  order by r.ordinality;
end
$$;

comment on function app.book_rises is
  'Writes the levels that members reached by orders: each step with the level before it (R5), at the position of the order''s '
  'settlement.';

-- sql/4_app/settlement/book_settlements.sql
-- Raises: unique_violation if an order is settled already.
create or replace function app.book_settlements(p_settlements app.settlements[], p_level_version integer, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  insert into app.settlements (
    order_id, position, state, uid, referrer_uid, order_plan_version, level_version, plan_in_force, brokerage_scope, base, units,
    earner_uid, eligible_since, cycle_no, place, cycle_plan_version, ratio, rate, commission, commission_points, reason, settled_at
  )
  select
    s.order_id, nextval('app.positions'), s.state, s.uid, s.referrer_uid, s.order_plan_version, p_level_version, s.plan_in_force,
    s.brokerage_scope, s.base, s.units, s.earner_uid, s.eligible_since, s.cycle_no, s.place, s.cycle_plan_version, s.ratio, s.rate,
    s.commission, s.commission_points, s.reason, p_now
  from unnest(p_settlements) as s;
end
$$;

comment on function app.book_settlements is 'Inserts settlements as decided, in the given sequence, each with the next position.';

-- sql/4_app/settlement/brokerage_progress.sql
-- Has no set clause, so that the planner can inline it. `offset 0` keeps the planner from reading the places again for each use
-- of them.
create or replace function app.brokerage_progress(p_uid bigint, p_now timestamptz)
returns setof jsonb
language sql
stable
rows 1
as $$
  select pg_catalog.jsonb_build_object(
    'plan_version', p.version,
    'people_per_cycle', p.people_per_cycle,
    'tier_ratios', pg_catalog.to_jsonb(array(select pg_catalog.trim_scale(r) from pg_catalog.unnest(p.tier_ratios) as r)),
    'brokerage_scope', active.brokerage_scope,
    'brokerage_timing', active.brokerage_timing,
    'eligible', app.has_reported_order(b.uid, p_now),
    'cycle_no', c.cycle_no,
    'cycle_current', pg_catalog.cardinality(t.places),
    'cycle_remaining', p.people_per_cycle - pg_catalog.cardinality(t.places),
    'next_ratio', pg_catalog.trim_scale(p.tier_ratios[(
      select pg_catalog.min(g) from pg_catalog.generate_series(1, p.people_per_cycle) as g where g <> all (t.places)
    )]),
    'total_places', b.total_places,
    'total_brokerage', b.total_brokerage::pg_catalog.text
  )
  from app.user_balances as b
  cross join lateral (select a.* from app.commission_plans as a order by a.version desc limit 1) as active
  cross join lateral (select case when b.cycle_is_open then b.cycle_no else b.cycle_no + 1 end as cycle_no) as c
  join app.commission_plans as p on p.version = case when b.cycle_is_open then b.cycle_plan_version else active.version end
  cross join lateral (
    select array(
      select s.place from app.taken_places as s
      where s.earner_uid = b.uid and s.cycle_no = c.cycle_no and s.place_freed_at is null
    ) as places
    offset 0
  ) as t
  where b.uid = p_uid
$$;

comment on function app.brokerage_progress is
  'Returns the state of a member''s commission cycle as the API shows it: the open cycle with its plan, or the next one with '
  'the plan in force. Scope and timing are those of the plan in force. No row if there is no such member.';

grant execute on function app.brokerage_progress(bigint, timestamptz) to store_admin;

-- sql/4_app/settlement/decide_cycles.sql
create or replace function app.decide_cycles(
  p_orders app.order_facts[], p_members app.tree_member[], p_cycles app.cycle_state[], p_plans app.commission_plans[],
  out settlements app.settlements[], out cycles app.cycle_state[]
)
language plpgsql
immutable
as $$
declare
  v_order app.order_facts;
  v_plan app.commission_plans;
  v_earner integer;
  v_cycle app.cycle_state;
  v_place integer;
  v_settlement app.settlements;
begin
  cycles := p_cycles;
  settlements := '{}';
  foreach v_order in array p_orders loop
    if v_order.kind = 'free' then
      v_earner := p_members[v_order.member].referrer;
      while v_earner is not null loop
        v_cycle := cycles[v_earner];
        v_place := pg_catalog.array_position(v_cycle.orders, v_order.order_id);
        if v_place is not null then
          if v_cycle.is_open then
            v_cycle.taken := v_cycle.taken[:v_place - 1] || v_cycle.taken[v_place + 1:];
            v_cycle.orders := v_cycle.orders[:v_place - 1] || v_cycle.orders[v_place + 1:];
            v_cycle.placed := v_cycle.placed - 1;
            cycles[v_earner] := v_cycle;
          end if;
          exit;
        end if;
        v_earner := p_members[v_earner].referrer;
      end loop;
      continue;
    elsif v_order.kind = 'report' then
      cycles[v_order.member].reported_since := v_order.paid_at;
      continue;
    end if;
    v_plan := p_plans[v_order.plan_version];
    v_settlement := null;
    v_settlement.order_id := v_order.order_id;
    v_settlement.state := case when v_order.units = 0 then 'refunded' else 'settled' end;
    v_settlement.uid := v_order.uid;
    v_settlement.referrer_uid := v_order.referrer_uid;
    v_settlement.order_plan_version := v_order.plan_version;
    v_settlement.plan_in_force := v_order.plan_in_force;
    v_settlement.brokerage_scope := v_plan.brokerage_scope;
    v_settlement.base := v_order.base;
    v_settlement.units := v_order.units;
    v_settlement.commission := 0;
    v_settlement.commission_points := 0;
    v_settlement.reason := v_order.reason;

    if v_order.reason is null then
      v_earner := app.find_earner(v_order, v_plan, p_members, cycles);
      if v_earner is null then
        v_settlement.reason := case v_plan.brokerage_scope when 'direct' then 'referrer_not_eligible' else 'nobody_eligible' end;
      else
        v_cycle := cycles[v_earner];
        if not v_cycle.is_open then
          v_cycle.cycle_no := v_cycle.cycle_no + 1;
          v_cycle.plan_version := v_plan.version;
          v_cycle.taken := '{}';
          v_cycle.orders := '{}';
        end if;
        v_plan := p_plans[v_cycle.plan_version];
        v_place := 1;
        while v_place = any (v_cycle.taken) loop
          v_place := v_place + 1;
        end loop;
        v_cycle.taken := v_cycle.taken || v_place::smallint;
        v_cycle.orders := v_cycle.orders || v_order.order_id;
        v_cycle.is_open := pg_catalog.cardinality(v_cycle.taken) < v_plan.people_per_cycle;
        v_cycle.placed := v_cycle.placed + 1;
        cycles[v_earner] := v_cycle;

        v_settlement.earner_uid := v_cycle.uid;
        v_settlement.eligible_since := v_cycle.reported_since;
        v_settlement.cycle_no := v_cycle.cycle_no;
        v_settlement.place := v_place;
        v_settlement.cycle_plan_version := v_plan.version;
        v_settlement.ratio := v_plan.tier_ratios[v_place];
        v_settlement.rate := least(v_settlement.ratio, v_plan.payout_cap, p_plans[v_order.plan_in_force].payout_cap);
        v_settlement.commission := app.cycle_commission(v_order.base, v_settlement.rate);
        v_settlement.commission_points := app.commission_points(v_settlement.commission, v_plan.points_per_brokerage);
      end if;
    end if;
    settlements := settlements || v_settlement;
  end loop;
end
$$;

comment on function app.decide_cycles is
  'Decides, order by order, who earns which place of which cycle and what it pays (R1, R4, R10). An order takes the lowest '
  'free place of the earner''s open cycle; without one, a new cycle opens with the plan of the order and keeps that plan. The '
  'rate is the ratio of the place, limited by the payout caps of the cycle''s plan and of the plan in force. Returns the '
  'settlements, without position, time and level version, and the cycles after them.';

-- sql/4_app/settlement/decide_levels.sql
create or replace function app.decide_levels(
  p_events app.tree_event[], p_members app.tree_member[], p_levels app.level_rule[], p_lists_all boolean default false,
  out grants app.level_grant[], out rises app.level_rise[], out members app.tree_member[]
)
language plpgsql
immutable
as $$
declare
  v_event app.tree_event;
  v_ordinal integer := 0;
  v_member app.tree_member;
  v_rule app.level_rule;
  v_orders integer;
  v_members integer;
  v_orders_below integer;
  v_members_below integer;
  v_index integer;
  v_depth integer;
  v_passed_on numeric;
  v_per_unit numeric;
  v_rising integer[];
begin
  grants := '{}';
  rises := '{}';
  members := p_members;
  foreach v_event in array p_events loop
    v_ordinal := v_ordinal + 1;
    v_member := members[v_event.member];
    v_orders_below := 0;
    v_members_below := 0;
    case v_event.kind
      when 'assess' then
        v_member.no_assess := v_event.is_set;
        v_orders := case when v_event.is_set then -v_member.own_orders else v_member.own_orders end;
        v_members := pg_catalog.sign(v_orders);
      when 'refer' then
        v_member.referrer := v_event.referrer;
        v_orders := case when v_member.no_assess then 0 else v_member.own_orders end;
        v_members := pg_catalog.sign(v_orders);
        v_orders_below := coalesce(v_event.orders_below, v_member.umbrella_orders);
        v_members_below := coalesce(v_event.members_below, v_member.umbrella_members);
      when 'grade' then
        v_member.agent_level := v_event.to_level;
        v_member.is_held := v_event.is_set;
        v_orders := 0;
        v_members := 0;
      else
        -- A member counts as long as they have at least one order that counts.
        v_orders := case when v_member.no_assess then 0 else v_event.step end;
        v_members := case when least(v_member.own_orders, v_member.own_orders + v_event.step) = 0 then v_orders else 0 end;
        v_member.own_orders := v_member.own_orders + v_event.step;
    end case;
    v_member.is_changed := true;
    members[v_event.member] := v_member;

    v_index := v_member.referrer;
    v_depth := 1;
    v_passed_on := 0;
    v_rising := '{}';
    while v_index is not null loop
      v_member := members[v_index];
      v_rule := p_levels[v_member.agent_level + 1];
      if v_event.units > 0 or p_lists_all then
        v_per_unit := case
          when v_event.units = 0 or v_depth > v_event.max_depth then 0
          when v_depth = 1 then v_rule.direct_points
          else app.umbrella_share(v_rule.umbrella_points, v_passed_on)
        end;
        if v_per_unit > 0 or p_lists_all then
          grants := grants || (
            v_ordinal, v_event.order_id, v_depth, v_member.uid, v_member.agent_level, v_passed_on, v_per_unit, v_event.units,
            app.level_points(v_per_unit, v_event.units)
          )::app.level_grant;
        end if;
        -- R7: the umbrella points of the level are passed on, also by the referrer, who got the direct points.
        v_passed_on := greatest(v_passed_on, v_rule.umbrella_points);
      end if;
      if v_rule.is_counted then
        if v_orders <> 0 or v_orders_below <> 0 then
          if v_depth = 1 then
            v_member.direct_orders := v_member.direct_orders + v_orders;
            v_member.direct_members := v_member.direct_members + v_members;
          end if;
          v_member.umbrella_orders := v_member.umbrella_orders + v_orders + v_orders_below;
          v_member.umbrella_members := v_member.umbrella_members + v_members + v_members_below;
          v_member.is_changed := true;
          members[v_index] := v_member;
        end if;
        if v_event.kind = 'settle' and app.meets_next_level(v_member, v_rule) then
          v_rising := v_rising || v_index;
        end if;
      end if;
      v_index := v_member.referrer;
      v_depth := v_depth + 1;
    end loop;

    foreach v_index in array v_rising loop
      v_member := members[v_index];
      v_rule := p_levels[v_member.agent_level + 1];
      while app.meets_next_level(v_member, v_rule) loop
        rises := rises || (v_event.order_id, v_member.uid, v_member.agent_level, v_rule.next_grade)::app.level_rise;
        v_member.agent_level := v_rule.next_grade;
        v_rule := p_levels[v_member.agent_level + 1];
      end loop;
      v_member.is_changed := true;
      members[v_index] := v_member;
    end loop;
  end loop;
end
$$;

comment on function app.decide_levels is
  'Decides, event by event and going up from the member of the event, which frozen points are granted by level (R5, R6, R7), '
  'what counts for tasks (R8, R9) and who rises. Points use the levels held before the event. Returns the grants, the rises '
  'and the members after all events. With p_lists_all, the grants list every member above, zero amounts included, for '
  'explanations.';

-- sql/4_app/settlement/drain_settlement_jobs.sql
-- The lock timeout is short, because a batch holds the shared structure lock and its orders while it waits.
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: see run_settlement_jobs.
create or replace procedure app.drain_settlement_jobs()
language plpgsql
as $$
declare
  v_run record := app.begin_run('settle_waiting_orders', app.settlement_batch());
  v_handled integer;
begin
  commit;
  loop
    perform pg_catalog.set_config('lock_timeout', '1s', true);
    begin
      v_handled := app.run_settlement_jobs(v_run.batch);
    exception when lock_not_available then
      -- Another transaction holds the structure lock.
      v_handled := 0;
    end;
    if v_handled > 0 then
      v_run.batch := app.end_batch(v_run.id);
    end if;
    commit;
    exit when v_handled = 0;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.drain_settlement_jobs is
  'Settles all orders that are due, in batches with a commit each. What is still locked by others after a second is left for '
  'the next run.';

-- sql/4_app/settlement/find_earner.sql
create or replace function app.find_earner(
  p_order app.order_facts, p_plan app.commission_plans, p_members app.tree_member[], p_cycles app.cycle_state[]
)
returns integer
language plpgsql
immutable
as $$
declare
  v_index integer := p_members[p_order.member].referrer;
  v_left integer := case p_plan.brokerage_scope when 'direct' then 1 else p_plan.max_depth end;
begin
  while v_index is not null and coalesce(v_left, 1) > 0 loop
    if p_cycles[v_index].reported_since <= p_order.paid_at then
      return v_index;
    end if;
    v_index := p_members[v_index].referrer;
    v_left := v_left - 1;
  end loop;
  return null;
end
$$;

comment on function app.find_earner is
  'Returns the index of the member who earns the commission of an order (R4), or null: with scope direct the referrer if '
  'eligible, with scope umbrella the nearest eligible member of the upline, within the plan''s max_depth.';

-- sql/4_app/settlement/load_plans.sql
create or replace function app.load_plans(p_versions integer[])
returns app.commission_plans[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_version integer;
  v_plans app.commission_plans[];
begin
  foreach v_version in array p_versions loop
    if v_version is not null and v_plans[v_version].version is null then
      v_plans[v_version] := (select p from app.commission_plans as p where p.version = v_version);
    end if;
  end loop;
  return v_plans;
end
$$;

comment on function app.load_plans is
  'Returns the plans with these versions as an array whose index is the version; other elements are null.';

-- sql/4_app/settlement/load_state.sql
-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid.
create or replace function app.load_state(
  p_uids bigint[] default '{}', p_orders app.orders[] default '{}', p_also bigint[] default '{}', p_locks boolean default true
)
returns app.engine_state
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_state app.engine_state;
  v_orders record;
  v_upline record;
  v_read record;
  v_earners bigint[];
begin
  select l.version, l.rules, (select max(p.version) from app.commission_plans as p)
  into v_state.level_version, v_state.levels, v_state.plan_in_force
  from app.level_versions as l order by l.version desc limit 1;
  select
    array_agg(o.uid) as uids, array_agg(o.referrer_uid) as referrers, array_agg(o.plan_version) as plans,
    coalesce(bool_or(p.brokerage_scope = 'umbrella'), false) as are_umbrella
  into v_orders
  from unnest(p_orders) as o join app.commission_plans as p on p.version = o.plan_version;
  v_upline := app.upline_of(p_uids || v_orders.uids, v_state.levels);

  -- With scope direct, only referrers can earn; with scope umbrella, any member of the upline can.
  v_earners := case when v_orders.are_umbrella then v_upline.uids else v_orders.referrers end || p_also;
  v_state.locked := v_upline.written || p_also;
  if v_orders.are_umbrella then
    v_state.locked := v_state.locked || app.umbrella_earners(p_orders, v_upline.uids, v_earners);
  end if;
  if p_locks then
    perform app.lock_balances(v_state.locked);
  end if;

  v_read := app.read_members(v_upline.uids, v_earners);
  v_state.members := v_read.members;
  v_state.cycles := v_read.cycles;
  v_state.plans := app.load_plans(v_orders.plans || v_read.plans || v_state.plan_in_force);
  return v_state;
end
$$;

comment on function app.load_state is
  'Locks the balances that decisions about these members may write, and then reads all that the decisions need (the first step '
  'of the engine). p_orders are the orders to settle, if any; p_uids are members besides their buyers; p_also are further '
  'members to lock, such as those that a refunded order has paid. With p_locks false it only reads.';

-- sql/4_app/settlement/member_index.sql
create or replace function app.member_index(p_state app.engine_state, p_uid bigint)
returns integer
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select m.ordinality::integer from unnest(p_state.members) with ordinality as m where m.uid = p_uid
$$;

comment on function app.member_index is 'Returns the index of a member in the arrays of a state.';

-- sql/4_app/settlement/order_facts.sql
-- Has no set clause, which would cost time in every call.
create or replace function app.order_facts(p_orders app.orders[], p_members app.tree_member[], p_plan_in_force integer)
returns app.order_facts[]
language plpgsql
immutable
as $$
begin
  return array(
    select (
      'settle', o.id, pg_catalog.width_bucket(o.uid, array(select m.uid from pg_catalog.unnest(p_members) as m)), o.uid, o.referrer_uid,
      o.plan_version, p_plan_in_force, o.paid_at, o.queue_base, o.queue_units,
      app.barring_reason(o.queue_units, o.queue_base, o.below_minimum, o.referrer_uid, o.is_imported),
      app.is_counted(o.queue_units, o.refund_status, o.below_minimum)
    )::app.order_facts
    from pg_catalog.unnest(p_orders) with ordinality as o
    order by o.ordinality
  );
end
$$;

comment on function app.order_facts is
  'Returns what the rules need to know of orders (see the type). p_members is sorted by uid, like the members of the state.';

-- sql/4_app/settlement/postpone_job.sql
-- Precondition: the caller has locked the order.
-- Not idempotent: each call can count as one more attempt.
create or replace function app.postpone_job(p_order_id bigint, p_sqlstate text, p_message text, p_now timestamptz)
returns void
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  update app.settlement_jobs as j
  set attempts = j.attempts + f.counted,
      state = case when j.attempts + f.counted >= 8 then 'dead' else 'waiting' end,
      run_after = p_now + case f.counted when 0 then interval '10 seconds' else interval '30 seconds' * power(2, j.attempts) end,
      last_error = left(format('%s: %s', p_sqlstate, p_message), 500)
  from (select case when left(p_sqlstate, 2) in ('53', '57', '40') or p_sqlstate = '55P03' then 0 else 1 end as counted) as f
  where j.order_id = p_order_id
$$;

comment on function app.postpone_job is
  'Records that a settlement failed, and when the job is due again. Errors that do not depend on the order are not counted as '
  'attempts, and the job is due again in ten seconds: no space or memory (class 53), shutdown or cancellation (57), '
  'serialization failure or deadlock (40), lock timeout (55P03). After any other error, the job waits 30 seconds, doubled with '
  'each attempt. After the eighth attempt (about an hour) the job is dead and waits for an administrator.';

-- sql/4_app/settlement/read_members.sql
-- Precondition: the caller has locked the balances if the result is to stay true.
-- Generic query plan: see app.get_upline.
create or replace function app.read_members(
  p_uids bigint[], p_earners bigint[], out members app.tree_member[], out cycles app.cycle_state[], out plans integer[]
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  select array_agg(m.member), array_agg(m.cycle), array_agg((m.cycle).plan_version)
  into members, cycles, plans
  from (
    select
      (
        u.uid, case when u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)] then width_bucket(u.spread_uid, p_uids) end,
        u.agent_level, u.is_held, u.no_assess, b.own_orders, b.direct_orders, b.umbrella_orders, b.direct_members,
        b.umbrella_members, false
      )::app.tree_member as member,
      case when u.uid = any (p_earners) then (
        u.uid,
        (
          select min(o.paid_at) from app.orders as o
          where o.uid = u.uid and o.paid_at is not null and o.queue_units > 0 and o.refund_status <> 2 and not o.below_minimum
        ),
        b.cycle_no, b.cycle_plan_version, b.cycle_is_open, t.places, t.orders,
        0
      )::app.cycle_state end as cycle
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    left join lateral (
      select coalesce(array_agg(s.place), '{}') as places, coalesce(array_agg(s.order_id), '{}') as orders
      from app.taken_places as s
      where b.cycle_is_open and u.uid = any (p_earners) and s.earner_uid = u.uid and s.cycle_no = b.cycle_no and s.place_freed_at is null
    ) as t on true
    where u.uid = any (p_uids)
    order by u.uid
  ) as m;
end
$$;

comment on function app.read_members is
  'Returns the members with these uids, in order of uid, as decisions see them, the cycles of those in p_earners, and the '
  'versions of the plans of these cycles.';

-- sql/4_app/settlement/run_settlement_jobs.sql
-- All rows of a batch are locked in one order before the first order is settled. Members are waited for as long as lock_timeout
-- says.
-- Locks: structure (shared), the orders, the balances of all participants by uid.
-- Raises: invalid_argument.
-- Idempotent, also when it runs concurrently: for an order that is settled meanwhile, only the job is deleted.
create or replace function app.run_settlement_jobs(p_limit integer default app.settlement_batch(), p_now timestamptz default null)
returns integer
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_orders app.orders[];
  v_order app.orders;
  v_uids bigint[];
  v_held bigint[];
  v_now timestamptz := app.effect_time(p_now);
begin
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'A batch has between 1 and 1000 jobs.');
  end if;
  perform app.lock_structure_shared();
  if app.is_importing() then
    return 0;
  end if;
  v_orders := array(
    select o
    from app.settlement_jobs as j
    join app.orders as o on o.id = j.order_id
    where j.state = 'waiting' and j.run_after <= v_now
    order by j.run_after, j.order_id
    limit p_limit
    for update of o skip locked
  );
  -- One subtransaction locks and writes all rows. With one per order, each row version of a busy member would name two
  -- transactions, its locker and its writer, and reading the row would take longer with each order of the batch.
  begin
    perform app.settle_orders(v_orders, p_now);
    return cardinality(v_orders);
  exception when others then
    -- An order failed or a row stayed locked: settle each order on its own, except those whose members' rows are locked now.
    v_uids := (app.load_state(p_orders => v_orders, p_locks => false)).locked;
    v_held := array(select u.uid from unnest(v_uids) as u (uid) except select f.uid from app.lock_free_balances(v_uids) as f (uid));
  end;
  foreach v_order in array v_orders loop
    begin
      if (app.load_state(p_orders => array[v_order], p_locks => false)).locked && v_held then
        raise lock_not_available using message = 'another transaction holds the row of a member';
      end if;
      perform app.settle_orders(array[v_order], p_now);
    exception when others then
      perform app.postpone_job(v_order.id, sqlstate, sqlerrm, app.effect_time(p_now));
    end;
  end loop;
  return cardinality(v_orders);
end
$$;

comment on function app.run_settlement_jobs is
  'Settles up to p_limit waiting orders in one transaction and returns how many jobs it handled, settled or failed. Orders '
  'that another worker holds are skipped. If the batch fails, each order is settled on its own. An order that fails is '
  'postponed and is dead after its last attempt; an order whose members'' rows are still locked is postponed. While an import is unfinished, '
  'it takes no job.';

-- sql/4_app/settlement/settle_order.sql
-- Locks: structure (shared), the order, balances by uid.
-- Raises: invalid_argument, order_not_found, order_state_conflict, import_unfinished, serialization_failure (see settle_orders).
-- Idempotent: an order has one settlement.
create or replace function app.settle_order(p_order_id bigint, p_now timestamptz)
returns app.settlements
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_settlement app.settlements;
begin
  perform app.lock_structure_shared();
  perform app.settle_orders(array[app.lock_order(p_order_id)], p_now);
  select s.* into v_settlement from app.settlements as s where s.order_id = p_order_id;
  return v_settlement;
end
$$;

comment on function app.settle_order is
  'Settles one paid order with queue goods and returns its settlement. An order that is settled already is returned as it is.';

-- sql/4_app/settlement/settle_orders.sql
-- Precondition: the caller has locked the structure and the orders.
-- Locks: balances by uid (see load_state).
-- Raises: invalid_argument, order_state_conflict, import_unfinished, serialization_failure (the decided earner is not among the locked members).
-- Idempotent: an order has one settlement.
create or replace function app.settle_orders(p_orders app.orders[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
-- A query plan that was cached while a table was empty would scan the whole table in every batch, for the rest of the session.
set enable_seqscan = off
set jit = off
as $$
declare
  v_orders app.orders[] := array(
    select o from unnest(p_orders) as o where not exists (select from app.settlements as s where s.order_id = o.id)
  );
  v_order app.orders;
  v_state app.engine_state;
  v_facts app.order_facts[];
  v_money record;
  v_points record;
  v_now timestamptz;
begin
  foreach v_order in array v_orders loop
    if v_order.paid_at is null or not v_order.has_queue_goods then
      perform app.fail('order_state_conflict', 'Only a paid order with queue goods can be settled.');
    end if;
  end loop;
  if exists (select from unnest(v_orders) as o where o.queue_units > 0) and app.is_importing() then
    perform app.fail('import_unfinished');
  end if;
  if cardinality(v_orders) > 0 then
    v_state := app.load_state(p_orders => v_orders);
    v_now := app.effect_time(p_now);

    v_facts := app.order_facts(v_orders, v_state.members, v_state.plan_in_force);
    v_money := app.decide_cycles(v_facts, v_state.members, v_state.cycles, v_state.plans);
    v_points := app.decide_levels(app.settlement_events(v_facts, v_state.plans), v_state.members, v_state.levels);
    if exists (select from unnest(v_money.cycles) as c where c.placed <> 0 and c.uid <> all (v_state.locked)) then
      raise serialization_failure using message = 'the earner of an order is not among the locked members';
    end if;

    perform app.book_settlements(v_money.settlements, v_state.level_version, v_now);
    perform app.book_maturities(v_orders, v_money.settlements, v_state.plans, v_now);
    perform app.book_entries(
      app.settlement_entries(v_money.settlements, v_points.grants, v_state.plans), v_points.members, v_money.cycles, v_now
    );
    if cardinality(v_points.rises) > 0 then
      perform app.book_rises(v_points.rises, v_now);
    end if;
  end if;
  delete from app.settlement_jobs as j where j.order_id = any (array(select o.id from unnest(p_orders) as o));
end
$$;

comment on function app.settle_orders is
  'Settles paid orders with queue goods, in the given sequence, by the three steps of the engine: load, decide, book. Orders '
  'that are settled already are skipped. The jobs of all given orders are deleted. While an '
  'import is unfinished, only orders that are refunded completely are settled. With p_now null, the settlements are dated '
  'when the locks are held (see app.effect_time).';

-- sql/4_app/settlement/settlement_entries.sql
-- Has no set clause, which would cost time in every call.
create or replace function app.settlement_entries(
  p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[]
)
returns app.bill_entry[]
language plpgsql
immutable
as $$
begin
  return array(
    select e.entry
    from (
      select s.ordinality, 0 as place, (
        s.earner_uid, 'brokerage', 'cycle', s.commission, 0, 0, s.order_id, s.base, s.rate, null, null, null, null, null
      )::app.bill_entry as entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission > 0
      union all
      select s.ordinality, 1, (
        s.earner_uid, 'frozen_points_brokerage', 'cycle', 0, s.commission_points, 0, s.order_id, s.commission,
        p_plans[s.cycle_plan_version].points_per_brokerage, null, null, null, null, null
      )::app.bill_entry
      from pg_catalog.unnest(p_settlements) with ordinality as s
      where s.commission_points > 0
      union all
      select g.ordinal, 1 + g.depth, (
        g.uid, 'frozen_points_brokerage', case g.depth when 1 then 'direct' else 'umbrella' end, 0, g.points, 0,
        g.order_id, g.units, g.per_unit, g.agent_level, case when g.depth > 1 then g.passed_on end, null, null, null
      )::app.bill_entry
      from pg_catalog.unnest(p_grants) as g
      where g.points > 0
    ) as e
    order by e.ordinality, e.place
  );
end
$$;

comment on function app.settlement_entries is
  'Returns the bill entries of settlements, order by order: the commission, its frozen points (R3), and the points by level '
  '(R5, R6, R7). Entries of zero are left out.';

-- sql/4_app/settlement/settlement_event.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.settlement_event(p_order app.order_facts, p_max_depth integer)
returns app.tree_event
language sql
immutable
parallel safe
as $$
  select (
    case when p_order.units > 0 then 'settle' else 'count' end, p_order.member, p_order.order_id,
    case when p_order.reason is null then p_order.units else 0 end, p_max_depth, p_order.is_counted::integer,
    null, null, null, null, null
  )::app.tree_event
$$;

comment on function app.settlement_event is
  'Returns the tree event of settling an order: an order that can pay nobody (app.barring_reason) grants no points, one that '
  'does not count adds nothing to the task counts, and one that was refunded before its settlement raises nobody.';

-- sql/4_app/settlement/settlement_events.sql
-- Has no set clause, which would cost time in every call.
create or replace function app.settlement_events(p_orders app.order_facts[], p_plans app.commission_plans[])
returns app.tree_event[]
language plpgsql
immutable
as $$
begin
  return array(
    select app.settlement_event(f, p_plans[f.plan_version].max_depth)
    from pg_catalog.unnest(p_orders) as f
  );
end
$$;

comment on function app.settlement_events is 'Returns the tree events of settling orders, one for each (see settlement_event).';

-- sql/4_app/settlement/settlement_job_state.sql
-- The age counts, not when the job is due next: a job that never gets its lock is due again ten seconds later, forever.
create or replace function app.settlement_job_state(p_now timestamptz)
returns table (waiting bigint, dead bigint, due_since timestamptz, is_late boolean, import_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select j.waiting, j.dead, j.due_since, coalesce(j.due_since < p_now - interval '5 minutes', false),
    (select i.started_at from app.imports as i where i.finished_at is null)
  from (
    select count(*) filter (where q.state = 'waiting') as waiting, count(*) filter (where q.state = 'dead') as dead,
      min(q.created_at) filter (where q.state = 'waiting') as due_since
    from app.settlement_jobs as q
  ) as j
$$;

comment on function app.settlement_job_state is
  'Returns how many orders wait for their settlement, how many settlements have failed for good, since when the oldest order waits, '
  'and whether it has waited too long. The scheduled settlement runs every minute, so five minutes are too long. import_since is when the unfinished '
  'import began that the settlements wait for; null if there is none.';

grant execute on function app.settlement_job_state(timestamptz) to store_admin;

-- sql/4_app/settlement/umbrella_earners.sql
create or replace function app.umbrella_earners(p_orders app.orders[], p_uids bigint[], p_earners bigint[])
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_read record := app.read_members(p_uids, p_earners);
  v_plans app.commission_plans[] := app.load_plans(array(select o.plan_version from unnest(p_orders) as o));
begin
  return array(
    select p_uids[app.find_earner(o, v_plans[o.plan_version], v_read.members, v_read.cycles)]
    from unnest(app.order_facts(p_orders, v_read.members, null)) as o
    where o.reason is null
  );
end
$$;

comment on function app.umbrella_earners is
  'Returns the members who would earn the commission of orders with scope umbrella by the current data. Nothing else in the '
  'settlement may write these members, so they are locked before the decision.';

-- sql/4_app/settlement/upline_of.sql
-- The recursion goes up from all members at once. A shared ancestor appears once for each amount that members below pass on
-- (R7), which is at most once for each level.
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the structure.
create or replace function app.upline_of(p_uids bigint[], p_levels app.level_rule[], out uids bigint[], out written bigint[])
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
-- With few members, Postgres would scan all of them at every step.
set enable_hashjoin = off
set enable_mergejoin = off
as $$
begin
  with recursive upline as (
    select u.uid, u.spread_uid, u.agent_level, 0 as height, 0::numeric as passed_on
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select
      r.uid, r.spread_uid, r.agent_level, least(p.height + 1, 2),
      case p.height when 0 then 0 else greatest(p.passed_on, p_levels[p.agent_level + 1].umbrella_points) end
    from upline as p join app.users as r on r.uid = p.spread_uid
  )
  select array_agg(m.uid order by m.uid), array_agg(m.uid order by m.uid) filter (where m.is_written)
  into uids, written
  from (
    select p.uid, bool_or(
      p.height < 2 or p_levels[p.agent_level + 1].is_counted or p_levels[p.agent_level + 1].umbrella_points > p.passed_on
    ) as is_written
    from upline as p
    group by p.uid
  ) as m;
end
$$;

comment on function app.upline_of is
  'Returns the given members and their uplines, sorted (uids), and which of them a decision may write (written): the given '
  'members, their referrers, members with task counts, and members who may get points by level.';

-- sql/4_app/simulation/asked_members.sql
create or replace function app.asked_members(p_settlement app.settlements)
returns table (uid bigint, reported_since timestamptz)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive asked as (
    select p_settlement.referrer_uid as uid, 1 as depth
    where p_settlement.referrer_uid is not null and coalesce(p_settlement.reason, 'nobody_eligible') in ('nobody_eligible', 'referrer_not_eligible')
    union all
    select u.spread_uid, a.depth + 1
    from asked as a
    join app.users as u on u.uid = a.uid
    join app.commission_plans as p on p.version = p_settlement.order_plan_version
    where p_settlement.brokerage_scope = 'umbrella' and a.uid is distinct from p_settlement.earner_uid and a.depth < coalesce(p.max_depth, a.depth + 1)
      and u.spread_uid is not null and u.spread_position < p_settlement.position
  )
  select a.uid, case when a.uid = p_settlement.earner_uid then p_settlement.eligible_since end from asked as a
$$;

comment on function app.asked_members is
  'Returns the members whose eligibility a past settlement checked, from the referrer up to the earner or the last one, each '
  'with the payment time of the own reported order that was found then; null for members who were not eligible (R4).';

-- sql/4_app/simulation/first_position.sql
create or replace function app.first_position(p_from timestamptz)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(least(
    (select min(s.position) from app.settlements as s where s.settled_at >= p_from),
    (select min(r.position) from app.refunds as r where r.created_at >= p_from),
    (select min(r.decided_position) from app.refunds as r where r.decided_at >= p_from),
    (select min(n.position) from app.no_assess_changes as n where n.add_time >= p_from),
    (select min(c.position) from app.level_changes as c where c.add_time >= p_from)
  ), 9223372036854775807)
$$;

comment on function app.first_position is
  'Returns the position of the first event at or after p_from among all that the engine replays, or the highest bigint if '
  'there is none.';

-- sql/4_app/simulation/order_at.sql
create or replace function app.order_at(
  p_order_id bigint, p_at timestamptz, p_position bigint, p_by_time boolean,
  out base numeric, out units integer, out refund_status smallint
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with refunds as (
    select
      r.id, r.state,
      case when p_by_time then (r.decided_at, r.decided_position) <= (p_at, p_position) else r.decided_position <= p_position end as is_decided,
      case when p_by_time then (r.created_at, r.position) <= (p_at, p_position) else r.position <= p_position end as is_requested
    from app.refunds as r
    where r.order_id = p_order_id
  ),
  lines as (
    select l.paid, l.quantity, l.is_queue_goods, coalesce((
      select sum(i.quantity) from app.refund_lines as i join refunds as r on r.id = i.refund_id
      where i.line_id = l.id and r.state = 'refunded' and r.is_decided
    ), 0)::integer as refunded
    from app.order_lines as l
    where l.order_id = p_order_id
  )
  select
    coalesce(sum(app.amount_left(l.paid, l.quantity, l.refunded)) filter (where l.is_queue_goods), 0),
    coalesce(sum(l.quantity - l.refunded) filter (where l.is_queue_goods), 0),
    case
      when sum(l.quantity - l.refunded) = 0 then 2
      when exists (select from refunds as r where r.is_requested and not coalesce(r.is_decided, false)) then 1
      when sum(l.refunded) > 0 then 3
      else 0
    end
  from lines as l
$$;

comment on function app.order_at is
  'Returns what was left of an order''s queue goods, and its refund status, right after the events up to a key. The key is '
  'p_position; with p_by_time it is (p_at, p_position).';

-- sql/4_app/simulation/simulate.sql
-- Bounded by p_max_orders and by the statement timeout of the session.
-- Stable: Postgres itself prevents writes and row locks.
-- Raises: invalid_argument, simulation_too_large, plan_invalid, levels_invalid.
create or replace function app.simulate(
  p_plan jsonb, p_levels jsonb, p_from timestamptz, p_to timestamptz, p_max_orders integer default 20000, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_orders app.simulated_order[];
  v_start bigint;
  v_uids bigint[];
  v_plans app.commission_plans[];
  v_state record;
  v_chunk record;
  v_money record;
  v_points record;
  v_amounts app.simulated_amount[] := '{}';
  v_done integer := 0;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'The end of a period must be after its beginning.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  if p_plan is not null then
    v_plan := app.draft_plan(p_plan, '/plan');
    v_plan.version := app.active_plan_version() + 1;
  end if;
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;

  v_orders := array(select o from app.simulated_orders(p_from, p_to, v_plan, p_max_orders::bigint + 1) as o);
  if cardinality(v_orders) > p_max_orders then
    perform app.fail('simulation_too_large', format('More than %s orders. Choose a shorter period.', p_max_orders));
  end if;
  v_start := app.first_position(p_from);
  v_uids := app.simulated_uids(v_orders, v_start, p_to);
  v_state := app.simulated_members(v_uids, v_start, p_from, v_plan);
  v_plans := app.load_plans(array(
    select o.plan_version from unnest(v_orders) as o union select o.plan_in_force from unnest(v_orders) as o
    union select c.plan_version from unnest(v_state.cycles) as c
  ));
  if v_plan.version is not null then
    v_plans[v_plan.version] := v_plan;
  end if;

  for v_chunk in
    select * from app.simulated_chunks(v_orders, v_uids, v_start, p_from, p_to, v_plan, p_levels)
  loop
    -- No referrer changes after the first settlement of a chunk, so the tree after all of its events is the one that its orders
    -- are decided with.
    v_points := app.decide_levels(v_chunk.events, v_state.members, v_chunk.levels);
    v_money := app.decide_cycles(v_chunk.facts, v_points.members, v_state.cycles, v_plans);
    v_amounts := v_amounts || app.simulated_amounts(v_orders, v_money.settlements, v_points.grants, v_plans);
    select v_points.members as members, v_money.cycles as cycles into v_state;
    v_done := v_done + cardinality(v_money.settlements);
    raise notice 'replayed % of %', v_done, cardinality(v_orders);
  end loop;
  return app.simulation_report(v_orders, v_amounts, p_to, p_limit);
end
$$;

comment on function app.simulate is
  'Replays the orders of a past period through the decisions of the engine, from the state at its beginning, and returns what '
  'they would pay beside what they paid. Writes nothing. A draft plan or draft levels (null: none) apply to orders paid from '
  'the start of the period; open cycles keep their plan. Without a draft, the result equals what was paid, to the cent.';

-- sql/4_app/simulation/simulated_amounts.sql
create or replace function app.simulated_amounts(
  p_orders app.simulated_order[], p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[]
)
returns app.simulated_amount[]
language sql
immutable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select coalesce(array_agg((e.order_id, e.uid, e.money, e.points)::app.simulated_amount), '{}')
  from (
    select
      b.order_id, b.uid, sum(a.amount) filter (where b.type = 'brokerage') as money, sum(a.amount) filter (where b.type <> 'brokerage') as points
    from unnest(app.settlement_entries(p_settlements, p_grants, p_plans)) as b
    join unnest(p_orders) as o on o.order_id = b.order_id
    left join unnest(p_settlements) as s on s.order_id = b.order_id
    cross join lateral (
      select app.grant_amount(b.type, app.basis_left(b.type, b.source, o.base_left, o.units_left, s.rate), b.rate) as amount
    ) as a
    group by b.order_id, b.uid
  ) as e
$$;

comment on function app.simulated_amounts is
  'Returns what simulated decisions pay, per order and member, for what refunds leave of each order by the end of the period: '
  'a refund reduces every grant to that.';

-- sql/4_app/simulation/simulated_below_minimum.sql
create or replace function app.simulated_below_minimum(p_order app.orders, p_from timestamptz, p_plan app.commission_plans)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select case
    when p_plan.version is null or p_order.paid_at < p_from then p_order.below_minimum
    else app.is_below_minimum(
      (select sum(l.paid) from app.order_lines as l where l.order_id = p_order.id and l.is_queue_goods), p_plan.minimum_base
    )
  end
$$;

comment on function app.simulated_below_minimum is
  'Returns whether the base of an order at payment was below the minimum base of its plan, or of the draft plan if that '
  'applies to the order.';

-- sql/4_app/simulation/simulated_chunks.sql
create or replace function app.simulated_chunks(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans,
  p_levels jsonb
)
returns table (facts app.order_facts[], events app.tree_event[], levels app.level_rule[])
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with versioned as (
    select
      t.ordinal, t.fact, t.event,
      case when p_levels is not null and (t.fact).kind = 'settle' and (t.fact).paid_at >= p_from then 0 else t.level_version end as level_version,
      count(t.level_version) over (order by t.ordinal) as piece
    from app.simulated_timeline(p_orders, p_uids, p_start, p_from, p_to, p_plan) as t
  ),
  -- Other events belong to the settlement before them.
  filled as (
    select v.ordinal, v.fact, v.event, max(v.level_version) over (partition by v.piece) as level_version from versioned as v
  ),
  compared as (
    select f.*, lag(f.level_version) over (order by f.ordinal) is distinct from f.level_version or f.ordinal % 5000 = 0
      or (f.event).kind = 'refer' and lag((f.event).kind) over (order by f.ordinal) is distinct from 'refer' as begins
    from filled as f
  ),
  numbered as (
    select c.*, count(*) filter (where c.begins) over (order by c.ordinal) as chunk from compared as c
  )
  select
    coalesce(array_agg(n.fact order by n.ordinal) filter (where (n.fact).kind is not null), '{}'),
    coalesce(array_agg(n.event order by n.ordinal) filter (where (n.event).kind is not null), '{}'),
    case
      when max(n.level_version) = 0 then app.level_rules(p_levels, true)
      else (
        select app.level_rules(l.levels, true) from app.level_versions as l
        where l.version = max(n.level_version) or max(n.level_version) is null
        order by l.version desc limit 1
      )
    end
  from numbered as n
  group by n.chunk
  order by n.chunk
$$;

comment on function app.simulated_chunks is
  'Splits the timeline of a simulation into chunks of at most 5,000 steps, each with one version of the level settings. A new '
  'chunk begins where a member gets a referrer. Draft levels (p_levels, null: none) apply to orders paid from the start of the '
  'period; other orders have the levels that they were settled with.';

-- sql/4_app/simulation/simulated_members.sql
create or replace function app.simulated_members(
  p_uids bigint[], p_position bigint, p_from timestamptz, p_plan app.commission_plans,
  out members app.tree_member[], out cycles app.cycle_state[]
)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with levels as (
    select distinct on (c.uid) c.uid, c.from_level, c.from_held
    from app.level_changes as c where c.position >= p_position order by c.uid, c.position, c.id
  ),
  flags as (
    select distinct on (n.uid) n.uid, n.from_value from app.no_assess_changes as n where n.position >= p_position order by n.uid, n.position
  ),
  places as (
    select
      s.earner_uid as uid, s.cycle_no, min(s.cycle_plan_version) as plan_version,
      array_agg(s.place) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as taken,
      array_agg(s.order_id) filter (where s.place_freed_position is null or s.place_freed_position >= p_position) as orders
    from app.taken_places as s
    where s.position < p_position
    group by s.earner_uid, s.cycle_no
  ),
  last_cycles as (select distinct on (p.uid) p.* from places as p order by p.uid, p.cycle_no desc),
  reported as (
    select o.uid, min(o.paid_at) as since
    from app.orders as o
    where o.paid_at is not null and o.has_queue_goods and not app.simulated_below_minimum(o, p_from, p_plan)
      and (o.queue_units > 0 or (app.order_at(o.id, null, p_position - 1, false)).units > 0)
    group by o.uid
  )
  select
    array_agg((
      u.uid, case when (u.spread_position < p_position or u.spread_time = u.add_time) and u.spread_uid = p_uids[width_bucket(u.spread_uid, p_uids)]
        then width_bucket(u.spread_uid, p_uids) end,
      coalesce(l.from_level, u.agent_level), coalesce(l.from_held, u.is_held), coalesce(f.from_value, u.no_assess),
      coalesce(c.own_orders, 0), coalesce(c.direct_orders, 0), coalesce(c.umbrella_orders, 0), coalesce(c.direct_members, 0),
      coalesce(c.umbrella_members, 0), false
    )::app.tree_member order by u.uid),
    array_agg((
      u.uid, r.since, coalesce(y.cycle_no, 0), y.plan_version,
      coalesce(coalesce(cardinality(y.taken), 0) < (select p.people_per_cycle from app.commission_plans as p where p.version = y.plan_version), false),
      coalesce(y.taken, '{}'), coalesce(y.orders, '{}'), 0
    )::app.cycle_state order by u.uid)
  from app.users as u
  left join levels as l on l.uid = u.uid
  left join flags as f on f.uid = u.uid
  left join app.recount_counters(p_position) as c on c.uid = u.uid
  left join last_cycles as y on y.uid = u.uid
  left join reported as r on r.uid = u.uid
  where u.uid = any (p_uids)
$$;

comment on function app.simulated_members is
  'Returns the members p_uids, which are sorted, as they were before a position: referrer, level, hold, no-assess flag, task '
  'counts, cycle, and since when they have a reported order. Members at the top grade have task counts, too. The draft plan and '
  'the start of its period (p_plan, p_from; null: none) decide which orders reach the minimum base.';

-- sql/4_app/simulation/simulated_orders.sql
create or replace function app.simulated_orders(p_from timestamptz, p_to timestamptz, p_plan app.commission_plans, p_limit bigint)
returns setof app.simulated_order
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with settled as (
    select
      o.id, o.uid, o.referrer_uid, s.settled_at as at, s.position, s.order_plan_version, s.plan_in_force, s.level_version, o.paid_at,
      o.below_minimum, o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.settlements as s
    join app.orders as o on o.id = s.order_id
    where s.settled_at >= p_from and s.settled_at < p_to and (p_plan.version is null or o.paid_at < p_from)
    union all
    select
      o.id, o.uid, o.referrer_uid, t.at, 0, p_plan.version, p_plan.version, coalesce(s.level_version, (select max(v.version) from app.level_versions as v)), o.paid_at,
      app.simulated_below_minimum(o, p_from, p_plan),
      o.queue_base, o.queue_units, o.refund_status, o.is_imported
    from app.orders as o
    left join app.settlements as s on s.order_id = o.id
    cross join lateral (select case p_plan.brokerage_timing when 'on_pay' then o.paid_at else o.received_at end as at) as t
    where p_plan.version is not null and o.paid_at >= p_from and o.paid_at < p_to and o.has_queue_goods and t.at < p_to
  )
  select
    s.id, s.uid, s.referrer_uid, s.at, s.position, s.order_plan_version, s.plan_in_force, s.level_version, s.paid_at,
    coalesce(n.base, s.queue_base), coalesce(n.units, s.queue_units), coalesce(n.refund_status, s.refund_status), s.below_minimum,
    coalesce(e.base, s.queue_base), coalesce(e.units, s.queue_units), s.is_imported
  from settled as s
  -- Most orders have no refund; for them the current values are those of any time.
  left join lateral (
    select a.* from app.order_at(s.id, s.at, s.position, p_plan.version is not null) as a
    where exists (select from app.refunds as r where r.order_id = s.id)
  ) as n on true
  left join lateral (
    select a.* from app.order_at(s.id, p_to, 0, true) as a
    where exists (select from app.refunds as r where r.order_id = s.id)
  ) as e on true
  order by case when p_plan.version is not null then s.at end, s.position, s.id
  limit p_limit
$$;

comment on function app.simulated_orders is
  'Returns at most p_limit orders that a simulation settles, in sequence. Without a draft plan, these are the settlements of '
  'the period, by position. With one, orders paid from the start of the period take the draft and are settled when its timing '
  'says; orders paid before are settled when they were. The sequence is by time then.';

-- sql/4_app/simulation/simulated_refunds.sql
create or replace function app.simulated_refunds(
  p_orders app.simulated_order[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans
)
returns table (at timestamptz, "position" bigint, order_id bigint, uid bigint, step integer, frees boolean, ends boolean)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with steps as (
    select r.order_id, r.created_at as at, r.position, 'refund' as kind from app.refunds as r
    where r.position >= p_start and r.created_at < p_to
    union
    select r.order_id, r.decided_at, r.decided_position, 'refund' from app.refunds as r
    where r.decided_position >= p_start and r.decided_at < p_to
  ),
  points as (
    select s.order_id, s.at, s.position, s.kind from steps as s
    union all
    select o.order_id, o.at, o.position, 'settle' from unnest(p_orders) as o where o.order_id in (select s.order_id from steps as s)
    union all
    select distinct s.order_id, p_from, case when p_plan.version is null then p_start - 1 else 0 end, 'start' from steps as s
  ),
  states as (
    select
      p.*, o.uid, a.base, a.units, a.refund_status, app.simulated_below_minimum(o, p_from, p_plan) as below_minimum,
      bool_or(p.kind = 'settle' or (p.kind = 'start' and exists (
        select from app.settlements as s where s.order_id = o.id and s.position < p_start and s.state in ('settled', 'imported')
      ))) over sequence as is_settled
    from points as p
    join app.orders as o on o.id = p.order_id and o.has_queue_goods
    cross join lateral app.order_at(p.order_id, p.at, p.position, p_plan.version is not null) as a
    window sequence as (
      partition by p.order_id order by case when p_plan.version is not null then p.at end, p.position, p.kind = 'settle'
    )
  ),
  compared as (
    select
      s.*, lag(s.base) over sequence as base_before, lag(s.units) over sequence as units_before,
      (s.is_settled and app.is_counted(s.units, s.refund_status, s.below_minimum))::integer as counted,
      lag((s.is_settled and app.is_counted(s.units, s.refund_status, s.below_minimum))::integer) over sequence as counted_before
    from states as s
    window sequence as (
      partition by s.order_id order by case when p_plan.version is not null then s.at end, s.position, s.kind = 'settle'
    )
  )
  select
    c.at, c.position, c.order_id, c.uid, c.counted - c.counted_before, c.is_settled and c.base = 0 and c.base_before > 0,
    c.units = 0 and c.units_before > 0
  from compared as c
  where c.kind = 'refund'
$$;

comment on function app.simulated_refunds is
  'Returns one row for each step of each refund of the period: how the order starts or stops counting for tasks (step), '
  'whether it loses its base (frees) and whether it stops being a reported order (ends). p_orders are the orders that the '
  'simulation settles; other orders count if they were settled before p_start.';

-- sql/4_app/simulation/simulated_timeline.sql
create or replace function app.simulated_timeline(
  p_orders app.simulated_order[], p_uids bigint[], p_start bigint, p_from timestamptz, p_to timestamptz, p_plan app.commission_plans
)
returns table (ordinal bigint, level_version integer, fact app.order_facts, event app.tree_event)
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with refunds as materialized (select * from app.simulated_refunds(p_orders, p_start, p_from, p_to, p_plan)),
  happenings as (
    select
      o.at, o.position, 1 as rank, o.order_id, o.level_version, f.fact,
      app.settlement_event(f.fact, case when o.plan_version = p_plan.version then p_plan.max_depth else p.max_depth end) as event
    from unnest(p_orders) as o
    cross join lateral (
      select (
        'settle', o.order_id, width_bucket(o.uid, p_uids), o.uid, o.referrer_uid, o.plan_version, o.plan_in_force, o.paid_at, o.base,
        o.units, app.barring_reason(o.units, o.base, o.below_minimum, o.referrer_uid, o.is_imported),
        app.is_counted(o.units, o.refund_status, o.below_minimum)
      )::app.order_facts as fact
    ) as f
    left join app.commission_plans as p on p.version = o.plan_version
    union all
    select r.at, r.position, 1, r.order_id, null,
      case when r.frees then ('free', r.order_id, width_bucket(r.uid, p_uids), null, null, null, null, null, null, null, null, null)::app.order_facts end,
      case when r.step <> 0 then
        ('count', width_bucket(r.uid, p_uids), r.order_id, 0, null, r.step, null, null, null, null, null)::app.tree_event
      end
    from refunds as r where r.step <> 0 or r.frees
    union all
    -- Without a draft plan, eligibility is what the settlement found.
    select o.at, o.position, 0, o.order_id, null,
      ('report', null, width_bucket(a.uid, p_uids), null, null, null, null, a.reported_since, null, null, null, null)::app.order_facts, null
    from unnest(p_orders) as o
    join app.settlements as s on s.order_id = o.order_id
    cross join lateral app.asked_members(s) as a
    where p_plan.version is null
    union all
    -- With a draft plan, it follows from the member's first reported order that is left.
    select r.at, r.position, 1, r.order_id, null,
      ('report', null, width_bucket(r.uid, p_uids), null, null, null, null, (
        select min(o.paid_at) from app.orders as o
        where o.uid = r.uid and o.paid_at is not null and o.has_queue_goods and not app.simulated_below_minimum(o, p_from, p_plan)
          and (app.order_at(o.id, r.at, r.position, true)).units > 0
      ), null, null, null, null)::app.order_facts, null
    from refunds as r
    where r.ends and p_plan.version is not null
    union all
    select n.add_time, n.position, 1, 0, null, null,
      ('assess', width_bucket(n.uid, p_uids), null, 0, null, null, n.to_value, null, null, null, null)::app.tree_event
    from app.no_assess_changes as n
    where n.position >= p_start and n.add_time < p_to
    union all
    select c.add_time, c.position, 1, 0, null, null,
      ('grade', width_bucket(c.uid, p_uids), null, 0, null, null, c.to_held, null, null, null, c.to_level)::app.tree_event
    from app.level_changes as c
    where c.reason <> 'tasks' and c.position >= p_start and c.add_time < p_to
    union all
    select u.spread_time, u.spread_position, 1, 0, null, null,
      ('refer', width_bucket(u.uid, p_uids), null, 0, null, null, null, width_bucket(u.spread_uid, p_uids), null, null, null)::app.tree_event
    from app.users as u
    -- Members who signed up with their referrer had no orders to count before.
    where u.spread_uid is not null and u.spread_time <> u.add_time and u.spread_position >= p_start and u.uid = any (p_uids)
  )
  select
    row_number() over (order by case when p_plan.version is not null then h.at end, h.position, h.rank, h.order_id),
    h.level_version, h.fact, h.event
  from happenings as h
$$;

comment on function app.simulated_timeline is
  'Returns all events of the period of a simulation, in sequence, in the form that the engine takes: facts for the cycles, '
  'events for the tree. p_uids are the members, sorted; level_version is set for settlements.';

-- sql/4_app/simulation/simulated_uids.sql
create or replace function app.simulated_uids(p_orders app.simulated_order[], p_start bigint, p_to timestamptz)
returns bigint[]
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with recursive members as (
    select u.uid, u.spread_uid
    from app.users as u
    where u.uid in (
      select o.uid from unnest(p_orders) as o
      union all
      select o.uid from app.refunds as r join app.orders as o on o.id = r.order_id
      where r.position >= p_start or r.decided_position >= p_start
      union all
      select n.uid from app.no_assess_changes as n where n.position >= p_start
      union all
      select c.uid from app.level_changes as c where c.position >= p_start and c.reason <> 'tasks'
      union all
      select b.uid from app.users as b where b.spread_position >= p_start and b.spread_uid is not null
    )
    union
    select r.uid, r.spread_uid from members as m join app.users as r on r.uid = m.spread_uid
  )
  select coalesce(array_agg(m.uid order by m.uid), '{}') from members as m
$$;

comment on function app.simulated_uids is
  'Returns the members that a simulation needs, sorted: buyers, members who change in the period, and the uplines of all of '
  'them.';

-- sql/4_app/simulation/simulation_report.sql
create or replace function app.simulation_report(
  p_orders app.simulated_order[], p_amounts app.simulated_amount[], p_to timestamptz, p_limit integer
)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  with entries as materialized (
    select 'simulated' as side, a.uid, a.order_id, coalesce(a.money, 0.00) as money, coalesce(a.points, 0) as points from unnest(p_amounts) as a
    union all
    select 'paid', l.uid, l.order_id, l.brokerage_delta, l.frozen_delta + l.available_delta
    from unnest(p_orders) as o join app.user_bill as l on l.order_id = o.order_id
    where l.add_time < p_to and app.is_earned(l.type)
  ),
  revenue as (select coalesce(sum(o.base_left), 0.00) as total from unnest(p_orders) as o),
  members as (
    select e.uid, coalesce(sum(e.money) filter (where e.side = 'simulated'), 0.00) as money,
      coalesce(sum(e.points) filter (where e.side = 'simulated'), 0) as points,
      coalesce(sum(e.money) filter (where e.side = 'paid'), 0.00) as paid_money, coalesce(sum(e.points) filter (where e.side = 'paid'), 0) as paid_points
    from entries as e group by e.uid
  ),
  totals as (
    select e.side, sum(e.money) as money, sum(e.points) as points from entries as e group by e.side
  ),
  highest as (
    select distinct on (e.side) e.side, e.order_id, sum(e.money) as money
    from entries as e group by e.side, e.order_id order by e.side, sum(e.money) desc, e.order_id
  )
  select jsonb_build_object(
    'orders', cardinality(p_orders), 'revenue', (select r.total::text from revenue as r),
    'totals', coalesce((
      select jsonb_object_agg(t.side, jsonb_build_object(
        'commission', t.money::text, 'points', trim_scale(t.points),
        'payout_share', (select trunc(t.money / nullif(r.total, 0), 4) from revenue as r),
        'highest_order', (select jsonb_build_object('order_id', h.order_id, 'commission', h.money::text) from highest as h where h.side = t.side)
      )) from totals as t
    ), '{}'),
    'members', coalesce((
      select jsonb_agg(jsonb_build_object(
        'uid', m.uid, 'nickname', m.nickname, 'commission', m.money::text, 'points', trim_scale(m.points),
        'paid_commission', m.paid_money::text, 'paid_points', trim_scale(m.paid_points)
      ) order by m.money desc, m.uid)
      from (
        select n.*, u.nickname from members as n join app.users as u on u.uid = n.uid order by n.money desc, n.uid limit p_limit
      ) as m
    ), '[]')
  )
$$;

comment on function app.simulation_report is
  'Returns what a simulation pays beside what was paid for the same orders by the end of the period: in total, for the highest '
  'order, and for the p_limit members with the highest commission. Money is text, points are numbers.';

-- sql/4_app/system/health_json.sql
create or replace function app.health_json(p_now timestamptz)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'status', case
      when j.dead > 0 or j.is_late or s.state <> 'ok' then 'degraded'
      else 'ok'
    end,
    'waiting_jobs', j.waiting, 'dead_jobs', j.dead, 'due_since', app.utc(j.due_since), 'import_since', app.utc(j.import_since), 'scheduler', s.state,
    'last_release', (select max(r.release_date) from app.release_runs as r where r.finished_at is not null)
  )
  from app.settlement_job_state(p_now) as j
  cross join app.scheduler_state(p_now) as s (state)
$$;

comment on function app.health_json is
  'Returns the health of the background work at p_now: settlement jobs, the scheduler, and the last finished '
  'release. The status is ok or degraded.';

-- sql/4_app/team/add_up_team.sql
-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are. `rows` is low, so that
-- the planner looks up each row of the result by key, even if app.team_totals was small when the query plan was made.
create or replace function app.add_up_team(p_uids bigint[], p_referrers bigint[], p_changes app.team_change[])
returns table (uid bigint, direct_members integer, direct_orders integer, umbrella_members integer, umbrella_orders integer)
language plpgsql
immutable
rows 10
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
declare
  v_tree record;
  v_sums record;
begin
  with members as (
    select m.uid, m.referrer, m.number::integer from unnest(p_uids, p_referrers) with ordinality as m (uid, referrer, number)
  )
  select
    array_agg(r.number order by m.number) as referrers,
    array_agg(coalesce(c.members + c.members_below, 0) order by m.number) as members,
    array_agg(coalesce(c.orders + c.orders_below, 0) order by m.number) as orders
  into v_tree
  from members as m left join members as r on r.uid = m.referrer left join unnest(p_changes) as c on c.uid = m.uid;

  v_sums := app.add_up_tree(v_tree.referrers, v_tree.members, v_tree.orders);
  return query
    select m.uid, coalesce(d.members, 0), coalesce(d.orders, 0), m.members, m.orders
    from unnest(p_uids, v_sums.members, v_sums.orders) as m (uid, members, orders)
    left join (
      select c.spread_uid, sum(c.members)::integer as members, sum(c.orders)::integer as orders
      from unnest(p_changes) as c
      group by c.spread_uid
    ) as d on d.spread_uid = m.uid
    where m.members <> 0 or m.orders <> 0 or d.spread_uid is not null;
end
$$;

comment on function app.add_up_team is
  'Returns what changes add to the team totals of the members of a tree. p_uids are the changed members and everyone above, '
  'p_referrers their referrers. Members to whose totals nothing is added are left out. It reads no table.';

-- sql/4_app/team/add_up_tree.sql
-- Each member passes their sum on when the last one below has done so. The number of steps is the number of members, however deep
-- the tree is; a recursive query would visit an ancestor once for every member below.
create or replace function app.add_up_tree(
  p_referrers integer[], p_members integer[], p_orders integer[], out members integer[], out orders integer[]
)
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_open integer[];
  v_index integer;
  v_referrer integer;
begin
  v_open := array_fill(0, array[coalesce(cardinality(p_referrers), 0)]);
  members := v_open;
  orders := v_open;
  foreach v_referrer in array coalesce(p_referrers, '{}') loop
    if v_referrer is not null then
      v_open[v_referrer] := v_open[v_referrer] + 1;
    end if;
  end loop;
  for v_start in 1..cardinality(v_open) loop
    v_index := v_start;
    while v_open[v_index] = 0 loop
      v_open[v_index] := -1;
      v_referrer := p_referrers[v_index];
      exit when v_referrer is null;
      members[v_referrer] := members[v_referrer] + members[v_index] + p_members[v_index];
      orders[v_referrer] := orders[v_referrer] + orders[v_index] + p_orders[v_index];
      v_open[v_referrer] := v_open[v_referrer] - 1;
      v_index := v_referrer;
    end loop;
  end loop;
end
$$;

comment on function app.add_up_tree is
  'Returns, for each member of a tree, the sums of p_members and p_orders over all members below, at any depth. p_referrers holds '
  'the index of each member''s referrer, or null. It reads no table.';

-- sql/4_app/team/apply_team_changes.sql
-- The totals follow their own copy of the tree, app.team_totals.spread_uid, not app.users. They are therefore the exact sums of
-- the copied referrers and orders after every batch, whichever changes the batch contains and in whichever order they were
-- committed. A member who gets a referrer brings along all that the totals have below the member by then.
-- Precondition: the caller holds the advisory lock team_totals. The uids are distinct.
-- Idempotent: it adds the difference between the present values and the copied ones.
-- Generic query plan: see app.get_upline. Each table is read by index, because a query plan that was made for a small queue must
-- serve a long one.
create or replace function app.apply_team_changes(p_uids bigint[])
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
declare
  v_moved bigint;
  v_changes app.team_change[];
  v_tree record;
begin
  insert into app.team_totals (uid)
  select m.uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
  union
  select u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid where u.spread_uid is not null
  on conflict do nothing;

  foreach v_moved in array array(
    select t.uid
    from unnest(p_uids) as m (uid) join app.team_totals as t on t.uid = m.uid join app.users as u on u.uid = m.uid
    where coalesce(t.spread_uid <> u.spread_uid, t.spread_uid is not null)
  ) loop
    perform app.detach_team(v_moved);
  end loop;

  with present as (
    select
      u.uid, u.spread_uid, t.spread_uid is null and u.spread_uid is not null as is_new, t.own_orders as orders_before,
      (
        select count(*) from app.orders as o
        where o.uid = u.uid and app.is_reported(o.paid_at, o.queue_units, o.refund_status, o.below_minimum)
      )::integer as orders
    from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid join app.team_totals as t on t.uid = m.uid
  ),
  changed as (
    update app.team_totals as t set spread_uid = p.spread_uid, own_orders = p.orders
    from present as p
    where t.uid = p.uid and (p.is_new or p.orders <> p.orders_before)
    returning (
      t.uid, t.spread_uid, p.is_new::integer, t.own_orders - case when p.is_new then 0 else p.orders_before end,
      case when p.is_new then t.umbrella_members else 0 end, case when p.is_new then t.umbrella_orders else 0 end
    )::app.team_change as change
  )
  select array_agg(c.change) into v_changes from changed as c;

  with recursive tree as (
    select t.uid, t.spread_uid from unnest(v_changes) as c join app.team_totals as t on t.uid = c.uid
    union
    select r.uid, r.spread_uid from tree as b join app.team_totals as r on r.uid = b.spread_uid
  )
  select array_agg(t.uid) as uids, array_agg(t.spread_uid) as referrers into v_tree from tree as t;

  update app.team_totals as t
  set direct_members = t.direct_members + s.direct_members, direct_orders = t.direct_orders + s.direct_orders,
      umbrella_members = t.umbrella_members + s.umbrella_members, umbrella_orders = t.umbrella_orders + s.umbrella_orders
  from app.add_up_team(v_tree.uids, v_tree.referrers, v_changes) as s
  where t.uid = s.uid;
end
$$;

comment on function app.apply_team_changes is
  'Brings the team totals up to date for members whose referrer or number of reported orders has changed: copies the present '
  'values and adds the differences to everyone above. The row of each ancestor is written once.';

-- sql/4_app/team/below_in_tree.sql
-- Nested loops over arrays would take quadratic time, and the planner does not know how long the arrays are.
create or replace function app.below_in_tree(p_uid bigint, p_uids bigint[], p_referrers bigint[])
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = on
set enable_nestloop = off
set jit = off
as $$
begin
  return array(
    with recursive tree as materialized (select t.uid, t.referrer from unnest(p_uids, p_referrers) as t (uid, referrer)),
    below as (
      select t.uid from tree as t where t.referrer = p_uid
      union all
      select t.uid from below as b join tree as t on t.referrer = b.uid
    )
    select b.uid from below as b
  );
end
$$;

comment on function app.below_in_tree is
  'Returns the members of a tree who are below p_uid, at any depth. p_referrers are the referrers of p_uids. It reads no table.';

-- sql/4_app/team/detach_team.sql
-- Members get a referrer once, so this happens only after a correction by hand.
-- Precondition: the caller holds the advisory lock team_totals.
create or replace function app.detach_team(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member app.team_totals := (select t from app.team_totals as t where t.uid = p_uid);
begin
  with recursive upline as (
    select v_member.spread_uid as uid
    union
    select t.spread_uid from upline as b join app.team_totals as t on t.uid = b.uid where t.spread_uid is not null
  )
  update app.team_totals as t
  set umbrella_members = t.umbrella_members - v_member.umbrella_members - 1,
      umbrella_orders = t.umbrella_orders - v_member.umbrella_orders - v_member.own_orders,
      direct_members = t.direct_members - (t.uid = v_member.spread_uid)::integer,
      direct_orders = t.direct_orders - case when t.uid = v_member.spread_uid then v_member.own_orders else 0 end
  from upline as a
  where t.uid = a.uid;
  update app.team_totals set spread_uid = null where uid = p_uid;
end
$$;

comment on function app.detach_team is
  'Takes a member and everyone below out of the team totals of all members above.';

-- sql/4_app/team/direct_people.sql
-- Sorted by joining, orders or members, a page follows an index, however many direct members there are. No index has the levels
-- or nicknames of direct members: sorted by these, a page reads as many members as it may, the latest to join first, and sorts
-- them. The cursor then continues with the members who joined before them.
-- Dynamic SQL, so that each sort key gets a query plan that follows its index.
-- Raises: invalid_argument.
create or replace function app.direct_people(
  p_uid bigint, p_keyword text, p_sort text, p_cursor text, p_limit integer, out uids bigint[], out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_position record := app.people_position(p_cursor);
  v_before bigint := coalesce(v_position.before, 9223372036854775807);
  v_column text := ltrim(p_sort, '-');
  v_source text := case
    when v_column = 'joined' then 'app.users as m'
    when v_column in ('orders', 'members') then
      '(select t.*, u.nickname from app.team_totals as t join app.users as u on u.uid = t.uid) as m'
    else '(select u.* from app.users as u where u.spread_uid = $1 and u.uid < $2 order by u.uid desc limit $3) as m'
  end;
  v_value text := case v_column
    when 'joined' then 'm.uid' when 'orders' then 'm.own_orders' when 'members' then 'm.umbrella_members'
    when 'agent_level' then 'm.agent_level' else 'lower(m.nickname)'
  end;
  v_rows_read integer := 0;
  v_uid bigint;
  v_nickname text;
  v_last text;
begin
  uids := '{}';
  if v_column <> 'nickname' and v_position.value !~ '^[0-9]{0,18}$' then
    perform app.fail('invalid_argument', 'cursor was not returned by this list.');
  end if;
  for v_uid, v_nickname, v_last in execute format(
    'select m.uid, m.nickname, (%2$s)::text as value from %1$s where m.spread_uid = $1'
    || case when v_position.value <> '' then ' and (%2$s, m.uid) %4$s ($4::%5$s, $5)' else '' end
    || ' order by %2$s %3$s, m.uid %3$s limit $6',
    v_source, v_value, case when p_sort like '-%' then 'desc' else 'asc' end, case when p_sort like '-%' then '<' else '>' end,
    case v_column when 'nickname' then 'text' else 'bigint' end
  )
  using p_uid, v_before, v_limit, v_position.value, v_position.uid, case when p_keyword is null then p_limit else v_limit end
  loop
    v_rows_read := v_rows_read + 1;
    if p_keyword is null or position(lower(p_keyword) in lower(v_nickname)) > 0 then
      uids := uids || v_uid;
    end if;
    exit when cardinality(uids) = p_limit or v_rows_read = v_limit;
  end loop;
  if cardinality(uids) = p_limit or v_rows_read = v_limit then
    next_cursor := app.people_cursor(v_uid, v_position.before, v_last);
  elsif v_column in ('agent_level', 'nickname') then
    next_cursor := (
      select app.people_cursor(u.uid, u.uid) from app.users as u
      where u.spread_uid = p_uid and u.uid < v_before order by u.uid desc offset v_limit - 1 limit 1
    );
  end if;
end
$$;

comment on function app.direct_people is
  'Returns one page of the direct members of a member (uids, sorted) and the cursor of the next page, or null after the last. A '
  'page reads at most app.page_read_limit members. With a keyword, it can therefore be shorter than p_limit without being the '
  'last.';

-- sql/4_app/team/members_below.sql
-- Walks up from all members at once, so that a shared ancestor is read once, and stops at p_uid.
-- Generic query plan: see app.get_upline. Each member is read by key, however few there are.
create or replace function app.members_below(p_uid bigint, p_uids bigint[], out uids bigint[], out rows_read integer)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set enable_hashjoin = off
set enable_mergejoin = off
set enable_seqscan = off
set jit = off
as $$
declare
  v_tree record;
begin
  with recursive upward as (
    select u.uid, u.spread_uid from unnest(p_uids) as m (uid) join app.users as u on u.uid = m.uid
    union
    select r.uid, r.spread_uid from upward as b join app.users as r on r.uid = b.spread_uid where b.spread_uid <> p_uid
  )
  select array_agg(w.uid) as uids, array_agg(w.spread_uid) as referrers, count(*) as members into v_tree from upward as w;
  rows_read := v_tree.members;
  uids := array(select unnest(app.below_in_tree(p_uid, v_tree.uids, v_tree.referrers)) intersect select unnest(p_uids));
end
$$;

comment on function app.members_below is
  'Returns which of these members are below a member, at any depth (uids, in no order), and how many members it read to find out '
  '(rows_read).';

-- sql/4_app/team/members_in_order.sql
-- Generic query plan: see app.get_upline.
create or replace function app.members_in_order(
  p_last bigint, p_is_descending boolean, p_count integer, p_keyword text, out uids bigint[], out rows_read integer, out last bigint
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  select
    array_agg(m.uid) filter (where p_keyword is null or position(lower(p_keyword) in lower(m.nickname)) > 0), count(*),
    case when p_is_descending then min(m.uid) else max(m.uid) end
  into uids, rows_read, last
  from (
    (select u.uid, u.nickname from app.users as u where p_is_descending and u.uid < p_last order by u.uid desc limit p_count)
    union all
    (select u.uid, u.nickname from app.users as u where not p_is_descending and u.uid > p_last order by u.uid limit p_count)
  ) as m;
  uids := coalesce(uids, '{}');
end
$$;

comment on function app.members_in_order is
  'Reads the next p_count members of the store after p_last in the order of joining, and returns those whose nickname contains the '
  'keyword (uids, in no order), how many it read (rows_read) and the last of them (last).';

-- sql/4_app/team/paid_orders.sql
-- Generic query plan: see app.get_upline.
create or replace function app.paid_orders(p_uids bigint[], p_paid_at timestamptz, p_id bigint, p_count integer)
returns app.orders[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
as $$
begin
  return array(
    select row(o.*)::app.orders from (
      (
        select s.* from app.orders as s
        where p_uids is null and s.paid_at <= p_paid_at and (s.paid_at, s.id) < (p_paid_at, p_id)
        order by s.paid_at desc, s.id desc
        limit p_count
      )
      union all
      (
        select m.* from unnest(p_uids) as t (uid) join app.orders as m on m.uid = t.uid
        where m.has_queue_goods and (m.paid_at, m.id) < (p_paid_at, p_id)
        order by m.paid_at desc, m.id desc
        limit p_count
      )
    ) as o
    order by o.paid_at desc, o.id desc
  );
end
$$;

comment on function app.paid_orders is
  'Returns the next p_count paid orders before a position in the order of payment, latest first: the orders of queue goods of these '
  'members, or, with p_uids null, all orders of the store.';

-- sql/4_app/team/people_cursor.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.people_cursor(p_uid bigint, p_before bigint default null, p_value text default '')
returns text
language sql
immutable
as $$
  select p_uid || '_' || coalesce(p_before::pg_catalog.text, '') || '_' || pg_catalog.encode(pg_catalog.convert_to(p_value, 'UTF8'), 'hex')
$$;

comment on function app.people_cursor is
  'Returns the cursor of a list of members: the member that was looked at last, the member before which the sorted part of the '
  'list begins, and the value that the list is sorted by.';

-- sql/4_app/team/people_json.sql
-- The phone is never included.
create or replace function app.people_json(p_uids bigint[])
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'agent_level', u.agent_level, 'agent_level_name', l.name,
      'joined', app.utc(u.add_time), 'orders', coalesce(t.own_orders, 0), 'members', coalesce(t.umbrella_members, 0)
    ) order by m.number), '[]')
    from unnest(p_uids) with ordinality as m (uid, number)
    join app.users as u on u.uid = m.uid
    join app.agent_levels as l on l.grade = u.agent_level
    left join app.team_totals as t on t.uid = m.uid
  );
end
$$;

comment on function app.people_json is
  'Returns members of a team, in the given sequence, with their level, their reported orders and the number of members below '
  'them.';

-- sql/4_app/team/people_position.sql
-- The cursor holds the value and not only the member: a value that was looked up again could be that of a member of another team.
-- Raises: invalid_argument.
create or replace function app.people_position(p_cursor text, out uid bigint, out before bigint, out value text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_cursor is not null then
    uid := split_part(p_cursor, '_', 1)::bigint;
    before := nullif(split_part(p_cursor, '_', 2), '')::bigint;
    value := convert_from(decode(split_part(p_cursor, '_', 3), 'hex'), 'UTF8');
  end if;
exception when data_exception then
  perform app.fail('invalid_argument', 'cursor was not returned by this list.');
end
$$;

comment on function app.people_position is 'Returns the parts of a cursor of app.people_cursor; nulls without one.';

-- sql/4_app/team/person_by_uid.sql
create or replace function app.person_by_uid(p_uid bigint, p_depth text, p_keyword text)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select u.uid
  from app.users as u
  where u.uid = case when p_keyword ~ '^[1-9][0-9]{0,17}$' then p_keyword::bigint end
    and case p_depth when 'direct' then u.spread_uid = p_uid else p_uid in (select a.uid from app.get_upline(u.uid) as a) end
$$;

comment on function app.person_by_uid is
  'Returns the uid that a keyword spells, if it is the uid of a direct member or, with depth umbrella, of any member below '
  'p_uid; otherwise null.';

-- sql/4_app/team/queue_team_change.sql
-- The only trace that a sign-up, a payment or a refund leaves for the team totals: a row of its own. No row of an ancestor is
-- read, locked or written. A settlement changes neither column and fires no trigger.
create or replace function app.queue_team_change()
returns trigger
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.team_changes (uid) values (new.uid);
  return null;
end
$$;

comment on function app.queue_team_change is
  'Trigger: queues a member whose referrer or number of reported orders has changed, for the next sum of the team totals.';

create trigger new_referrals_are_queued after insert on app.users
  for each row when (new.spread_uid is not null) execute function app.queue_team_change();
create trigger changed_referrals_are_queued after update of spread_uid on app.users
  for each row when (old.spread_uid is distinct from new.spread_uid) execute function app.queue_team_change();
create trigger new_reported_orders_are_queued after insert on app.orders
  for each row when (app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum))
  execute function app.queue_team_change();
create trigger changed_reported_orders_are_queued after update of paid_at, queue_units, refund_status, below_minimum on app.orders
  for each row when (
    app.is_reported(old.paid_at, old.queue_units, old.refund_status, old.below_minimum)
    <> app.is_reported(new.paid_at, new.queue_units, new.refund_status, new.below_minimum)
  )
  execute function app.queue_team_change();

-- sql/4_app/team/rebuild_team_totals.sql
-- Sign-ups and payments go on meanwhile; their changes wait in the queue. Readers see the old totals until the commit.
-- Locks: the advisory lock team_totals.
-- Idempotent: the result depends on members and orders only.
create or replace function app.rebuild_team_totals()
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(app.lock_number('team_totals'));
  delete from app.team_totals where true;
  perform app.apply_team_changes(array(select u.uid from app.users as u));
end
$$;

comment on function app.rebuild_team_totals is
  'Sums the team totals of all members anew. For use after a finding of app.reconcile_team_totals, or after a migration that '
  'changes what is counted.';

-- sql/4_app/team/small_team.sql
-- The recursion is lazy: it ends with the row after the limit.
-- Generic query plan: see app.get_upline.
create or replace function app.small_team(p_uid bigint)
returns bigint[]
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
set jit = off
set enable_hashjoin = off
set enable_mergejoin = off
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_uids bigint[];
begin
  -- The totals may be a minute old. They only spare a large team the attempt.
  if exists (select from app.team_totals as t where t.uid = p_uid and t.umbrella_members > v_limit) then
    return null;
  end if;
  v_uids := array(
    with recursive below as (
      select u.uid from app.users as u where u.spread_uid = p_uid
      union all
      select u.uid from below as b join app.users as u on u.spread_uid = b.uid
    )
    select b.uid from below as b limit v_limit + 1
  );
  return case when cardinality(v_uids) <= v_limit then v_uids end;
end
$$;

comment on function app.small_team is
  'Returns all members below a member, at any depth, or null if there are more than a page may read (app.page_read_limit).';

-- sql/4_app/team/sum_team_changes.sql
-- Locks: the advisory lock team_totals, which it does not wait for. No other lock that another transaction can wait for.
-- Idempotent: taken rows are gone with the commit that adds them.
create or replace function app.sum_team_changes(p_limit integer default 1000)
returns boolean
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_as_of timestamptz;
  v_uids bigint[];
  v_taken integer;
begin
  if not pg_try_advisory_xact_lock(app.lock_number('team_totals')) then
    return false;
  end if;
  -- Before the statement that takes the rows: it sees whatever was committed until then.
  v_as_of := clock_timestamp();
  with taken as (
    delete from app.team_changes as c
    where c.ctid = any (array(select q.ctid from app.team_changes as q limit p_limit))
    returning c.uid
  )
  select array_agg(distinct t.uid), count(*) into v_uids, v_taken from taken as t;
  if v_taken > 0 then
    perform app.apply_team_changes(v_uids);
  end if;
  if v_taken < p_limit then
    update app.team_totals_as_of as t set as_of = v_as_of where t.id;
  end if;
  return v_taken = p_limit;
end
$$;

comment on function app.sum_team_changes is
  'Takes up to p_limit rows from the queue of team changes, adds them to the team totals, and returns whether more may be left. '
  'If another transaction is summing, it does nothing and returns false. When the queue is empty, the totals are dated.';

-- sql/4_app/team/sum_team_totals.sql
-- Has no set clause, because a procedure that commits cannot have one; all names are qualified.
-- Idempotent, also when it runs concurrently: a second run ends at once, and a run that is killed loses only its last batch,
-- whose rows are in the queue again.
create or replace procedure app.sum_team_totals()
language plpgsql
as $$
declare
  v_run record := app.begin_run('sum_team_totals', 1000);
begin
  commit;
  while app.sum_team_changes(v_run.batch) loop
    v_run.batch := app.end_batch(v_run.id);
    commit;
  end loop;
  perform app.end_run(v_run.id);
  commit;
end
$$;

comment on procedure app.sum_team_totals is 'Adds all queued changes to the team totals, in batches with a commit each.';

-- sql/4_app/team/team_json.sql
create or replace function app.team_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'direct', jsonb_build_object('members', coalesce(t.direct_members, 0), 'orders', coalesce(t.direct_orders, 0)),
    'umbrella', jsonb_build_object('members', coalesce(t.umbrella_members, 0), 'orders', coalesce(t.umbrella_orders, 0)),
    'as_of', app.utc(a.as_of)
  )
  from app.team_totals_as_of as a left join app.team_totals as t on t.uid = p_uid
$$;

comment on function app.team_json is
  'Returns the members and reported orders below a member, directly and at any depth, as of the last time that the queue of '
  'changes was empty.';

grant execute on function app.team_json(bigint) to store_admin;

-- sql/4_app/team/team_order_json.sql
-- The partitions before the settlement are skipped: what an order paid was booked with its settlement, or later.
-- Generic query plan: see app.bill_page.
create or replace function app.team_order_json(p_uid bigint, p_can_rise boolean, p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_settled_at timestamptz := (select s.settled_at from app.settlements as s where s.order_id = p_order.id);
begin
  return (
    select jsonb_build_object(
      'order_id', p_order.id, 'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'is_direct', u.spread_uid = p_uid,
      'paid_at', app.utc(p_order.paid_at), 'settled_at', app.utc(v_settled_at), 'base', p_order.queue_base::text,
      'units', p_order.queue_units, 'refund_status', p_order.refund_status, 'counts', c.counts,
      'commission', e.commission::text, 'points', trim_scale(e.points)
    )
    from app.users as u
    cross join lateral (
      select p_can_rise and not u.no_assess and app.is_counted(p_order.queue_units, p_order.refund_status, p_order.below_minimum) as counts
    ) as c
    cross join lateral (
      select
        coalesce(sum(l.brokerage_delta), 0.00) as commission, coalesce(sum(l.frozen_delta + l.available_delta), 0) as points,
        count(*) as rows
      from app.user_bill as l
      where l.order_id = p_order.id and l.uid = p_uid and l.add_time >= v_settled_at
    ) as e
    where u.uid = p_order.uid and v_settled_at is not null and (c.counts or e.rows > 0)
  );
end
$$;

comment on function app.team_order_json is
  'Returns an order of a member below p_uid with the commission and points that it paid p_uid, less reversals, and whether it '
  'counts for the tasks of p_uid (R8, R9). Null if it neither paid p_uid nor counts. p_can_rise: p_uid is below the top grade, '
  'so that anything counts at all.';

-- sql/4_app/team/team_orders.sql
-- As in app.umbrella_people: of a small team, all orders are read; for a large one, the orders of the whole store in the order of
-- payment, and those of buyers who are not in the team are left out.
create or replace function app.team_orders(
  p_uid bigint, p_paid_at timestamptz, p_id bigint, p_limit integer, out list jsonb, out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_team constant bigint[] := app.small_team(p_uid);
  v_can_rise constant boolean := (select u.agent_level < app.top_grade() from app.users as u where u.uid = p_uid);
  v_paid_at timestamptz := p_paid_at;
  v_id bigint := p_id;
  v_count integer := p_limit;
  v_rows_read integer := 0;
  v_orders app.orders[];
  v_order app.orders;
  v_below bigint[];
  v_json jsonb;
begin
  list := '[]';
  loop
    v_orders := app.paid_orders(v_team, v_paid_at, v_id, v_count);
    if v_team is null then
      select b.uids, v_rows_read + b.rows_read into v_below, v_rows_read
      from app.members_below(p_uid, array(select distinct o.uid from unnest(v_orders) as o)) as b;
    end if;
    foreach v_order in array v_orders loop
      exit when jsonb_array_length(list) = p_limit;
      v_paid_at := v_order.paid_at;
      v_id := v_order.id;
      v_rows_read := v_rows_read + 1;
      if v_order.has_queue_goods and (v_team is not null or v_order.uid = any (v_below)) then
        v_json := app.team_order_json(p_uid, v_can_rise, v_order);
        list := case when v_json is null then list else list || v_json end;
      end if;
    end loop;
    exit when jsonb_array_length(list) = p_limit or cardinality(v_orders) < v_count or v_rows_read >= v_limit;
    -- Not more, because each order is looked up in an array of their buyers.
    v_count := least(4 * v_count, 500, v_limit - v_rows_read);
  end loop;
  if jsonb_array_length(list) = p_limit or cardinality(v_orders) = v_count then
    next_cursor := app.make_cursor(v_paid_at, v_id);
  end if;
end
$$;

comment on function app.team_orders is
  'Returns one page of the orders below a member that paid the member or count for the member''s tasks, from the given position, '
  'latest payment first, and the cursor of the next page, or null after the last. A page reads little more than '
  'app.page_read_limit orders and members. It can therefore be shorter than p_limit without being the last.';

-- sql/4_app/team/umbrella_people.sql
-- A small team is read as a whole. For a large one, the members of the whole store are read in the order of joining, and those who
-- are not in the team are left out; the larger the team, the fewer those are.
-- Raises: invalid_argument.
create or replace function app.umbrella_people(
  p_uid bigint, p_keyword text, p_sort text, p_cursor text, p_limit integer, out uids bigint[], out next_cursor text
)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_limit constant integer := app.page_read_limit();
  v_is_descending constant boolean := p_sort like '-%';
  v_team bigint[] := app.small_team(p_uid);
  v_last bigint := coalesce((app.people_position(p_cursor)).uid, case when v_is_descending then 9223372036854775807 else 0 end);
  v_count integer := case when p_keyword is null then p_limit else 1000 end;
  v_rows_read integer := 0;
  v_read record;
  v_below record;
begin
  if v_team is not null then
    uids := array(
      select u.uid from unnest(v_team) as m (uid) join app.users as u on u.uid = m.uid
      where case when v_is_descending then u.uid < v_last else u.uid > v_last end
        and (p_keyword is null or position(lower(p_keyword) in lower(u.nickname)) > 0)
      order by case when v_is_descending then -u.uid else u.uid end
      limit p_limit
    );
    next_cursor := app.people_cursor(uids[p_limit]);
    return;
  end if;
  uids := '{}';
  loop
    v_read := app.members_in_order(v_last, v_is_descending, v_count, p_keyword);
    v_below := app.members_below(p_uid, v_read.uids);
    uids := uids || array(
      select b.uid from unnest(v_below.uids) as b (uid)
      order by case when v_is_descending then -b.uid else b.uid end
      limit p_limit - cardinality(uids)
    );
    v_rows_read := v_rows_read + v_read.rows_read + v_below.rows_read;
    v_last := v_read.last;
    exit when cardinality(uids) = p_limit or v_read.rows_read < v_count or v_rows_read >= v_limit;
    v_count := least(4 * v_count, v_limit - v_rows_read);
  end loop;
  next_cursor := app.people_cursor(case
    when cardinality(uids) = p_limit then uids[p_limit]
    when v_read.rows_read = v_count then v_last
  end);
end
$$;

comment on function app.umbrella_people is
  'Returns one page of the members below a member at any depth (uids, in the order of joining) and the cursor of the next page, '
  'or null after the last. A page reads little more than app.page_read_limit members. It can therefore be shorter than p_limit '
  'without being the last.';

-- sql/4_app/team/you_would_earn.sql
-- Security definer: the caller is the member of the verified token, whose cycle and level decide. No parameter names a member.
-- The buyer exists only in the arguments of the decision, as the last member.
create or replace function app.you_would_earn(p_products app.products[])
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.current_uid();
  v_buyer constant bigint := 9223372036854775807;
  v_plan integer;
  v_read record;
  v_plans app.commission_plans[];
  v_members app.tree_member[];
  v_cycles app.cycle_state[];
  v_rules app.level_rule[];
  v_product app.products;
  v_order app.orders;
  v_facts app.order_facts[];
  v_money record;
  v_points record;
  v_answer jsonb := jsonb_build_object();
begin
  if v_uid is null or not exists (select from unnest(p_products) as p where p.is_queue_goods) then
    return v_answer;
  end if;
  v_plan := app.active_plan_version();
  v_read := app.read_members(array[v_uid], array[v_uid]);
  v_plans := app.load_plans(v_plan || v_read.plans);
  v_members := v_read.members || (v_buyer, 1, 0, false, false, 0, 0, 0, 0, 0, false)::app.tree_member;
  v_cycles := v_read.cycles || null::app.cycle_state;
  v_rules := (select l.rules from app.level_versions as l order by l.version desc limit 1);
  v_order.uid := v_buyer;
  v_order.referrer_uid := v_uid;
  v_order.plan_version := v_plan;
  v_order.paid_at := clock_timestamp();
  v_order.queue_units := 1;
  v_order.refund_status := 0;
  foreach v_product in array p_products loop
    continue when not v_product.is_queue_goods;
    v_order.queue_base := v_product.price;
    v_order.below_minimum := app.is_below_minimum(v_product.price, v_plans[v_plan].minimum_base);
    v_facts := app.order_facts(array[v_order], v_members, v_plan);
    v_money := app.decide_cycles(v_facts, v_members, v_cycles, v_plans);
    v_points := app.decide_levels(app.settlement_events(v_facts, v_plans), v_members, v_rules);
    v_answer := v_answer || jsonb_build_object(v_product.id, (
      select jsonb_build_object(
        'commission', coalesce(sum(e.brokerage_delta), 0.00)::text, 'points', trim_scale(coalesce(sum(e.frozen_delta), 0)),
        'reason', v_money.settlements[1].reason
      )
      from unnest(app.settlement_entries(v_money.settlements, v_points.grants, v_plans)) as e
      where e.uid = v_uid
    ));
  end loop;
  return v_answer;
end
$$;

comment on function app.you_would_earn is
  'Returns, by product id, what the next order of one unit by a direct member would pay the caller, as the engine decides it from '
  'the caller''s open cycle and level and the plan in force: {commission, points, reason}. The reason says why there is no '
  'commission. Products that are no queue goods are left out; without a member, all are.';

grant execute on function app.you_would_earn(app.products[]) to anon, authenticated, store_admin;

-- sql/4_app/verification/create_test_member.sql
-- Precondition: the caller rolls everything back.
create or replace function app.create_test_member(p_spread_uid bigint)
returns bigint
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  with member as (
    insert into app.users (nickname, spread_uid, spread_time)
    values ('Configuration check', p_spread_uid, case when p_spread_uid is not null then now() end)
    returning uid
  )
  insert into app.user_balances (uid) select m.uid from member as m returning uid
$$;

comment on function app.create_test_member is
  'Creates a member without an account, for the configuration check, and returns the uid.';

-- sql/4_app/verification/level_by_tasks.sql
create or replace function app.level_by_tasks(p_row app.user_balances)
returns smallint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(max(l.grade), 0::smallint)
  from app.agent_levels as l
  where l.is_active and not exists (
    select from app.agent_levels as step
    where step.is_active and step.grade between 1 and l.grade and not app.tasks_are_met(step.grade, p_row)
  )
$$;

comment on function app.level_by_tasks is
  'Returns the grade that a member with these task counts reaches from 0, one grade at a time, computed from the tasks alone.';

-- sql/4_app/verification/run_test_cycle.sql
-- Precondition: the caller rolls everything back.
create or replace function app.run_test_cycle(p_now timestamptz)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
  v_product bigint;
  v_uid bigint := app.create_test_member(null);
  v_buyers integer;
  v_order_id bigint;
  v_before app.user_balances;
  v_after app.user_balances;
  v_results jsonb;
begin
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_buyers := v_plan.people_per_cycle + 1;
  insert into app.products (title, price, is_queue_goods) values ('Configuration check', 1000, true) returning id into v_product;
  perform app.run_test_order(v_uid, v_product, p_now);
  for i in 1..v_buyers loop
    select b.* into v_before from app.user_balances as b where b.uid = v_uid;
    v_order_id := app.run_test_order(app.create_test_member(v_uid), v_product, p_now);
  end loop;
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  v_results := jsonb_build_array(
    jsonb_build_object('subject', 'commission over a cycle and its wrap-around', 'actual', v_after.brokerage_price::text, 'expected', (
      select sum(trunc(1000 * v_plan.tier_ratios[(i - 1) % v_plan.people_per_cycle + 1], 2))::numeric(14,2)::text from generate_series(1, v_buyers) as i
    )),
    jsonb_build_object('subject', 'orders and members counted', 'expected', format('%s orders %s members', v_buyers, v_buyers),
      'actual', (select format('%s orders %s members', c.umbrella_orders, c.direct_members) from app.count_downline(v_uid) as c)),
    jsonb_build_object('subject', 'stored counts equal the recount', 'expected', null, 'actual', (
      select string_agg(r.subject, ', ') from app.reconcile_counters() as r where r.subject = format('uid %s', v_uid)
    )),
    jsonb_build_object('subject', 'points equal the bill', 'actual', v_after.frozen_points::text, 'expected', (
      select coalesce(sum(l.frozen_delta), 0)::numeric(18,4)::text from app.user_bill as l where l.uid = v_uid
    )),
    jsonb_build_object('subject', 'level reached', 'actual', (select u.agent_level::text from app.users as u where u.uid = v_uid),
      'expected', app.level_by_tasks(v_after)::text)
  );

  perform app.refund_order(v_order_id, null, null, p_now);
  v_results := v_results || jsonb_build_object('subject', 'refund of the last order', 'expected', v_before.brokerage_price::text,
    'actual', (select b.brokerage_price::text from app.user_balances as b where b.uid = v_uid));

  select b.* into v_before from app.user_balances as b where b.uid = v_uid;
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  perform app.release_members(app.business_day(p_now), array[v_uid], p_now);
  select b.* into v_after from app.user_balances as b where b.uid = v_uid;
  return v_results || jsonb_build_object('subject', 'release of a day, run twice',
    'expected', trunc(v_before.frozen_points * 0.0004, 4)::text, 'actual', v_after.available_points::text);
end
$$;

comment on function app.run_test_cycle is
  'Runs the test orders of the configuration check: those of a referrer with an own order and of as many buyers as a cycle has '
  'places and one more, a refund and a release. Returns [{subject, expected, actual}].';

-- sql/4_app/verification/run_test_order.sql
-- Precondition: the caller rolls everything back.
create or replace function app.run_test_order(p_uid bigint, p_product_id bigint, p_now timestamptz)
returns bigint
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  v_order := app.create_order(p_uid, jsonb_build_array(jsonb_build_object('product_id', p_product_id, 'quantity', 1)), p_now);
  v_order := app.pay_order(v_order.id, 'check', 'check-' || v_order.id, p_now);
  if exists (select from app.settlement_jobs as j where j.order_id = v_order.id) then
    perform app.settle_order(v_order.id, p_now);
  end if;
  perform app.confirm_receipt(v_order.id, p_now);
  return v_order.id;
end
$$;

comment on function app.run_test_order is
  'Runs a test order of one unit of a product for the configuration check: places it, pays it, settles it and confirms its '
  'receipt, with the timing of the plan in force. Returns its id.';

-- sql/4_app/verification/tasks_are_met.sql
create or replace function app.tasks_are_met(p_grade smallint, p_row app.user_balances)
returns boolean
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select coalesce(bool_and(t.target <= (to_jsonb(p_row) ->> t.type)::integer), false)
  from app.agent_level_tasks as t
  where t.grade = p_grade
$$;

comment on function app.tasks_are_met is
  'Returns whether a member''s task counts meet all tasks of a grade. A grade without tasks is never met, because it is reached '
  'by hand only.';

-- sql/4_app/verification/verify_access.sql
-- The reason is in sql/1_schema/03_temporary_objects.sql.
create or replace function app.verify_access()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'clients_create_nothing_temporary',
    case when t.roles is null then 'ok' else 'warning' end,
    'database',
    case when t.roles is null then 'no client role can create temporary objects' else format('can create temporary objects: %s', t.roles) end,
    format('Run as the owner of the database: revoke temporary on database %I from public', current_database())
  from (
    select string_agg(r.rolname, ', ' order by r.rolname) as roles
    from pg_catalog.pg_roles as r
    where r.rolname in ('anon', 'authenticated', 'store_admin', 'service_role', 'store_api')
      and has_database_privilege(r.oid, current_database(), 'temporary')
  ) as t
$$;

comment on function app.verify_access is
  'Checks that no client role can create temporary objects. Returns check, severity, subject, message and hint.';

-- sql/4_app/verification/verify_addresses.sql
-- A store is in production if its functions have reported an address of the project that is not a loopback address.
create or replace function app.verify_addresses()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with place as (
    select coalesce(not app.is_loopback_address(f.project_url), false) as is_production, coalesce(app.is_loopback_address(f.project_url), false) as is_local,
      f.functions_url
    from (values (true)) as one (id) left join app.function_settings as f on f.id = one.id
  ),
  addresses as (
    select 'share_address' as check_id, 'share page' as subject, 1 as total, app.is_loopback_address(s.h5_share_url)::integer as lost,
      s.h5_share_url as example, 'Set the share link URL on the settings page of the console: the address of the H5 app.' as hint
    from app.settings as s
    union all
    select 'logo_address', 'logo', 1, app.is_loopback_address(s.logo)::integer, s.logo,
      'Set the logo on the settings page of the console: an address that everyone can open.'
    from app.settings as s where s.logo is not null
    union all
    select 'product_pictures', 'products', count(*)::integer, count(*) filter (where app.is_loopback_address(i.image))::integer,
      min(i.image) filter (where app.is_loopback_address(i.image)),
      'Give the products pictures with addresses that everyone can open.'
    from app.products as g cross join lateral unnest(g.images) as i (image)
    where not g.is_del
    having count(*) > 0
    union all
    select 'functions_address', 'edge functions', 1, app.is_loopback_address(p.functions_url)::integer, p.functions_url,
      'Remove the variable STORE_FUNCTIONS_URL of the edge functions, or set it to their public address.'
    from place as p where p.functions_url is not null
  )
  select a.check_id,
    case when a.lost = 0 or p.is_local then 'ok' when p.is_production then 'error' else 'warning' end,
    a.subject,
    case
      when a.lost = 0 then format('%s addresses, none of which leads to a local machine', a.total)
      when p.is_local then format('leads to the local stack: %s', a.example)
      else format('leads to a local machine, which nobody else can reach: %s', a.example)
    end,
    a.hint
  from addresses as a cross join place as p
$$;

comment on function app.verify_addresses is
  'Checks that share links, logo, pictures of products and the address of the edge functions do not lead to a local machine. That '
  'is an error in production, no finding in a local stack, and a warning while the functions have not reported where they run.';

-- sql/4_app/verification/verify_agent_config.sql
create or replace function app.verify_agent_config()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
volatile
set search_path = pg_catalog, pg_temp
as $$
  select * from app.verify_levels()
  union all select * from app.verify_plan()
  union all select * from app.verify_schedule()
  union all select * from app.verify_access()
  union all select * from app.verify_addresses()
  union all select * from app.verify_function_settings()
  union all select * from app.verify_end_to_end()
$$;

comment on function app.verify_agent_config is
  'Checks levels, tasks, plan, schedule, access, addresses and the settings of the edge functions, and runs test orders end to end. '
  'Returns one row per check; severity is ok, warning or error. All writes are rolled back.';

-- sql/4_app/verification/verify_end_to_end.sql
-- Sequences are not rolled back.
-- Locks: rows of its own, and structure (shared) until the rollback.
create or replace function app.verify_end_to_end()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_findings jsonb;
  v_error text;
begin
  perform app.lock_structure_shared();
  if app.is_importing() then
    return query select
      'end_to_end', 'warning', 'test run', 'not run, because no order is settled until the import has ended',
      'Continue the import with npm run import, or end it: npm run import -- --abandon';
    return;
  end if;
  begin
    v_findings := app.run_test_cycle(clock_timestamp());
    raise exception using errcode = 'PV000', message = 'undo', detail = v_findings::text;
  exception
    when sqlstate 'PV000' then
      get stacked diagnostics v_error = pg_exception_detail;
      v_findings := v_error::jsonb;
    when others then
      v_findings := jsonb_build_array(jsonb_build_object(
        'subject', 'test run', 'expected', 'no error', 'actual', format('%s: %s', sqlstate, sqlerrm)
      ));
  end;
  return query
    select
      'end_to_end', case when f.expected is not distinct from f.actual then 'ok' else 'error' end, f.subject,
      case when f.expected is not distinct from f.actual then coalesce(f.actual, 'yes')
        else format('expected %s, got %s', coalesce(f.expected, 'nothing'), coalesce(f.actual, 'nothing')) end,
      'Restore the functions of the last release, or review the changes since then.'
    from jsonb_to_recordset(v_findings) as f (subject text, expected text, actual text);
end
$$;

comment on function app.verify_end_to_end is
  'Runs test orders from sign-up to refund and release, with test members: a whole cycle and one order more. Compares each '
  'result with the rules and rolls everything back. Errors are findings. While an import is unfinished, nothing is run.';

-- sql/4_app/verification/verify_function_settings.sql
create or replace function app.verify_function_settings()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with features (subject, variables) as (
    values
      ('WeChat mini program', array['STORE_WECHAT_MINI_APPID', 'STORE_WECHAT_MINI_SECRET']),
      ('WeChat on web pages', array['STORE_WECHAT_H5_APPID', 'STORE_WECHAT_H5_SECRET']),
      ('WeChat Pay', array[
        'STORE_WECHAT_PAY_MCHID', 'STORE_WECHAT_PAY_APPIDS', 'STORE_WECHAT_PAY_API_V3_KEY', 'STORE_WECHAT_PAY_SERIAL',
        'STORE_WECHAT_PAY_PRIVATE_KEY', 'STORE_WECHAT_PAY_PUBLIC_KEYS'
      ]),
      ('worker', array['STORE_WORKER_SECRET'])
  ),
  states as (
    select f.subject, app.is_loopback_address(s.project_url) as is_local, cardinality(f.variables) as wanted, m.names, m.total
    from app.function_settings as s cross join features as f
    cross join lateral (
      select string_agg(v.name, ', ' order by v.position) as names, count(*) as total
      from unnest(f.variables) with ordinality as v (name, position) where v.name <> all (s.variables)
    ) as m
  )
  select 'functions_have_reported', case when s.id is null then 'warning' else 'ok' end, 'edge functions',
    case when s.id is null then 'the edge functions have not reported their settings' else format('%s, reported %s', s.project_url, app.utc(s.reported_at)) end,
    'Deploy the edge functions and call GET /api/health. If they run, their log says why they could not report.'
  from (values (true)) as one (id) left join app.function_settings as s on s.id = one.id
  union all
  select 'function_settings',
    case when s.total = 0 or (s.total = s.wanted and s.is_local) then 'ok' when s.total = s.wanted then 'warning' else 'error' end,
    s.subject,
    case
      when s.total = 0 then 'all variables of the edge functions are set'
      when s.total = s.wanted then format('not in use; not set: %s', s.names)
      else format('not set: %s', s.names)
    end,
    case
      when s.subject = 'worker' then 'Set the variable as docs/operations.md describes. Without it, refunds and other calls to payment providers wait.'
      else 'Set these variables as functions/README.md describes. If the members do not use this feature, remove all of its variables.'
    end
  from states as s
$$;

comment on function app.verify_function_settings is
  'Checks the variables of the edge functions, as far as the functions have reported them: those of a feature are either all set '
  'or none. A feature without any is a warning, and no finding in a local stack.';

-- sql/4_app/verification/verify_levels.sql
create or replace function app.verify_levels()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with levels as (
    select l.*, row_number() over (order by l.grade) - 1 as place,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from app.agent_levels as l
  ),
  targets as (
    select t.*, lag(t.target) over (partition by t.type order by t.grade) as target_below from app.agent_level_tasks as t
  )
  select 'grades_are_contiguous', case when bool_and(l.grade = l.place) then 'ok' else 'error' end, 'levels',
    format('%s grades, 0 to %s', count(*), max(l.grade)), 'Number the grades 0, 1, 2 and so on.'
  from levels as l
  union all
  select 'points_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('points fall at grade ' || string_agg(l.grade::text, ', '), 'points rise with the grade'),
    'Give each grade at least the points of the grade below it.'
  from levels as l where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
  union all
  select 'levels_have_tasks', case when count(*) = 0 then 'ok' else 'error' end, 'levels',
    coalesce('no tasks at grade ' || string_agg(l.grade::text, ', '), 'every grade above 0 has tasks'),
    'Members reach a grade without tasks only if an administrator sets it. Give it tasks or switch it off.'
  from levels as l
  where l.grade > 0 and l.is_active and not exists (select from app.agent_level_tasks as t where t.grade = l.grade)
  union all
  select 'targets_do_not_fall', case when count(*) = 0 then 'ok' else 'error' end, 'tasks',
    coalesce('targets fall: ' || string_agg(format('%s at grade %s', t.type, t.grade), ', '), 'targets rise with the grade'),
    'Give each grade at least the targets of the grade below it.'
  from targets as t where t.target < t.target_below
$$;

comment on function app.verify_levels is
  'Checks the level and task settings in force: contiguous grades, points and targets that do not fall, tasks for every active '
  'grade.';

-- sql/4_app/verification/verify_plan.sql
create or replace function app.verify_plan()
returns table (check_id text, severity text, subject text, message text, hint text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with worst as (
    select p.version, p.people_per_cycle, p.payout_cap, w.*
    from app.commission_plans as p cross join lateral app.worst_order(p, app.levels_json()) as w
    where p.version = app.active_plan_version()
  )
  select 'plan_is_in_force', case when count(*) = 1 then 'ok' else 'error' end, 'plan',
    coalesce(format('version %s, %s people per cycle', max(w.version), max(w.people_per_cycle)), 'no plan'),
    'Save a commission plan.'
  from worst as w
  union all
  select 'money_is_within_the_base', case when w.commission <= app.round_down(w.price * w.payout_cap, app.money_decimals()) then 'ok' else 'error' end, 'plan',
    format('at most %s of %s per unit (%s %%)', w.commission, w.price, trim_scale(w.ratio * 100)), 'Lower the ratios or the payout cap.'
  from worst as w
  union all
  select 'points_per_order', 'ok', 'plan',
    format('at most %s points per unit: %s with the commission, %s by level',
      trim_scale(w.points), trim_scale(w.commission_points), trim_scale(w.level_points)),
    'If this is more than intended, lower the points of the levels or points_per_brokerage.'
  from worst as w
  union all
  select 'queue_goods_are_on_sale', case when count(*) > 0 then 'ok' else 'warning' end, 'products',
    format('%s queue goods on sale', count(*)), 'Flag at least one product on sale as queue goods.'
  from app.products as g where g.is_queue_goods and g.is_show and not g.is_del
  union all
  select 'article_pool', case when count(*) > 0 then 'ok' else 'warning' end, 'articles',
    format('%s articles for the sign-in gate', count(*)), 'Publish an article in the sign-in category, or members sign in without reading.'
  from app.articles as a
  join app.article_categories as c on c.id = a.cid and c.is_sign_in_ad and not c.hidden and not c.is_del
  where a.status = 1 and a.is_del = 0 and a.hidden = 0
$$;

comment on function app.verify_plan is
  'Checks the plan in force, reports the most that one unit can pay (app.worst_order), and checks that there are queue goods '
  'on sale and articles for the sign-in gate.';

-- sql/4_app/verification/verify_schedule.sql
create or replace function app.verify_schedule()
returns table (check_id text, severity text, subject text, message text, hint text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if to_regclass('cron.job') is null then
    return query select
      'cron_job_is_healthy', case s.state when 'ok' then 'ok' else 'error' end, 'pg_cron',
      case s.state when 'ok' then 'another scheduler runs the jobs' else 'pg_cron is not installed in this database, so no scheduled job runs' end,
      'Enable the extension pg_cron, then run as the owner of the store: select app.apply_schedule()'
    from app.scheduler_state(clock_timestamp()) as s (state);
  else
    return query execute $query$
      select
        'cron_job_is_healthy',
        case
          when j.jobid is null or not j.active or l.name is not null then 'error'
          when d.status = 'failed' and not exists (
            select from app.job_runs as r where r.job = n.name and r.started_at >= d.start_time and r.completed_at is not null
          ) then 'error'
          else 'ok'
        end,
        n.name,
        case
          when j.jobid is null and s.is_active then 'not scheduled'
          when j.jobid is null or not j.active then 'switched off'
          when l.name is not null then format('%s (UTC), late, last run: %s', j.schedule, coalesce(app.utc(l.last_run), 'not yet'))
          else format('%s (UTC), last run: %s', j.schedule, coalesce(d.status, 'not yet'))
        end,
        case
          when not s.is_active then 'Switch the job on in the schedule.'
          when j.jobid is null then 'Run as the owner of the store: select app.apply_schedule()'
          else 'See the schedule page or cron.job_run_details for the error of the last run.'
        end
      from unnest(array[
        'fsgx_release_frozen_points', 'settle_waiting_orders', 'expire_orders', 'receive_delivered_orders', 'reconcile_bill',
        'continue_unfinished_runs', 'ensure_month_partitions'
      ]) as n (name)
      join app.scheduled_jobs as s on s.name = n.name
      left join cron.job as j on j.jobname = n.name
      left join app.late_jobs(clock_timestamp()) as l on l.name = n.name
      left join lateral (
        select r.status, r.start_time from cron.job_run_details as r
        where r.jobid = j.jobid and r.end_time is not null order by r.runid desc limit 1
      ) as d on true
    $query$;
  end if;
  return query select
    'cron_job_is_healthy',
    case when j.dead > 0 or j.is_late then 'error' when j.import_since is not null then 'warning' else 'ok' end,
    'settlement jobs',
    case when j.import_since is null
      then format('%s waiting, %s failed, oldest waiting since %s', j.waiting, j.dead, coalesce(app.utc(j.due_since), 'none'))
      else format('%s waiting for the import that began at %s and is unfinished', j.waiting, app.utc(j.import_since)) end,
    case when j.import_since is null
      then 'See the settlement jobs for errors. If none has failed, check that pg_cron is running.'
      else 'Continue the import with npm run import, or end it: npm run import -- --abandon' end
  from app.settlement_job_state(clock_timestamp()) as j;
  return query select
    'cron_job_is_healthy', case when min(r.started_at) < clock_timestamp() - make_interval(days => 1) then 'error' else 'ok' end, 'runs that were cut',
    format('%s to be continued, oldest of %s', count(*), coalesce(app.utc(min(r.started_at)), 'none')),
    'They are continued every five minutes. If they are cut again and again, raise the statement_timeout of the role postgres.'
  from app.job_runs as r join app.scheduled_jobs as s on s.name = r.job and s.is_active
  where r.cut_at is not null and r.ended_at is null and r.completed_at is null;
end
$$;

comment on function app.verify_schedule is
  'Checks that the essential scheduled jobs are scheduled, active, not late and did not fail in their last run, and that no '
  'settlement job is dead or overdue and no cut run of an active job is left for a day. A missing pg_cron is an error unless another scheduler runs '
  'the jobs.';

-- sql/4_app/wechat/ask_to_upload_shipping.sql
-- Idempotent: the row of an order is written once.
create or replace function app.ask_to_upload_shipping(p_order app.orders, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.add_to_outbox('upload_shipping', p_order.id::text, jsonb_build_object('order_id', p_order.id), p_now, p_now)
  from app.payment_attempts as a
  where a.order_id = p_order.id and a.provider = 'wechat' and a.method = 'jsapi' and a.provider = p_order.pay_type and a.pay_ref = p_order.pay_ref;
end
$$;

comment on function app.ask_to_upload_shipping is
  'Adds a call to the outbox that reports the shipment of an order to WeChat, if the order was paid inside WeChat. WeChat '
  'withholds the money until then.';

-- sql/4_app/withdrawals/add_payout_account.sql
-- Locks: balances of the member, so that concurrent additions neither exceed the limit nor add an account twice.
-- Raises: invalid_argument, too_many_accounts.
-- Idempotent: the same account again returns the existing one.
create or replace function app.add_payout_account(
  p_uid bigint, p_method text, p_holder text, p_account_no text, p_bank text, p_now timestamptz
)
returns app.payout_accounts
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  -- People type a card number in groups.
  v_account_no text := regexp_replace(p_account_no, '[[:space:]]', '', 'g');
  v_account app.payout_accounts;
begin
  perform app.check_payout_account(p_method, p_holder, v_account_no, p_bank);
  perform app.lock_balances(array[p_uid]);
  select a.* into v_account
  from app.payout_accounts as a
  where a.uid = p_uid and a.deleted_at is null
    and (a.method, a.account_no, a.holder) = (p_method, v_account_no, p_holder) and a.bank is not distinct from p_bank;
  if found then
    return v_account;
  elsif (select count(*) from app.payout_accounts as a where a.uid = p_uid and a.deleted_at is null) >= 10 then
    perform app.fail('too_many_accounts', 'A member has at most 10 accounts; delete one first.');
  end if;
  insert into app.payout_accounts (uid, method, holder, account_no, bank, add_time)
  values (p_uid, p_method, p_holder, v_account_no, p_bank, app.effect_time(p_now))
  returning * into v_account;
  return v_account;
end
$$;

comment on function app.add_payout_account is
  'Adds an account at a bank or at Alipay to those of a member and returns it. Spaces in the number are ignored.';

-- sql/4_app/withdrawals/admin_withdrawal_json.sql
create or replace function app.admin_withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select app.withdrawal_json(p_withdrawal) || jsonb_build_object(
    'uid', p_withdrawal.uid, 'nickname', (select u.nickname from app.users as u where u.uid = p_withdrawal.uid),
    'payment_ref', p_withdrawal.payment_ref, 'batch_id', p_withdrawal.batch_id
  )
$$;

comment on function app.admin_withdrawal_json is 'Returns a withdrawal as administrators see it.';

grant execute on function app.admin_withdrawal_json(app.withdrawals) to store_admin;

-- sql/4_app/withdrawals/advance_withdrawal.sql
-- Locks: the withdrawal.
-- Raises: invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Idempotent: a withdrawal in the state p_state is returned unchanged.
create or replace function app.advance_withdrawal(p_id bigint, p_state text, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_withdrawal(p_id);
  v_now timestamptz := app.effect_time(p_now);
begin
  if v_withdrawal.state = p_state then
    return v_withdrawal;
  elsif (v_withdrawal.state, p_state) not in (('requested', 'approved'), ('approved', 'paying')) then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', v_withdrawal.state));
  end if;
  update app.withdrawals as w
  set state = p_state, approved_at = coalesce(w.approved_at, v_now), paying_at = case p_state when 'paying' then v_now end
  where w.id = p_id
  returning w.* into v_withdrawal;
  return v_withdrawal;
end
$$;

comment on function app.advance_withdrawal is
  'Moves a withdrawal to its next open state and returns it: approved, then paying. From paying on, only the bank or the provider '
  'knows how it ends.';

-- sql/4_app/withdrawals/approve_withdrawal.sql
-- Precondition: the caller has locked the withdrawal.
-- Raises: account_not_found, withdrawal_state_conflict.
-- Idempotent: an approved withdrawal is returned unchanged.
create or replace function app.approve_withdrawal(p_withdrawal app.withdrawals, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_withdrawal.state = 'requested' and p_withdrawal.method <> 'wechat' and p_withdrawal.account_id is null then
    perform app.fail('account_not_found', 'The member was deleted, and the account with them. Refuse this withdrawal.');
  end if;
  return app.advance_withdrawal(p_withdrawal.id, 'approved', p_now);
end
$$;

comment on function app.approve_withdrawal is
  'Approves a requested withdrawal and returns it, unless its account was deleted together with the member.';

-- sql/4_app/withdrawals/book_withdrawal.sql
-- Precondition: the caller has locked the withdrawal, unless it is new, and the balances of the member.
-- Not idempotent: the caller changes the state of the withdrawal in the same transaction.
create or replace function app.book_withdrawal(p_withdrawal app.withdrawals, p_type text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.book_entries(
    array[(
      p_withdrawal.uid, p_type, 'withdrawal', case p_type when 'withdrawal' then -p_withdrawal.amount else p_withdrawal.amount end,
      0, 0, null, null, null, null, null, null, p_withdrawal.id, null
    )::app.bill_entry],
    '{}', '{}', p_now
  );
end
$$;

comment on function app.book_withdrawal is
  'Takes the amount of a withdrawal from the balance of its member (type withdrawal), or gives it back (withdrawal_returned).';

-- sql/4_app/withdrawals/check_payout_account.sql
-- Raises: invalid_argument. No message repeats a value.
create or replace function app.check_payout_account(p_method text, p_holder text, p_account_no text, p_bank text)
returns void
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'An account is at a bank or at Alipay.', '/method');
  elsif not coalesce(char_length(p_holder) between 1 and 64 and app.is_visible(p_holder), false) then
    perform app.fail('invalid_argument', 'The name of the account holder must have 1 to 64 characters and must not be blank.', '/holder');
  elsif p_method = 'bank' and p_account_no !~ '^[0-9A-Za-z]{8,34}$' is not false then
    perform app.fail('invalid_argument', 'A bank account number has 8 to 34 digits or letters.', '/account_no');
  elsif p_method = 'alipay' and p_account_no !~ '^([+]?[0-9]{5,20}|[^@[:space:]]{1,40}@[^@[:space:]]{1,20})$' is not false then
    perform app.fail('invalid_argument', 'An Alipay account is a phone number or an e-mail address.', '/account_no');
  elsif (p_method = 'bank') is distinct from (p_bank is not null) then
    perform app.fail('invalid_argument', 'A bank account needs the name of the bank; an Alipay account has none.', '/bank');
  elsif p_bank is not null and not (char_length(p_bank) between 1 and 64 and app.is_visible(p_bank)) then
    perform app.fail('invalid_argument', 'The name of the bank must have 1 to 64 characters and must not be blank.', '/bank');
  end if;
end
$$;

comment on function app.check_payout_account is
  'Raises invalid_argument unless money can be sent to such an account. p_account_no is without spaces.';

-- sql/4_app/withdrawals/check_withdrawal_terms.sql
-- Raises: invalid_argument.
create or replace function app.check_withdrawal_terms(p_amount numeric, p_method text)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_terms app.settings := (select s from app.settings as s);
begin
  if p_method is null or p_method <> all (v_terms.withdrawal_methods) then
    perform app.fail('invalid_argument', 'The store does not pay out this way at present.', '/method');
  elsif p_amount is null or scale(trim_scale(p_amount)) > app.money_decimals() then
    perform app.fail('invalid_argument', 'An amount has at most two decimals.', '/amount');
  elsif p_amount < v_terms.withdrawal_minimum then
    perform app.fail('invalid_argument', format('A withdrawal is at least %s.', v_terms.withdrawal_minimum), '/amount');
  elsif p_amount > v_terms.withdrawal_maximum then
    perform app.fail('invalid_argument', format('A withdrawal is at most %s.', v_terms.withdrawal_maximum), '/amount');
  end if;
end
$$;

comment on function app.check_withdrawal_terms is
  'Raises invalid_argument unless the settings allow a withdrawal of this amount by this method.';

-- sql/4_app/withdrawals/create_withdrawal_batch.sql
-- Locks: the withdrawals, by id. A concurrent call waits for those and finds them paying.
-- Raises: invalid_argument, withdrawal_state_conflict.
-- Not idempotent: but each withdrawal is in at most one batch.
create or replace function app.create_withdrawal_batch(
  p_method text, p_ids bigint[], p_except_uid bigint, p_created_by uuid, p_now timestamptz
)
returns app.withdrawal_batches
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_batch app.withdrawal_batches;
begin
  if coalesce(p_method, '') not in ('bank', 'alipay') then
    perform app.fail('invalid_argument', 'A batch is for a bank or for Alipay.', '/method');
  end if;
  select array_agg(l.id) into v_ids
  from (
    select w.id from app.withdrawals as w
    where w.state = 'approved' and w.method = p_method and w.account_id is not null
      and (p_ids is null or w.id = any (p_ids)) and w.uid is distinct from p_except_uid
    order by w.id
    limit 10000
    for update
  ) as l;
  if v_ids is null or cardinality(v_ids) < cardinality(p_ids) then
    perform app.fail('withdrawal_state_conflict', 'A batch takes only approved withdrawals of its method, and at least one.');
  end if;
  insert into app.withdrawal_batches (method, withdrawals, amount, created_by, add_time)
  select p_method, count(*), sum(w.amount - w.fee), p_created_by, app.effect_time(p_now)
  from app.withdrawals as w where w.id = any (v_ids)
  returning * into v_batch;
  update app.withdrawals as w set state = 'paying', paying_at = v_batch.add_time, batch_id = v_batch.id where w.id = any (v_ids);
  return v_batch;
end
$$;

comment on function app.create_withdrawal_batch is
  'Moves approved withdrawals of a method to paying and returns the batch that has them: those named, or, with p_ids null, all, but at '
  'most the 10,000 oldest. p_except_uid is the administrator''s own member, whose withdrawals stay as they are.';

-- sql/4_app/withdrawals/debts.sql
-- Only what was withdrawn, or taken by an adjustment or an opening balance, can make the withdrawable amount negative. These members are few, and
-- the commission that matures is summed only for them.
create or replace function app.debts(p_now timestamptz)
returns table (uid bigint, brokerage_price numeric, maturing numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select b.uid, b.brokerage_price, m.maturing
  from app.user_balances as b
  cross join lateral (
    select coalesce(sum(c.amount_left), 0.00) as maturing
    from app.commission_maturities as c
    where c.uid = b.uid and (c.matures_at > p_now or c.matures_at is null)
  ) as m
  where (
    b.brokerage_price < 0
    or b.uid in (select w.uid from app.withdrawals as w where w.state not in ('refused', 'failed'))
    or b.uid in (select a.uid from app.adjustments as a where a.state = 'booked' and a.brokerage_delta < 0)
  ) and b.brokerage_price < m.maturing
$$;

comment on function app.debts is
  'Returns the members whose withdrawable amount (balance less maturing) is negative, because refunds took back commission that had been '
  'withdrawn. Their next commission repays it.';

grant execute on function app.debts(timestamptz) to store_admin;

-- sql/4_app/withdrawals/delete_payout_account.sql
-- Locks: balances of the member, as app.request_withdrawal does, so that no withdrawal is requested to an account that is being deleted.
-- Raises: account_not_found (also for an account of another member), account_in_use.
-- Idempotent in effect: a second call raises account_not_found and changes nothing.
create or replace function app.delete_payout_account(p_uid bigint, p_id bigint, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.lock_balances(array[p_uid]);
  if not exists (select from app.payout_accounts as a where a.id = p_id and a.uid = p_uid and a.deleted_at is null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.account_id = p_id and w.state in ('requested', 'approved', 'paying')) then
    perform app.fail('account_in_use', 'A withdrawal to this account is not finished yet.');
  end if;
  update app.payout_accounts as a set deleted_at = app.effect_time(p_now)
  where a.id = p_id and exists (select from app.withdrawals as w where w.account_id = p_id);
  if not found then
    delete from app.payout_accounts as a where a.id = p_id;
  end if;
end
$$;

comment on function app.delete_payout_account is
  'Deletes an account of a member, unless an open withdrawal goes to it. An account to which money was paid is only hidden, so that '
  'finance can still say where it went.';

-- sql/4_app/withdrawals/end_withdrawal.sql
-- Locks: the withdrawal, then the balances of the member if the money comes back.
-- Raises: withdrawal_not_found, withdrawal_state_conflict, invalid_argument.
-- Idempotent: a withdrawal that ended in p_state is returned unchanged.
create or replace function app.end_withdrawal(p_id bigint, p_state text, p_reason text, p_payment_ref text, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals := app.lock_withdrawal(p_id);
  v_now timestamptz;
begin
  if v_withdrawal.state = p_state then
    return v_withdrawal;
  elsif (v_withdrawal.state, p_state) not in (
    ('requested', 'refused'), ('approved', 'refused'), ('approved', 'paid'), ('paying', 'paid'), ('approved', 'failed'), ('paying', 'failed')
  ) then
    perform app.fail('withdrawal_state_conflict', format('This withdrawal is %s.', v_withdrawal.state));
  elsif (p_state = 'paid') = (p_reason is not null and app.is_visible(p_reason)) or char_length(p_reason) > 500 then
    perform app.fail('invalid_argument', 'A withdrawal that is not paid needs a reason of 1 to 500 characters.', '/reason');
  elsif char_length(p_payment_ref) not between 1 and 128 or (p_state <> 'paid' and p_payment_ref is not null) then
    perform app.fail('invalid_argument', 'A payment reference has 1 to 128 characters.', '/payment_ref');
  end if;
  if p_state <> 'paid' then
    perform app.lock_balances(array[v_withdrawal.uid]);
  end if;
  v_now := app.effect_time(p_now);
  update app.withdrawals as w set state = p_state, reason = nullif(p_reason, ''), payment_ref = p_payment_ref, ended_at = v_now
  where w.id = p_id
  returning w.* into v_withdrawal;
  if p_state <> 'paid' then
    perform app.book_withdrawal(v_withdrawal, 'withdrawal_returned', v_now);
  end if;
  return v_withdrawal;
end
$$;

comment on function app.end_withdrawal is
  'Ends a withdrawal and returns it: paid, refused before anyone was told to pay, or failed. If it is not paid, the whole amount '
  'returns to the balance.';

-- sql/4_app/withdrawals/end_withdrawal_batch.sql
-- Locks: the withdrawals, by id.
-- Raises: invalid_argument.
-- Idempotent: withdrawals that have ended stay as they are.
create or replace function app.end_withdrawal_batch(p_batch_id bigint, p_except_uid bigint, p_payment_ref text, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  if char_length(p_payment_ref) not between 1 and 128 then
    perform app.fail('invalid_argument', 'A payment reference has 1 to 128 characters.', '/payment_ref');
  end if;
  perform from app.withdrawals as w where w.batch_id = p_batch_id order by w.id for update;
  update app.withdrawals as w set state = 'paid', payment_ref = p_payment_ref, ended_at = app.effect_time(p_now)
  where w.batch_id = p_batch_id and w.state = 'paying' and w.uid is distinct from p_except_uid;
end
$$;

comment on function app.end_withdrawal_batch is
  'Marks all withdrawals of a batch as paid that have not ended, but not those of p_except_uid, the administrator''s own member.';

-- sql/4_app/withdrawals/forget_payee.sql
-- Locks: the withdrawals of the member by id, then the balances.
-- The lock of the balances makes concurrent requests and additions of accounts wait, which then find no account, or no member.
-- Idempotent: a second call finds nothing left to remove.
create or replace function app.forget_payee(p_uid bigint)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  perform from app.withdrawals as w where w.uid = p_uid order by w.id for update;
  perform app.lock_balances(array[p_uid]);
  delete from app.payout_accounts as a where a.uid = p_uid;
  update app.withdrawals as w set account_hint = '', reason = case when w.reason is not null then 'Deleted member' end where w.uid = p_uid;
end
$$;

comment on function app.forget_payee is
  'Removes the payout accounts of a deleted member, and from their withdrawals the masked accounts and the reasons. Amounts and states stay. '
  'A withdrawal that no bank was told to pay can only be refused afterwards.';

-- sql/4_app/withdrawals/ids_of.sql
-- Raises: invalid_argument.
create or replace function app.ids_of(p_ids jsonb)
returns bigint[]
language plpgsql
immutable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
begin
  -- Two steps, because the elements of a value that is no array cannot be read.
  if jsonb_typeof(p_ids) = 'array' and jsonb_array_length(p_ids) between 1 and 1000 then
    select array_agg(distinct (e.value)::bigint order by (e.value)::bigint) into v_ids
    from jsonb_array_elements(p_ids) as e (value)
    where jsonb_typeof(e.value) = 'number' and e.value::text ~ '^[1-9][0-9]{0,15}$';
  end if;
  if v_ids is null or cardinality(v_ids) < jsonb_array_length(p_ids) then
    perform app.fail('invalid_argument', 'Name 1 to 1000 different ids.', '/ids');
  end if;
  return v_ids;
end
$$;

comment on function app.ids_of is 'Returns the ids of a JSON array, ascending. Raises invalid_argument unless it has 1 to 1000 different ids.';

-- sql/4_app/withdrawals/lock_withdrawal.sql
-- Raises: withdrawal_not_found.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawal(p_id bigint)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id for update;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return v_withdrawal;
end
$$;

comment on function app.lock_withdrawal is 'Locks a withdrawal, which comes before balances in the lock order, and returns it.';

-- sql/4_app/withdrawals/lock_withdrawals.sql
-- Locks: the withdrawals, by id.
-- Raises: withdrawal_not_found, own_account.
-- Idempotent: taking a lock again that the transaction holds has no effect.
create or replace function app.lock_withdrawals(p_ids bigint[])
returns setof app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
  v_count integer := 0;
begin
  for v_withdrawal in select w.* from app.withdrawals as w where w.id = any (p_ids) order by w.id for update loop
    perform app.refuse_own_member(v_withdrawal.uid);
    v_count := v_count + 1;
    return next v_withdrawal;
  end loop;
  if v_count < cardinality(p_ids) then
    perform app.fail('withdrawal_not_found');
  end if;
end
$$;

comment on function app.lock_withdrawals is
  'Locks withdrawals for an administrator and returns them. Raises an error if one does not exist or is the administrator''s own.';

-- sql/4_app/withdrawals/masked_account.sql
create or replace function app.masked_account(p_account_no text)
returns text
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select case when char_length(p_account_no) >= 11 then left(p_account_no, 3) || '****' || right(p_account_no, 4) else '****' || right(p_account_no, 2) end
$$;

comment on function app.masked_account is 'Returns an account number with its middle hidden, as members and most administrators see it.';

-- sql/4_app/withdrawals/maturing.sql
-- Two statements, so that each reads a range of the index. Most commission of a member has matured.
-- Has no set clause, so that the planner can inline it.
create or replace function app.maturing(p_uid bigint, p_now timestamptz)
returns setof app.commission_maturities
language sql
stable
rows 20
as $$
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at > p_now
  union all
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at is null
$$;

comment on function app.maturing is 'Returns the commission of a member that has not matured at p_now, by order.';

-- sql/4_app/withdrawals/maturity_json.sql
-- Has no set clause, so that the planner can inline it.
create or replace function app.maturity_json(p_uid bigint, p_brokerage_price numeric, p_now timestamptz)
returns setof jsonb
language sql
stable
rows 1
as $$
  select pg_catalog.jsonb_build_object(
    'withdrawable', (p_brokerage_price - coalesce(pg_catalog.sum(d.amount), 0))::pg_catalog.text,
    'maturing', coalesce(pg_catalog.sum(d.amount), 0.00)::pg_catalog.text,
    'maturing_after_receipt', coalesce(pg_catalog.sum(d.amount) filter (where d.day is null), 0.00)::pg_catalog.text,
    'matures', coalesce(
      pg_catalog.jsonb_agg(pg_catalog.jsonb_build_object('date', d.day, 'amount', d.amount::pg_catalog.text) order by d.day) filter (where d.day is not null),
      '[]'
    )
  )
  from (
    select app.business_day(m.matures_at) as day, pg_catalog.sum(m.amount_left) as amount
    from app.maturing(p_uid, p_now) as m
    where m.amount_left > 0
    group by 1
  ) as d
$$;

comment on function app.maturity_json is
  'Returns what of a balance can be withdrawn, what is maturing, how much of that waits for the receipt of its order, and what '
  'matures on which business day.';

-- sql/4_app/withdrawals/payout_account_json.sql
create or replace function app.payout_account_json(p_account app.payout_accounts)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_account.id, 'method', p_account.method, 'holder', p_account.holder, 'account_no', app.masked_account(p_account.account_no),
    'bank', p_account.bank, 'add_time', app.utc(p_account.add_time)
  )
$$;

comment on function app.payout_account_json is 'Returns an account in the format of the API, its number masked.';

-- sql/4_app/withdrawals/record_withdrawal_action.sql
-- Precondition: the transaction that makes the change calls this.
-- Not idempotent: each call adds a row.
create or replace function app.record_withdrawal_action(p_function text, p_before app.withdrawals, p_after app.withdrawals)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_told constant text[] := array['state', 'method', 'amount', 'fee', 'batch_id', 'reason', 'payment_ref'];
begin
  perform app.record_action(
    p_function, 'withdrawal', p_after.id::text,
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_before)) as e where e.key = any (v_told)),
    (select jsonb_object_agg(e.key, e.value) from jsonb_each(to_jsonb(p_after)) as e where e.key = any (v_told)),
    array['state', 'method', 'amount', 'fee', 'batch_id']
  );
end
$$;

comment on function app.record_withdrawal_action is
  'Records what an administrator did to a withdrawal: its state and amounts, and of the reason and the payment reference only that they changed.';

-- sql/4_app/withdrawals/request_withdrawal.sql
-- Locks: balances of the member, so that concurrent requests, refunds and adjustments run one after the other.
-- Raises: invalid_argument, user_not_found, account_not_found, withdrawal_open, withdrawal_exceeds_balance.
-- Not idempotent: each call makes a request. A member has at most one open request.
create or replace function app.request_withdrawal(p_uid bigint, p_amount numeric, p_method text, p_account_id bigint, p_now timestamptz)
returns app.withdrawals
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_account app.payout_accounts;
  v_withdrawal app.withdrawals;
  v_now timestamptz;
begin
  perform app.require_user(p_uid);
  perform app.check_withdrawal_terms(p_amount, p_method);
  perform app.lock_balances(array[p_uid]);
  v_now := app.effect_time(p_now);
  select a.* into v_account from app.payout_accounts as a where a.id = p_account_id and a.uid = p_uid and a.method = p_method and a.deleted_at is null;
  if v_account.id is null and (p_method <> 'wechat' or p_account_id is not null) then
    perform app.fail('account_not_found');
  elsif exists (select from app.withdrawals as w where w.uid = p_uid and w.state in ('requested', 'approved', 'paying')) then
    perform app.fail('withdrawal_open', 'Your last withdrawal is not finished yet.');
  elsif p_amount > app.withdrawable(p_uid, v_now) then
    perform app.fail('withdrawal_exceeds_balance', format('You can withdraw at most %s now.', greatest(app.withdrawable(p_uid, v_now), 0)));
  end if;
  insert into app.withdrawals (withdrawal_no, uid, method, account_id, account_hint, amount, fee, add_time)
  select
    'W' || to_char(v_now at time zone 'UTC', 'YYYYMMDDHH24MISS') || lpad(nextval('app.withdrawal_no_seq')::text, 8, '0'),
    p_uid, p_method, v_account.id, case p_method when 'wechat' then 'WeChat' else concat_ws(' ', v_account.bank, app.masked_account(v_account.account_no)) end, p_amount,
    app.withdrawal_fee(p_amount, s.withdrawal_fee_rate), v_now
  from app.settings as s
  returning * into v_withdrawal;
  perform app.book_withdrawal(v_withdrawal, 'withdrawal', v_now);
  return v_withdrawal;
end
$$;

comment on function app.request_withdrawal is
  'Requests the withdrawal of matured commission and returns it. The amount leaves the balance at once, so that nothing can be '
  'withdrawn twice. The fee is that of the settings now. A withdrawal by wechat needs no account.';

-- sql/4_app/withdrawals/require_withdrawal_batch.sql
-- Raises: withdrawal_not_found.
create or replace function app.require_withdrawal_batch(p_id bigint)
returns app.withdrawal_batches
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
begin
  select b.* into v_batch from app.withdrawal_batches as b where b.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found', 'There is no such batch.');
  end if;
  return v_batch;
end
$$;

comment on function app.require_withdrawal_batch is 'Returns a batch, or raises withdrawal_not_found.';

-- sql/4_app/withdrawals/withdrawable.sql
-- Precondition: a caller that decides by the result has locked the balances of the member. Other transactions can then only let more of
-- the commission mature.
create or replace function app.withdrawable(p_uid bigint, p_now timestamptz)
returns numeric
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    select b.brokerage_price - coalesce((select sum(m.amount_left) from app.maturing(p_uid, p_now) as m), 0)
    from app.user_balances as b
    where b.uid = p_uid
  );
end
$$;

comment on function app.withdrawable is
  'Returns how much commission a member can withdraw: the balance less what has not matured. Negative if refunds took back '
  'commission that had been paid out.';

-- sql/4_app/withdrawals/withdrawal_batch_json.sql
create or replace function app.withdrawal_batch_json(p_batch app.withdrawal_batches)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_batch.id, 'batch_no', p_batch.batch_no, 'method', p_batch.method, 'withdrawals', p_batch.withdrawals, 'amount', p_batch.amount::text,
    'created_by', app.actor_json(p_batch.created_by), 'add_time', app.utc(p_batch.add_time)
  ) || (
    select jsonb_build_object(
      'paying', count(*) filter (where w.state = 'paying'), 'paid', count(*) filter (where w.state = 'paid'),
      'failed', count(*) filter (where w.state = 'failed')
    )
    from app.withdrawals as w where w.batch_id = p_batch.id
  )
$$;

comment on function app.withdrawal_batch_json is 'Returns a batch in the format of the API, with how many of its withdrawals ended how.';

grant execute on function app.withdrawal_batch_json(app.withdrawal_batches) to store_admin;

-- sql/4_app/withdrawals/withdrawal_json.sql
create or replace function app.withdrawal_json(p_withdrawal app.withdrawals)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'id', p_withdrawal.id, 'withdrawal_no', p_withdrawal.withdrawal_no, 'method', p_withdrawal.method, 'account', p_withdrawal.account_hint,
    'amount', p_withdrawal.amount::text, 'fee', p_withdrawal.fee::text,
    'net_amount', (p_withdrawal.amount - p_withdrawal.fee)::text, 'state', p_withdrawal.state, 'reason', p_withdrawal.reason,
    'add_time', app.utc(p_withdrawal.add_time), 'approved_at', app.utc(p_withdrawal.approved_at), 'paying_at', app.utc(p_withdrawal.paying_at),
    'ended_at', app.utc(p_withdrawal.ended_at)
  )
$$;

comment on function app.withdrawal_json is 'Returns a withdrawal in the format of the API. net_amount is what the member receives.';

grant execute on function app.withdrawal_json(app.withdrawals) to authenticated, store_admin;

-- sql/4_app/withdrawals/withdrawal_line.sql
-- Has no search path of its own, so that the planner can inline it.
create or replace function app.withdrawal_line(p_row app.withdrawals, p_time_zone text)
returns jsonb
language sql
stable
as $$
  select pg_catalog.jsonb_build_object(
    'id', p_row.id::pg_catalog.text, 'no', p_row.withdrawal_no, 'uid', p_row.uid::pg_catalog.text, 'method', p_row.method, 'account', p_row.account_hint,
    'amount', p_row.amount::pg_catalog.text, 'fee', p_row.fee::pg_catalog.text, 'paid_out', (p_row.amount - p_row.fee)::pg_catalog.text,
    'state', p_row.state, 'reason', p_row.reason, 'payment_ref', p_row.payment_ref,
    'requested', pg_catalog.to_char(p_row.add_time at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'approved', pg_catalog.to_char(p_row.approved_at at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS'),
    'ended', pg_catalog.to_char(p_row.ended_at at time zone p_time_zone, 'YYYY-MM-DD HH24:MI:SS')
  )
$$;

comment on function app.withdrawal_line is
  'Returns a withdrawal as a line of a CSV file: all values as text, the account masked, and times in p_time_zone.';

grant execute on function app.withdrawal_line(app.withdrawals, text) to store_admin;

-- sql/5_api/actions/get_actions.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_actions(
  p_function text default null, p_target_type text default null, p_target_id text default null, p_actor uuid default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.admin_actions as a where true'
    || case when p_function is not null then ' and a.function = $1' else '' end
    || case when p_target_type is not null then ' and a.target_type = $2' else '' end
    || case when p_target_id is not null then ' and a.target_id = $3' else '' end
    || case when p_actor is not null then ' and a.actor = $4' else '' end
    || case when p_from is not null then ' and a.add_time >= $5' else '' end
    || case when p_to is not null then ' and a.add_time < $6' else '' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'function', l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'from', l.from_value, 'to', l.to_value, 'actor_earned', app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), '[]'),
      case when count(*) = $10 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
    from (
      select a.* %s and (a.add_time, a.id) < ($7, $8) order by a.add_time desc, a.id desc offset $9 limit $10
    ) as l
  $sql$, v_matching)
  into v_list, v_next
  using p_function, p_target_type, p_target_id, p_actor, p_from, p_to, v_position.add_time, v_position.id, v_position.skip, p_limit;
  execute 'select count(*) ' || v_matching into v_count using p_function, p_target_type, p_target_id, p_actor, p_from, p_to;
  return jsonb_build_object('list', v_list, 'next_cursor', v_next, 'count', v_count);
end
$$;

comment on function api.get_actions is
  'Returns one page of what administrators did, newest first, filtered by function, target, administrator and time. Pages are '
  'numbered or follow a cursor. Serves GET /adminapi/action.';

grant execute on function api.get_actions(text, text, text, uuid, timestamptz, timestamptz, integer, integer, text) to store_admin;

-- sql/5_api/addresses/create_address.sql
-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, too_many_addresses, invalid_argument.
-- Not idempotent: each call adds an address.
create or replace function api.create_address(p_address jsonb, p_is_default boolean default false)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.lock_addresses();
  v_address app.addresses;
begin
  perform app.require_address(p_address);
  if (select count(*) from app.addresses as a where a.uid = v_uid) >= 50 then
    perform app.fail('too_many_addresses', 'A member has at most 50 addresses; delete one first.');
  end if;
  insert into app.addresses (uid, address) values (v_uid, p_address) returning * into v_address;
  if p_is_default or not exists (select from app.addresses as a where a.uid = v_uid and a.is_default) then
    perform app.set_default_address(v_uid, v_address.id);
    v_address.is_default := true;
  end if;
  return app.address_json(v_address);
end
$$;

comment on function api.create_address is
  'Adds an address to the caller''s address book and returns it. The first one becomes the default. p_address: {"name", "phone", '
  '"region": ["Guangdong", "Shenzhen"], "street"}. Serves POST /api/address.';

grant execute on function api.create_address(jsonb, boolean) to authenticated, store_admin;

-- sql/5_api/addresses/delete_address.sql
-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, address_not_found (also for an address of another member).
-- Idempotent in effect: a second call raises address_not_found and changes nothing.
create or replace function api.delete_address(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.lock_addresses();
  v_was_default boolean;
begin
  delete from app.addresses as a where a.id = p_id and a.uid = v_uid returning a.is_default into v_was_default;
  if not found then
    perform app.fail('address_not_found');
  end if;
  if v_was_default then
    perform app.set_default_address(v_uid, (select max(a.id) from app.addresses as a where a.uid = v_uid));
  end if;
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.delete_address is
  'Deletes an address of the caller''s address book. If it was the default, the newest of the others becomes the default. Serves '
  'DELETE /api/address/{id}.';

grant execute on function api.delete_address(bigint) to authenticated, store_admin;

-- sql/5_api/addresses/get_addresses.sql
-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may read the
-- table: administrators see addresses on orders only.
-- Raises: unauthenticated.
create or replace function api.get_addresses()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select coalesce(jsonb_agg(app.address_json(a) order by a.is_default desc, a.id desc), '[]') from app.addresses as a where a.uid = v_uid
  );
end
$$;

comment on function api.get_addresses is 'Returns the address book of the caller: the default address, then the newest first. Serves GET /api/address.';

grant execute on function api.get_addresses() to authenticated, store_admin;

-- sql/5_api/addresses/set_address.sql
-- Security definer: client roles have no write privilege on addresses.
-- Locks: the address book.
-- Raises: unauthenticated, address_not_found (also for an address of another member), invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_address(p_id bigint, p_address jsonb, p_is_default boolean default false)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.lock_addresses();
  v_address app.addresses;
begin
  perform app.require_address(p_address);
  update app.addresses as a set address = p_address, updated_at = clock_timestamp() where a.id = p_id and a.uid = v_uid returning a.* into v_address;
  if not found then
    perform app.fail('address_not_found');
  end if;
  if p_is_default then
    perform app.set_default_address(v_uid, p_id);
    v_address.is_default := true;
  end if;
  return app.address_json(v_address);
end
$$;

comment on function api.set_address is
  'Replaces an address of the caller''s address book and returns it. p_is_default makes it the default. The default changes only '
  'when another address becomes it. Earlier orders keep the address that they copied. Serves PUT /api/address/{id}.';

grant execute on function api.set_address(bigint, jsonb, boolean) to authenticated, store_admin;

-- sql/5_api/adjustments/approve_adjustment.sql
-- Security definer: client roles have no write privilege on adjustments and balances.
-- Locks: the adjustment, then the balances of its member.
-- Raises: forbidden, own_account, adjustment_not_found, second_administrator_needed, adjustment_state_conflict.
-- Idempotent: an adjustment that is booked stays as it is.
create or replace function api.approve_adjustment(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.adjustments;
  v_after app.adjustments;
begin
  perform app.require_admin('money');
  v_before := app.lock_adjustment(p_id);
  perform app.refuse_own_member(v_before.uid);
  v_after := app.decide_adjustment(p_id, 'booked', auth.uid(), null);
  perform app.record_adjustment_action('approve_adjustment', v_before, v_after);
  return app.adjustment_json(v_after);
end
$$;

comment on function api.approve_adjustment is
  'Books an adjustment that waits for a second administrator, and returns it. Serves PUT /adminapi/adjustment/{id}/approve.';

grant execute on function api.approve_adjustment(bigint) to store_admin;

-- sql/5_api/adjustments/create_adjustment.sql
-- Security definer: client roles have no write privilege on adjustments and balances.
-- Locks: balances of the member.
-- Raises: forbidden, own_account and what app.create_adjustment raises.
-- Not idempotent: each call makes an adjustment. Clients send an Idempotency-Key.
create or replace function api.create_adjustment(
  p_uid bigint, p_reason text, p_brokerage numeric default null, p_frozen_points numeric default null, p_available_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_adjustment app.adjustments;
begin
  perform app.require_admin('money');
  perform app.refuse_own_member(p_uid);
  v_adjustment := app.create_adjustment(p_uid, p_brokerage, p_frozen_points, p_available_points, p_reason, auth.uid(), null);
  perform app.record_adjustment_action('create_adjustment', null, v_adjustment);
  return app.adjustment_json(v_adjustment);
end
$$;

comment on function api.create_adjustment is
  'Corrects the balances of a member and returns the adjustment: booked within the limits of the settings, otherwise waiting for a '
  'second administrator. Serves POST /adminapi/adjustment.';

grant execute on function api.create_adjustment(bigint, text, numeric, numeric, numeric) to store_admin;

-- sql/5_api/adjustments/get_adjustments.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_adjustments(
  p_uid bigint default null, p_state text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.adjustments as a where true'
    || case when p_uid is not null then ' and a.uid = $1' else '' end
    || case when p_state = 'waiting' then ' and a.state = ''waiting''' when p_state is not null then ' and a.state = $2' else '' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(app.adjustment_json(l) order by l.id desc), '[]'),
      case when count(*) = $5 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end,
      (select count(*) %1$s)
    from (select a.* %1$s and a.id < $3 order by a.id desc offset $4 limit $5) as l
  $sql$, v_matching)
  into v_list, v_next, v_count
  using p_uid, p_state, v_position.id, v_position.skip, p_limit;
  return jsonb_build_object('list', v_list, 'count', v_count, 'next_cursor', v_next);
end
$$;

comment on function api.get_adjustments is
  'Returns one page of the adjustments of balances, newest first, filtered by member and state. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/adjustment.';

grant execute on function api.get_adjustments(bigint, text, integer, integer, text) to store_admin;

-- sql/5_api/adjustments/refuse_adjustment.sql
-- Security definer: client roles have no write privilege on adjustments and balances.
-- Locks: the adjustment.
-- Raises: forbidden, own_account, adjustment_not_found, second_administrator_needed, adjustment_state_conflict.
-- Idempotent: an adjustment that is refused stays as it is.
create or replace function api.refuse_adjustment(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.adjustments;
  v_after app.adjustments;
begin
  perform app.require_admin('money');
  v_before := app.lock_adjustment(p_id);
  perform app.refuse_own_member(v_before.uid);
  v_after := app.decide_adjustment(p_id, 'refused', auth.uid(), null);
  perform app.record_adjustment_action('refuse_adjustment', v_before, v_after);
  return app.adjustment_json(v_after);
end
$$;

comment on function api.refuse_adjustment is
  'Refuses an adjustment that waits for a second administrator, and returns it. Serves PUT /adminapi/adjustment/{id}/refuse.';

grant execute on function api.refuse_adjustment(bigint) to store_admin;

-- sql/5_api/articles/create_article.sql
-- Security definer: client roles have no write privilege on articles.
-- Locks: the category (shared), then the article pool.
-- Raises: forbidden, invalid_argument.
create or replace function api.create_article(
  p_cid bigint, p_title text, p_author text default '', p_image_input text default '', p_synopsis text default '',
  p_content text default '', p_url text default '', p_status smallint default 1::smallint, p_hidden smallint default 0::smallint
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid);
  insert into app.articles (cid, title, author, image_input, synopsis, content, url, status, hidden, updated_by)
  values (p_cid, p_title, p_author, p_image_input, p_synopsis, p_content, p_url, p_status, p_hidden, auth.uid())
  returning * into v_article;
  perform app.record_action('create_article', 'article', v_article.id::text, null, app.article_record(v_article), '{cid, status, hidden, is_del}');
  return api.get_article(v_article.id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.create_article is 'Creates an article and returns it. Serves POST /adminapi/article.';

grant execute on function api.create_article(bigint, text, text, text, text, text, text, smallint, smallint) to store_admin;

-- sql/5_api/articles/create_article_category.sql
-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories against other writers, if the flag moves (see app.clear_sign_in_flag).
-- Raises: forbidden, invalid_argument.
create or replace function api.create_article_category(p_title text, p_is_sign_in_ad boolean default false, p_hidden boolean default false)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_taken_from bigint;
  v_id bigint;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_taken_from := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  end if;
  insert into app.article_categories (title, is_sign_in_ad, hidden, updated_by)
  values (p_title, p_is_sign_in_ad, p_hidden, auth.uid())
  returning id into v_id;
  perform app.record_action(
    'create_article_category', 'article_category', v_id::text, null,
    jsonb_build_object('title', p_title, 'is_sign_in_ad', p_is_sign_in_ad, 'hidden', p_hidden)
      || case when v_taken_from is not null then jsonb_build_object('taken_from', v_taken_from) else '{}' end, '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(v_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.create_article_category is
  'Creates an article category and returns it. The sign-in flag moves to it from the category that had the flag. Serves POST '
  '/adminapi/article_category.';

grant execute on function api.create_article_category(text, boolean, boolean) to store_admin;

-- sql/5_api/articles/delete_article.sql
-- Security definer: client roles have no write privilege on articles.
-- Locks: the article pool, then the article.
-- Raises: forbidden, article_not_found.
-- Idempotent in effect: a second call raises article_not_found and changes nothing.
create or replace function api.delete_article(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
begin
  perform app.require_admin('content');
  v_before := app.lock_article(p_id);
  update app.articles as a set is_del = 1, updated_at = clock_timestamp(), updated_by = auth.uid() where a.id = p_id;
  perform app.record_action('delete_article', 'article', p_id::text, app.article_record(v_before), null, '{cid, status, hidden, is_del}');
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article is
  'Marks an article as deleted; no list returns it any more. Serves DELETE /adminapi/article/{id}.';

grant execute on function api.delete_article(bigint) to store_admin;

-- sql/5_api/articles/delete_article_category.sql
-- A category that still has articles is not deleted, so that no article disappears unnoticed (decision 0012). Hiding the category
-- instead takes its articles from the sign-in gate and can be undone.
-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories against other writers (see app.clear_sign_in_flag), then the category, which a transaction
-- that puts an article into it holds in shared mode.
-- Raises: forbidden, article_category_not_found, article_category_in_use.
-- Idempotent in effect: a second call raises article_category_not_found and changes nothing.
create or replace function api.delete_article_category(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.article_categories;
begin
  perform app.require_admin('content');
  lock table app.article_categories in share row exclusive mode;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  elsif exists (select from app.articles as a where a.cid = p_id and a.is_del = 0) then
    perform app.fail('article_category_in_use');
  end if;
  update app.article_categories set is_del = true, is_sign_in_ad = false, updated_at = clock_timestamp(), updated_by = auth.uid()
  where id = p_id;
  perform app.record_action(
    'delete_article_category', 'article_category', p_id::text,
    jsonb_build_object('is_sign_in_ad', v_before.is_sign_in_ad, 'hidden', v_before.hidden), null
  );
  return jsonb_build_object('id', p_id, 'is_del', 1);
end
$$;

comment on function api.delete_article_category is
  'Marks a category without articles as deleted. Serves DELETE /adminapi/article_category/{id}.';

grant execute on function api.delete_article_category(bigint) to store_admin;

-- sql/5_api/articles/get_article.sql
-- Raises: forbidden, article_not_found.
create or replace function api.get_article(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_article app.articles;
begin
  perform app.require_admin();
  select a.* into v_article from app.articles as a where a.id = p_id and a.is_del = 0;
  if not found then
    perform app.fail('article_not_found');
  end if;
  return app.article_json(v_article) || jsonb_build_object('content', v_article.content);
end
$$;

comment on function api.get_article is 'Returns one article with its content. Serves GET /adminapi/article/{id}.';

grant execute on function api.get_article(bigint) to store_admin;

-- sql/5_api/articles/get_article_categories.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_article_categories(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.article_category_json(c) order by c.id desc)
        from (
          select * from app.article_categories as q where not q.is_del
          order by q.id desc offset app.check_page(p_page, p_limit) limit p_limit
        ) as c
      ), '[]'),
      'count', (select count(*) from app.article_categories as q where not q.is_del)
    )
  );
end
$$;

comment on function api.get_article_categories is
  'Returns one page of the article categories, newest first. Serves GET /adminapi/article_category.';

grant execute on function api.get_article_categories(integer, integer) to store_admin;

-- sql/5_api/articles/get_article_category.sql
-- Raises: forbidden, article_category_not_found.
create or replace function api.get_article_category(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_category app.article_categories;
begin
  perform app.require_admin();
  select c.* into v_category from app.article_categories as c where c.id = p_id and not c.is_del;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  return app.article_category_json(v_category);
end
$$;

comment on function api.get_article_category is 'Returns one article category. Serves GET /adminapi/article_category/{id}.';

grant execute on function api.get_article_category(bigint) to store_admin;

-- sql/5_api/articles/get_articles.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_articles(
  p_cid bigint default null, p_search text default null, p_status smallint default null, p_hidden smallint default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as (
      select a.id from app.articles as a
      where a.is_del = 0 and (p_cid is null or a.cid = p_cid) and (p_status is null or a.status = p_status)
        and (p_hidden is null or a.hidden = p_hidden)
        and (p_search is null or position(lower(p_search) in lower(a.title)) > 0)
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.article_json(a) order by a.id desc)
        from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
        join app.articles as a on a.id = g.id
      ), '[]'),
      'count', (select count(*) from matching)
    )
  );
end
$$;

comment on function api.get_articles is
  'Returns one page of the articles without their content, newest first, filtered by category, title, status and hidden. '
  'Serves GET /adminapi/article.';

grant execute on function api.get_articles(bigint, text, smallint, smallint, integer, integer) to store_admin;

-- sql/5_api/articles/get_required_article.sql
-- The cost does not depend on the number of articles: one index lookup finds the highest slot of the category and one finds the
-- slot that was drawn. Slots have no gaps in any snapshot (app.keep_article_pool, decision 0015).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
create or replace function api.get_required_article()
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
begin
  return (
    with drawn as materialized (
      -- Materialized, so that random() is called once and not for every row that is compared.
      select c.id as cid, 1 + floor(random() * last.slot)::bigint as slot
      from app.article_categories as c
      cross join lateral (select p.slot from app.article_pool as p where p.cid = c.id order by p.slot desc limit 1) as last
      where c.is_sign_in_ad and not c.hidden and not c.is_del
    )
    select jsonb_build_object(
      'id', a.id, 'cid', a.cid, 'title', a.title, 'author', a.author, 'image_input', a.image_input,
      'synopsis', a.synopsis, 'content', a.content, 'url', a.url, 'add_time', app.utc(a.add_time)
    )
    from drawn as d
    join app.article_pool as p on p.cid = d.cid and p.slot = d.slot
    join app.articles as a on a.id = p.article_id
  );
end
$$;

comment on function api.get_required_article is
  'Returns one random article of the sign-in category, each with the same probability, or null if there is none. Serves GET '
  '/api/sign/required_article.';

grant execute on function api.get_required_article() to anon, authenticated, store_admin;

-- sql/5_api/articles/set_article.sql
-- Security definer: client roles have no write privilege on articles.
-- Locks: the new category (shared), then the article pool, then the article.
-- Raises: forbidden, article_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article(
  p_id bigint, p_cid bigint default null, p_title text default null, p_author text default null, p_image_input text default null,
  p_synopsis text default null, p_content text default null, p_url text default null, p_status smallint default null,
  p_hidden smallint default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.articles;
  v_after app.articles;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_article_category(p_cid) where p_cid is not null;
  v_before := app.lock_article(p_id);
  update app.articles as a
  set cid = coalesce(p_cid, a.cid), title = coalesce(p_title, a.title), author = coalesce(p_author, a.author),
      image_input = coalesce(p_image_input, a.image_input), synopsis = coalesce(p_synopsis, a.synopsis),
      content = coalesce(p_content, a.content), url = coalesce(p_url, a.url), status = coalesce(p_status, a.status),
      hidden = coalesce(p_hidden, a.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where a.id = p_id
  returning a.* into v_after;
  perform app.record_action('set_article', 'article', p_id::text, app.article_record(v_before), app.article_record(v_after), '{cid, status, hidden, is_del}');
  return api.get_article(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.set_article is
  'Changes the given fields of an article and returns it; null leaves a field as it is. Serves PUT /adminapi/article/{id}.';

grant execute on function api.set_article(bigint, bigint, text, text, text, text, text, text, smallint, smallint) to store_admin;

-- sql/5_api/articles/set_article_category.sql
-- Security definer: client roles have no write privilege on categories.
-- Locks: the table of categories (see app.clear_sign_in_flag), then the category.
-- Raises: forbidden, article_category_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_article_category(
  p_id bigint, p_title text default null, p_is_sign_in_ad boolean default null, p_hidden boolean default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_flagged bigint;
  v_before app.article_categories;
  v_after app.article_categories;
  v_constraint text;
begin
  perform app.require_admin('content');
  if p_is_sign_in_ad then
    v_flagged := app.clear_sign_in_flag(auth.uid(), clock_timestamp());
  else
    -- Take the table lock of the update below before the row lock: a transaction that moves the flag then blocks this one before
    -- it holds a row, so that the two cannot deadlock.
    lock table app.article_categories in row exclusive mode;
  end if;
  select c.* into v_before from app.article_categories as c where c.id = p_id and not c.is_del for update;
  if not found then
    perform app.fail('article_category_not_found');
  end if;
  update app.article_categories as c
  set title = coalesce(p_title, c.title), is_sign_in_ad = coalesce(p_is_sign_in_ad, c.is_sign_in_ad),
      hidden = coalesce(p_hidden, c.hidden), updated_at = clock_timestamp(), updated_by = auth.uid()
  where c.id = p_id
  returning c.* into v_after;
  perform app.record_action(
    'set_article_category', 'article_category', p_id::text,
    jsonb_build_object('title', v_before.title, 'is_sign_in_ad', v_before.is_sign_in_ad or v_flagged is not distinct from p_id, 'hidden', v_before.hidden),
    jsonb_build_object('title', v_after.title, 'is_sign_in_ad', v_after.is_sign_in_ad, 'hidden', v_after.hidden)
      || case when v_flagged <> p_id then jsonb_build_object('taken_from', v_flagged) else '{}' end,
    '{is_sign_in_ad, hidden, taken_from}'
  );
  return api.get_article_category(p_id);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.set_article_category is
  'Changes the given fields of a category and returns it; null leaves a field as it is. The sign-in flag moves to it from the '
  'category that had the flag, in the same transaction. Serves PUT /adminapi/article_category/{id}.';

grant execute on function api.set_article_category(bigint, text, boolean, boolean) to store_admin;

-- sql/5_api/bill/admin_get_bill.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.admin_get_bill(
  p_uid bigint, p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.bill_page(p_uid, p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.admin_get_bill is
  'Returns one page of a member''s bill, newest first, filtered by bill type and time. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/user/{uid}/bill.';

grant execute on function api.admin_get_bill(bigint, text, timestamptz, timestamptz, integer, integer, text) to store_admin;

-- sql/5_api/bill/admin_get_statement.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.admin_get_statement(p_uid bigint, p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_json(p_uid, p_month);
end
$$;

comment on function api.admin_get_statement is
  'Returns a member''s statement of a business month (app.statement_json). Serves GET /adminapi/user/{uid}/statement.';

grant execute on function api.admin_get_statement(bigint, text) to store_admin;

-- sql/5_api/bill/admin_get_statement_lines.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.admin_get_statement_lines(p_uid bigint, p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.require_user(p_uid);
  return app.statement_lines(p_uid, p_month, p_cursor);
end
$$;

comment on function api.admin_get_statement_lines is
  'Returns the next chunk of a member''s bill of a business month as lines of a CSV file. Serves '
  'GET /adminapi/user/{uid}/statement/csv.';

grant execute on function api.admin_get_statement_lines(bigint, text, text) to store_admin;

-- sql/5_api/bill/get_bill.sql
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_bill(
  p_type text default null, p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.bill_page(app.require_uid(), p_type, p_from, p_to, p_page, p_limit, p_cursor);
end
$$;

comment on function api.get_bill is
  'Returns one page of the caller''s bill, newest first, filtered by bill type and time. Pages are numbered or follow a '
  'cursor. Serves GET /api/bill.';

grant execute on function api.get_bill(text, timestamptz, timestamptz, integer, integer, text) to authenticated, store_admin;

-- sql/5_api/bill/get_statement.sql
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_statement(p_month text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_json(app.require_uid(), p_month);
end
$$;

comment on function api.get_statement is
  'Returns the caller''s statement of a business month (app.statement_json). Serves GET /api/statement.';

grant execute on function api.get_statement(text) to authenticated, store_admin;

-- sql/5_api/bill/get_statement_lines.sql
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_statement_lines(p_month text, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.statement_lines(app.require_uid(), p_month, p_cursor);
end
$$;

comment on function api.get_statement_lines is
  'Returns the next chunk of the caller''s bill of a business month as lines of a CSV file. Serves GET /api/statement/csv.';

grant execute on function api.get_statement_lines(text, text) to authenticated, store_admin;

-- sql/5_api/finance/close_month.sql
-- Security definer: writes app.closed_months and adds constraints.
-- Raises: forbidden, invalid_argument, lock_not_available.
-- Idempotent: a closed month is returned as it is.
create or replace function api.close_month(p_month text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_closed app.closed_months;
begin
  perform app.require_admin('money');
  v_closed := app.close_month(p_month, auth.uid());
  perform app.record_action('close_month', 'month', p_month, null, jsonb_build_object('closed_at', app.utc(v_closed.closed_at)));
  return app.closed_month_json(v_closed);
end
$$;

comment on function api.close_month is
  'Closes a month that is over, so that no bill row can be dated into it, and returns its sums. Serves POST /adminapi/month/{month}/close.';

grant execute on function api.close_month(text) to store_admin;

-- sql/5_api/finance/export_bill.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.export_bill(p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.bill_lines(null, p_from, p_to, p_cursor);
end
$$;

comment on function api.export_bill is
  'Returns the next chunk of the bill of all members as lines of a CSV file (app.bill_lines). Serves GET /adminapi/export/bill.';

grant execute on function api.export_bill(timestamptz, timestamptz, text) to store_admin;

-- sql/5_api/finance/export_withdrawals.sql
-- Pages by id, the order in which withdrawals were requested.
-- Raises: forbidden, invalid_argument.
create or replace function api.export_withdrawals(p_from timestamptz default null, p_to timestamptz default null, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_most constant integer := 1000;
  v_after record;
  v_answer jsonb;
begin
  perform app.require_admin('money');
  v_after := app.line_position(p_cursor);
  select jsonb_build_object(
    'lines', coalesce(jsonb_agg(l.line order by l.id), '[]'),
    'next_cursor', case when count(*) = v_most then app.make_cursor(max(l.add_time), max(l.id)) end
  )
  into v_answer
  from (
    select w.id, w.add_time, app.withdrawal_line(w, s.time_zone) as line
    from app.withdrawals as w cross join app.settings as s
    where w.id > v_after.id and w.add_time >= coalesce(p_from, '-infinity') and w.add_time < coalesce(p_to, 'infinity')
    order by w.id limit v_most
  ) as l;
  return v_answer;
end
$$;

comment on function api.export_withdrawals is
  'Returns the next chunk of the withdrawals that were requested in a period, as lines of a CSV file. Serves GET /adminapi/export/withdrawals.';

grant execute on function api.export_withdrawals(timestamptz, timestamptz, text) to store_admin;

-- sql/5_api/finance/get_liabilities.sql
-- Security definer: client roles may not execute app.forecast_json.
-- Raises: forbidden.
create or replace function api.get_liabilities()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return app.liabilities_json(now());
end
$$;

comment on function api.get_liabilities is
  'Returns what the store owes its members today and later (app.liabilities_json). Serves GET /adminapi/liabilities.';

grant execute on function api.get_liabilities() to store_admin;

-- sql/5_api/finance/get_months.sql
-- Raises: forbidden.
create or replace function api.get_months()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin('money');
  return jsonb_build_object(
    'closed', (select coalesce(jsonb_agg(app.closed_month_json(c) order by c.month desc), '[]') from app.closed_months as c),
    'open', (
      select coalesce(jsonb_agg(to_char(m.month, 'YYYY-MM') order by m.month desc), '[]')
      from (
        select date_trunc('month', app.business_day(b.add_time)::timestamp) as first_month
        from app.user_bill as b order by b.add_time, b.id limit 1
      ) as f
      cross join lateral generate_series(f.first_month, date_trunc('month', app.business_day(now())::timestamp) - interval '1 month', interval '1 month') as m (month)
      where not exists (select from app.closed_months as c where c.month = m.month::date)
    )
  );
end
$$;

comment on function api.get_months is
  'Returns the closed months with their sums, and the months that are over and not closed, since the first bill row, both newest first. '
  'Serves GET /adminapi/month.';

grant execute on function api.get_months() to store_admin;

-- sql/5_api/levels/get_agent_levels.sql
-- Raises: forbidden.
create or replace function api.get_agent_levels()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'version', (select max(v.version) from app.level_versions as v),
      'list', app.levels_json(), 'count', jsonb_array_length(app.levels_json()),
      'versions', (
        select jsonb_agg(jsonb_build_object(
          'version', v.version, 'created_by', app.actor_json(v.created_by), 'created_at', app.utc(v.created_at)
        ) order by v.version desc)
        from (select * from app.level_versions as a order by a.version desc limit 20) as v
      )
    )
  );
end
$$;

comment on function api.get_agent_levels is
  'Returns the level settings in force with their tasks, and the latest twenty versions with the administrators who created '
  'them. Serves GET /adminapi/agent/level.';

grant execute on function api.get_agent_levels() to store_admin;

-- sql/5_api/levels/get_count_audit.sql
-- Security definer: client roles may not execute the functions that walk the downline.
-- Raises: forbidden, user_not_found.
create or replace function api.get_count_audit(p_uid bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.audit_counts(p_uid);
end
$$;

comment on function api.get_count_audit is
  'Returns a member''s task counts order by order, as app.audit_counts lists them. Serves GET '
  '/adminapi/hjf/member/{uid}/count_audit.';

grant execute on function api.get_count_audit(bigint) to store_admin;

-- sql/5_api/levels/get_level_changes.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_level_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'from_level', c.from_level, 'to_level', c.to_level, 'from_hold', c.from_held, 'to_hold', c.to_held,
        'reason', c.reason, 'order_id', c.order_id, 'changed_by', app.actor_json(c.changed_by), 'add_time', app.utc(c.add_time)
      ) order by c.id desc)
      from (select * from app.level_changes as l where l.uid = p_uid order by l.id desc offset v_skip limit p_limit) as c
    ), '[]'),
    'count', (select count(*) from app.level_changes as l where l.uid = p_uid)
  );
end
$$;

comment on function api.get_level_changes is
  'Returns one page of the changes of a member''s grade, newest first, each with the order or the administrator that caused '
  'it. Serves GET /adminapi/user/{uid}/level_change.';

grant execute on function api.get_level_changes(bigint, integer, integer) to store_admin;

-- sql/5_api/levels/get_level_review.sql
-- Security definer: client roles may not execute the functions that walk the downline.
-- Raises: forbidden, invalid_argument.
create or replace function api.get_level_review(p_limit integer default 20, p_cursor bigint default 0)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(jsonb_build_object(
        'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'level_is_held', u.is_held, 'reached_level', r.reached_level,
        'missing', case when r.reached_level is not null then (
          select coalesce(jsonb_agg(jsonb_build_object('agent_level', t.grade, 'type', t.type, 'target', t.target, 'current', c.current) order by t.grade, t.type), '[]')
          from app.agent_levels as l
          join app.agent_level_tasks as t on t.grade = l.grade
          cross join lateral (select (to_jsonb(r.counts) ->> t.type)::integer as current) as c
          where l.is_active and l.grade > r.reached_level and l.grade <= u.agent_level and c.current < t.target
        ) end
      ) order by u.uid) filter (where r.uid is not null), '[]'),
      'next_cursor', max(r.next_after)
    )
    from app.level_review(coalesce(p_cursor, 0), p_limit) as r
    left join app.users as u on u.uid = r.uid
  );
end
$$;

comment on function api.get_level_review is
  'Returns members who would not reach their level today, after refunds, with what is missing. Levels do not fall by themselves. A '
  'page reads a bounded number of members and can have fewer than p_limit. Serves GET /adminapi/agent/level/review.';

grant execute on function api.get_level_review(integer, bigint) to store_admin;

-- sql/5_api/levels/get_own_level.sql
-- Security definer: the function has no parameter and reads only the member of the verified token, and the settings that all
-- members may know.
-- Raises: unauthenticated.
create or replace function api.get_own_level()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object(
      'agent_level', u.agent_level, 'is_held', u.is_held, 'next', app.next_level_json(u, b),
      'levels', jsonb_path_query_array(app.levels_json(), '$[*] ? (@.is_active == true)')
    )
    from app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_own_level is
  'Returns the level of the caller, the active levels with their points and tasks, and how far the caller is with the tasks of '
  'the next one. Serves GET /api/agent/level.';

grant execute on function api.get_own_level() to authenticated, store_admin;

-- sql/5_api/levels/set_agent_level.sql
-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then the member's balances.
-- Raises: forbidden, own_account, user_not_found, level_unknown.
-- Idempotent: setting the same grade and hold again changes nothing.
create or replace function api.set_agent_level(p_uid bigint, p_grade smallint, p_held boolean default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_is app.users;
begin
  perform app.require_admin('members');
  perform app.refuse_own_member(p_uid);
  perform app.lock_structure();
  select u.* into v_was from app.users as u where u.uid = p_uid;
  v_is := app.set_agent_level(p_uid, p_grade, auth.uid(), null, p_held);
  perform app.record_action(
    'set_agent_level', 'member', p_uid::text, jsonb_build_object('agent_level', v_was.agent_level, 'hold', v_was.is_held),
    jsonb_build_object('agent_level', v_is.agent_level, 'hold', v_is.is_held)
  );
  return jsonb_build_object('uid', p_uid, 'agent_level', v_is.agent_level, 'hold', v_is.is_held);
end
$$;

comment on function api.set_agent_level is
  'Sets a member''s grade by hand and whether tasks still raise it. With p_held null, lowering a member holds the level; '
  'otherwise the hold stays as it is. Serves PUT /adminapi/hjf/member/{uid}/level.';

grant execute on function api.set_agent_level(bigint, smallint, boolean) to store_admin;

-- sql/5_api/levels/set_agent_levels.sql
-- Security definer: client roles have no write privilege on levels.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: forbidden, changed_meanwhile, levels_invalid.
-- Idempotent without p_version: settings equal to those in force change nothing. With p_version, a retry raises
-- changed_meanwhile.
create or replace function api.set_agent_levels(p_levels jsonb, p_version integer default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('plan');
  perform app.lock_structure();
  if p_version <> (select max(v.version) from app.level_versions as v) then
    perform app.fail('changed_meanwhile', 'Somebody else has changed the levels since you read them.');
  end if;
  v_before := app.level_settings();
  perform app.set_agent_levels(p_levels, auth.uid(), null);
  v_after := app.level_settings();
  perform app.record_action('set_agent_levels', 'agent_levels', v_after ->> 'version', v_before, v_after, '{version, levels}');
  return api.get_agent_levels();
end
$$;

comment on function api.set_agent_levels is
  'Replaces all level settings and returns what get_agent_levels returns. With p_version, only while that version is still in '
  'force, so that nobody overwrites a change that they have not seen. Serves PUT /adminapi/agent/level.';

grant execute on function api.set_agent_levels(jsonb, integer) to store_admin;

-- sql/5_api/members/admin_get_user.sql
-- Raises: forbidden, user_not_found.
create or replace function api.admin_get_user(p_uid bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_answer jsonb;
begin
  perform app.require_admin();
  select app.user_json(u, b) || jsonb_build_object(
    'referrer', case when r.uid is not null then jsonb_build_object('uid', r.uid, 'nickname', r.nickname) end,
    'next_level', app.next_level_json(u, b),
    'progress', (select p from app.brokerage_progress(u.uid, v_now) as p),
    'team', app.team_json(u.uid)
  )
  into v_answer
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  left join app.users as r on r.uid = u.spread_uid
  where u.uid = p_uid;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return v_answer;
end
$$;

comment on function api.admin_get_user is
  'Returns one member with the referrer, the commission cycle, the tasks of the next level and the team totals. Serves GET '
  '/adminapi/user/{uid}.';

grant execute on function api.admin_get_user(bigint) to store_admin;

-- sql/5_api/members/admin_get_users.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_users(
  p_search text default null, p_agent_level smallint default null, p_no_assess boolean default null,
  p_spread_uid bigint default null, p_sort text default '-uid', p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_filter constant text := $sql$
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    where ($1 is null or u.uid::text = $1 or u.phone = $1 or position(lower($1) in lower(u.nickname)) > 0)
      and ($2 is null or u.agent_level = $2) and ($3 is null or u.no_assess = $3) and ($4 is null or u.spread_uid = $4)
  $sql$;
  v_count bigint;
  v_list jsonb;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  if p_sort is null or p_sort !~ '^-?(uid|add_time|frozen_points|available_points|total_points_earned|brokerage_price)$' then
    perform app.fail('invalid_argument', 'sort is uid, add_time, frozen_points, available_points, total_points_earned or brokerage_price, with a leading - for descending.');
  end if;
  -- Dynamic SQL, so that a page sorted by uid is an index scan that stops after the rows of the page.
  execute format($sql$
    select coalesce(jsonb_agg(app.user_json(u, b) order by %2$s %3$s, u.uid %3$s), '[]')
    from (select u.uid %1$s order by %2$s %3$s, u.uid %3$s offset $5 limit $6) as m
    join app.users as u on u.uid = m.uid
    join app.user_balances as b on b.uid = m.uid
  $sql$,
    v_filter,
    case when p_sort ~ '(uid|add_time)$' then 'u.' else 'b.' end || ltrim(p_sort, '-'),
    case when p_sort like '-%' then 'desc' else 'asc' end
  ) into v_list using p_search, p_agent_level, p_no_assess, p_spread_uid, v_skip, p_limit;
  execute 'select count(*) ' || v_filter into v_count using p_search, p_agent_level, p_no_assess, p_spread_uid;
  return jsonb_build_object('list', v_list, 'count', v_count);
end
$$;

comment on function api.admin_get_users is
  'Returns one page of the members, filtered by uid, phone or nickname, level, no-assess flag and referrer, sorted by p_sort '
  '(a leading - sorts in descending order). Serves GET /adminapi/user.';

grant execute on function api.admin_get_users(text, smallint, boolean, bigint, text, integer, integer) to store_admin;

-- sql/5_api/members/bind_spread.sql
-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: unauthenticated and what app.bind_spread raises.
-- Idempotent: binding to the same referrer again changes nothing.
create or replace function api.bind_spread(p_spread_uid bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  perform app.bind_spread(v_uid, p_spread_uid, null);
  return jsonb_build_object('uid', v_uid, 'spread_uid', p_spread_uid);
end
$$;

comment on function api.bind_spread is 'Binds the caller to a referrer, once (app.bind_spread). Serves PUT /api/user/spread.';

grant execute on function api.bind_spread(bigint) to authenticated, store_admin;

-- sql/5_api/members/get_assets_overview.sql
-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plans (decision 0007). Generic query plans, because choosing the
-- partition of the day at planning time takes longer than reading it. A variable holds the day, so that the partitions of other
-- months are pruned before they are opened.
-- Raises: unauthenticated.
create or replace function api.get_assets_overview()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := app.business_day(v_now);
  v_overview jsonb;
begin
  select jsonb_build_object(
    'brokerage_price', b.brokerage_price::text,
    'frozen_points', trim_scale(b.frozen_points),
    'available_points', trim_scale(b.available_points),
    'today_release', trim_scale(coalesce(
      (select g.release_points from app.points_release_log as g where g.uid = u.uid and g.release_date = v_today),
      case
        when exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then 0
        else app.release_amount(b.frozen_points)
      end
    )),
    'total_points_earned', trim_scale(b.total_points_earned),
    'agent_level', u.agent_level,
    'agent_level_name', l.name,
    'progress', p
  ) || m
  into v_overview
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  join app.agent_levels as l on l.grade = u.agent_level
  cross join lateral app.brokerage_progress(u.uid, v_now) as p
  cross join lateral app.maturity_json(u.uid, b.brokerage_price, v_now) as m
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_overview;
end
$$;

comment on function api.get_assets_overview is
  'Returns the caller''s balances, what of the commission can be withdrawn and when the rest matures, level and commission cycle. today_release is the amount that today''s release gave, or will '
  'give if it has not run yet. Serves GET /api/hjf/assets/overview.';

grant execute on function api.get_assets_overview() to authenticated, store_admin;

-- sql/5_api/members/get_me.sql
-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: unauthenticated.
create or replace function api.get_me()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_member jsonb;
begin
  select jsonb_build_object(
    'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'spread_uid', u.spread_uid, 'agent_level', u.agent_level,
    'agent_level_name', l.name, 'no_assess', u.no_assess, 'add_time', app.utc(u.add_time)
  )
  into v_member
  from app.users as u join app.agent_levels as l on l.grade = u.agent_level
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_member;
end
$$;

comment on function api.get_me is 'Returns the member who calls. Serves GET /api/user.';

grant execute on function api.get_me() to authenticated, store_admin;

-- sql/5_api/members/get_no_assess_changes.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_no_assess_changes(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'id', c.id, 'from_value', c.from_value, 'to_value', c.to_value, 'changed_by', app.actor_json(c.changed_by),
        'add_time', app.utc(c.add_time)
      ) order by c.id desc)
      from (select * from app.no_assess_changes as n where n.uid = p_uid order by n.id desc offset v_skip limit p_limit) as c
    ), '[]'),
    'count', (select count(*) from app.no_assess_changes as n where n.uid = p_uid)
  );
end
$$;

comment on function api.get_no_assess_changes is
  'Returns one page of the changes of a member''s no-assess flag, newest first, each with the administrator who made it (R9). '
  'Serves GET /adminapi/user/{uid}/no_assess_change.';

grant execute on function api.get_no_assess_changes(bigint, integer, integer) to store_admin;

-- sql/5_api/members/get_places.sql
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_places(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(jsonb_build_object(
        'cycle_no', p.cycle_no, 'place', p.place, 'cycle_plan_version', p.cycle_plan_version, 'order_id', p.order_id,
        'uid', s.uid, 'nickname', (select u.nickname from app.users as u where u.uid = s.uid), 'base', s.base::text, 'ratio', trim_scale(s.ratio), 'commission', s.commission::text,
        'commission_points', trim_scale(s.commission_points), 'settled_at', app.utc(s.settled_at)
      ) order by p.cycle_no desc, p.place desc)
      from (
        select * from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null
        order by t.cycle_no desc, t.place desc offset v_skip limit p_limit
      ) as p
      left join app.settlements as s on s.order_id = p.order_id
    ), '[]'),
    'count', (select count(*) from app.taken_places as t where t.earner_uid = p_uid and t.place_freed_at is null)
  );
end
$$;

comment on function api.get_places is
  'Returns one page of the taken places of a member''s commission cycles, latest first. Places that an imported member brought have no '
  'order. Serves GET /adminapi/user/{uid}/place.';

grant execute on function api.get_places(bigint, integer, integer) to store_admin;

-- sql/5_api/members/get_upline.sql
-- Security definer: client roles may not execute app.get_upline.
-- Raises: forbidden, user_not_found, invalid_argument.
create or replace function api.get_upline(p_uid bigint, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
  v_list jsonb;
  v_count bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  perform app.require_user(p_uid);
  with upline as materialized (select a.depth, a.uid from app.get_upline(p_uid) as a)
  select
    coalesce((
      select jsonb_agg(jsonb_build_object(
        'depth', p.depth, 'uid', p.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'agent_level_name', l.name,
        'no_assess', u.no_assess
      ) order by p.depth)
      from (select * from upline order by depth offset v_skip limit p_limit) as p
      join app.users as u on u.uid = p.uid
      join app.agent_levels as l on l.grade = u.agent_level
    ), '[]'),
    (select count(*) from upline)
  into v_list, v_count;
  return jsonb_build_object('list', v_list, 'count', v_count);
end
$$;

comment on function api.get_upline is
  'Returns one page of a member''s upline, nearest first. Serves GET /adminapi/user/{uid}/upline.';

grant execute on function api.get_upline(bigint, integer, integer) to store_admin;

-- sql/5_api/members/set_me.sql
-- Security definer: client roles have no write privilege on members.
-- Locks: the member.
-- Raises: unauthenticated, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_me(p_nickname text default null, p_avatar text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_constraint text;
begin
  update app.users as u
  set nickname = case when p_nickname is null then u.nickname else app.visible_text(p_nickname) end,
      avatar = case when p_avatar is null then u.avatar else nullif(p_avatar, '') end
  where u.uid = v_uid;
  return api.get_me();
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.set_me is
  'Changes nickname and avatar of the caller and returns the member. Null leaves a value as it is; an empty avatar removes it. '
  'Serves PUT /api/user.';

grant execute on function api.set_me(text, text) to authenticated, store_admin;

-- sql/5_api/members/set_no_assess.sql
-- Security definer: client roles have no write privilege on members.
-- Locks: structure (exclusive), then balances by uid.
-- Raises: forbidden, own_account, user_not_found, invalid_argument.
-- Idempotent: setting the same value again changes nothing.
create or replace function api.set_no_assess(p_uid bigint, p_no_assess boolean)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was boolean;
begin
  perform app.require_admin('members');
  perform app.refuse_own_member(p_uid);
  perform app.lock_structure();
  v_was := (select u.no_assess from app.users as u where u.uid = p_uid);
  perform app.set_no_assess(p_uid, p_no_assess, auth.uid(), null);
  perform app.record_action(
    'set_no_assess', 'member', p_uid::text, jsonb_build_object('no_assess', v_was), jsonb_build_object('no_assess', p_no_assess)
  );
  return jsonb_build_object('uid', p_uid, 'no_assess', p_no_assess);
end
$$;

comment on function api.set_no_assess is
  'Sets whether a member''s orders count for the tasks of their upline (R9). Serves PUT /adminapi/hjf/member/{uid}/no_assess.';

grant execute on function api.set_no_assess(bigint, boolean) to store_admin;

-- sql/5_api/metrics/get_metrics.sql
-- Security definer: the service may see these sums but not the tables of pg_cron behind them.
create or replace function api.get_metrics()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(app.metrics_text(clock_timestamp()))
$$;

comment on function api.get_metrics is
  'Returns the metrics of the store in the text format of Prometheus, as a JSON string. The edge function has checked the token of the '
  'monitoring system. Serves GET /adminapi/metrics.';

grant execute on function api.get_metrics() to service_role;

-- sql/5_api/orders/admin_get_order.sql
-- Raises: forbidden, order_not_found.
create or replace function api.admin_get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_admin();
  select o.* into v_order from app.orders as o where o.id = p_id;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.admin_order_json(v_order) || jsonb_build_object(
    'pay_type', v_order.pay_type, 'pay_ref', v_order.pay_ref, 'plan_version', v_order.plan_version, 'refunds', app.refunds_json(p_id),
    'payment_attempts', (
      select coalesce(jsonb_agg(app.attempt_record(a) order by a.id desc), '[]') from app.payment_attempts as a where a.order_id = p_id
    ),
    'provider_refunds', (
      select coalesce(jsonb_agg(app.provider_refund_json(r) order by r.id desc), '[]') from app.provider_refunds as r where r.order_id = p_id
    ),
    'unclaimed_payments', app.unclaimed_payments_json(p_id), 'expires_at', app.utc(app.order_expires_at(v_order))
  );
end
$$;

comment on function api.admin_get_order is
  'Returns one order with its payment attempts, its payment, its refunds (open requests included), their state at the provider, '
  'and the payments that could not be applied to it. Serves GET /adminapi/order/{id}.';

grant execute on function api.admin_get_order(bigint) to store_admin;

-- sql/5_api/orders/admin_get_orders.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_orders(
  p_uid bigint default null, p_state text default null, p_refund_status smallint default null, p_order_no text default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null, p_search text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  v_orders constant text := $sql$
    from app.orders as q
    where ($1 is null or q.uid = $1) and ($2 is null or q.state = $2) and ($3 is null or q.refund_status = $3)
      and ($4 is null or q.order_no = $4) and ($5 is null or q.add_time >= $5) and ($6 is null or q.add_time < $6)
  $sql$ || case when p_search is null then '' else 'and q.id in (select f.order_id from app.find_orders($7) as f)' end;
  v_list jsonb;
  v_next text;
  v_count bigint;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- Dynamic SQL, so that a search gets a query plan of its own, which starts from the few orders that match.
  execute format($sql$
    select
      coalesce(jsonb_agg(app.admin_order_json(o) order by o.id desc), '[]'),
      case when count(*) = $10 then (array_agg(app.make_cursor(o.add_time, o.id) order by o.id))[1] end
    from (select q.* %s and q.id < $8 order by q.id desc offset $9 limit $10) as o
  $sql$, v_orders)
  into v_list, v_next
  using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search, v_position.id, v_position.skip, p_limit;
  execute 'select count(*) ' || v_orders into v_count using p_uid, p_state, p_refund_status, p_order_no, p_from, p_to, p_search;
  return jsonb_build_object('list', v_list, 'next_cursor', v_next, 'count', v_count);
end
$$;

comment on function api.admin_get_orders is
  'Returns one page of all orders, newest first, filtered by a search (app.find_orders), buyer, state, refund status, order '
  'number and time. Pages are numbered or follow a cursor. Serves GET /adminapi/order.';

grant execute on function api.admin_get_orders(bigint, text, smallint, text, timestamptz, timestamptz, integer, integer, text, text)
  to store_admin;

-- sql/5_api/orders/cancel_order.sql
-- Security definer: client roles have no write privilege on orders.
-- Locks: the order, the products with a limited stock; if points paid for it, the balances of the caller.
-- Raises: unauthenticated, order_not_found, order_state_conflict.
-- Idempotent: a cancelled order stays as it is.
create or replace function api.cancel_order(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.cancel_order(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.cancel_order is
  'Cancels one of the caller''s unpaid orders and returns it. Serves PUT /api/order/{id}/cancel.';

grant execute on function api.cancel_order(bigint) to authenticated, store_admin;

-- sql/5_api/orders/confirm_receipt.sql
-- Security definer: client roles have no write privilege on orders.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: unauthenticated, order_not_found, order_state_conflict, import_unfinished (if it settles).
-- Idempotent: a received order stays as it is.
create or replace function api.confirm_receipt(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.confirm_receipt(p_order_id, null);
  return app.order_json(v_order);
end
$$;

comment on function api.confirm_receipt is
  'Confirms that the caller has received an order and returns it. With the timing confirm, this settles the order in the same '
  'transaction (R2, R3). Serves PUT /api/order/{id}/receive.';

grant execute on function api.confirm_receipt(bigint) to authenticated, store_admin;

-- sql/5_api/orders/create_order.sql
-- Security definer: client roles have no write privilege on orders.
-- Locks: an advisory lock of the buyer (see app.limit_unpaid_orders), the products with a limited stock; with
-- p_use_points, the balances of the caller.
-- Raises: unauthenticated, too_many_unpaid_orders, invalid_argument, product_unavailable, out_of_stock, price_changed,
-- address_not_found.
create or replace function api.create_order(
  p_items jsonb, p_address_id bigint default null, p_address jsonb default null, p_remark text default '', p_expected_price numeric default null,
  p_use_points numeric default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order app.orders;
  v_uid bigint := app.require_uid();
  v_address jsonb := p_address;
begin
  perform app.limit_unpaid_orders(v_uid);
  perform app.refuse_discounts(p_items);
  if p_address_id is not null and p_address is not null then
    perform app.fail('invalid_argument', 'Send either address_id or address, not both.', '/address_id');
  end if;
  if p_address_id is not null then
    v_address := app.own_address(v_uid, p_address_id);
  end if;
  -- A separate statement, so that order_json reads the new order.
  v_order := app.create_order(v_uid, p_items, null, v_address, p_remark, p_expected_price, p_use_points);
  return app.order_json(v_order);
end
$$;

comment on function api.create_order is
  'Creates an unpaid order of the caller and returns it. p_items is [{"product_id", "quantity"}]; a client cannot set a '
  'discount. The order copies the address of p_address_id, or p_address. With p_expected_price, an order that costs another '
  'amount is rejected. p_use_points is the most points to use. Serves POST /api/order.';

grant execute on function api.create_order(jsonb, bigint, jsonb, text, numeric, numeric) to authenticated, store_admin;

-- sql/5_api/orders/deliver_order.sql
-- Security definer: client roles have no write privilege on orders.
-- Locks: the order.
-- Raises: forbidden, own_account, order_not_found, order_state_conflict, invalid_argument.
-- Idempotent: of a shipped order, only the carrier and the tracking number can change.
create or replace function api.deliver_order(p_order_id bigint, p_carrier text default null, p_tracking_no text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin('orders');
  perform app.refuse_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.deliver_order(p_order_id, null, p_carrier, p_tracking_no);
  perform app.record_action(
    'deliver_order', 'order', p_order_id::text,
    jsonb_build_object('state', v_before.state, 'carrier', v_before.carrier, 'tracking_no', v_before.tracking_no),
    jsonb_build_object('state', v_order.state, 'carrier', v_order.carrier, 'tracking_no', v_order.tracking_no),
    '{state}'
  );
  return app.order_json(v_order);
end
$$;

comment on function api.deliver_order is
  'Marks a paid order as shipped (state delivered), with carrier and tracking number where they are given, and returns it. '
  'Serves PUT /adminapi/order/{id}/deliver.';

grant execute on function api.deliver_order(bigint, text, text) to store_admin;

-- sql/5_api/orders/get_order.sql
-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_order(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_order app.orders;
begin
  select o.* into v_order from app.orders as o where o.id = p_id and o.uid = v_uid;
  if not found then
    perform app.fail('order_not_found');
  end if;
  return app.order_json(v_order);
end
$$;

comment on function api.get_order is 'Returns one of the caller''s orders. Serves GET /api/order/{id}.';

grant execute on function api.get_order(bigint) to authenticated, store_admin;

-- sql/5_api/orders/get_orders.sql
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_orders(p_state text default null, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_skip bigint := app.check_page(p_page, p_limit);
begin
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.order_json(o) order by o.id desc)
      from (
        select * from app.orders as q where q.uid = v_uid and (p_state is null or q.state = p_state)
        order by q.id desc offset v_skip limit p_limit
      ) as o
    ), '[]'),
    'count', (select count(*) from app.orders as q where q.uid = v_uid and (p_state is null or q.state = p_state))
  );
end
$$;

comment on function api.get_orders is
  'Returns one page of the caller''s orders, newest first, filtered by state. Serves GET /api/order.';

grant execute on function api.get_orders(text, integer, integer) to authenticated, store_admin;

-- sql/5_api/orders/pay_order_offline.sql
-- Security definer: client roles have no write privilege on orders.
-- Locks: the order.
-- Raises: forbidden, own_account, order_not_found, order_state_conflict, order_already_paid, payment_reference_used,
-- invalid_argument.
-- Idempotent: the reference defaults to one that is derived from the order id, so a repeated call is the same payment.
create or replace function api.pay_order_offline(p_order_id bigint, p_pay_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.orders;
  v_order app.orders;
begin
  perform app.require_admin('money');
  perform app.refuse_own_order(p_order_id);
  v_before := app.lock_order(p_order_id);
  -- A separate statement, so that order_json reads the changed order.
  v_order := app.pay_order(p_order_id, 'offline', coalesce(p_pay_ref, 'order-' || p_order_id), null);
  perform app.record_action(
    'pay_order_offline', 'order', p_order_id::text, jsonb_build_object('state', v_before.state),
    jsonb_build_object('state', v_order.state) || case when v_before.paid_at is null then jsonb_build_object('amount', v_order.pay_price::text) else '{}' end
  );
  return app.order_json(v_order);
end
$$;

comment on function api.pay_order_offline is
  'Marks an order as paid offline and returns it. Serves PUT /adminapi/order/{id}/pay.';

grant execute on function api.pay_order_offline(bigint, text) to store_admin;

-- sql/5_api/orders/preview_order.sql
-- Security definer: client roles may not execute app.price_items and app.use_points.
-- Raises: unauthenticated, invalid_argument, product_unavailable, out_of_stock.
-- Writes nothing and takes no lock.
create or replace function api.preview_order(p_items jsonb, p_use_points numeric default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_lines app.order_lines[];
  v_order app.orders;
  v_offer jsonb;
begin
  perform app.refuse_discounts(p_items);
  v_lines := app.price_items(p_items);
  v_offer := app.points_offer_json(v_uid, v_lines);
  v_lines := app.use_points(v_uid, v_lines, p_use_points, false);
  v_order := app.order_of_lines(v_lines);
  return jsonb_build_object(
    'total_price', v_order.total_price::text, 'freight', v_order.freight::text, 'paid_by_points', v_order.paid_by_points::text,
    'points_spent', trim_scale(v_order.points_spent), 'pay_price', v_order.pay_price::text, 'points', v_offer,
    'lines', (
      select jsonb_agg(jsonb_build_object(
        'product_id', l.product_id, 'title', l.title, 'price', l.price::text, 'quantity', l.quantity,
        'paid_by_points', l.paid_by_points::text, 'points', trim_scale(l.points), 'paid', l.paid::text, 'is_queue_goods', l.is_queue_goods
      ) order by l.ordinality)
      from unnest(v_lines) with ordinality as l
    )
  );
end
$$;

comment on function api.preview_order is
  'Returns what an order of these items would cost with p_use_points, without placing it, and how many points could be used and what '
  'they would pay. pay_price is what p_expected_price of create_order takes. Serves POST /api/order/preview.';

grant execute on function api.preview_order(jsonb, numeric) to authenticated, store_admin;

-- sql/5_api/outbox/get_outbox.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_outbox(
  p_state text default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.outbox_json(l) order by l.id desc)
      from (
        select * from app.outbox as o where p_state is null or o.state = p_state
        order by o.id desc offset v_skip limit p_limit
      ) as l
    ), '[]'),
    'count', (select count(*) from app.outbox as o where p_state is null or o.state = p_state)
  );
end
$$;

comment on function api.get_outbox is
  'Returns one page of the calls to providers that are still to be made, newest first, filtered by state. Serves GET '
  '/adminapi/outbox.';

grant execute on function api.get_outbox(text, integer, integer) to store_admin;

-- sql/5_api/outbox/lease_outbox.sql
-- Security definer: client roles have no write privilege on the outbox.
-- Raises: invalid_argument.
-- Not idempotent: see app.lease_outbox.
create or replace function api.lease_outbox(p_limit integer default 10)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'A worker takes between 1 and 100 rows at a time.');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'key', o.key, 'payload', o.payload, 'attempt', o.attempts) order by o.id), '[]')
    from app.lease_outbox(p_limit, clock_timestamp()) as o
  );
end
$$;

comment on function api.lease_outbox is
  'Takes up to p_limit due rows of the outbox and returns them, [{id, kind, key, payload, attempt}]. If the result of a row is '
  'not recorded within the lease, the row is due again. Serves POST /worker/run.';

grant execute on function api.lease_outbox(integer) to service_role;

-- sql/5_api/outbox/postpone_outbox.sql
-- Security definer: client roles have no write privilege on the outbox.
-- Not idempotent: see app.postpone_outbox.
create or replace function api.postpone_outbox(p_id bigint, p_attempt integer, p_problem text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.postpone_outbox(p_id, p_attempt, p_problem, clock_timestamp());
  return 'null'::jsonb;
end
$$;

comment on function api.postpone_outbox is
  'Records that a leased call to a provider has no final result yet, and why; null means that the provider has not decided.';

grant execute on function api.postpone_outbox(bigint, integer, text) to service_role;

-- sql/5_api/outbox/retry_outbox.sql
-- Security definer: client roles have no write privilege on the outbox.
-- Locks: the row of the outbox.
-- Raises: forbidden, own_account, job_not_found.
-- Idempotent: a waiting row becomes due now.
create or replace function api.retry_outbox(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.outbox;
  v_after app.outbox;
begin
  perform app.require_admin('money');
  select o.* into v_before from app.outbox as o where o.id = p_id for update;
  if not found then
    perform app.fail('job_not_found', 'This call has already been completed.');
  end if;
  perform app.refuse_own_order((v_before.payload ->> 'order_id')::bigint);
  update app.outbox as o set state = 'waiting', attempts = 0, run_after = clock_timestamp() where o.id = p_id returning o.* into v_after;
  perform app.record_action(
    'retry_outbox', 'outbox', p_id::text,
    jsonb_build_object('state', v_before.state, 'attempts', v_before.attempts), jsonb_build_object('state', v_after.state, 'attempts', v_after.attempts)
  );
  return app.outbox_json(v_after);
end
$$;

comment on function api.retry_outbox is
  'Makes a call to a provider due now, resets its attempts, and returns it. Serves PUT /adminapi/outbox/{id}/retry.';

grant execute on function api.retry_outbox(bigint) to store_admin;

-- sql/5_api/overview/get_overview.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_overview(p_days integer default 30)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_days jsonb;
  v_totals jsonb;
begin
  perform app.require_admin();
  if p_days is null or p_days not between 1 and 366 then
    perform app.fail('invalid_argument', 'days is between 1 and 366.');
  end if;
  select
    jsonb_agg(jsonb_build_object(
      'day', d.day, 'orders', d.orders, 'queue_orders', d.queue_orders, 'queue_revenue', d.queue_revenue::text,
      'commission', d.commission::text, 'payout_share', trunc(d.commission / nullif(d.queue_revenue, 0), 4),
      'points_frozen', trim_scale(d.points_frozen), 'points_released', trim_scale(d.points_released)
    ) order by d.day),
    jsonb_build_object(
      'orders', sum(d.orders), 'queue_orders', sum(d.queue_orders), 'queue_revenue', sum(d.queue_revenue)::text,
      'commission', sum(d.commission)::text, 'payout_share', trunc(sum(d.commission) / nullif(sum(d.queue_revenue), 0), 4),
      'points_frozen', trim_scale(sum(d.points_frozen)), 'points_released', trim_scale(sum(d.points_released))
    )
  into v_days, v_totals
  from app.overview_days(app.business_day(clock_timestamp()), p_days) as d;
  return jsonb_build_object(
    'days', v_days, 'totals', v_totals,
    'last_release', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1),
    'jobs', (
      select jsonb_build_object('waiting', j.waiting, 'dead', j.dead, 'due_since', app.utc(j.due_since), 'is_late', j.is_late, 'import_since', app.utc(j.import_since))
      from app.settlement_job_state(clock_timestamp()) as j
    ),
    'withdrawals_waiting', (select count(*) from app.withdrawals as w where w.state = 'requested'),
    'scheduler', app.scheduler_state(clock_timestamp()),
    'late_jobs', (select coalesce(jsonb_agg(l.name), '[]') from app.late_jobs(clock_timestamp()) as l),
    'last_reconcile', (
      select jsonb_build_object('started_at', app.utc(c.started_at), 'finished_at', app.utc(c.finished_at), 'findings', c.findings, 'cuts', c.cuts)
      from app.reconcile_runs as c order by c.id desc limit 1
    )
  );
end
$$;

comment on function api.get_overview is
  'Returns the daily sums of the last p_days business days, today included, their totals, and the state of releases, '
  'settlement jobs, withdrawals that wait for a review, scheduled jobs and reconciliation. payout_share is commission divided by the revenue of queue goods; it is '
  'null without revenue. Serves GET /adminapi/overview.';

grant execute on function api.get_overview(integer) to store_admin;

-- sql/5_api/payments/claim_payment_query.sql
-- Security definer: client roles have no write privilege on payment attempts.
-- Not idempotent: two calls within two seconds claim one query.
create or replace function api.claim_payment_query(p_attempt_no text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.payment_attempts as a set queried_at = clock_timestamp()
  where a.attempt_no = p_attempt_no and a.state = 'open' and coalesce(a.queried_at, '-infinity') < clock_timestamp() - interval '2 seconds';
  return to_jsonb(found);
end
$$;

comment on function api.claim_payment_query is
  'Returns whether the provider may be queried for an open payment attempt now: at most once in two seconds, however often a '
  'client asks. Serves GET /api/order/{id}/payment.';

grant execute on function api.claim_payment_query(text) to service_role;

-- sql/5_api/payments/get_payment.sql
-- Security definer: members have no privilege on payment attempts.
-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_payment(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_own_order(p_order_id);
  return (
    select jsonb_build_object('order_id', o.id, 'order_state', o.state, 'amount', o.pay_price::text, 'attempt', (
      select app.attempt_json(a) from app.payment_attempts as a where a.order_id = p_order_id order by a.id desc limit 1
    ))
    from app.orders as o where o.id = p_order_id
  );
end
$$;

comment on function api.get_payment is
  'Returns the state of one of the caller''s orders and its latest payment attempt. Serves GET /api/order/{id}/payment.';

grant execute on function api.get_payment(bigint) to authenticated, store_admin;

-- sql/5_api/payments/get_payment_notifications.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_payment_notifications(
  p_outcome text default null, p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  v_list jsonb;
  v_next text;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  select
    coalesce(jsonb_agg(jsonb_build_object(
      'id', l.id, 'provider', l.provider, 'event_id', l.event_id, 'order_id', l.order_id, 'order_no', l.order_no, 'pay_ref', l.pay_ref,
      'amount', l.amount::text, 'currency', l.currency, 'outcome', l.outcome, 'reason', l.reason, 'add_time', app.utc(l.add_time),
      'refund_state', case when l.outcome = 'attention' then app.payment_refund_state(l.provider, l.pay_ref) end
    ) order by l.add_time desc, l.id desc), '[]'),
    case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time, l.id))[1] end
  into v_list, v_next
  from (
    select n.* from app.payment_notifications as n
    where (p_outcome is null or n.outcome = p_outcome) and (n.add_time, n.id) < (v_position.add_time, v_position.id)
    order by n.add_time desc, n.id desc
    offset v_position.skip
    limit p_limit
  ) as l;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next,
    'count', (select count(*) from app.payment_notifications as n where p_outcome is null or n.outcome = p_outcome)
  );
end
$$;

comment on function api.get_payment_notifications is
  'Returns one page of the recorded payment notifications, newest first, filtered by outcome. Pages are numbered or follow a '
  'cursor. Serves GET /adminapi/payment/notification.';

grant execute on function api.get_payment_notifications(text, integer, integer, text) to store_admin;

-- sql/5_api/payments/open_payment.sql
-- Security definer: client roles have no write privilege on payment attempts. Only the service may call it, because it knows which
-- providers are configured: an attempt at a provider that nobody can ask would never end.
-- Precondition: the edge function has checked that the caller is the buyer.
-- Locks: the order, its open attempt.
-- Raises: order_not_found, order_already_paid, order_state_conflict, invalid_argument.
-- Idempotent: see app.open_attempt.
create or replace function api.open_payment(p_order_id bigint, p_provider text, p_method text, p_openid text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_opened record;
  v_payer record := app.payer_of_order(p_order_id, p_openid);
  v_openid text := case when p_method = 'jsapi' then coalesce(p_openid, v_payer.openid) else p_openid end;
begin
  if p_method = 'jsapi' and v_openid is null then
    perform app.fail('invalid_argument', 'Sign in with WeChat, or send the openid of the payer.', '/openid');
  end if;
  v_opened := app.open_attempt(p_order_id, p_provider, p_method, v_openid, null);
  return app.attempt_json(v_opened.attempt) || jsonb_build_object(
    'openid', v_openid, 'appid', v_payer.appid,
    'must_close', v_opened.must_close, 'amount_minor', ((v_opened.attempt).amount * 100)::bigint,
    'description', (
      select left(s.site_name, 90) || ' ' || o.order_no from app.settings as s join app.orders as o on o.id = p_order_id
    )
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider, the method or the payer is missing or too long.');
end
$$;

comment on function api.open_payment is
  'Opens an attempt to pay an order at a provider, before the provider is called, and returns the values to start it with. The '
  'default of p_openid, for the method jsapi, is the id of the buyer at WeChat; appid is the app of that id, if it is known. '
  'must_close: the order has an open attempt with other values, which must be closed first. Serves POST /api/order/{id}/pay.';

grant execute on function api.open_payment(bigint, text, text, text) to service_role;

-- sql/5_api/payments/record_payment_notification.sql
-- Security definer: no client role may write orders or notifications.
-- Locks: the order, the payment attempt.
-- Raises: invalid_argument.
-- Idempotent: a repeated notification pays nothing again.
create or replace function api.record_payment_notification(
  p_provider text, p_event_id text, p_kind text, p_fault text default null, p_order_no text default null, p_pay_ref text default null,
  p_amount_minor bigint default null, p_currency text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_payment_notification(
    p_provider, p_event_id, p_kind, p_fault, p_order_no, p_pay_ref, p_amount_minor / 100.0, p_currency, null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_payment_notification is
  'Applies a payment notification whose signature the edge function has verified, and returns its outcome and reason (see '
  'app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_payment_notification(text, text, text, text, text, text, bigint, text) to service_role;

-- sql/5_api/payments/record_payment_standing.sql
-- Security definer: client roles have no write privilege on orders or payment attempts.
-- Locks: the order, the attempt.
-- Raises: payment_not_found, invalid_argument.
-- Idempotent: see app.record_standing.
create or replace function api.record_payment_standing(
  p_attempt_no text, p_state text, p_pay_ref text default null, p_amount_minor bigint default null, p_currency text default null,
  p_close_accepted boolean default false
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  if p_state is null or p_state not in ('open', 'paid', 'closed', 'unknown') then
    perform app.fail('invalid_argument', 'The state of a payment must be open, paid, closed or unknown.');
  end if;
  v_result := app.record_standing(p_attempt_no, p_state, p_pay_ref, p_amount_minor / 100.0, p_currency, p_close_accepted, null);
  return jsonb_build_object('state', (v_result.attempt).state, 'outcome', v_result.outcome);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the response is missing, too long or too large.');
end
$$;

comment on function api.record_payment_standing is
  'Records the state of a payment attempt at its provider and returns the state of the attempt, and the outcome of a payment. '
  'Serves GET /api/order/{id}/payment.';

grant execute on function api.record_payment_standing(text, text, text, bigint, text, boolean) to service_role;

-- sql/5_api/payments/record_payment_start.sql
-- Security definer: client roles have no write privilege on payment attempts.
-- Locks: the order, the attempt.
-- Raises: payment_not_found, invalid_argument.
-- Idempotent: the first response is kept, and an attempt that has ended stays as it is.
create or replace function api.record_payment_start(p_attempt_no text, p_refusal text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_attempt app.payment_attempts;
begin
  if p_refusal is not null then
    v_attempt := app.end_attempt(p_attempt_no, 'refused', left(p_refusal, 128), null);
  else
    v_attempt := app.lock_attempt(p_attempt_no);
    update app.payment_attempts as a set started_at = coalesce(a.started_at, clock_timestamp()) where a.id = v_attempt.id;
  end if;
  return app.attempt_json(v_attempt);
end
$$;

comment on function api.record_payment_start is
  'Records that the provider has started a payment, or with p_refusal that it refused to. If the response is lost, nothing is '
  'recorded and the attempt stays open. Serves POST /api/order/{id}/pay.';

grant execute on function api.record_payment_start(text, text) to service_role;

-- sql/5_api/payments/record_refund_notification.sql
-- Security definer: no client role may write refunds or notifications.
-- Locks: the order, the refund at the provider.
-- Raises: invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_notification(
  p_provider text, p_event_id text, p_payment_no text, p_pay_ref text, p_amount_minor bigint, p_refund_no text, p_state text,
  p_provider_ref text default null, p_reason text default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_result record;
begin
  v_result := app.record_refund_notification(
    p_provider, p_event_id, p_payment_no, p_pay_ref, p_amount_minor / 100.0, p_refund_no, p_state, left(p_provider_ref, 128), left(p_reason, 128), null
  );
  return jsonb_build_object('outcome', v_result.outcome, 'reason', v_result.reason);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the notification is missing, too long or too large.');
end
$$;

comment on function api.record_refund_notification is
  'Applies a notification of a refund whose signature the edge function has verified, and returns its outcome and reason (see '
  'app.payment_notifications). p_amount_minor is in the smallest unit of the currency. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_refund_notification(text, text, text, text, bigint, text, text, text, text) to service_role;

-- sql/5_api/payments/record_refund_standing.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order, the refund at the provider.
-- Raises: refund_not_found, invalid_argument.
-- Idempotent: a decided refund stays as it is.
create or replace function api.record_refund_standing(
  p_refund_no text, p_state text, p_provider_ref text default null, p_reason text default null
)
returns jsonb
language sql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object('state', (app.record_refund_standing(p_refund_no, p_state, left(p_provider_ref, 128), left(p_reason, 128), null)).state)
$$;

comment on function api.record_refund_standing is
  'Records what a provider answered about a refund and returns its state: refunding, succeeded or failed. accepted leaves it '
  'refunding.';

grant execute on function api.record_refund_standing(text, text, text, text) to service_role;

-- sql/5_api/payments/record_unverified_notification.sql
-- Security definer: no client role may write notifications.
-- Raises: invalid_argument.
create or replace function api.record_unverified_notification(p_provider text, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return jsonb_build_object('kept', app.record_unverified(p_provider, p_reason, clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The provider or the reason is missing or too long.');
end
$$;

comment on function api.record_unverified_notification is
  'Records a payment notification whose signature could not be verified. kept is false if it was not recorded, because the '
  'limit of the hour is reached or another one is being recorded. Serves POST /api/pay/notify/{provider}.';

grant execute on function api.record_unverified_notification(text, text) to service_role;

-- sql/5_api/payments/refund_payment.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order.
-- Raises: forbidden, own_account, payment_not_found.
-- Idempotent: a payment that is being refunded, or was, is returned unchanged.
create or replace function api.refund_payment(p_notification_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_payment app.payment_notifications;
  v_refund app.provider_refunds;
  v_before jsonb;
begin
  perform app.require_admin('money');
  select n.* into v_payment from app.payment_notifications as n where n.id = p_notification_id and n.outcome = 'attention';
  if not found then
    perform app.fail('payment_not_found', 'Only a payment that could not be applied to an order can be refunded here.');
  end if;
  perform app.refuse_own_order(v_payment.order_id);
  perform app.lock_order(v_payment.order_id);
  select r.* into v_refund from app.provider_refunds as r
  where r.provider = v_payment.provider and r.pay_ref = v_payment.pay_ref and r.refund_id is null order by r.id desc limit 1;
  v_before := jsonb_build_object('refund_state', v_refund.state);
  if v_refund.id is null or v_refund.state = 'failed' then
    v_refund := app.start_provider_refund(
      v_payment.order_id, null, v_payment.provider, v_payment.order_no, v_payment.pay_ref, v_payment.amount, v_payment.amount, clock_timestamp()
    );
  end if;
  perform app.record_action(
    'refund_payment', 'order', v_payment.order_id::text, v_before, jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.refund_payment is
  'Requests the refund of a whole unclaimed payment (a notification with the outcome attention) from its provider, and returns '
  'the refund. A refund that failed is requested again with a new number. Serves PUT /adminapi/payment/notification/{id}/refund.';

grant execute on function api.refund_payment(bigint) to store_admin;

-- sql/5_api/payments/retry_provider_refund.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: the order.
-- Raises: forbidden, own_account, refund_not_found, order_state_conflict.
-- Idempotent in effect: a second call raises order_state_conflict and changes nothing.
create or replace function api.retry_provider_refund(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_failed app.provider_refunds;
  v_refund app.provider_refunds;
begin
  perform app.require_admin('money');
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if not found then
    perform app.fail('refund_not_found');
  end if;
  perform app.refuse_own_order(v_failed.order_id);
  perform app.lock_order(v_failed.order_id);
  select r.* into v_failed from app.provider_refunds as r where r.id = p_id;
  if v_failed.state <> 'failed' then
    perform app.fail('order_state_conflict', 'Only a refund that the provider did not pay can be retried.');
  end if;
  begin
    v_refund := app.start_provider_refund(
      v_failed.order_id, v_failed.refund_id, v_failed.provider, v_failed.payment_no, v_failed.pay_ref, v_failed.amount, v_failed.total, clock_timestamp()
    );
  exception when unique_violation then
    perform app.fail('order_state_conflict', 'This refund has already been retried.');
  end;
  perform app.record_action(
    'retry_provider_refund', 'order', v_failed.order_id::text,
    jsonb_build_object('refund_state', v_failed.state), jsonb_build_object('refund_state', v_refund.state)
  );
  return app.provider_refund_json(v_refund);
end
$$;

comment on function api.retry_provider_refund is
  'Requests a refund that the provider did not pay again, with a new number, and returns the new refund. Serves PUT '
  '/adminapi/payment/refund/{id}/retry.';

grant execute on function api.retry_provider_refund(bigint) to store_admin;

-- sql/5_api/plans/get_brokerage_config.sql
-- Raises: forbidden.
create or replace function api.get_brokerage_config()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select app.plan_json(p) || jsonb_build_object('versions', (
      select jsonb_agg(app.plan_json(v) order by v.version desc)
      from (select * from app.commission_plans as a order by a.version desc limit 20) as v
    ))
    from app.commission_plans as p
    where p.version = app.active_plan_version()
  );
end
$$;

comment on function api.get_brokerage_config is
  'Returns the commission plan in force and the latest twenty versions with the administrators who created them. Serves GET '
  '/adminapi/hjf/brokerage/config.';

grant execute on function api.get_brokerage_config() to store_admin;

-- sql/5_api/plans/preview_brokerage_config.sql
-- Security definer: the checks of a draft run as functions of the owner, the same ones that check a draft when it is saved.
-- Stable: Postgres itself prevents writes and row locks.
-- Raises: forbidden, plan_invalid, levels_invalid.
create or replace function api.preview_brokerage_config(p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_plan app.commission_plans;
begin
  perform app.require_admin();
  v_plan := app.draft_plan(coalesce(p_plan, '{}'), '/plan');
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  return (
    select jsonb_build_object(
      'price', w.price::text, 'ratio', trim_scale(w.ratio), 'commission', w.commission::text, 'payout_share', trim_scale(w.payout_share),
      'commission_points', trim_scale(w.commission_points), 'level_points', trim_scale(w.level_points), 'points', trim_scale(w.points),
      'cycle', w.cycle, 'cycle_share', trim_scale(w.cycle_share)
    )
    from app.worst_order(v_plan, coalesce(p_levels, app.levels_json())) as w
  );
end
$$;

comment on function api.preview_brokerage_config is
  'Returns the most that one unit could pay under a draft plan and draft levels, without writing. A null draft stands for the '
  'settings in force. Serves POST /adminapi/hjf/brokerage/config/preview.';

grant execute on function api.preview_brokerage_config(jsonb, jsonb) to store_admin;

-- sql/5_api/plans/set_brokerage_config.sql
-- Security definer: client roles have no write privilege on plans.
-- Raises: forbidden, plan_invalid.
-- Idempotent: a plan equal to the one in force creates no version.
create or replace function api.set_brokerage_config(p_plan jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was integer;
  v_plan app.commission_plans;
begin
  perform app.require_admin('plan');
  v_was := app.active_plan_version();
  v_plan := app.create_plan(p_plan, auth.uid(), clock_timestamp());
  -- Take the version right before the new one: another administrator may have added a version since the read above.
  if v_plan.version <> v_was then
    v_was := (select max(p.version) from app.commission_plans as p where p.version < v_plan.version);
  end if;
  perform app.record_action(
    'set_brokerage_config', 'commission_plan', v_plan.version::text,
    (select to_jsonb(p) - '{created_by, created_at}'::text[] from app.commission_plans as p where p.version = v_was),
    to_jsonb(v_plan) - '{created_by, created_at}'::text[]
  );
  return api.get_brokerage_config();
end
$$;

comment on function api.set_brokerage_config is
  'Puts a new version of the commission plan in force and returns what get_brokerage_config returns. Keys that p_plan leaves '
  'out keep their values. Serves PUT /adminapi/hjf/brokerage/config.';

grant execute on function api.set_brokerage_config(jsonb) to store_admin;

-- sql/5_api/posters/get_poster.sql
-- Security definer: members may not read app.posters.
-- Raises: unauthenticated.
create or replace function api.get_poster(p_template text, p_code_source text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_poster app.posters;
  v_same_source boolean;
  v_current boolean;
begin
  select p.* into v_poster from app.posters as p where p.uid = v_uid;
  v_same_source := coalesce(v_poster.code_source = p_code_source, v_poster.code_source is null and p_code_source is null);
  v_current := v_poster.uid is not null and v_same_source
    and v_poster.fingerprint = app.poster_fingerprint(v_uid, p_template, v_poster.code);
  return jsonb_build_object(
    'uid', v_uid,
    'poster', case when v_current then app.poster_json(v_poster) end,
    'wants_code', p_code_source is not null
      and (not v_same_source or (v_poster.code is null and coalesce(v_poster.retry_at <= clock_timestamp(), true)))
  );
end
$$;

comment on function api.get_poster is
  'Returns the caller''s poster if it is current, and whether the client should fetch a mini-program code (wants_code). '
  'p_code_source names the app and page that codes come from, or is null where none is configured. First step of GET '
  '/api/spread/poster.';

grant execute on function api.get_poster(text, text) to authenticated, store_admin;

-- sql/5_api/posters/get_poster_picture.sql
-- Security definer: the token alone decides which poster is read; policies would add nothing.
-- Raises: poster_not_found.
create or replace function api.get_poster_picture(p_token uuid)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer jsonb;
begin
  select case
    when p.image is not null then jsonb_build_object('image', translate(encode(p.image, 'base64'), E'\n', ''))
    else jsonb_build_object(
      'image', null, 'uid', p.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'site_name', s.site_name,
      'share_url', p.share_url, 'code', translate(encode(p.code, 'base64'), E'\n', '')
    )
  end into v_answer
  from app.posters as p
  join app.users as u on u.uid = p.uid
  cross join app.settings as s
  where p.token = p_token;
  if v_answer is null then
    perform app.fail('poster_not_found');
  end if;
  return v_answer;
end
$$;

comment on function api.get_poster_picture is
  'Returns the picture of a poster as base64, or, until it is drawn, the data to draw it from. Serves GET '
  '/poster/image/{file}.';

grant execute on function api.get_poster_picture(uuid) to service_role;

-- sql/5_api/posters/get_wechat_token.sql
-- Security definer: no client role may read app.wechat_tokens.
create or replace function api.get_wechat_token(p_appid text)
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select to_jsonb(t.access_token) from app.wechat_tokens as t
  where t.appid = p_appid and t.expires_at > clock_timestamp() + interval '5 minutes'
$$;

comment on function api.get_wechat_token is
  'Returns the access token of a WeChat app if it is valid for at least five more minutes, otherwise null.';

grant execute on function api.get_wechat_token(text) to service_role;

-- sql/5_api/posters/save_poster.sql
-- Security definer: client roles have no write privilege on posters.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: the first code that arrives from a source stays.
create or replace function api.save_poster(p_uid bigint, p_template text, p_code_source text default null, p_code text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.poster_json(app.save_poster(p_uid, p_template, p_code_source, decode(p_code, 'base64'), clock_timestamp()));
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the poster is missing, not base64 or too large.');
end
$$;

comment on function api.save_poster is
  'Creates or updates a member''s poster and returns it. p_code is the mini-program code as base64, or null where there is '
  'none. Second step of GET /api/spread/poster, if get_poster returned no poster or asked for a code.';

grant execute on function api.save_poster(bigint, text, text, text) to service_role;

-- sql/5_api/posters/save_poster_picture.sql
-- Security definer: client roles have no write privilege on posters.
-- Raises: invalid_argument.
-- Idempotent: the same picture is stored again.
create or replace function api.save_poster_picture(p_token uuid, p_image text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  update app.posters set image = decode(p_image, 'base64') where token = p_token;
  return jsonb_build_object('kept', found);
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'The picture is not base64 or too large.');
end
$$;

comment on function api.save_poster_picture is
  'Stores the drawn picture of a poster, given as base64. Returns kept = false if the poster has changed meanwhile and so has '
  'another token.';

grant execute on function api.save_poster_picture(uuid, text) to service_role;

-- sql/5_api/posters/save_wechat_token.sql
-- Security definer: no client role may write app.wechat_tokens.
-- Raises: invalid_argument.
-- Idempotent: the last token replaces the one before.
create or replace function api.save_wechat_token(p_appid text, p_access_token text, p_expires_in integer)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  insert into app.wechat_tokens (appid, access_token, expires_at)
  values (p_appid, p_access_token, clock_timestamp() + make_interval(secs => p_expires_in))
  on conflict (appid) do update set access_token = excluded.access_token, expires_at = excluded.expires_at;
  return '{}';
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A part of the token is missing or too large.');
end
$$;

comment on function api.save_wechat_token is
  'Stores the access token of a WeChat app, so that all instances of the edge functions share it. p_expires_in is in seconds.';

grant execute on function api.save_wechat_token(text, text, integer) to service_role;

-- sql/5_api/products/admin_get_product.sql
-- Raises: forbidden, product_not_found.
create or replace function api.admin_get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  perform app.require_admin();
  select p.* into v_product from app.products as p where p.id = p_id and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.admin_product_json(v_product);
end
$$;

comment on function api.admin_get_product is 'Returns one product, on sale or not. Serves GET /adminapi/product/{id}.';

grant execute on function api.admin_get_product(bigint) to store_admin;

-- sql/5_api/products/admin_get_products.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_products(
  p_search text default null, p_is_show boolean default null, p_is_queue_goods boolean default null,
  p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as (
      select p.id from app.products as p
      where not p.is_del and (p_is_show is null or p.is_show = p_is_show)
        and (p_is_queue_goods is null or p.is_queue_goods = p_is_queue_goods)
        and (p_search is null or position(lower(p_search) in lower(p.title)) > 0)
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.admin_product_json(p) order by p.id desc)
        from (select m.id from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as g
        join app.products as p on p.id = g.id
      ), '[]'),
      'count', (select count(*) from matching)
    )
  );
end
$$;

comment on function api.admin_get_products is
  'Returns one page of the products, on sale or not, newest first, filtered by title and flags. Serves GET /adminapi/product.';

grant execute on function api.admin_get_products(text, boolean, boolean, integer, integer) to store_admin;

-- sql/5_api/products/create_product.sql
-- Security definer: client roles have no write privilege on products.
-- Raises: forbidden, invalid_argument.
create or replace function api.create_product(
  p_title text, p_price numeric, p_freight numeric default 0, p_is_queue_goods boolean default false, p_is_show boolean default true,
  p_images jsonb default '[]', p_description text default '', p_stock integer default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  insert into app.products (title, price, freight, is_queue_goods, is_show, images, description, stock, updated_by)
  values (p_title, p_price, p_freight, p_is_queue_goods, p_is_show, app.image_list(p_images), p_description, p_stock, auth.uid())
  returning * into v_product;
  perform app.record_action(
    'create_product', 'product', v_product.id::text, null, app.product_record(v_product), '{price, freight, is_queue_goods, is_show, stock}'
  );
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.create_product is
  'Creates a product and returns it. Prices have two decimals. Without p_stock, the stock is unlimited. Serves POST '
  '/adminapi/product.';

grant execute on function api.create_product(text, numeric, numeric, boolean, boolean, jsonb, text, integer) to store_admin;

-- sql/5_api/products/get_product.sql
-- Raises: product_not_found.
create or replace function api.get_product(p_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_product app.products;
begin
  select p.* into v_product from app.products as p where p.id = p_id and p.is_show and not p.is_del;
  if not found then
    perform app.fail('product_not_found');
  end if;
  return app.product_json(v_product) || jsonb_build_object(
    'description', v_product.description, 'you_would_earn', app.you_would_earn(array[v_product]) -> v_product.id::text
  );
end
$$;

comment on function api.get_product is
  'Returns one product that is on sale, to a member with what it would pay the member (app.you_would_earn). Serves GET '
  '/api/product/{id}.';

grant execute on function api.get_product(bigint) to anon, authenticated, store_admin;

-- sql/5_api/products/get_products.sql
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: invalid_argument.
create or replace function api.get_products(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint := app.check_page(p_page, p_limit);
  v_products app.products[] := array(
    select q from app.products as q where q.is_show and not q.is_del order by q.id desc offset v_skip limit p_limit
  );
  v_earnings jsonb := app.you_would_earn(v_products);
begin
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(app.product_json(p) || jsonb_build_object('you_would_earn', v_earnings -> p.id::text) order by p.id desc)
        from unnest(v_products) as p
      ), '[]'),
      'count', (select count(*) from app.products as q where q.is_show and not q.is_del)
    )
  );
end
$$;

comment on function api.get_products is
  'Returns one page of the products on sale, newest first, to a member with what each would pay the member '
  '(app.you_would_earn). Serves GET /api/product.';

grant execute on function api.get_products(integer, integer) to anon, authenticated, store_admin;

-- sql/5_api/products/set_product.sql
-- Security definer: client roles have no write privilege on products.
-- Locks: the product.
-- Raises: forbidden, product_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_product(
  p_id bigint, p_title text default null, p_price numeric default null, p_freight numeric default null,
  p_is_queue_goods boolean default null, p_is_show boolean default null,
  p_images jsonb default null, p_description text default null, p_stock integer default null, p_is_unlimited boolean default false
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.products;
  v_product app.products;
  v_constraint text;
begin
  perform app.require_admin('content');
  perform app.require_cents(p_price);
  perform app.require_cents(p_freight);
  select p.* into v_before from app.products as p where p.id = p_id and not p.is_del for update;
  if not found then
    perform app.fail('product_not_found');
  end if;
  update app.products as p
  set title = coalesce(p_title, p.title), price = coalesce(p_price, p.price), freight = coalesce(p_freight, p.freight),
      is_queue_goods = coalesce(p_is_queue_goods, p.is_queue_goods), is_show = coalesce(p_is_show, p.is_show),
      images = case when p_images is null then p.images else app.image_list(p_images) end, description = coalesce(p_description, p.description),
      stock = case when p_is_unlimited then null else coalesce(p_stock, p.stock) end,
      updated_at = clock_timestamp(), updated_by = auth.uid()
  where p.id = p_id
  returning p.* into v_product;
  perform app.record_action(
    'set_product', 'product', p_id::text, app.product_record(v_before), app.product_record(v_product), '{price, freight, is_queue_goods, is_show, stock}'
  );
  return app.admin_product_json(v_product);
exception when check_violation or not_null_violation or data_exception then
  get stacked diagnostics v_constraint = constraint_name;
  perform app.refuse_value(v_constraint);
end
$$;

comment on function api.set_product is
  'Changes the given fields of a product and returns it; null leaves a field as it is; p_is_unlimited lifts the '
  'limit of the stock. Existing orders keep the values that they copied. Serves PUT /adminapi/product/{id}.';

grant execute on function api.set_product(bigint, text, numeric, numeric, boolean, boolean, jsonb, text, integer, boolean) to store_admin;

-- sql/5_api/refunds/get_refunds.sql
-- Raises: unauthenticated, order_not_found (also for an order of another member).
create or replace function api.get_refunds(p_order_id bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_list jsonb;
begin
  if not exists (select from app.orders as o where o.id = p_order_id and o.uid = v_uid) then
    perform app.fail('order_not_found');
  end if;
  v_list := app.refunds_json(p_order_id);
  return jsonb_build_object('list', v_list, 'count', jsonb_array_length(v_list));
end
$$;

comment on function api.get_refunds is
  'Returns the refunds of one of the caller''s orders, newest first, with their states. Serves GET /api/order/{id}/refund.';

grant execute on function api.get_refunds(bigint) to authenticated, store_admin;

-- sql/5_api/refunds/preview_refund.sql
-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
-- Raises: forbidden and what app.preview_refund raises.
create or replace function api.preview_refund(p_order_id bigint, p_lines jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.preview_refund(p_order_id, p_lines, null);
end
$$;

comment on function api.preview_refund is
  'Returns what refunding these units now would reverse, without writing (app.preview_refund). Serves POST '
  '/adminapi/order/{id}/refund/preview.';

grant execute on function api.preview_refund(bigint, jsonb) to store_admin;

-- sql/5_api/refunds/refund_order.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, the products with a limited stock, balances by uid.
-- Raises: forbidden, own_account and what app.refund_order raises.
-- Idempotent with p_refund_ref: the same reference returns the same refund.
create or replace function api.refund_order(p_order_id bigint, p_lines jsonb default null, p_refund_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_after jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.refuse_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refund_order(p_order_id, p_lines, p_refund_ref, null);
  v_after := app.refund_state(p_order_id);
  if v_after <> v_before then
    v_after := v_after || jsonb_build_object('refund_id', v_refund.id);
  end if;
  perform app.record_action('refund_order', 'order', p_order_id::text, v_before, v_after);
  return app.refund_json(v_refund);
end
$$;

comment on function api.refund_order is
  'Refunds units of an order and returns the refund. With p_lines null it refunds the units of the open request, or, without a '
  'request, all that is left. Serves PUT /adminapi/order/{id}/refund.';

grant execute on function api.refund_order(bigint, jsonb, text) to store_admin;

-- sql/5_api/refunds/refuse_refund.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: forbidden, own_account and what app.refuse_refund raises.
-- Idempotent in effect: a second call raises refund_not_found and changes nothing.
create or replace function api.refuse_refund(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
  v_refund app.refunds;
begin
  perform app.require_admin('refunds');
  perform app.refuse_own_order(p_order_id);
  v_before := app.refund_state(p_order_id);
  -- A separate statement, so that refund_json reads the changed refund.
  v_refund := app.refuse_refund(p_order_id, null);
  perform app.record_action(
    'refuse_refund', 'order', p_order_id::text, v_before, app.refund_state(p_order_id) || jsonb_build_object('refund_id', v_refund.id)
  );
  return app.refund_json(v_refund);
end
$$;

comment on function api.refuse_refund is
  'Refuses the open refund request of an order and returns it. Serves PUT /adminapi/order/{id}/refund/refuse.';

grant execute on function api.refuse_refund(bigint) to store_admin;

-- sql/5_api/refunds/request_refund.sql
-- Security definer: client roles have no write privilege on refunds.
-- Locks: structure (shared), the order, balances by uid.
-- Raises: unauthenticated, order_not_found and what app.request_refund raises.
-- Idempotent in effect while the request is open: another one raises refund_state_conflict and changes nothing.
create or replace function api.request_refund(p_order_id bigint, p_lines jsonb default null, p_reason text default '')
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_refund app.refunds;
begin
  perform app.require_own_order(p_order_id);
  -- A separate statement, so that refund_json reads the new refund.
  v_refund := app.request_refund(p_order_id, p_lines, p_reason, null);
  return app.refund_json(v_refund);
end
$$;

comment on function api.request_refund is
  'Requests a refund of units of one of the caller''s orders and returns it. With p_lines null it requests all that is left. '
  'Serves POST /api/order/{id}/refund.';

grant execute on function api.request_refund(bigint, jsonb, text) to authenticated, store_admin;

-- sql/5_api/release/get_points_forecast.sql
-- Security definer: client roles may not execute app.forecast_json.
-- Raises: unauthenticated.
create or replace function api.get_points_forecast()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.forecast_json(app.require_uid()) - 'members';
end
$$;

comment on function api.get_points_forecast is
  'Returns the points that will still be released to the caller (app.forecast_json). Serves GET /api/hjf/points/forecast.';

grant execute on function api.get_points_forecast() to authenticated, store_admin;

-- sql/5_api/release/get_release_forecast.sql
-- Security definer: client roles may not execute app.forecast_json.
-- Raises: forbidden.
create or replace function api.get_release_forecast(p_uid bigint default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.forecast_json(p_uid);
end
$$;

comment on function api.get_release_forecast is
  'Returns the points that will still be released to one member, or to all members with p_uid null (app.forecast_json). Serves '
  'GET /adminapi/hjf/points/forecast.';

grant execute on function api.get_release_forecast(bigint) to store_admin;

-- sql/5_api/release/get_release_log.sql
-- Without p_uid, the sums come from app.release_runs: the log has a row for each member and day, which is too many to read for
-- every page (decision 0019).
-- Raises: forbidden, invalid_argument.
create or replace function api.get_release_log(
  p_uid bigint default null, p_date_from date default null, p_date_to date default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_position record;
  v_from date := coalesce(p_date_from, '-infinity');
  v_to date := coalesce(p_date_to, 'infinity');
  v_rows app.points_release_log[];
  v_count bigint;
  v_users bigint;
  v_points numeric;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  if p_uid is null then
    v_rows := array(
      select g from app.points_release_log as g
      where g.release_date between v_from and v_to and (g.add_time, g.id) < (v_position.add_time, v_position.id)
      order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
    );
    select coalesce(sum(r.users), 0), coalesce(max(r.users), 0), coalesce(sum(r.points), 0) into v_count, v_users, v_points
    from app.release_runs as r
    where r.release_date between v_from and v_to;
  else
    v_rows := array(
      select g from app.points_release_log as g
      where g.uid = p_uid and g.release_date between v_from and v_to and (g.add_time, g.id) < (v_position.add_time, v_position.id)
      order by g.add_time desc, g.id desc offset v_position.skip limit p_limit
    );
    select count(*), least(count(*), 1), coalesce(sum(g.release_points), 0) into v_count, v_users, v_points
    from app.points_release_log as g
    where g.uid = p_uid and g.release_date between v_from and v_to;
  end if;

  return jsonb_build_object(
    'list', (
      -- A subquery for each nickname: with a join, the generic query plan would read all members, since it does not know how few rows
      -- v_rows has.
      select coalesce(jsonb_agg(
        app.release_json(l, (select u.nickname from app.users as u where u.uid = l.uid)) order by l.add_time desc, l.id desc
      ), '[]')
      from unnest(v_rows) as l
    ),
    'count', v_count,
    'next_cursor', case when cardinality(v_rows) = p_limit then app.make_cursor(v_rows[p_limit].add_time, v_rows[p_limit].id) end,
    'statistics', jsonb_build_object(
      'total_released', trim_scale(v_points), 'users', v_users,
      'last_run', (select app.run_json(r) from app.release_runs as r order by r.release_date desc limit 1)
    )
  );
end
$$;

comment on function api.get_release_log is
  'Returns one page of the release log, newest first, filtered by member and business day, with the sums of all rows that '
  'match. Pages are numbered or follow a cursor. Serves GET /adminapi/hjf/points/release_log.';

grant execute on function api.get_release_log(bigint, date, date, integer, integer, text) to store_admin;

-- sql/5_api/schedule/get_crontab.sql
-- Security definer: client roles may not read the tables of pg_cron.
-- Raises: forbidden.
create or replace function api.get_crontab()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.schedule_json(clock_timestamp());
end
$$;

comment on function api.get_crontab is
  'Returns the scheduled jobs with their schedules, next runs and latest results (app.schedule_json). Serves GET '
  '/adminapi/system/crontab.';

grant execute on function api.get_crontab() to store_admin;

-- sql/5_api/schedule/run_crontab.sql
-- Security definer: client roles may not schedule jobs.
-- Raises: forbidden, crontab_not_found, schedule_unavailable.
-- Idempotent: a repeated call replaces the one-time job, and the scheduled jobs themselves are idempotent.
create or replace function api.run_crontab(p_name text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_runs_at timestamptz;
begin
  perform app.require_admin('system');
  v_runs_at := app.run_job_now(p_name, clock_timestamp());
  perform app.record_action('run_crontab', 'crontab', p_name, null, jsonb_build_object('runs_at', app.utc(v_runs_at)));
  return jsonb_build_object('name', p_name, 'runs_at', app.utc(v_runs_at));
end
$$;

comment on function api.run_crontab is
  'Makes pg_cron run a scheduled job once, and returns the minute at which it runs. Serves POST '
  '/adminapi/system/crontab/{name}/run.';

grant execute on function api.run_crontab(text) to store_admin;

-- sql/5_api/schedule/set_crontab.sql
-- Security definer: client roles may not schedule jobs.
-- Locks: the row of the job.
-- Raises: forbidden, crontab_not_found, invalid_argument, schedule_unavailable.
-- Idempotent: setting the same values again changes nothing.
create or replace function api.set_crontab(p_name text, p_schedule text default null, p_is_active boolean default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.scheduled_jobs;
  v_after app.scheduled_jobs;
begin
  perform app.require_admin('system');
  select j.* into v_before from app.scheduled_jobs as j where j.name = p_name for update;
  perform app.set_schedule(p_name, p_schedule, p_is_active, auth.uid(), clock_timestamp());
  select j.* into v_after from app.scheduled_jobs as j where j.name = p_name;
  perform app.record_action(
    'set_crontab', 'crontab', p_name, jsonb_build_object('schedule', v_before.schedule, 'is_active', v_before.is_active),
    jsonb_build_object('schedule', v_after.schedule, 'is_active', v_after.is_active)
  );
  return app.schedule_json(clock_timestamp());
end
$$;

comment on function api.set_crontab is
  'Changes when a scheduled job runs, in the time zone of the store, or switches it on or off. Returns what get_crontab '
  'returns. Serves PUT /adminapi/system/crontab.';

grant execute on function api.set_crontab(text, text, boolean) to store_admin;

-- sql/5_api/settings/get_settings.sql
-- Raises: forbidden.
create or replace function api.get_settings()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'time_zone', s.time_zone, 'site_name', s.site_name, 'h5_share_url', s.h5_share_url,
      'max_unpaid_orders', s.max_unpaid_orders, 'payment_minutes', s.payment_minutes, 'order_expiry_minutes', s.order_expiry_minutes,
      'offline_payment', s.offline_payment, 'offline_payment_days', s.offline_payment_days, 'receipt_days', s.receipt_days,
      'points_rate', trim_scale(s.points_rate), 'points_max_share', trim_scale(s.points_max_share),
      'adjustment_limit_money', s.adjustment_limit_money::text, 'adjustment_limit_points', trim_scale(s.adjustment_limit_points),
      'withdrawal_minimum', s.withdrawal_minimum::text, 'withdrawal_maximum', s.withdrawal_maximum::text,
      'withdrawal_fee_rate', trim_scale(s.withdrawal_fee_rate), 'withdrawal_methods', to_jsonb(s.withdrawal_methods),
      'logo', s.logo, 'colour', s.colour, 'updated_at', app.utc(s.updated_at)
    )
    from app.settings as s
  );
end
$$;

comment on function api.get_settings is 'Returns the settings of the store. Serves GET /adminapi/system/settings.';

grant execute on function api.get_settings() to store_admin;

-- sql/5_api/settings/set_settings.sql
-- Security definer: client roles have no write privilege on settings.
-- Locks: the row of settings.
-- Raises: forbidden, invalid_argument.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_settings(
  p_time_zone text default null, p_site_name text default null, p_h5_share_url text default null, p_max_unpaid_orders integer default null,
  p_payment_minutes integer default null, p_order_expiry_minutes integer default null, p_offline_payment boolean default null,
  p_offline_payment_days integer default null, p_receipt_days integer default null,
  p_logo text default null, p_colour text default null, p_points_rate numeric default null, p_points_max_share numeric default null,
  p_adjustment_limit_money numeric default null, p_adjustment_limit_points numeric default null,
  p_withdrawal_minimum numeric default null, p_withdrawal_maximum numeric default null, p_withdrawal_fee_rate numeric default null,
  p_withdrawal_methods jsonb default null
)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.settings;
  v_after app.settings;
begin
  perform app.require_admin('system');
  select s.* into v_before from app.settings as s for update;
  perform app.set_settings(p_time_zone, p_site_name, p_h5_share_url, p_max_unpaid_orders, p_logo, p_colour, clock_timestamp());
  perform app.set_order_times(p_payment_minutes, p_order_expiry_minutes, p_offline_payment, p_offline_payment_days, p_receipt_days);
  perform app.set_points_terms(p_points_rate, p_points_max_share);
  perform app.set_adjustment_limits(p_adjustment_limit_money, p_adjustment_limit_points);
  perform app.set_withdrawal_terms(p_withdrawal_minimum, p_withdrawal_maximum, p_withdrawal_fee_rate, p_withdrawal_methods);
  select s.* into v_after from app.settings as s;
  perform app.record_action('set_settings', 'settings', null, to_jsonb(v_before) - 'id', to_jsonb(v_after) - 'id');
  return api.get_settings();
end
$$;

comment on function api.set_settings is
  'Changes the given settings of the store and returns all of them; null leaves a setting as it is, an empty '
  'logo removes it, and a withdrawal maximum of 0 removes the limit. Serves PUT /adminapi/system/settings.';

grant execute on function api.set_settings(
  text, text, text, integer, integer, integer, boolean, integer, integer, text, text, numeric, numeric, numeric, numeric, numeric, numeric, numeric, jsonb
) to store_admin;

-- sql/5_api/settlement/get_brokerage_progress.sql
-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: unauthenticated.
create or replace function api.get_brokerage_progress()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_progress jsonb;
begin
  select p into v_progress
  from app.users as u cross join lateral app.brokerage_progress(u.uid, v_now) as p
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_progress;
end
$$;

comment on function api.get_brokerage_progress is
  'Returns the caller''s commission cycle. Serves GET /api/hjf/brokerage/progress.';

grant execute on function api.get_brokerage_progress() to authenticated, store_admin;

-- sql/5_api/settlement/get_jobs.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_jobs(p_state text default null, p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(jsonb_build_object(
          'order_id', j.order_id, 'state', j.state, 'attempts', j.attempts, 'run_after', app.utc(j.run_after),
          'last_error', j.last_error, 'created_at', app.utc(j.created_at)
        ) order by j.order_id)
        from (
          select * from app.settlement_jobs as q where p_state is null or q.state = p_state
          order by q.order_id offset app.check_page(p_page, p_limit) limit p_limit
        ) as j
      ), '[]'),
      'count', (select count(*) from app.settlement_jobs as q where p_state is null or q.state = p_state)
    )
  );
end
$$;

comment on function api.get_jobs is
  'Returns one page of the settlement jobs, waiting and dead, by order id. Serves GET /adminapi/hjf/jobs.';

grant execute on function api.get_jobs(text, integer, integer) to store_admin;

-- sql/5_api/settlement/get_settlement.sql
-- Security definer: client roles may not execute the functions of the engine.
-- Raises: forbidden, order_not_found.
create or replace function api.get_settlement(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_answer jsonb;
begin
  perform app.require_admin();
  v_answer := app.explain_order(p_order_id);
  return v_answer || jsonb_build_object('members', (
    select coalesce(jsonb_agg(jsonb_build_object('uid', u.uid, 'nickname', u.nickname) order by u.uid), '[]')
    from app.users as u
    where u.uid in (
      select m.uid::bigint
      from jsonb_path_query(v_answer, 'strict $.** ? (@.type() == "object").keyvalue() ? (@.key like_regex "^(.*_)?uid$").value') as m (uid)
      where jsonb_typeof(m.uid) = 'number'
    )
  ));
end
$$;

comment on function api.get_settlement is
  'Explains who was paid what for an order and why (app.explain_order), with the nicknames of all members in the explanation. '
  'Serves GET /adminapi/order/{id}/settlement.';

grant execute on function api.get_settlement(bigint) to store_admin;

-- sql/5_api/settlement/retry_job.sql
-- Security definer: client roles have no write privilege on jobs.
-- Locks: the order, then its job.
-- Raises: forbidden, own_account, order_not_found, job_not_found.
-- Idempotent: a job that is due stays due.
create or replace function api.retry_job(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before jsonb;
begin
  perform app.require_admin('money');
  perform app.refuse_own_order(p_order_id);
  perform app.lock_order(p_order_id);
  select jsonb_build_object('state', j.state, 'attempts', j.attempts) into v_before
  from app.settlement_jobs as j where j.order_id = p_order_id for update;
  update app.settlement_jobs
  set state = 'waiting', attempts = 0, last_error = null, run_after = clock_timestamp()
  where order_id = p_order_id;
  if not found then
    perform app.fail('job_not_found', 'This order has no settlement job: it is settled, or has nothing to settle.');
  end if;
  perform app.record_action('retry_job', 'order', p_order_id::text, v_before, jsonb_build_object('state', 'waiting', 'attempts', 0));
  return jsonb_build_object('order_id', p_order_id, 'state', 'waiting');
end
$$;

comment on function api.retry_job is
  'Makes a waiting or dead settlement job due now and resets its attempts. Serves POST /adminapi/hjf/jobs/{id}/retry.';

grant execute on function api.retry_job(bigint) to store_admin;

-- sql/5_api/settlement/run_settlement_jobs.sql
-- Security definer: client roles have no write privilege on settlements.
-- Waits at most 250 ms for a lock, because the edge function's instance starts no other settlement meanwhile.
-- PL/pgSQL instead of SQL, so that the session caches the query plan (decision 0007).
-- Raises: invalid_argument.
-- Idempotent, also when it runs concurrently: see app.run_settlement_jobs.
create or replace function api.run_settlement_jobs(p_limit integer default app.settlement_batch())
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
set lock_timeout = '250ms'
as $$
begin
  return jsonb_build_object('handled', app.run_settlement_jobs(p_limit));
exception when lock_not_available then
  -- Another transaction holds the structure lock.
  return jsonb_build_object('handled', 0);
end
$$;

comment on function api.run_settlement_jobs is
  'Settles up to p_limit waiting orders and returns how many jobs it handled. The edge functions call it in the background '
  'after a payment; pg_cron settles what is left.';

grant execute on function api.run_settlement_jobs(integer) to service_role;

-- sql/5_api/simulation/simulate.sql
-- Security definer: client roles may not execute the functions of the engine.
-- Stable: Postgres itself prevents writes.
-- A simulation writes nothing, so one that is cut leaves nothing to continue; `npm run simulate` has no time limit.
-- Raises: forbidden, simulation_too_large (also at the statement timeout) and what app.simulate raises.
create or replace function api.simulate(p_from timestamptz, p_to timestamptz, p_plan jsonb default null, p_levels jsonb default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return app.simulate(p_plan, p_levels, p_from, p_to, 5000);
exception when query_canceled then
  perform app.fail('simulation_too_large', 'Replaying these orders takes longer than a request may take. Choose a shorter period.');
end
$$;

comment on function api.simulate is
  'Simulates a draft plan or draft levels over the orders of a past period, without writing (app.simulate). Serves POST '
  '/adminapi/hjf/simulate.';

grant execute on function api.simulate(timestamptz, timestamptz, jsonb, jsonb) to store_admin;

-- sql/5_api/system/admin_get_system_metadata.sql
-- Security definer: client roles may not read the migration history.
-- Raises: forbidden.
create or replace function api.admin_get_system_metadata(p_version text, p_runtime text, p_commit text default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_migration text;
begin
  perform app.require_admin();
  if to_regclass('supabase_migrations.schema_migrations') is not null then
    execute 'select max(version) from supabase_migrations.schema_migrations' into v_migration;
  end if;
  return api.get_system_metadata(p_version, p_commit) || api.get_health() || jsonb_build_object(
    'runtime', p_runtime, 'database_version', current_setting('server_version'), 'migration', v_migration
  );
end
$$;

comment on function api.admin_get_system_metadata is
  'Returns the public metadata and health with the versions of runtime, database and schema. Serves GET '
  '/adminapi/system/metadata.';

grant execute on function api.admin_get_system_metadata(text, text, text) to store_admin;

-- sql/5_api/system/get_health.sql
-- Security definer: every role may see these sums but not the rows behind them.
create or replace function api.get_health()
returns jsonb
language sql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
  select app.health_json(clock_timestamp())
$$;

comment on function api.get_health is
  'Returns the state of the settlement jobs, the latest release and the status. status is degraded if an order could not be '
  'settled, a job is due for more than five minutes, or no scheduler runs the jobs. Serves GET /api/health.';

grant execute on function api.get_health() to anon, authenticated, store_admin;

-- sql/5_api/system/get_own_roles.sql
-- Security definer: client roles may not use schema auth, which has the id of the caller.
-- Raises: forbidden.
create or replace function api.get_own_roles()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'auth_id', a.auth_id, 'roles', to_jsonb(a.roles),
      'areas', (
        select jsonb_agg(distinct n.area)
        from app.role_areas() as r cross join lateral unnest(r.areas) as n (area)
        where r.role = any (a.roles)
      )
    )
    from app.administrators as a where a.auth_id = auth.uid()
  );
end
$$;

comment on function api.get_own_roles is
  'Returns the roles of the calling administrator, and the areas that they may change. Serves GET /adminapi/me.';

grant execute on function api.get_own_roles() to store_admin;

-- sql/5_api/system/get_system_metadata.sql
create or replace function api.get_system_metadata(p_version text, p_commit text default null)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'name', 'referral-commission-store', 'version', p_version, 'api_version', '1', 'commit', p_commit, 'site_name', s.site_name,
    'logo', s.logo, 'colour', s.colour
  )
  from app.settings as s
$$;

comment on function api.get_system_metadata is
  'Returns the name, versions, site name, logo and colour of this store. p_version and p_commit are those of the edge function. Serves GET '
  '/api/system/metadata.';

grant execute on function api.get_system_metadata(text, text) to anon, authenticated, store_admin;

-- sql/5_api/team/get_team_orders.sql
-- Security definer: members may not read the orders of others. The function starts from the member of the verified token, and a
-- cursor is only a time of payment and the id of an order.
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_team_orders(p_cursor text default null, p_limit integer default 20)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object('list', o.list, 'next_cursor', o.next_cursor)
    from app.list_position(1, p_limit, p_cursor) as p cross join lateral app.team_orders(v_uid, p.add_time, p.id, p_limit) as o
  );
end
$$;

comment on function api.get_team_orders is
  'Returns one page of the orders below the caller that paid the caller or count for the caller''s tasks, latest first. Serves GET '
  '/api/spread/order.';

grant execute on function api.get_team_orders(text, integer) to authenticated, store_admin;

-- sql/5_api/team/get_team_people.sql
-- Security definer: members may not read other members. The function starts from the member of the verified token. No parameter
-- says whose team is read, and a cursor is a position in the order of the caller's own list.
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_team_people(
  p_depth text default 'direct', p_keyword text default null, p_sort text default '-joined', p_cursor text default null,
  p_limit integer default 20
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_named bigint := app.person_by_uid(v_uid, p_depth, p_keyword);
  v_uids bigint[];
  v_next_cursor text;
begin
  perform app.check_page(1, p_limit);
  if p_depth is null or p_depth not in ('direct', 'umbrella') then
    perform app.fail('invalid_argument', 'depth is direct or umbrella.');
  elsif p_sort is null or p_sort !~ '^-?(joined|nickname|agent_level|orders|members)$' then
    perform app.fail('invalid_argument', 'sort is joined, nickname, agent_level, orders or members, with a leading - for descending.');
  elsif p_depth = 'umbrella' and p_sort not in ('joined', '-joined') then
    perform app.fail('invalid_argument', 'With depth umbrella, sort is joined or -joined.');
  elsif char_length(p_keyword) not between 1 and 64 then
    perform app.fail('invalid_argument', 'keyword has between 1 and 64 characters.');
  end if;
  if v_named is not null then
    v_uids := array[v_named];
  elsif p_depth = 'direct' then
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.direct_people(v_uid, p_keyword, p_sort, p_cursor, p_limit) as p;
  else
    select p.uids, p.next_cursor into v_uids, v_next_cursor from app.umbrella_people(v_uid, p_keyword, p_sort, p_cursor, p_limit) as p;
  end if;
  return jsonb_build_object(
    'list', app.people_json(v_uids), 'next_cursor', v_next_cursor,
    'as_of', (select app.utc(a.as_of) from app.team_totals_as_of as a)
  );
end
$$;

comment on function api.get_team_people is
  'Returns one page of the caller''s direct members, or of all members below (p_depth umbrella), without their phones. p_keyword '
  'is a part of a nickname or a whole uid. Serves GET /api/spread/people.';

grant execute on function api.get_team_people(text, text, text, text, integer) to authenticated, store_admin;

-- sql/5_api/team/get_team_summary.sql
-- Security definer: the function has no parameter and reads only the member of the verified token, and sums of those below.
-- Raises: unauthenticated.
create or replace function api.get_team_summary()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(clock_timestamp());
begin
  return (
    select app.team_json(v_uid) || jsonb_build_object(
      'commission', jsonb_build_object(
        'today', app.commission_since(v_uid, v_today::timestamp at time zone s.time_zone)::text,
        'month', app.commission_since(v_uid, date_trunc('month', v_today::timestamp) at time zone s.time_zone)::text,
        'total', b.total_brokerage::text
      ),
      'next_level', app.next_level_json(u, b)
    )
    from app.settings as s, app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_team_summary is
  'Returns how many members and reported orders are below the caller, the caller''s commission of today, this month and in all, '
  'and what is missing for the next level. Serves GET /api/spread/summary.';

grant execute on function api.get_team_summary() to authenticated, store_admin;

-- sql/5_api/verification/get_agent_config_report.sql
-- Security definer: the check runs test orders through internal functions and rolls them back.
-- Raises: forbidden.
create or replace function api.get_agent_config_report()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    select jsonb_build_object(
      'ok', bool_and(v.severity <> 'error'), 'list', jsonb_agg(to_jsonb(v)), 'count', count(*)
    )
    from app.verify_agent_config() as v
  );
end
$$;

comment on function api.get_agent_config_report is
  'Runs the configuration check (app.verify_agent_config) and returns its findings; ok is false if one of them is an error. '
  'Serves GET /adminapi/hjf/verify_agent_config.';

grant execute on function api.get_agent_config_report() to store_admin;

-- sql/5_api/verification/report_function_settings.sql
-- Security definer: client roles have no write privilege on function_settings.
-- Locks: the one row of function_settings.
-- Raises: invalid_argument.
-- Idempotent: a repeated report changes nothing until an hour has passed.
create or replace function api.report_function_settings(p_project_url text, p_functions_url text, p_variables jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_project_url is null or p_functions_url is null or jsonb_typeof(p_variables) is distinct from 'array' then
    perform app.fail('invalid_argument', 'The addresses and the names of the variables are required.');
  end if;
  insert into app.function_settings as f (project_url, functions_url, variables, reported_at)
  values (
    p_project_url, p_functions_url,
    array(select v.name #>> '{}' from jsonb_array_elements(p_variables) as v (name) where jsonb_typeof(v.name) = 'string'), clock_timestamp()
  )
  on conflict (id) do update
    set project_url = excluded.project_url, functions_url = excluded.functions_url, variables = excluded.variables,
      reported_at = excluded.reported_at
    where (f.project_url, f.functions_url, f.variables) is distinct from (excluded.project_url, excluded.functions_url, excluded.variables)
      or f.reported_at < excluded.reported_at - interval '1 hour';
  return jsonb_build_object('kept', found);
end
$$;

comment on function api.report_function_settings is
  'Stores what the edge functions know about their environment, for the configuration check: addresses, and names of variables, '
  'never their values. The edge function api calls it when it starts.';

grant execute on function api.report_function_settings(text, text, jsonb) to service_role;

-- sql/5_api/wechat/close_wechat_sign_in.sql
-- Security definer: no client role may write app.wechat_accounts.
-- Locks: the row of the WeChat user.
-- Idempotent: a sign-in that is not in progress any more returns null.
create or replace function api.close_wechat_sign_in(p_sign_in uuid, p_spread_uid bigint default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_auth_id uuid;
begin
  update app.wechat_accounts set sign_in_id = null, sign_in_until = null where sign_in_id = p_sign_in returning auth_id into v_auth_id;
  return (
    select jsonb_build_object('uid', u.uid, 'spread_bound', coalesce(u.spread_uid = p_spread_uid, false))
    from app.users as u where u.auth_id = v_auth_id
  );
end
$$;

comment on function api.close_wechat_sign_in is
  'Ends a sign-in of a WeChat user, so that the next one can begin. Returns the uid of the member, and whether p_spread_uid is the '
  'member''s referrer. Serves POST /api/auth/wechat, as its last step.';

grant execute on function api.close_wechat_sign_in(uuid, bigint) to service_role;

-- sql/5_api/wechat/get_shipping_notice.sql
-- Security definer: no client role may read app.wechat_accounts and app.payment_payers.
-- Raises: order_not_found.
create or replace function api.get_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_notice jsonb;
begin
  select jsonb_build_object(
    'transaction_id', o.pay_ref, 'openid', p.openid, 'appid', (app.payer_of_order(o.id, p.openid)).appid, 'carrier', o.carrier,
    'tracking_no', o.tracking_no, 'contact', regexp_replace(o.address ->> 'phone', '^.*?(\d{3})[ -]?\d+[ -]?(\d{4})$', '\1****\2'),
    'item_desc', (select left(string_agg(l.title || ' x' || l.quantity, '; ' order by l.id), 120) from app.order_lines as l where l.order_id = o.id)
  )
  into v_notice
  from app.orders as o
  join app.payment_attempts as a on a.order_id = o.id and a.provider = o.pay_type and a.pay_ref = o.pay_ref
  join app.payment_payers as p on p.attempt_id = a.id
  where o.id = p_order_id and o.delivered_at is not null;
  if not found then
    perform app.fail('order_not_found', 'This order was not paid inside WeChat, or has not left the store.');
  end if;
  return v_notice;
end
$$;

comment on function api.get_shipping_notice is
  'Returns the data of an order that are sent to WeChat when it is shipped. The phone number is masked.';

grant execute on function api.get_shipping_notice(bigint) to service_role;

-- sql/5_api/wechat/open_wechat_sign_in.sql
-- Security definer: no client role may read or write app.wechat_accounts.
-- Locks: the row of the WeChat user.
-- Raises: invalid_argument.
-- Idempotent: while a sign-in is in progress, other calls return null.
create or replace function api.open_wechat_sign_in(p_appid text, p_openid text, p_unionid text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_account app.wechat_accounts;
begin
  insert into app.wechat_accounts as a (appid, openid, unionid, sign_in_id, sign_in_until)
  values (p_appid, p_openid, p_unionid, gen_random_uuid(), v_now + interval '20 seconds')
  on conflict (appid, openid) do update
  set unionid = coalesce(excluded.unionid, a.unionid), sign_in_id = excluded.sign_in_id, sign_in_until = excluded.sign_in_until
  where a.sign_in_until is null or a.sign_in_until <= v_now
  returning a.* into v_account;
  if not found then
    return null;
  end if;
  return (
    select jsonb_build_object(
      'sign_in', v_account.sign_in_id, 'auth_id', v_account.auth_id, 'email', coalesce(u.email, v_account.email), 'is_registered', u.id is not null
    )
    from (values (v_account.auth_id)) as a (auth_id) left join auth.users as u on u.id = a.auth_id
  );
exception when integrity_constraint_violation or data_exception then
  perform app.fail('invalid_argument', 'A WeChat id is missing or too long.');
end
$$;

comment on function api.open_wechat_sign_in is
  'Begins a sign-in of a WeChat user: returns its id, id and email address of the Auth account, and whether the account exists. '
  'Returns null while another sign-in of the user is in progress, for at most 20 seconds. First step of POST /api/auth/wechat.';

grant execute on function api.open_wechat_sign_in(text, text, text) to service_role;

-- sql/5_api/wechat/record_shipping_notice.sql
-- Security definer: client roles have no write privilege on the outbox.
-- Idempotent: a recorded notice is gone from the outbox.
create or replace function api.record_shipping_notice(p_order_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.finish_outbox('upload_shipping', p_order_id::text);
  return jsonb_build_object();
end
$$;

comment on function api.record_shipping_notice is
  'Records that WeChat knows the shipment of an order, or does not need to know it.';

grant execute on function api.record_shipping_notice(bigint) to service_role;

-- sql/5_api/wechat/set_phone.sql
-- Security definer: no client role may write app.users.
-- Locks: the member; see claim_member.
-- Raises: user_not_found, invalid_argument.
-- Idempotent: a repeated call leaves the same number.
create or replace function api.set_phone(p_uid bigint, p_phone text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint;
begin
  v_uid := coalesce(app.claim_member((select u.auth_id from app.users as u where u.uid = p_uid), p_phone), p_uid);
  update app.users set phone = p_phone where uid = v_uid and auth_id is not null;
  if not found then
    perform app.fail('user_not_found');
  end if;
  return jsonb_build_object('uid', v_uid, 'phone', p_phone);
exception when check_violation or data_exception then
  perform app.fail('invalid_argument', 'A phone number has at most 32 characters.');
end
$$;

comment on function api.set_phone is
  'Stores the phone number that WeChat has confirmed for a member, with country code and without "+", as the Auth server stores '
  'numbers. If the number is that of an imported member whom nobody has claimed, the account gets that member, whose uid is returned. '
  'Last step of POST /api/user/phone.';

grant execute on function api.set_phone(bigint, text) to service_role;

-- sql/5_api/withdrawals/admin_get_withdrawal.sql
-- Security definer: client roles cannot read payout_accounts.
-- Raises: forbidden, withdrawal_not_found.
create or replace function api.admin_get_withdrawal(p_id bigint)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_withdrawal app.withdrawals;
begin
  perform app.require_admin();
  select w.* into v_withdrawal from app.withdrawals as w where w.id = p_id;
  if not found then
    perform app.fail('withdrawal_not_found');
  end if;
  return app.admin_withdrawal_json(v_withdrawal) || jsonb_build_object(
    'withdrawable', app.withdrawable(v_withdrawal.uid, clock_timestamp())::text,
    'batch_no', (select b.batch_no from app.withdrawal_batches as b where b.id = v_withdrawal.batch_id),
    'payee', (
      select jsonb_build_object('holder', a.holder, 'account_no', a.account_no, 'bank', a.bank)
      from app.payout_accounts as a where a.id = v_withdrawal.account_id and app.may_change('money')
    )
  );
end
$$;

comment on function api.admin_get_withdrawal is
  'Returns a withdrawal with what the member can still withdraw, and, for administrators with the area money only, the whole account. '
  'Serves GET /adminapi/withdrawal/{id}.';

grant execute on function api.admin_get_withdrawal(bigint) to store_admin;

-- sql/5_api/withdrawals/admin_get_withdrawals.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.admin_get_withdrawals(
  p_state text default null, p_method text default null, p_uid bigint default null, p_batch_id bigint default null,
  p_from timestamptz default null, p_to timestamptz default null,
  p_page integer default 1, p_limit integer default 20, p_cursor text default null
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_position record;
  -- Contains only the conditions that are given, so that the planner can use the index of each.
  v_matching constant text := 'from app.withdrawals as w where true'
    || case when p_method is not null then ' and w.method = $2' else '' end
    || case when p_uid is not null then ' and w.uid = $3' else '' end
    || case when p_batch_id is not null then ' and w.batch_id = $4' else '' end
    || case when p_from is not null then ' and w.add_time >= $5' else '' end
    || case when p_to is not null then ' and w.add_time < $6' else '' end;
  v_list jsonb;
  v_next text;
  v_states jsonb;
begin
  perform app.require_admin();
  v_position := app.list_position(p_page, p_limit, p_cursor);
  execute format($sql$
    select
      coalesce(jsonb_agg(app.admin_withdrawal_json(l) order by l.id desc), '[]'),
      case when count(*) = $9 then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end
    from (
      select w.* %s %s and w.id < $7 order by w.id desc offset $8 limit $9
    ) as l
  $sql$, v_matching, case when p_state is not null then 'and w.state = $1' end)
  into v_list, v_next
  using p_state, p_method, p_uid, p_batch_id, p_from, p_to, v_position.id, v_position.skip, p_limit;
  execute format($sql$
    select jsonb_object_agg(s.name, coalesce(c.count, 0))
    from unnest('{requested, approved, paying, paid, refused, failed}'::text[]) as s (name)
    left join (select w.state, count(*) %s group by w.state) as c on c.state = s.name
  $sql$, v_matching)
  into v_states
  using p_state, p_method, p_uid, p_batch_id, p_from, p_to;
  return jsonb_build_object(
    'list', v_list, 'next_cursor', v_next, 'states', v_states,
    'count', (select coalesce(sum(s.value::bigint), 0) from jsonb_each(v_states) as s where p_state is null or s.key = p_state)
  );
end
$$;

comment on function api.admin_get_withdrawals is
  'Returns one page of all withdrawals, newest first, filtered by state, method, member, batch and time, and how many are in each state. Pages '
  'are numbered or follow a cursor. Account numbers are masked. Serves GET /adminapi/withdrawal.';

grant execute on function api.admin_get_withdrawals(text, text, bigint, bigint, timestamptz, timestamptz, integer, integer, text) to store_admin;

-- sql/5_api/withdrawals/approve_withdrawal.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal.
-- Raises: forbidden, own_account, withdrawal_not_found, account_not_found, withdrawal_state_conflict.
-- Idempotent: an approved withdrawal stays as it is.
create or replace function api.approve_withdrawal(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.approve_withdrawal(v_before, null);
  perform app.record_withdrawal_action('approve_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.approve_withdrawal is
  'Approves a requested withdrawal and returns it. Serves PUT /adminapi/withdrawal/{id}/approve.';

grant execute on function api.approve_withdrawal(bigint) to store_admin;

-- sql/5_api/withdrawals/approve_withdrawals.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, own_account, invalid_argument, withdrawal_not_found, account_not_found, withdrawal_state_conflict.
-- Idempotent: approved withdrawals stay as they are.
create or replace function api.approve_withdrawals(p_ids jsonb)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_list jsonb := '[]'::jsonb;
begin
  perform app.require_admin('money');
  for v_before in select l.* from app.lock_withdrawals(app.ids_of(p_ids)) as l loop
    perform app.record_withdrawal_action('approve_withdrawals', v_before, app.approve_withdrawal(v_before, null));
    v_list := v_list || to_jsonb(v_before.id);
  end loop;
  return jsonb_build_object('ids', v_list);
end
$$;

comment on function api.approve_withdrawals is
  'Approves several requested withdrawals, all or none, and returns their ids. Serves PUT /adminapi/withdrawal/approve.';

grant execute on function api.approve_withdrawals(jsonb) to store_admin;

-- sql/5_api/withdrawals/create_account.sql
-- Security definer: client roles have no write privilege on payout_accounts.
-- Locks: balances of the caller.
-- Raises: unauthenticated, invalid_argument, too_many_accounts.
-- Idempotent: the same account again returns the existing one.
create or replace function api.create_account(p_method text, p_holder text, p_account_no text, p_bank text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.payout_account_json(app.add_payout_account(app.require_uid(), p_method, p_holder, p_account_no, p_bank, null));
end
$$;

comment on function api.create_account is
  'Adds an account at a bank or at Alipay to which the caller can withdraw, and returns it with its number masked. Serves POST /api/account.';

grant execute on function api.create_account(text, text, text, text) to authenticated, store_admin;

-- sql/5_api/withdrawals/create_withdrawal.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: balances of the caller.
-- Raises: unauthenticated and what app.request_withdrawal raises.
-- Not idempotent: but while the request is open, another one raises withdrawal_open.
create or replace function api.create_withdrawal(p_amount numeric, p_method text, p_account_id bigint default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  return app.withdrawal_json(app.request_withdrawal(app.require_uid(), p_amount, p_method, p_account_id, null));
end
$$;

comment on function api.create_withdrawal is
  'Requests the withdrawal of matured commission of the caller and returns it. The amount leaves the balance at once. Serves POST '
  '/api/withdrawal.';

grant execute on function api.create_withdrawal(numeric, text, bigint) to authenticated, store_admin;

-- sql/5_api/withdrawals/create_withdrawal_batch.sql
-- Security definer: client roles have no write privilege on withdrawals and batches.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, own_account, invalid_argument, withdrawal_not_found, withdrawal_state_conflict.
-- Not idempotent: but each withdrawal is in at most one batch. A request whose answer was lost has made its batch, or none.
create or replace function api.create_withdrawal_batch(p_method text, p_ids jsonb default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_ids bigint[];
  v_batch app.withdrawal_batches;
begin
  perform app.require_admin('money');
  if p_ids is not null then
    v_ids := app.ids_of(p_ids);
    perform from app.lock_withdrawals(v_ids);
  end if;
  v_batch := app.create_withdrawal_batch(p_method, v_ids, app.current_uid(), auth.uid(), null);
  perform app.record_action(
    'create_withdrawal_batch', 'withdrawal_batch', v_batch.id::text, null,
    jsonb_build_object('batch_no', v_batch.batch_no, 'method', v_batch.method, 'withdrawals', v_batch.withdrawals, 'amount', v_batch.amount)
  );
  return app.withdrawal_batch_json(v_batch);
end
$$;

comment on function api.create_withdrawal_batch is
  'Puts approved withdrawals of a method into a batch for a bank or for Alipay, those named or all, and returns it. From then on they are '
  'paying. Leaves out the administrator''s own. Serves POST /adminapi/withdrawal/batch.';

grant execute on function api.create_withdrawal_batch(text, jsonb) to store_admin;

-- sql/5_api/withdrawals/delete_account.sql
-- Security definer: client roles have no write privilege on payout_accounts.
-- Locks: balances of the caller.
-- Raises: unauthenticated, account_not_found (also for an account of another member), account_in_use.
-- Idempotent in effect: a second call raises account_not_found and changes nothing.
create or replace function api.delete_account(p_id bigint)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.delete_payout_account(app.require_uid(), p_id, null);
  return jsonb_build_object('id', p_id);
end
$$;

comment on function api.delete_account is
  'Deletes an account to which the caller withdraws, unless an open withdrawal goes to it. Serves DELETE /api/account/{id}.';

grant execute on function api.delete_account(bigint) to authenticated, store_admin;

-- sql/5_api/withdrawals/get_accounts.sql
-- Security definer: the function has no parameter and reads only the member of the verified token. No client role may read the
-- table.
-- Raises: unauthenticated.
create or replace function api.get_accounts()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select coalesce(jsonb_agg(app.payout_account_json(a) order by a.id desc), '[]')
    from app.payout_accounts as a where a.uid = v_uid and a.deleted_at is null
  );
end
$$;

comment on function api.get_accounts is
  'Returns the accounts to which the caller withdraws, newest first, their numbers masked. Serves GET /api/account.';

grant execute on function api.get_accounts() to authenticated, store_admin;

-- sql/5_api/withdrawals/get_debts.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_debts(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  return (
    with debts as materialized (
      select d.uid, d.brokerage_price, d.maturing, d.maturing - d.brokerage_price as debt from app.debts(clock_timestamp()) as d
    )
    select jsonb_build_object(
      'list', coalesce((
        select jsonb_agg(jsonb_build_object(
          'uid', l.uid, 'nickname', (select u.nickname from app.users as u where u.uid = l.uid), 'brokerage_price', l.brokerage_price::text,
          'maturing', l.maturing::text, 'debt', l.debt::text,
          'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = l.uid and w.state in ('requested', 'approved', 'paying'))
        ) order by l.debt desc, l.uid)
        from (select d.* from debts as d order by d.debt desc, d.uid offset v_skip limit p_limit) as l
      ), '[]'),
      'count', (select count(*) from debts),
      'total', (select coalesce(sum(d.debt), 0.00)::text from debts as d)
    )
  );
end
$$;

comment on function api.get_debts is
  'Returns one page of the members who were paid more commission than refunds left them, the largest debt first, and the sum of all debts. Serves '
  'GET /adminapi/debt.';

grant execute on function api.get_debts(integer, integer) to store_admin;

-- sql/5_api/withdrawals/get_withdrawal_batch_rows.sql
-- Security definer: client roles cannot read payout_accounts.
-- A batch and its accounts do not change, so pages that are read one after the other belong together. The account of a member who was
-- deleted since is empty.
-- Raises: forbidden, withdrawal_not_found, invalid_argument.
create or replace function api.get_withdrawal_batch_rows(p_id bigint, p_after bigint default 0, p_limit integer default 1000)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
begin
  perform app.require_admin('money');
  if p_limit is null or p_limit not between 1 and 1000 then
    perform app.fail('invalid_argument', 'limit is between 1 and 1000.');
  end if;
  v_batch := app.require_withdrawal_batch(p_id);
  return (
    select jsonb_build_object(
      'batch_no', v_batch.batch_no,
      'lines', coalesce(jsonb_agg(jsonb_build_object(
        'withdrawal_no', l.withdrawal_no, 'holder', a.holder, 'account_no', a.account_no, 'bank', a.bank, 'amount', (l.amount - l.fee)::text
      ) order by l.id), '[]'),
      'next_cursor', case when count(*) = p_limit then max(l.id)::text end
    )
    from (
      select w.* from app.withdrawals as w where w.batch_id = p_id and w.id > coalesce(p_after, 0) order by w.id limit p_limit
    ) as l
    left join app.payout_accounts as a on a.id = l.account_id
  );
end
$$;

comment on function api.get_withdrawal_batch_rows is
  'Returns rows of the file of a batch, by withdrawal, with whole account numbers: those after withdrawal p_after, and in next_cursor the '
  'last of them if there can be more. Serves GET /adminapi/withdrawal/batch/{id}.';

grant execute on function api.get_withdrawal_batch_rows(bigint, bigint, integer) to store_admin;

-- sql/5_api/withdrawals/get_withdrawal_batches.sql
-- Raises: forbidden, invalid_argument.
create or replace function api.get_withdrawal_batches(p_page integer default 1, p_limit integer default 20)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_skip bigint;
begin
  perform app.require_admin();
  v_skip := app.check_page(p_page, p_limit);
  return jsonb_build_object(
    'list', coalesce((
      select jsonb_agg(app.withdrawal_batch_json(l) order by l.id desc)
      from (select b.* from app.withdrawal_batches as b order by b.id desc offset v_skip limit p_limit) as l
    ), '[]'),
    'count', (select count(*) from app.withdrawal_batches)
  );
end
$$;

comment on function api.get_withdrawal_batches is
  'Returns one page of the batches, newest first, with how many of their withdrawals ended how. Serves GET /adminapi/withdrawal/batch.';

grant execute on function api.get_withdrawal_batches(integer, integer) to store_admin;

-- sql/5_api/withdrawals/get_withdrawal_terms.sql
-- Security definer: the function has no parameter that names a member, and reads only the member of the verified token.
-- Raises: unauthenticated.
create or replace function api.get_withdrawal_terms(p_amount numeric default null)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
begin
  return (
    select jsonb_build_object(
      'methods', to_jsonb(s.withdrawal_methods), 'minimum', s.withdrawal_minimum::text, 'maximum', s.withdrawal_maximum::text,
      'fee_rate', trim_scale(s.withdrawal_fee_rate), 'withdrawable', app.withdrawable(v_uid, clock_timestamp())::text,
      'open_withdrawal_id', (select w.id from app.withdrawals as w where w.uid = v_uid and w.state in ('requested', 'approved', 'paying')),
      'fee', app.withdrawal_fee(p_amount, s.withdrawal_fee_rate)::text,
      'net_amount', (p_amount - app.withdrawal_fee(p_amount, s.withdrawal_fee_rate))::text
    )
    from app.settings as s
  );
end
$$;

comment on function api.get_withdrawal_terms is
  'Returns what the caller needs to know before a withdrawal: ways, limits, fee rate, what can be withdrawn now, the open withdrawal, '
  'and the fee of p_amount. Serves GET /api/withdrawal/terms.';

grant execute on function api.get_withdrawal_terms(numeric) to authenticated, store_admin;

-- sql/5_api/withdrawals/get_withdrawals.sql
-- Raises: unauthenticated, invalid_argument.
create or replace function api.get_withdrawals(p_page integer default 1, p_limit integer default 20, p_cursor text default null)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_position record := app.list_position(p_page, p_limit, p_cursor);
begin
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(app.withdrawal_json(l) order by l.id desc), '[]'),
      'next_cursor', case when count(*) = p_limit then (array_agg(app.make_cursor(l.add_time, l.id) order by l.id))[1] end,
      'count', (select count(*) from app.withdrawals as c where c.uid = v_uid)
    )
    from (
      select w.* from app.withdrawals as w
      where w.uid = v_uid and w.id < v_position.id
      order by w.id desc offset v_position.skip limit p_limit
    ) as l
  );
end
$$;

comment on function api.get_withdrawals is
  'Returns one page of the caller''s withdrawals, newest first. Pages are numbered or follow a cursor. Serves GET /api/withdrawal.';

grant execute on function api.get_withdrawals(integer, integer, text) to authenticated, store_admin;

-- sql/5_api/withdrawals/mark_withdrawal_batch_paid.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawals, by id.
-- Raises: forbidden, withdrawal_not_found, invalid_argument.
-- Idempotent: withdrawals that have ended stay as they are.
create or replace function api.mark_withdrawal_batch_paid(p_id bigint, p_payment_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_batch app.withdrawal_batches;
  v_before jsonb;
  v_after jsonb;
begin
  perform app.require_admin('money');
  v_batch := app.require_withdrawal_batch(p_id);
  v_before := app.withdrawal_batch_json(v_batch);
  perform app.end_withdrawal_batch(p_id, app.current_uid(), p_payment_ref, null);
  v_after := app.withdrawal_batch_json(v_batch);
  perform app.record_action('mark_withdrawal_batch_paid', 'withdrawal_batch', p_id::text, v_before, v_after, array['paying', 'paid', 'failed']);
  return v_after;
end
$$;

comment on function api.mark_withdrawal_batch_paid is
  'Records that all withdrawals of a batch were paid that are still paying, but not the administrator''s own, and returns the batch. Those that '
  'failed are marked before. Serves PUT /adminapi/withdrawal/batch/{id}/paid.';

grant execute on function api.mark_withdrawal_batch_paid(bigint, text) to store_admin;

-- sql/5_api/withdrawals/mark_withdrawal_failed.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal, then the balances of its member.
-- Raises: forbidden, own_account, withdrawal_not_found, invalid_argument, withdrawal_state_conflict.
-- Idempotent: a failed withdrawal stays as it is.
create or replace function api.mark_withdrawal_failed(p_id bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.end_withdrawal(p_id, 'failed', p_reason, null, null);
  perform app.record_withdrawal_action('mark_withdrawal_failed', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_failed is
  'Records that the payment of an approved withdrawal failed, with a reason that the member sees, returns the amount to the balance, and '
  'returns the withdrawal. Serves PUT /adminapi/withdrawal/{id}/failed.';

grant execute on function api.mark_withdrawal_failed(bigint, text) to store_admin;

-- sql/5_api/withdrawals/mark_withdrawal_paid.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal.
-- Raises: forbidden, own_account, withdrawal_not_found, invalid_argument, withdrawal_state_conflict.
-- Idempotent: a paid withdrawal stays as it is.
create or replace function api.mark_withdrawal_paid(p_id bigint, p_payment_ref text default null)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.end_withdrawal(p_id, 'paid', null, p_payment_ref, null);
  perform app.record_withdrawal_action('mark_withdrawal_paid', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.mark_withdrawal_paid is
  'Records that an approved withdrawal was paid, with the reference of the payment, and returns it. Serves PUT /adminapi/withdrawal/{id}/paid.';

grant execute on function api.mark_withdrawal_paid(bigint, text) to store_admin;

-- sql/5_api/withdrawals/refuse_withdrawal.sql
-- Security definer: client roles have no write privilege on withdrawals.
-- Locks: the withdrawal, then the balances of its member.
-- Raises: forbidden, own_account, withdrawal_not_found, invalid_argument, withdrawal_state_conflict.
-- Idempotent: a refused withdrawal stays as it is.
create or replace function api.refuse_withdrawal(p_id bigint, p_reason text)
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.withdrawals;
  v_after app.withdrawals;
begin
  perform app.require_admin('money');
  select l.* into v_before from app.lock_withdrawals(array[p_id]) as l;
  v_after := app.end_withdrawal(p_id, 'refused', p_reason, null, null);
  perform app.record_withdrawal_action('refuse_withdrawal', v_before, v_after);
  return app.admin_withdrawal_json(v_after);
end
$$;

comment on function api.refuse_withdrawal is
  'Refuses a withdrawal that no bank was told to pay, with a reason that the member sees, returns the amount to the balance, and returns the '
  'withdrawal. Serves PUT /adminapi/withdrawal/{id}/refuse.';

grant execute on function api.refuse_withdrawal(bigint, text) to store_admin;

-- sql/6_initial_state/defaults.sql
-- Settings, levels and plan of a new store, which administrators can change. Idempotent.
insert into app.settings (id) values (true) on conflict do nothing;

insert into app.article_pool_guard (id) values (true) on conflict do nothing;

insert into app.team_totals_as_of (id) values (true) on conflict do nothing;

insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points) values
  (0, 'Member', '普通会员', 0, 0),
  (1, 'Maker', '创客', 500, 0),
  (2, 'Cloud store', '云店', 800, 300),
  (3, 'Service provider', '服务商', 1000, 500),
  (4, 'Branch', '分公司', 1300, 800)
on conflict do nothing;

insert into app.agent_level_tasks (grade, type, target) values
  (1, 'direct_orders', 3),
  (2, 'umbrella_orders', 30), (2, 'direct_members', 3),
  (3, 'umbrella_orders', 100), (3, 'direct_members', 3),
  (4, 'umbrella_orders', 1000), (4, 'direct_members', 3)
on conflict do nothing;

insert into app.commission_plans (people_per_cycle, tier_ratios, brokerage_scope, brokerage_timing)
select 3, array[0.2, 0.3, 0.5], 'direct', 'on_pay'
where not exists (select from app.commission_plans);

insert into app.level_versions (levels)
select app.levels_json() where not exists (select from app.level_versions);

select app.create_month_partition(t.name, m.month::date)
from unnest(array['user_bill', 'points_release_log']) as t (name)
cross join generate_series(date_trunc('month', current_date::timestamp), current_date + interval '2 months', interval '1 month') as m (month);

-- Tables that no subject owns: settings, idempotency keys, the action log, the outbox,
-- settings of the edge functions, runs of imports and reconciliations, the manifest, and what scheduled checks found last.

create sequence app.positions;
comment on sequence app.positions is
  'The order of all decisions about money, points and levels: settlements, refunds and changes of flags, grades and referrers '
  'take the next value while they hold their locks. Any past state can be restored from it.';

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

create table app.reconcile_runs (
  id bigint generated always as identity primary key,
  started_at timestamptz not null,
  finished_at timestamptz,
  findings integer not null default 0,
  sample jsonb not null default '[]',
  cuts integer not null default 0,
  check_no integer not null default 1,
  next_key bigint not null default 0,
  since timestamptz not null default '-infinity',
  carried_until timestamptz,
  constraint it_finishes_after_it_started check (finished_at >= started_at),
  constraint counts_are_not_negative check (findings >= 0 and cuts >= 0),
  constraint it_carries_only_if_nothing_was_found check (finished_at is null or carried_until is null or findings = 0),
  constraint it_carries_what_came_later check (carried_until > since),
  constraint a_sample_has_at_most_a_hundred_findings check (jsonb_array_length(sample) <= 100)
);
comment on table app.reconcile_runs is 'Results of app.reconcile(): the number of findings and the first hundred of them.';
comment on column app.reconcile_runs.finished_at is 'When all checks had run; null until then.';
comment on column app.reconcile_runs.cuts is 'Runs that were cut during this reconciliation, as the next run found (see app.job_runs).';
comment on column app.reconcile_runs.check_no is 'The check of app.reconcile_checks() that comes next.';
comment on column app.reconcile_runs.next_key is 'The member, order or day with which that check continues.';
comment on column app.reconcile_runs.since is
  'The end of the closed months that earlier runs had proved (app.carried_until). The run proves what has happened since then.';
comment on column app.reconcile_runs.carried_until is
  'The end of the closed months whose sums later runs carry, if this one finds nothing; null if no more months are closed.';

alter table app.reconcile_runs enable row level security;
create policy admins_read_reconcile_runs on app.reconcile_runs for select to store_admin, service_role using (true);
grant select on app.reconcile_runs to store_admin, service_role;

create table app.idempotency_keys (
  auth_id uuid not null,
  role text not null,
  key text not null,
  fingerprint bytea not null,
  response jsonb not null,
  areas text[] not null default '{}',
  created_at timestamptz not null,
  primary key (auth_id, role, key),
  constraint key_is_a_short_visible_text check (key ~ '^[!-~]{1,255}$')
);
comment on table app.idempotency_keys is
  'Responses to writes that were sent with an Idempotency-Key, by caller and key. Written in the transaction of the write and '
  'kept for a day, so that a client can repeat a request. No client role can read them.';
comment on column app.idempotency_keys.fingerprint is 'Hash of the function and its arguments.';
comment on column app.idempotency_keys.areas is 'What an administrator had to be allowed to change for the write (app.role_areas).';

create index idempotency_keys_created_at_idx on app.idempotency_keys (created_at);

alter table app.idempotency_keys enable row level security;

create sequence app.admin_actions_id_seq;

create table app.admin_actions (
  id bigint not null default nextval('app.admin_actions_id_seq'),
  actor uuid,
  machine_key bigint,
  function text not null,
  target_type text not null,
  target_id text,
  from_value jsonb,
  to_value jsonb,
  request_id text,
  add_time timestamptz not null,
  primary key (add_time, id),
  constraint function_is_a_name check (function ~ '^[a-z][a-z0-9_]{0,62}$'),
  constraint target_type_is_a_name check (target_type ~ '^[a-z][a-z0-9_]{0,31}$'),
  constraint ids_are_short check (greatest(char_length(target_id), char_length(request_id)) <= 255),
  constraint values_are_objects check (coalesce(jsonb_typeof(from_value), 'object') = 'object' and coalesce(jsonb_typeof(to_value), 'object') = 'object'),
  constraint something_was_there_or_is check (from_value is not null or to_value is not null)
) partition by range (add_time);

alter sequence app.admin_actions_id_seq owned by app.admin_actions.id;
comment on table app.admin_actions is
  'Append-only audit of administrative writes, partitioned by month, each written in the transaction of the change. Names, phones, addresses and '
  'other free text are recorded only as changed (app.record_action).';
comment on column app.admin_actions.actor is 'The Auth account; null: the owner of the database.';
comment on column app.admin_actions.machine_key is 'The machine key with which the account acted; null: the person did.';
comment on column app.admin_actions.from_value is 'Null if the target is new.';
comment on column app.admin_actions.to_value is 'Null if the target no longer exists.';

-- Takes rows of a month without a partition.
create table app.admin_actions_default partition of app.admin_actions default;

create index admin_actions_target_idx on app.admin_actions (target_type, target_id, add_time, id);
create index admin_actions_actor_idx on app.admin_actions (actor, add_time, id);
create index admin_actions_function_idx on app.admin_actions (function, add_time, id);

alter table app.admin_actions enable row level security;
alter table app.admin_actions_default enable row level security;
create policy admins_read_admin_actions on app.admin_actions for select to store_admin, service_role using (true);
grant select on app.admin_actions to store_admin, service_role;

create table app.dropped_actions (
  month date primary key,
  row_count bigint not null,
  digest text not null,
  dropped_at timestamptz not null,
  constraint month_is_its_first_day check (extract(day from month) = 1),
  constraint digest_is_a_number check (digest ~ '^-?[0-9a-f]{1,64}$')
);
comment on table app.dropped_actions is
  'Months of the action log, in UTC, that were exported and dropped (app.drop_actions). They are the oldest: the log begins where the last of them ends (app.actions_dropped_until).';
comment on column app.dropped_actions.digest is
  'What app.digest_of_actions returned. Of a month that was archived by a version before 1.1.0: the digest of that version, a number.';

alter table app.dropped_actions enable row level security;
create policy admins_read_dropped_actions on app.dropped_actions for select to store_admin, service_role using (true);
grant select on app.dropped_actions to store_admin, service_role;

create table app.outbox (
  id bigint generated always as identity primary key,
  kind text not null,
  lane text not null generated always as (case when kind in ('member_mail', 'member_wechat') then 'messages' else 'calls' end) stored,
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
comment on column app.outbox.lane is 'calls, or messages to members, which no call waits for.';
comment on column app.outbox.run_after is 'When the row is due. A lease moves it to the end of the lease.';
comment on column app.outbox.state is 'waiting, or failed if it is not tried again until an administrator retries it.';

create index outbox_due_idx on app.outbox (lane, run_after, id) where state = 'waiting';
create index outbox_failed_idx on app.outbox (id) where state = 'failed';

alter table app.outbox enable row level security;
create policy admins_read_outbox on app.outbox for select to store_admin, service_role using (true);
grant select on app.outbox to store_admin, service_role;

create table app.clock (
  id boolean primary key default true,
  trusted_at timestamptz not null,
  differs_by interval,
  constraint there_is_only_one_row check (id)
);
comment on table app.clock is
  'What is known about the clock of the database (docs/decisions/0066). At most one row: none before the first scheduled job runs.';
comment on column app.clock.trusted_at is
  'The latest time of this clock that is known to be right: the last heartbeat of the scheduler, or when a second clock agreed or the owner of '
  'the store confirmed it.';
comment on column app.clock.differs_by is
  'By how much this clock was ahead of a second clock that last disagreed; null since one has agreed.';

alter table app.clock enable row level security;
create policy admins_read_clock on app.clock for select to store_admin, service_role using (true);
grant select on app.clock to store_admin, service_role;

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
  finished_position bigint,
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
comment on column app.imports.finished_position is
  'Position in app.positions at which the import ended and members rose. Null while it is unfinished, and if it ended before such positions were stored.';

create unique index imports_one_is_unfinished on app.imports ((true)) where finished_at is null;

alter table app.imports enable row level security;
create policy admins_read_imports on app.imports for select to store_admin, service_role using (true);
grant select on app.imports to store_admin, service_role;

-- Filled by the migrations, which have it from the catalogue of a database that was built from sql/. The definitions read the same on every
-- supported version of Postgres. A kind of which they do not would need a column for the major version.
create table app.manifest (
  kind text not null,
  name text not null,
  definition text not null,
  primary key (kind, name)
);
comment on table app.manifest is
  'What the migrations created and what enforces the guarantees of the store: tables, columns, indexes, constraints, triggers, rules, policies, '
  'views, functions, roles and privileges, as app.catalogue returns them. app.manifest_differences compares it with the catalogue.';

alter table app.manifest enable row level security;
create policy admins_read_manifest on app.manifest for select to store_admin, service_role using (true);
grant select on app.manifest to store_admin, service_role;

create table app.manifest_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  differences integer not null,
  constraint there_is_only_one_row check (id),
  constraint differences_are_not_negative check (differences >= 0)
);
comment on table app.manifest_checks is
  'When the job check_manifest last compared the catalogue with the manifest, and how many differences it found. At most one row. '
  'The health reads it, because the comparison takes too long for a request that anybody may send.';

alter table app.manifest_checks enable row level security;
create policy admins_read_manifest_checks on app.manifest_checks for select to store_admin, service_role using (true);
grant select on app.manifest_checks to store_admin, service_role;

create table app.settings_checks (
  id boolean primary key default true,
  checked_at timestamptz not null,
  findings text[] not null,
  constraint there_is_only_one_row check (id)
);
comment on table app.settings_checks is
  'When the job check_settings last ran the configuration check, and what it found. At most one row. What waits for administrators reads it, because '
  'the check takes too long for a request of every minute.';
comment on column app.settings_checks.findings is 'Check and subject of each error and warning.';

alter table app.settings_checks enable row level security;
create policy admins_read_settings_checks on app.settings_checks for select to store_admin, service_role using (true);
grant select on app.settings_checks to store_admin, service_role;

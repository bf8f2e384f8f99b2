-- What administrators may call about schedule, settings, outbox and action log.

-- One branch runs: a condition on the type alone is checked once, before its table is read.
create or replace function app.action_subject_json(p_type text, p_id text)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with target as (select case when p_id ~ '^[0-9]{1,18}$' then p_id::bigint end as id, case when p_id ~ '^[0-9a-f-]{36}$' then p_id::uuid end as auth_id),
  subject as (
    select null as name, null as name_zh, t.id as uid, null::numeric as amount from target as t where p_type = 'member'
    union all
    select o.order_no, null, o.uid, o.pay_price from target as t join app.orders as o on o.id = t.id where p_type = 'order'
    union all
    select w.withdrawal_no, null, w.uid, w.amount from target as t join app.withdrawals as w on w.id = t.id where p_type = 'withdrawal'
    union all
    select b.batch_no, null, null, b.amount from target as t join app.withdrawal_batches as b on b.id = t.id where p_type = 'withdrawal_batch'
    union all
    select null, null, a.uid, null from target as t join app.adjustments as a on a.id = t.id where p_type = 'adjustment'
    union all
    select null, null, r.uid, null from target as t join app.person_requests as r on r.id = t.id where p_type = 'person_request'
    union all
    select p.title, null, null, null from target as t join app.products as p on p.id = t.id where p_type = 'product'
    union all
    select a.title, null, null, null from target as t join app.articles as a on a.id = t.id where p_type = 'article'
    union all
    select c.title, null, null, null from target as t join app.product_categories as c on c.id = t.id where p_type = 'product_category'
    union all
    select c.title, null, null, null from target as t join app.article_categories as c on c.id = t.id where p_type = 'article_category'
    union all
    select j.title, j.title_zh, null, null from app.scheduled_jobs as j where p_type = 'crontab' and j.name = p_id
    union all
    select c.name, c.name_zh, null, null from app.carriers as c where p_type = 'carrier' and c.code = p_id
    union all
    select app.actor_json(t.auth_id) ->> 'nickname', null, null, null from target as t where p_type = 'administrator'
    union all
    select app.key_name_json(t.id) ->> 'name', null, null, null from target as t where p_type = 'machine_key'
    union all
    select app.webhook_name(t.id), null, null, null from target as t where p_type = 'webhook'
  )
  select jsonb_build_object(
    'name', coalesce(s.name, case when p_type not in ('member', 'settings') then p_id end), 'name_zh', s.name_zh, 'uid', s.uid,
    'nickname', u.nickname, 'amount', s.amount::text
  )
  from (select) as one left join subject as s on true left join app.users as u on u.uid = s.uid
$$;

comment on function app.action_subject_json is
  'Returns what the target of an action is called now, {name, name_zh, uid, nickname, amount}: its number or title, for a scheduled job or a carrier in Chinese, too, '
  'the member whose it is, and the amount. What is not known, or no longer there, is null; the name is then the id.';

grant execute on function app.action_subject_json(text, text) to store_admin;

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
  v_dropped timestamptz;
  v_result jsonb;
begin
  perform app.require_admin();
  v_dropped := app.reach_actions(p_from);
  v_position := app.list_position(p_page, p_limit, p_cursor);
  -- A plan for the filters of the call.
  execute $sql$
    with matching as not materialized (
      select a.* from app.admin_actions as a
      where ($1 is null or a.function = $1) and ($2 is null or a.target_type = $2) and ($3 is null or a.target_id = $3)
        and ($4 is null or a.actor = $4) and ($5 is null or a.add_time >= $5) and ($6 is null or a.add_time < $6)
    )
    select app.log_json(
      jsonb_agg(jsonb_build_object(
        'id', l.id, 'actor', app.actor_json(l.actor), 'machine_key', app.key_name_json(l.machine_key), 'function', l.function, 'target_type', l.target_type, 'target_id', l.target_id,
        'subject', app.action_subject_json(l.target_type, l.target_id),
        'from', l.from_value, 'to', l.to_value, 'actor_earned', app.actor_earned_json(l.actor, l.target_type, l.target_id),
        'request_id', l.request_id, 'add_time', app.utc(l.add_time)
      ) order by l.add_time desc, l.id desc), (select count(*) from matching),
      array_agg(app.make_cursor(l.add_time, l.id) order by l.add_time desc, l.id desc), $10
    )
    from (
      select m.* from matching as m where (m.add_time, m.id) < ($7, $8) order by m.add_time desc, m.id desc offset $9 limit $10
    ) as l
  $sql$
  into v_result
  using p_function, p_target_type, p_target_id, p_actor, p_from, p_to, v_position.add_time, v_position.id, v_position.skip, p_limit;
  return v_result || jsonb_build_object('dropped_until', app.utc(nullif(v_dropped, '-infinity')));
end
$$;

comment on function api.get_actions is
  'Returns one page of what administrators did, newest first, filtered by function, target, administrator and time, and dropped_until, before which actions were exported and dropped. '
  'Pages are numbered or follow a cursor. Serves GET /adminapi/action.';

grant execute on function api.get_actions(text, text, text, uuid, timestamptz, timestamptz, integer, integer, text) to store_admin;

create or replace function api.get_outbox(
  p_state text default null, p_page integer default 1, p_limit integer default 20
)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  return (
    with matching as not materialized (select o.* from app.outbox as o where p_state is null or o.state = p_state)
    select app.list_json(jsonb_agg(app.outbox_json(l) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset app.check_page(p_page, p_limit) limit p_limit) as l
  );
end
$$;

comment on function api.get_outbox is
  'Returns one page of the calls to providers that are still to be made, newest first, filtered by state. Serves GET '
  '/adminapi/outbox.';

grant execute on function api.get_outbox(text, integer, integer) to store_admin;

-- Not idempotent: see app.lease_outbox.
create or replace function api.lease_outbox(p_limit integer default 10, p_lane text default 'calls')
returns jsonb
language plpgsql
volatile
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_limit is null or p_limit not between 1 and 100 then
    perform app.fail('invalid_argument', 'A worker takes between 1 and 100 rows at a time.');
  elsif p_lane is null or p_lane not in ('calls', 'messages') then
    perform app.fail('invalid_argument', 'The outbox has the lanes calls and messages.');
  end if;
  return (
    select coalesce(jsonb_agg(jsonb_build_object('id', o.id, 'kind', o.kind, 'key', o.key, 'payload', o.payload, 'attempt', o.attempts) order by o.id), '[]')
    from app.lease_outbox(p_limit, clock_timestamp(), p_lane) as o
  );
end
$$;

comment on function api.lease_outbox is
  'Takes up to p_limit due rows of a lane of the outbox and returns them, [{id, kind, key, payload, attempt}]. If the result of a row is '
  'not recorded within the lease, the row is due again. Serves POST /worker/run.';

grant execute on function api.lease_outbox(integer, text) to service_role;

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

-- Locks: the row of the outbox.
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
  perform app.reject_own_order((v_before.payload ->> 'order_id')::bigint);
  perform app.reject_own_member((select w.uid from app.withdrawals as w where w.id = (v_before.payload ->> 'withdrawal_id')::bigint));
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

-- Security definer: client roles may not read the tables of pg_cron.
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

-- Security definer: client roles may not schedule jobs.
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

-- Security definer: client roles may not schedule jobs.
-- Locks: the row of the job.
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

create or replace function app.settings_json(p_settings app.settings)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'time_zone', p_settings.time_zone, 'site_name', p_settings.site_name, 'h5_share_url', p_settings.h5_share_url,
    'max_unpaid_orders', p_settings.max_unpaid_orders, 'orders_per_hour', p_settings.orders_per_hour, 'cancellations_per_hour', p_settings.cancellations_per_hour,
    'keys_per_hour', p_settings.keys_per_hour, 'profile_changes_per_hour', p_settings.profile_changes_per_hour, 'posters_per_hour', p_settings.posters_per_hour,
    'poster_design', p_settings.poster_design,
    'payment_minutes', p_settings.payment_minutes, 'payment_query_minutes', to_jsonb(p_settings.payment_query_minutes), 'order_expiry_minutes', p_settings.order_expiry_minutes,
    'offline_payment', p_settings.offline_payment, 'offline_payment_days', p_settings.offline_payment_days, 'receipt_days', p_settings.receipt_days,
    'refund_window_days', p_settings.refund_window_days, 'settlement_slots', p_settings.settlement_slots,
    'night_sessions', p_settings.night_sessions,
    'points_rate', trim_scale(p_settings.points_rate), 'points_max_share', trim_scale(p_settings.points_max_share),
    'adjustment_limit_money', p_settings.adjustment_limit_money::text, 'adjustment_limit_points', trim_scale(p_settings.adjustment_limit_points),
    'offline_payment_limit', p_settings.offline_payment_limit::text, 'withdrawal_limit', p_settings.withdrawal_limit::text,
    'withdrawal_minimum', p_settings.withdrawal_minimum::text, 'withdrawal_maximum', p_settings.withdrawal_maximum::text,
    'withdrawal_fee_rate', trim_scale(p_settings.withdrawal_fee_rate), 'withdrawal_methods', to_jsonb(p_settings.withdrawal_methods),
    'transfer_minimum', p_settings.transfer_minimum::text, 'transfer_maximum', p_settings.transfer_maximum::text, 'transfer_name_from', p_settings.transfer_name_from::text,
    'logo', p_settings.logo, 'colour', p_settings.colour, 'avatar_origins', to_jsonb(p_settings.avatar_origins), 'return_address', p_settings.return_address,
    'contact_phone', p_settings.contact_phone, 'contact_wechat', p_settings.contact_wechat, 'contact_hours', p_settings.contact_hours,
    'refused_words', to_jsonb(p_settings.refused_words), 'second_factor_areas', to_jsonb(p_settings.second_factor_areas),
    'network_people', p_settings.network_people, 'network_depth', p_settings.network_depth, 'person_request_days', p_settings.person_request_days, 'assistants', p_settings.assistants, 'analyst_minutes', p_settings.analyst_minutes,
    'tax_method', p_settings.tax_method, 'tax_from', p_settings.tax_from,
    'real_name_from', p_settings.real_name_from::text, 'real_name_check', p_settings.real_name_check
  ) || jsonb_build_object(
    -- A function takes at most 100 arguments.
    'max_unpaid_units', p_settings.max_unpaid_units, 'max_unpaid_share', trim_scale(p_settings.max_unpaid_share), 'first_order_minutes', p_settings.first_order_minutes
  )
$$;

comment on function app.settings_json is 'Returns settings as the API shows them.';

grant execute on function app.settings_json(app.settings) to store_admin;

create or replace function api.get_settings()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin(null);
  return (select app.settings_json(s) || jsonb_build_object('updated_at', app.utc(s.updated_at)) from app.settings as s);
end
$$;

comment on function api.get_settings is 'Returns the settings of the store. Serves GET /adminapi/system/settings.';

grant execute on function api.get_settings() to store_admin;

create or replace function api.get_settings_history()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_presets jsonb;
begin
  perform app.require_admin();
  -- The defaults of the columns are those of a new store.
  execute (
    select format('select jsonb_build_object(%s)', string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attnum))
    from pg_attribute as a join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = 'app.settings'::regclass and not a.attisdropped
  ) into v_presets;
  return jsonb_build_object(
    'presets', app.settings_json(jsonb_populate_record(null::app.settings, v_presets)),
    'changes', (
      select coalesce(jsonb_object_agg(c.name, jsonb_build_object('at', app.utc(c.add_time), 'by', app.actor_json(c.actor))), '{}')
      from (
        select distinct on (k.name) k.name, l.add_time, l.actor
        from app.admin_actions as l cross join lateral jsonb_object_keys(l.to_value) as k (name)
        where l.function = 'set_settings'
        order by k.name, l.add_time desc, l.id desc
      ) as c
    )
  );
end
$$;

comment on function api.get_settings_history is
  'Returns the settings of a new store, and for each setting that an administrator has changed, when and by whom it was changed last, as far as its action '
  'was not dropped: {presets, changes}. Serves GET /adminapi/system/settings/history.';

grant execute on function api.get_settings_history() to store_admin;

-- Locks: the row of settings.
-- Idempotent: a repeated call leaves the same values.
create or replace function api.set_settings(
  p_time_zone text default null, p_site_name text default null, p_h5_share_url text default null, p_max_unpaid_orders integer default null,
  p_payment_minutes integer default null, p_payment_query_minutes jsonb default null, p_order_expiry_minutes integer default null, p_offline_payment boolean default null,
  p_offline_payment_days integer default null, p_receipt_days integer default null,
  p_logo text default null, p_colour text default null, p_points_rate numeric default null, p_points_max_share numeric default null,
  p_adjustment_limit_money numeric default null, p_adjustment_limit_points numeric default null,
  p_withdrawal_minimum numeric default null, p_withdrawal_maximum numeric default null, p_withdrawal_fee_rate numeric default null,
  p_withdrawal_methods jsonb default null,
  p_transfer_minimum numeric default null, p_transfer_maximum numeric default null, p_transfer_name_from numeric default null,
  p_refund_window_days integer default null, p_offline_payment_limit numeric default null, p_withdrawal_limit numeric default null,
  p_avatar_origins jsonb default null,
  p_orders_per_hour integer default null, p_cancellations_per_hour integer default null, p_keys_per_hour integer default null,
  p_profile_changes_per_hour integer default null, p_posters_per_hour integer default null, p_settlement_slots integer default null,
  p_return_address jsonb default null, p_contact_phone text default null, p_contact_wechat text default null, p_contact_hours text default null,
  p_poster_design text default null, p_refused_words jsonb default null, p_second_factor_areas jsonb default null,
  p_network_people integer default null, p_network_depth integer default null, p_tax_method text default null, p_tax_from text default null,
  p_person_request_days integer default null, p_night_sessions integer default null, p_real_name_from numeric default null,
  p_real_name_check text default null, p_assistants boolean default null, p_analyst_minutes integer default null,
  p_max_unpaid_units integer default null, p_max_unpaid_share numeric default null, p_first_order_minutes integer default null
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
  perform app.set_quotas(p_orders_per_hour, p_cancellations_per_hour, p_keys_per_hour, p_profile_changes_per_hour, p_posters_per_hour);
  perform app.set_order_times(
    p_payment_minutes, p_order_expiry_minutes, p_offline_payment, p_offline_payment_days, p_receipt_days, p_refund_window_days, p_payment_query_minutes
  );
  perform app.set_stock_limits(p_max_unpaid_units, p_max_unpaid_share, p_first_order_minutes);
  perform app.set_settlement_slots(p_settlement_slots);
  perform app.set_night_sessions(p_night_sessions, clock_timestamp());
  perform app.set_points_terms(p_points_rate, p_points_max_share);
  perform app.set_administrator_limits(p_adjustment_limit_money, p_adjustment_limit_points, p_offline_payment_limit, p_withdrawal_limit);
  perform app.set_withdrawal_terms(p_withdrawal_minimum, p_withdrawal_maximum, p_withdrawal_fee_rate, p_withdrawal_methods);
  perform app.set_avatar_origins(p_avatar_origins);
  perform app.set_refused_words(p_refused_words);
  perform app.set_return_address(p_return_address);
  perform app.set_poster_design(p_poster_design);
  perform app.set_contact(p_contact_phone, p_contact_wechat, p_contact_hours);
  perform app.set_transfer_limits(p_transfer_minimum, p_transfer_maximum, p_transfer_name_from);
  perform app.set_second_factor_areas(p_second_factor_areas);
  perform app.set_network_thresholds(p_network_people, p_network_depth);
  perform app.set_tax_terms(p_tax_method, p_tax_from);
  perform app.set_person_request_days(p_person_request_days);
  perform app.set_real_name_terms(p_real_name_from, p_real_name_check, clock_timestamp());
  update app.settings as s set assistants = p_assistants where p_assistants is not null;
  perform app.set_analyst_minutes(p_analyst_minutes);
  select s.* into v_after from app.settings as s;
  -- Who takes returns is a person with a phone number.
  perform app.record_action(
    'set_settings', 'settings', null, to_jsonb(v_before) - 'id', to_jsonb(v_after) - 'id',
    array(select k from jsonb_object_keys(to_jsonb(v_after)) as k where k <> 'return_address' order by k)
  );
  return api.get_settings();
end
$$;

comment on function api.set_settings is
  'Changes the given settings of the store and returns all of them; null leaves a setting as it is, an empty '
  'logo, contact, return address or first day of tax ("" or {}) removes it, a maximum of 0 removes the limit, and 0 as the amount of real names switches them off. Serves PUT /adminapi/system/settings.';

grant execute on function api.set_settings(
  text, text, text, integer, integer, jsonb, integer, boolean, integer, integer, text, text, numeric, numeric, numeric, numeric, numeric, numeric, numeric, jsonb,
  numeric, numeric, numeric, integer, numeric, numeric, jsonb, integer, integer, integer, integer, integer, integer, jsonb, text, text, text, text, jsonb, jsonb,
  integer, integer, text, text, integer, integer, numeric, text, boolean, integer, integer, numeric, integer
) to store_admin;

-- What administrators may call about settings.

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

-- Locks: the row of app.settings.
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
  perform app.check_share_address(p_h5_share_url);
  if p_time_zone is not null and not exists (select from pg_catalog.pg_timezone_names as z where z.name = p_time_zone) then
    perform app.fail('invalid_argument', 'There is no time zone of this name. Use a name such as Asia/Shanghai.', '/time_zone');
  elsif char_length(p_site_name) > 100 or not app.is_line(p_site_name) then
    perform app.fail('invalid_argument', 'The store name must have 1 to 100 characters and must not be blank.', '/site_name');
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

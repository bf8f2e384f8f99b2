-- What administrators may call about settings.

create or replace function app.settings_json(p_settings app.settings)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_object_agg(d.name, case
    when d.kind = 'amount' then to_jsonb(s.fields ->> d.name)
    when jsonb_typeof(s.fields -> d.name) = 'number' then to_jsonb(trim_scale((s.fields ->> d.name)::numeric))
    else s.fields -> d.name
  end)
  from app.declared_settings() as d cross join to_jsonb(p_settings) as s (fields)
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
  return (
    select app.settings_json(s) || jsonb_build_object('updated_at', app.utc(s.updated_at)) from app.settings as s
  );
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
    select format(
      'select jsonb_build_object(%s)',
      string_agg(format('%L, %s', a.attname, pg_get_expr(d.adbin, d.adrelid)), ', ' order by a.attnum)
    )
    from pg_attribute as a join pg_attrdef as d on d.adrelid = a.attrelid and d.adnum = a.attnum
    where a.attrelid = 'app.settings'::regclass and not a.attisdropped
  ) into v_presets;
  return jsonb_build_object(
    'presets', app.settings_json(jsonb_populate_record(null::app.settings, v_presets)),
    'changes', (
      select coalesce(
        jsonb_object_agg(c.name, jsonb_build_object('at', app.utc(c.add_time), 'by', app.actor_json(c.actor))), '{}'
      )
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
  'Returns {presets, changes}: the settings of a new store, and the last change of each setting in the action log. '
  'Serves GET /adminapi/system/settings/history.';

grant execute on function api.get_settings_history() to store_admin;

-- Precondition: the caller holds the lock of the row of app.settings, and p_before is that row.
create or replace function app.store_settings(p_before app.settings, p_after app.settings, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_changed text[] := array(
    select a.key from jsonb_each(to_jsonb(p_after)) as a where a.value <> to_jsonb(p_before) -> a.key order by a.key
  );
begin
  if v_changed = '{}' then
    return;
  end if;
  p_after.updated_at := p_now;
  execute format(
    'update app.settings as s set %s from jsonb_populate_record(null::app.settings, $1) as n where s.id',
    (
      select string_agg(format('%1$I = n.%1$I', c.name), ', ' order by c.name)
      from unnest(v_changed || '{updated_at}') as c (name)
    )
  ) using to_jsonb(p_after);
  if v_changed && '{time_zone, night_sessions}' then
    perform app.apply_schedule(p_now);
  end if;
  if 'real_name_check' = any (v_changed) and p_after.real_name_check = 'provider' then
    perform app.ask_provider_about(r.id, p_now) from app.real_names as r where r.state = 'given';
  end if;
end
$$;

comment on function app.store_settings is
  'Stores the settings that differ between p_before and p_after, with their effects: on pg_cron, and on real names '
  'that wait for the provider.';

-- Locks: the row of app.settings.
-- Idempotent: settings that have their value already have no effect.
create or replace function app.set_settings(p_changes jsonb, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.settings;
begin
  select s.* into v_before from app.settings as s for update;
  perform app.store_settings(v_before, app.changed_settings(v_before, p_changes), p_now);
end
$$;

comment on function app.set_settings is
  'Changes settings, by the names of app.declared_settings. Null leaves a setting as it is; an empty text, an amount '
  'of 0 and {} remove one that can be removed.';

-- Whoever changes the areas of the second factor has one, so that they do not lock themselves out, and a stolen
-- password does not switch it off.
-- Locks: the row of app.settings.
-- Idempotent: settings that have their value already have no effect.
create or replace function app.change_settings(p_changes jsonb)
returns jsonb
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_before app.settings;
  v_after app.settings;
begin
  select s.* into v_before from app.settings as s for update;
  v_after := app.changed_settings(v_before, p_changes);
  if v_after = v_before then
    perform app.record_no_action('set_settings');
    return api.get_settings();
  elsif v_after.second_factor_areas <> v_before.second_factor_areas then
    perform app.require_second_factor();
    perform app.require_recent_sign_in();
  end if;
  perform app.store_settings(v_before, v_after, clock_timestamp());
  perform app.record_action(
    'set_settings', 'settings', null, to_jsonb(v_before) - 'id', to_jsonb(v_after) - 'id',
    array(select d.name from app.declared_settings() as d where not d.personal order by d.name)
  );
  return api.get_settings();
end
$$;

comment on function app.change_settings is
  'Changes settings as app.set_settings does, records the action and returns all settings. Changing '
  'second_factor_areas needs a second factor and a recent sign-in.';

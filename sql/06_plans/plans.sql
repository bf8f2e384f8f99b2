-- Commission plans: the one in force, drafts and their validation, and new versions.

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

comment on function app.active_plan_version is 'Returns the version of the commission plan in force.';

grant execute on function app.active_plan_version() to store_admin;

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
    'people_per_cycle', 'tier_ratios', 'brokerage_scope', 'brokerage_timing', 'points_per_brokerage', 'max_depth',
    'payout_cap',
    'minimum_base', 'holding_days'
  );
  select min(r.place) - 1 into v_place
  from jsonb_array_elements(
    case jsonb_typeof(p_plan -> 'tier_ratios') when 'array' then p_plan -> 'tier_ratios' else '[]' end
  )
    with ordinality as r (value, place)
  where jsonb_typeof(r.value) <> 'number' or scale(trim_scale((r.value #>> '{}')::numeric)) > 5;
  if v_unknown is not null then
    perform app.fail('plan_invalid', format('The plan has no setting %s.', v_unknown));
  elsif v_place is not null then
    perform app.fail(
      'plan_invalid', 'A ratio is a number with at most five decimals.', format('%s/tier_ratios/%s', p_at, v_place)
    );
  elsif jsonb_typeof(p_plan -> 'payout_cap') in ('number', 'string')
    and scale(trim_scale((p_plan ->> 'payout_cap')::numeric)) > 5 then
    perform app.fail('plan_invalid', 'payout_cap has at most five decimals.', p_at || '/payout_cap');
  elsif jsonb_typeof(p_plan -> 'minimum_base') in ('number', 'string')
    and scale(trim_scale((p_plan ->> 'minimum_base')::numeric)) > app.money_decimals() then
    perform app.fail('plan_invalid', 'minimum_base has at most two decimals.', p_at || '/minimum_base');
  elsif jsonb_typeof(p_plan -> 'points_per_brokerage') in ('number', 'string')
    and scale(trim_scale((p_plan ->> 'points_per_brokerage')::numeric)) > app.points_decimals() then
    perform app.fail(
      'plan_invalid', 'points_per_brokerage has at most four decimals.', p_at || '/points_per_brokerage'
    );
  end if;
end
$$;

comment on function app.check_plan_keys is
  'Raises plan_invalid unless a draft plan is an object of known settings, without more decimals than are stored. p_at '
  'is its JSON Pointer in the request body.';

-- Takes no lock and writes nothing, so that drafts can be checked in a read-only transaction.
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
    select 0 as rank, a.attname as name, format('%I is not null', a.attname) as expression,
      'not_null_violation' as error
    from pg_catalog.pg_attribute as a
    where a.attrelid = p_table and a.attnum > 0 and not a.attisdropped and a.attnotnull and a.attidentity = ''
    union all
    select 1, c.conname, pg_catalog.pg_get_expr(c.conbin, c.conrelid), 'check_violation'
    from pg_catalog.pg_constraint as c
    where c.conrelid = p_table and c.contype = 'c'
    order by rank, name
  loop
    -- As in a table, a check that yields null passes.
    execute format(
      'select exists (select from jsonb_populate_recordset(null::%s, $1) where (%s) is false)', p_table,
      v_rule.expression
    )
    into v_is_broken using p_rows;
    if v_is_broken then
      raise exception using errcode = v_rule.error, message = 'a row breaks ' || v_rule.name, constraint = v_rule.name;
    end if;
  end loop;
end
$$;

comment on function app.check_rows is
  'Checks complete rows, an array of objects, against the not-null and check constraints of a table, not against keys. '
  'Raises not_null_violation or check_violation.';

create or replace function app.invalid_setting(p_plan jsonb)
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
      perform jsonb_populate_record(
        null::app.commission_plans, jsonb_build_object(v_setting.name, p_plan -> v_setting.name)
      );
    exception when data_exception or array_subscript_error then
      return v_setting.name;
    end;
  end loop;
  return null;
end
$$;

comment on function app.invalid_setting is
  'Returns the first setting of a draft plan that is null but required, or does not fit its column; otherwise null.';

create or replace function app.plan_json(p_plan app.commission_plans)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'version', p_plan.version, 'people_per_cycle', p_plan.people_per_cycle,
    'tier_ratios', (
      select jsonb_agg(trim_scale(r.ratio) order by r.place)
      from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place)
    ),
    'brokerage_scope', p_plan.brokerage_scope, 'brokerage_timing', p_plan.brokerage_timing,
    'points_per_brokerage', trim_scale(p_plan.points_per_brokerage), 'max_depth', p_plan.max_depth,
    'payout_cap', trim_scale(p_plan.payout_cap), 'minimum_base', p_plan.minimum_base::text, 'holding_days',
    p_plan.holding_days,
    'created_by', app.actor_json(p_plan.created_by),
    'created_at', app.utc(p_plan.created_at)
  )
$$;

comment on function app.plan_json is 'Returns a version of the commission plan as administrators see it.';

grant execute on function app.plan_json(app.commission_plans) to store_admin;

create or replace function app.violating_setting(p_plan jsonb, p_merged app.commission_plans, p_constraint text)
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

comment on function app.violating_setting is
  'Returns the JSON Pointer, without leading slash, of the first setting of a draft plan that a violated constraint '
  'names, or null. p_merged is the plan in force with the draft in it.';

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
      p_at || '/' || app.violating_setting(p_plan, v_plan, v_constraint)
    );
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail(
      'plan_invalid', 'A value of the plan is missing, not of the right type or too large.',
      p_at || '/' || app.invalid_setting(p_plan)
    );
end
$$;

comment on function app.draft_plan is
  'Returns the plan in force with the settings of p_plan in place of its own. Raises plan_invalid. p_at is the JSON '
  'Pointer of p_plan in the request body.';

-- Takes no locks. A concurrent payment takes the newest plan that it sees.
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
    v_new.people_per_cycle, v_new.tier_ratios, v_new.brokerage_scope, v_new.brokerage_timing,
    v_new.points_per_brokerage,
    v_new.max_depth, v_new.payout_cap, v_new.minimum_base, v_new.holding_days, p_created_by, p_now
  )
  returning * into v_new;
  return v_new;
end
$$;

comment on function app.create_plan is
  'Makes a new version of the commission plan, in force at once, and returns it. Settings of app.plan_json that p_plan '
  'leaves out keep their values. Open cycles keep their plan.';

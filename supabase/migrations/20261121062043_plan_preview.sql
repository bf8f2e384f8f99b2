SET local check_function_bodies = off;

CREATE OR REPLACE FUNCTION api.preview_brokerage_config (
  p_plan   jsonb DEFAULT NULL::jsonb,
  p_levels jsonb DEFAULT NULL::jsonb
)
  RETURNS jsonb
  LANGUAGE plpgsql
  STABLE
  SECURITY DEFINER
  SET search_path TO ''
  AS $function$
declare
  v_plan app.commission_plans;
begin
  perform app.require_admin();
  v_plan := app.draft_plan(coalesce(p_plan, '{}'));
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
$function$;

CREATE OR REPLACE FUNCTION app.check_levels (
  p_levels jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_problem text;
  v_constraint text;
begin
  if p_levels is null or jsonb_typeof(p_levels) <> 'array' or jsonb_array_length(p_levels) not between 1 and 101 then
    perform app.fail('levels_invalid', 'Levels are a list of 1 to 101 grades.');
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
    select 'Grades start at 0 and have no gap and no repetition.' as problem from levels as l where l.grade is distinct from l.place
    union all
    select format('The points of grade %s are below those of the grade before.', l.grade) from levels as l
    where l.direct_points < l.direct_below or l.umbrella_points < l.umbrella_below
    union all
    select format('Grade %s has no tasks.', l.grade) from levels as l where l.grade > 0 and coalesce(l.tasks, '{}') = '{}'
    union all
    select format('The target %s of grade %s is below that of the grade before.', t.type, t.grade) from targets as t
    where t.target < t.target_below
  ) as p;
  if v_problem is not null then
    perform app.fail('levels_invalid', v_problem);
  end if;
  -- The time comes with the writing; any will do here.
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
    perform app.fail('levels_invalid', 'The levels are refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation then
    perform app.fail('levels_invalid', 'A value of the levels is missing, not of the right type or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION app.check_rows (
  p_table regclass,
  p_rows  jsonb
)
  RETURNS void
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
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
    -- As in a table, a check whose answer is null holds.
    execute format('select exists (select from jsonb_populate_recordset(null::%s, $1) where (%s) is false)', p_table, v_rule.expression)
    into v_is_broken using p_rows;
    if v_is_broken then
      raise exception using errcode = v_rule.error, message = 'a row breaks ' || v_rule.name, constraint = v_rule.name;
    end if;
  end loop;
end
$function$;

CREATE OR REPLACE FUNCTION app.create_plan (
  p_plan       jsonb,
  p_created_by uuid,
  p_now        timestamp with time zone
)
  RETURNS app.commission_plans
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
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
    created_by, created_at
  )
  values (
    v_new.people_per_cycle, v_new.tier_ratios, v_new.brokerage_scope, v_new.brokerage_timing, v_new.points_per_brokerage,
    v_new.max_depth, v_new.payout_cap, p_created_by, p_now
  )
  returning * into v_new;
  return v_new;
end
$function$;

CREATE OR REPLACE FUNCTION app.draft_plan (
  p_plan jsonb
)
  RETURNS app.commission_plans
  LANGUAGE plpgsql
  STABLE
  SET search_path TO ''
  AS $function$
declare
  v_plan app.commission_plans;
  v_constraint text;
begin
  perform app.check_plan_keys(p_plan);
  select p.* into v_plan from app.commission_plans as p where p.version = app.active_plan_version();
  v_plan := jsonb_populate_record(v_plan, p_plan);
  -- The time comes with the writing; any will do here.
  perform app.check_rows('app.commission_plans', jsonb_build_array(to_jsonb(v_plan) || '{"created_at": "epoch"}'));
  return v_plan;
exception
  when check_violation then
    get stacked diagnostics v_constraint = constraint_name;
    perform app.fail('plan_invalid', 'The plan is refused; what must hold: ' || replace(v_constraint, '_', ' ') || '.');
  when data_exception or not_null_violation or array_subscript_error then
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.');
end
$function$;

CREATE OR REPLACE FUNCTION app.set_agent_levels (
  p_levels     jsonb,
  p_created_by uuid,
  p_now        timestamp with time zone
)
  RETURNS void
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_old_top smallint;
begin
  perform app.require_time(p_now);
  -- First, so that nobody comes to hold a grade that is about to go.
  perform app.own_structure();
  perform app.check_levels(p_levels);
  v_old_top := app.top_grade();
  delete from app.agent_level_tasks;
  insert into app.agent_levels (grade, name, name_zh, direct_points, umbrella_points, is_active, updated_at)
  select l.grade, l.name, l.name_zh, l.direct_points, l.umbrella_points, coalesce(l.is_active, true), p_now
  from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  on conflict (grade) do update set
    name = excluded.name, name_zh = excluded.name_zh, direct_points = excluded.direct_points,
    umbrella_points = excluded.umbrella_points, is_active = excluded.is_active, updated_at = excluded.updated_at;
  delete from app.agent_levels as l where l.grade >= jsonb_array_length(p_levels);
  insert into app.agent_level_tasks (grade, type, target)
  select (l.value ->> 'grade')::smallint, t.key, t.value::integer
  from jsonb_array_elements(p_levels) as l cross join lateral jsonb_each_text(coalesce(l.value -> 'tasks', '{}')) as t;

  insert into app.level_versions (levels, created_by, created_at)
  select app.levels_json(), p_created_by, p_now
  where app.levels_json() is distinct from (select v.levels from app.level_versions as v order by v.version desc limit 1);
  perform app.rebuild_counters(array(
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade()
  ));
end
$function$;

CREATE OR REPLACE FUNCTION app.simulate (
  p_plan       jsonb,
  p_levels     jsonb,
  p_from       timestamp with time zone,
  p_to         timestamp with time zone,
  p_max_orders integer                  DEFAULT 20000,
  p_limit      integer                  DEFAULT 20
)
  RETURNS jsonb
  LANGUAGE plpgsql
  SET search_path TO ''
  AS $function$
declare
  v_schema text := 'simulation_' || pg_backend_pid();
  v_orders integer;
  v_report text;
begin
  if p_from is null or p_to is null or p_from >= p_to then
    perform app.fail('invalid_argument', 'A period has a beginning and a later end.');
  elsif p_max_orders is null or p_max_orders < 1 or p_limit is null or p_limit < 1 then
    perform app.fail('invalid_argument', 'A simulation has at least one order and one member.');
  end if;
  perform app.require_time(p_from);
  perform app.require_time(p_to);
  -- Looked at before the work of copying the engine, too.
  perform app.draft_plan(coalesce(p_plan, '{}'));
  if p_levels is not null then
    perform app.check_levels(p_levels);
  end if;
  perform app.copy_engine(v_schema);
  perform app.copy_members(v_schema, p_from, p_to);
  execute format('select from %1$I.create_plan(coalesce($1, %2$L), null, $2)', v_schema, '{}') using p_plan, p_from;
  if p_levels is not null then
    execute format('select %I.set_agent_levels($1, null, $2)', v_schema) using p_levels, p_from;
  end if;
  v_orders := app.replay_orders(v_schema, p_from, p_to, p_max_orders);
  v_report := app.simulation_report(v_schema, v_orders, p_limit)::text;
  raise exception using errcode = 'PV000', message = 'undo', detail = v_report;
exception
  when sqlstate 'PV000' then
    get stacked diagnostics v_report = pg_exception_detail;
    return v_report::jsonb;
end
$function$;

CREATE OR REPLACE FUNCTION app.verify_plan()
  RETURNS TABLE (
    check_id text,
    severity text,
    subject  text,
    message  text,
    hint     text
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
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
  select 'money_is_within_the_base', case when w.commission <= app.round_down(w.price * w.payout_cap, 2) then 'ok' else 'error' end, 'plan',
    format('at most %s of %s per unit (%s %%)', w.commission, w.price, trim_scale(w.ratio * 100)), 'Lower the ratios or the payout cap.'
  from worst as w
  union all
  select 'points_per_order', 'ok', 'plan',
    format('at most %s points per unit: %s with the commission, %s by level',
      trim_scale(w.points), trim_scale(w.commission_points), trim_scale(w.level_points)),
    'Lower the points of the levels or points_per_brokerage if this is more than you mean to give.'
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
$function$;

CREATE OR REPLACE FUNCTION app.worst_order (
  p_plan   app.commission_plans,
  p_levels jsonb
)
  RETURNS TABLE (
    price             numeric,
    ratio             numeric,
    commission        numeric,
    payout_share      numeric,
    commission_points numeric,
    level_points      numeric,
    points            numeric,
    cycle             jsonb,
    cycle_share       numeric
  )
  LANGUAGE sql
  STABLE
  SET search_path TO ''
  AS $function$
  with goods as (
    select coalesce(max(g.price), 0.00) as price from app.products as g where g.is_queue_goods and not g.is_del
  ),
  places as (
    select r.place, r.ratio, app.cycle_commission(g.price, r.ratio) as commission
    from unnest(p_plan.tier_ratios) with ordinality as r (ratio, place) cross join goods as g
  ),
  cycle as (
    select max(p.ratio) as ratio, max(p.commission) as commission, sum(p.commission) as total, count(*) as places,
      jsonb_agg(jsonb_build_object('place', p.place, 'ratio', trim_scale(p.ratio), 'commission', p.commission::text) order by p.place) as list
    from places as p
  ),
  levels as (
    select l.direct_points, l.umbrella_points from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ),
  -- What members above the referrer are paid in steps comes to what the highest grade is paid above the referrer's at once.
  grants as (
    select coalesce(max(app.level_points(
      l.direct_points + case when p_plan.max_depth = 1 then 0 else app.umbrella_share(h.umbrella_points, l.umbrella_points) end, 1
    )), 0) as points
    from levels as l cross join (select max(a.umbrella_points) as umbrella_points from levels as a) as h
  )
  select g.price, c.ratio, c.commission, app.round_down(c.commission / nullif(g.price, 0), 5), p.points, n.points, p.points + n.points,
    c.list, app.round_down(c.total / nullif(g.price * c.places, 0), 5)
  from goods as g cross join cycle as c cross join grants as n
  cross join lateral (select app.commission_points(c.commission, p_plan.points_per_brokerage) as points) as p
$function$;

REVOKE ALL ON FUNCTION "api"."preview_brokerage_config"(jsonb, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "api"."preview_brokerage_config"(jsonb, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_brokerage_config"(jsonb, jsonb) TO "postgres";

GRANT EXECUTE ON FUNCTION "api"."preview_brokerage_config"(jsonb, jsonb) TO "store_admin";

REVOKE ALL ON FUNCTION "app"."check_rows"(regclass, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."check_rows"(regclass, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."check_rows"(regclass, jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."draft_plan"(jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."draft_plan"(jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."draft_plan"(jsonb) TO "postgres";

REVOKE ALL ON FUNCTION "app"."worst_order"(app.commission_plans, jsonb) FROM PUBLIC;

REVOKE ALL ON FUNCTION "app"."worst_order"(app.commission_plans, jsonb) FROM "postgres";

GRANT EXECUTE ON FUNCTION "app"."worst_order"(app.commission_plans, jsonb) TO "postgres";

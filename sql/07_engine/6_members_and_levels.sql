-- What administrators and members change that the engine must decide about: referrers, flags, levels, plans.

-- Locks: structure (exclusive), then the member's balances.
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
  if v_is.agent_level > v_was.agent_level then
    perform app.write_event('level.reached', p_uid, p_uid, jsonb_build_object('from_level', v_was.agent_level, 'to_level', v_is.agent_level), v_now);
  end if;
  if v_was.agent_level >= app.top_grade() then
    perform app.rebuild_counters(array[p_uid]);
  end if;
  return v_is;
end
$$;

comment on function app.set_agent_level is
  'Sets a member''s grade by hand, up or down, and records the change. While the level is held, tasks do not raise the member. '
  'p_held sets or ends the hold; null holds a member who is lowered and leaves the hold of others unchanged.';

-- Precondition: a caller that will write the settings holds the structure lock exclusively.
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
    select l.*, row_number() over (order by l.grade) - 1 as expected_grade,
      lag(l.direct_points) over (order by l.grade) as direct_below, lag(l.umbrella_points) over (order by l.grade) as umbrella_below
    from jsonb_to_recordset(p_levels) as l (grade integer, direct_points numeric, umbrella_points numeric, tasks jsonb)
  ),
  targets as (
    select l.grade, t.key as type, t.value::numeric as target, lag(t.value::numeric) over (partition by t.key order by l.grade) as target_below
    from levels as l cross join lateral jsonb_each_text(coalesce(l.tasks, '{}')) as t
  )
  select min(p.problem) into v_problem
  from (
    select 'Grades must start at 0, without gaps or duplicates.' as problem from levels as l where l.grade is distinct from l.expected_grade
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
    select jsonb_agg(to_jsonb(l) || jsonb_build_object('is_active', coalesce(l.is_active, true), 'updated_at', 'epoch') order by l.grade)
    from jsonb_populate_recordset(null::app.agent_levels, p_levels) as l
  ));
  perform app.check_rows('app.agent_level_tasks', (
    select coalesce(jsonb_agg(jsonb_build_object('grade', l.value -> 'grade', 'type', t.key, 'target', t.value) order by t.key, l.value), '[]')
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

-- Locks: structure (exclusive), then balances by uid.
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
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade() order by u.uid
  ));
end
$$;

comment on function app.set_agent_levels is
  'Replaces the level settings and keeps a version of them. p_levels has the form of app.levels_json(). Recomputes the task '
  'counts of members who were at the top grade and no longer are, because nothing was counted for them.';

-- Locks: structure (exclusive), then balances of the member and the new upline by uid.
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
    array[app.new_tree_change(
      'refer', app.member_index(v_state, p_uid), p_referrer => app.member_index(v_state, p_spread_uid), p_orders_below => v_below.umbrella_orders,
      p_members_below => v_below.umbrella_members
    )],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = nextval('app.positions') where uid = p_uid;
  perform app.write_event('member.referred', p_uid, p_spread_uid, '{}', v_now);
end
$$;

comment on function app.bind_spread is
  'Binds a member to a referrer. A referrer can be set once, and must not be the member or anyone below the member. The orders '
  'and members below the member begin to count for the new upline.';

-- Locks: structure (exclusive), then balances of the upline by uid.
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
    array[app.new_tree_change('assess', app.member_index(v_state, p_uid), p_is_set => p_no_assess)],
    v_state.members, v_state.levels
  )).members, '{}', v_now);
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now);
end
$$;

comment on function app.set_no_assess is
  'Sets the no-assess flag of a member and removes their orders from, or adds them to, the counts of the upline (R9).';

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
    perform app.fail('plan_invalid', 'A value of the plan is missing, not of the right type or too large.', p_at || '/' || app.invalid_setting(p_plan));
end
$$;

comment on function app.draft_plan is
  'Returns the plan in force with the settings of p_plan in place of its own, after checking every rule of a plan. Writes '
  'nothing. p_at is the JSON Pointer of the plan in the request body. Keys: see app.create_plan.';

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

-- The worst case: the price is the highest of all queue goods, on sale or not. The order takes the place with the highest rate.
-- Above the buyer stand a referrer of any grade and a member of the grade with the most umbrella points per unit.
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
  -- For each grade, in this order: a buyer, a referrer of that grade, and above them a member of the grade with the most umbrella points per unit.
  v_members := array(
    select (
      m.height, case when m.height < 3 then 3 * (m.number - 1) + m.height + 1 end, case m.height when 2 then m.grade when 3 then v_top else 0 end,
      true, false, 0, 0, 0, 0, 0, false
    )::app.tree_member
    from (
      select dense_rank() over (order by r.grade) as number, r.grade, h.height from unnest(v_rules) as r cross join generate_series(1, 3) as h (height)
    ) as m
    order by m.number, m.height
  );
  level_points := (
    select coalesce(max(o.points), 0) from (
      select sum(g.points) as points
      from unnest((app.decide_levels(array(
        select app.new_tree_change('settle', 3 * (n - 1) + 1, n, p_units => 1, p_max_depth => p_plan.max_depth, p_step => 0)
        from generate_series(1, cardinality(v_rules)) as n order by n
      ), v_members, v_rules)).grants) as g
      group by g.order_id
    ) as o
  );
  -- One order of the first buyer for each place of a cycle.
  v_settlements := (app.decide_cycles(
    array(
      select app.new_facts(
        'settle', 1, n, p_uid => 1, p_referrer_uid => 2, p_plan_version => p_plan.version, p_plan_in_force => p_plan.version, p_paid_at => 'infinity',
        p_base => worst_order.price, p_units => 1, p_is_counted => true
      )
      from generate_series(1, p_plan.people_per_cycle) as n order by n
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

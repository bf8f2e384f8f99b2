-- What administrators and members change that the engine must decide about: levels, referrers, flags.

-- Precondition: the caller holds the structure lock exclusively, and has ended the hold.
-- Locks: the member's balances.
create or replace function app.raise_after_hold(p_user app.users, p_position bigint, p_now timestamptz)
returns app.users
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_user app.users;
begin
  perform app.lock_balances(array[p_user.uid]);
  perform app.raise_members((app.decide_levels(
    array[app.new_tree_change('grade', 1, p_is_set => false, p_to_level => p_user.agent_level, p_raises => true)],
    (app.read_members(array[p_user.uid], '{}')).members,
    (select l.rules from app.level_versions as l order by l.version desc limit 1)
  )).rises, p_position, p_now);
  select u.* into v_user from app.users as u where u.uid = p_user.uid;
  return v_user;
end
$$;

comment on function app.raise_after_hold is
  'Raises a member whose hold ended at p_position, as far as the tasks are met, and returns the member.';

-- A level that is lowered is not raised by the same act, even if it ends the hold: it is what the administrator wants.
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
  v_position bigint;
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
  values (p_uid, v_was.agent_level, v_is.agent_level, v_was.is_held, v_is.is_held, 'manual', p_changed_by, v_now)
  returning position into v_position;
  if v_is.agent_level > v_was.agent_level then
    perform app.write_event(
      'level.reached', p_uid, p_uid, jsonb_build_object('from_level', v_was.agent_level, 'to_level', v_is.agent_level),
      v_now
    );
  end if;
  if v_was.agent_level >= app.top_grade() then
    perform app.rebuild_task_counts(array[p_uid]);
  end if;
  if v_was.is_held and not v_is.is_held and v_is.agent_level >= v_was.agent_level then
    v_is := app.raise_after_hold(v_is, v_position, v_now);
  end if;
  return v_is;
end
$$;

comment on function app.set_agent_level is
  'Sets a member''s grade by hand, up or down, and returns the member. p_held sets or ends the hold, during which '
  'tasks raise nobody. Null holds a member who is lowered and leaves other holds. When a hold ends and the grade is '
  'not lowered, the member rises as far as the tasks are met.';

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
  where app.levels_json() is distinct from (
    select v.levels from app.level_versions as v order by v.version desc limit 1
  );
  perform app.rebuild_task_counts(array(
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade() order by u.uid
  ));
end
$$;

comment on function app.set_agent_levels is
  'Replaces the level settings and keeps a version of them. p_levels has the form of app.levels_json(). Recomputes the '
  'task counts of members who are no longer at the top grade.';

-- Precondition: the caller has locked the structure, unless it is a preview.
create or replace function app.check_referrer(p_uid bigint, p_spread_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
begin
  if p_uid = p_spread_uid then
    perform app.fail('spread_is_self', 'Nobody can be their own referrer.');
  elsif p_spread_uid is null
    or not exists (select from app.users as u where u.uid = p_spread_uid and u.left_at is null) then
    perform app.fail('spread_unknown', 'There is no member with this number, or they have left.');
  elsif exists (select from app.get_upline(p_spread_uid) as a where a.uid = p_uid) then
    perform app.fail('spread_in_own_downline', 'The referrer is in this member''s downline.');
  end if;
end
$$;

comment on function app.check_referrer is
  'Raises spread_is_self, spread_unknown (also for a member who left) or spread_in_own_downline if p_spread_uid cannot '
  'be the referrer of a member.';

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
  v_decision record;
  v_position bigint;
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
  end if;
  perform app.check_referrer(p_uid, p_spread_uid);

  select * into v_below from app.count_downline(p_uid);
  v_state := app.load_state(array[p_uid, p_spread_uid]);
  v_decision := app.decide_levels(
    array[app.new_tree_change(
      'refer', app.member_index(v_state, p_uid), p_referrer => app.member_index(v_state, p_spread_uid),
      p_orders_below => v_below.umbrella_orders,
      p_members_below => v_below.umbrella_members, p_raises => true
    )],
    v_state.members, v_state.levels
  );
  perform app.book_entries('{}', v_decision.members, '{}', v_now);
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = nextval('app.positions')
  where uid = p_uid
  returning spread_position into v_position;
  perform app.write_event('member.referred', p_uid, p_spread_uid, '{}', v_now);
  perform app.raise_members(v_decision.rises, v_position, v_now);
end
$$;

comment on function app.bind_spread is
  'Binds a member to a referrer, once (app.check_referrer). The orders of the member and of those below begin to count '
  'for the new upline, who may rise.';

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
  v_decision record;
  v_position bigint;
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
  v_decision := app.decide_levels(
    array[app.new_tree_change('assess', app.member_index(v_state, p_uid), p_is_set => p_no_assess, p_raises => true)],
    v_state.members, v_state.levels
  );
  perform app.book_entries('{}', v_decision.members, '{}', v_now);
  update app.users set no_assess = p_no_assess where uid = p_uid;
  insert into app.no_assess_changes (uid, from_value, to_value, changed_by, add_time)
  values (p_uid, v_was, p_no_assess, p_changed_by, v_now)
  returning position into v_position;
  perform app.raise_members(v_decision.rises, v_position, v_now);
end
$$;

comment on function app.set_no_assess is
  'Sets the no-assess flag of a member. Their orders leave or join the counts of the upline (R9), who may rise.';

-- Row order: any of them, so the search ends at the first one.
create or replace function app.decided_order_below(p_uid bigint)
returns bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive family as (
    select p_uid as uid
    union all
    select u.uid from family as f join app.users as u on u.spread_uid = f.uid
  )
  select s.order_id from family as f join app.settlements as s on s.uid = f.uid limit 1
$$;

comment on function app.decided_order_below is
  'Returns a settled or imported order of a member or of anyone below; null if there is none (docs/decisions/0179).';

-- Precondition: the caller has locked the structure, unless it is a preview.
create or replace function app.check_new_spread(p_uid bigint, p_spread_uid bigint)
returns void
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_order_id bigint;
begin
  if app.is_importing() then
    perform app.fail('import_unfinished');
  elsif not exists (select from app.users as u where u.uid = p_uid and u.left_at is null) then
    perform app.fail('user_not_found', 'There is no such member, or they have left.');
  end if;
  perform app.check_referrer(p_uid, p_spread_uid);
  v_order_id := app.decided_order_below(p_uid);
  if v_order_id is not null then
    perform app.fail(
      'spread_decided', format('Order %s of this member, or of somebody below, is settled.', v_order_id)
    );
  end if;
end
$$;

comment on function app.check_new_spread is
  'Raises an error if an administrator may not make p_spread_uid the referrer of a member (docs/decisions/0179): '
  'import_unfinished, user_not_found (also for a member who left), spread_decided, or one of app.check_referrer.';

create or replace function app.waiting_orders(p_uid bigint)
returns setof bigint
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select o.id from app.orders as o
  where o.uid = p_uid and o.referrer_uid is not null and o.has_queue_goods and o.state <> 'cancelled'
    and not exists (select from app.settlements as s where s.order_id = o.id)
  order by o.id
$$;

comment on function app.waiting_orders is
  'Returns the orders of a member with queue goods and a referrer that no settlement has decided. A corrected referrer '
  'is theirs, too.';

create or replace function app.spread_json(p_uid bigint, p_spread_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_uid,
    'from',
    (
      select jsonb_build_object('uid', r.uid, 'nickname', r.nickname) from app.users as u
      join app.users as r on r.uid = u.spread_uid where u.uid = p_uid
    ),
    'to',
    (select jsonb_build_object('uid', r.uid, 'nickname', r.nickname) from app.users as r where r.uid = p_spread_uid),
    'orders', (select count(*) from app.waiting_orders(p_uid))
  )
$$;

comment on function app.spread_json is
  'Returns what setting a referrer would change: {uid, from, to, orders}. from and to are {uid, nickname}, from null '
  'without a referrer; orders counts app.waiting_orders.';

-- Locks: structure (exclusive), the member, then their orders that wait.
-- Idempotent: the referrer whom the member has changes and records nothing.
create or replace function app.set_spread(
  p_uid bigint, p_spread_uid bigint, p_reason text, p_changed_by uuid, p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
as $$
declare
  v_was app.users;
  v_orders bigint[];
  v_position bigint;
  v_now timestamptz;
begin
  if not app.is_text(p_reason) then
    perform app.reject_text('/reason');
  elsif not coalesce(app.is_visible(p_reason) and char_length(p_reason) <= 500, false) then
    perform app.fail('invalid_argument', 'Say in 1 to 500 characters why the referrer is set.', '/reason');
  end if;
  perform app.lock_structure();
  -- Waits for orders that are being placed.
  select u.* into v_was from app.users as u where u.uid = p_uid for update;
  if v_was.spread_uid = p_spread_uid then
    return;
  end if;
  perform app.check_new_spread(p_uid, p_spread_uid);
  v_orders := array(
    select o.id from app.orders as o where o.id in (select app.waiting_orders(p_uid)) order by o.id for update
  );
  v_now := app.effect_time(p_now);
  v_position := nextval('app.positions');
  update app.users set spread_uid = p_spread_uid, spread_time = v_now, spread_position = v_position where uid = p_uid;
  update app.orders set referrer_uid = p_spread_uid where id = any (v_orders);
  insert into app.spread_changes (
    uid, from_uid, from_time, from_position, to_uid, reason, changed_by, position, add_time
  )
  values (
    p_uid, v_was.spread_uid, v_was.spread_time, case when v_was.spread_uid is not null then v_was.spread_position end,
    p_spread_uid, p_reason,
    p_changed_by, v_position, v_now
  );
  perform app.write_event('member.referred', p_uid, p_spread_uid, '{}', v_now);
end
$$;

comment on function app.set_spread is
  'Sets or corrects the referrer of a member and of app.waiting_orders by hand, while nothing is decided below '
  '(app.check_new_spread). p_reason has 1 to 500 characters. No task count changes.';

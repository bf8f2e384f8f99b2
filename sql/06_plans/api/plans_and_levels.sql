-- What clients may call about plans and levels.

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
  'Returns the commission plan in force and the latest twenty versions. Serves GET /adminapi/hjf/brokerage/config.';

grant execute on function api.get_brokerage_config() to store_admin;

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
  'Puts a new version of the commission plan in force (app.create_plan) and returns what get_brokerage_config returns. '
  'Serves PUT /adminapi/hjf/brokerage/config.';

grant execute on function api.set_brokerage_config(jsonb) to store_admin;

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
  'Returns the level settings in force and the latest twenty versions. Serves GET /adminapi/agent/level.';

grant execute on function api.get_agent_levels() to store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token, and the settings
-- that all members may know.
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
  'Returns the level of the caller, the active levels, and the progress with the tasks of the next one. Serves GET '
  '/api/agent/level.';

grant execute on function api.get_own_level() to authenticated, store_admin;

-- Security definer: only the owner may execute the checks of a draft, which are those that check it when it is saved.
-- Stable: Postgres itself prevents writes and row locks.
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
      'price', w.price::text, 'ratio', trim_scale(w.ratio), 'commission', w.commission::text, 'payout_share',
      trim_scale(w.payout_share),
      'commission_points', trim_scale(w.commission_points), 'level_points', trim_scale(w.level_points), 'points',
      trim_scale(w.points),
      'cycle', w.cycle, 'cycle_share', trim_scale(w.cycle_share), 'reach', app.plan_reach(v_plan, l.levels)
    )
    from (select coalesce(p_levels, app.levels_json()) as levels) as l
    cross join lateral app.worst_order(v_plan, l.levels) as w
  );
end
$$;

comment on function api.preview_brokerage_config is
  'Returns the most that one unit could pay under a draft plan and draft levels, and how deep they pay. Null stands '
  'for those in force. Serves POST /adminapi/hjf/brokerage/config/preview.';

grant execute on function api.preview_brokerage_config(jsonb, jsonb) to store_admin;

-- Locks: structure (exclusive), then the member's balances.
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
  perform app.reject_own_member(p_uid);
  perform app.lock_structure();
  select u.* into v_was from app.users as u where u.uid = p_uid;
  v_is := app.set_agent_level(p_uid, p_grade, auth.uid(), null, p_held);
  perform app.record_action(
    'set_agent_level', 'member', p_uid::text,
    jsonb_build_object('agent_level', v_was.agent_level, 'hold', v_was.is_held),
    jsonb_build_object('agent_level', v_is.agent_level, 'hold', v_is.is_held)
  );
  return jsonb_build_object('uid', p_uid, 'agent_level', v_is.agent_level, 'hold', v_is.is_held);
end
$$;

comment on function api.set_agent_level is
  'Sets a member''s grade by hand, and whether tasks still raise it; with p_held null, a lowered grade is held. '
  'Returns the grade after it (app.set_agent_level). Serves PUT /adminapi/hjf/member/{uid}/level.';

grant execute on function api.set_agent_level(bigint, smallint, boolean) to store_admin;

-- Locks: structure (exclusive), then balances by uid.
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
  perform app.record_action(
    'set_agent_levels', 'agent_levels', v_after ->> 'version', v_before, v_after, '{version, levels}'
  );
  return api.get_agent_levels();
end
$$;

comment on function api.set_agent_levels is
  'Replaces all level settings and returns what get_agent_levels returns. Raises changed_meanwhile if p_version is no '
  'longer in force. Serves PUT /adminapi/agent/level.';

grant execute on function api.set_agent_levels(jsonb, integer) to store_admin;

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
  return (
    with matching as not materialized (select c.* from app.level_changes as c where c.uid = p_uid)
    select app.list_json(jsonb_agg(jsonb_build_object(
      'id', l.id, 'from_level', l.from_level, 'to_level', l.to_level, 'from_hold', l.from_held, 'to_hold', l.to_held,
      'reason', l.reason, 'cause', case when l.reason = 'tasks' then coalesce(l.cause, 'order') end, 'order_id',
      l.order_id, 'changed_by', app.actor_json(l.changed_by), 'add_time', app.utc(l.add_time)
    ) order by l.id desc), (select count(*) from matching))
    from (select m.* from matching as m order by m.id desc offset v_skip limit p_limit) as l
  );
end
$$;

comment on function api.get_level_changes is
  'Returns one page of the changes of a member''s grade, newest first, each with its cause or the administrator. '
  'Serves GET /adminapi/user/{uid}/level_change.';

grant execute on function api.get_level_changes(bigint, integer, integer) to store_admin;

-- Security definer: client roles may not execute the functions that walk the downline.
create or replace function api.get_level_review(
  p_limit integer default 20, p_cursor bigint default 0, p_kind text default 'fall'
)
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
begin
  perform app.require_admin();
  perform app.check_page(1, p_limit);
  if p_kind is null or p_kind not in ('fall', 'rise') then
    perform app.fail('invalid_argument', 'The review lists who would fall or who would rise.');
  end if;
  return (
    select jsonb_build_object(
      'list', coalesce(jsonb_agg(jsonb_build_object(
        'uid', u.uid, 'nickname', u.nickname, 'agent_level', u.agent_level, 'level_is_held', u.is_held, 'reached_level',
        r.reached_level,
        'missing', case when r.reached_level is not null then (
          select coalesce(
            jsonb_agg(
              jsonb_build_object('agent_level', t.grade, 'type', t.type, 'target', t.target, 'current', c.current)
              order by t.grade, t.type
            ),
            '[]'
          )
          from app.agent_levels as l
          join app.agent_level_tasks as t on t.grade = l.grade
          cross join lateral (select (to_jsonb(r.counts) ->> t.type)::integer as current) as c
          where l.is_active and l.grade > r.reached_level and l.grade <= u.agent_level and c.current < t.target
        ) end
      ) order by u.uid) filter (where r.uid is not null), '[]'),
      'next_cursor', max(r.next_after)
    )
    from (
      select l.* from app.level_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'fall'
      union all
      select l.* from app.rise_review(coalesce(p_cursor, 0), p_limit) as l where p_kind = 'rise'
    ) as r
    left join app.users as u on u.uid = r.uid
  );
end
$$;

comment on function api.get_level_review is
  'Returns members who would not reach their level today, with what is missing; with p_kind rise, those who meet the '
  'tasks of a higher level. A page can have fewer than p_limit. Serves GET /adminapi/agent/level/review.';

grant execute on function api.get_level_review(integer, bigint, text) to store_admin;

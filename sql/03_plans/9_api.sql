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
  'Returns the commission plan in force and the latest twenty versions with the administrators who created them. Serves GET '
  '/adminapi/hjf/brokerage/config.';

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
  'Puts a new version of the commission plan in force and returns what get_brokerage_config returns. Keys that p_plan leaves '
  'out keep their values. Serves PUT /adminapi/hjf/brokerage/config.';

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
  'Returns the level settings in force with their tasks, and the latest twenty versions with the administrators who created '
  'them. Serves GET /adminapi/agent/level.';

grant execute on function api.get_agent_levels() to store_admin;

-- Security definer: the function has no parameter and reads only the member of the verified token, and the settings that all
-- members may know.
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

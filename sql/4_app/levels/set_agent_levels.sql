-- Locks: structure (exclusive), then balances by uid.
-- Raises: invalid_argument, levels_invalid.
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
    select u.uid from app.users as u where u.agent_level >= v_old_top and u.agent_level < app.top_grade()
  ));
end
$$;

comment on function app.set_agent_levels is
  'Replaces the level settings and keeps a version of them. p_levels has the form of app.levels_json(). Recomputes the task '
  'counts of members who were at the top grade and no longer are, because nothing was counted for them.';

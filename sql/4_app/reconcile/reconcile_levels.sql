-- Every member begins at level 0, not held and assessed.
create or replace function app.reconcile_levels(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
begin
  return query
    with changes as materialized (
      select
        c.*,
        coalesce(lag(c.to_level) over earlier, 0::smallint) as level_before, coalesce(lag(c.to_held) over earlier, false) as held_before,
        lead(c.id) over earlier is null as is_last
      from app.level_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    ),
    flags as materialized (
      select c.*, coalesce(lag(c.to_value) over earlier, false) as value_before, lead(c.id) over earlier is null as is_last
      from app.no_assess_changes as c
      where c.uid between p_from and p_to
      window earlier as (partition by c.uid order by c.id)
    )
    select
      'level_equals_last_change', format('uid %s', u.uid),
      concat_ws(' ', coalesce(c.to_level, 0), case when c.to_held then 'held' end), concat_ws(' ', u.agent_level, case when u.is_held then 'held' end)
    from app.users as u
    left join changes as c on c.uid = u.uid and c.is_last
    where u.uid between p_from and p_to and (u.agent_level, u.is_held) <> (coalesce(c.to_level, 0::smallint), coalesce(c.to_held, false))
    union all
    select
      'level_change_follows_the_one_before', format('level change %s of uid %s', c.id, c.uid),
      concat_ws(' ', c.level_before, case when c.held_before then 'held' end), concat_ws(' ', c.from_level, case when c.from_held then 'held' end)
    from changes as c
    where (c.from_level, c.from_held) <> (c.level_before, c.held_before)
    union all
    select
      'level_change_has_its_settlement', format('level change %s of uid %s', c.id, c.uid),
      format('a rise at position %s', s.position), format('from %s to %s at position %s', c.from_level, c.to_level, c.position)
    from changes as c
    left join app.settlements as s on s.order_id = c.order_id
    where c.reason = 'tasks' and (s.position is distinct from c.position or c.to_level <= c.from_level)
    union all
    select 'no_assess_equals_last_change', format('uid %s', u.uid), coalesce(f.to_value, false)::text, u.no_assess::text
    from app.users as u
    left join flags as f on f.uid = u.uid and f.is_last
    where u.uid between p_from and p_to and u.no_assess <> coalesce(f.to_value, false)
    union all
    select 'no_assess_change_follows_the_one_before', format('change %s of uid %s', f.id, f.uid), f.value_before::text, f.from_value::text
    from flags as f
    where f.from_value <> f.value_before
    union all
    select 'levels_equal_last_version', 'level settings', v.levels::text, app.levels_json()::text
    from app.level_versions as v
    where v.version = (select max(n.version) from app.level_versions as n) and v.levels <> app.levels_json() and p_from = 0;
end
$$;

comment on function app.reconcile_levels is
  'Finds members whose level, hold or assessment does not follow from its recorded changes, changes that do not follow from one '
  'another or from their settlement, and level settings that differ from their last version.';

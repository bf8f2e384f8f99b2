CREATE OR REPLACE FUNCTION app.level_rules(p_levels jsonb, p_counts_all boolean DEFAULT false)
 RETURNS app.level_rule[]
 LANGUAGE plpgsql
 IMMUTABLE
 SET search_path TO 'pg_catalog', 'pg_temp'
 SET plan_cache_mode TO 'force_generic_plan'
AS $function$
begin
  return (
    with levels as (
      select l.grade, l.direct_points, l.umbrella_points, coalesce(l.is_active, true) as is_active, nullif(l.tasks, '{}') as tasks
      from jsonb_to_recordset(p_levels) as l (grade smallint, direct_points numeric, umbrella_points numeric, is_active boolean, tasks jsonb)
    )
    select array_agg((
      l.grade, l.direct_points, l.umbrella_points, p_counts_all or n.grade is not null, case when n.tasks is not null then n.grade end,
      (n.tasks ->> 'direct_orders')::integer, (n.tasks ->> 'umbrella_orders')::integer,
      (n.tasks ->> 'direct_members')::integer, (n.tasks ->> 'umbrella_members')::integer
    )::app.level_rule order by l.grade)
    from levels as l
    left join lateral (
      select a.grade, a.tasks from levels as a where a.is_active and a.grade > l.grade order by a.grade limit 1
    ) as n on true
  );
end
$function$

create or replace function app.reconcile_release_runs(p_from bigint default 0, p_to bigint default 9223372036854775807)
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_first date := app.first_release_day();
begin
  return query
    select
      'release_run_equals_log', format('business day %s', coalesce(r.release_date, l.release_date)),
      format('%s users %s points', coalesce(l.users, 0), coalesce(l.points, 0)),
      format('%s users %s points', coalesce(r.users, 0), coalesce(r.points, 0))
    from app.release_runs as r
    full join (
      select g.release_date, count(*) as users, sum(g.release_points) as points
      from app.points_release_log as g
      where g.release_date between app.day_of_key(p_from) and app.day_of_key(p_to)
      group by g.release_date
    ) as l on l.release_date = r.release_date
    where coalesce(r.release_date, l.release_date) between greatest(app.day_of_key(p_from), v_first) and app.day_of_key(p_to)
      and (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
    union all
    select
      'release_day_is_finished', format('business day %s', r.release_date), 'finished',
      concat_ws(': ', format('unfinished, %s failures, %s runs cut', r.failures, r.cuts), r.last_error)
    from app.release_runs as r
    where r.release_date between app.day_of_key(p_from) and app.day_of_key(p_to) and r.finished_at is null and r.release_date < app.business_day(now());
end
$$;

comment on function app.reconcile_release_runs is
  'Finds business days whose release log and record of the run disagree, archived ones left out, and days before today whose release is not finished.';

create or replace function app.reconcile_releases()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    'release_run_equals_log', format('business day %s', coalesce(r.release_date, l.release_date)),
    format('%s users %s points', coalesce(l.users, 0), coalesce(l.points, 0)),
    format('%s users %s points', coalesce(r.users, 0), coalesce(r.points, 0))
  from app.release_runs as r
  full join (
    select g.release_date, count(*) as users, sum(g.release_points) as points
    from app.points_release_log as g
    group by g.release_date
  ) as l on l.release_date = r.release_date
  where (coalesce(r.users, 0), coalesce(r.points, 0)) <> (coalesce(l.users, 0), coalesce(l.points, 0))
  union all
  select 'released_points_equal_bill', 'all members', coalesce(l.points, 0)::text, coalesce(b.points, 0)::text
  from (select sum(g.release_points) as points from app.points_release_log as g) as l
  cross join (select sum(b.available_delta) as points from app.user_bill as b where b.type = 'frozen_points_release') as b
  where coalesce(l.points, 0) <> coalesce(b.points, 0)
  union all
  select
    'release_day_is_finished', format('business day %s', r.release_date), 'finished',
    concat_ws(': ', format('unfinished, %s failures', r.failures), r.last_error)
  from app.release_runs as r
  where r.finished_at is null and r.release_date < app.business_day(now())
$$;

comment on function app.reconcile_releases is
  'Finds business days whose release log, bill and record of the run disagree, and days before today whose release is not '
  'finished.';

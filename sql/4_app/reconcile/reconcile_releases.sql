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
  -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart the rows of a
  -- member who was released for several days at once.
  select
    'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
    coalesce(format('business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)), 'nothing'),
    coalesce(format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing')
  from app.points_release_log as g
  full join (select l.* from app.user_bill as l where l.type = 'frozen_points_release') as b
    on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
  where g.release_points is distinct from b.available_delta or b.basis > g.frozen_before or b.rate <> app.release_rate()
  union all
  select
    'release_day_is_finished', format('business day %s', r.release_date), 'finished',
    concat_ws(': ', format('unfinished, %s failures', r.failures), r.last_error)
  from app.release_runs as r
  where r.finished_at is null and r.release_date < app.business_day(now())
$$;

comment on function app.reconcile_releases is
  'Finds business days whose release log and record of the run disagree, releases that the log and the bill of a member '
  'state differently, and days before today whose release is not finished.';

create or replace function app.reconcile_releases(p_from bigint default 0, p_to bigint default 9223372036854775807, p_since timestamptz default '-infinity')
returns table (check_name text, subject text, expected text, actual text)
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_custom_plan
as $$
declare
  v_since timestamptz := greatest(p_since, app.archived_until('user_bill'), app.archived_until('points_release_log'));
begin
  return query
    -- The row of the log and the row of the bill are written together and state the balance after it, which tells apart the rows of a
    -- member who was released for several days at once.
    select
      'release_equals_bill', format('uid %s', coalesce(g.uid, b.uid)),
      coalesce(format('business day %s: %s of %s at %s', g.release_date, g.release_points, g.frozen_before, app.utc(g.add_time)), 'nothing'),
      coalesce(format('bill %s: %s = %s x %s at %s', b.id, b.available_delta, b.basis, b.rate, app.utc(b.add_time)), 'nothing')
    from (select l.* from app.points_release_log as l where l.uid between p_from and p_to and l.add_time >= v_since) as g
    full join (
      select l.* from app.user_bill as l where l.uid between p_from and p_to and l.add_time >= v_since and l.type = 'frozen_points_release'
    ) as b
      on b.uid = g.uid and b.add_time = g.add_time and b.frozen_after = g.frozen_after
    where g.release_points is distinct from b.available_delta or b.basis > g.frozen_before or b.rate <> app.release_rate();
end
$$;

comment on function app.reconcile_releases is
  'Finds releases that the log and the bill of a member state differently. With p_since, those since then.';

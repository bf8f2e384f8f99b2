-- The release still to come of one member, or of all with null: after 1, 30, 365 and 3650 days, and how many days until
-- half is released. A balance under 0.25 releases nothing any more.
-- Callers: api.get_release_forecast. Reads only.
create or replace function app.forecast_json(p_uid bigint)
returns jsonb
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'uid', p_uid, 'frozen_points', trim_scale(f.frozen), 'members', f.members,
    'half_released_after_days', ceil(ln(0.5) / ln(1 - app.release_rate())),
    'forecast', (
      select jsonb_agg(jsonb_build_object('days', d.days, 'release_points', trim_scale(app.forecast_release(f.frozen, d.days))) order by d.days)
      from unnest(array[1, 30, 365, 3650]) as d (days)
    )
  )
  from (
    select coalesce(sum(b.frozen_points), 0) as frozen, count(*) as members
    from app.user_balances as b
    where (p_uid is null or b.uid = p_uid) and app.release_amount(b.frozen_points) > 0
  ) as f
$$;

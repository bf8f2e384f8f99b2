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

comment on function app.forecast_json is
  'Returns the points that will be released within 1, 30, 365 and 3650 days, to one member or, with p_uid null, to all, and '
  'the number of days until half is released. Balances below 0.25 release nothing and are left out.';

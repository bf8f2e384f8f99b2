-- GET /api/hjf/assets/overview: the caller's balances, level and cycle. today_release is what today's release gave,
-- or will give if it has not run yet. Raises: unauthenticated.
-- In plpgsql because its plans are kept; general ones, because choosing the partition of a day takes longer than reading it.
create or replace function api.get_assets_overview()
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(v_now);
  v_released numeric := (select l.release_points from app.points_release_log as l where l.uid = v_uid and l.release_date = v_today);
begin
  if v_released is null and exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then
    v_released := 0;
  end if;
  return (
    select jsonb_build_object(
      'brokerage_price', b.brokerage_price::text,
      'frozen_points', trim_scale(b.frozen_points),
      'available_points', trim_scale(b.available_points),
      'today_release', trim_scale(coalesce(v_released, app.release_amount(b.frozen_points))),
      'total_points_earned', trim_scale(b.total_points_earned),
      'agent_level', u.agent_level,
      'agent_level_name', v.name,
      'progress', app.brokerage_progress(v_uid, v_now)
    )
    from app.users as u
    join app.user_balances as b on b.uid = u.uid
    join app.agent_levels as v on v.grade = u.agent_level
    where u.uid = v_uid
  );
end
$$;

grant execute on function api.get_assets_overview() to authenticated, store_admin;

-- GET /api/hjf/assets/overview: the caller's balances, level and cycle. today_release is what today's release gave,
-- or will give if it has not run yet. Raises: unauthenticated.
create or replace function api.get_assets_overview()
returns jsonb
language sql
stable
set search_path = ''
as $$
  select jsonb_build_object(
    'brokerage_price', b.brokerage_price::text,
    'frozen_points', trim_scale(b.frozen_points),
    'available_points', trim_scale(b.available_points),
    'today_release', trim_scale(case
      when r.release_date is not null then coalesce(l.release_points, 0)
      else app.release_amount(b.frozen_points)
    end),
    'total_points_earned', trim_scale(b.total_points_earned),
    'agent_level', u.agent_level,
    'agent_level_name', v.name,
    'progress', app.brokerage_progress(u.uid, clock_timestamp())
  )
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  join app.agent_levels as v on v.grade = u.agent_level
  cross join lateral (select app.business_day(clock_timestamp()) as today) as d
  left join app.release_runs as r on r.release_date = d.today and r.finished_at is not null
  left join app.points_release_log as l on l.uid = u.uid and l.release_date = d.today
  where u.uid = app.require_uid()
$$;

grant execute on function api.get_assets_overview() to authenticated, store_admin;

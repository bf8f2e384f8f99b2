-- Security definer: the function has no parameter and reads only the member of the verified token. With row-level security,
-- every table would look up the caller again (decision 0024).
-- PL/pgSQL instead of SQL, so that the session caches the query plans (decision 0007). Generic query plans, because choosing the
-- partition of the day at planning time takes longer than reading it. A variable holds the day, so that the partitions of other
-- months are pruned before they are opened.
-- Raises: unauthenticated.
create or replace function api.get_assets_overview()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_now timestamptz := clock_timestamp();
  v_today date := app.business_day(v_now);
  v_overview jsonb;
begin
  select jsonb_build_object(
    'brokerage_price', b.brokerage_price::text,
    'frozen_points', trim_scale(b.frozen_points),
    'available_points', trim_scale(b.available_points),
    'today_release', trim_scale(coalesce(
      (select g.release_points from app.points_release_log as g where g.uid = u.uid and g.release_date = v_today),
      case
        when exists (select from app.release_runs as r where r.release_date = v_today and r.finished_at is not null) then 0
        else app.release_amount(b.frozen_points)
      end
    )),
    'total_points_earned', trim_scale(b.total_points_earned),
    'agent_level', u.agent_level,
    'agent_level_name', l.name,
    'progress', p
  ) || m
  into v_overview
  from app.users as u
  join app.user_balances as b on b.uid = u.uid
  join app.agent_levels as l on l.grade = u.agent_level
  cross join lateral app.brokerage_progress(u.uid, v_now) as p
  cross join lateral app.maturity_json(u.uid, b.brokerage_price, v_now) as m
  where u.auth_id = auth.uid();
  if not found then
    perform app.require_uid();
  end if;
  return v_overview;
end
$$;

comment on function api.get_assets_overview is
  'Returns the caller''s balances, what of the commission can be withdrawn and when the rest matures, level and commission cycle. today_release is the amount that today''s release gave, or will '
  'give if it has not run yet. Serves GET /api/hjf/assets/overview.';

grant execute on function api.get_assets_overview() to authenticated, store_admin;

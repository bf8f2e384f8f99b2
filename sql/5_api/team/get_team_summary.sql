-- Security definer: the function has no parameter and reads only the member of the verified token, and sums of those below.
-- Raises: unauthenticated.
create or replace function api.get_team_summary()
returns jsonb
language plpgsql
stable
security definer
set search_path = pg_catalog, pg_temp
as $$
declare
  v_uid bigint := app.require_uid();
  v_today date := app.business_day(clock_timestamp());
begin
  return (
    select app.team_json(v_uid) || jsonb_build_object(
      'commission', jsonb_build_object(
        'today', app.commission_since(v_uid, v_today::timestamp at time zone s.time_zone)::text,
        'month', app.commission_since(v_uid, date_trunc('month', v_today::timestamp) at time zone s.time_zone)::text,
        'total', b.total_brokerage::text
      ),
      'next_level', app.next_level_json(u, b)
    )
    from app.settings as s, app.users as u join app.user_balances as b on b.uid = u.uid
    where u.uid = v_uid
  );
end
$$;

comment on function api.get_team_summary is
  'Returns how many members and reported orders are below the caller, the caller''s commission of today, this month and in all, '
  'and what is missing for the next level. Serves GET /api/spread/summary.';

grant execute on function api.get_team_summary() to authenticated, store_admin;

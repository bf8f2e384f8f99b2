-- Forecasts of the release (R11). The rate, which is a constant, and the amount of a day: app.release_rate and
-- app.release_amount in 08_ledger/rules_of_rows.sql, because the checks of bill rows use them.

-- Rounding down every day makes the real sum smaller, by less than 0.0001 a day.
create or replace function app.forecast_release(p_frozen_points numeric, p_days integer)
returns numeric
language sql
immutable
parallel safe
as $$
  select app.round_down(
    greatest(p_frozen_points, 0) * (1 - pg_catalog.power(1 - app.release_rate(), p_days)), app.points_decimals()
  )
$$;

comment on function app.forecast_release is
  'Returns the points that a frozen balance will release within p_days days at the daily rate (R11). Points, 4 '
  'decimals, rounded down.';

create or replace function app.forecast_of(p_frozen numeric, p_members bigint)
returns jsonb
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  select jsonb_build_object(
    'frozen_points', trim_scale(p_frozen), 'members', p_members,
    'half_released_after_days', ceil(ln(0.5) / ln(1 - app.release_rate())),
    'forecast', (
      select jsonb_agg(
        jsonb_build_object('days', d.days, 'release_points', trim_scale(app.forecast_release(p_frozen, d.days)))
        order by d.days
      )
      from unnest(array[1, 30, 365, 3650]) as d (days)
    )
  )
$$;

comment on function app.forecast_of is
  'Returns what so many frozen points of so many members will release within 1, 30, 365 and 3650 days, and after how '
  'many days half is released.';

-- Two queries, because one for both cases would read all balances for one member.
create or replace function app.forecast_json(p_uid bigint)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
as $$
declare
  v_sums record;
begin
  if p_uid is null then
    select coalesce(sum(b.frozen_points), 0) as points, count(*) as members into v_sums
    from app.user_balances as b
    where app.release_amount(b.frozen_points) > 0
      and not exists (select from app.users as u where u.uid = b.uid and u.left_at is not null);
  else
    select coalesce(sum(b.frozen_points), 0) as points, count(*) as members into v_sums
    from app.user_balances as b
    where b.uid = p_uid and app.release_amount(b.frozen_points) > 0
      and not exists (select from app.users as u where u.uid = p_uid and u.left_at is not null);
  end if;
  return jsonb_build_object('uid', p_uid) || app.forecast_of(v_sums.points, v_sums.members);
end
$$;

comment on function app.forecast_json is
  'Returns the points that will be released to one member or, with p_uid null, to all (app.forecast_of). Leaves out '
  'members who have left, and balances below 0.25, which release nothing.';

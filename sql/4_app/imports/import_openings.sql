-- No nested loops: see app.import_order_rows.
-- Precondition: the caller owns the structure lock and has inserted the members.
create or replace function app.import_openings(p_uids bigint[], p_after integer, p_limit integer, p_plan integer, p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set enable_nestloop = off
set jit = off
as $$
begin
  insert into app.opening_cycles (uid, places, plan_version)
  select s.new_uid, s.places::smallint, p_plan
  from unnest(p_uids) as m (uid) join app.staged_members as s on s.new_uid = m.uid
  where s.rank > p_after and s.rank <= p_after + p_limit and s.places::integer > 0;
  insert into app.user_balances (
    uid, brokerage_price, total_brokerage, frozen_points, available_points, total_points_earned, total_places, cycle_no, cycle_plan_version, cycle_is_open
  )
  select
    s.new_uid, b.commission, b.commission, b.frozen, b.available, b.frozen + b.available,
    coalesce(c.places, 0), (c.uid is not null)::integer, c.plan_version, c.uid is not null
  from unnest(p_uids) as m (uid)
  join app.staged_members as s on s.new_uid = m.uid
  cross join lateral (
    select coalesce(s.commission::numeric, 0) as commission, coalesce(s.frozen_points::numeric, 0) as frozen,
      coalesce(s.available_points::numeric, 0) as available
  ) as b
  left join app.opening_cycles as c on c.uid = s.new_uid
  where s.rank > p_after and s.rank <= p_after + p_limit;
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after, add_time
  )
  select b.uid, 'opening_balance', 'import', b.brokerage_price, b.frozen_points, b.available_points, b.brokerage_price, b.frozen_points, b.available_points, p_now
  from app.user_balances as b
  where b.uid = any (p_uids) and (b.brokerage_price, b.frozen_points, b.available_points) <> (0, 0, 0)
  order by b.uid;
  insert into app.level_changes (uid, from_level, to_level, to_held, reason, add_time)
  select u.uid, 0, u.agent_level, u.is_held, 'imported', p_now
  from app.users as u where u.uid = any (p_uids) and (u.agent_level > 0 or u.is_held) order by u.uid;
  insert into app.no_assess_changes (uid, from_value, to_value, add_time)
  select u.uid, false, true, p_now from app.users as u where u.uid = any (p_uids) and u.no_assess order by u.uid;
end
$$;

comment on function app.import_openings is
  'Writes what imported members, p_limit staged ones after a rank, begin with: balances with their bill row, places of the open cycle, level and flag with their history.';

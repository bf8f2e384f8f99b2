-- Books entries and changes: the one statement that changes balances by order, task counters and cycles. Every member's
-- row is written once, and one bill row per entry states the balances after it, in the order given.
-- Callers: settlements, refunds, set_no_assess, bind_spread. Locks: the caller has locked the balance rows.
-- Entries that come to nothing are not written. Not safe twice: the caller's own unique row is what makes it once.
-- In plpgsql with the generic plan, which is kept: see get_upline.
create or replace function app.book_entries(p_entries app.bill_entry[], p_changes app.member_change[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  with entries as materialized (
    select e.*
    from unnest(p_entries) with ordinality as e
    where e.brokerage_delta <> 0 or e.frozen_delta <> 0 or e.available_delta <> 0
  ),
  totals as (
    select
      t.uid, sum(t.brokerage_delta) as brokerage_delta, sum(t.frozen_delta) as frozen_delta, sum(t.available_delta) as available_delta,
      sum(t.own_orders) as own_orders, sum(t.direct_orders) as direct_orders, sum(t.umbrella_orders) as umbrella_orders,
      sum(t.direct_members) as direct_members, sum(t.umbrella_members) as umbrella_members, sum(t.places) as places,
      max(t.cycle_no) as cycle_no, max(t.cycle_plan_version) as cycle_plan_version, bool_or(t.cycle_is_open) as cycle_is_open
    from (
      select
        e.uid, e.brokerage_delta, e.frozen_delta, e.available_delta, 0 as own_orders, 0 as direct_orders, 0 as umbrella_orders,
        0 as direct_members, 0 as umbrella_members, 0 as places,
        null::integer as cycle_no, null::integer as cycle_plan_version, null::boolean as cycle_is_open
      from entries as e
      union all
      select
        c.uid, 0, 0, 0, c.own_orders, c.direct_orders, c.umbrella_orders, c.direct_members, c.umbrella_members, c.places,
        c.cycle_no, c.cycle_plan_version, c.cycle_is_open
      from unnest(p_changes) as c
    ) as t
    group by t.uid
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage_delta,
        total_brokerage = b.total_brokerage + t.brokerage_delta,
        frozen_points = b.frozen_points + t.frozen_delta,
        available_points = b.available_points + t.available_delta,
        total_points_earned = b.total_points_earned + t.frozen_delta + t.available_delta,
        own_orders = b.own_orders + t.own_orders,
        direct_orders = b.direct_orders + t.direct_orders,
        umbrella_orders = b.umbrella_orders + t.umbrella_orders,
        direct_members = b.direct_members + t.direct_members,
        umbrella_members = b.umbrella_members + t.umbrella_members,
        total_places = b.total_places + t.places,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.cycle_plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.cycle_is_open, b.cycle_is_open)
    from totals as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
end
$$;

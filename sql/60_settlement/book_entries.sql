-- Books entries and counts: the one statement that changes balances by order and task counters. Every member's row is
-- written once, and one bill row per entry states the balances after it, in the order given.
-- Callers: settlements, refunds, set_no_assess, bind_spread. Locks: the caller has locked the balance rows.
-- Entries that come to nothing are not written. Not safe twice: the caller's own unique row is what makes it once.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.book_entries(p_entries app.bill_entry[], p_counts app.count_change[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  with entries as materialized (
    select e.*
    from unnest(p_entries) with ordinality as e
    where e.brokerage_delta <> 0 or e.frozen_delta <> 0 or e.available_delta <> 0
  ),
  earned as materialized (
    select
      e.uid, sum(e.brokerage_delta) as brokerage_delta, sum(e.frozen_delta) as frozen_delta,
      sum(e.available_delta) as available_delta
    from entries as e
    group by e.uid
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + coalesce(t.brokerage_delta, 0),
        total_brokerage = b.total_brokerage + coalesce(t.brokerage_delta, 0),
        frozen_points = b.frozen_points + coalesce(t.frozen_delta, 0),
        available_points = b.available_points + coalesce(t.available_delta, 0),
        total_points_earned = b.total_points_earned + coalesce(t.frozen_delta + t.available_delta, 0),
        own_orders = b.own_orders + coalesce(t.own_orders, 0),
        direct_orders = b.direct_orders + coalesce(t.direct_orders, 0),
        umbrella_orders = b.umbrella_orders + coalesce(t.umbrella_orders, 0),
        direct_members = b.direct_members + coalesce(t.direct_members, 0),
        umbrella_members = b.umbrella_members + coalesce(t.umbrella_members, 0)
    from (
      select *
      from earned as e
      full join unnest(p_counts) as c using (uid)
    ) as t
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

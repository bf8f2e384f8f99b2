-- Books entries: balances change and one bill row per entry states the balances after it, in the order given.
-- Callers: settle_locked_order, refunds. Locks: the caller has locked the balance rows.
-- Entries that come to nothing are not written. Not safe twice: the caller's own unique row is what makes it once.
-- In plpgsql because its plan is kept: see get_upline.
create or replace function app.book_entries(p_entries app.bill_entry[], p_now timestamptz)
returns void
language plpgsql
volatile
set search_path = ''
as $$
begin
  with entries as (
    select e.*
    from unnest(p_entries) with ordinality as e
    where e.brokerage_delta <> 0 or e.frozen_delta <> 0 or e.available_delta <> 0
  ),
  booked as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage_delta,
        total_brokerage = b.total_brokerage + t.brokerage_delta,
        frozen_points = b.frozen_points + t.frozen_delta,
        available_points = b.available_points + t.available_delta,
        total_points_earned = b.total_points_earned + t.frozen_delta + t.available_delta
    from (
      select
        e.uid, sum(e.brokerage_delta) as brokerage_delta, sum(e.frozen_delta) as frozen_delta,
        sum(e.available_delta) as available_delta
      from entries as e
      group by e.uid
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
  join booked as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
end
$$;

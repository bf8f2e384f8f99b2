-- Booking: entries become rows of the bill and balances of members, in one statement.

create or replace function app.new_entry(
  p_uid bigint, p_type text, p_source text, p_brokerage numeric default 0, p_frozen numeric default 0, p_available numeric default 0,
  p_order_id bigint default null, p_basis numeric default null, p_rate numeric default null, p_agent_level smallint default null,
  p_passed_on numeric default null, p_reverses_id bigint default null, p_withdrawal_id bigint default null, p_adjustment_id bigint default null
)
returns app.bill_entry
language sql
immutable
parallel safe
as $$
  select (
    p_uid, p_type, p_source, p_brokerage, p_frozen, p_available, p_order_id, p_basis, p_rate, p_agent_level, p_passed_on, p_reverses_id, p_withdrawal_id,
    p_adjustment_id
  )::app.bill_entry
$$;

comment on function app.new_entry is 'Returns a bill row that is to be booked: whose, of which type and source, what it changes, and what explains it.';

-- Each row of balances is updated once, in one statement (decision 0009).
-- Generic query plan: see app.get_upline.
-- Precondition: the caller has locked the balances.
-- Not idempotent: a unique row that the caller writes, such as the settlement, prevents a second booking.
create or replace function app.book_entries(
  p_entries app.bill_entry[], p_members app.tree_member[], p_cycles app.cycle_state[], p_now timestamptz
)
returns void
language plpgsql
volatile
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
begin
  with entries as materialized (
    select e.* from unnest(p_entries) with ordinality as e
  ),
  sums as (
    select
      e.uid, sum(e.brokerage_delta) as brokerage, sum(e.frozen_delta) as frozen, sum(e.available_delta) as available,
      sum(e.brokerage_delta) filter (where app.is_earned(e.type)) as commission,
      sum(e.frozen_delta + e.available_delta) filter (where app.is_earned(e.type)) as points
    from entries as e group by e.uid
  ),
  members as (select m.* from unnest(p_members) as m where m.is_changed),
  cycles as (select c.* from unnest(p_cycles) as c where c.placed <> 0),
  changes as (
    select
      uid, coalesce(s.brokerage, 0) as brokerage, coalesce(s.frozen, 0) as frozen, coalesce(s.available, 0) as available,
      coalesce(s.commission, 0) as commission, coalesce(s.points, 0) as points,
      m.own_orders, m.direct_orders, m.umbrella_orders, m.direct_members, m.umbrella_members,
      c.cycle_no, c.plan_version, c.is_open, coalesce(c.placed, 0) as placed
    from sums as s full join members as m using (uid) full join cycles as c using (uid)
  ),
  changed as (
    update app.user_balances as b
    set brokerage_price = b.brokerage_price + t.brokerage,
        total_brokerage = b.total_brokerage + t.commission,
        frozen_points = b.frozen_points + t.frozen,
        available_points = b.available_points + t.available,
        total_points_earned = b.total_points_earned + t.points,
        own_orders = coalesce(t.own_orders, b.own_orders),
        direct_orders = coalesce(t.direct_orders, b.direct_orders),
        umbrella_orders = coalesce(t.umbrella_orders, b.umbrella_orders),
        direct_members = coalesce(t.direct_members, b.direct_members),
        umbrella_members = coalesce(t.umbrella_members, b.umbrella_members),
        total_places = b.total_places + t.placed,
        cycle_no = coalesce(t.cycle_no, b.cycle_no),
        cycle_plan_version = coalesce(t.plan_version, b.cycle_plan_version),
        cycle_is_open = coalesce(t.is_open, b.cycle_is_open)
    from changes as t
    where b.uid = t.uid
    returning b.uid, b.brokerage_price, b.frozen_points, b.available_points
  )
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, reverses_id,
    withdrawal_id, adjustment_id, add_time
  )
  select
    e.uid, e.type, e.source, e.brokerage_delta, e.frozen_delta, e.available_delta,
    b.brokerage_price - coalesce(sum(e.brokerage_delta) over later, 0),
    b.frozen_points - coalesce(sum(e.frozen_delta) over later, 0),
    b.available_points - coalesce(sum(e.available_delta) over later, 0),
    e.order_id, e.basis, e.rate, e.agent_level, e.passed_on, e.reverses_id,
    e.withdrawal_id, e.adjustment_id, p_now
  from entries as e
  join changed as b on b.uid = e.uid
  window later as (partition by e.uid order by e.ordinality rows between 1 following and unbounded following)
  order by e.ordinality;
end
$$;

comment on function app.book_entries is
  'Books decisions for members (the third step of the engine): inserts the bill entries in the given sequence, each with the '
  'balances after it, and updates balances, task counts and cycles. Members and cycles that did not change are left as they are.';

-- Two queries, so that each reads a range of the index: most commission of a member has matured and is not read.
create or replace function app.maturing(p_uid bigint, p_now timestamptz)
returns setof app.commission_maturities
language sql
stable
rows 20
as $$
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at > p_now
  union all
  select m.* from app.commission_maturities as m where m.uid = p_uid and m.matures_at is null
$$;

comment on function app.maturing is 'Returns the commission of a member that has not matured at p_now, by order.';

grant execute on function app.maturing(bigint, timestamptz) to store_admin;

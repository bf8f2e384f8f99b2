/** Pays the next order the way the store does: one call. */
export const PAY = "select app.pay_order(nextval('bench.next_order'), 'bench', 'paid-' || currval('bench.next_order'), clock_timestamp());";

/** Settles the next order the way the store does: one call. */
export const SETTLE = "select app.settle_order(nextval('bench.next_order'), clock_timestamp());";

/** The rows of a settlement as one statement without logic: they are read ready-made from bench.recorded. */
export const WRITE_SETTLEMENT = `
with r as materialized (
  select * from bench.recorded where order_id = (select nextval('bench.next_order'))
),
settlement as (
  insert into app.settlements select (r.settlement).* from r
),
bill as (
  insert into app.user_bill (
    uid, type, source, brokerage_delta, frozen_delta, available_delta, brokerage_after, frozen_after, available_after,
    order_id, basis, rate, agent_level, passed_on, add_time
  )
  select
    l.uid, l.type, l.source, l.brokerage_delta, l.frozen_delta, l.available_delta, l.brokerage_after, l.frozen_after, l.available_after,
    l.order_id, l.basis, l.rate, l.agent_level, l.passed_on, clock_timestamp()
  from r, unnest(r.bill) as l
),
balances as (
  update app.user_balances as b
  set brokerage_price = b.brokerage_price + c.brokerage, total_brokerage = b.total_brokerage + c.brokerage,
      frozen_points = b.frozen_points + c.points, total_points_earned = b.total_points_earned + c.points,
      own_orders = b.own_orders + c.own_orders, direct_orders = b.direct_orders + c.direct_orders,
      umbrella_orders = b.umbrella_orders + c.umbrella_orders, direct_members = b.direct_members + c.direct_members,
      umbrella_members = b.umbrella_members + c.umbrella_members, total_places = b.total_places + c.places,
      cycle_no = c.cycle_no, cycle_plan_version = c.cycle_plan_version, cycle_is_open = c.cycle_is_open
  from r, unnest(r.changes) as c
  where b.uid = c.uid
)
delete from app.settlement_jobs as j using r where j.order_id = r.order_id;`;

-- The partitions before the settlement are skipped: what an order paid was booked with its settlement, or later.
-- Generic query plan: see app.bill_page.
create or replace function app.team_order_json(p_uid bigint, p_can_rise boolean, p_order app.orders)
returns jsonb
language plpgsql
stable
set search_path = pg_catalog, pg_temp
set plan_cache_mode = force_generic_plan
as $$
declare
  v_settled_at timestamptz := (select s.settled_at from app.settlements as s where s.order_id = p_order.id);
begin
  return (
    select jsonb_build_object(
      'order_id', p_order.id, 'uid', u.uid, 'nickname', u.nickname, 'avatar', u.avatar, 'is_direct', u.spread_uid = p_uid,
      'paid_at', app.utc(p_order.paid_at), 'settled_at', app.utc(v_settled_at), 'base', p_order.queue_base::text,
      'units', p_order.queue_units, 'refund_status', p_order.refund_status, 'counts', c.counts,
      'commission', case when not c.is_archived then e.commission::text end, 'points', case when not c.is_archived then trim_scale(e.points) end
    )
    from app.users as u
    cross join lateral (
      select p_can_rise and not u.no_assess and app.is_counted(p_order.queue_units, p_order.refund_status, p_order.below_minimum) as counts,
        app.is_order_archived(p_order.id) as is_archived
    ) as c
    cross join lateral (
      select
        coalesce(sum(l.brokerage_delta), 0.00) as commission, coalesce(sum(l.frozen_delta + l.available_delta), 0) as points,
        count(*) as rows
      from app.user_bill as l
      where l.order_id = p_order.id and l.uid = p_uid and l.add_time >= v_settled_at
    ) as e
    where u.uid = p_order.uid and v_settled_at is not null and (c.counts or e.rows > 0 or c.is_archived)
  );
end
$$;

comment on function app.team_order_json is
  'Returns an order of a member below p_uid with the commission and points that it paid p_uid, less reversals, and whether it '
  'counts for the tasks of p_uid (R8, R9). What it paid in an archived month is null. Null if it neither paid p_uid nor counts. p_can_rise: p_uid is below the top grade, '
  'so that anything counts at all.';

create or replace function app.downline_orders(p_uid bigint)
returns table (order_id bigint, uid bigint, is_direct boolean, reason text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with recursive downline as (
    select u.uid, u.no_assess, true as is_direct from app.users as u where u.spread_uid = p_uid
    union all
    select u.uid, u.no_assess, false from downline as d join app.users as u on u.spread_uid = d.uid
  )
  select o.id, d.uid, d.is_direct, case
    when o.queue_units = 0 or o.refund_status = 2 then 'refunded'
    when o.below_minimum then 'below_minimum'
    when o.refund_status = 1 then 'refund_requested'
    when s.state is null then 'not_settled'
    when d.no_assess then 'member_not_assessed'
  end
  from downline as d
  join app.orders as o on o.uid = d.uid and o.paid_at is not null and o.has_queue_goods
  left join app.settlements as s on s.order_id = o.id
$$;

comment on function app.downline_orders is
  'Returns every paid order with queue goods below a member, and the reason why it does not count for the member''s tasks, or '
  'null if it counts (R8, R9).';

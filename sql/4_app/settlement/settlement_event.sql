-- Has no set clause, so that the planner can inline it.
create or replace function app.settlement_event(p_order app.order_facts, p_max_depth integer)
returns app.tree_event
language sql
immutable
parallel safe
as $$
  select (
    case when p_order.units > 0 then 'settle' else 'count' end, p_order.member, p_order.order_id,
    case when p_order.reason is null then p_order.units else 0 end, p_max_depth, p_order.is_counted::integer,
    null, null, null, null, null
  )::app.tree_event
$$;

comment on function app.settlement_event is
  'Returns the tree event of settling an order: an order that can pay nobody (app.barring_reason) grants no points, one that '
  'does not count adds nothing to the task counts, and one that was refunded before its settlement raises nobody.';

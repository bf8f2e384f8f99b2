-- Every grant an order made, what is still standing of it (granted, less reversed), and the basis that is left of it:
-- the base for commission, that commission for its points, the units for points by level. A base of zero leaves nothing.
-- Callers: reversal_entries, reconcile_refunds. Reads only.
create or replace function app.remaining_grants(p_order app.orders)
returns table (
  id bigint, uid bigint, type text, source text, rate numeric, agent_level smallint, granted numeric, basis_left numeric
)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select
    l.id, l.uid, l.type, l.source, l.rate, l.agent_level,
    l.brokerage_delta + l.frozen_delta + coalesce((
      select sum(r.brokerage_delta + r.frozen_delta + r.available_delta)
      from app.user_bill as r
      where r.order_id = p_order.id and r.reverses_id = l.id
    ), 0),
    case
      when p_order.queue_base = 0 then 0
      when l.type = 'brokerage' then p_order.queue_base
      when l.source = 'cycle' then app.cycle_commission(p_order.queue_base, s.ratio)
      else p_order.queue_units
    end
  from app.user_bill as l
  join app.settlements as s on s.order_id = l.order_id
  where l.order_id = p_order.id and l.reverses_id is null
$$;

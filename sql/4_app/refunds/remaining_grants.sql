create or replace function app.remaining_grants(p_order_id bigint)
returns setof app.remaining_grant
language sql
stable
rows 10
set search_path = pg_catalog, pg_temp
as $$
  select
    l.id, l.uid, l.type, l.source, l.rate, l.agent_level,
    l.brokerage_delta + l.frozen_delta + coalesce((
      select sum(r.brokerage_delta + r.frozen_delta + r.available_delta)
      from app.user_bill as r
      where r.order_id = p_order_id and r.reverses_id = l.id
    ), 0),
    b.frozen_points
  from app.user_bill as l
  join app.user_balances as b on b.uid = l.uid
  where l.order_id = p_order_id and l.reverses_id is null and app.is_earned(l.type)
$$;

comment on function app.remaining_grants is 'Returns every grant of an order with what is left of it: granted less reversed.';

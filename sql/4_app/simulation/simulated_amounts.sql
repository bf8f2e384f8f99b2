create or replace function app.simulated_amounts(
  p_orders app.simulated_order[], p_settlements app.settlements[], p_grants app.level_grant[], p_plans app.commission_plans[]
)
returns app.simulated_amount[]
language sql
immutable
set search_path = pg_catalog, pg_temp
set jit = off
as $$
  select coalesce(array_agg((e.order_id, e.uid, e.money, e.points)::app.simulated_amount), '{}')
  from (
    select
      b.order_id, b.uid, sum(a.amount) filter (where b.type = 'brokerage') as money, sum(a.amount) filter (where b.type <> 'brokerage') as points
    from unnest(app.settlement_entries(p_settlements, p_grants, p_plans)) as b
    join unnest(p_orders) as o on o.order_id = b.order_id
    left join unnest(p_settlements) as s on s.order_id = b.order_id
    cross join lateral (
      select app.grant_amount(b.type, app.basis_left(b.type, b.source, o.base_left, o.units_left, s.rate), b.rate) as amount
    ) as a
    group by b.order_id, b.uid
  ) as e
$$;

comment on function app.simulated_amounts is
  'Returns what simulated decisions pay, per order and member, for what refunds leave of each order by the end of the period: '
  'a refund reduces every grant to that.';

create or replace function app.reversals(p_order app.orders, p_rate numeric, p_grants app.remaining_grant[])
returns app.bill_entry[]
language sql
immutable
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select g.*, l.basis as basis_left, g.type = 'brokerage' as is_money, g.remaining - app.grant_amount(g.type, l.basis, g.rate) as excess
    from unnest(p_grants) as g
    cross join lateral (
      select app.basis_left(g.type, g.source, p_order.queue_base, p_order.queue_units, p_rate) as basis
    ) as l
  ),
  split as (
    select d.*, least(d.excess, greatest(
      d.frozen_points - coalesce(sum(d.excess) filter (where not d.is_money) over earlier, 0), 0
    )) as from_frozen
    from due as d
    window earlier as (partition by d.uid order by d.bill_id rows between unbounded preceding and 1 preceding)
  )
  select coalesce(array_agg((
    x.uid, case when x.is_money then 'brokerage_reversal' else 'frozen_points_reversal' end, x.source,
    case when x.is_money then -x.excess else 0 end,
    case when x.is_money then 0 else -x.from_frozen end,
    case when x.is_money then 0 else x.from_frozen - x.excess end,
    p_order.id, x.basis_left, x.rate, x.agent_level, null, x.bill_id, null, null
  )::app.bill_entry order by x.bill_id), '{}')
  from split as x
  where x.excess > 0
$$;

comment on function app.reversals is
  'Returns the entries that reduce an order''s grants to what the rest of it should pay, at the same place, rate and levels. '
  'Points are taken from the frozen ones first, then from the available ones, which may become negative. A reversal '
  'states the basis that is left: basis times rate is what the member keeps, not what is taken back.';

-- The reversing bill entries that bring an order's grants down to what they should be for what is left of it: same
-- place, same ratio, same levels. Points are taken from frozen first, then from available, which may become a debt.
-- A reversal states the basis that is left, so that basis x rate is what remains of the grant.
-- Callers: refund_order. Locks: the caller holds the members' rows. Reads only.
create or replace function app.reversal_entries(p_order app.orders)
returns app.bill_entry[]
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with due as (
    select g.id, g.uid, g.type = 'brokerage' as is_money, g.source, g.rate, g.agent_level, g.basis_left,
      g.granted - app.round_down(g.basis_left * g.rate, case when g.type = 'brokerage' then 2 else 4 end) as excess
    from app.remaining_grants(p_order) as g
  ),
  split as (
    select d.*, least(d.excess, greatest(
      b.frozen_points - coalesce(sum(d.excess) filter (where not d.is_money) over earlier, 0), 0
    )) as from_frozen
    from due as d
    join app.user_balances as b on b.uid = d.uid
    window earlier as (partition by d.uid order by d.id rows between unbounded preceding and 1 preceding)
  )
  select coalesce(array_agg((
    x.uid, case when x.is_money then 'brokerage_reversal' else 'frozen_points_reversal' end, x.source,
    case when x.is_money then -x.excess else 0 end,
    case when x.is_money then 0 else -x.from_frozen end,
    case when x.is_money then 0 else x.from_frozen - x.excess end,
    p_order.id, x.basis_left, x.rate, x.agent_level, null, x.id
  )::app.bill_entry order by x.id), '{}')
  from split as x
  where x.excess > 0
$$;

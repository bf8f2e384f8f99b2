create or replace function app.reconcile_balances()
returns table (check_name text, subject text, expected text, actual text)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  with sums as (
    select
      l.uid, max(l.id) as last_id, sum(l.brokerage_delta) as brokerage, sum(l.frozen_delta) as frozen,
      sum(l.available_delta) as available,
      coalesce(sum(l.frozen_delta + l.available_delta), 0) as earned
    from app.user_bill as l
    group by l.uid
  )
  select
    'balance_equals_bill', format('uid %s', b.uid),
    format('%s %s %s earned %s', coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.earned, 0)),
    format('%s %s %s earned %s', b.brokerage_price, b.frozen_points, b.available_points, b.total_points_earned)
  from app.user_balances as b
  left join sums as s on s.uid = b.uid
  where (b.brokerage_price, b.total_brokerage, b.frozen_points, b.available_points, b.total_points_earned)
    is distinct from (
      coalesce(s.brokerage, 0), coalesce(s.brokerage, 0), coalesce(s.frozen, 0), coalesce(s.available, 0), coalesce(s.earned, 0)
    )
  union all
  select
    'balance_equals_last_bill_row', format('uid %s', s.uid),
    format('%s %s %s', l.brokerage_after, l.frozen_after, l.available_after),
    format('%s %s %s', b.brokerage_price, b.frozen_points, b.available_points)
  from sums as s
  join app.user_bill as l on l.id = s.last_id
  join app.user_balances as b on b.uid = s.uid
  where (l.brokerage_after, l.frozen_after, l.available_after) <> (b.brokerage_price, b.frozen_points, b.available_points)
$$;

comment on function app.reconcile_balances is
  'Finds members whose balances differ from the sums of their bill rows or from the balances in their last bill row.';

-- Only what was withdrawn, or taken by an adjustment or an opening balance, can make the withdrawable amount negative. These members are few, and
-- the commission that matures is summed only for them.
create or replace function app.debts(p_now timestamptz)
returns table (uid bigint, brokerage_price numeric, maturing numeric)
language sql
stable
set search_path = pg_catalog, pg_temp
as $$
  select b.uid, b.brokerage_price, m.maturing
  from app.user_balances as b
  cross join lateral (select coalesce(sum(c.amount_left), 0.00) as maturing from app.maturing(b.uid, p_now) as c) as m
  where (
    b.brokerage_price < 0
    or b.uid in (select w.uid from app.withdrawals as w where w.state not in ('refused', 'failed'))
    or b.uid in (select a.uid from app.adjustments as a where a.state = 'booked' and a.brokerage_delta < 0)
    or b.uid in (select l.uid from app.user_bill as l where l.type = 'opening_balance' and l.brokerage_delta < 0)
    or b.uid in (select a.uid from app.archived_balances as a where a.negative_openings > 0)
  ) and b.brokerage_price < m.maturing
$$;

comment on function app.debts is
  'Returns the members whose withdrawable amount (balance less maturing) is negative, because refunds took back commission that had been '
  'withdrawn, or because an adjustment or an opening balance took more than there was. Their next commission repays it.';

grant execute on function app.debts(timestamptz) to store_admin;
